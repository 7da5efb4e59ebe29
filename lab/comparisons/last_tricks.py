#!/usr/bin/env python3
"""Measures what the best line over samples gives a robot in the last tricks.

    lab/comparisons/last_tricks.py [--boards 200] [--deals FILE] [--samples 50] [--tricks 4 5 6]

Each board is played double dummy up to its last N tricks, in the par contract's strain, by the
declarer of par. From there declarer chooses in two ways from the same samples of the hidden hands:
by the double-dummy average of each card, as robots do, and by `best_line`. The defenders see all
cards and play best, or choose by the double-dummy average over samples of their own. The contract
is what double-dummy play makes, so that each trick counts. Prints the gain of `best_line` in
tricks and in IMPs with 95 % intervals, the time for each card, and the number of illegal cards.

FILE has a deal a line, or is a recording of DDS's benchmark (`dds-camrose-1-32.jsonl` of the
crate `dds-bridge-sys`). Needs the package `setrograde`; SETROGRADE_DB names the database.
"""
import argparse
import json
import random
import statistics
import time

import numpy as np
import setrograde as sg

DOWN = 'AKQJT98765432'


class Game:
    """A deal in play."""

    def __init__(self, deal, strain, declarer):
        self.start = deal
        self.strain, self.declarer = strain, declarer
        self.dummy = sg.SEATS[(sg.SEATS.index(declarer) + 2) % 4]
        self.leader = self.first = sg.SEATS[(sg.SEATS.index(declarer) + 1) % 4]
        self.hands = {seat: {suit + rank for suit, ranks in zip('SHDC', hand.split('.'))
                             for rank in ranks}
                      for seat, hand in zip(sg.SEATS, deal[2:].split())}
        self.trick, self.played, self.won = [], [], 0

    def copy(self):
        other = Game.__new__(Game)
        other.__dict__.update(self.__dict__)
        other.hands = {seat: set(hand) for seat, hand in self.hands.items()}
        other.trick, other.played = list(self.trick), list(self.played)
        return other

    @property
    def turn(self):
        return sg.SEATS[(sg.SEATS.index(self.leader) + len(self.trick)) % 4]

    @property
    def left(self):
        return 13 - len(self.played) // 4

    def is_declarers(self, seat):
        return seat in (self.declarer, self.dummy)

    def legal(self):
        hand = self.hands[self.turn]
        led = {card for card in hand if self.trick and card[0] == self.trick[0][0]}
        return led or hand

    def play(self, card):
        self.hands[self.turn].remove(card)
        self.trick.append(card)
        self.played.append(card)
        if len(self.trick) == 4:
            suits = {self.trick[0][0], self.strain}
            best = max(range(4), key=lambda at: (
                self.trick[at][0] == self.strain, self.trick[at][0] in suits,
                -DOWN.index(self.trick[at][1])))
            self.leader = sg.SEATS[(sg.SEATS.index(self.leader) + best) % 4]
            self.won += self.is_declarers(self.leader)
            self.trick = []

    def text(self):
        return 'N:' + ' '.join(
            '.'.join(''.join(rank for rank in DOWN if suit + rank in self.hands[seat])
                     for suit in 'SHDC') for seat in sg.SEATS)

    def position(self, deal=None):
        played = ' played=' + ','.join(self.trick) if self.trick else ''
        return f'{self.strain} {self.leader} {deal or self.text()}{played}'

    def question(self, seat):
        """What a seat, or declarer with dummy, sees."""
        seen = {self.dummy, self.declarer if self.is_declarers(seat) else seat}
        hands = [hand if at in seen else '?' for at, hand in zip(sg.SEATS, self.start[2:].split())]
        by = '' if self.is_declarers(seat) else f' by={seat}'
        return f'{self.strain} {self.first} N:{" ".join(hands)}{by} {" ".join(self.played)}'

    def samples(self, seat, count, seed):
        answer = sg.ask('layouts', question=self.question(seat), draw=count, seed=seed)
        return answer['samples']


def best_on_average(game, samples):
    """The card with the most double-dummy tricks on average: what robots do."""
    tricks = sg.solve_cards([game.position(deal) for deal in samples], threads=1)
    mean = tricks.astype(float).mean(axis=0)
    # The highest average; of these the lowest card.
    suit, rank = min(np.ndindex(4, 13), key=lambda at: (-round(mean[at], 9), at[1], at[0]))
    return 'SHDC'[suit] + DOWN[::-1][rank]


