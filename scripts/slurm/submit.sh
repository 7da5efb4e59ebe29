#!/usr/bin/env bash
# Builds a database on a Slurm cluster: for each missing level an array of jobs, one for each chunk,
# and a job that seals the level; at the end a job that verifies the database. Run it again after a
# failure: finished levels are not submitted, and chunks that are there end at once. See
# docs/cluster.md.
set -euo pipefail

usage() {
    cat <<'USAGE'
Usage: submit.sh --cards N --db DIR --chunks K [OPTION …] [-- SBATCH_OPTION …]

  --cards N            the most cards left in an ending: a multiple of 4
  --db DIR             the database's directory, where all nodes see it
  --chunks K           jobs for the level of N cards; levels below get fewer
  --threads T          threads of a job [default: a whole node and all its cores]
  --memory SIZE        memory of a job, as in 8G [default: the node's]
  --time LIMIT         time limit of a job, as for sbatch: 4:00:00
  --verify-time LIMIT  time limit of the last check, which starts from nothing
                       when it is cut short
  --program FILE       [default: setrograde, as found on the path]

Options after -- go to every sbatch: submit.sh … -- --partition=long --nice
USAGE
}
fail() { echo "submit.sh: $*" >&2; exit 1; }

cards='' db='' chunks='' program=setrograde
share=(--exclusive --mem=0) memory=() threads=() limits=() time=() verify_time=()
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage; exit ;;
        --) shift; break ;;
        --*) [ $# -ge 2 ] || fail "$1 needs a value; see --help" ;;
    esac
    case $1 in
        --cards) cards=$2 ;;
        --db) db=$2 ;;
        --chunks) chunks=$2 ;;
        --threads) share=(--cpus-per-task="$2") threads=(--threads "$2") ;;
        --memory) memory=(--mem="$2") limits=(--memory "$2") ;;
        --time) time=(--time="$2") ;;
        --verify-time) verify_time=(--time="$2") ;;
        --program) program=$2 ;;
        *) fail "unknown option '$1'; see --help" ;;
    esac
    shift 2
done
if [ -z "$cards" ] || [ -z "$db" ] || [ -z "$chunks" ]; then
    usage >&2
    exit 2
fi
options=("${share[@]}" "${memory[@]}" "$@")
found=$(command -v "$program") || fail "no program '$program'; name it with --program"
program=$(readlink -f "$found")
"$program" db chunks --cards "$cards" --chunks "$chunks" >/dev/null
most=$(scontrol show config | awk '$1 == "MaxArraySize" { print $3 - 1 }')
[ "$chunks" -le "$most" ] || fail "this Slurm's arrays have $most jobs at most (MaxArraySize)"
mkdir -p "$db/logs"
db=$(readlink -f "$db")
task=$(dirname "$(readlink -f "$0")")/task.sbatch

comment="setrograde $db"
queued=$(squeue --noheader --user="$(id -un)" --format='%F %k' | awk -v comment="$comment" \
    '{ id = $1; sub(/^[^ ]* /, "") } $0 == comment { print id }' | sort -un | tr '\n' ' ')
[ -z "$queued" ] || fail "this database has jobs in the queue; wait, or end them by: scancel $queued"

# submit NAME SBATCH_OPTION … -- ARGUMENT …
# A job that runs the program; prints the job's number.
submit() {
    local name=$1 own=()
    shift
    while [ "$1" != -- ]; do own+=("$1"); shift; done
    shift
    sbatch --parsable --job-name="$name" --comment="$comment" --kill-on-invalid-dep=yes \
        "${options[@]}" "${own[@]}" "$task" "$program" "$@" | cut -d';' -f1
}

# A level costs some 70 times the one below: with a 64th of the chunks, all jobs
# are of about one size.
declare -A share_of
for ((level = cards; level > 0; level -= 4)); do
    share_of[$level]=$chunks
    chunks=$(((chunks + 63) / 64))
done

below=
for ((level = 4; level <= cards; level += 4)); do
    name=level-$(printf %02d "$level")
    # The work directory goes last: with it, the level may lack its manifest entry.
    [ ! -e "$db/$name.sdb" ] || [ -e "$db/$name.work" ] || continue
    of=${share_of[$level]}
    array=$(submit "$name" "${time[@]}" --array="1-$of" --dependency="$below" \
        --output="$db/logs/$name-%A_%a.out" -- \
        build --cards "$level" --db "$db" --chunk "{}/$of" "${threads[@]}" "${limits[@]}")
    # After any end of the chunks: `seal` says which ones are missing.
    seal=$(submit "$name-seal" "${time[@]}" --dependency="afterany:$array${below:+,$below}" \
        --output="$db/logs/$name-seal-%j.out" -- db seal --cards "$level" --db "$db" "${threads[@]}")
    below=afterok:$seal
    echo "level of $level cards: jobs ${array}_1 to ${array}_$of, sealed by job $seal"
done
verify=$(SETROGRADE_RESTARTS=0 submit verify "${verify_time[@]}" --dependency="$below" \
    --output="$db/logs/verify-%j.out" -- db verify --db "$db" "${threads[@]}")
echo "last check: job $verify"
echo "messages: $db/logs"
