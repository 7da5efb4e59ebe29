#!/usr/bin/env bash
# Runs programs that use DDS with this project's libdds instead of theirs.
#
#   lab/scripts/dds_clients.sh                  all of them
#   lab/scripts/dds_clients.sh endplay tenace   some of them
#
# endplay   its own tests                                  (PyPI; repository)
# ddstable  its example                                    (PyPI)
# redeal    its examples                                   (repository)
# tenace    opens a LIN file and analyses it               (Debian: tenace xvfb xdotool)
# ben       its engine BGADLL on one position              (repository, x86-64)
#
# Repositories are cloned from GitHub unless ENDPLAY, REDEAL or BEN names a
# directory that has them. LIBDDS names the library, which is built otherwise;
# PYTHON names the interpreter. Missing clients are skipped with a message. A program
# that fails, also while it exits, makes this one exit with 1.
set -uo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

if [ -z "${LIBDDS:-}" ]; then
    cargo build --release --locked -p setrograde-dds || exit 1
    LIBDDS=$root/target/release/libdds.so
fi
LIBDDS=$(realpath "$LIBDDS")

skipped() { echo "$1: skipped, $2"; }

# Says what became of a program: its name, its exit status, its output.
report() {
    if [ "$2" -eq 0 ]; then
        echo "$1: passed"
    else
        echo "$1: FAILED with $2"
        tail -n 20 "$3"
        failed=1
    fi
}

# An environment with packages of PyPI in $work/venv, made once.
packages() {
    [ -x "$work/venv/bin/python" ] || "$python" -m venv "$work/venv" 2>/dev/null || return 1
    "$work/venv/bin/pip" install --quiet "$@" >"$work/pip" 2>&1
}

# The directory of a repository: a given one, or a fresh clone.
repository() {
    if [ -n "$1" ]; then echo "$1"; return; fi
    GIT_TERMINAL_PROMPT=0 git clone --quiet --depth 1 "https://github.com/$2" "$work/$2" 2>/dev/null \
        && echo "$work/$2"
}

endplay() {
    packages endplay==0.5.12 pytest || { skipped endplay "PyPI gives no endplay"; return; }
    local source
    source=$(repository "${ENDPLAY:-}" dominicprice/endplay) || { skipped endplay "no repository"; return; }
    cp "$LIBDDS" "$work"/venv/lib/python*/site-packages/endplay/_dds/libdds.so
    (cd "$source" && "$work/venv/bin/python" -m pytest -q tests) >"$work/endplay.out" 2>&1
    report "endplay ($(grep -o '[0-9]* passed' "$work/endplay.out"))" $? "$work/endplay.out"
}

ddstable() {
    packages ddstable==0.2.0 || { skipped ddstable "PyPI gives no ddstable"; return; }
    cp "$LIBDDS" "$work"/venv/lib/python*/site-packages/ddstable/libdds.so
    "$work/venv/bin/python" -c 'import ddstable.ddstable; ddstable.ddstable.main()' >"$work/ddstable.out" 2>&1
    report ddstable $? "$work/ddstable.out"
}

redeal() {
    packages colorama || { skipped redeal "PyPI gives no colorama"; return; }
    local source example name
    source=$(repository "${REDEAL:-}" anntzer/redeal) || { skipped redeal "no repository"; return; }
    cp -r "$source" "$work/redeal-copy"
    cp "$LIBDDS" "$work/redeal-copy/redeal/libdds.so"
    for example in "$work"/redeal-copy/examples/[!_]*.py; do
        name=$(basename "$example" .py)
        (cd "$work/redeal-copy" && timeout 3600 "$work/venv/bin/python" -m redeal "$example") \
            >"$work/redeal.out" 2>&1
        local status=$?
        if grep -q NameError "$work/redeal.out"; then
            skipped "redeal $name" "it fails by itself: $(grep -o 'NameError.*' "$work/redeal.out" | tail -n 1)"
        else
            report "redeal $name" $status "$work/redeal.out"
        fi
    done
}

tenace() {
    local program window status
    program=$(PATH=$PATH:/usr/games type -P tenace) || { skipped tenace "no tenace"; return; }
    for tool in Xvfb xdotool; do
        command -v "$tool" >/dev/null || { skipped tenace "no $tool"; return; }
    done
    mkdir -p "$work/tenace"
    cp "$LIBDDS" "$work/tenace/libdds.so.0"
    echo 'pn|S,W,N,E|md|3SAKQ32HAK2DKQ2CA2,SJT9HQJT9DJT9CKQJ,S8765H8765DA8C876,|sv|o|mb|1S|mb|p|mb|4S|mb|p|mb|p|mb|p|pc|CK|pc|C6|' \
        >"$work/tenace/board.lin"
    Xvfb -displayfd 3 -screen 0 1024x768x24 3>"$work/tenace/display" >/dev/null 2>&1 &
    local screen=$!
    for _ in $(seq 60); do [ -s "$work/tenace/display" ] && break; sleep 1; done
    export DISPLAY=:$(cat "$work/tenace/display")
    # Names in the library are looked up, and reported, when they are first called.
    HOME=$work/tenace LD_LIBRARY_PATH=$work/tenace LD_DEBUG=bindings LD_DEBUG_OUTPUT=$work/tenace/calls \
        timeout 120 "$program" "$work/tenace/board.lin" >"$work/tenace.out" 2>&1 &
    local running=$!
    for _ in $(seq 60); do
        window=$(xdotool search --name 'Board 1' 2>/dev/null) && [ -n "$window" ] && break
        sleep 1
    done
    sleep 3
    for key in alt+a Down Return; do xdotool key "$key"; sleep 2; done
    sleep 5
    xdotool key ctrl+q
    wait $running
    status=$?
    kill $screen
    grep -qh "libdds.so.0 .*\`SolveBoard'" "$work"/tenace/calls.* || status=99
    report "tenace (SolveBoard called)" $status "$work/tenace.out"
}

ben() {
    [ "$(uname -sm)" = "Linux x86_64" ] || { skipped ben "its engine is for x86-64"; return; }
    local source
    source=$(repository "${BEN:-}" lorserker/ben) || { skipped ben "no repository"; return; }
    mkdir -p "$work/ben/src" "$work/ben/bin/BGA/linux/x64"
    cp -r "$source/src/pimc" "$source/src/test_pimc_native.py" "$work/ben/src"
    cp "$source/bin/BGA/linux/x64/BGADLL.so" "$work/ben/bin/BGA/linux/x64"
    cp "$LIBDDS" "$work/ben/bin/BGA/linux/x64/libdds.so"
    (cd "$work/ben" && timeout 300 "$python" src/test_pimc_native.py) >"$work/ben.out" 2>&1
    report "ben ($(grep -o 'D4 tricks.*' "$work/ben.out"))" $? "$work/ben.out"
}

[ $# -gt 0 ] || set -- endplay ddstable redeal tenace ben
for name in "$@"; do
    case $name in
        endplay | ddstable | redeal | tenace | ben) "$name" ;;
        *) echo "unknown: $name (endplay, ddstable, redeal, tenace, ben)"; exit 2 ;;
    esac
done
exit $failed
