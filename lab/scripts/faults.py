#!/usr/bin/env python3
"""Makes system calls of the command fail, one at a time, and checks the files that it leaves.

    lab/scripts/faults.py target/release/setrograde [--stride 4] [SCENE...]

Scenes: build, seal and unpack; build-again, which finds a whole database; table, which writes a file;
query.

strace makes the n-th call of a kind fail, or kills the process there. Afterwards the same command
runs undisturbed: the database must then have the bytes of an undisturbed build, no sound level is
replaced, and a query has no wrong answer. Counts the faults after which the process ended by a
signal or a panic. Inside the standard library, which cannot go on without memory for its own
stacks, that is no fault of the command; more than 1 % of them make this exit with 1, as anything
lost or false does. Faults that also end `--version` come before the command begins, in the loader,
and are left out. Needs strace.
"""

import argparse
import collections
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ENVIRONMENT = {**os.environ, "SOURCE_DATE_EPOCH": "1", "SETROGRADE_DB": "none"}
FAULTS = {
    "write": ["error=ENOSPC", "error=EIO", "error=EINTR", "signal=KILL"],
    "fdatasync": ["error=EIO", "error=ENOSPC", "signal=KILL"],
    "fsync": ["error=EIO", "signal=KILL"],
    "rename": ["error=EIO", "error=ENOSPC", "error=EACCES", "error=EBUSY", "signal=KILL"],
    "linkat": ["error=EPERM", "error=EIO", "signal=KILL"],
    "unlink": ["error=EIO", "error=EBUSY", "signal=KILL"],
    "openat": ["error=EMFILE", "error=EIO", "error=EINTR", "error=EBUSY", "error=EACCES"],
    "mkdir": ["error=EIO", "error=ENOSPC"],
    "rmdir": ["error=EIO", "error=EBUSY", "signal=KILL"],
    "ftruncate": ["error=EIO", "error=EINTR"],
    "read": ["error=EIO", "error=EINTR"],
    "pread64": ["error=EIO", "error=EINTR"],
    "lseek": ["error=EIO"],
    "statx": ["error=EIO", "error=EACCES"],
    "getdents64": ["error=EIO"],
    "flock": ["error=ENOLCK", "error=EIO"],
    "mmap": ["error=ENOMEM"],
    "clone3": ["error=EAGAIN"],
    "copy_file_range": ["error=EIO", "error=EXDEV"],
}
SCENES = ["build", "seal", "unpack", "build-again", "table", "query"]
QUESTION = "H W N:A.2.. K..A. .AK.. Q..K."
DEAL = "N:AK.2.. QJ.A.. 32..A. ..K2.A"


def sums(directory):
    """The checksums of levels, maps and manifest."""
    names = [path for path in directory.iterdir() if path.suffix in (".sdb", ".map") or path.name == "manifest"]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in names}


