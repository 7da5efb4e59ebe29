#!/usr/bin/env bash
# Tries the files of a release where nothing else is installed.
#
#   scripts/try_release.sh DIR [sums linux debian wine mac wheel winpy]
#
#   linux    an empty chroot with the C library alone: unpack, run, the first table
#   debian   a chroot of Debian 11 (debootstrap): the same
#   wine     a fresh prefix of Wine: the same, and a program by mingw with dds.dll
#   mac      on a Mac: the archive for its processor; please send the output to the project
#   wheel    each Python of PYTHONS, offline but for NumPy: tables, claims, libdds, 16 cards
#   winpy    the wheel in CPython 3.11 of Windows, by Wine: the package's tests
#   sums     SHA256SUMS
#
# Needs root for chroots. LIMIT is the most milliseconds for a table (300), DEBIAN a Debian that
# debootstrap has made before. DIR is what scripts/release.sh has filled. A table at the end lists
# the results; missing tools are skipped with a message, and a failure makes this exit with 1.
set -uo pipefail
cd "$(dirname "$0")/.."
root=$PWD
[ $# -ge 1 ] || { echo "usage: scripts/try_release.sh DIR [PART...]" >&2; exit 2; }
release=$(cd "$1" && pwd)
shift
work=$(mktemp -d)
# Programs find what lies beside them by /proc, which containers have.
with_proc() { mkdir -p "$1/proc" && mount -t proc proc "$1/proc"; }
tidy() {
    [ -d "$work/prefix" ] && WINEPREFIX=$work/prefix wineserver -k -w
    umount "$work"/{linux,debian}/proc 2>/dev/null
    rm -rf --one-file-system "$work"
}
trap tidy EXIT
rows=() failed=0
deal='N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76'
# The text of that table; a test of the command has it, too.
right='11'

row() { rows+=("$(printf '%-8s %-9s %s' "$@")"); }
run() {
    local note
    if note=$("$1" 2>"$work/error"); then row "$1" passed "$note"
    else row "$1" FAILED "$note"; cat "$work/error" >&2; failed=1; fi
}
archive() { find "$release" -name "setrograde-*-$1" | head -n 1; }
# The median of seven runs in ms, elapsed and of processors: a user waits so long for a table in a
# new process.
median() {
    local TIMEFORMAT='%R %U %S'
    for _ in 1 2 3 4 5 6 7; do
        { time "$@" >/dev/null 2>&1; } 2>&1 || return 1
    done | awk '{ print $1 * 1000, ($2 + $3) * 1000 }' >"$work/times"
    for column in 1 2; do cut -d ' ' -f $column "$work/times" | sort -n | sed -n 4p; done | xargs
}

# Unpacks the archive below a directory, and says the command's path in there.
unpacked() {
    local file
    file=$(archive x86_64-unknown-linux-gnu.tar.gz)
    [ -n "$file" ] || { echo "no archive for Linux" >&2; return 1; }
    tar -xf "$file" -C "$1" && basename "$file" .tar.gz
}

# Tests of an unpacked archive: the levels, a table, a claim, the page.
questions() {
    local table first
    "$@" db stats --json | grep -q '"cards": *16' || { echo "16 cards are not in use" >&2; return 1; }
    table=$("$@" table "$deal") && grep -q "$right" <<<"$table" || { echo "$table" >&2; return 1; }
    "$@" claim 'NT S N:AQ... ? 32... ? out=KJT9...' >/dev/null || return 1
    "$@" page --output page.html >&2 || return 1
    first=$(median "$@" table "$deal") || return 1
    echo "a table: ${first% *} ms, ${first#* } ms of processors"
    [ "${first% *}" -le "${LIMIT:-300}" ] || { echo "more than ${LIMIT:-300} ms" >&2; return 1; }
}

linux() {
    local folder=$work/linux name loader
    mkdir -p "$folder"/{lib64,lib/x86_64-linux-gnu,tmp}
    name=$(unpacked "$folder") || return 1
    loader=/lib64/ld-linux-x86-64.so.2
    cp -L $loader "$folder$loader"
    # The libraries that it says it needs: those of glibc.
    ldd "$folder/$name/bin/setrograde" | awk '$3 ~ /^\// { print $3 }' | xargs cp -Lt "$folder/lib/x86_64-linux-gnu"
    with_proc "$folder" && questions chroot "$folder" "/$name/bin/setrograde" &&
        chroot "$folder" "/$name/bin/setrograde-serve" --version >&2
}

# The project has no Mac, so its builds have never been run before.
mac() {
    local file folder=$work/mac name machine
    machine=$(uname -m)
    file=$(archive "${machine/arm64/aarch64}-apple-darwin.tar.gz")
    [ -n "$file" ] || { echo "no archive for this Mac" >&2; return 1; }
    mkdir "$folder" && tar -xf "$file" -C "$folder" || return 1
    name=$folder/$(basename "$file" .tar.gz)
    cc -I"$name/include" "$root/docs/table.c" -o "$work/table" -L"$name/lib" -ldds -Wl,-rpath,"$name/lib" &&
        "$work/table" >&2 && "$name/bin/setrograde-serve" --version >&2 || return 1
    cd "$work" && questions "$name/bin/setrograde" && sw_vers >&2
}

debian() {
    local folder=$work/debian name note
    if [ -n "${DEBIAN:-}" ]; then cp -a --one-file-system "$DEBIAN" "$folder"
    else debootstrap --variant=minbase bullseye "$folder" >&2; fi || return 1
    name=$(unpacked "$folder") || return 1
    with_proc "$folder" && note=$(questions chroot "$folder" "/$name/bin/setrograde") || return 1
    echo "glibc $(chroot "$folder" ldd --version | sed -n '1s/.* //p'), $note"
}

# A fresh prefix of Wine, for all parts that need one.
wine_ready() {
    export WINEPREFIX=$work/prefix WINEDEBUG=-all
    [ -d "$WINEPREFIX" ] || command wineboot -i >/dev/null 2>&1
    "$root/scripts/platforms.sh" stand-in "$WINEPREFIX"
}

wine() {
    local file folder=$work/wine name
    file=$(archive x86_64-pc-windows-gnu.zip)
    [ -n "$file" ] || { echo "no archive for Windows" >&2; return 1; }
    wine_ready || return 1
    mkdir "$folder" && (cd "$folder" && unzip -q "$file") || return 1
    name=$folder/$(basename "$file" .zip)
    # A program with the header and the import library of the archive, dds.dll beside it.
    x86_64-w64-mingw32-gcc -I"$name/include" "$root/docs/table.c" -o "$name/lib/table.exe" "$name/lib/libdds.dll.a" || return 1
    (cd "$name/lib" && command wine table.exe) >"$work/table" || { cat "$work/table" >&2; return 1; }
    cd "$work" && questions command wine "$name/setrograde.exe"
}

wheel() {
    local file python folder note=()
    file=$(find "$release" -name "setrograde-*$(case $(uname -s) in Darwin) echo macosx;; *) echo 'manylinux*x86_64';; esac)*.whl" | head -n 1)
    [ -n "$file" ] || { echo "no wheel" >&2; return 1; }
    for python in ${PYTHONS:-$(ls /usr/bin/python3.1? "$HOME"/.pyenv/versions/*/bin/python3.1? 2>/dev/null)}; do
        folder=$work/wheel-${#note[@]}
        "$python" -m venv "$folder" && "$folder/bin/pip" install -q numpy &&
            "$folder/bin/pip" install -q --no-index "$file" || return 1
        (cd "$work" && env -u SETROGRADE_DB HOME="$work/home" XDG_DATA_HOME="$work/home" "$folder/bin/python" - <<END) || return 1
import ctypes, subprocess, sys, time
import setrograde as sg
assert sg.Database().cards == [4, 8, 12, 16]
assert sg.table("$deal")["S", "E"] == 11
assert sg.ask("claim", "NT S N:AQ... ? 32... ? out=KJT9...") is not None
assert sg.Desk().ask("table", question="$deal")
path = subprocess.check_output([sys.executable, "-m", "setrograde", "libdds"], text=True).strip()
assert ctypes.CDLL(path).SetMaxThreads
END
        note+=("$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')")
    done
    echo "Python ${note[*]}"
}

# PyPI has no Python for Windows, but Panda3D's wheel carries its libraries; the modules in Python
# are those of a Python 3.11 here, and NumPy is the last that asks Wine 8 for nothing it lacks.
winpy() {
    local file folder=$work/winpy python=${PYTHON311:-python3.11} get module
    file=$(find "$release" -name 'setrograde-*win_amd64.whl' | head -n 1)
    [ -n "$file" ] || { echo "no wheel for Windows" >&2; return 1; }
    mkdir -p "$folder/DLLs" "$folder/got" && cd "$folder" || return 1
    get="-q --platform win_amd64 --python-version 3.11 --only-binary=:all:"
    # shellcheck disable=SC2086
    "$python" -m pip download $get --no-deps -d . panda3d==1.10.16 &&
        "$python" -m pip download $get -d got numpy==1.23.5 pytest colorama || return 1
    unzip -q -j panda3d*.whl 'deploy_libs/*' -x '*/api-ms-*' && mv ./*.pyd DLLs || return 1
    cp -r "$("$python" -c 'import os; print(os.path.dirname(os.__file__))')" Lib
    rm -rf Lib/site-packages Lib/dist-packages && mkdir -p Lib/site-packages
    for module in got/*.whl "$file"; do unzip -q "$module" -d Lib/site-packages || return 1; done
    # Files missing in Panda3D: the program, and the library of the stable interface.
    x86_64-w64-mingw32-gcc -municode -o python.exe -x c - -x none python311.dll <<'END' || return 1
#include <wchar.h>
__declspec(dllimport) int Py_Main(int, wchar_t **);
int wmain(int argc, wchar_t **argv) { return Py_Main(argc, argv); }
END
    x86_64-w64-mingw32-objdump -p Lib/site-packages/setrograde/_native.pyd |
        awk '/DLL Name: python3.dll/ { own = 1 } own && /^$/ { exit } own && $NF ~ /^_?Py/ { print "  " $NF " = python311." $NF }' |
        cat <(printf 'LIBRARY python3.dll\nEXPORTS\n') - >python3.def
    x86_64-w64-mingw32-gcc -shared -nostdlib -Wl,--entry=0 -o python3.dll python3.def || return 1
    mkdir -p tried/python tried/data
    cp -r "$root"/python/{tests,examples.md,endplay.md} tried/python
    cp "$root"/data/{deals_100,hard_deals}.txt tried/data
    wine_ready || return 1
    # Python 3.11 finds its streams under Wine 8 only where cmd.exe has opened them.
    : >nothing
    command wine cmd /c 'python.exe -m pytest -q tried/python/tests <nothing >said 2>&1'
    tail -n 1 said | tr -d '\r'
    grep -q passed said && ! grep -qE 'failed|error' <(tail -n 1 said) || { tail -n 50 said >&2; return 1; }
}

sums() { (cd "$release" && { sha256sum --quiet -c SHA256SUMS || shasum -a 256 --quiet -c SHA256SUMS; }) && echo "$(wc -l <"$release/SHA256SUMS") files"; }

for part in "${@:-sums linux debian wine mac wheel winpy}"; do
    for one in $part; do
        case $one in
        linux) [ "$(id -u)" = 0 ] && run linux || row linux skipped "needs root" ;;
        debian) command -v debootstrap >/dev/null && [ "$(id -u)" = 0 ] && run debian || row debian skipped "needs root and debootstrap" ;;
        wine) command -v wineboot >/dev/null && run wine || row wine skipped "no Wine" ;;
        winpy) command -v wineboot >/dev/null && run winpy || row winpy skipped "no Wine" ;;
        mac) [ "$(uname -s)" = Darwin ] && run mac || row mac skipped "no Mac" ;;
        wheel | sums) run "$one" ;;
        *) echo "there is no $one" >&2; exit 2 ;;
        esac
    done
done
printf '%s\n' "${rows[@]}"
exit $failed