def by_line(game, samples):
    """The first card of the best line over the samples."""
    return sg.ask("best_line", game.question(game.turn), layouts=samples, time=5)["card"]


def double_dummy(game, rnd):
    tricks = sg.solve_cards([game.position()], threads=1)[0]
    best = np.argwhere(tricks == tricks.max())
    suit, rank = best[rnd.randrange(len(best))]
    return 'SHDC'[suit] + DOWN[::-1][rank]


def play_out(game, choose, sampled_defence, options, seed, times):
    """Plays a game to its end; returns declarer's tricks and the number of illegal cards."""
    game, illegal = game.copy(), 0
    defence = random.Random(seed)
    while game.left:
        legal = game.legal()
        if len(legal) == 1:
            game.play(next(iter(legal)))
            continue
        number = seed * 53 + len(game.played)
        if game.is_declarers(game.turn):
            samples = game.samples(game.turn, options.samples, number)
            begun = time.perf_counter()
            card = choose(game, samples)
            times.append(time.perf_counter() - begun)
            if card not in legal:
                illegal += 1
                card = min(legal)
        elif sampled_defence:
            card = best_on_average(game, game.samples(game.turn, options.samples, number))
        else:
            card = double_dummy(game, defence)
        game.play(card)
    return game.won, illegal


def deals(options):
    if options.deals:
        with open(options.deals) as file:
            lines = file.read().splitlines()
        if lines[0].startswith('{'):
            lines = [json.loads(line) for line in lines]
            return ['N:' + line['deal'] for line in lines if line['t'] == 'board']
        return [line.split(' | ')[0] for line in lines if line][:options.boards]
    return [str(deal) for deal in sg.deals(options.boards, seed=options.seed)]


def interval(values):
    mean = statistics.fmean(values)
    if len(values) < 2:
        return f'{mean:+.3f}'
    return f'{mean:+.3f} ± {1.96 * statistics.stdev(values) / len(values) ** 0.5:.3f}'


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--boards', type=int, default=200)
    parser.add_argument('--deals')
    parser.add_argument('--samples', type=int, default=50)
    parser.add_argument('--tricks', type=int, nargs='+', default=[4, 5, 6])
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    found = {(n, sampled): ([], []) for n in options.tricks for sampled in (False, True)}
    times = {by_line: [], best_on_average: []}
    illegal = 0
    played = deals(options)
    for number, deal in enumerate(played):
        par = sg.par(sg.table(deal), 'None', sg.SEATS[number % 4])
        contract = par.contracts[0] if par.contracts else None
        strain = contract.strain if contract else 'NT'
        game = Game(deal, strain, contract.declarers[0] if contract else 'S')
        rnd = random.Random(f'{options.seed} {number}')
        for n in sorted(options.tricks, reverse=True):
            while game.left > n or game.trick:
                game.play(double_dummy(game, rnd))
            rest = int(sg.solve_many([game.position()], threads=1)[0])
            best = game.won + (rest if game.is_declarers(game.leader) else n - rest)
            name = f'{min(7, max(1, best - 6))}{strain}{game.declarer}'
            for sampled in (False, True):
                results = []
                for choose in (by_line, best_on_average):
                    won, wrong = play_out(game, choose, sampled, options, number, times[choose])
                    results.append(won)
                    illegal += wrong
                scores = [sg.score(name, won) for won in results]
                tricks, imps = found[n, sampled]
                tricks.append(results[0] - results[1])
                imps.append(sg.imps(scores[0] - scores[1]))
    print(f'{len(played)} boards, {options.samples} samples')
    print('last tricks  defence       gain in tricks    gain in IMPs')
    for (n, sampled), (tricks, imps) in found.items():
        defence = 'samples' if sampled else 'double dummy'
        print(f'{n:11}  {defence:12}  {interval(tricks)}  {interval(imps)}')
    for choose, of in times.items():
        of.sort()
        half, most = of[len(of) // 2], of[int(len(of) * 0.99)]
        print(f'{choose.__name__}: {len(of)} cards, {1000 * half:.1f} ms each (median), '
              f'{1000 * most:.1f} ms p99')
    print(f'{illegal} illegal cards')


if __name__ == '__main__':
    main()
