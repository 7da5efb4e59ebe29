#!/usr/bin/env python3
"""Checks conditions on results (`table --where`, `deal --where`) by brute force over the answers of
DDS.

    lab/comparisons/conditions.py LIBDDS SETROGRADE [--conditions 500] [--leads 500] [--seed 1]

DDS computes the tables of a pool of random boards and the tricks after every lead that a condition
speaks of. Random conditions, joined and denied at random, are evaluated over these answers in
Python; `table --where` must keep the same boards. `unique(lead)` is checked on --leads more
contracts against SolveBoard's answers for all cards.
"""
import argparse, ctypes, os, random, subprocess, sys, tempfile

from hooked.tables import Deal, Future, Results, TableDeal

STRAINS = ['S', 'H', 'D', 'C', 'NT']
SEATS = 'NESW'
RANKS = '23456789TJQKA'


class Dealer(ctypes.Structure):
    _fields_ = [('number', ctypes.c_int), ('score', ctypes.c_int),
                ('contracts', (ctypes.c_char * 10) * 10)]


class Dds:
    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.lib.SetMaxThreads(1)
        self.lib.CalcDDtablePBN.argtypes = [TableDeal, ctypes.POINTER(Results)]
        self.lib.SolveBoardPBN.argtypes = [Deal, ctypes.c_int, ctypes.c_int, ctypes.c_int,
                                           ctypes.POINTER(Future), ctypes.c_int]

    def table(self, deal):
        results = Results()
        assert self.lib.CalcDDtablePBN(TableDeal(deal.encode()), ctypes.byref(results)) == 1
        return results

    def par(self, results, dealer, sides):
        answer = Dealer()
        assert self.lib.DealerPar(ctypes.byref(results), ctypes.byref(answer), dealer, sides) == 1
        return answer.score

    def cards(self, strain, leader, deal, lead=None):
        """The runs of equal cards that may be played, and the tricks of the side to play."""
        board = Deal(STRAINS.index(strain), SEATS.index(leader), (ctypes.c_int * 3)(),
                     (ctypes.c_int * 3)(), deal.encode())
        if lead:
            board.suit[0], board.rank[0] = 'SHDC'.index(lead[0]), RANKS.index(lead[1]) + 2
            hands = deal[2:].split()
            at = SEATS.index(leader)
            suits = hands[at].split('.')
            suit = 'SHDC'.index(lead[0])
            suits[suit] = suits[suit].replace(lead[1], '')
            hands[at] = '.'.join(suits)
            board.cards = f'N:{" ".join(hands)}'.encode()
        future = Future()
        code = self.lib.SolveBoardPBN(board, -1, 3, 1, ctypes.byref(future), 0)
        assert code == 1, code
        runs = []
        for at in range(future.cards):
            ranks = [rank for rank in range(15) if future.equals[at] >> rank & 1]
            ranks.append(future.rank[at])
            cards = ['SHDC'[future.suit[at]] + RANKS[rank - 2] for rank in ranks]
            runs.append((cards, future.score[at]))
        return runs


def deal_text(random_):
    pack = [suit + rank for suit in 'SHDC' for rank in RANKS]
    random_.shuffle(pack)
    hands = [pack[13 * at:13 * at + 13] for at in range(4)]
    text = lambda hand: '.'.join(
        ''.join(rank for rank in RANKS[::-1] if suit + rank in hand) for suit in 'SHDC')
    return 'N:' + ' '.join(map(text, hands))


def points(hand):
    return 4 * hand.count('A') + 3 * hand.count('K') + 2 * hand.count('Q') + hand.count('J')


def score(level, strain, doubling, tricks, vulnerable):
    """The duplicate score of declarer's side."""
    over = tricks - level - 6
    factor = {'': 1, 'X': 2, 'XX': 4}[doubling]
    if over < 0:
        if not factor - 1:
            return over * (100 if vulnerable else 50)
        cost = 0
        for down in range(1, -over + 1):
            if vulnerable:
                cost += 200 if down == 1 else 300
            else:
                cost += 100 if down == 1 else 200 if down <= 3 else 300
        return -cost * factor // 2
    each = 20 if strain in 'CD' else 30
    base = (each * level + (10 if strain == 'NT' else 0)) * factor
    total = base + (50 if base < 100 else 500 if vulnerable else 300)
    total += {6: 750 if vulnerable else 500, 7: 1500 if vulnerable else 1000}.get(level, 0)
    if factor > 1:
        total += 25 * factor
        return total + over * 50 * factor * (2 if vulnerable else 1)
    return total + over * each


