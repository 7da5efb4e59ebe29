#!/usr/bin/env bash
# Compiles and tests the workspace for other systems and processors, on Linux.
#
#   scripts/platforms.sh                    all of them
#   scripts/platforms.sh windows s390x      some of them
#
#   windows   x86_64-pc-windows-gnu, by Wine: all crates and the command
#   aarch64   aarch64-unknown-linux-gnu, by qemu: the crates that CRATES names
#   s390x     s390x-unknown-linux-gnu (big-endian), by qemu: the same
#   musl      x86_64-unknown-linux-musl: the same, as it is
#   wasi      wasm32-wasip1, by wasmtime: cards, endgame, lookup, solver
#   apple     aarch64-apple-darwin and x86_64-apple-darwin: type-checked
#   level     16 cards, exact and coarse, built on each of these systems, with kills in the middle:
#             the bytes of this one
#   dds       dds.dll by Wine: C programs compiled by mingw, shared and static
#
# CRATES names the crates of the processors (builder lookup solver claim records);
# WINDOWS those of Windows instead of all, as "-p setrograde-builder". What is missing is
# installed from Debian if this is root with apt-get, and skipped otherwise, with a line.
# The table at the end has a line for each; a failure makes this exit with 1. The
# logs are in target/platforms/logs.
set -uo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0 CARGO_TERM_COLOR=never
target_dir=$PWD/target/platforms
logs=$target_dir/logs
mkdir -p "$logs"
crates=${CRATES:-builder lookup solver claim records}
failed=0
table=()

row() { table+=("$(printf '%-8s %-10s %7s %7s %8s  %s' "$@")"); }

# Installs a Debian package if a program is not there.
need() {
    command -v "$1" >/dev/null && return
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${@:2}" >>"$logs/apt.log" 2>&1
    command -v "$1" >/dev/null
}

need_target() {
    rustup target list --installed | grep -qx "$1" || rustup target add "$1" >>"$logs/apt.log" 2>&1
}

skip() { row "$1" skipped "" "" "" "$2"; echo "$1: skipped, $2"; }

# Runs a command for the table: a name, a note, the command. Counts the results of the test harness.
run() {
    local name=$1 note=$2 begun=$SECONDS outcome=passed log passes failures
    shift 2
    log="$logs/$name.log"
    echo "== $name: $*"
    "$@" >"$log" 2>&1 || { outcome=FAILED; failed=1; }
    read -r passes failures < <(awk '/^test result: / { p += $4; f += $6 } END { print p + 0, f + 0 }' "$log")
    [ $outcome = FAILED ] && grep -E '^test .* FAILED$|^error' "$log"
    row "$name" $outcome "$passes" "$failures" "$((SECONDS - begun)) s" "$note"
}

of_crates() { for crate in $crates; do printf -- '-p setrograde-%s ' "$crate"; done; }

# A Wine prefix of our own.
wine_ready() {
    need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64 g++-mingw-w64-x86-64 && need wine wine wine64 &&
        need_target x86_64-pc-windows-gnu || return 1
    export WINEPREFIX=$target_dir/wine WINEDEBUG=-all CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=wine
    local system=$WINEPREFIX/drive_c/windows/system32
    [ -d "$system" ] || wineboot -i >>"$logs/wine.log" 2>&1
    stand_in "$WINEPREFIX"
}

# Wine 8 has no bcryptprimitives.dll, which Rust's hash tables take their seeds from; this one
# passes the question on to an older function.
stand_in() {
    local system=$1/drive_c/windows/system32
    [ -e "$system/bcryptprimitives.dll" ] ||
        x86_64-w64-mingw32-gcc -O2 -shared -o "$system/bcryptprimitives.dll" -x c - -ladvapi32 <<'END'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size)
{
    while (size > 0) {
        ULONG part = size > 0x40000000 ? 0x40000000 : (ULONG)size;
        if (!SystemFunction036(data, part))
            return FALSE;
        data += part, size -= part;
    }
    return TRUE;
}
END
}

# Linker and emulator of a processor.
processor_ready() {
    local gcc=$1-linux-gnu-gcc upper
    upper=$(echo "$1_UNKNOWN_LINUX_GNU" | tr a-z A-Z)
    need "$gcc" "gcc-$1-linux-gnu" "libc6-dev-$2-cross" && need "qemu-$1-static" qemu-user-static &&
        need_target "$1-unknown-linux-gnu" || return 1
    export "CARGO_TARGET_${upper}_LINKER=$gcc" "CC_$1_unknown_linux_gnu=$gcc"
    export "CARGO_TARGET_${upper}_RUNNER=qemu-$1-static -L /usr/$1-linux-gnu"
}

musl_ready() { need musl-gcc musl-tools && need_target x86_64-unknown-linux-musl; }

tests() { cargo test --locked --no-fail-fast --target-dir "$target_dir" --target "$@"; }

windows() {
    wine_ready || { skip windows "no mingw-w64 or Wine"; return; }
    # shellcheck disable=SC2086
    run windows "Wine $(wine --version)" tests x86_64-pc-windows-gnu ${WINDOWS:---workspace}
}

aarch64() {
    processor_ready aarch64 arm64 || { skip aarch64 "no cross compiler or qemu"; return; }
    # shellcheck disable=SC2046
    run aarch64 "qemu" tests aarch64-unknown-linux-gnu $(of_crates)
}

s390x() {
    processor_ready s390x s390x || { skip s390x "no cross compiler or qemu"; return; }
    # shellcheck disable=SC2046
    run s390x "qemu, big-endian" tests s390x-unknown-linux-gnu $(of_crates)
}

musl() {
    musl_ready || { skip musl "no musl-gcc"; return; }
    # shellcheck disable=SC2046
    run musl "as it is" tests x86_64-unknown-linux-musl $(of_crates)
}

