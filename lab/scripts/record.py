#!/usr/bin/env python3
"""Records what a measuring command prints as one section of lab/figures.json.

    COMMAND | tee /dev/stderr | lab/scripts/record.py SECTION

lab/figures.json has each SECTION with its command: `levels`, `tables`, `coarse`, `levels fine` and
`coarse fine` (the levels of `--grain fine`), `robot`, the hooked solvers and `waits`. A section is
replaced as a whole, so it never mixes two runs, except that `levels` and `waits` keep the rows that
the run lacks. tests/it/figures.rs compares README with the file.
"""

import json
import re
import sys
from pathlib import Path

FILE = Path(__file__).resolve().parents[1] / "figures.json"
# Sections with an object in each row. Rows that a run lacks are kept.
NESTED = ("levels", "waits")


def levels(text):
    """The levels of `setrograde db stats --json`."""
    rows = {}
    for level in json.loads(text)["levels"]:
        name = f"{level['cards']} coarse" if level["method"] == "coarse" else str(level["cards"])
        rows[name] = {"endings": int(level["states"]), "bytes": level["bytes"], "seconds": level["cpu_seconds"]}
    return rows


def database(name):
    """The row of a database, named by its directory, by box_times.py or by the library's name in replay."""
    if name in ("no database", "none"):
        return "none"
    if name == "as installed":
        return "12"
    found = re.search(r"(4|8|12|16|20|24|28)$", name)
    return found and found[1]


def tables(text):
    """The ratios of `setrograde table` by box_times.py."""
    lines = re.findall(r"^setrograde table, (.*?) +[\d.]+ s +([\d.]+)$", text, re.M)
    return {database(where): float(ratio) for where, ratio in lines}


def robot(text):
    """The ratios of all calls by replay; the first library is the unit."""
    heads, whole = (re.search(rf"^{first} .*$", text, re.M)[0].split() for first in (" +boards", "all"))
    ratios = [float(word) for word in whole[4::3]]
    return {database(name): ratio for name, ratio in list(zip(heads[1:], ratios))[1:]}


def hooked(text):
    """The ratios of libraries with a database by hooked/tables.py."""
    lines = re.findall(r",db=(\S+): [\d.]+ s of \d+, ([\d.]+),", text)
    return {database(name): float(ratio) for name, ratio in lines}


def coarse(text):
    """The times of the experiment `coarse`: exact 20 cards, and coarse levels on top."""
    ratios = re.findall(r"^.*: \d+ nodes \([\d.]+\), [\d.]+ ms \(([\d.]+), geometric", text, re.M)
    return dict(zip(["20", "28 coarse"], map(float, ratios)))


def waits(text):
    """The seconds of each command of waits.sh."""
    lines = re.findall(r"^(\S.*?) +(\d+) s +(\d+) s of CPU$", text, re.M)
    return {name: {"wall": int(wall), "cpu": int(cpu)} for name, wall, cpu in lines}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    section = sys.argv[1]
    figures = json.loads(FILE.read_text())
    if section not in figures:
        sys.exit(f"record.py: no section {section}; lab/figures.json has {', '.join(figures)}")
    parse = hooked if section.startswith("hooked") else globals()[section.split()[0]]
    rows = parse(sys.stdin.read())
    if not rows or None in rows:
        sys.exit(f"record.py: these are not the figures of {section}: {rows}")
    if section == "levels fine":
        rows = {name: row for name, row in rows.items() if name.endswith("coarse")}
    figures[section]["rows"] = figures[section]["rows"] | rows if section.split()[0] in NESTED else rows
    parts = []
    for name, entry in figures.items():
        each = [f"{json.dumps(row)}: {json.dumps(value)}" for row, value in entry["rows"].items()]
        nested = name.split()[0] in NESTED
        rows_text = ",\n      ".join(each) if nested else ", ".join(each)
        rows_text = f"{{\n      {rows_text}\n    }}" if nested else f"{{{rows_text}}}"
        parts.append(f'  "{name}": {{\n    "command": {json.dumps(entry["command"])},\n    "rows": {rows_text}\n  }}')
    FILE.write_text("{\n" + ",\n".join(parts) + "\n}\n")


if __name__ == "__main__":
    main()
