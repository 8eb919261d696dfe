"""`scoring.redraw`: whole finals of several rounds, drawn round by round, and what could not be avoided.

    python benchmarks/redraw.py [--entrants N ...] [--rounds N ...] [--pairs N] [--seeds N]

The first round is the ordinary draw. Times are of all rounds of one final together, the slowest of the seeds; the
baseline seats every later round by the ordinary draw alone and counts who would have met again.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scoring.redraw import DrawnRound, NotAvoided, count_meetings, draw_next_round
from scoring.seating import Sitter, draw_tables

LIMIT_SECONDS = 10.0


def make_finalists(entrants: int, pairs: int) -> list[Sitter]:
    """Finalists of sixty schools, the first of them declared pairs."""
    return [Sitter(f"{n:04}", f"F{n // 2}" if n < 2 * pairs else None, f"S{n % 60}") for n in range(entrants)]


def draw_final(sitters: list[Sitter], rounds: int, seed: int) -> tuple[list[DrawnRound], list[NotAvoided], float]:
    """Every round's tables, what could not be avoided, and the seconds it took."""
    start = time.perf_counter()
    drawn: list[DrawnRound] = [draw_tables(sitters, seed).tables]
    could_not: list[NotAvoided] = []
    while len(drawn) < rounds:
        plan = draw_next_round(sitters, drawn, seed, rounds)
        drawn.append(plan.tables)
        could_not += plan.could_not
    return drawn, could_not, time.perf_counter() - start


def second_meetings(drawn: list[DrawnRound]) -> int:
    """How many pairs sat together more than once."""
    return sum(pairs for times, pairs in count_meetings(drawn).items() if times > 1)


def main() -> int:
    """Print the figures; exit status 1 where the limit is not kept or somebody meets twice in a full final."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entrants", type=int, nargs="+", default=[118, 119, 120, 121])
    parser.add_argument("--rounds", type=int, nargs="+", default=[3, 4, 5])
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seeds", type=int, default=10)
    options = parser.parse_args()
    failed = False
    print(" entrants rounds  seconds  met twice  by lot  family  letter  school")
    for entrants in options.entrants:
        sitters = make_finalists(entrants, options.pairs)
        for rounds in options.rounds:
            finals = [draw_final(sitters, rounds, seed) for seed in range(options.seeds)]
            slowest = max(seconds for _, _, seconds in finals)
            again = max(second_meetings(drawn) for drawn, _, _ in finals)
            by_lot = second_meetings([draw_tables(sitters, seed).tables for seed in range(rounds)])
            kinds = [one.kind for _, could_not, _ in finals for one in could_not]
            told = [kinds.count(kind) / len(finals) for kind in ("family", "letter", "school")]
            print(
                f"{entrants:>8} {rounds:>6} {slowest:>8.2f} {again:>9} {by_lot:>6}"
                + "".join(f"{n:>7.1f}" for n in told)
            )
            failed = failed or slowest > LIMIT_SECONDS or again > 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
