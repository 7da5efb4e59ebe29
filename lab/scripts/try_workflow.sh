#!/usr/bin/env bash
# Tries the Snakefile on this machine, in a temporary directory: jobs are killed 40 times and the
# workflow itself 10 times, and the levels must have the bytes of a single build. Then a directory
# with one chunk missing, damaged, cut off and doubled must be refused.
#
#   lab/scripts/try_workflow.sh [CARDS [CHUNKS [PROGRAM]]]      16 cards, 40 chunks,
#                                                               target/release/setrograde
# Needs Snakemake 8 or later (pip install snakemake); SNAKEMAKE names the command.
set -euo pipefail
cards=${1:-16}
chunks=${2:-40}
program=$(readlink -f "${3:-target/release/setrograde}")
here=$(dirname "$(readlink -f "$0")")/../../scripts/workflow
level=level-$(printf %02d "$cards")
snakemake=${SNAKEMAKE:-snakemake}
root=$(mktemp -d)
fail() { echo "FAILED: $*; all is left in $root" >&2; exit 1; }

"$program" build --cards "$cards" --db "$root/single" --quiet >/dev/null
mkdir "$root/work"
cd "$root/work"
workflow() {
    # shellcheck disable=SC2086 # may be several words
    $snakemake --snakefile "$here/Snakefile" --cores 2 --rerun-incomplete \
        --config cards="$cards" chunks="$chunks" program="$program" "$@"
}
is_done() { [ -e db/verified ]; }
jobs_killed=0
workflow_killed=0
while ! is_done; do
    setsid bash -c "$(declare -f workflow); snakemake='$snakemake' here='$here' cards=$cards chunks=$chunks \
        program='$program'; workflow --unlock; workflow" >>log 2>&1 &
    run=$!
    until is_done || ! kill -0 "$run" 2>/dev/null; do
        sleep "0.$((RANDOM % 9 + 1))"
        if [ "$jobs_killed" -lt 40 ] && job=$(pgrep -f "^$program (build|db seal).*" | shuf -n 1) &&
            [ -n "$job" ] && kill "-$( ((RANDOM % 2)) && echo KILL || echo TERM)" "$job" 2>/dev/null; then
            jobs_killed=$((jobs_killed + 1))
        fi
        if [ "$workflow_killed" -lt 10 ] && [ "$jobs_killed" -ge $((4 * workflow_killed + 4)) ]; then
            kill -KILL -- "-$run" 2>/dev/null || true
            workflow_killed=$((workflow_killed + 1))
        fi
    done
    wait "$run" 2>/dev/null || true
done
echo "killed $jobs_killed jobs, and the workflow $workflow_killed times"
for file in "$root/single/"*.sdb; do
    cmp "$file" "db/$(basename "$file")" || fail "the bytes differ"
done

mkdir "$root/refused"
cp "$root/single/level-$(printf %02d $((cards - 4))).sdb" "$root/refused/"
sealed() { "$program" db seal --cards "$cards" --db "$root/refused" --from "chunks/$level" 2>"$root/message"; }
refused() {
    ! sealed || fail "$1: it was sealed"
    grep -q "$2" "$root/message" || fail "$1: $(cat "$root/message")"
    echo "$1: $(cut -c1-150 "$root/message")"
}
chunk=chunks/$level/2-of-$chunks.chunk
[ -e "$chunk" ] || fail "no $chunk"
cp "$chunk" "$root/sound.chunk"
rm "$chunk"
refused "a missing chunk" "missing chunks: 2/$chunks"
python3 - "$root/sound.chunk" "$chunk" <<'PYTHON'
import random, sys
bytes_ = bytearray(open(sys.argv[1], "rb").read())
bytes_[random.randrange(len(bytes_))] ^= 1 << random.randrange(8)
open(sys.argv[2], "wb").write(bytes_)
PYTHON
refused "a flipped bit" "2-of-$chunks.chunk"
head -c 1000 "$root/sound.chunk" >"$chunk"
refused "a chunk cut off" "2-of-$chunks.chunk: its end is missing"
cp "chunks/$level/3-of-$chunks.chunk" "$chunk"
refused "a chunk twice" "chunk 3/$chunks is in"
cp "$root/sound.chunk" "$chunk"
sealed || fail "the sound chunks: $(cat "$root/message")"
cmp "$root/single/$level.sdb" "$root/refused/$level.sdb" || fail "the bytes differ"
rm -rf "$root"
echo "all as it should be"
