#!/bin/sh
# fetch_counts.sh NAME DIR: real counts with both layers, from the test data inside scVelo's source package on PyPI:
# pancreas_50obs, pancreas_100obs, dentategyrus_50obs or dentategyrus_100obs, every gene. Prints the file's path; does
# nothing more when it is there already. PYTHON names the interpreter to use.
set -eu
name=$1
dir=$2
file=$dir/$name.h5ad
if [ ! -s "$file" ]; then
    mkdir -p "$dir"
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    "${PYTHON:-python3}" -m pip download --quiet --disable-pip-version-check --no-deps --no-binary scvelo \
        --dest "$scratch" scvelo==0.3.4 >&2
    tar -xzf "$scratch"/scvelo-0.3.4.tar.gz -C "$scratch"
    mv "$scratch/scvelo-0.3.4/tests/_data/$name.h5ad" "$file.part"
    mv "$file.part" "$file"
fi
echo "$file"
