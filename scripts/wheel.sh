#!/usr/bin/env bash
# Builds the Python wheel, installs it with NumPy alone in a fresh environment,
# and runs its tests there. With --manylinux the wheel runs on any Linux with
# glibc 2.17 (zig links it).
#
#     scripts/wheel.sh [--manylinux]
set -euo pipefail
cd "$(dirname "$0")/../python"
command -v python3 >/dev/null || { echo "wheel: skipped, there is no python3"; exit 0; }
tools=$(mktemp -d) fresh=$(mktemp -d)
trap 'rm -rf "$tools" "$fresh"' EXIT
python3 -m venv "$tools"
"$tools/bin/pip" -q install 'maturin>=1.9,<2' ziglang
options=(--release --target-dir ../target/python -o ../target/wheels)
[ "${1:-}" = --manylinux ] && options+=(--zig --compatibility manylinux2014)
PATH="$tools/bin:$PATH" maturin build -i python3 "${options[@]}"
wheel=$(ls -t ../target/wheels/setrograde-*.whl | head -1)
ls -l "$wheel"

python3 -m venv "$fresh"
"$fresh/bin/pip" -q install "$wheel"
"$fresh/bin/pip" list 2>/dev/null
(cd / && "$fresh/bin/python" -c '
import time
import numpy
start = time.perf_counter()
import setrograde
print(f"import after numpy: {time.perf_counter() - start:.3f} s")')
"$fresh/bin/pip" -q install pytest mypy
"$fresh/bin/pytest" -q -p no:cacheprovider tests
