"""The opening check: could open, best total, and a set-packing baseline with HiGHS on the same racks.

    python benchmarks/opening.py [--deals N] [--large N] [--baseline N] [--special N] [--crowded N] [--seed N]

Seeded deals of 14 tiles from the 106, and racks of 40 tiles that hold both jokers. The baseline answers the same
question as an integer programme; wherever it is asked, its answer must be ours. Ratios are from the one run.
`--special` racks of 30 tiles from Twist's box, with one special joker or more, and `--crowded` racks of 40 tiles with
all its eight jokers are timed too, in processor time.
"""

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import TypeVar

import highspy
import numpy

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.special_packing import special_set_packing
from scoring.opening import best_opening, can_open
from scoring.ruleset import PRESETS

HK = PRESETS["hk-2026"]
TWIST = PRESETS["twist"]
SPECIAL_BASELINE = 20
NUMBERED = [f"{colour}{number}" for colour in "RBKO" for number in range(1, 14)] * 2
BOX = [*NUMBERED, "J", "J"]
JOKERS = ["J", "JD", "JC", "JM"] * 2

# Every set a total may need, as the tiles stood for. Runs of 3, 4 and 5 suffice: longer ones fall apart into these.
SETS = [
    (tuple(f"{colour}{number}" for number in range(first, first + length)), sum(range(first, first + length)))
    for colour in "RBKO"
    for length in (3, 4, 5)
    for first in range(1, 15 - length)
] + [
    (tuple(f"{colour}{number}" for colour in colours), number * length)
    for number in range(1, 14)
    for length in (3, 4)
    for colours in combinations("RBKO", length)
]


def set_packing(rack: Sequence[str]) -> int:
    """The best total as an integer programme: how often each set is laid, and how often a joker is each tile."""
    held = Counter(rack)
    jokers = held.pop("J", 0)
    laid = [(tiles, value) for tiles, value in SETS if sum(not held[tile] for tile in tiles) <= jokers]
    if not laid:
        return 0
    names = sorted({tile for tiles, _ in laid for tile in tiles})
    row = {name: place for place, name in enumerate(names)}
    columns = [[(row[tile], 1) for tile in tiles] for tiles, _ in laid]
    limits = [held[name] for name in names]
    if jokers:
        columns += [[(row[name], -1), (len(names), 1)] for name in names]
        limits.append(jokers)
    starts = [0]
    for column in columns:
        starts.append(starts[-1] + len(column))

    programme = highspy.HighsLp()
    programme.num_col_, programme.num_row_ = len(columns), len(limits)
    programme.col_cost_ = numpy.array([value for _, value in laid] + [0] * (len(columns) - len(laid)), dtype=float)
    programme.col_lower_ = numpy.zeros(len(columns))
    programme.col_upper_ = numpy.full(len(columns), len(rack), dtype=float)
    programme.row_lower_ = numpy.full(len(limits), -highspy.kHighsInf)
    programme.row_upper_ = numpy.array(limits, dtype=float)
    programme.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    programme.a_matrix_.start_ = numpy.array(starts)
    programme.a_matrix_.index_ = numpy.array([place for column in columns for place, _ in column])
    programme.a_matrix_.value_ = numpy.array([factor for column in columns for _, factor in column], dtype=float)
    programme.integrality_ = [highspy.HighsVarType.kInteger] * len(columns)
    programme.sense_ = highspy.ObjSense.kMaximize

    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)
    solver.setOptionValue("mip_rel_gap", 0.0)
    solver.passModel(programme)
    solver.run()
    found: float = solver.getInfo().objective_function_value
    return round(found)


Answer = TypeVar("Answer")


def timed(run: Callable[[Sequence[str]], Answer], racks: Sequence[Sequence[str]]) -> tuple[list[Answer], list[float]]:
    """The answers, and the milliseconds each took."""
    answers, times = [], []
    for rack in racks:
        start = time.perf_counter()
        answers.append(run(rack))
        times.append((time.perf_counter() - start) * 1000)
    return answers, times


def special_times(racks: Sequence[Sequence[str]]) -> tuple[list[int], list[float]]:
    """The best totals, and the milliseconds of the processor that each took."""
    best, times = [], []
    for rack in racks:
        start = time.process_time()
        best.append(best_opening(TWIST, rack).best)
        times.append((time.process_time() - start) * 1000)
    return best, times


