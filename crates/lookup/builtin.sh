#!/usr/bin/env bash
# Makes the bytes of the database inside the programs, crates/lookup/data: mapped levels
# up to 12 cards.
#
#   crates/lookup/builtin.sh
#
# Needed when the format or the method changes; a test says when.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cargo run --release --quiet -- build --cards 12 --db "$work"
for level in 04 08 12; do
    cp "$work"/level-$level-*.map "crates/lookup/data/level-$level.map"
done
