#!/usr/bin/env python3
"""Prints the licences of all crates inside some packages, with their texts.

    .ci/licences.py [--manifest Cargo.toml] [--target TRIPLE] PACKAGE...

A crate that comes without a text gets that of the licence that it names. Exits with 1 if a crate
names none.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")


def own_text(licence, authors):
    """The text of a licence, from this project's."""
    if "Apache-2.0" in licence:
        return (ROOT / "LICENSE-APACHE").read_text()
    if "MIT" in licence:
        holder = ", ".join(re.sub(r" <.*>", "", author) for author in authors) or "the authors of the crate"
        return re.sub(r"Copyright \(c\).*", f"Copyright (c) {holder}", (ROOT / "LICENSE-MIT").read_text())
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--manifest", default=str(ROOT / "Cargo.toml"))
    parser.add_argument("--target")
    parser.add_argument("packages", nargs="+")
    asked = parser.parse_args()
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--manifest-path", asked.manifest]
    command += ["--filter-platform", asked.target] if asked.target else []
    found = json.loads(subprocess.check_output(command))
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    inside = [of for of, package in packages.items() if package["name"] in asked.packages]
    for of in inside:
        for dep in nodes[of]["deps"]:
            if dep["pkg"] not in inside and any(kind["kind"] is None for kind in dep["dep_kinds"]):
                inside.append(dep["pkg"])
    complete = True
    for of in sorted(inside, key=lambda of: (packages[of]["name"], packages[of]["version"])):
        package = packages[of]
        if not package["source"]:
            continue
        licence = package["license"] or "no licence named"
        print("=" * 80, f"{package['name']} {package['version']}: {licence}", package["repository"] or "", sep="\n")
        folder = pathlib.Path(package["manifest_path"]).parent
        texts = [path for path in sorted(folder.iterdir()) if path.is_file() and path.name.upper().startswith(NAMES)]
        if package["license_file"]:
            texts.append(folder / package["license_file"])
        if texts:
            for path in dict.fromkeys(texts):
                print("", path.read_text(errors="replace").strip(), sep="\n")
            continue
        text = own_text(licence, package["authors"])
        if text is None:
            complete = False
            print(f"{package['name']}: no text of {licence}", file=sys.stderr)
        else:
            print("", "The crate has no text; this is that of the licence that it names.", "", text.strip(), sep="\n")
    sys.exit(not complete)


if __name__ == "__main__":
    main()
