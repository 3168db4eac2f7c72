#!/bin/sh
# program.sh VELBENCH: the program as a script meets it: exit codes and file effects.
set -u
velbench=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export XDG_CACHE_HOME="$folder/cache" VELBENCH_PYTHON=/nowhere/python
cd "$folder" || exit 1
failed=0

expect() {
    wanted=$1
    shift
    "$@" >out 2>err
    got=$?
    [ "$got" = "$wanted" ] && return
    echo "exit $got, not $wanted: $*"
    cat out err
    failed=1
}

same() {
    [ "$2" = "$3" ] || { echo "$1: $2, not $3"; failed=1; }
}

expect 0 "$velbench" --help
expect 0 "$velbench" -h
expect 0 "$velbench" --version
for words in --help --version --list "--list --json" "ladder --list" data rivals; do
    expect 4 sh -c "\"\$1\" $words >/dev/full" sh "$velbench"
done
for set in quick:7 long:13 extra-long:3 vendor-only:5; do
    expect 0 "$velbench" --${set%:*} --list
    same "--${set%:*} --list" "$(wc -l <out)" "${set#*:}"
done
expect 0 "$velbench" --list
same "the default" "$(wc -l <out)" 13
expect 2 "$velbench" --nonsense
expect 2 "$velbench" --quick --long
expect 2 "$velbench" --quick --only 'nothing*'
expect 2 "$velbench" --scale 7
expect 2 "$velbench" --rivals nobody
expect 4 "$velbench" --quick --rivals none --out /proc/none
expect 4 "$velbench" ladder --cells 60 --genes 40 --out /proc/none
expect 4 "$velbench" roofline --out /proc/none
expect 0 "$velbench" data
expect 0 "$velbench" rivals

# nothing is there to run on: skipped with a reason is no failure
expect 0 "$velbench" --vendor-only --rivals none --out skipped
grep -q SKIPPED skipped/benchmark_table.md || { echo "nothing skipped"; failed=1; }

# an A/A run, every output there
expect 0 "$velbench" --quick --only 'speed_recover*' --scale 0.02 --repeat 2 --rivals self --out aa
for file in benchmark_table.md benchmark_results.json benchmark_history.jsonl report.html; do
    [ -s "aa/$file" ] || { echo "no $file"; failed=1; }
done
same "left behind" "$(ls -A aa | wc -l)" 4
grep -q '"verdict": "\(more\|less\)"' aa/benchmark_results.json && { echo "a false verdict"; failed=1; }
expect 0 "$velbench" --quick --only 'speed_recover*' --scale 0.02 --rivals none --json --out events
grep -q '^{"event":"done"' out || { echo "no event at the end"; failed=1; }

# a parent that ignores the ends of its children leaves that to this one
expect 0 timeout -k 1 60 env --ignore-signal=CHLD "$velbench" --quick --only 'speed_recover*' --scale 0.02 --rivals none \
    --out orphan

# a ladder of two small rungs a side, every output there and nothing else
expect 0 "$velbench" ladder --list
expect 2 "$velbench" ladder --cells 3k,1k
expect 0 "$velbench" ladder --cells 60,120 --genes 40 --beside 60x40 --only 'm*' --out climbed
for file in ladder.json ladder.md ladder.svg; do
    [ -s "climbed/$file" ] || { echo "no $file"; failed=1; }
done
same "left behind by the ladder" "$(ls -A climbed | wc -l)" 3

# a run against itself has lost nothing
expect 0 "$velbench" compare aa/benchmark_results.json aa/benchmark_results.json --fail-on regression
expect 2 "$velbench" compare aa/benchmark_results.json
expect 3 "$velbench" compare aa/benchmark_results.json nowhere.json

# every bench of the steps on a hundredth of its cells; compressed files are h5py's
expect 0 "$velbench" --steps --scale 0.01 --rivals none --out steps
table=steps/benchmark_table.md
for bench in $("$velbench" --steps --list | cut -d' ' -f1); do
    figure='(ms|s|MB)'
    case $bench in io_read_gzip* | io_read_lzf) figure=SKIPPED ;; esac
    grep -qE "^\| $bench .* $figure \|" $table || { echo "$bench has no $figure"; failed=1; }
done
grep -qE 'FAILED|CRASH|OOM|TIMEOUT|FIXTURE|OTHER BYTES' $table && { cat $table; failed=1; }
same "writes weighed against the disk" "$(grep -c '^| io_write_.*plain write' $table)" "$(grep -c '^| io_write_' $table)"
grep -q ', same bytes' $table || { echo "the memory budget was not checked"; failed=1; }
grep -q 'compressed files are made by h5py.*rivals --setup' $table || { echo "what to do is not said"; failed=1; }

# the roofline's table of kernels; measuring is for an idle machine
expect 0 "$velbench" roofline --list
expect 2 "$velbench" roofline --only 'nothing*' --out roof

# our own run out of memory: a result of the row, and a bench that could not be measured
expect 3 "$velbench" --quick --only 'speed_recover*' --scale 0.02 --rivals none --mem-limit 3M --out oom
grep -q '| OOM |' oom/benchmark_table.md || { echo "no OOM"; failed=1; }

# Ctrl-C keeps what is finished
# (a shell lets its background jobs ignore SIGINT)
env --default-signal=INT "$velbench" --quick --scale 0.1 --repeat 5 --rivals none --out stopped >out 2>err &
runner=$!
for _ in $(seq 600); do
    grep -q '^\[1/7\]' err && break
    sleep 0.1
done
kill -INT $runner
wait $runner
same "interrupted" $? 130
grep -q '"interrupted": true' stopped/benchmark_results.json || { echo "not said to be interrupted"; failed=1; }
exit $failed
