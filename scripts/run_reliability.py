"""`make reliability`: the long tests, then the larger samples, each on a fresh database; reports/reliability.json has
every figure. SCALE makes the samples smaller; below a tenth the long tests are left out, as `.ci/run` does.

A figure counts only beside its control: the same with the safety switched off, which has to fail; how often it has, of
how many times and over all seeds, is the power of the figure and stands beside it. Two are made at a
time, one for each of two cores. Needs Debian's postgresql, redis-server, nginx, strace and chromium and installs them
as root.
"""

import json
import os
import platform
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from scripts import postgres_cluster, programs, run_tests, system_packages
from scripts.check_steps import folder_of_run
from scripts.migrated import MigratedDatabases
from tests.reliability.broken import EXPORTS, RULES, TELLING
from tests.reliability.databases import cluster_environment
from tests.reliability.figures import Figure, control_rate
from tests.scoring.tournaments import compare_seeded

RELIABILITY_PROJECT_ROOT = Path(__file__).resolve().parent.parent
RELIABILITY_REPORTS = RELIABILITY_PROJECT_ROOT / "reports"
RELIABILITY_SEED = 20260328
CONTROL_RUNS = 3
TESTS_FAILED = 1
EXAMPLES_PER_TEST, SUITE_EXAMPLES_PER_TEST = 500, 100
# 1,000 before an event: they take a second each.
HISTORY_COUNT = 60
ENGINE_QUESTIONS = 20_000
# Whole days in browsers, in real time: a quarter of an hour on two quiet cores, an hour on two that are not.
LONG_TESTS_FROM_SCALE = 0.1
FIGURES_AT_A_TIME = 2
# By name, as the `.ci/run` of two cores has them; minutes each.
LONGEST_FIGURES = ("kills_tablets", "fuzz", "kills", "outbox", "bar_said", "network", "falsifier", "second_laptop")
EXPORT_TESTS = ["tests/reliability/test_exports.py"]
ENGINE_TESTS = ["tests/tablets/js/test_engine.py::test_the_pages_engine_answers_random_questions_as_scoring_does"]
SPOILED_ENGINE_TESTS = ["tests/tablets/js/test_engine.py::test_a_spoiled_engine_is_found"]
LEAK_TESTS = ["tests/publication/test_nothing_unreleased_is_public.py"]
MIGRATED_DATABASES = MigratedDatabases()
FigureData = dict[str, Any]


@contextmanager
def fresh_database(name: str, tables: bool = False) -> Iterator[dict[str, str]]:
    """The environment of an empty `sqlite` or `postgresql`, its tables made or not; removed at the end."""
    with tempfile.TemporaryDirectory(prefix="reliability-") as folder:
        var = {**os.environ, "VAR_DIR": folder}
        if name == "sqlite":
            file = Path(folder) / "tournament.sqlite3"
            if tables:
                shutil.copyfile(MIGRATED_DATABASES.sqlite(), file)
            yield {**var, "DATABASE_URL": f"sqlite:///{file}"}
            return
        with postgres_cluster.running_cluster(
            durable=True, kept=MIGRATED_DATABASES.postgresql() if tables else None
        ) as made:
            yield {**var, "DATABASE_URL": made.url, **cluster_environment(made)}


def measure_figure(database: str, figure: str, *arguments: str, seed: int = RELIABILITY_SEED) -> list[FigureData]:
    """One run of tests.reliability.one; its figures, or one that says that it broke."""
    with fresh_database(database, tables=True) as environment:
        command = [sys.executable, "-m", "tests.reliability.one", figure, "--seed", str(seed), *arguments]
        # Files, not pipes: a server that outlives its figure would hold a pipe open for ever.
        folder = Path(environment["VAR_DIR"])
        with (folder / "said").open("w+") as said, (folder / "errors").open("w+") as errors:
            status = subprocess.run(
                command, cwd=RELIABILITY_PROJECT_ROOT, env=environment, stdout=said, stderr=errors
            ).returncode
            for file in (said, errors):
                file.seek(0)
            lines, problems = said.read(), errors.read()
    if status != 0:
        print(problems, file=sys.stderr)
        broken = Figure(figure, "did not end", database, 0, 1, 1)
        return [broken.as_data()]
    return list(json.loads(lines.splitlines()[-1]))


def measure_with_control(database: str, figure: str, safe: list[str], unsafe: list[str]) -> list[FigureData]:
    """A figure and its control as one. Chance may spare a small control: then it is begun again from another seed.
    What all seeds have shown is counted together."""
    [made] = measure_figure(database, figure, *safe)
    made["facts"]["control_seeds"] = tried = {}
    for seed in range(RELIABILITY_SEED, RELIABILITY_SEED + CONTROL_RUNS):
        [control] = measure_figure(database, figure, "--control", *unsafe, seed=seed)
        # One that broke has shown nothing.
        failures = control["failures"] if control["n"] else 0
        tried[seed] = f"{failures} of {control['n']}"
        made["control_n"] += control["n"]
        made["control_failures"] += failures
        if failures:
            break
    made["control_rate"] = control_rate(made["control_failures"], made["control_n"])
    enough = not made["failures"] and made["n"] >= made["wanted_n"]
    made["passed"] = made["passed"] or (enough and made["control_failures"] > 0)
    return [made]


