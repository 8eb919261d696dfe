"""`scoring.ranking` in memory: 100,000 entrants of three games each, against the same order by one plain sort.

    python benchmarks/ranking_memory.py [--entrants N] [--seed N] [--repeats N]

The entrants are made before the clock starts. The baseline sorts ready-made integer keys and numbers them, which is
the least any ranking must do; the ratio is from the same run.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scoring.qualification import qualify_by_rank
from scoring.ranking import rank_records, tally_record
from scoring.ruleset import PRESETS
from scoring.values import GameResult, Record

LIMIT_SECONDS = 1.0


def make_records(entrants: int, seed: int) -> list[Record]:
    """Made-up entrants; shares of a half, a third and a quarter occur."""
    dice = random.Random(seed)
    records = []
    for number in range(entrants):
        games = tuple(
            GameResult(
                win=int(dice.random() < 0.27),
                points=Fraction(dice.randint(-200, 400) * 12 // dice.choice((1, 1, 1, 2, 3, 4)), 12),
                tiles=dice.randint(0, 25),
            )
            for _ in range(3)
        )
        records.append(Record(f"E{number:06}", games))
    return records


def plain_sort(keys: list[tuple[int, int, int, str]]) -> list[tuple[int, str]]:
    """Sort and number, nothing else."""
    keys = sorted(keys)
    ranks = []
    rank_of_key = 0
    for place, key in enumerate(keys):
        if place == 0 or keys[place - 1][:3] != key[:3]:
            rank_of_key = place + 1
        ranks.append((rank_of_key, key[3]))
    return ranks


def main() -> int:
    """Print the figures; exit status 1 where the limit is not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrants", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    ruleset = PRESETS["hk-2026"]
    records = make_records(options.entrants, options.seed)
    tallies = [tally_record(record) for record in records]
    keys = [(-entry.wins, -int(entry.points * 12), entry.tiles, entry.id) for entry in tallies]

    def best(run: Callable[[], object]) -> float:
        times = []
        for _ in range(options.repeats):
            start = time.perf_counter()
            run()
            times.append(time.perf_counter() - start)
        return min(times)

    from_games = best(lambda: qualify_by_rank(ruleset, rank_records(ruleset, records)))
    from_tallies = best(lambda: qualify_by_rank(ruleset, rank_records(ruleset, tallies)))
    baseline = best(lambda: plain_sort(keys))
    ranking = rank_records(ruleset, records)
    assert [(standing.rank, standing.id) for standing in ranking.standings] == plain_sort(keys)
    print(f"entrants                        {options.entrants:>10}")
    print(f"rank and cut, from 3 games each {from_games:>10.3f} s   (limit {LIMIT_SECONDS} s)")
    print(f"rank and cut, from tallies      {from_tallies:>10.3f} s")
    print(f"plain sort of ready keys        {baseline:>10.3f} s")
    print(f"ratio, from games / plain sort  {from_games / baseline:>10.2f}")
    print(f"ratio, from tallies / plain     {from_tallies / baseline:>10.2f}")
    return int(from_games > LIMIT_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
