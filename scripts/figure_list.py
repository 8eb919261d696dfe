"""Every figure of `make reliability`, and how many of each: the CI column of the catalogue in docs/reliability.md."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from scripts.measured_figures import (
    RELIABILITY_SEED,
    SUITE_EXAMPLES_PER_TEST,
    FigureData,
    engine_figures,
    measure_figure,
    measure_with_control,
    rescored_figures,
    suite_figures,
)
from tests.reliability.broken import EXPORTS, MERGING, RULES, TELLING

EXAMPLES_PER_TEST = 500
# 1,000 before an event: they take a second each.
HISTORY_COUNT = 60
ENGINE_QUESTIONS = 20_000
# By name, as two cores have them; minutes each.
LONGEST_FIGURES = (
    "tampers",
    "kills_tablets",
    "fuzz",
    "lifecycle",
    "kills",
    "outbox",
    "bar_said",
    "network",
    "falsifier",
    "second_laptop",
)
# Of these the databases differ most: a short run asks PostgreSQL, and of everything else that both answer SQLite.
AT_ONCE_FIGURES = {"races", "races_http", "races_tablets", "mails", "network"}
SHORT_RUN_BELOW_SCALE = 0.1
EXPORT_TESTS = ["tests/reliability/test_exports.py"]
SMALL_HALL_TESTS = ["tests/scoring/test_merging.py::test_small_halls_agree_with_every_arrangement_of_them"]
WHOLE_HALL_TESTS = ["tests/scoring/test_merging.py::test_whole_halls_agree_with_an_integer_programme"]
LEAK_TESTS = ["tests/publication/test_nothing_unreleased_is_public.py"]


class FigureSizes:
    """How many of each figure: the CI column of the catalogue, made smaller by `scale` for trying it out."""

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def __call__(self, count: int) -> str:
        """So many, as an argument."""
        return str(max(int(count * self.scale), 3))

    def of_control(self, count: int) -> str:
        """Never below a tenth: a smaller control may be spared by chance."""
        return str(max(int(count * max(self.scale, 0.1)), 3))


@dataclass(frozen=True)
class FigureJob:
    """A figure, or a few of one kind, that is still to be made: its name, by which the long ones go first."""

    name: str
    make: Callable[[], list[FigureData]]
    database: str = "none"


def alone(database: str, figure: str, *arguments: str) -> FigureJob:
    """A figure that has its control with it, or needs none."""
    return FigureJob(figure, partial(measure_figure, database, figure, *arguments), database)


def with_control(database: str, figure: str, safe: list[str], unsafe: list[str]) -> FigureJob:
    return FigureJob(figure, partial(measure_with_control, database, figure, safe, unsafe), database)


def of_suite(id: str, *arguments: Any) -> FigureJob:
    return FigureJob(id, partial(suite_figures, id, *arguments))


def figures_without_database(n: FigureSizes) -> Iterator[FigureJob]:
    if int(n(EXAMPLES_PER_TEST)) > SUITE_EXAMPLES_PER_TEST:
        examples = ["-p", "tests.reliability.examples", f"--hypothesis-seed={RELIABILITY_SEED}"]
        each = int(n(EXAMPLES_PER_TEST))
        title = "scoring invariants broken"
        yield of_suite("Q1", title, ["tests/scoring"], examples, each, "none", list(RULES))
    yield FigureJob("rescored", partial(rescored_figures, int(n(20))))
    title = "halls of up to seven tables that are not merged as the best of all arrangements"
    yield of_suite("Q37", title, SMALL_HALL_TESTS, [], int(n(2000)), "none", list(MERGING))
    title = "halls of 25 tables that are not merged as an integer programme does"
    # A second each for the programme; what a small hall needs to be noticed, a whole one seldom has.
    noticed = [name for name in MERGING if name != "the first plan is the best"]
    yield of_suite("Q38", title, WHOLE_HALL_TESTS, [], int(n(500)), "none", noticed)
    title = "exports with a formula, a link, a bare sign or a missing glyph"
    yield of_suite("Q12", title, EXPORT_TESTS, [], int(n(500)), "none", list(EXPORTS))


def figures_on_sqlite(n: FigureSizes) -> Iterator[FigureJob]:
    """What asks a database only to be left alone, or has no time for two."""
    yield FigureJob("engine", partial(engine_figures, int(n(ENGINE_QUESTIONS))))
    yield with_control("sqlite", "mutations", ["--n", n(2000)], ["--n", n.of_control(100)])
    yield with_control("sqlite", "names", ["--n", n(100_000)], ["--n", n.of_control(1000)])
    # One day in twenty shows the careless merge: below 200 there may be none.
    yield with_control("sqlite", "sky", ["--n", n(20_000)], ["--n", str(max(int(n.of_control(1000)), 200))])


def fuzz_request_count(n: FigureSizes, each: int) -> str:
    """So many requests an operation and role: ten have one of nearly each kind that the document forbids. With three
    somebody still gets through at every operation, which the figure asks."""
    return str(max(int(n(each)), 10 if n.scale >= SHORT_RUN_BELOW_SCALE else 3))


def kill_figures(database: str, n: FigureSizes) -> Iterator[FigureJob]:
    """The longest: ten minutes. Tablets have the whole number; the pages, whose writes are the same, a quarter."""
    yield with_control(database, "kills_tablets", ["--n", n(60), "--acks", n(3000)], ["--n", n.of_control(15)])
    yield with_control(database, "kills", ["--n", n(15), "--acks", n(750)], ["--n", n.of_control(15)])


def mail_figures(database: str, n: FigureSizes) -> Iterator[FigureJob]:
    """A notice to all by post, through Celery and Redis on PostgreSQL, without a broker on SQLite; and one after
    another."""
    yield with_control(database, "mails", ["--n", n(1200)], ["--n", n.of_control(600)])
    yield with_control(database, "last_word", ["--n", n(1200)], ["--n", n.of_control(400)])
    yield with_control(database, "last_seats", ["--n", n(50)], ["--n", n.of_control(20)])


def network_figures(database: str, n: FigureSizes) -> Iterator[FigureJob]:
    """Tablets on bad Wi-Fi. Below 200 acts the careless ones may be lucky."""
    yield with_control(database, "network", ["--n", n(2000)], ["--n", str(max(int(n.of_control(400)), 200))])


def figures_on_one_database(n: FigureSizes) -> Iterator[FigureJob]:
    """The second laptop, two figures of a browser, the fuzzing: what asks one database, or one more than the other."""
    yield alone("sqlite", "second_laptop")
    yield alone("sqlite", "fuzz", "--n", fuzz_request_count(n, 100))
    yield with_control("sqlite", "outbox", ["--n", n(100)], ["--n", n.of_control(10)])
    # Two seconds each: a tenth of the samples has 25, so that CI ends in time.
    histories = n(2000) if n.scale >= 1 else n(250)
    yield with_control("sqlite", "bar_said", ["--n", histories], ["--n", n.of_control(40)])
    # The page is the same on either; what the server still has, and which ids it gives again after a restore, is not.
    yield with_control("postgresql", "bar_said", ["--n", n(500) if n.scale >= 1 else n(80)], ["--n", n.of_control(40)])
    if n.scale >= 1:
        yield alone("postgresql", "fuzz", "--n", fuzz_request_count(n, 50))


def figures_on_database(database: str, n: FigureSizes) -> Iterator[FigureJob]:
    """What is asked of each database, in the order of the catalogue."""
    for who in ("syncs", "syncs_tablets"):
        yield with_control(database, who, ["--n", n(500)], ["--n", n.of_control(50)])
    yield with_control(database, "lifecycle", ["--n", n(100)], ["--n", n.of_control(20)])
    yield from network_figures(database, n)
    yield from mail_figures(database, n)
    yield alone(database, "races", "--n", n(200))
    yield alone(database, "races_http", "--n", n(200))
    yield alone(database, "races_tablets", "--n", n(200))
    if database == "postgresql":  # on SQLite one writes at a time, whatever is locked
        yield alone(database, "races_decisions", "--n", n(50))
    # Not samples: the suite asks the same of Q14 on both databases and of Q15 on SQLite, and `.ci/run` has just run it.
    if n.scale >= 1:
        title = "responses that tell of what is not released"
        yield of_suite("Q14", title, LEAK_TESTS, [], 1, database, [TELLING])
    if database == "postgresql" or n.scale >= 1:
        yield alone(database, "tampers")
    yield alone(database, "alarms", "--n", n(HISTORY_COUNT))
    yield alone(database, "guards")
    yield alone(database, "drill")
    yield alone(database, "privacy")
    yield alone(database, "forged")
    # What the front keeps out, who may and what pages say: the same on both.
    if database == "sqlite" or n.scale >= 1:
        yield with_control(database, "slow_clients", ["--n", n(100)], ["--n", "3"])
        yield with_control(database, "big_bodies", ["--n", n(70)], ["--n", "7"])
        yield with_control(database, "roles", ["--n", n(30)], ["--n", n.of_control(10)])
        yield alone(database, "falsifier", "--n", n(400))


def every_figure(n: FigureSizes) -> list[FigureJob]:
    """The longest first, so that none begins when the others have ended; what is not named among them stays in its
    order, after them. A short run asks one database of each, and has the longest last: its time may be up before."""
    jobs = [
        *kill_figures("sqlite", n),
        *figures_on_database("sqlite", n),
        *figures_on_sqlite(n),
        *figures_on_database("postgresql", n),
        *figures_on_one_database(n),
        *figures_without_database(n),
        *kill_figures("postgresql", n),
    ]
    place = {name: place for place, name in enumerate(LONGEST_FIGURES)}
    longest_first = sorted(jobs, key=lambda job: place.get(job.name, len(place)))
    return on_one_database(longest_first[::-1]) if n.scale < SHORT_RUN_BELOW_SCALE else longest_first


def on_one_database(jobs: Sequence[FigureJob]) -> list[FigureJob]:
    """Of the figures of one name those on the database that a short run asks, or on the only one there is."""
    there = {(job.name, job.database) for job in jobs}
    asked = {name: "postgresql" if name in AT_ONCE_FIGURES else "sqlite" for name, _database in there}
    return [job for job in jobs if job.database == asked[job.name] or (job.name, asked[job.name]) not in there]


def sizes_by_environment(n: FigureSizes) -> dict[str, str]:
    """How many examples the parts of the suite draw that give a figure."""
    return {
        "EXAMPLES": n(EXAMPLES_PER_TEST),
        "NAMES": n(500),
        "ENGINE_QUESTIONS": n(ENGINE_QUESTIONS),
        "SMALL_HALLS": n(2000),
        "WHOLE_HALLS": n(500),
    }