def suite_figures(
    id: str, title: str, paths: list[str], extra: list[str], each: int, database: str, broken: Sequence[str]
) -> list[FigureData]:
    """A figure that a part of the test suite gives: `each` examples a test, failures as pytest counts them. Its control
    is the same once for each thing of the product that is broken meanwhile (tests/reliability/broken.py)."""
    started = time.monotonic()
    done, cases, failed = run_these_tests(database, [*extra, *paths])
    if done.returncode != 0:
        print(done.stdout[-6000:], file=sys.stderr)
        failed = failed or 1
    figure = Figure(id, title, database, len(cases) * each, failed, 1, RELIABILITY_SEED, len(broken))
    noticed = [name for name in broken if is_noticed(database, [*extra, *paths], name)]
    figure.control_failures = len(noticed)
    figure.facts = {"tests": len(cases), "examples_each": each, "noticed": noticed}
    figure.seconds = round(time.monotonic() - started, 1)
    return [figure.as_data()]


def run_these_tests(
    database: str, arguments: Sequence[str], **environment: str
) -> tuple[subprocess.CompletedProcess[str], list[ElementTree.Element], int]:
    """These tests in a process of their own: how it ended, its tests, and how many of them failed."""
    with fresh_database(database if database != "none" else "sqlite") as own:
        report = Path(own["VAR_DIR"]) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *arguments]
        given = {"cwd": RELIABILITY_PROJECT_ROOT, "env": {**own, **environment}, "capture_output": True, "text": True}
        done: subprocess.CompletedProcess[str] = subprocess.run(command, **given)  # type: ignore[call-overload]
        cases = list(ElementTree.parse(report).iter("testcase")) if report.exists() else []
    failed = sum(case.find("failure") is not None or case.find("error") is not None for case in cases)
    return done, cases, failed


def is_noticed(database: str, arguments: Sequence[str], broken: str) -> bool:
    """Whether a test fails, and none for another reason than what is broken: an error in setting up is none."""
    examples = {"EXAMPLES": str(min(int(os.environ["EXAMPLES"]), SUITE_EXAMPLES_PER_TEST)), "BROKEN": broken}
    done, cases, _failed = run_these_tests(database, ["-x", "-p", "tests.reliability.broken", *arguments], **examples)
    return done.returncode == TESTS_FAILED and any(case.find("failure") is not None for case in cases)


def engine_figures(asked: int) -> list[FigureData]:
    """The tablet's engine against the rules. The suite itself has its control: engines that are spoiled."""
    title = "answers of the pages' engine that differ from the rules"
    [figure] = suite_figures("engine", title, ENGINE_TESTS, [], asked, "none", ())
    done, cases, failed = run_these_tests("none", SPOILED_ENGINE_TESTS)
    figure["control_n"], figure["control_failures"] = len(cases), len(cases) - failed if done.returncode == 0 else 0
    figure["control_rate"] = control_rate(figure["control_failures"], figure["control_n"])
    figure["passed"] = not figure["failures"] and figure["n"] > 0 and figure["control_failures"] > 0
    return [figure]


def rescored_figures(tournaments: int) -> list[FigureData]:
    """Q2: so many whole tournaments, the rules against the re-scorer; then one with each of five rules broken."""
    started = time.monotonic()
    counts = compare_seeded(range(RELIABILITY_SEED, RELIABILITY_SEED + tournaments), 1200, 120)
    title = "entrants whose result differs between the rules and the independent re-scorer"
    wanted = tournaments * 1200
    figure = Figure("Q2", title, "none", counts["lines"], counts["differing"], wanted, RELIABILITY_SEED, len(RULES))
    figure.facts = dict(counts)
    for name, breakage in RULES.items():
        with breakage.done():
            differing = compare_seeded(range(RELIABILITY_SEED, RELIABILITY_SEED + 1), 1200, 120)["differing"]
        figure.control_failures += differing > 0
        figure.facts[name] = differing
    figure.seconds = round(time.monotonic() - started, 1)
    return [figure.as_data()]


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


def alone(database: str, figure: str, *arguments: str) -> FigureJob:
    """A figure that has its control with it, or needs none."""
    return FigureJob(figure, partial(measure_figure, database, figure, *arguments))


def with_control(database: str, figure: str, safe: list[str], unsafe: list[str]) -> FigureJob:
    return FigureJob(figure, partial(measure_with_control, database, figure, safe, unsafe))


