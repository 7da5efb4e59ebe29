#!/usr/bin/env python3
"""Times `table --random` beside CalcAllTables of DDS, and compares all results.

    lab/comparisons/data_set.py LIBDDS SETROGRADE [--deals 200] [--rounds 3]

Both use one thread and take turns. Prints deals an hour of processor time, and the number of
results that differ. SETROGRADE_DB names the database.
"""
import argparse, csv, ctypes, os, resource, statistics, subprocess, sys, tempfile, time

from hooked.tables import Results, TableDeal

BATCH = 40


class Deals(ctypes.Structure):
    _fields_ = [('count', ctypes.c_int), ('deals', TableDeal * (5 * BATCH))]


class AllResults(ctypes.Structure):
    _fields_ = [('count', ctypes.c_int), ('results', Results * (5 * BATCH))]


def by_dds(library, deals):
    """The results of the deals, and the processor time."""
    dds = ctypes.CDLL(library)
    dds.SetMaxThreads(1)
    strains = (ctypes.c_int * 5)()
    par = ctypes.create_string_buffer(1 << 20)
    found, begun = [], time.process_time()
    for at in range(0, len(deals), BATCH):
        part = deals[at:at + BATCH]
        asked, answers = Deals(count=len(part)), AllResults()
        for index, deal in enumerate(part):
            asked.deals[index].cards = deal.encode()
        code = dds.CalcAllTablesPBN(ctypes.byref(asked), -1, strains, ctypes.byref(answers), par)
        assert code == 1, code
        found += [[answers.results[index].tricks[strain][seat] for strain in range(5)
                   for seat in range(4)] for index in range(len(part))]
    return found, time.process_time() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('dds')
    parser.add_argument('program')
    parser.add_argument('--deals', type=int, default=200)
    parser.add_argument('--rounds', type=int, default=3)
    options = parser.parse_args()
    times, wrong = ([], []), 0
    for number in range(options.rounds):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, 'set.csv')
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            subprocess.run([options.program, 'table', '--random', str(options.deals), '--seed',
                            str(number + 1), '--format', 'csv', '--threads', '1', '--quiet', '--output', path],
                           check=True)
            times[0].append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
            with open(path) as file:
                rows = list(csv.reader(file))[1:]
        found, seconds = by_dds(options.dds, [row[3] for row in rows])
        times[1].append(seconds)
        wrong += sum(mine != theirs for row, right in zip(rows, found)
                     for mine, theirs in zip(map(int, row[4:24]), right))
    ours, dds = (options.deals / statistics.median(of) * 3600 for of in times)
    print(f'{options.rounds} rounds of {options.deals} deals: setrograde {ours:,.0f} deals an hour, '
          f'CalcAllTables {dds:,.0f}, ratio {ours / dds:.2f}; {wrong} results differ')
    sys.exit(wrong > 0)


if __name__ == '__main__':
    main()
