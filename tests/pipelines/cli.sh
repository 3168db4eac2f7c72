#!/bin/sh
# cli.sh VEL MAKE_TOY CLAIM: one claim about the program `vel`, in a folder of its own. A claim is a function
# claim_NAME below; cli.cmake makes a test of each.
set -u
vel=$1 make_toy=$2 claim=$3
folder=$(mktemp -d "${TMPDIR:-/tmp}/vel-cli.XXXXXX") || exit 1
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder" || exit 1

fail() {
    echo "$claim: $*" >&2
    [ ! -s err ] || { echo "--- stderr"; cat err; } >&2
    exit 1
}

# gives CODE COMMAND…: the command ends with this exit code; its output is in `out` and `err`.
gives() {
    want=$1
    shift
    "$@" >out 2>err
    got=$?
    [ $got -eq "$want" ] || fail "exit $got, expected $want: $*"
}

says() { grep -q -e "$1" err || fail "stderr does not have: $1"; }
prints() { grep -q -e "$1" out || fail "stdout does not have: $1"; }
silent() { [ ! -s err ] || fail "stderr is not empty"; }
same() { cmp -s "$1" "$2" || fail "$1 and $2 differ"; }
readable() { "$vel" log1p "$1" --dry-run >out 2>err || fail "$1 cannot be read"; }
# alone FILE…: nothing else is here, hidden files included.
alone() { [ "$(echo $(ls -A | grep -v -e '^out$' -e '^err$'))" = "$*" ] || fail "files here: $(ls -A | tr '\n' ' ')"; }
# needs STEP…: the claim is skipped in a program without these steps.
needs() { for step; do "$vel" steps --json | grep -q "\"name\":\"$step\"" || exit 77; done; }
toy() { "$make_toy" "${1:-in.h5ad}" ${2:-} || fail "no toy data"; }

# ---- usage

claim_no_command_is_wrong_usage() {
    gives 2 "$vel"
    says 'vel --help'
}

claim_version_is_printed() {
    gives 0 "$vel" --version
    prints '^vel [0-9]*\.[0-9]*\.[0-9]*$'
}

claim_help_is_there_at_every_level() {
    gives 0 "$vel" --help
    prints 'filter_genes'
    prints 'dynamical'
    prints 'vel run dynamical'
    gives 0 "$vel" -h
    gives 0 "$vel" run --help
    prints 'neighbors.n_neighbors'
    gives 0 "$vel" filter_genes --help
    prints '^  --min_shared_counts '
    prints '^Example:'
    prints 'layers/spliced'
    gives 0 "$vel" filter-genes -h
    for command in steps recipes info; do
        gives 0 "$vel" $command --help
        prints "^vel $command: "
        prints '^Example:'
    done
}

claim_help_as_a_command_is_the_same_page() {
    gives 0 "$vel" --help
    mv out page
    gives 0 "$vel" help
    same out page
    for command in run info filter_genes; do
        gives 0 "$vel" $command --help
        mv out page
        gives 0 "$vel" help $command
        same out page
    done
    gives 2 "$vel" help filter_gens
    says 'did you mean filter_genes'
}

claim_a_mistyped_step_names_the_nearest() {
    gives 2 "$vel" filter_gens in.h5ad
    says 'did you mean filter_genes'
    gives 2 "$vel" run 'log1p | filter_gens' in.h5ad -o out.h5ad
    says 'did you mean filter_genes'
    gives 2 "$vel" run dynamicl in.h5ad -o out.h5ad
    says 'did you mean dynamical'
}

claim_a_mistyped_option_names_the_nearest() {
    toy
    gives 2 "$vel" filter_genes in.h5ad --min_shard_counts 3
    says 'did you mean --min_shared_counts'
    gives 2 "$vel" run 'filter_genes min_shard_counts=3' in.h5ad -o out.h5ad
    says 'did you mean min_shared_counts'
    gives 2 "$vel" filter_genes in.h5ad --thread 3
    says 'did you mean --threads'
}

