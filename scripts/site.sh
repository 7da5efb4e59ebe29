#!/usr/bin/env bash
# Builds the documents as a site with mdBook, in target/site: docs/SUMMARY.md is its table of
# contents. Needs mdbook (cargo install mdbook).
set -euo pipefail
cd "$(dirname "$0")/.."
command -v mdbook >/dev/null || { echo "scripts/site.sh: no mdbook (cargo install mdbook)" >&2; exit 1; }
source=target/site-src
rm -rf "$source" target/site
mkdir -p "$source"
# Documents link to sources and samples, so the site has them, too; databases stay out.
git ls-files -z --cached --others --exclude-standard | grep -zv '\.sdb$\|\.map$\|^data/golden' |
    tar --null --files-from=- --create | tar --extract --directory="$source"
# In the site, paths start at the root of the repository.
sed -E 's|\]\(|](docs/|; s|\]\(docs/\.\./|](|' docs/SUMMARY.md >"$source/SUMMARY.md"
mdbook build docs
