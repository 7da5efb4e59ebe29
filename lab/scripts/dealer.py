"""Compares `deal --dealer` with dealer itself: averages and frequencies of scripts.

    apt-get install dealer
    python3 lab/scripts/dealer.py target/release/setrograde /usr/games/dealer \
        /usr/share/doc/dealer/examples/Descr.*

For each script: the deals that either program tried for a deal kept, and the largest deviation of
an average or a frequency in standard deviations. A difference has 4 or more.
"""

import json
import math
import re
import subprocess
import sys

DEALS = 1000
BATCHES = 10


def quiet(text):
    """The script with its averages and frequencies alone."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//.*", "", text)
    # The original knows comments at the start of a line only.
    text = re.sub(r'#[^"\n]*$', "", text, flags=re.M)
    text = re.sub(r"\b(generate|produce)\s+\d+", "", text)
    prints = r"\b(printall|printew|printpbn|printoneline|printcompact|print\s*\([^)]*\))"
    text = re.sub(prints, 'average "deals" 1', text)
    return re.sub(r",\s*$", "", text.rstrip()) + "\n"


def of_dealer(program, script, seconds):
    arguments = [program, "-p", str(DEALS), "-g", "2000000000", "-s", "7"]
    try:
        done = subprocess.run(
            arguments, input=script, capture_output=True, text=True, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        return f"dealer has not ended after {seconds} s"
    averages, counts = [], []
    for line in done.stdout.splitlines():
        cells = line.split()
        if line.startswith("Frequency"):
            counts.append({})
        elif counts and len(cells) == 2 and re.fullmatch(r"-?\d+|Low|High", cells[0]):
            counts[-1][cells[0].lower()] = int(cells[1])
        elif average := re.fullmatch(r"(?:.*: )?(-?[0-9.]+(?:e[-+]\d+)?)", line):
            averages.append(float(average[1]))
    tried = re.search(r"Generated (\d+)", done.stdout)
    if tried is None:
        return (done.stdout + done.stderr).splitlines()[0]
    return averages, counts, int(tried[1])


def of_setrograde(program, script, seed, deals):
    arguments = [program, "--quiet", "deal", str(deals), "--dealer", "-", "--json"]
    arguments += ["--seed", str(seed)]
    done = subprocess.run(arguments, input=script, capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip()
    answer = json.loads(done.stdout)
    found = answer.get("statistics", [])
    averages = [one["average"] for one in found if "average" in one]
    counts = [
        {str(count["values"][0]): count["deals"] for count in one["counts"]}
        for one in found
        if "average" not in one and len(one["counts"][0]["values"]) == 1
    ]
    return averages, counts, answer["tried"]


def deviation(ours, batches, theirs):
    """The largest deviation in standard deviations."""
    worst = 0.0
    for at, average in enumerate(theirs[0]):
        values = [batch[0][at] for batch in batches]
        mean = sum(values) / BATCHES
        variance = sum((value - mean) ** 2 for value in values) / (BATCHES - 1)
        # Of the mean of as many deals, from the means of batches.
        error = math.sqrt(2 * variance / BATCHES)
        if abs(average - ours[0][at]) > 1e-4:
            worst = max(worst, abs(average - ours[0][at]) / max(error, 1e-9))
    for mine, other in zip(ours[1], theirs[1]):
        pairs = [(mine.get(key, 0), other.get(key, 0)) for key in {**mine, **other}]
        pairs = [pair for pair in pairs if sum(pair) >= 10]
        square = sum((a - b) ** 2 / (a + b) for a, b in pairs)
        if (freedom := len(pairs) - 1) > 0:
            worst = max(worst, (square - freedom) / math.sqrt(2 * freedom))
    return worst


def main():
    program, dealer, *scripts = sys.argv[1:]
    for name in scripts:
        with open(name, errors="replace") as file:
            script = quiet(file.read())
        theirs = of_dealer(dealer, script, 120)
        ours = of_setrograde(program, script, 1, DEALS)
        short = name.rpartition("/")[2]
        if isinstance(ours, str) or isinstance(theirs, str):
            print(f"{short}: {ours if isinstance(ours, str) else theirs}")
            continue
        size = DEALS // BATCHES
        batches = [of_setrograde(program, script, 100 + seed, size) for seed in range(BATCHES)]
        if [len(part) for part in ours[:2]] != [len(part) for part in theirs[:2]]:
            print(f"{short}: other statistics: {ours}, {theirs}")
            continue
        tried = [of[2] / DEALS for of in (theirs, ours)]
        print(
            f"{short}: {len(ours[0]) + len(ours[1])} statistics, tried for a deal "
            f"{tried[0]:.1f} and {tried[1]:.1f}, largest deviation "
            f"{deviation(ours, batches, theirs):.1f}"
        )


main()