wasi() {
    need_target wasm32-wasip1 || { skip wasi "no target wasm32-wasip1"; return; }
    if command -v wasmtime >/dev/null; then
        export CARGO_TARGET_WASM32_WASIP1_RUNNER="wasmtime run --dir=/ --dir=."
    elif command -v node >/dev/null; then
        export CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $PWD/.ci/wasi.mjs"
    else
        skip wasi "neither wasmtime nor Node"; return
    fi
    run wasi "one thread" tests wasm32-wasip1 --lib \
        -p setrograde-cards -p setrograde-endgame -p setrograde-lookup -p setrograde-solver
}

apple() {
    local target
    for target in aarch64-apple-darwin x86_64-apple-darwin; do
        need_target $target || { skip apple "no target $target"; continue; }
        # zig compiles the C code of zstd: pip install cargo-zigbuild ziglang.
        command -v cargo-zigbuild >/dev/null || { skip "${target%%-*}-mac" "no cargo-zigbuild (PyPI)"; continue; }
        run "${target%%-*}-mac" "type-checked" cargo-zigbuild check --locked --workspace \
            --target-dir "$target_dir" --target $target
    done
}

# Builds 16 cards by the command of a target, and compares the levels with this system's.
level() {
    local here=$target_dir/level-here name target runner
    run level-here "16 cards, this system" level_of "" "" "$here"
    for name in windows aarch64 s390x musl; do
        runner="" target=x86_64-unknown-linux-musl
        case $name in
        windows) wine_ready || continue; target=x86_64-pc-windows-gnu runner=wine ;;
        aarch64) processor_ready aarch64 arm64 || continue
            target=aarch64-unknown-linux-gnu runner="qemu-aarch64-static -L /usr/aarch64-linux-gnu" ;;
        s390x) processor_ready s390x s390x || continue
            target=s390x-unknown-linux-gnu runner="qemu-s390x-static -L /usr/s390x-linux-gnu" ;;
        musl) musl_ready || continue ;;
        esac
        case " ${LEVELS:-windows aarch64} " in *" $name "*) ;; *) continue ;; esac
        run "16-$name" "16 cards, bytes as here" \
            level_of $target "$runner" "$target_dir/level-$name" "$here"
    done
}

level_of() {
    local target=$1 runner=$2 out=$3 right=${4:-} command file
    cargo build --locked --target-dir "$target_dir" ${target:+--target $target} || return 1
    command=$(ls "$target_dir/$target/debug/setrograde" "$target_dir/$target/debug/setrograde.exe" 2>/dev/null | head -n 1)
    rm -rf "$out"
    # shellcheck disable=SC2086
    $runner "$command" build --cards 16 --db "$out/exact" || return 1
    coarse_killed "$runner" "$command" "$out/coarse" || return 1
    [ -z "$right" ] && return
    for file in "$right"/*/level-*.sdb "$right"/*/level-*.map; do
        cmp "$file" "$out${file#"$right"}" || return 1
    done
}

# Builds a coarse level of 16 cards, killed after some seconds, again and again, with one and two
# threads in turn.
coarse_killed() {
    local runner=$1 command=$2 out=$3 kills=0
    # shellcheck disable=SC2086
    until timeout -s KILL $((RANDOM % 4 + 2 + kills / 5)) $runner "$command" build --cards 16 \
        --coarse-from 12 --grain 1e-9 --threads $((kills % 2 + 1)) --db "$out" </dev/null; do
        [ $? = 137 ] && [ $kills -lt 200 ] || return 1
        kills=$((kills + 1))
    done
    echo "killed $kills times"
}

dds() {
    wine_ready || { skip dds "no mingw-w64 or Wine"; return; }
    run dds "C programs, shared and static" dds_programs
}

dds_programs() {
    local built=$target_dir/x86_64-pc-windows-gnu/debug out=$target_dir/dds-programs name mode
    cargo build --locked --target-dir "$target_dir" --target x86_64-pc-windows-gnu -p setrograde-dds || return 1
    rm -rf "$out" && mkdir -p "$out" && cp "$built/dds.dll" "$out"
    local libraries="-lws2_32 -luserenv -lntdll -lbcrypt -ladvapi32 -lole32 -lshell32"
    for name in docs/table.c docs/contexts.c crates/dds/tests/c/layout.c crates/dds/tests/c/hostile.c; do
        for mode in shared static; do
            local program
            program=$out/$mode-$(basename $name .c).exe
            # shellcheck disable=SC2086
            case $mode in
            shared) x86_64-w64-mingw32-gcc -std=gnu11 -Icrates/dds/include $name -o "$program" "$built/libdds.dll.a" ;;
            static) x86_64-w64-mingw32-gcc -std=gnu11 -DDDS_STATIC -Icrates/dds/include $name -o "$program" "$built/libdds.a" $libraries ;;
            esac || return 1
            (cd "$out" && wine "$program") >"$program.out" || { echo "$program failed"; cat "$program.out"; return 1; }
        done
        cmp "$out/shared-$(basename $name .c).exe.out" "$out/static-$(basename $name .c).exe.out" || return 1
    done
}

# For other scripts: scripts/platforms.sh stand-in PREFIX.
if [ "${1:-}" = stand-in ]; then
    stand_in "$2"
    exit
fi
for name in "${@:-windows aarch64 s390x musl wasi apple level dds}"; do
    for one in $name; do
        case $one in
        windows | aarch64 | s390x | musl | wasi | apple | level | dds) $one ;;
        *) echo "there is no $one" >&2; exit 2 ;;
        esac
    done
done

printf '\n%-8s %-10s %7s %7s %8s\n' target outcome passed failed time
printf '%s\n' "${table[@]}"
exit $failed
