"""`scoring.merging`: whole halls of 25 tables merged, in seconds of the processor, by what they are like.

    python benchmarks/merging.py [--halls N] [--seed N]

Both orders of the criteria in turn. `proven` says of how many plans it is proven that none is better.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.merging_programme import SHAPES, random_halls
from scoring.merging import MERGE_ORDERS, merge_tables
from scoring.ruleset import PRESETS

LIMIT_SECONDS = 1.0
FOURS_AND_THREES = PRESETS["hk-2026"].table_sizes


def main() -> int:
    """Print the figures; exit status 1 where a hall takes longer than the limit or a plan is not proven."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--halls", type=int, default=500)
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    seconds: dict[str, list[float]] = {name: [] for name in SHAPES}
    proven = dict.fromkeys(SHAPES, 0)
    for number, (name, tables) in enumerate(random_halls(options.seed, options.halls)):
        prefer = list(MERGE_ORDERS)[number // len(SHAPES) % 2]
        started = time.process_time()
        plan = merge_tables(tables, FOURS_AND_THREES, prefer)
        seconds[name].append(time.process_time() - started)
        proven[name] += isinstance(plan, str) or plan.proven
    print("hall                                 halls proven  median   worst")
    for name, taken in seconds.items():
        if taken:
            print(f"{name:36}{len(taken):>6}{proven[name]:>7}{statistics.median(taken):>8.3f}{max(taken):>8.3f}")
    everything = [one for taken in seconds.values() for one in taken]
    print(f"{'all':36}{len(everything):>6}{sum(proven.values()):>7}", end="")
    print(f"{statistics.median(everything):>8.3f}{max(everything):>8.3f}")
    return int(max(everything) > LIMIT_SECONDS or sum(proven.values()) < len(everything))


if __name__ == "__main__":
    sys.exit(main())
