"""`make reliability`: the larger samples, each on a fresh database, and reports/reliability.json with every figure.

A figure counts only beside its control: the same with the safety switched off, which has to fail. Two lanes run side by
side, one for each of two cores. Needs Debian's postgresql, redis-server, nginx, strace and chromium and installs them
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
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from scripts import postgres_cluster, system_packages
from scripts.migrated import Migrated
from tests.reliability.databases import cluster_environment
from tests.reliability.figures import Figure
from tests.scoring.tournaments import compare_seeded

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / "reports"
SEED = 20260328
CONTROLS = 3
EXAMPLES, EXAMPLES_OF_THE_SUITE = 500, 100
# 1,000 before an event: they take a second each.
HISTORIES = 60
EXPORT_TESTS = ["tests/reliability/test_exports.py"]
ENGINE_TESTS = ["tests/tournament/js/test_engine.py::test_the_pages_engine_answers_random_questions_as_scoring_does"]
LEAK_TESTS = ["tests/tournament/test_nothing_unreleased_is_public.py"]
MIGRATED = Migrated()
Data = dict[str, Any]


@contextmanager
def fresh_database(name: str, tables: bool = False) -> Iterator[dict[str, str]]:
    """The environment of an empty `sqlite` or `postgresql`, its tables made or not; removed at the end."""
    with tempfile.TemporaryDirectory(prefix="reliability-") as folder:
        var = {**os.environ, "VAR_DIR": folder}
        if name == "sqlite":
            file = Path(folder) / "tournament.sqlite3"
            if tables:
                shutil.copyfile(MIGRATED.sqlite(), file)
            yield {**var, "DATABASE_URL": f"sqlite:///{file}"}
            return
        with postgres_cluster.cluster(durable=True, kept=MIGRATED.postgresql() if tables else None) as made:
            yield {**var, "DATABASE_URL": made.url, **cluster_environment(made)}


def measure(database: str, figure: str, *arguments: str, seed: int = SEED) -> list[Data]:
    """One run of tests.reliability.one; its figures, or one that says that it broke."""
    with fresh_database(database, tables=True) as environment:
        command = [sys.executable, "-m", "tests.reliability.one", figure, "--seed", str(seed), *arguments]
        # Files, not pipes: a server that outlives its figure would hold a pipe open for ever.
        folder = Path(environment["VAR_DIR"])
        with (folder / "said").open("w+") as said, (folder / "errors").open("w+") as errors:
            status = subprocess.run(command, cwd=ROOT, env=environment, stdout=said, stderr=errors).returncode
            lines, problems = [file.seek(0) or file.read() for file in (said, errors)]
    if status != 0:
        print(problems, file=sys.stderr)
        broken = Figure(figure, "did not end", database, 0, 1, 1)
        return [broken.as_data()]
    return list(json.loads(lines.splitlines()[-1]))


def beside_control(database: str, figure: str, safe: list[str], unsafe: list[str]) -> list[Data]:
    """A figure and its control as one. Chance may spare a small control: then it is begun again from another seed."""
    [made] = measure(database, figure, *safe)
    for again in range(CONTROLS):
        [control] = measure(database, figure, "--control", *unsafe, seed=SEED + again)
        made["control_n"] += control["n"]
        # One that broke has shown nothing.
        made["control_failures"] = control["failures"] if control["n"] else 0
        if made["control_failures"]:
            break
    enough = not made["failures"] and made["n"] >= made["wanted_n"]
    made["passed"] = made["passed"] or (enough and made["control_failures"] > 0)
    return [made]


def suite(id: str, title: str, paths: list[str], extra: list[str], each: int, database: str = "none") -> list[Data]:
    """A figure that a part of the test suite gives: `each` examples a test, failures as pytest counts them."""
    started = time.monotonic()
    with fresh_database(database if database != "none" else "sqlite") as environment:
        report = Path(environment["VAR_DIR"]) / "report.xml"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            f"--junitxml={report}",
            *extra,
            *paths,
        ]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        cases = list(ElementTree.parse(report).iter("testcase")) if report.exists() else []
    failed = sum(case.find("failure") is not None or case.find("error") is not None for case in cases)
    if done.returncode != 0:
        print(done.stdout[-6000:], file=sys.stderr)
        failed = failed or 1
    figure = Figure(id, title, database, len(cases) * each, failed, 1, SEED, need_control=False)
    figure.facts = {"tests": len(cases), "examples_each": each}
    figure.seconds = round(time.monotonic() - started, 1)
    return [figure.as_data()]


def rescored() -> list[Data]:
    """Q2: twenty whole tournaments, the rules against the re-scorer."""
    started = time.monotonic()
    counts = compare_seeded(range(SEED, SEED + 20), 1200, 120)
    title = "entrants whose result differs between the rules and the independent re-scorer"
    figure = Figure("Q2", title, "none", counts["lines"], counts["differing"], 20 * 1200, SEED, need_control=False)
    figure.facts, figure.seconds = dict(counts), round(time.monotonic() - started, 1)
    return [figure.as_data()]


class Sizes:
    """How many of each figure: the CI column of the catalogue, made smaller by `scale` for trying it out."""

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def __call__(self, count: int) -> str:
        """So many, as an argument."""
        return str(max(int(count * self.scale), 3))


def without_database(n: Sizes) -> Iterator[list[Data]]:
    """What asks no database."""
    if int(n(EXAMPLES)) > EXAMPLES_OF_THE_SUITE:
        examples = ["-p", "tests.reliability.examples", f"--hypothesis-seed={SEED}"]
        yield suite("Q1", "scoring invariants broken", ["tests/scoring"], examples, int(n(EXAMPLES)))
    yield rescored()
    yield suite("Q12", "exports with a formula, a link, a bare sign or a missing glyph", EXPORT_TESTS, [], int(n(500)))


def on_sqlite(n: Sizes) -> Iterator[list[Data]]:
    """What asks a database only to be left alone, or has no time for two."""
    os.environ["ENGINE_QUESTIONS"] = n(20_000)
    title = "answers of the pages' engine that differ from the rules"
    yield suite("engine", title, ENGINE_TESTS, [], int(n(20_000)))
    yield beside_control("sqlite", "mutations", ["--n", n(2000)], ["--n", n(100)])
    yield beside_control("sqlite", "names", ["--n", n(100_000)], ["--n", n(1000)])
    # One day in twenty shows the careless merge: below 200 there may be none.
    yield beside_control("sqlite", "sky", ["--n", n(20_000)], ["--n", str(max(int(n(1000)), 200))])
    yield measure("sqlite", "fuzz", "--n", fuzzed(n, 100))


def fuzzed(n: Sizes, each: int) -> str:
    """So many requests an operation and role; below ten there is hardly one of each kind that the document forbids."""
    return str(max(int(n(each)), 10))


def kills(database: str, n: Sizes) -> Iterator[list[Data]]:
    """The longest: ten minutes. Tablets have the whole number; the pages, whose writes are the same, a quarter."""
    yield beside_control(database, "kills_tablets", ["--n", n(60), "--acks", n(3000)], ["--n", n(15)])
    yield beside_control(database, "kills", ["--n", n(15), "--acks", n(750)], ["--n", n(15)])


def mails(database: str, n: Sizes) -> Iterator[list[Data]]:
    """A notice to all by post, through Celery and Redis on PostgreSQL, without a broker on SQLite; and one after
    another."""
    yield beside_control(database, "mails", ["--n", n(1200)], ["--n", n(600)])
    yield beside_control(database, "last_word", ["--n", n(1200)], ["--n", n(400)])
    yield beside_control(database, "last_seats", ["--n", n(50)], ["--n", n(20)])


def network(database: str, n: Sizes) -> Iterator[list[Data]]:
    """Tablets on bad Wi-Fi. Below 200 acts the careless ones may be lucky."""
    yield beside_control(database, "network", ["--n", n(2000)], ["--n", str(max(int(n(400)), 200))])


def on_postgresql(n: Sizes) -> Iterator[list[Data]]:
    """What there is time for beside the other lane: the second laptop, two figures of a browser, and of the whole
    sample the fuzzing."""
    yield measure("sqlite", "second_laptop")
    yield beside_control("sqlite", "outbox", ["--n", n(100)], ["--n", n(10)])
    # Two seconds each: a tenth of the samples has 25, so that CI ends in time.
    histories = n(2000) if n.scale >= 1 else n(250)
    yield beside_control("sqlite", "bar_said", ["--n", histories], ["--n", n(40)])
    # The page is the same on either; what the server still has, and which ids it gives again after a restore, is not.
    yield beside_control("postgresql", "bar_said", ["--n", n(500) if n.scale >= 1 else n(80)], ["--n", n(40)])
    if n.scale >= 1:
        yield measure("postgresql", "fuzz", "--n", fuzzed(n, 50))


def on_database(database: str, n: Sizes) -> Iterator[list[Data]]:
    """What is asked of each database, in the order of the catalogue."""
    for who in ("syncs", "syncs_tablets"):
        yield beside_control(database, who, ["--n", n(500)], ["--n", n(50)])
    yield beside_control(database, "lifecycle", ["--n", n(100)], ["--n", n(20)])
    yield from network(database, n)
    yield from mails(database, n)
    yield measure(database, "races", "--n", n(200))
    yield measure(database, "races_http", "--n", n(200))
    yield measure(database, "races_tablets", "--n", n(200))
    if n.scale >= 1:  # not a sample: the suite asks the same on both databases, and `.ci/run` has just run it
        yield suite("Q14", "responses that tell of what is not released", LEAK_TESTS, [], 1, database)
    yield measure(database, "tampers")
    yield measure(database, "alarms", "--n", n(HISTORIES))
    yield measure(database, "guards")
    yield measure(database, "drill")
    yield measure(database, "privacy")
    yield measure(database, "forged")
    yield beside_control(database, "slow_clients", ["--n", n(100)], ["--n", "3"])
    yield beside_control(database, "roles", ["--n", n(30)], ["--n", n(10)])
    yield measure(database, "falsifier", "--n", n(400))


def all_figures(n: Sizes) -> list[Data]:
    """Two lanes side by side, one for each of two cores: each has a database of its own. Printed as they come."""
    os.environ |= {"EXAMPLES": n(EXAMPLES), "NAMES": n(500)}
    # The two long ones at opposite ends, so that neither keeps the other's clients waiting.
    lanes = (
        chain(kills("sqlite", n), on_database("sqlite", n), on_sqlite(n)),
        chain(without_database(n), on_database("postgresql", n), on_postgresql(n), kills("postgresql", n)),
    )
    with ThreadPoolExecutor(len(lanes)) as pool:
        made = [pool.submit(run_lane, lane) for lane in lanes]
        return [figure for lane in made for figure in lane.result()]


def run_lane(lane: Iterator[list[Data]]) -> list[Data]:
    """One after another."""
    figures: list[Data] = []
    for made in lane:
        figures += made
        for figure in made:
            print(line(figure), flush=True)
    return figures


def machine() -> Data:
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


def line(figure: Data) -> str:
    """A figure as a person reads it."""
    bound = f", under {figure['bound_95']:.2g} with 95 %" if figure["bound_95"] else ""
    control = f"; control {figure['control_failures']} of {figure['control_n']}" if figure["need_control"] else ""
    verdict = "passed" if figure["passed"] else "FAILED"
    counts = f"{figure['failures']} of {figure['n']}{bound}{control}"
    return f"{figure['id']:4}{figure['database']:11} {verdict}  {counts}  {figure['title']}  ({figure['seconds']} s)"


def main() -> int:
    """All figures; each is printed as it comes."""
    scale = float(os.environ.get("SCALE", "1"))
    system_packages.install(
        ["postgresql", "strace", "chromium", "chromium-headless-shell", "redis-server", "nginx-light"]
    )
    subprocess.run([sys.executable, "scripts/compile_words.py"], cwd=ROOT, check=True)
    REPORTS.mkdir(exist_ok=True)
    started = time.monotonic()
    with MIGRATED:
        figures = all_figures(Sizes(scale))
    report = {"seed": SEED, "scale": scale, "machine": machine(), "figures": figures}
    path = REPORTS / "reliability.json"
    path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    failed = [figure for figure in figures if not figure["passed"]]
    print(f"{path.relative_to(ROOT)} written, {time.monotonic() - started:.0f} s")
    print(f"reliability: {len(figures) - len(failed)} passed, {len(failed)} failed")
    for figure in failed:
        print(line(figure))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
