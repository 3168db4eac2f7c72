#!/bin/sh
# against_rivals.sh VELBENCH: the quick benches on a hundredth of their cells against both rivals, in the reference's environment
# (tools/reference.sh). Parity is checked on every row. Where PyPI cannot be reached the test is skipped (exit code 77), but
# not in continuous integration.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
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
VELBENCH_PYTHON=$venv/bin/python VELBENCH_RIVALS=$root/bench/rivals XDG_CACHE_HOME=$folder/cache \
    "$1" --quick --scale 0.01 --repeat 1 --out "$folder/out" || { status=$?; cat "$folder/out/benchmark_table.md"; exit $status; }
for bench in $("$1" --quick --list | cut -d' ' -f1); do
    grep -q "| $bench .* PASS " "$folder/out/benchmark_table.md" || { echo "$bench was not checked"; exit 1; }
done
if grep -qE 'SKIPPED|FAILED|CRASH|OOM|TIMEOUT|FIXTURE' "$folder/out/benchmark_table.md"; then exit 1; fi
