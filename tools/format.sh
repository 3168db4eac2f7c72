#!/bin/sh
# format.sh: formats every C source as .clang-format says. format.sh --check [CLANG-FORMAT]: only names what is not.
set -eu
cd "$(dirname "$0")/.."
mode=-i
if [ "${1:-}" = --check ]; then
    mode='--dry-run --Werror'
    shift
fi
# shellcheck disable=SC2086 # mode is a list of words
find core io pipelines verify bench vendor tests -name '*.[ch]' -print0 2>/dev/null |
    xargs -0 "${1:-clang-format}" $mode
