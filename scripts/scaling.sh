#!/usr/bin/env bash
# How a build gains from more threads: builds the database of CARDS cards from
# nothing with 1, 2, 4, … threads and prints wall time, CPU time and speed-up.
#
#   scripts/scaling.sh [CARDS [PROGRAM]]      16 cards, target/release/setrograde
set -euo pipefail
cards=${1:-16}
program=${2:-target/release/setrograde}
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
printf '%8s %10s %10s %9s %s\n' threads 'wall s' 'CPU s' speed-up content
threads=1
while [ "$threads" -le "$(nproc)" ]; do
    rm -rf "$directory/db"
    start=$(date +%s.%N)
    "$program" build --cards "$cards" --db "$directory/db" --threads "$threads" --json \
        >"$directory/json" 2>"$directory/log" || { cat "$directory/log" >&2; exit 1; }
    end=$(date +%s.%N)
    awk -v threads="$threads" -v wall="$(echo "$end $start" | awk '{print $1 - $2}')" -v one="${one:-}" '
        /"cpu_seconds"/ { gsub(/[^0-9.]/, "", $2); cpu += $2 }
        /"content"/ { gsub(/[",]/, "", $2); content = $2 }
        END { printf "%8d %10.2f %10.2f %9.2f %s\n", threads, wall, cpu, (one ? one : wall) / wall, content }
    ' "$directory/json"
    [ -n "${one:-}" ] || one=$(echo "$end $start" | awk '{print $1 - $2}')
    threads=$((threads * 2))
done
