"""``python -m setrograde``: a database to build, and libdds for other programs."""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import sys
from pathlib import Path

import setrograde as sg


def library() -> Path:
    """The libdds that is in this package."""
    names = ("libdds.so", "libdds.dylib", "dds.dll")
    for name in names:
        path = Path(__file__).with_name(name)
        if path.exists():
            # The levels beside it are unpacked for it, too.
            sg.Database()
            return path
    raise SystemExit("this build of setrograde has no libdds; the wheel of scripts/wheel.sh has")


def of_endplay() -> Path:
    """The libdds of the endplay that is installed."""
    found = importlib.util.find_spec("endplay")
    if found is None or found.origin is None:
        raise SystemExit("endplay is not installed in this environment")
    for path in (Path(found.origin).parent / "_dds").iterdir():
        if path.name in ("libdds.so", "libdds.dylib", "dds.dll"):
            return path
    raise SystemExit(f"{found.origin}: this endplay has no libdds")


def libdds(endplay: bool, back: bool) -> None:
    if not endplay:
        print(library())
        return
    theirs = of_endplay()
    kept = theirs.with_name(theirs.name + ".endplay")
    levels, theirs_levels = Path(__file__).with_name("share"), theirs.with_name("share")
    if back:
        if not kept.exists():
            raise SystemExit(f"{theirs} is endplay's own")
        os.replace(kept, theirs)
        shutil.rmtree(theirs_levels / "setrograde", ignore_errors=True)
        print(f"{theirs} is endplay's own again")
        return
    if not kept.exists():
        shutil.copy2(theirs, kept)
    # A process that has it open keeps what it has.
    fresh = theirs.with_name(theirs.name + ".new")
    shutil.copy2(library(), fresh)
    if levels.exists():
        shutil.copytree(levels, theirs_levels, dirs_exist_ok=True)
    os.replace(fresh, theirs)
    print(f"{theirs} is setrograde's; --back puts endplay's own in its place again")


def build(cards: int, db: str | None) -> None:
    shown = sys.stderr.isatty()

    def progress(level: int, done: int, everything: int) -> None:
        if shown:
            print(f"\r{level:2} cards: {done} of {everything} partitions ", end="", file=sys.stderr)

    database = sg.build(cards, db, progress=progress)
    if shown:
        print(file=sys.stderr)
    print(f"{max(database.cards)} cards in {database.path}")
    if db is None:
        print("setrograde uses them from now on, in Python, libdds and the command.")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m setrograde", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    builder = commands.add_parser("build", help="build a database, which is used from then on")
    builder.add_argument("--cards", type=int, default=16, help="most cards of all hands (16)")
    builder.add_argument("--db", help="directory (default: SETROGRADE_DB, or else the user's own)")
    finder = commands.add_parser("libdds", help="print the path of libdds")
    finder.add_argument("--endplay", action="store_true", help="put it in place of endplay's")
    finder.add_argument("--back", action="store_true", help="put endplay's own back")
    arguments = parser.parse_args()
    try:
        if arguments.command == "build":
            build(arguments.cards, arguments.db)
        else:
            libdds(arguments.endplay, arguments.back)
    except (ValueError, RuntimeError, OSError) as error:
        raise SystemExit(f"setrograde: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit("setrograde: interrupted; the same command continues from there") from None


if __name__ == "__main__":
    main()
