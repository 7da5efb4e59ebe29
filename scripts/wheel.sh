#!/usr/bin/env bash
# Makes a wheel of python/ and tries it in a fresh environment that has nothing
# but NumPy, pytest and mypy beside it.
#
#   scripts/wheel.sh           a wheel for manylinux2014, linked by zig
#   scripts/wheel.sh native    a wheel for this machine
#
# Needs Rust and Python 3.10 or later with venv, and PyPI. PYTHON names the interpreter, TARGET the
# target if it is not this machine's; wheels for other targets are not tried. LIBDDS names the
# libdds of the target, and LEVELS a directory with the levels of up to 16 cards (level-NN.sdb and
# manifest), which both go into the wheel; otherwise they are built. The wheel lies in
# target/wheels.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

host=$(rustc -vV | sed -n 's/^host: //p')
target=${TARGET:-$host}
case $host in
*windows*) bin=Scripts ;;
*) bin=bin ;;
esac
case $target in
*windows*) library=dds.dll ;;
*apple*) library=libdds.dylib ;;
*) library=libdds.so ;;
esac
"$python" -m venv "$work/build"
"$work/build/$bin/pip" install --quiet 'maturin>=1.9,<2' ziglang cargo-zigbuild auditwheel twine
export PATH="$work/build/$bin:$PATH"
options=() tool=build where=$target
case $target in
*linux*) [ "${1:-}" = native ] || tool=zigbuild where=$target.2.17 options=(--zig --compatibility manylinux2014) ;;
*apple*) [ "$target" = "$host" ] || tool=zigbuild options=(--zig) ;;
esac
# libdds goes into the wheel as it is for other programs, and the levels compressed: mapped, they
# are twice as large. Python unpacks them into the user's cache directory at the first use.
if [ -z "${LIBDDS:-}" ]; then
    cargo $tool --profile dist --locked -p setrograde-dds --target "$where"
    LIBDDS=target/$target/dist/$library
fi
if [ -z "${LEVELS:-}" ]; then
    LEVELS=$work/levels
    cargo run --release --locked -- --quiet build --cards 16 --db "$LEVELS"
fi
inside=python/setrograde/share/setrograde
# The licences of the crates in both libraries.
{
    .ci/licences.py --manifest python/Cargo.toml --target "$target" setrograde-python
    .ci/licences.py --target "$target" setrograde-dds
} >python/LICENSE-of-dependencies
rm -rf python/setrograde/{libdds.so,libdds.dylib,dds.dll,share}
mkdir -p $inside
cp "$LIBDDS" python/setrograde/
cp "$LEVELS"/level-{04,08,12,16}.sdb "$LEVELS/manifest" $inside
cargo run --locked -p setrograde-page --example types
export CARGO_TARGET_DIR="$PWD/target/python"
rm -f target/wheels/setrograde-*.whl
maturin build --release --locked --manifest-path python/Cargo.toml \
    --target "$target" --out target/wheels --interpreter "$python" ${options[@]+"${options[@]}"}
wheel=$(ls target/wheels/setrograde-*.whl)

bytes=$(wc -c < "$wheel")
echo "$wheel: $bytes bytes"
# The tag says on which systems it runs; auditwheel knows what libdds and the module need.
case $target in
*linux*)
    "$work/build/$bin/auditwheel" show "$wheel" | tee "$work/audit"
    glibc() { grep -o 'manylinux_2_[0-9]*' | sed 's/.*_//' | sort -n | sed -n "$1"; }
    needed=$(grep -A 1 'consistent with' "$work/audit" | glibc 1p)
    promised=$(basename "$wheel" | glibc 1p)
    if [ "${1:-}" != native ] && [ "${needed:-99}" -gt "${promised:-0}" ]; then
        echo "its tag promises glibc 2.${promised:-?}, and it needs 2.${needed:-?}" >&2
        rm "$wheel"
        exit 1
    fi ;;
esac
"$work/build/$bin/twine" check --strict "$wheel"
[ "$bytes" -le 14000000 ] || { echo "above 14,000,000 bytes"; exit 1; }

[ "$target" = "$host" ] || exit 0
# Its only declared dependency is NumPy.
"$python" -m venv "$work/alone"
"$work/alone/$bin/pip" install --quiet "$wheel"
cd "$work"
alone/$bin/python -c 'import setrograde as sg; print(sg.table("N:AK.2.. QJ.A.. 32..A. ..K2.A"))'
# Of a user who has no database, the 16 cards inside are used.
SETROGRADE_DB="" XDG_DATA_HOME=$work HOME=$work alone/$bin/python -c '
import setrograde as sg
assert sg.Database().cards == [4, 8, 12, 16], sg.Database().cards'
alone/$bin/python - <<'END'
import subprocess, sys, time
code = "import numpy, time; t = time.perf_counter(); import setrograde; print(time.perf_counter() - t)"
times = sorted(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(5))
print(f"import: {times[2]:.3f} s beside NumPy's")
END
cd - >/dev/null
"$work/alone/$bin/pip" install --quiet pytest mypy matplotlib
# Only tests and examples, so that the package is the installed one.
mkdir -p "$work/tried/python" "$work/tried/data"
cp -r python/tests python/examples.md python/endplay.md "$work/tried/python"
cp data/deals_100.txt data/hard_deals.txt "$work/tried/data"
cd "$work/tried/python"
"$work/alone/$bin/python" -m pytest -q tests
