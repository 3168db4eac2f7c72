#!/bin/sh
# installed.sh CMAKE BUILD SOURCE CC FLAGS: installs the build into a folder of its own, builds the example against it
# by pkg-config, shared and static, and runs it.
set -eu
cmake=$1 build=$2 source=$3 cc=$4 flags=$5
folder=$(mktemp -d "${TMPDIR:-/tmp}/vel-library.XXXXXX")
trap 'rm -rf "$folder"' EXIT
"$cmake" --install "$build" --prefix "$folder/usr" >"$folder/log" || { cat "$folder/log"; exit 1; }

# The files were configured for another prefix: they tell the real one from where they lie.
pc=$(dirname "$(find "$folder/usr" -name vel.pc)")
export PKG_CONFIG_PATH="$pc"
cd "$folder"

# shellcheck disable=SC2046,SC2086 # flags are lists of words
$cc -std=c17 -Wall -Wextra -Wpedantic -Werror $flags "$source/tests/library/example.c" -o shared \
    $(pkg-config --cflags --libs vel-io)
LD_LIBRARY_PATH=$(dirname "$pc") ./shared shared.h5ad
"$folder/usr/bin/vel" log1p shared.h5ad -o logged.h5ad --quiet

# The header is C++ too.
if command -v c++ >/dev/null; then
    # shellcheck disable=SC2046,SC2086
    echo '#include <vel.h>' | c++ -std=c++17 -Wall -Wextra -Werror $(pkg-config --cflags vel-io) -fsyntax-only -x c++ -
fi

libraries=$(pkg-config --static --libs vel-io | sed 's/-lvel-io/-l:libvel-io.a/; s/-lvel /-l:libvel.a /')
# shellcheck disable=SC2046,SC2086
$cc -std=c17 $flags $(pkg-config --cflags vel-io) "$source/tests/library/example.c" -o static $libraries
./static static.h5ad
cmp shared.h5ad static.h5ad

# A locale with a comma in its numbers changes nothing, where there is one to be made.
if localedef -i de_DE -f UTF-8 "$folder/de_DE.UTF-8" 2>/dev/null; then
    LOCPATH=$folder LC_ALL=de_DE.UTF-8 ./static comma.h5ad
    cmp static.h5ad comma.h5ad
fi
