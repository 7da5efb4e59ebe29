#!/usr/bin/env bash
# How long a newcomer and a developer wait, in a fresh clone with an empty target folder.
#
#   lab/scripts/waits.sh [COMMIT]      all of it, some half an hour
#   PARTS="first test" lab/scripts/waits.sh
#
# Parts: first (README's first command, from nothing), test (all tests, from nothing), again (the tests
# of a crate after one changed line in crates/facade, then in crates/beliefs), ci (`.ci/run`, from nothing).
# Crates are downloaded before. Prints seconds of wall and of CPU for each; keep the machine quiet.
set -euo pipefail
cd "$(dirname "$0")/../.."
commit=$(git rev-parse "${1:-HEAD}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone -q . "$work/clone"
cd "$work/clone"
git checkout -q "$commit"
cargo fetch --locked -q
mkdir "$work/home"
has() { case " ${PARTS:-first test again ci} " in *" $1 "*) ;; *) return 1 ;; esac; }
# Prints NAME, then the seconds of a command, whose own output goes to a file.
waits() {
    local name=$1 wall user system
    shift
    TIMEFORMAT='%R %U %S'
    read -r wall user system < <({ time "$@" >"$work/output" 2>&1; } 2>&1 | tail -n 1)
    awk -v n="$name" -v w="$wall" -v u="$user" -v s="$system" 'BEGIN { printf "%-28s %7.0f s %7.0f s of CPU\n", n, w, u + s }'
    grep -qE '^(error|test result: FAILED)' "$work/output" && { tail -n 40 "$work/output"; exit 1; }
    return 0
}
first() {
    export XDG_DATA_HOME=$work/home
    cargo run --release --locked -- build &&
        cargo run --release --locked -- query --explain 'NT S N:AQ... 76... 54... K3...'
}
if has first; then
    waits "first command" first
    rm -rf target
fi
if has test || has again; then waits "cargo test --workspace" cargo test --workspace --locked; fi
if has again; then
    for crate in facade beliefs; do
        echo "// A line." >>"crates/$crate/src/lib.rs"
        waits "again in $crate" cargo test --locked --manifest-path "crates/$crate/Cargo.toml"
    done
    git checkout -q .
fi
if has ci; then
    rm -rf target
    waits ".ci/run" bash .ci/run
fi
