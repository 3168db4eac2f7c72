#!/bin/sh
# reference.sh [DIR]: the pinned reference (tools/reference-requirements.txt) in a virtual environment at DIR (default:
# .venv at the root of the project). Does nothing when it is there already. PYTHON names the interpreter to use.
#
# Exit code 0: it is there; 75: the packages cannot be had now (no network?); else what went wrong.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
venv=${1:-$root/.venv}
wanted=$root/tools/reference-requirements.txt
made=$venv/reference-requirements.txt

if [ -x "$venv/bin/python" ] && cmp -s "$wanted" "$made"; then
    exit 0
fi
python=${PYTHON:-}
for candidate in python3.11 python3; do
    [ -n "$python" ] || python=$(command -v $candidate || true)
done
[ -n "$python" ] || { echo "no python3 here" >&2; exit 75; }

"$python" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --prefer-binary --requirement "$wanted" || exit 75
cp "$wanted" "$made"
echo "the reference is ready: $venv/bin/python"
