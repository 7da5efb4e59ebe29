#!/usr/bin/env python3
"""Checks `analyse --format pbn` on random plays: OptimumPlayTable against `solve --all`, and that a
second run, and a run over the file without the tables, write the same bytes.

    comparisons/play_tables.py SETROGRADE [--boards 1000] [--rows 2] [--seed 1]

--rows rows of each board are compared, drawn at random.
"""
import argparse, os, random, re, subprocess, sys, tempfile

SEATS, DOWN = 'NESW', 'AKQJT98765432'


def board(rnd, number):
    """A board in PBN with a random play, and the question before each of its cards."""
    pack = [suit + rank for suit in 'SHDC' for rank in DOWN]
    rnd.shuffle(pack)
    hands = {seat: set(pack[13 * at:13 * at + 13]) for at, seat in enumerate(SEATS)}
    text = lambda: ' '.join('.'.join(''.join(rank for rank in DOWN if suit + rank in hands[seat])
                                     for suit in 'SHDC') for seat in SEATS)
    strain, declarer = rnd.choice(['NT', 'S', 'H', 'D', 'C']), rnd.choice(SEATS)
    leader = first = SEATS[(SEATS.index(declarer) + 1) % 4]
    pbn = (f'[Board "{number}"]\n[Deal "N:{text()}"]\n[Declarer "{declarer}"]\n'
           f'[Contract "3{strain}"]\n[Play "{first}"]\n')
    questions = []
    for _ in range(rnd.randint(1, 13)):
        row = {}
        for at in range(4):
            seat = SEATS[(SEATS.index(leader) + at) % 4]
            cards = list(row.values())
            played = ' played=' + ','.join(cards) if cards else ''
            questions.append(f'{strain} {leader} N:{text()}{played}')
            legal = {card for card in hands[seat] if cards and card[0] == cards[0][0]}
            card = rnd.choice(sorted(legal or hands[seat]))
            hands[seat].remove(card)
            row[seat] = card
        order = sorted(row, key=lambda seat: (SEATS.index(seat) - SEATS.index(first)) % 4)
        pbn += ' '.join(row[seat] for seat in order) + '\n'
        led = row[leader][0]
        leader = max(row, key=lambda seat: (row[seat][0] == strain, row[seat][0] == led,
                                            -DOWN.index(row[seat][1])))
    return pbn + '*\n\n', questions


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('--boards', type=int, default=1000)
    parser.add_argument('--rows', type=int, default=2)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    rnd = random.Random(options.seed)
    boards = [board(rnd, number) for number in range(1, options.boards + 1)]

    def run(*arguments, text):
        path = os.path.join(directory, 'file')
        with open(path, 'w') as file:
            file.write(text)
        return subprocess.run([options.program, *arguments, path], capture_output=True, text=True,
                              check=True).stdout

    with tempfile.TemporaryDirectory() as directory:
        file = ''.join(pbn for pbn, _ in boards)
        written = run('analyse', '--format', 'pbn', text=file)
        tables = re.findall(r'\[OptimumPlayTable "[^"]*"\]\n((?:[^\[\n].*\n)*)', written)
        stripped = re.sub(r'\[OptimumPlayTable "[^"]*"\]\n(?:[^\[\n].*\n)*', '', written)
        again = run('analyse', '--format', 'pbn', text=written) == written
        anew = stripped == file and run('analyse', '--format', 'pbn', text=stripped) == written
        chosen = []
        for (_, questions), table in zip(boards, tables):
            rows = table.splitlines()
            assert len(rows) == len(questions)
            for at in rnd.sample(range(len(rows)), min(options.rows, len(rows))):
                suits = rows[at].split()
                best = {suit + rank for suit, ranks in zip('SHDC', suits) for rank in ranks
                        if ranks != '-'}
                chosen.append((questions[at], best))
        answers = run('solve', '--all', text=''.join(f'{line}\n' for line, _ in chosen))
        wrong = 0
        for (line, best), answer in zip(chosen, answers.splitlines()):
            cards = dict(card.split('=') for card in answer.split('\t')[-1].split())
            most = max(map(int, cards.values()))
            wrong += best != {card for card, tricks in cards.items() if int(tricks) == most}
    print(f'{len(boards)} boards: {len(tables)} tables; a second run writes the same bytes: {again}; '
          f'stripped and written again: {anew}; {len(chosen)} rows, {wrong} unlike solve --all')
    sys.exit(not (again and anew and not wrong and len(tables) == len(boards)))


if __name__ == '__main__':
    main()
