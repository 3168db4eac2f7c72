#!/bin/sh
# examples.sh BIN_DIR SOURCE: runs every line that begins with vel or velcmp in the blocks of README.md and docs/usage.md,
# and the examples of each help page, in a folder with simulated counts. The pages' examples lead from one file to the
# next, so they go first, in pipeline order.
set -u
bin=$1 source=$2
folder=$(mktemp -d "${TMPDIR:-/tmp}/vel-examples.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
PATH=$bin:$PATH
cd "$folder" || exit 1

# The commands of a page: what is indented by two and begins with the program's name, below "Example".
of_page() { sed -n '/^Example/,/^$/s/^  \(vel.*\)/\1/p; s/^Example: \(velcmp.*\)/\1/p'; }
# The commands of a document: lines of its blocks.
of_document() { sed -n '/^```$/,/^```/{/^vel /p; /^velcmp /p}' "$1"; }

vel simulate -o counts.h5ad --n-obs 120 --n-vars 60 --noise-model gillespie --quiet || exit 1
cp counts.h5ad in.h5ad
cp counts.h5ad scanpy.h5ad
{
    for step in $(vel steps | sed -n 's/^\([a-z_0-9]*\) - .*/\1/p') run steps recipes info ''; do
        # shellcheck disable=SC2086 # no word for the program's own page
        vel help $step | of_page
    done
    of_document "$source/README.md"
    of_document "$source/docs/usage.md"
    velcmp --help | of_page
} >commands
[ "$(wc -l <commands)" -ge 20 ] || { echo "there are only $(wc -l <commands) examples"; exit 1; }

failed=0
while read -r command; do
    [ -e velocity.h5ad ] && cp velocity.h5ad scvelo.h5ad && cp velocity.h5ad vel.h5ad
    sh -c "$command" >said 2>&1 </dev/null || {
        echo "exit code $?: $command"
        cat said
        failed=1
    }
done <commands
exit $failed
