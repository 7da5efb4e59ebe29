#!/usr/bin/env python3
"""Checks certificates of double-dummy results, written from docs/certificate.md alone.

    scripts/check_certificate.py FILE...

Prints each deal, its results and the number of lemmas, or the first lemma that fails. `-` is standard
input. Exits with 1 if a certificate is refused. It takes about 100 times as long as setrograde-check."""

import sys
import zlib
from collections import defaultdict, deque, namedtuple

X = 99  # The rank of an x, below all known cards.
HANDS = range(4)
SUITS = range(4)

# leader: 0 to 3; lengths: by suit, by hand; tops: by suit, the owners of its known cards from the top;
# side: 0 for North and South, 1 for East and West; goal: the tricks that the side takes at least.
Lemma = namedtuple("Lemma", "leader lengths tops side goal")


class Refused(Exception):
    pass


def left(lemma):
    return sum(lengths[0] for lengths in lemma.lengths)


def sure_trumps(lemma):
    lengths, tops = lemma.lengths[3], lemma.tops[3]
    for hand in (lemma.side, lemma.side + 2):
        if lengths[hand] - lengths[(hand + 1) % 4] - lengths[(hand + 3) % 4] >= lemma.goal:
            return True
        for known in range(1, len(tops) + 1):
            mine = tops[:known].count(hand)
            theirs = sum(owner % 2 != lemma.side for owner in tops[:known])
            if mine - theirs >= lemma.goal:
                return True
    return False


def quick_tricks(lemma, trumps):
    leader, goal = lemma.leader, lemma.goal
    if leader % 2 != lemma.side:
        return False
    right, partner, other = ((leader + nth) % 4 for nth in (1, 2, 3))
    tops, full = [], []
    for suit in SUITS:
        lengths = lemma.lengths[suit]
        top = 0
        while top < len(lemma.tops[suit]) and lemma.tops[suit][top] == leader:
            top += 1
        longest = max(lengths[right], lengths[partner], lengths[other])
        tops.append(top)
        full.append(lengths[leader] if top >= longest else top)
    if not trumps:
        return sum(full) >= goal
    ruffers = [hand for hand in (right, other) if lemma.lengths[3][hand] > 0]
    if full[3] >= min(goal, max(lemma.lengths[3][right], lemma.lengths[3][other])):
        return sum(full) >= goal
    rounds = [min([tops[suit]] + [lemma.lengths[suit][hand] for hand in ruffers]) for suit in range(3)]
    partner_trumps = lemma.lengths[3][partner]
    free = partner_trumps == 0 or left(lemma) - partner_trumps >= goal
    return free and sum(rounds) >= goal


def moves(lemma):
    """The moves of each hand, in order: pairs of suit and rank."""
    found = [[] for _ in HANDS]
    for suit in SUITS:
        tops = lemma.tops[suit]
        for rank, owner in enumerate(tops):
            if rank == 0 or tops[rank - 1] != owner:
                found[owner].append((suit, rank))
        for hand in HANDS:
            if lemma.lengths[suit][hand] > tops.count(hand):
                found[hand].append((suit, X))
    return found


def beats(card, best, trumps):
    if card[0] == best[0]:
        return card[1] < best[1]
    return trumps and card[0] == 3


def after(lemma, cards, winner):
    lengths = [list(suit) for suit in lemma.lengths]
    tops = [list(suit) for suit in lemma.tops]
    for nth, (suit, _) in enumerate(cards):
        lengths[suit][(lemma.leader + nth) % 4] -= 1
    for suit, rank in sorted(cards, reverse=True):
        if rank != X:
            del tops[suit][rank]
    goal = lemma.goal - (winner % 2 == lemma.side)
    return Lemma(winner, tuple(map(tuple, lengths)), tuple(map(tuple, tops)), lemma.side, goal)


def includes(lemma, other):
    return lemma.goal >= other.goal and all(
        theirs[: len(mine)] == mine for mine, theirs in zip(lemma.tops, other.tops)
    )


