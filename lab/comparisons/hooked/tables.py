#!/usr/bin/env python3
"""Times double-dummy tables by libraries with the interface of DDS, with and without a database.

    lab/comparisons/hooked/tables.py data/deals_100.txt OUT/libdds2.so OUT/libdds2-hooked.so,db=db16

FILE has a deal in PBN and its 20 results on each line, or a question with its tricks on each line
(STRAIN LEADER DEAL TRICKS). Each library answers all of it in a process of its own, one thread, in
turn with the remaining ones, in each of --rounds rounds. Prints the medians of the processor time,
the ratio to the first library's, and the wrong answers. `db=DIR` sets SETROGRADE_DB,
`SETROGRADE_LIBRARY` must name libsetrograde.
"""
import argparse, ctypes, os, re, statistics, subprocess, sys, time


class TableDeal(ctypes.Structure):
    _fields_ = [('cards', ctypes.c_char * 80)]


class Results(ctypes.Structure):
    _fields_ = [('tricks', (ctypes.c_int * 4) * 5)]


class Deal(ctypes.Structure):
    _fields_ = [('trump', ctypes.c_int), ('first', ctypes.c_int), ('suit', ctypes.c_int * 3),
                ('rank', ctypes.c_int * 3), ('cards', ctypes.c_char * 80)]


class Future(ctypes.Structure):
    _fields_ = [('nodes', ctypes.c_int), ('cards', ctypes.c_int), ('suit', ctypes.c_int * 13),
                ('rank', ctypes.c_int * 13), ('equals', ctypes.c_int * 13),
                ('score', ctypes.c_int * 13)]


def answer(library, lines):
    """Returns the processor time for all answers, and the number of wrong ones."""
    dds = ctypes.CDLL(library)
    dds.SetMaxThreads(1)
    dds.CalcDDtablePBN.argtypes = [TableDeal, ctypes.POINTER(Results)]
    dds.SolveBoardPBN.argtypes = [Deal, ctypes.c_int, ctypes.c_int, ctypes.c_int,
                                  ctypes.POINTER(Future), ctypes.c_int]
    wrong, seconds = 0, 0.0
    for line in lines:
        deal, bar, numbers = line.partition(' | ')
        if bar:
            cards, results = TableDeal(deal.encode()), Results()
            begun = time.process_time()
            code = dds.CalcDDtablePBN(cards, ctypes.byref(results))
            seconds += time.process_time() - begun
            # No trump comes first in the file and last in DDS.
            found = [results.tricks[strain][seat] for strain in (4, 0, 1, 2, 3) for seat in range(4)]
            right = [int(number) for number in numbers.split()]
        else:
            strain, leader, cards, tricks = re.fullmatch(r'(\S+) (\S) (.*) (\d+)', line).groups()
            cards = Deal('SHDCN'.index(strain[0]), 'NESW'.index(leader), (ctypes.c_int * 3)(),
                         (ctypes.c_int * 3)(), cards.encode())
            future = Future()
            begun = time.process_time()
            code = dds.SolveBoardPBN(cards, -1, 1, 1, ctypes.byref(future), 0)
            seconds += time.process_time() - begun
            found, right = [future.score[0]], [int(tricks)]
        wrong += code != 1 or found != right
    return seconds, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('file')
    parser.add_argument('library', nargs='+', help='PATH or PATH,db=DIR')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--deals', type=int, help='the first of them only')
    parser.add_argument('--one', action='store_true', help=argparse.SUPPRESS)
    options = parser.parse_args()
    with open(options.file) as file:
        lines = [line for line in file.read().splitlines() if line][:options.deals]
    if options.one:
        print(*answer(options.library[0], lines))
        return
    times = {library: [] for library in options.library}
    wrong = dict.fromkeys(times, 0)
    for turn in range(options.rounds):
        order = options.library[turn % len(times):] + options.library[:turn % len(times)]
        for library in order:
            path, _, db = library.partition(',db=')
            environment = {**os.environ, 'SETROGRADE_DB': db or 'none'}
            command = [sys.executable, __file__, '--one', options.file, path]
            if options.deals:
                command += ['--deals', str(options.deals)]
            output = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
            seconds, faults = output.stdout.split()
            times[library].append(float(seconds))
            wrong[library] += int(faults)
    first = statistics.median(times[options.library[0]])
    for library, seconds in times.items():
        median = statistics.median(seconds)
        print(f'{library}: {median:.2f} s of {len(lines)}, {median / first:.3f}, '
              f'{min(seconds):.2f} to {max(seconds):.2f} s, {wrong[library]} wrong')


if __name__ == '__main__':
    main()
