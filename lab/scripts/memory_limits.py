#!/usr/bin/env python3
"""Runs commands under limits of their address space: each ends with an answer or an error that says
why, never by a signal, and leaves nothing that the next run does not remove.

    lab/scripts/memory_limits.py [PROGRAM] [--steps 200]

The limits go from 20 MB to 1 GB in equal ratios. Below what the program needs to start, the loader
or the standard library ends it; those limits are counted apart."""

import argparse
import collections
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile

DEAL = "N:AQ4.KJ32.A82.K93 KJ7.A4.QT95.QJ54 T852.Q87.KJ4.A76 963.T965.763.T82"
ENDING = "NT S N:AQ.T.. KJ..A. 32.A.. T9.K.."


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default="target/release/setrograde")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--cards", type=int, default=12)
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    work = pathlib.Path(tempfile.mkdtemp(prefix="memory-limits-"))
    whole = work / "whole"
    subprocess.run([program, "build", "--cards", str(arguments.cards), "--db", whole], check=True, capture_output=True)
    right = {path.name: path.read_bytes() for path in whole.iterdir() if path.is_file()}
    bare = work / "bare"
    shutil.copytree(whole, bare, ignore=shutil.ignore_patterns("*.map"))
    copy = work / "copy"
    scenes = {
        "start": (None, ["--version"]),
        "build": (None, ["build", "--cards", "8", "--threads", "2"]),
        "unpack": (bare, ["db", "unpack", "--threads", "2"]),
        "query": (whole, ["query", ENDING]),
        "query without maps": (bare, ["query", ENDING]),
        "table": (whole, ["table", DEAL]),
        "table without maps": (bare, ["table", DEAL]),
    }
    found = collections.defaultdict(collections.Counter)
    faults = []
    least = None
    for step in range(arguments.steps):
        limit = int(20e6 * 50 ** (step / max(1, arguments.steps - 1)))
        for name, (source, words) in scenes.items():
            shutil.rmtree(copy, ignore_errors=True)
            copy.mkdir()
            if source:
                shutil.copytree(source, copy, dirs_exist_ok=True)
            more = [] if name == "start" else ["--db", str(copy)]
            ended = subprocess.run(
                [program, *words, *more], capture_output=True, timeout=600,
                env={**os.environ, "SETROGRADE_DB": "none"},
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
            if name == "start":
                if ended.returncode == 0 and least is None:
                    least = limit
                continue
            says = ended.returncode == 0 or ended.stderr.strip()
            # A panic is neither.
            ends = ended.returncode > 0 and says and ended.returncode != 101
            kind = "answer" if ended.returncode == 0 else "error" if ends else "signal"
            found[name][kind if least else kind + " (no start)"] += 1
            if kind == "signal" and least:
                faults.append(f"{limit / 1e6:.1f} MB: {name}: {ended.returncode}: {ended.stderr[-200:]!r}")
            # The next run, with room, finishes the work and removes what was left.
            if name in ("build", "unpack"):
                subprocess.run([program, *words, "--db", copy], check=True, capture_output=True)
                left = [path.name for path in copy.iterdir() if path.name.startswith(".")]
                if left:
                    faults.append(f"{limit / 1e6:.1f} MB: {name}: left {left}")
                if name == "unpack":
                    maps = {path.name: path.read_bytes() for path in copy.glob("*.map")}
                    if maps != {file: bytes for file, bytes in right.items() if file.endswith(".map")}:
                        faults.append(f"{limit / 1e6:.1f} MB: {name}: other bytes")
    print(f"starts from {(least or 0) / 1e6:.1f} MB on")
    for name, kinds in found.items():
        print(f"{name}: " + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
    print("\n".join(faults) or "no fault")
    shutil.rmtree(work)
    raise SystemExit(bool(faults))


main()
