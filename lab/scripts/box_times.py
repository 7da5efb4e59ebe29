#!/usr/bin/env python3
"""Times of a new installation: tables by the command, libdds and Python, before and after
`setrograde build`, and by a stock libdds.

    lab/scripts/box_times.py STOCK.so [--deals 100] [--rounds 1] [--file FILE] [--home DIR]... [--python PYTHON] [--cold]

Every line is a process of its own on one processor, with processor time as the figure,
the least of the rounds, in which the lines take turns. STOCK.so is a DDS 2.9, as endplay
carries one. FILE has a deal a line, or a list of DDS's (`hands/list100.txt` of its sources); by default it
is `data/deals_100.txt`. DIR is a data directory in which `setrograde build` has made a database. PYTHON is an
interpreter that has the package. With --cold no map is in the page cache when a line begins, and the figure is
elapsed time. Uses what `cargo build --release -p setrograde-cli -p setrograde-dds` makes.
"""

import argparse
import ctypes
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILT = Path(os.environ.get("BUILT", ROOT / "target/release"))


def by_library(path, file):
    """The tables of a file's deals by CalcAllTablesPBN, 40 at a time, on one thread."""
    library = ctypes.CDLL(path)
    library.SetMaxThreads(1)
    deals = Path(file).read_text().split("\n")[:-1]
    none = (ctypes.c_int * 5)()
    for first in range(0, len(deals), 40):
        some = deals[first : first + 40]
        asked = ctypes.create_string_buffer(16004)
        ctypes.c_int.from_buffer(asked).value = len(some)
        for index, deal in enumerate(some):
            text = deal.encode()
            asked[4 + 80 * index : 4 + 80 * index + len(text)] = text
        results, pars = ctypes.create_string_buffer(16004), ctypes.create_string_buffer(11520)
        code = library.CalcAllTablesPBN(asked, -1, none, results, pars)
        assert code == 1, code
    # DDS may crash at the end.
    sys.stdout.flush()


BY_PYTHON = "import setrograde as sg, sys; sg.tables(open(sys.argv[1]).read().split('\\n')[:-1], threads=1)"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("stock")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--file", type=Path, default=ROOT / "data/deals_100.txt")
    parser.add_argument("--home", action="append", default=[])
    parser.add_argument("--python")
    parser.add_argument("--cold", action="store_true")
    arguments = parser.parse_args()
    deals = re.findall(r"[NESW]:(?:[2-9TJQKA.]{16} ?){4}", arguments.file.read_text())
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/deals.txt"
        Path(file).write_text("".join(deal + "\n" for deal in deals[: arguments.deals]))
        empty = {"PATH": os.environ["PATH"], "HOME": folder, "XDG_DATA_HOME": folder}
        homes = [("no database", {"SETROGRADE_DB": "none"}), ("as installed", {})]
        homes += [(home, {"XDG_DATA_HOME": home}) for home in arguments.home]

        def seconds(command, more):
            for level in Path(more.get("XDG_DATA_HOME", folder)).glob("setrograde/*.map") if arguments.cold else ():
                with open(level) as opened:
                    os.fsync(opened)
                    os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            subprocess.run(command, env=empty | more, stdout=subprocess.DEVNULL, check=True,
                           preexec_fn=lambda: os.sched_setaffinity(0, {0}))  # fmt: skip
            wall, after = time.perf_counter() - wall, resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall

        own = [sys.executable, __file__, "--library"]
        ways = [
            ("setrograde table", [BUILT / "setrograde", "table", "-j", "1", file]),
            ("libdds", [*own, str(BUILT / "libdds.so"), file]),
        ]
        if arguments.python:
            ways.append(("Python", [arguments.python, "-c", BY_PYTHON, file]))
        lines = [("stock libdds", [*own, arguments.stock, file], {})]
        lines += [(f"{name}, {where}", command, more) for name, command in ways for where, more in homes]
        which = 1 if arguments.cold else 0
        rounds = [[seconds(command, more)[which] for _, command, more in lines] for _ in range(arguments.rounds)]
        least = [min(times) for times in zip(*rounds)]
        for (name, _, _), time_taken in zip(lines, least):
            print(f"{name:40} {time_taken:7.2f} s {time_taken / least[0]:6.3f}", flush=True)
        easy = "NT W N:AK.2.. QJ.A.. 32..A. ..K2.A"
        for where, more in homes:
            walls = sorted(seconds([BUILT / "setrograde", "solve", easy], more)[1] for _ in range(21))
            print(f"{'one solve, ' + where:30} {1000 * walls[10]:7.1f} ms (whole process)")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--library"]:
        by_library(*sys.argv[2:])
    else:
        main()
