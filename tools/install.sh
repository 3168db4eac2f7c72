#!/bin/sh
# install.sh [PACKAGE …]: installs the Debian packages of tools/debian-packages.txt, and those named, that are missing:
# as root, or through sudo. Does nothing, and asks for nothing, when all are there.
set -eu
list=$(dirname "$0")/debian-packages.txt
missing=
for package in $(sed 's/#.*//' "$list") "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    root=
elif command -v sudo >/dev/null; then
    root=sudo
else
    echo "missing Debian packages:$missing" >&2
    echo "run as root, or install them yourself: apt-get install$missing" >&2
    exit 1
fi
echo "installing:$missing"
# shellcheck disable=SC2086 # both are lists of words
$root env DEBIAN_FRONTEND=noninteractive sh -c '
    apt-get update -q
    apt-get install -q -y --no-install-recommends "$@"' install $missing
