#!/usr/bin/env python3
"""Kills commands that write a database, or cuts the power under them, at random moments. Each command then runs
again until it is done: the files must have the bytes of an undisturbed build, and nothing else may remain.

    lab/scripts/kills.py [PROGRAM] [--kills 500] [--cuts 100] [--seed 1]

A kill is SIGKILL, SIGTERM, SIGINT, or SIGSTOP and then SIGKILL. A power cut is the image of a file system (ext4, which
writes nothing by itself for ten minutes), copied while the command is stopped, and mounted elsewhere; it needs root.
Exits with 1 if a file differs or remains, or a command panics, ends otherwise or takes more than 10 s to end."""

import argparse
import collections
import hashlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time

CARDS = "12"
# The ends of a process that SIGTERM or SIGINT ends; the last two are of one that did not listen yet.
INTERRUPTED = (0, 75, 130, -signal.SIGTERM, -signal.SIGINT)


def sums(directory):
    files = (path for path in directory.iterdir() if path.suffix != ".lock")
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "directory" for path in files}


class Attack:
    def __init__(self, program, work, chance):
        self.program, self.work, self.chance = program, work, chance
        self.counts, self.faults = collections.Counter(), []
        self.whole, self.chunks = work / "whole", work / "chunks"
        self.run("build", "--cards", CARDS, at=self.whole)
        self.right = sums(self.whole)
        self.run("build", "--cards", "8", at=self.chunks)
        for part in ("1/2", "2/2"):
            self.run("build", "--cards", CARDS, "--chunk", part, at=self.chunks)
        # The command, what is there before it, and the seconds that it takes.
        self.scenes = [
            ["build", ["build", "--cards", CARDS], None, 0],
            ["rebuild", ["build", "--force", "--cards", CARDS], (self.whole, None), 0],
            ["seal", ["db", "seal", "--cards", CARDS], (self.chunks, None), 0],
            ["unpack", ["db", "unpack"], (self.whole, "*.map"), 0],
        ]
        for scene in self.scenes:
            self.prepare(scene, work / "db")
            begun = time.monotonic()
            self.run(*scene[1], at=work / "db")
            scene[3] = time.monotonic() - begun

    def command(self, words, at):
        return [self.program, *words, "--db", at, "--threads", "1"]

    def run(self, *words, at):
        return subprocess.run(self.command(words, at), check=True, capture_output=True)

    @staticmethod
    def copy(source, to, without=None):
        shutil.copytree(source, to, ignore=without and shutil.ignore_patterns(without))

    def prepare(self, scene, at):
        shutil.rmtree(at, ignore_errors=True)
        if scene[2]:
            self.copy(scene[2][0], at, scene[2][1])

    def disturbed(self, scene, at):
        """Starts the command and waits for a random part of its time; returns it, or None if it has ended."""
        process = subprocess.Popen(self.command(scene[1], at), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            process.wait(self.chance.uniform(0, 1.2) * scene[3])
        except subprocess.TimeoutExpired:
            return process
        self.judge(scene, process, (0,))
        return None

    def judge(self, scene, process, ends):
        errors = process.communicate()[1]
        if process.returncode not in ends or b"panicked" in errors:
            self.faults.append(f"{scene[0]}: {process.returncode}: {errors[-300:]!r}")

    def kill(self, scene, process):
        kind = self.chance.choice([signal.SIGKILL] * 4 + [signal.SIGTERM, signal.SIGINT, signal.SIGSTOP])
        process.send_signal(kind)
        if kind == signal.SIGSTOP:
            time.sleep(self.chance.uniform(0, 0.1))
            process.send_signal(signal.SIGKILL)
        begun = time.monotonic()
        kills = (-signal.SIGKILL,) if kind in (signal.SIGKILL, signal.SIGSTOP) else INTERRUPTED
        # It may have ended before.
        self.judge(scene, process, (0, *kills))
        if time.monotonic() - begun > 10:
            self.faults.append(f"{scene[0]}: {kind.name}: it takes {time.monotonic() - begun:.1f} s to end")
        self.counts[f"{scene[0]}, {kind.name}"] += 1

    def finish(self, scene, at):
        words = [word for word in scene[1] if word != "--force"]
        ended = subprocess.run(self.command(words, at), capture_output=True)
        if ended.returncode:
            self.faults.append(f"{scene[0]}, again: {ended.returncode}: {ended.stderr[-300:]!r}")
            return
        found = sums(at)
        if found != self.right:
            names = sorted(name for name in {*found, *self.right} if found.get(name) != self.right.get(name))
            self.faults.append(f"{scene[0]}: other bytes or files: {names}")

    def kills(self, most):
        done = 0
        while done < most:
            scene = self.scenes[done % len(self.scenes)]
            self.prepare(scene, self.work / "db")
            for _ in range(self.chance.randrange(1, 6)):
                process = self.disturbed(scene, self.work / "db")
                if process:
                    self.kill(scene, process)
                    done += 1
            self.finish(scene, self.work / "db")
        print(f"{done} kills: {dict(sorted(self.counts.items()))}", flush=True)

    def cuts(self, most):
        image, copy, mounted = self.work / "image", self.work / "copy", self.work / "mounted"
        mounted.mkdir()
        system = lambda *words: subprocess.run(words, check=True, capture_output=True)
        done, tried = 0, 0
        while done < most:
            scene, tried = self.scenes[tried % len(self.scenes)], tried + 1
            system("truncate", "-s", "64M", image)
            system("mkfs.ext4", "-q", "-F", image)
            system("mount", "-o", "loop,commit=600", image, mounted)
            try:
                self.prepare(scene, mounted / "db")
                system("sync", "-f", mounted)
                process = self.disturbed(scene, mounted / "db")
                if process:
                    process.send_signal(signal.SIGSTOP)
                system("cp", "--sparse=always", image, copy)
                if process:
                    process.kill()
                    process.communicate()
            finally:
                system("umount", mounted)
            system("mount", "-o", "loop", copy, mounted)
            try:
                self.finish(scene, mounted / "db")
            finally:
                system("umount", mounted)
            done += 1
            self.counts[f"{scene[0]}, cut" if process else f"{scene[0]}, cut when done"] += 1
        print(f"{done} power cuts: {dict(sorted((name, of) for name, of in self.counts.items() if 'cut' in name))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", default="target/release/setrograde")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--cuts", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    os.environ.update(SOURCE_DATE_EPOCH="1", SETROGRADE_DB="none")
    with tempfile.TemporaryDirectory(prefix="kills-") as work:
        attack = Attack(pathlib.Path(asked.program).resolve(), pathlib.Path(work), random.Random(asked.seed))
        attack.kills(asked.kills)
        attack.cuts(asked.cuts)
    print("\n".join(attack.faults) or "no fault")
    raise SystemExit(bool(attack.faults))


main()
