"""`make reliability`: the long tests, then the larger samples, each on a fresh database; reports/reliability.json has
every figure. SCALE makes the samples smaller; below a tenth it is a short run, as `.ci/run` asks for one: without the
long tests, and each figure on one database. After MINUTES no further figure begins, and the report names what is left.

A figure counts only beside its control: the same with the safety switched off, which has to fail; how often it has, of
how many times and over all seeds, is the power of the figure and stands beside it. Two are made at a
time, one for each of two cores. Needs Debian's postgresql, redis-server, nginx, strace and chromium and installs them
as root.
"""

import json
import math
import os
import platform
import sqlite3
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

from scripts import postgres_cluster, programs, run_tests, system_packages
from scripts.check_steps import folder_of_run
from scripts.figure_list import (
    SHORT_RUN_BELOW_SCALE,
    FigureJob,
    FigureSizes,
    every_figure,
    sizes_by_environment,
)
from scripts.measured_figures import (
    MIGRATED_DATABASES,
    RELIABILITY_PROJECT_ROOT,
    RELIABILITY_SEED,
    FigureData,
    format_figure,
)

RELIABILITY_REPORTS = RELIABILITY_PROJECT_ROOT / "reports"
FIGURES_AT_A_TIME = 2


def all_figures(n: FigureSizes, minutes: float = math.inf) -> tuple[list[FigureData], list[str]]:
    """Two at a time, one for each of two cores: each has a database of its own. Printed as they come. And the names of
    those that had not begun after so many minutes."""
    jobs, last_begin = every_figure(n), time.monotonic() + minutes * 60
    # Whoever interrupts it ends the programs first: the threads wait for these.
    with ThreadPoolExecutor(FIGURES_AT_A_TIME) as pool, programs.no_program_outlives() as own:
        os.environ |= own | sizes_by_environment(n)
        made = list(pool.map(lambda job: make_and_print(job) if time.monotonic() < last_begin else None, jobs))
    left = [f"{job.name} ({job.database})" for job, figures in zip(jobs, made, strict=True) if figures is None]
    return [figure for figures in made for figure in figures or ()], left


def make_and_print(job: FigureJob) -> list[FigureData]:
    started = time.monotonic()
    figures = job.make()
    for figure in figures:
        print(format_figure(figure), flush=True)
    print(f"    {job.name} on {job.database}: {time.monotonic() - started:.0f} s with its control", flush=True)
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


def run_long_tests() -> list[str]:
    """What `make test` leaves out: whole days, tables made anew, every page. Everything that failed, in words."""
    with programs.no_program_outlives() as own, folder_of_run() as folder:
        results = run_tests.run_suite("long", folder, own)
    return run_tests.print_results(results)


def main() -> int:
    """The long tests, then all figures; each is printed as it comes."""
    scale = float(os.environ.get("SCALE", "1"))
    minutes = float(os.environ.get("MINUTES", "inf"))
    short = scale < SHORT_RUN_BELOW_SCALE
    system_packages.install_packages([*run_tests.SUITE_PACKAGES, "strace"])
    RELIABILITY_REPORTS.mkdir(exist_ok=True)
    started = time.monotonic()
    faults = [] if short else run_long_tests()
    with MIGRATED_DATABASES:
        figures, left = all_figures(FigureSizes(scale), minutes)
    report = {
        "seed": RELIABILITY_SEED,
        "scale": scale,
        "machine": describe_machine(),
        "long_tests": "left out" if short else faults,
        "not_measured": left,
        "figures": figures,
    }
    path = RELIABILITY_REPORTS / "reliability.json"
    path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    failed = [figure for figure in figures if not figure["passed"]]
    print(f"{path.relative_to(RELIABILITY_PROJECT_ROOT)} written, {time.monotonic() - started:.0f} s")
    if left:
        print(f"not measured, the time was up: {', '.join(left)}")
    print(f"reliability: {len(figures) - len(failed)} passed, {len(failed)} failed")
    for figure in failed:
        print(format_figure(figure))
    for fault in faults:
        print(f"FAILED long tests, {fault}")
    return 1 if failed or faults else 0


if __name__ == "__main__":
    sys.exit(main())
