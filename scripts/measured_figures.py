"""One figure measured: in a process and a database of its own, beside its control, or as a part of the suite."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from scripts import postgres_cluster
from scripts.migrated import MigratedDatabases
from tests.reliability.broken import RULES
from tests.reliability.databases import cluster_environment
from tests.reliability.figures import Figure, control_rate
from tests.scoring.tournaments import compare_seeded

RELIABILITY_PROJECT_ROOT = Path(__file__).resolve().parent.parent
RELIABILITY_SEED = 20260328
CONTROL_RUNS = 3
TESTS_FAILED = 1
SUITE_EXAMPLES_PER_TEST = 100
ENGINE_TESTS = ["tests/tablets/js/test_engine.py::test_the_pages_engine_answers_random_questions_as_scoring_does"]
SPOILED_ENGINE_TESTS = ["tests/tablets/js/test_engine.py::test_a_spoiled_engine_is_found"]
CONTROL_HALLS = {"SMALL_HALLS": "300", "WHOLE_HALLS": "11"}
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
    examples = {
        "EXAMPLES": str(min(int(os.environ["EXAMPLES"]), SUITE_EXAMPLES_PER_TEST)),
        "BROKEN": broken,
    } | CONTROL_HALLS
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


def format_figure(figure: FigureData) -> str:
    """A figure as a person reads it."""
    bound = f", under {figure['bound_95']:.2g} with 95 %" if figure["bound_95"] else ""
    rate = f" = {figure['control_rate']:.2g}" if figure["control_rate"] is not None else ""
    control = f"; control {figure['control_failures']} of {figure['control_n']}{rate}"
    verdict = "passed" if figure["passed"] else "FAILED"
    counts = f"{figure['failures']} of {figure['n']}{bound}{control}"
    return f"{figure['id']:4}{figure['database']:11} {verdict}  {counts}  {figure['title']}  ({figure['seconds']} s)"