claim_an_option_that_nobody_has_is_told_wherever_it_stands() {
    toy
    for line in '--nonsense' '--nonsense 3' '--nonsense log1p in.h5ad' 'run --nonsense' \
        'run --nonsense log1p in.h5ad -o out.h5ad'; do
        gives 2 "$vel" $line
        says 'there is no option --nonsense (vel --help'
    done
    for line in 'log1p --nonsense' 'log1p --nonsense in.h5ad' 'log1p in.h5ad --nonsense' '--nonsense run log1p in.h5ad' \
        'log1p in.h5ad --nonsense --quiet' 'run log1p in.h5ad --nonsense' 'run log1p in.h5ad -o out.h5ad --nonsense 3'; do
        gives 2 "$vel" $line
        says 'log1p has no option --nonsense'
    done
    for line in 'steps --nonsense' 'recipes --nonsense 3' 'info --nonsense in.h5ad' 'info in.h5ad --nonsense'; do
        gives 2 "$vel" $line
        says 'vel [a-z]* has no option --nonsense'
    done
    gives 2 "$vel" --vresion
    says 'did you mean --version?'
    gives 2 "$vel" run --min_shard_counts
    says 'did you mean --min_shared_counts?'
    gives 2 "$vel" --n_neighbors 30
    says 'a command is missing'
    alone in.h5ad
}

claim_a_bad_value_names_option_and_value() {
    gives 2 "$vel" simulate -o out.h5ad --n_obs many
    says 'n_obs'
    says 'many'
    gives 2 "$vel" log1p in.h5ad --threads 0
    gives 2 "$vel" log1p in.h5ad --max-memory lots
    says 'lots'
    gives 2 "$vel" simulate -o out.h5ad --n_obs
    says 'needs a value'
}

claim_a_bad_value_is_told_before_the_input_is_read() {
    gives 2 "$vel" filter_genes none.h5ad --min_cells_u banana
    says 'option min_cells_u takes a number, at least 0, or none, found banana'
    gives 2 "$vel" normalize_per_cell none.h5ad --enforce=flase
    says 'option enforce takes true or false, or none, found flase'
    gives 2 "$vel" run 'log1p | pca n_comps=2.5' none.h5ad -o out.h5ad
    says 'option n_comps takes a whole number, at least 1, or none, found 2.5'
    gives 2 "$vel" run 'log1p | velocity min_likelihood=high' none.h5ad -o out.h5ad
    says 'option min_likelihood takes a number, or none, found high'
    gives 2 "$vel" run 'log1p | velocity perc=[95,5]' none.h5ad -o out.h5ad
    says 'perc takes a percentile or an ascending pair'
    gives 2 "$vel" moments none.h5ad --n-neighbors=-1
    says 'option n_neighbors takes a whole number, at least 0, or none, found -1'
    gives 2 "$vel" log1p none.h5ad --threads many
    says 'option threads takes a whole number, or none, found many'
}

claim_a_switch_alone_is_true() {
    needs normalize_per_cell
    toy
    gives 0 "$vel" normalize_per_cell --enforce in.h5ad -o a.h5ad
    gives 0 "$vel" normalize_per_cell in.h5ad -o b.h5ad --enforce true
    same a.h5ad b.h5ad
    gives 0 "$vel" normalize_per_cell --enforce none in.h5ad -o c.h5ad
}

claim_a_recipe_says_which_steps_are_still_to_come() {
    toy
    gives 2 "$vel" run dynamical_full in.h5ad -o out.h5ad
    says 'this version has no step latent_time yet'
    gives 2 "$vel" latent-time in.h5ad
    says 'this version has no step latent-time yet'
    gives 0 "$vel" recipes
    prints '^  this version does not have: latent_time, velocity_embedding, velocity_confidence$'
    gives 0 "$vel" recipes --json
    prints '"name":"dynamical",.*"lacks":""'
    prints '"name":"dynamical_full",.*"lacks":"latent_time, velocity_embedding, velocity_confidence"'
    gives 0 "$vel" --help
    prints '^  dynamical_full  *latent_time, velocity_embedding, velocity_confidence$'
}

