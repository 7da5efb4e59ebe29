#!/usr/bin/env python3
"""Records par as DDS 2.9 finds it, for `crates/dds/tests/it/pars.rs`.

    lab/scripts/record_pars.py LIBDDS > data/pars.txt

A table a line, with tabs between its fields: the tricks in hexadecimal, by strain (S H D C NT)
and declarer (N E S W); vulnerability and dealer as DDS numbers them; the scores and contracts
of `Par`, for each side; the answers of `SidesPar` for each side, and of `DealerPar`; the lines
of `ConvertToDealerTextFormat` and `ConvertToSidesTextFormat`, and whether these are equal.
"""

import ctypes
import random
import sys
from ctypes import byref, c_bool, c_char, c_int

TABLES = 300


class Table(ctypes.Structure):
    _fields_ = [("tricks", c_int * 4 * 5)]


class Sides(ctypes.Structure):
    _fields_ = [("score", c_char * 16 * 2), ("contracts", c_char * 128 * 2)]


class Dealer(ctypes.Structure):
    _fields_ = [("number", c_int), ("score", c_int), ("contracts", c_char * 10 * 10)]


class Contract(ctypes.Structure):
    _fields_ = [(name, c_int) for name in ("under", "over", "level", "denomination", "seats")]


class Master(ctypes.Structure):
    _fields_ = [("score", c_int), ("number", c_int), ("contracts", Contract * 10)]


class Text(ctypes.Structure):
    _fields_ = [("text", c_char * 128 * 2), ("equal", c_bool)]


def table(rng):
    """Tricks as deals have them: the sides share 13, or have one more where each gains by the
    other's lead, and partners differ by little."""
    strength, close = rng.choice((6.5, 6.5, 8, 9, 11)), rng.random() < 0.2
    rows = []
    for _ in range(5):
        first = rng.choice((6, 7, 8)) if close else round(rng.gauss(strength, 2))
        first = min(13, max(0, first))
        less = lambda tricks: max(0, tricks - rng.choice((0, 0, 0, 1, 1, 2)))
        second = min(13, 13 - first + (close or rng.random() < 0.25))
        both, others = [first, less(first)], [second, less(second)]
        rng.shuffle(both)
        rng.shuffle(others)
        rows.append([both[0], others[0], both[1], others[1]])
    if rng.random() < 0.5:
        rows = [row[1:] + row[:1] for row in rows]
    if rng.random() < 0.03:
        # Nobody makes anything.
        rows = [[min(tricks, 6) for tricks in row] for row in rows]
    return rows


def words(field):
    return bytes(field).split(b"\0")[0].decode()


def contracts(par):
    return f"{par.score} {','.join(words(par.contracts[n]) for n in range(par.number))}"


def main():
    dds = ctypes.CDLL(sys.argv[1])
    rng = random.Random(2009)
    for _ in range(TABLES):
        tricks = table(rng)
        vulnerable, dealer = rng.randrange(4), rng.randrange(4)
        asked = Table()
        for row, numbers in enumerate(tricks):
            asked.tricks[row][:] = numbers
        sides, both, one = Sides(), (Dealer * 2)(), Dealer()
        numbers, of_sides, line, text = Master(), (Master * 2)(), (c_char * 256)(), Text()
        codes = [
            dds.Par(byref(asked), byref(sides), vulnerable),
            dds.SidesPar(byref(asked), both, vulnerable),
            dds.DealerPar(byref(asked), byref(one), dealer, vulnerable),
            dds.DealerParBin(byref(asked), byref(numbers), dealer, vulnerable),
            dds.SidesParBin(byref(asked), of_sides, vulnerable),
            dds.ConvertToDealerTextFormat(byref(numbers), line),
            dds.ConvertToSidesTextFormat(of_sides, byref(text)),
        ]
        assert codes == [1] * len(codes), codes
        fields = [
            "".join(f"{number:x}" for row in tricks for number in row),
            f"{vulnerable}{dealer}",
        ]
        fields += map(words, (*sides.score, *sides.contracts))
        fields += map(contracts, (*both, one))
        fields += [words(line), *map(words, text.text), str(int(text.equal))]
        print("\t".join(fields))


if __name__ == "__main__":
    main()