class Board:
    def __init__(self, dds, number, deal):
        self.dds, self.number, self.deal = dds, number, deal
        self.hands = deal[2:].split()
        self.results = dds.table(deal)
        index = (number - 1) % 16
        self.sides = (index + index // 4) % 4  # none, NS, EW, both
        self.dealer = (number - 1) % 4
        self.memory = {}

    def vulnerable(self, seat):
        return self.sides == 3 or self.sides == (1 if seat in 'NS' else 2)

    def tricks(self, seat, strain):
        return self.results.tricks[STRAINS.index(strain)][SEATS.index(seat)]

    def par(self):
        # DDS numbers the sides: none, both, NS, EW.
        return self.dds.par(self.results, self.dealer, [0, 2, 3, 1][self.sides])

    def score(self, contract):
        level, strain, doubling, seat = contract
        found = score(level, strain, doubling, self.tricks(seat, strain), self.vulnerable(seat))
        return found if seat in 'NS' else -found

    def runs(self, strain, seat, lead=None):
        key = strain, seat, lead
        if key not in self.memory:
            leader = SEATS[(SEATS.index(seat) + 1) % 4]
            self.memory[key] = self.dds.cards(strain, leader, self.deal, lead)
        return self.memory[key]

    def unique_lead(self, contract):
        level, strain, _, seat = contract
        return sum(tricks >= 8 - level for _, tricks in self.runs(strain, seat)) == 1

    def lead(self, contract, card):
        """The tricks after a lead, or None."""
        _, strain, _, seat = contract
        for cards, tricks in self.runs(strain, seat):
            if card in cards:
                return tricks
        return None

    def unique_card(self, contract, card):
        level, strain, _, seat = contract
        if self.lead(contract, card) is None:
            return False
        runs = self.runs(strain, seat, card)
        return len(runs) > 1 and sum(tricks >= level + 6 for _, tricks in runs) == 1

    def lost(self, contract, card):
        tricks = self.lead(contract, card)
        if tricks is None:
            return None
        _, strain, _, seat = contract
        return 13 - self.tricks(seat, strain) - tricks

    def pbn(self):
        sides = ['None', 'NS', 'EW', 'All'][self.sides]
        return (f'[Board "{self.number}"]\n[Dealer "{SEATS[self.dealer]}"]\n'
                f'[Vulnerable "{sides}"]\n[Deal "{self.deal}"]\n\n')


COMPARE = {'<': lambda a, b: a < b, '<=': lambda a, b: a <= b, '>': lambda a, b: a > b,
           '>=': lambda a, b: a >= b, '=': lambda a, b: a == b}


def random_contract(rnd):
    contract = (rnd.randint(1, 7), rnd.choice(STRAINS), rnd.choice(['', '', 'X', 'XX']),
                rnd.choice(SEATS))
    level, strain, doubling, seat = contract
    return contract, f'{level}{strain}{doubling}{seat}'


def number(rnd):
    """An amount that is compared: its text and its value in a board, or None."""
    kind = rnd.random()
    if kind < 0.6:
        seat, strain = rnd.choice(SEATS), rnd.choice(STRAINS)
        return f'tricks({seat},{strain})', lambda board: board.tricks(seat, strain), (0, 13)
    if kind < 0.75:
        return 'par', lambda board: board.par(), (-1500, 1500)
    if kind < 0.9:
        contract, text = random_contract(rnd)
        return f'score({text})', lambda board: board.score(contract), (-1500, 1500)
    contract, text = random_contract(rnd)
    card = rnd.choice('SHDC') + rnd.choice(RANKS)
    return f'lost({card},{text})', lambda board: board.lost(contract, card), (0, 3)


def statement(rnd):
    kind = rnd.random()
    if kind < 0.12:
        contract, text = random_contract(rnd)
        return f'makes({text})', lambda board: board.tricks(contract[3], contract[1]) >= contract[0] + 6
    if kind < 0.18:
        contract, text = random_contract(rnd)
        return f'unique(lead,{text})', lambda board: board.unique_lead(contract)
    if kind < 0.24:
        contract, text = random_contract(rnd)
        card = rnd.choice('SHDC') + rnd.choice(RANKS)
        return f'unique(card,{text},{card})', lambda board: board.unique_card(contract, card)
    if kind < 0.4:
        seat, other, most = rnd.choice(SEATS), rnd.choice(SEATS), rnd.randint(10, 30)
        if seat == other:
            return f'{seat}.hcp<={most}', lambda b: points(b.hands[SEATS.index(seat)]) <= most
        return (f'{seat}.hcp+{other}.hcp<={most}',
                lambda b: points(b.hands[SEATS.index(seat)]) + points(b.hands[SEATS.index(other)])
                <= most)
    text, value, (low, high) = number(rnd)
    relation = rnd.choice(list(COMPARE))
    step = 10 if high > 13 else 1
    if rnd.random() < 0.5:
        bound = rnd.randint(low // step, high // step) * step
        if relation == '=' and high == 13 and rnd.random() < 0.5:
            top = min(high, bound + rnd.randint(0, 3))
            return f'{text}={bound}-{top}', lambda b: bound <= value(b) <= top
        if not (relation == '<' and bound <= 0 and high <= 13
                or relation == '>' and bound >= 13 and high <= 13):
            return (f'{text}{relation}{bound}',
                    lambda b: value(b) is not None and COMPARE[relation](value(b), bound))
    right, other, _ = number(rnd)
    plus, more = rnd.choice(['', '+1', '-1', '+50']), 0
    if plus:
        more = int(plus)

    def holds(board):
        a, b = value(board), other(board)
        return a is not None and b is not None and COMPARE[relation](a, b + more)
    return f'{text}{relation}{right}{plus}', holds


def condition(rnd, depth=0):
    kind = rnd.random()
    if depth == 3 or kind < 0.3 + 0.15 * depth:
        return statement(rnd)
    if kind < 0.55:
        text, holds = condition(rnd, depth + 1)
        return f'not ({text})', lambda board: not holds(board)
    parts = [condition(rnd, depth + 1) for _ in range(rnd.randint(2, 3))]
    mark, every = rnd.choice([(',', all), ('|', any)])
    return '(' + mark.join(text for text, _ in parts) + ')', lambda board: every(
        holds(board) for _, holds in parts)


def kept(program, boards, text, directory):
    path = os.path.join(directory, 'boards.pbn')
    with open(path, 'w') as file:
        file.writelines(board.pbn() for board in boards)
    found = subprocess.run([program, 'table', '--format', 'pbn', '--where', text, path],
                           capture_output=True, text=True)
    if found.returncode:
        return found.stderr
    return [int(line[8:-2]) for line in found.stdout.splitlines() if line.startswith('[Board ')]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('dds')
    parser.add_argument('program')
    parser.add_argument('--conditions', type=int, default=500)
    parser.add_argument('--leads', type=int, default=500)
    parser.add_argument('--boards', type=int, default=200)
    parser.add_argument('--part', type=int, default=12, help='boards that a condition is tried on')
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    rnd = random.Random(options.seed)
    dds = Dds(options.dds)
    pool = [Board(dds, number, deal_text(rnd)) for number in range(1, options.boards + 1)]
    wrong = fits = tried = 0
    with tempfile.TemporaryDirectory() as directory:
        checked = 0
        while checked < options.conditions:
            text, holds = condition(rnd)
            boards = rnd.sample(pool, options.part)
            right = [board.number for board in boards if holds(board)]
            found = kept(options.program, boards, text, directory)
            # A condition so long is refused.
            if 'more than 256 alternatives' in found:
                continue
            checked += 1
            tried, fits = tried + len(boards), fits + len(right)
            if found != right:
                wrong += 1
                print(f'{text}\n  expected {right}\n  found {found}')
        print(f'{options.conditions} conditions on {options.part} boards each: {fits} of {tried} '
              f'fit, {wrong} conditions wrong')
        leads = unique = bad = 0
        while leads < options.leads:
            boards = rnd.sample(pool, min(20, options.leads - leads))
            seat, strain = rnd.choice(SEATS), rnd.choice(STRAINS)
            # The contract that most often fails by a trick.
            tricks = sorted(board.tricks(seat, strain) for board in boards)[len(boards) // 2]
            contract = (min(7, max(1, tricks - 5)), strain, '', seat)
            text = f'unique(lead,{contract[0]}{strain}{seat})'
            right = [board.number for board in boards if board.unique_lead(contract)]
            found = kept(options.program, boards, text, directory)
            leads, unique = leads + len(boards), unique + len(right)
            if found != right:
                bad += 1
                print(f'{text}\n  expected {right}\n  found {found}')
        print(f'unique(lead) of {leads} deals: {unique} have one, {bad} lists wrong')
    sys.exit(bool(wrong or bad))


if __name__ == '__main__':
    main()