def of_suite(id: str, *arguments: Any) -> FigureJob:
    return FigureJob(id, partial(suite_figures, id, *arguments))


def figures_without_database(n: FigureSizes) -> Iterator[FigureJob]:
    if int(n(EXAMPLES_PER_TEST)) > SUITE_EXAMPLES_PER_TEST:
        examples = ["-p", "tests.reliability.examples", f"--hypothesis-seed={RELIABILITY_SEED}"]
        each = int(n(EXAMPLES_PER_TEST))
        title = "scoring invariants broken"
        yield of_suite("Q1", title, ["tests/scoring"], examples, each, "none", list(RULES))
    yield FigureJob("rescored", partial(rescored_figures, int(n(20))))
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
    """So many requests an operation and role; of three one is allowed, and of ten there is one of nearly each kind that
    the document forbids."""
    return str(max(int(n(each)), 10 if n.scale >= 0.1 else 3))


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


def all_figures(n: FigureSizes) -> list[FigureData]:
    """Two at a time, one for each of two cores: each has a database of its own. Printed as they come."""
    os.environ |= {"EXAMPLES": n(EXAMPLES_PER_TEST), "NAMES": n(500), "ENGINE_QUESTIONS": n(ENGINE_QUESTIONS)}
    jobs = [
        *kill_figures("sqlite", n),
        *figures_on_database("sqlite", n),
        *figures_on_database("postgresql", n),
        *figures_on_one_database(n),
        *figures_without_database(n),
        *kill_figures("postgresql", n),
    ]
    with ThreadPoolExecutor(FIGURES_AT_A_TIME) as pool:
        made = list(pool.map(make_and_print, longest_first(jobs)))
    return [figure for figures in made for figure in figures]


def longest_first(jobs: Sequence[FigureJob]) -> list[FigureJob]:
    """So that none begins when the others have ended; what is not named stays in its order, after them."""
    place = {name: place for place, name in enumerate(LONGEST_FIGURES)}
    return sorted(jobs, key=lambda job: place.get(job.name, len(place)))


def make_and_print(job: FigureJob) -> list[FigureData]:
    figures = job.make()
    for figure in figures:
        print(format_figure(figure), flush=True)
    return figures


def describe_machine() -> FigureData:
    """What it was measured on."""
    names = ("Django", "psycopg", "celery", "redis", "gunicorn", "hypothesis", "schemathesis")
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "cores": os.cpu_count(),
        "sqlite": sqlite3.sqlite_version,
        "postgresql": str(postgres_cluster.find_binaries()).split("/")[-2],
        **{name: version(name) for name in names},
    }


def format_figure(figure: FigureData) -> str:
    """A figure as a person reads it."""
    bound = f", under {figure['bound_95']:.2g} with 95 %" if figure["bound_95"] else ""
    rate = f" = {figure['control_rate']:.2g}" if figure["control_rate"] is not None else ""
    control = f"; control {figure['control_failures']} of {figure['control_n']}{rate}"
    verdict = "passed" if figure["passed"] else "FAILED"
    counts = f"{figure['failures']} of {figure['n']}{bound}{control}"
    return f"{figure['id']:4}{figure['database']:11} {verdict}  {counts}  {figure['title']}  ({figure['seconds']} s)"


def run_long_tests() -> list[str]:
    """What `make test` leaves out: whole days, tables made anew, every page. Everything that failed, in words."""
    with programs.no_program_outlives() as own, folder_of_run() as folder:
        results = run_tests.run_suite("long", folder, own)
    return run_tests.print_results(results)


def main() -> int:
    """The long tests, then all figures; each is printed as it comes."""
    scale = float(os.environ.get("SCALE", "1"))
    system_packages.install_packages([*run_tests.SUITE_PACKAGES, "strace"])
    RELIABILITY_REPORTS.mkdir(exist_ok=True)
    started = time.monotonic()
    faults = run_long_tests() if scale >= LONG_TESTS_FROM_SCALE else []
    with MIGRATED_DATABASES:
        figures = all_figures(FigureSizes(scale))
    report = {
        "seed": RELIABILITY_SEED,
        "scale": scale,
        "machine": describe_machine(),
        "long_tests": faults if scale >= LONG_TESTS_FROM_SCALE else "left out",
        "figures": figures,
    }
    path = RELIABILITY_REPORTS / "reliability.json"
    path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    failed = [figure for figure in figures if not figure["passed"]]
    print(f"{path.relative_to(RELIABILITY_PROJECT_ROOT)} written, {time.monotonic() - started:.0f} s")
    print(f"reliability: {len(figures) - len(failed)} passed, {len(failed)} failed")
    for figure in failed:
        print(format_figure(figure))
    for fault in faults:
        print(f"FAILED long tests, {fault}")
    return 1 if failed or faults else 0


if __name__ == "__main__":
    sys.exit(main())
