"""Compares `deal --dealer` with dealer itself: averages and frequencies of scripts.

    apt-get install dealer
    python3 lab/scripts/dealer.py target/release/setrograde /usr/games/dealer \
        /usr/share/doc/dealer/examples/Descr.*

For each script: the deals that either program tried for a deal kept, and the chance that equal
programs deviate as much in one of its averages or frequencies: the smallest chance of one of them
times their number. A difference has 0.001 or less; `--deals 1000000` shows whether it stays.
"""

import argparse
import json
import math
import re
import subprocess

BATCHES = 40


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


def of_dealer(program, script, deals, seed, seconds):
    arguments = [program, "-p", str(deals), "-g", "2000000000", "-s", str(seed)]
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


def chance_of_square(square, freedom):
    """The chance that chi-square with `freedom` degrees of freedom is larger than `square`."""
    half, shape = square / 2, freedom / 2
    done, chance = (0.5, math.erfc(math.sqrt(half))) if freedom % 2 else (1, math.exp(-half))
    while half and done < shape:
        chance += math.exp(done * math.log(half) - half - math.lgamma(done + 1))
        done += 1
    return chance


def chance(ours, batches, theirs):
    """The chance that equal programs deviate as much somewhere."""
    chances = []
    for at, average in enumerate(theirs[0]):
        values = [batch[0][at] for batch in batches]
        mean = sum(values) / BATCHES
        variance = sum((value - mean) ** 2 for value in values) / (BATCHES - 1)
        # Of the mean of as many deals, from the means of batches.
        error = math.sqrt(2 * variance / BATCHES)
        difference = abs(average - ours[0][at])
        # An average has six digits.
        if difference > 1e-5 * abs(average):
            chances.append(math.erfc(difference / max(error, 1e-9) / math.sqrt(2)))
    for mine, other in zip(ours[1], theirs[1]):
        pairs = [(mine.get(key, 0), other.get(key, 0)) for key in {**mine, **other}]
        pairs = [pair for pair in pairs if sum(pair) >= 10]
        square = sum((a - b) ** 2 / (a + b) for a, b in pairs)
        if len(pairs) > 1:
            chances.append(chance_of_square(square, len(pairs) - 1))
    return min([1] + [chance * len(chances) for chance in chances])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("setrograde")
    parser.add_argument("dealer")
    parser.add_argument("scripts", nargs="+", metavar="SCRIPT")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program, deals = options.setrograde, options.deals
    for name in options.scripts:
        with open(name, errors="replace") as file:
            script = quiet(file.read())
        theirs = of_dealer(options.dealer, script, deals, options.seed, 600)
        ours = of_setrograde(program, script, options.seed, deals)
        short = name.rpartition("/")[2]
        if isinstance(ours, str) or isinstance(theirs, str):
            print(f"{short}: {ours if isinstance(ours, str) else theirs}")
            continue
        if [len(part) for part in ours[:2]] != [len(part) for part in theirs[:2]]:
            print(f"{short}: other statistics: {ours}, {theirs}")
            continue
        seeds = range(1000 * options.seed, 1000 * options.seed + BATCHES) if ours[0] else ()
        batches = [of_setrograde(program, script, seed, deals // BATCHES) for seed in seeds]
        tried = [of[2] / deals for of in (theirs, ours)]
        print(
            f"{short}: {len(ours[0]) + len(ours[1])} statistics, tried for a deal "
            f"{tried[0]:.1f} and {tried[1]:.1f}, chance {chance(ours, batches, theirs):.2g}"
        )


main()
