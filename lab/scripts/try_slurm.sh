#!/usr/bin/env bash
# Tries submit.sh on a real Slurm that lives in a temporary directory: one controller and two nodes
# of one processor each, all on this machine. Jobs are cancelled, killed, queued again and warned
# that their time is over, and a node is lost on the way; the levels must have the same bytes as
# those of a single process. Debian has everything that it needs:
#
#   apt-get install slurmctld slurmd slurm-client munge
#
#   lab/scripts/try_slurm.sh [CARDS [CHUNKS [PROGRAM]]]
#                     16 cards or more, 8 chunks, target/release/setrograde
set -euo pipefail
cards=${1:-16}
chunks=${2:-8}
program=$(readlink -f "${3:-target/release/setrograde}")
here=$(dirname "$(readlink -f "$0")")/../../scripts/slurm
level=level-$(printf %02d "$cards")
root=$(mktemp -d)
db=$root/db
port=${TRY_PORT:-17817}
export SLURM_CONF=$root/slurm.conf

say() { echo "$(date +%T) $*"; }
fail() { say "FAILED: $*; all is left in $root" >&2; exit 1; }
# within SECONDS COMMAND …: waits until the command succeeds.
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || fail "gave up waiting for: $*"
        sleep 0.2
    done
}

start_slurm() {
    local user
    user=$(id -un)
    chmod 755 "$root"
    mkdir "$root/log" "$root/state" "$root/n1" "$root/n2"
    head -c 1024 /dev/urandom >"$root/munge.key"
    chmod 400 "$root/munge.key"
    # Half a minute until a lost node is noticed, and some seconds instead of two
    # minutes until a job that was queued again may start (cred_expire).
    cat >"$SLURM_CONF" <<CONF
ClusterName=trial
SlurmctldHost=localhost
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$root/munge.socket,cred_expire=5
StateSaveLocation=$root/state
SlurmdSpoolDir=$root/%n
SlurmctldPidFile=$root/slurmctld.pid
SlurmdPidFile=$root/%n.pid
SlurmctldLogFile=$root/log/slurmctld
SlurmdLogFile=$root/log/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$root/log/jobs
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
JobRequeue=1
ReturnToService=2
SlurmdTimeout=30
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=localhost Port=$((port + 1)) CPUs=1 RealMemory=1024
NodeName=n2 NodeHostname=localhost Port=$((port + 2)) CPUs=1 RealMemory=1024
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
    munged --key-file="$root/munge.key" --socket="$root/munge.socket" \
        --pid-file="$root/munged.pid" --log-file="$root/log/munged" --seed-file="$root/munge.seed"
    slurmctld -c
    start_node n1
    start_node n2
    within 60 nodes_are idle idle
}
# A node with its own host name, where the system allows that (root).
start_node() {
    unshare --uts sh -c "hostname $1 && exec slurmd -N $1" 2>/dev/null || slurmd -N "$1"
}
nodes_are() { [ "$(sinfo --noheader --Node --format=%t | tr '\n' ' ')" = "$* " ]; }
stop_slurm() {
    local pids end=$((SECONDS + 60))
    # A job that is left would continue, and ask for its Slurm for ever.
    until queue_is_empty || [ "$SECONDS" -ge "$end" ]; do
        scancel --user="$(id -un)" || break
        sleep 1
    done
    pids=$(cat "$root/"*.pid 2>/dev/null) || true
    # shellcheck disable=SC2086 # one word for each process
    kill $pids 2>/dev/null || true
    for pid in $pids; do
        while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
    done
}
trap stop_slurm EXIT

submit() {
    "$here/submit.sh" --cards "$cards" --db "$db" --chunks "$chunks" --program "$program" --time 30 "$@"
}
queue_is_empty() { squeue --noheader | awk 'END { exit NR > 0 }'; }
# Tasks of the level's array that run, as in 22_3.
running() { squeue --noheader --states=RUNNING --name="$level" --format=%i; }
# at_work TASK BYTES: whether the task's command runs and has written so much.
at_work() {
    worker=$(pgrep -fx "$program build --cards $cards --db $db --chunk ${1#*_}/$chunks.*") &&
        [ "$(stat --format=%s "$db/$level.work/chunk-${1#*_}-of-$chunks".* | sort -n | tail -n 1)" -gt "$2" ]
}
# pick BYTES: such a task, in `task`, and its process, in `worker`.
pick() {
    for task in $(running); do
        ! at_work "$task" "$1" 2>/dev/null || return 0
    done
    return 1
}
parent() { ps -o ppid= "$1" | tr -d ' '; }
starts() { grep -c ' start ' "$db/logs/$level-$1.out"; }

say "$(slurmctld -V), $("$program" --version), $cards cards in $chunks chunks on two nodes"
start_slurm
say "a single process"
"$program" build --cards "$cards" --db "$root/single" --threads 1 >/dev/null 2>&1

say "1. a killed task that may not start again, and the others cancelled"
SETROGRADE_RESTARTS=0 submit
within 300 pick 100000
kill -KILL "$worker"
say "killed the command of task $task"
within 60 grep -q 'given up' "$db/logs/$level-$task.out"
scancel --name="$level"
within 120 queue_is_empty
tail -n 3 "$db/logs/$level-seal-"*.out
grep -q 'missing chunks: ' "$db/logs/$level-seal-"*.out || fail "sealing did not say what is missing"
[ ! -e "$db/$level.sdb" ] || fail "the level was sealed all the same"
compgen -G "$db/logs/verify-*" >/dev/null && fail "the last check ran without the level"

say "2. the same command again, with a share of a node in place of a whole one"
submit --threads 1 --memory 1G
within 300 pick 300000
killed=$task
kill -KILL "$worker"
say "killed the command of task $killed"
within 300 pick 300000
requeued=$task
scontrol requeue "$requeued"
say "queued task $requeued again while it ran"
within 300 pick 300000
out_of_time=$task
kill -USR1 "$(parent "$worker")"
say "warned task $out_of_time that its time is over, as Slurm does before the limit"
on_n2() { pick 300000 && [ "$(squeue --noheader --jobs="$task" --format=%N)" = n2 ]; }
within 300 on_n2
lost=$task
script=$(parent "$worker")
kill -KILL "$(<"$root/n2.pid")" "$(parent "$script")" "$script" "$worker"
rm "$root/n2.pid"
say "lost node n2 with task $lost"
started_on_n1() { grep -q 'n1: start 2' "$db/logs/$level-$lost.out"; }
within 600 started_on_n1
say "task $lost continues on node n1"
start_node n2
within 600 queue_is_empty
for task in "$killed" "$requeued" "$out_of_time" "$lost"; do
    grep -E ' start |finished before|exit status|queued' "$db/logs/$level-$task.out"
    [ "$(starts "$task")" -ge 2 ] || fail "task $task was not started again"
done
for file in "$root/single/"*.sdb; do
    cmp "$file" "$db/$(basename "$file")" || fail "the bytes differ"
done
tail -n 3 "$db/logs/verify-"*.out
grep -q 'exit status 0' "$db/logs/verify-"*.out || fail "the last check found faults"
say "$(sha256sum <"$db/$level.sdb" | cut -c1-16)… $level.sdb: the same bytes as a single process's"
stop_slurm
trap - EXIT
rm -rf "$root"
