#!/bin/sh
# against_rivals.sh VELBENCH VELCMP: the quick benches on a hundredth of their cells against both rivals, and the steps,
# whole processes and files against scVelo, in the reference's environment (tools/reference.sh), with parity checked on every row; before that, that a fixture is scVelo's.
# Where PyPI cannot be reached the test is skipped (exit code 77), but not in continuous integration.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
velcmp=$2
venv=${VEL_REFERENCE_VENV:-$root/.venv}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

skip() {
    echo "skipped: $1"
    [ -z "${CI:-}" ] || exit 1
    exit 77
}

[ -x "$venv/bin/python" ] || skip "the reference is not there: $venv"
"$venv/bin/python" -c 'import importlib.metadata as m; m.version("scvelo-rs")' 2>/dev/null ||
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps \
        --requirement "$root/bench/rivals/requirements.txt" || skip "scvelo-rs cannot be had"

# a fixture of our own steps is what the same calls of scVelo make
for shape in "300 30 29" "400 80 30"; do
    set -- "$1" $shape
    recipe="simulate n_obs=$2 n_vars=$3 random_seed=0 | filter_and_normalize min_shared_counts=5 | log1p |
        moments n_pcs=$4 n_neighbors=30 dtype=float64"
    "$1" worker --op "$recipe" --untimed --result "$folder/ours.h5ad"
    "$venv/bin/python" -W ignore "$root/bench/rivals/scvelo_driver.py" --op "$recipe" --untimed \
        --result "$folder/theirs.h5ad"
    "$velcmp" "$folder/theirs.h5ad" "$folder/ours.h5ad"
done

export VELBENCH_PYTHON="$venv/bin/python" VELBENCH_RIVALS="$root/bench/rivals" XDG_CACHE_HOME="$folder/cache"

# check VELBENCH SET GLOB RIVALS: every bench was checked and passed, and nothing failed
check() {
    table=$folder/out/benchmark_table.md
    "$1" "$2" --only "$3" --rivals "$4" --scale 0.01 --out "$folder/out" || { status=$?; cat "$table"; exit $status; }
    for bench in $("$1" "$2" --only "$3" --list | cut -d' ' -f1); do
        grep -q "| $bench .* PASS " "$table" || { echo "$bench was not checked"; exit 1; }
    done
    if grep -qE 'SKIPPED|FAILED|CRASH|OOM|TIMEOUT|FIXTURE|OTHER BYTES' "$table"; then exit 1; fi
}
check "$1" --quick '*' scvelo,scvelo-rs
check "$1" --steps 'step_*' scvelo
check "$1" --steps 'whole_[!c]*' scvelo # all but the fit of 2,000 genes
check "$1" --steps 'io_*' scvelo