class Scenes:
    """The commands, and the database that each finds."""

    def __init__(self, program, work):
        self.program, self.work, self.here = program, work, work / "db"
        self.whole = work / "whole"
        self.run(["build", "--cards", "8", "--db", self.whole])
        self.right = sums(self.whole)
        self.parts = work / "parts"
        self.run(["build", "--cards", "4", "--db", self.parts])
        for chunk in ("1/2", "2/2"):
            self.run(["build", "--cards", "8", "--chunk", chunk, "--db", self.parts])
        self.file = self.here / "tables"
        table = [self.program, "table", "--db", "none", DEAL]
        self.table = subprocess.run(table, check=True, capture_output=True, env=ENVIRONMENT).stdout

    def run(self, command):
        subprocess.run([self.program, *command], check=True, capture_output=True, env=ENVIRONMENT)

    def without_maps(self, to):
        shutil.copytree(self.whole, to, ignore=shutil.ignore_patterns("*.map"))

    def prepare(self, scene):
        """Puts the database in place; returns the command."""
        shutil.rmtree(self.here, ignore_errors=True)
        if scene == "seal":
            shutil.copytree(self.parts, self.here)
        elif scene == "unpack":
            self.without_maps(self.here)
        elif scene in ("query", "build-again"):
            shutil.copytree(self.whole, self.here)
        else:
            self.here.mkdir()
        if scene == "table":
            self.file.write_text("before")
            return ["table", "--db", "none", "-o", self.file, DEAL]
        self.sound = self.identities()
        build = ["build", "--cards", "8", "--threads", "1"]
        return {
            "build": build,
            "build-again": build,
            "seal": ["db", "seal", "--cards", "8", "--threads", "1"],
            "unpack": ["db", "unpack", "--threads", "1"],
            "query": ["query", QUESTION],
        }[scene] + ["--db", self.here]

    def identities(self):
        """Which file each compressed level is; another one has replaced it if that changes."""
        return {path.name: path.stat().st_ino for path in self.here.glob("*.sdb")}

    def disturbed(self, command, call, fault, number):
        """Runs a command whose call with this number fails; returns it and whether there was such a call."""
        trace = self.work / "trace"
        inject = ["-e", f"trace={call}", "-e", f"inject={call}:{fault}:when={number}"]
        words = ["strace", "-f", "-qq", "-o", trace, *inject, self.program, *command]
        ended = subprocess.run(words, capture_output=True, text=True, errors="replace", env=ENVIRONMENT, timeout=120)
        said = trace.read_text(errors="replace")
        return ended, "INJECTED" in said or "killed by SIGKILL" in said

    def ends_any(self, call, fault, number):
        """Whether the fault ends a command that does nothing."""
        return crashed(self.disturbed(["--version"], call, fault, number)[0], fault)

    def problem(self, scene, command, ended, fault):
        """What is lost or false afterwards."""
        if scene == "query":
            wrong = ended.returncode == 0 and not ended.stdout.strip().endswith("\t0")
            return f"a wrong answer: {ended.stdout}" if wrong else None
        if scene == "table":
            right = [self.table] if ended.returncode == 0 and "KILL" not in fault else [b"before", self.table]
            return None if self.file.read_bytes() in right else f"another text: {self.file.read_bytes()}"
        if ended.returncode == 0 and "KILL" not in fault and sums(self.here) != self.right:
            return "it ended well, and the database differs"
        again = subprocess.run([self.program, *command], capture_output=True, text=True, env=ENVIRONMENT)
        if again.returncode != 0:
            return f"the next run fails: {again.stderr.strip()}"
        there = self.identities()
        replaced = [name for name, identity in self.sound.items() if there.get(name) != identity]
        if replaced:
            return f"sound levels were replaced: {replaced}"
        return None if sums(self.here) == self.right else "after the next run the database differs"


def crashed(ended, fault):
    return "panicked" in ended.stderr or ended.returncode < 0 and "KILL" not in fault


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("scenes", nargs="*", default=SCENES)
    parser.add_argument("--stride", type=int, default=1, help="of many calls each so many")
    arguments = parser.parse_intermixed_args()
    bad = 0
    with tempfile.TemporaryDirectory() as work:
        scenes = Scenes(arguments.program.resolve(), Path(work))
        for scene in arguments.scenes:
            count, crashes = 0, collections.Counter()
            for call, faults in FAULTS.items():
                for fault in faults:
                    number = tried = 1
                    while True:
                        command = scenes.prepare(scene)
                        ended, was_there = scenes.disturbed(command, call, fault, number)
                        if not was_there:
                            break
                        if not (crashed(ended, fault) and scenes.ends_any(call, fault, number)):
                            count += 1
                            crashes[call, fault] += crashed(ended, fault)
                        problem = scenes.problem(scene, command, ended, fault)
                        if problem:
                            bad += 1
                            print(f"{scene}, {call} {fault}, call {number}: {problem}", flush=True)
                        tried += 1
                        number += arguments.stride if tried > 20 else 1
            bad += crashes.total() > count / 100
            which = dict(+crashes)
            print(f"{scene}: {count} faults, {crashes.total()} ended by a signal or a panic: {which}", flush=True)
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
