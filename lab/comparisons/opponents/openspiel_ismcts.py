#!/usr/bin/env python3
"""OpenSpiel's ISMCTSBot as a bridge player for `setrograde tournament`.

    pip install open_spiel
    setrograde tournament --game bridge --boards 100 \
        --players pimc "external:python3 lab/comparisons/opponents/openspiel_ismcts.py"

Reads a line of JSON for every card, writes a card. Arguments: the number of
simulations (1000) and the exploration constant (300, as OpenSpiel's rewards are
bridge scores).
"""

import json
import random
import sys

import pyspiel

SEATS = "NESW"
SUITS = "CDHS"
RANKS = "23456789TJQKA"
PASS, DOUBLE, REDOUBLE, FIRST_BID = 52, 53, 54, 55


def action_of(card):
    return 4 * RANKS.index(card[1]) + SUITS.index(card[0])


def card_of(action):
    return SUITS[action % 4] + RANKS[action // 4]


def winner(trick, leader, trump):
    best = 0
    for index in range(1, 4):
        card, top = trick[index], trick[best]
        if card[0] == top[0]:
            if RANKS.index(card[1]) > RANKS.index(top[1]):
                best = index
        elif card[0] == trump:
            best = index
    return (leader + best) % 4


def plays(view, trump):
    """Each card played, with who played it and the suit that was led."""
    leader = (SEATS.index(view["declarer"]) + 1) % 4
    history = view["history"]
    for start in range(0, len(history), 4):
        trick = history[start : start + 4]
        for index, card in enumerate(trick):
            yield (leader + index) % 4, card, trick[0][0]
        if len(trick) == 4:
            leader = winner(trick, leader, trump)


def full_deal(view, trump, rng):
    """Hands that fit what is seen: OpenSpiel resamples the hidden ones itself."""
    hands = [set() for _ in range(4)]
    voids = [set() for _ in range(4)]
    for seat, card, led in plays(view, trump):
        hands[seat].add(card)
        if card[0] != led:
            voids[seat].add(led)
    for seat, cards in view["hands"].items():
        hands[SEATS.index(seat)].update(cards)
    placed = set().union(*hands)
    hidden = [suit + rank for suit in SUITS for rank in RANKS if suit + rank not in placed]
    open_seats = [s for s in range(4) if len(hands[s]) < 13]
    while True:
        rng.shuffle(hidden)
        trial = [set(hand) for hand in hands]
        # Cards that few can hold go first.
        order = sorted(hidden, key=lambda c: sum(c[0] not in voids[s] for s in open_seats))
        for card in order:
            fits = [s for s in open_seats if len(trial[s]) < 13 and card[0] not in voids[s]]
            if not fits:
                break
            trial[rng.choice(fits)].add(card)
        else:
            return trial


def state_of(view, rng):
    contract = view["contract"]
    level, strain = int(contract[0]), contract[1:].rstrip("X")
    doubles = contract.count("X")
    trump = strain if strain in SUITS else None
    vulnerable = view["vulnerable"]
    game = pyspiel.load_game(
        "bridge",
        {
            "use_double_dummy_result": False,
            "dealer_vul": vulnerable in ("NS", "All"),
            "non_dealer_vul": vulnerable in ("EW", "All"),
        },
    )
    state = game.new_initial_state()
    hands = [sorted(hand) for hand in full_deal(view, trump, rng)]
    for at in range(52):
        state.apply_action(action_of(hands[at % 4][at // 4]))
    for _ in range(SEATS.index(view["declarer"])):
        state.apply_action(PASS)
    strains = ["C", "D", "H", "S", "NT"]
    state.apply_action(FIRST_BID + 5 * (level - 1) + strains.index(strain))
    for call in [DOUBLE, REDOUBLE][:doubles]:
        state.apply_action(call)
    for _ in range(3):
        state.apply_action(PASS)
    for card in view["history"]:
        state.apply_action(action_of(card))
    return state


def main():
    simulations = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    exploration = float(sys.argv[2]) if len(sys.argv) > 2 else 300.0
    for line in sys.stdin:
        view = json.loads(line)
        seed = view["seed"] % (1 << 31)
        state = state_of(view, random.Random(seed))
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.ISMCTSBot(seed, evaluator, exploration, simulations, -1,
                                pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT, False, False)
        print(card_of(bot.step(state)), flush=True)


if __name__ == "__main__":
    main()