def special_figures(count: int, dice: random.Random) -> tuple[int, bool]:
    """Print what racks with special jokers take; how many answers differ from the baseline's, and whether the limits
    (5 ms in the median, 500 ms for the worst) are kept."""
    box = [*NUMBERED, *JOKERS]
    racks: list[list[str]] = []
    while len(racks) < count:
        rack = dice.sample(box, 30)
        if not {"JD", "JC", "JM"}.isdisjoint(rack):
            racks.append(rack)
    best, times = special_times(racks)
    start = time.process_time()
    packed = [special_set_packing(rack) for rack in racks[:SPECIAL_BASELINE]]
    baseline = (time.process_time() - start) * 1000 / len(packed)
    median, late, worst = statistics.median(times), sorted(times)[len(times) * 95 // 100], max(times)
    differ = sum(ours != theirs for ours, theirs in zip(best, packed, strict=False))
    print(
        f"{count} racks of 30 with special jokers: median {median:.1f} ms (limit 5), 95 % within {late:.0f} ms, "
        f"worst {worst:.0f} ms (limit 500)"
    )
    print(
        f"HiGHS on {len(packed)} of them: mean {baseline:.0f} ms, ours {statistics.mean(times[: len(packed)]):.0f} ms"
    )
    return differ, median <= 5 and worst <= 500


def crowded_figures(count: int, dice: random.Random) -> None:
    """Print what racks of 40 tiles take that hold every joker of Twist's box."""
    _, times = special_times([[*dice.sample(NUMBERED, 40 - len(JOKERS)), *JOKERS] for _ in range(count)])
    print(f"{count} racks of 40 with all 8 jokers: median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms")


def main() -> int:
    """Print the figures; exit status 1 where a limit is not kept or an answer differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--large", type=int, default=500)
    parser.add_argument("--baseline", type=int, default=2000, help="deals the baseline is asked too")
    parser.add_argument("--special", type=int, default=500, help="racks with Twist's special jokers; 0: none")
    parser.add_argument("--crowded", type=int, default=30, help="racks of 40 tiles with all of Twist's jokers; 0: none")
    parser.add_argument("--seed", type=int, default=2026)
    options = parser.parse_args()
    dice = random.Random(options.seed)
    deals = [dice.sample(BOX, 14) for _ in range(options.deals)]
    large = [[*dice.sample(NUMBERED, 38), "J", "J"] for _ in range(options.large)]
    whole = [dice.sample(BOX, 106)]

    able, able_times = timed(lambda rack: can_open(HK, rack), deals)
    best, best_times = timed(lambda rack: best_opening(HK, rack).best, deals)
    packed, packed_times = timed(set_packing, deals[: options.baseline])
    large_best, large_times = timed(lambda rack: best_opening(HK, rack).best, large)
    large_packed, large_packed_times = timed(set_packing, large)
    _, whole_times = timed(lambda rack: best_opening(HK, rack).best, whole)
    differ = sum(ours != theirs for ours, theirs in zip(best, packed, strict=False))
    differ += sum(ours != theirs for ours, theirs in zip(large_best, large_packed, strict=True))
    differ += sum(verdict != (total >= 30) for verdict, total in zip(able, best, strict=True))

    def line(what: str, times: list[float], limit: str = "") -> None:
        print(f"{what:<44} mean {statistics.mean(times):8.3f} ms   worst {max(times):9.3f} ms   {limit}")

    print(f"{len(deals)} deals of 14, {sum(map(bool, able))} can open; {len(large)} racks of 40 with two jokers")
    line("could open, 14 tiles", able_times, "limit: mean 0.2 ms")
    line("best total with its sets, 14 tiles", best_times, "limit: mean 1 ms")
    line("set packing with HiGHS, 14 tiles", packed_times)
    line("best total with its sets, 40 tiles, 2 jokers", large_times, "limit: worst 1000 ms")
    line("set packing with HiGHS, 40 tiles, 2 jokers", large_packed_times)
    line("best total of all 106 tiles", whole_times)
    special_differ, special_kept = special_figures(options.special, dice) if options.special else (0, True)
    differ += special_differ
    if options.crowded:
        crowded_figures(options.crowded, dice)
    print(f"answers that differ: {differ}")
    print(f"ratio HiGHS / could open, 14 tiles  {statistics.mean(packed_times) / statistics.mean(able_times):8.1f}")
    print(f"ratio HiGHS / best total, 14 tiles  {statistics.mean(packed_times) / statistics.mean(best_times):8.1f}")
    print(
        f"ratio HiGHS / best total, 40 tiles  {statistics.mean(large_packed_times) / statistics.mean(large_times):8.1f}"
    )
    kept = statistics.mean(able_times) <= 0.2 and statistics.mean(best_times) <= 1 and max(large_times) <= 1000
    return int(differ > 0 or not (kept and special_kept))


if __name__ == "__main__":
    sys.exit(main())