claim_a_recipe_in_place_of_a_step_is_told() {
    gives 2 "$vel" dynamical in.h5ad -o out.h5ad
    says 'dynamical is a recipe: vel run dynamical'
}

claim_steps_list_a_field_once() {
    gives 0 "$vel" steps
    for word in reads writes; do
        awk -v word=$word '$1 == word { split("", seen); for (i = 2; i <= NF; i++) { sub("[?]$", "", $i); if (seen[$i]++) exit 1 } }' \
            out || fail "a field is listed twice among those it $word"
    done
}

claim_files_are_counted() {
    gives 2 "$vel" log1p
    gives 2 "$vel" log1p a b
    gives 2 "$vel" simulate
    gives 2 "$vel" simulate in.h5ad -o out.h5ad
    gives 2 "$vel" run
    gives 2 "$vel" run log1p
    gives 2 "$vel" run log1p in.h5ad
    says '-o'
    gives 2 "$vel" steps in.h5ad
}

claim_a_malformed_recipe_is_wrong_usage() {
    gives 2 "$vel" run 'log1p |' in.h5ad -o out.h5ad
    gives 2 "$vel" run 'log1p n_neighbors' in.h5ad -o out.h5ad
    gives 2 "$vel" run 'log1p n_neighbors="3' in.h5ad -o out.h5ad
    gives 2 "$vel" run '' in.h5ad -o out.h5ad
}

claim_an_option_of_several_steps_names_the_choices() {
    toy
    two='filter_genes | filter_and_normalize'
    gives 2 "$vel" run "$two" in.h5ad -o out.h5ad --min_shared_counts 7
    says '--filter_genes.min_shared_counts'
    says '--filter_and_normalize.min_shared_counts'
    gives 0 "$vel" run "$two" in.h5ad -o out.h5ad --dry-run --filter_genes.min-shared-counts 7
}

claim_the_command_line_beats_the_recipe() {
    toy
    gives 0 "$vel" run 'filter_genes min_shared_counts=3' in.h5ad -o out.h5ad --min-shared-counts 5 --json
    prints '"recipe":"filter_genes [^"]*min_shared_counts=5'
}

claim_simulate_makes_its_own_data_from_a_seed() {
    gives 0 "$vel" simulate -o a.h5ad --n_obs 40 --n_vars 5 --seed 3
    gives 0 "$vel" simulate -o b.h5ad --n_obs 40 --n_vars 5 --random-seed 3
    gives 0 "$vel" run 'simulate n_obs=40 n_vars=5 seed=4' -o c.h5ad
    gives 0 "$vel" info a.h5ad
    prints '40 cells x 5 genes'
    cmp -s a.h5ad c.h5ad && fail 'the seed changes nothing'
    same a.h5ad b.h5ad
}

claim_vkey_goes_to_every_step_that_has_it() {
    needs velocity velocity_graph
    toy
    gives 0 "$vel" run 'velocity | velocity_graph' in.h5ad -o out.h5ad --vkey v2 --dry-run --json
    prints '"layers/v2"'
    prints '"uns/v2_graph"'
}

claim_the_lists_are_json_on_request() {
    gives 0 "$vel" steps
    prints '^log1p - '
    gives 0 "$vel" steps --json
    prints '"name":"log1p"'
    gives 0 "$vel" recipes
    prints '^dynamical - '
    gives 0 "$vel" recipes --json
    prints '"name":"pancreas_tutorial"'
}

# ---- files

claim_a_missing_input_is_unreadable() {
    gives 3 "$vel" log1p none.h5ad -o out.h5ad
    says 'none.h5ad'
    alone
}

