#!/usr/bin/env bash
# Runs the C programs of crates/probe/tests/c with libsetrograde under tools that watch memory and
# threads.
#
#   AddressSanitizer and UndefinedBehaviorSanitizer, ThreadSanitizer   8 threads on one database,
#       in the C code and in all memory that the library allocates
#   valgrind   damaged positions and maps, every access of the library
#
#   lab/scripts/probe_sanitizers.sh DB [POSITIONS MAPS]
#
# DB has the mapped levels. With POSITIONS and MAPS (10000000 100000) that many are tried without a
# tool, too. A tool that this machine lacks is skipped with a line.
set -euo pipefail
db=$(realpath "${1:?DB is missing}")
cd "$(dirname "$0")/../.."
cargo build --profile c-library --locked -p setrograde-probe
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "${CARGO_TARGET_DIR:-target}/c-library/libsetrograde.so" "$work/libsetrograde.so.1"
ln -s libsetrograde.so.1 "$work/libsetrograde.so"
build() {
    local program=$1 name=$2
    shift 2
    cc -std=gnu11 -g -O1 "$@" -Icrates/probe/include "crates/probe/tests/c/$program.c" -o "$work/$name" \
        -L"$work" -lsetrograde "-Wl,-rpath,$work" -lpthread
}
build threads address -fsanitize=address,undefined -fno-sanitize-recover=undefined
"$work/address" "$db"
build threads thread -fsanitize=thread
"$work/thread" "$db"
build damaged damaged
if command -v valgrind >/dev/null; then
    valgrind --quiet --error-exitcode=9 --leak-check=full "$work/damaged" data/golden 20000 300
else
    echo "valgrind: skipped, it is not installed"
fi
[ -z "${3:-}" ] || "$work/damaged" "$db" "$2" "$3"
echo "libsetrograde: no error found"
