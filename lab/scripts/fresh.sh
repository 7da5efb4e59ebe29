#!/usr/bin/env bash
# The steps of README, as a new user follows them: an empty environment and a new home.
#
#   lab/scripts/fresh.sh                    the command, and libdds for C
#   lab/scripts/fresh.sh setrograde-*.whl   and the wheel: its examples, and endplay's with libdds
#
# Builds releases first, unless BUILT names a directory that has them. The wheel needs
# PyPI, for NumPy and endplay; PYTHON names the interpreter. The lines that it prints
# are the figures.
set -euo pipefail
wheel=${1:+$(realpath "$1")}
cd "$(dirname "$0")/../.."
root=$PWD
if [ -z "${BUILT:-}" ]; then
    cargo build --release --locked -p setrograde-cli -p setrograde-dds
    BUILT=$root/target/release
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/bin"
cp "$BUILT/setrograde" "$work/bin"
fresh() { (cd "$work/home" && env -i HOME="$work/home" PATH="$work/bin:$PATH" BUILT="$BUILT" "$@"); }
size() { printf '%-22s %9d bytes (at most %d)\n' "$1" "$2" "$3"; [ "$2" -le "$3" ]; }

size setrograde "$(wc -c <"$BUILT/setrograde")" 19000000
size libdds.so "$(wc -c <"$BUILT/libdds.so")" 2500000

# README's quick start.
fresh setrograde table 'N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76'
fresh setrograde db stats | grep 'In use: 12 cards inside the program'
fresh setrograde build >/dev/null 2>&1
fresh setrograde query --explain 'NT S N:AQ... 76... 54... K3...' | grep '♠A with North'
fresh setrograde db stats | grep 'In use: 16 cards in .*/.local/share/setrograde, the user.s own'
fresh setrograde db verify --endings 1000 | grep 'complete and correct'

# The example in C of docs/libdds.md.
if command -v cc >/dev/null && command -v pkg-config >/dev/null; then
    sed -n '/^PREFIX=/,/^```/p' docs/libdds.md | grep -v '```' |
        sed "s|scripts/|$root/scripts/|; s|docs/|$root/docs/|" >"$work/home/example.sh"
    fresh sh -e example.sh | grep -A 1 '^setrograde$'
else
    echo "skipped: the example in C (a compiler and pkg-config)"
fi

[ -n "$wheel" ] || exit 0
size wheel "$(wc -c <"$wheel")" 5000000
python=$work/venv/bin/python
"${PYTHON:-python3}" -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet "$wheel" endplay pytest
mkdir -p "$work/tried/python"
cp -r python/tests python/examples.md python/endplay.md "$work/tried/python"
fresh "$python" -m setrograde libdds
fresh "$python" -m setrograde libdds --endplay
fresh "$python" -m pytest -q "$work/tried/python/tests/test_examples.py" "$work/tried/python/tests/test_endplay.py" "$work/tried/python/tests/test_objects.py"
fresh "$python" -m setrograde libdds --endplay --back