claim_a_foreign_file_is_unreadable() {
    echo 'no HDF5' >in.h5ad
    gives 3 "$vel" log1p in.h5ad -o out.h5ad
    says 'in.h5ad'
    alone in.h5ad
}

claim_a_missing_field_is_named_and_nothing_written() {
    needs compute_dynamics
    toy
    cp in.h5ad before.h5ad
    gives 3 "$vel" compute_dynamics in.h5ad
    says 'compute_dynamics needs var/fit_'
    gives 3 "$vel" run 'log1p | compute_dynamics' in.h5ad -o out.h5ad
    says 'compute_dynamics needs var/fit_'
    same in.h5ad before.h5ad
    alone before.h5ad in.h5ad
}

claim_a_step_writes_into_its_input() {
    toy
    cp in.h5ad before.h5ad
    gives 0 "$vel" filter_genes in.h5ad --min_shared_counts 5
    cmp -s in.h5ad before.h5ad && fail 'in.h5ad is as it was'
    alone before.h5ad in.h5ad
}

claim_writing_into_the_input_keeps_mode_and_link() {
    toy real.h5ad
    chmod 640 real.h5ad
    ln -s real.h5ad in.h5ad
    gives 0 "$vel" filter_genes in.h5ad --min_shared_counts 5
    [ -L in.h5ad ] || fail 'in.h5ad is no link any more'
    [ "$(stat -c %a real.h5ad)" = 640 ] || fail "mode $(stat -c %a real.h5ad)"
    readable real.h5ad
    alone in.h5ad real.h5ad
}

claim_a_write_protected_file_is_not_replaced() {
    toy
    cp in.h5ad before.h5ad
    chmod 444 in.h5ad
    gives 4 "$vel" filter_genes in.h5ad
    says 'write-protected'
    gives 4 "$vel" filter_genes before.h5ad -o in.h5ad
    same in.h5ad before.h5ad
    alone before.h5ad in.h5ad
}

claim_with_an_output_the_input_is_only_read() {
    toy
    cp in.h5ad before.h5ad
    chmod 444 in.h5ad
    gives 0 "$vel" filter_genes in.h5ad -o out.h5ad --min_shared_counts 5
    same in.h5ad before.h5ad
    readable out.h5ad
    alone before.h5ad in.h5ad out.h5ad
}

claim_an_output_that_cannot_be_written_is_told_first() {
    toy
    gives 4 "$vel" filter_genes in.h5ad -o nowhere/out.h5ad
    says 'nowhere'
    mkdir folder
    gives 4 "$vel" filter_genes in.h5ad -o folder
    says 'directory'
    rmdir folder
    alone in.h5ad
}

claim_events_that_cannot_be_written_end_the_run() {
    toy
    [ -c /dev/full ] || exit 77
    for more in '' --dry-run; do
        "$vel" log1p in.h5ad -o out.h5ad --json $more 2>err >/dev/full
        [ $? -eq 4 ] || fail "no exit 4 with $more"
        says 'the events cannot be written: No space left on device'
        [ ! -e out.h5ad ] || fail "there is an output"
    done
    "$vel" log1p in.h5ad -o out.h5ad --json 2>err | :
    readable out.h5ad
}

claim_a_name_that_is_empty_or_begins_with_a_dash_is_told() {
    for line in 'log1p' 'run log1p -o out.h5ad' 'info'; do
        gives 2 "$vel" $line ''
        says 'the name of the [a-z ]*file is empty'
    done
    gives 2 "$vel" log1p -x.h5ad
    says 'a file of that name is ./-x.h5ad'
    toy
    cp in.h5ad ./-x.h5ad
    gives 0 "$vel" log1p ./-x.h5ad -o -y.h5ad
    gives 0 "$vel" log1p -o z.h5ad -- -x.h5ad
    same ./-y.h5ad z.h5ad
}

