#!/usr/bin/env bash
# Builds the page, and the command with the page inside.
#
#   scripts/page.sh            page/setrograde.html and target/release/setrograde
#   scripts/page.sh install    the same, and puts the command where cargo install does
#
# Needs Node 18 or later and Rust's target wasm32-unknown-unknown, and says which is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
missing() {
    echo "scripts/page.sh: $1" >&2
    exit 1
}
command -v cargo >/dev/null || missing "no cargo: install Rust (https://rustup.rs)"
command -v node >/dev/null || missing "no node: install Node.js 18 or later"
[ "$(node -p 'Number(process.versions.node.split(".")[0])')" -ge 18 ] ||
    missing "node $(node --version): 18 or later is needed"
target=wasm32-unknown-unknown
[ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] ||
    missing "no target $target: rustup target add $target"
node page/build.mjs
case ${1-} in
'') cargo build --release --locked --features page ;;
install) cargo install --locked --path . --features page ;;
*) missing "unknown argument $1; expected install or nothing" ;;
esac
