#!/usr/bin/env bash
# How a level gains from more threads: builds the level of CARDS cards with 1, 2,
# 4, … threads and all cores, and prints wall time, CPU time, speed-up, the part
# of the wall time in which the level is put together (what threads do not
# shorten), and the level's content, which must not change.
#
#   lab/scripts/scaling.sh [CARDS [PROGRAM]]      16 cards, target/release/setrograde
set -euo pipefail
cards=${1:-16}
program=${2:-target/release/setrograde}
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
mkdir "$directory/below"
if [ "$cards" -gt 4 ]; then
    "$program" build --cards $((cards - 4)) --db "$directory/below" >/dev/null 2>&1
fi
printf '%8s %10s %10s %9s %9s  %s\n' threads 'wall s' 'CPU s' speed-up 'serial %' content
one=''
cores=$(nproc)
for threads in $(for ((n = 1; n < cores; n *= 2)); do echo "$n"; done) "$cores"; do
    rm -rf "$directory/db"
    cp -r "$directory/below" "$directory/db"
    start=$(date +%s.%N)
    "$program" build --cards "$cards" --db "$directory/db" --threads "$threads" --json \
        >"$directory/json" 2>"$directory/log" || { cat "$directory/log" >&2; exit 1; }
    wall=$(echo "$(date +%s.%N) $start" | awk '{ print $1 - $2 }')
    one=${one:-$wall}
    # The last value of a field is that of the level built last.
    last() { grep -o "\"$1\":\"\?[0-9a-f.e-]*" "$directory/json" | tail -1 | sed 's/.*[:"]//'; }
    awk -v threads="$threads" -v wall="$wall" -v one="$one" -v cpu="$(last cpu_seconds)" \
        -v serial="$(last sealing_seconds)" -v content="$(last content)" 'BEGIN {
            printf "%8d %10.2f %10.2f %9.2f %9.1f  %s\n",
                threads, wall, cpu, one / wall, 100 * serial / wall, content
        }'
done
