#!/usr/bin/env bash
# Tries submit.sh on a real Slurm that lives in a temporary directory: one
# controller and two nodes of one processor each, all on this machine. Jobs are
# cancelled, killed and queued again, and a node is lost on the way; the levels
# must have the same bytes as those of a single process. Debian and Ubuntu have
# all that it needs: apt-get install slurmctld slurmd slurm-client munge
#
#   scripts/slurm/try.sh [CARDS [CHUNKS [PROGRAM]]]
#                                      16 cards, 8 chunks, target/release/setrograde
set -euo pipefail
cards=${1:-16}
chunks=${2:-8}
program=$(readlink -f "${3:-target/release/setrograde}")
here=$(dirname "$(readlink -f "$0")")
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
        [ "$SECONDS" -lt "$end" ] || fail "waited in vain for: $*"
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
NodeName=n1 NodeHostname=localhost Port=$((port + 1)) CPUs=1
NodeName=n2 NodeHostname=localhost Port=$((port + 2)) CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
CONF
    munged --key-file="$root/munge.key" --socket="$root/munge.socket" \
        --pid-file="$root/munged.pid" --log-file="$root/log/munged" --seed-file="$root/munge.seed"
    slurmctld -c
    slurmd -N n1
    slurmd -N n2
    within 60 nodes_are idle idle
}
nodes_are() { [ "$(sinfo --noheader --Node --format=%t | tr '\n' ' ')" = "$* " ]; }
stop_slurm() {
    [ ! -e "$root/slurmctld.pid" ] || scontrol shutdown || true
    [ ! -e "$root/munged.pid" ] || kill "$(<"$root/munged.pid")" || true
}
trap stop_slurm EXIT

submit() {
    "$here/submit.sh" --cards "$cards" --db "$db" --chunks "$chunks" --program "$program" --time 30
}
queue_is_empty() { [ -z "$(squeue --noheader)" ]; }
# Tasks of the level's array that run, as in 22_3.
running() { squeue --noheader --states=RUNNING --name="$level" --format=%i; }
# at_work TASK: whether the task's command runs and has finished a part.
at_work() {
    worker=$(pgrep -fx "$program build --cards $cards --db $db --chunk ${1#*_}/$chunks") &&
        [ "$(stat --format=%s "$db/$level.work/chunk-${1#*_}-of-$chunks".* | sort -n | tail -n 1)" -gt 4096 ]
}
# pick: a task that is at work, in `task`, and its process, in `worker`.
pick() {
    for task in $(running); do
        ! at_work "$task" 2>/dev/null || return 0
    done
    return 1
}
starts() { grep -c ' start ' "$db/logs/$level-$1.out"; }

say "$(slurmctld -V), $("$program" --version), $cards cards in $chunks chunks on two nodes"
start_slurm
say "a single process"
"$program" build --cards "$cards" --db "$root/single" --threads 1 >/dev/null 2>&1

say "1. a killed task that may not start again, and the others cancelled"
SETROGRADE_RESTARTS=0 submit
within 120 pick
kill -KILL "$worker"
say "killed the command of task $task"
within 60 grep -q 'given up' "$db/logs/$level-$task.out"
scancel --name="$level"
within 120 queue_is_empty
tail -n 3 "$db/logs/$level-seal-"*.out
grep -q 'missing: --chunk' "$db/logs/$level-seal-"*.out || fail "sealing did not say what is missing"
[ ! -e "$db/$level.sdb" ] || fail "the level was sealed all the same"
compgen -G "$db/logs/verify-*" >/dev/null && fail "the last check ran without the level"

say "2. the same command again"
submit
within 120 pick
killed=$task
kill -KILL "$worker"
say "killed the command of task $killed"
within 120 pick
requeued=$task
scontrol requeue "$requeued"
say "queued task $requeued again while it ran"
on_n2() { pick && [ "$(squeue --noheader --jobs="$task" --format=%N)" = n2 ]; }
within 120 on_n2
lost=$task
script=$(ps -o ppid= "$worker")
kill -KILL "$(<"$root/n2.pid")" "$(ps -o ppid= "$script" | tr -d ' ')" "$script" "$worker"
say "lost node n2 with task $lost"
back_in_queue() { [ "$(squeue --noheader --jobs="$lost" --format=%T)" != RUNNING ]; }
within 120 back_in_queue
slurmd -N n2
say "node n2 is back"
within 600 queue_is_empty
for task in "$killed" "$requeued" "$lost"; do
    say "task $task was started $(starts "$task") times"
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