class Certificate:
    def __init__(self, data):
        title, deal, results, rest = data.split(b"\n", 3)
        self.deal = deal.decode("ascii")
        if title != b"setrograde certificate 1":
            raise Refused("it is no certificate")
        self.bytes = deque(rest)
        self.number = 0
        self.read_deal(self.deal)
        self.read_results(results.decode("ascii").split(" ", 20))

    def read_deal(self, text):
        if text[:2] != "N:":
            raise Refused("the deal does not begin with North")
        hands = [hand.split(".", 4) for hand in text[2:].split(" ", 4)]
        if len(hands) != 4 or any(len(suits) != 4 for suits in hands):
            raise Refused("the deal does not have four hands of four suits")
        self.owners = []
        for suit in SUITS:
            held = sorted(("AKQJT98765432".index(rank), hand) for hand in HANDS for rank in hands[hand][suit])
            if len(dict(held)) != len(held):
                raise Refused("a card occurs twice")
            self.owners.append(tuple(hand for _, hand in held))
        totals = {sum(owners.count(hand) for owners in self.owners) for hand in HANDS}
        if len(totals) != 1 or totals == {0}:
            raise Refused("the hands are empty or not equally long")
        self.left = totals.pop()

    def read_results(self, words):
        values = {str(tricks): tricks for tricks in range(self.left + 1)} | {"-": None}
        if len(words) != 20 or any(word not in values for word in words):
            raise Refused("there are not 20 results")
        self.results = [values[word] for word in words]
        if self.results == [None] * 20:
            raise Refused("it states no result, so it proves nothing")

    def check(self):
        for strain in range(5):
            self.trumps, self.lists, self.next = strain > 0, defaultdict(list), []
            tops = sorted(SUITS, key=lambda suit: suit + 1 == strain)
            tops = tuple(self.owners[suit] for suit in tops)
            lengths = tuple(tuple(owners.count(hand) for hand in HANDS) for owners in tops)
            for declarer in HANDS:
                tricks, leader = self.results[4 * strain + declarer], (declarer + 1) % 4
                if tricks is not None:
                    self.follow(Lemma(leader, lengths, tops, declarer % 2, tricks))
                    self.follow(Lemma(leader, lengths, tops, leader % 2, self.left - tricks))
            while self.next:
                lemmas, self.next, self.lists = self.next, [], defaultdict(list)
                for lemma in lemmas:
                    self.number += 1
                    self.trick(lemma, moves(lemma), [])
        if self.bytes:
            raise Refused("it has more bytes than its lemmas need")

    def trick(self, lemma, options, cards):
        if len(cards) == 4:
            best = cards[0]
            for card in cards[1:]:
                best = card if beats(card, best, self.trumps) else best
            for nth in range(4):
                if cards[nth] == best:
                    self.follow(after(lemma, cards, (lemma.leader + nth) % 4))
            return
        hand = (lemma.leader + len(cards)) % 4
        legal = [card for card in options[hand] if cards and card[0] == cards[0][0]] or options[hand]
        if hand % 2 == lemma.side:
            nth = self.bytes.popleft() if len(legal) > 1 else 0
            legal = [legal[nth]]
        for card in legal:
            self.trick(lemma, options, cards + [card])

    def follow(self, lemma):
        if lemma.goal <= 0:
            return
        if lemma.goal > left(lemma):
            raise Refused(f"{lemma} needs more tricks than there are")
        if left(lemma) == 1:
            return self.trick(lemma, moves(lemma), [])
        known = self.lists[lemma.leader, lemma.lengths, lemma.side]
        if any(includes(other, lemma) for other in known):
            return
        if self.trumps and sure_trumps(lemma) or quick_tricks(lemma, self.trumps):
            return
        low, high = self.bytes.pop(), self.bytes.pop()
        counts = (low & 15, low >> 4, high & 15, high >> 4)
        if any(count > len(tops) for count, tops in zip(counts, lemma.tops)):
            raise Refused(f"{lemma} knows fewer cards than its lemma")
        wide = lemma._replace(tops=tuple(tops[:count] for count, tops in zip(counts, lemma.tops)))
        known.append(wide)
        self.next.append(wide)


def certificates(name):
    """The certificates of a file, decompressed."""
    packed = (sys.stdin.buffer if name == "-" else open(name, "rb")).read()
    while True:
        unpacking = zlib.decompressobj(31)
        unpacked = unpacking.decompress(packed, 1 << 25)
        if not unpacking.eof:
            raise Refused("it is no complete gzip file of at most 32 MiB")
        used = len(packed) - len(unpacking.unused_data)
        if len(unpacked) > 10 * used + (1 << 14):
            raise Refused("it is compressed too much")
        yield unpacked
        packed = unpacking.unused_data
        if not packed:
            return


def main():
    status = 0
    for name in sys.argv[1:] or sys.exit(__doc__):
        certificate = None
        try:
            for data in certificates(name):
                certificate = None
                certificate = Certificate(data)
                certificate.check()
                results = ("-" if tricks is None else str(tricks) for tricks in certificate.results)
                print(certificate.deal, *results, f"proved by {certificate.number} lemmas")
        except (Refused, IndexError, ValueError, OSError, zlib.error) as error:
            where = f" at lemma {certificate.number} of {certificate.deal}" if certificate else ""
            print(f"{name!r}: refused{where}: {error}", file=sys.stderr)
            status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
