#!/usr/bin/env bash
# Runs the C programs of crates/dds/tests/c under tools that watch memory.
#
#   ThreadSanitizer  64 threads with 1,000 boards each, all with thread index 0;
#                    the library and Rust's own are built for it, which needs
#                    `rustup toolchain install nightly --component rust-src`
#   valgrind         bad pointers and texts, and 64 threads with 5 boards each
#
# A first program with a race must be reported, or the check is worthless.
# Tools missing on this machine are skipped with a message. BOARDS sets the boards of a thread.
set -euo pipefail
cd "$(dirname "$0")/../.."
tests=crates/dds/tests/c
target=$PWD/target/sanitizers
mkdir -p "$target"

threads() {
    local platform=x86_64-unknown-linux-gnu runtime sysroot
    sysroot=$(rustc +nightly --print sysroot 2>/dev/null) || { echo "threads: skipped, no nightly Rust"; return; }
    runtime=$sysroot/lib/rustlib/$platform/lib/librustc-nightly_rt.tsan.a
    if [ ! -e "$runtime" ] || [ ! -d "$sysroot/lib/rustlib/src" ]; then
        echo "threads: skipped, no rust-src or no ThreadSanitizer for this machine"
        return
    fi
    RUSTFLAGS='-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer' cargo +nightly build --release --locked -Zbuild-std \
        --target $platform --target-dir "$target" -p setrograde-dds
    local link=(-no-pie -Wl,--whole-archive "$runtime" -Wl,--no-whole-archive
        -Wl,--export-dynamic -lpthread -ldl -lm -lrt -lgcc_s -lstdc++)
    cat >"$target/race.c" <<'END'
#include <pthread.h>
static int shared;
static void *add(void *unused) { shared++; return unused; }
int main(void)
{
  pthread_t threads[2];
  for (int n = 0; n < 2; n++) pthread_create(&threads[n], 0, add, 0);
  for (int n = 0; n < 2; n++) pthread_join(threads[n], 0);
}
END
    cc -g -O1 -fsanitize=thread -c "$target/race.c" -o "$target/race.o"
    cc -g "$target/race.o" "${link[@]}" -o "$target/race"
    if "$target/race" 2>/dev/null; then
        echo "threads: FAILED, a race is not reported"
        return 1
    fi
    cc -std=gnu11 -g -O1 -fsanitize=thread -Icrates/dds/include -c $tests/threads.c -o "$target/threads.o"
    cc -g "$target/threads.o" "$target/$platform/release/libdds.a" "${link[@]}" -o "$target/threads"
    "$target/threads" "${BOARDS:-1000}"
    echo "threads: no race in 64 threads with ${BOARDS:-1000} boards each"
}

memory() {
    command -v valgrind >/dev/null || { echo "memory: skipped, no valgrind"; return; }
    cargo build --release --locked -p setrograde-dds
    ln -sf "$PWD/target/release/libdds.so" "$target/libdds.so.0"
    for program in "hostile" "threads 5"; do
        set -- $program
        cc -std=gnu11 -g -O1 -Icrates/dds/include "$tests/$1.c" -o "$target/$1-memory" \
            -L target/release -ldds -lpthread -ldl
        LD_LIBRARY_PATH=$target valgrind --quiet --error-exitcode=9 --leak-check=full \
            --errors-for-leak-kinds=definite,indirect --show-leak-kinds=definite,indirect \
            "$target/$1-memory" "${@:2}"
        echo "memory: no error in $program"
    done
}

threads
memory