claim_a_full_disk_leaves_no_output() {
    toy
    gives 4 "$vel" filter_genes in.h5ad -o /dev/full
    # A thread sanitizer maps a file of its own in TMPDIR, if there is one; cut short, it would kill the program.
    gives 4 sh -c "ulimit -f 8; TMPDIR=nowhere exec '$vel' filter_genes in.h5ad -o out.h5ad"
    alone in.h5ad
    # A disk of its own, where the system lets have one: it holds the input, and a part of an output.
    mkdir disk
    size=$((($(wc -c <in.h5ad) + 16384) / 4096 * 4096))
    if unshare -rm mount -t tmpfs none disk 2>err; then
        gives 4 unshare -rm sh -c "mount -t tmpfs -o size=$size none disk && cp in.h5ad disk && '$vel' log1p disk/in.h5ad
            code=\$?; cmp in.h5ad disk/in.h5ad && [ \"\$(ls -A disk)\" = in.h5ad ] && exit \$code"
        says 'No space left on device'
    fi
}

claim_the_same_run_gives_the_same_bytes() {
    toy
    gives 0 "$vel" filter_genes in.h5ad -o a.h5ad --threads 1
    gives 0 "$vel" filter_genes in.h5ad -o b.h5ad --threads 2
    same a.h5ad b.h5ad
}

claim_a_dry_run_tells_and_writes_nothing() {
    needs pca neighbors moments
    toy
    gives 0 "$vel" run preprocess in.h5ad --dry-run
    prints 'filter_genes'
    prints 'layers/Ms'
    prints 'memory: about'
    gives 0 "$vel" run preprocess in.h5ad --dry-run --json
    prints '^{"event":"plan",'
    prints '^{"event":"done","exit":0,"output":null,'
    alone in.h5ad
}

# Of a tiny file the room for errors is most: what is expected is what is allowed at least.
claim_a_dry_run_expects_no_less_than_its_least() {
    needs filter_genes
    toy
    gives 0 "$vel" filter_genes in.h5ad -o out.h5ad --dry-run
    prints 'memory: about \([0-9.]* MB\) at most .* at least \1 with a scratch file'
}

claim_too_little_memory_is_refused_before_the_work() {
    toy
    gives 5 "$vel" filter_genes in.h5ad -o out.h5ad --max-memory 1M
    says 'max-memory'
    alone in.h5ad
    gives 0 "$vel" filter_genes in.h5ad -o out.h5ad --max-memory 8G
}

claim_no_memory_is_told_and_nothing_written() {
    # OpenBLAS cannot even load in less; a sanitizer needs more than any limit.
    (ulimit -v 500000 && exec timeout 20 "$vel" --version) >out 2>&1 || exit 77
    gives 5 sh -c "ulimit -v 500000; exec '$vel' simulate -o out.h5ad --n_obs 100000 --n_vars 1000"
    says 'out of memory'
    alone
}

claim_short_memory_spills_and_changes_no_byte() {
    needs pca neighbors moments
    gives 0 "$vel" simulate -o in.h5ad --n_obs 5000 --n_vars 600
    recipe='filter_genes | normalize_per_cell | neighbors | moments'
    gives 0 "$vel" run "$recipe" in.h5ad -o whole.h5ad --threads 1
    gives 0 "$vel" run "$recipe" in.h5ad --dry-run --threads 1 --json
    least=$(sed -n 's/.*"least_bytes":\([0-9]*\).*/\1/p' out)
    gives 0 "$vel" run "$recipe" in.h5ad -o spilled.h5ad --threads 1 --max-memory "$least"
    says 'plan: filter_genes | normalize_per_cell | neighbors | moments; memory: about'
    says 'layers go to a scratch file'
    same whole.h5ad spilled.h5ad
    gives 0 "$vel" run "$recipe" in.h5ad -o packed.h5ad --threads 2 --compression gzip
    gives 0 "$vel" run "$recipe" in.h5ad --dry-run --threads 1 --compression gzip --json
    least=$(sed -n 's/.*"least_bytes":\([0-9]*\).*/\1/p' out)
    gives 0 "$vel" run "$recipe" in.h5ad -o spilled.h5ad --threads 1 --compression gzip --max-memory "$least"
    says 'layers go to a scratch file'
    same packed.h5ad spilled.h5ad
    alone in.h5ad packed.h5ad spilled.h5ad whole.h5ad
}

claim_outputs_are_compressed_on_request() {
    gives 0 "$vel" simulate -o plain.h5ad --n_obs 300 --n_vars 50
    for how in gzip 'gzip --compression-opts 9' lzf; do
        gives 0 "$vel" simulate -o packed.h5ad --n_obs 300 --n_vars 50 --compression $how --threads 1
        gives 0 "$vel" simulate -o again.h5ad --n_obs 300 --n_vars 50 --compression $how --threads 2
        same packed.h5ad again.h5ad
        readable packed.h5ad
        [ "$(wc -c <packed.h5ad)" -lt "$(wc -c <plain.h5ad)" ] || fail 'nothing was gained'
    done
    gives 2 "$vel" simulate -o out.h5ad --compression zstd
    says 'gzip, lzf or none, found zstd'
    gives 2 "$vel" simulate -o out.h5ad --compression gzip --compression-opts 10
    says '0 to 9'
    gives 2 "$vel" simulate -o out.h5ad --compression-opts 4
    says 'here none'
    alone again.h5ad packed.h5ad plain.h5ad
}

claim_terminating_leaves_the_files_as_they_were() {
    needs neighbors moments recover_dynamics
    toy
    cp in.h5ad before.h5ad
    gives 0 "$vel" run 'neighbors | moments' in.h5ad -o moments.h5ad
    cp moments.h5ad before_moments.h5ad
    for delay in 0.02 0.05 0.1 0.2; do
        "$vel" recover_dynamics moments.h5ad --max_iter 100000 --var_names all --threads 1 >out 2>err &
        pid=$!
        sleep $delay
        kill -TERM $pid 2>/dev/null
        wait $pid
        code=$?
        [ $code -eq 143 ] || [ $code -eq 0 ] || fail "exit $code after $delay s"
        [ $code -eq 0 ] && break
        same moments.h5ad before_moments.h5ad
        alone before.h5ad before_moments.h5ad in.h5ad moments.h5ad
    done
}

claim_only_the_genes_listed_are_kept() {
    toy
    printf 'gene3\n  gene5  \r\n\ngene3\nnosuch\n' >genes.txt
    gives 0 "$vel" filter_genes in.h5ad -o out.h5ad --genes genes.txt
    says 'nosuch'
    gives 0 "$vel" log1p out.h5ad --dry-run
    prints '120 cells x 2 genes'
    printf 'nosuch\n' >genes.txt
    gives 3 "$vel" filter_genes in.h5ad -o out.h5ad --genes genes.txt
    gives 3 "$vel" filter_genes in.h5ad -o out.h5ad --genes absent.txt
    says 'absent.txt'
}

claim_layers_may_have_other_names() {
    toy
    gives 3 "$vel" filter_genes in.h5ad -o out.h5ad --spliced mature
    says 'mature'
    gives 0 "$vel" filter_genes in.h5ad -o out.h5ad --spliced unspliced --unspliced spliced
}

claim_info_tells_shape_fields_and_recipe() {
    toy
    gives 0 "$vel" info in.h5ad
    prints '120'
    prints 'unspliced'
    gives 0 "$vel" filter_genes in.h5ad --min-shared-counts 5
    gives 0 "$vel" info in.h5ad
    prints 'min_shared_counts=5'
    gives 0 "$vel" info in.h5ad --json
    prints '"layers/spliced"'
    gives 3 "$vel" info none.h5ad
    gives 2 "$vel" info
}

# ---- what is said

claim_events_are_json_lines() {
    toy
    gives 0 "$vel" filter_genes in.h5ad -o out.h5ad --json --quiet
    silent
    prints '^{"event":"start",.*}$'
    prints '^{"event":"step","step":"filter_genes",.*"state":"end".*}$'
    prints '^{"event":"done","exit":0,.*}$'
    gives 3 "$vel" filter_genes none.h5ad -o out.h5ad --json
    prints '^{"event":"error","exit":3,"error":"E[A-Z]*","message":".*none.h5ad.*"}$'
    for wrong in '--json --vkey' '--threads two --json' '--foo 3 --json'; do
        # shellcheck disable=SC2086 # words
        gives 2 "$vel" velocity in.h5ad $wrong
        prints '^{"event":"error","exit":2,"error":"EUSAGE","message":".*"}$'
    done
}

claim_each_gene_is_told_and_no_fit_is_a_no() {
    needs moments recover_dynamics
    toy
    gives 0 "$vel" run 'moments | recover_dynamics var_names=all' in.h5ad -o out.h5ad --json
    prints '^{"event":"genes","step":"recover_dynamics","genes":\[{"gene":"gene0","status":"[a-z ]*"}'
    says '[0-9]* of 24 genes fitted'
    toy silent.h5ad silent
    gives 1 "$vel" run 'moments | recover_dynamics var_names=all' silent.h5ad -o none.h5ad --json
    prints '^{"event":"genes","step":"recover_dynamics",'
    prints '^{"event":"error","exit":1,"error":"ENONE"'
    says 'no gene could be fitted'
    alone in.h5ad out.h5ad silent.h5ad
}

claim_nothing_is_on_stdout_unless_asked() {
    toy
    gives 0 "$vel" filter_genes in.h5ad -o out.h5ad
    [ ! -s out ] || fail 'stdout is not empty'
    gives 0 "$vel" filter_genes in.h5ad -o out.h5ad --quiet
    silent
}

claim_what_is_no_file_on_a_disk_is_refused_at_once() {
    mkfifo pipe.h5ad
    gives 3 "$vel" filter_genes pipe.h5ad -o out.h5ad
    says 'pipe.h5ad cannot be opened as HDF5 (no regular file)'
    gives 3 "$vel" info /dev/zero
    toy
    gives 3 "$vel" filter_genes in.h5ad -o out.h5ad --genes /dev/zero
    says '/dev/zero is no text'
    gives 2 "$vel" filter_genes in.h5ad -o ''
    gives 2 "$vel" filter_genes in.h5ad -o -
    says 'HDF5 needs files'
    gives 2 "$vel" run filter_genes - -o out.h5ad
    says 'HDF5 needs files'
    alone in.h5ad pipe.h5ad
}

claim_an_option_that_names_a_field_takes_no_path() {
    needs normalize_per_cell
    toy
    for name in '' . .. _index a/b ../../x; do
        gives 2 "$vel" normalize_per_cell in.h5ad -o out.h5ad --key-n-counts="$name"
        says 'option key_n_counts takes the name of a field'
    done
    alone in.h5ad
}

claim_a_fault_of_the_data_is_said_once() {
    needs filter_genes normalize_per_cell log1p
    toy in.h5ad odd
    gives 0 "$vel" run 'filter_genes | normalize_per_cell | log1p' in.h5ad -o out.h5ad
    [ "$(grep -c 'negative values, which are no counts' err)" -eq 1 ] || fail 'not said once'
    says '2 cells of in.h5ad share their names (cell0)'
    says '2 genes of in.h5ad share their names (gene0)'
    says 'X has values that are no numbers in 1 genes, which are taken out (nan for gene gene3'
}

claim_the_record_names_the_recipe() {
    toy
    gives 0 "$vel" filter_genes in.h5ad -o out.h5ad --min-shared-counts 5
    grep -aq 'filter_genes .*min_shared_counts=5' out.h5ad || fail 'no recipe in out.h5ad'
}

"claim_$claim"
