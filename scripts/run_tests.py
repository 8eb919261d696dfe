"""`make test`: format, lint, types, checks, and the suite on SQLite and on PostgreSQL, with no skip.

Needs Debian's postgresql, redis-server, nginx, gettext and chromium and installs them as root. Each suite runs on
SQLite, then on PostgreSQL what the database decides (tests/conftest.py says what that is), in several processes. The
PostgreSQL is a cluster of its own, removed afterwards. Where the time went: reports/profile-*.txt.

Tests with the mark `long` are a suite of their own, which `make reliability` runs.
"""

import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from scripts import postgres_cluster, programs, suite_profile, system_packages
from scripts.check_steps import PROJECT_ROOT, PYTHON, SUITE_REPORTS, folder_of_run, static_steps

SUITE_PACKAGES = [
    "postgresql",
    "chromium",
    "chromium-headless-shell",
    "libnss3-tools",
    "redis-server",
    "nginx-light",
    "gettext",
]
# More than the two cores: a test of a browser or a server waits half of its time, and most long ones have either.
PROCESSES = {"test": "3", "long": "4"}
# Which tests a suite has.
SUITES = {"test": "not long", "long": "long"}
# On two quiet cores; what a newcomer is told to expect.
USUAL_MINUTES = {"test-sqlite": 14, "test-postgresql": 8, "long-sqlite": 15, "long-postgresql": 2}


@dataclass(frozen=True)
class SuiteCounts:
    """What one suite says of itself: the tests by name, those that the database decides, how many failed or were
    skipped."""

    names: frozenset[str]
    decided: frozenset[str]
    total: int
    failed: int
    skipped: int

    @property
    def passed(self) -> int:
        return self.total - self.failed - self.skipped


def junit_case_name(case: ElementTree.Element) -> str:
    """A test's module and its own name."""
    return f"{case.get('classname')}::{case.get('name')}"


def read_counts(path: Path) -> SuiteCounts:
    """Read pytest's JUnit report; none at all means that the suite did not end."""
    if not path.exists():
        return SuiteCounts(frozenset(), frozenset(), 0, 0, 0)
    cases = list(ElementTree.parse(path).iter("testcase"))
    return SuiteCounts(
        names=frozenset(map(junit_case_name, cases)),
        decided=frozenset(
            junit_case_name(case) for case in cases if case.find("properties/property[@name='database']") is not None
        ),
        total=len(cases),
        failed=sum(case.find("failure") is not None or case.find("error") is not None for case in cases),
        skipped=sum(case.find("skipped") is not None for case in cases),
    )


def run_on_database(
    suite: str, database: str, folder: Path, own: dict[str, str], *arguments: str
) -> tuple[int, SuiteCounts]:
    """A suite on one database, shown as it runs; what it prints is in reports/SUITE-DATABASE.log too."""
    name = f"{suite}-{database}"
    report, log = SUITE_REPORTS / f"{name}.xml", SUITE_REPORTS / f"{name}.log"
    profile = folder / f"profile-{name}.jsonl"
    report.unlink(missing_ok=True)
    print(f"\n== {name} == about {USUAL_MINUTES[name]} min on two quiet cores; {log.relative_to(PROJECT_ROOT)}")
    environment = {
        **os.environ,
        **own,
        "TMPDIR": str(folder),
        "VAR_DIR": str(folder / name),
        "DJANGO_ALLOW_ASYNC_UNSAFE": "1",
        "SUITE_PROFILE": str(profile),
    }
    command = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.profiling", f"--junitxml={report}"]
    spread = ["-n", PROCESSES[suite], "--dist", "worksteal"]
    status = programs.run_shown([*command, *spread, *arguments], log, environment, PROJECT_ROOT)
    suite_profile.write_profile(profile, SUITE_REPORTS / f"profile-{name}.txt")
    return status, read_counts(report)


def run_suite(
    suite: str, folder: Path, own: dict[str, str], arguments: Sequence[str] = ()
) -> dict[str, tuple[int, SuiteCounts]]:
    """One database after the other: exit status and counts by database."""
    which = SUITES[suite]
    sqlite = {**own, "DATABASE_URL": f"sqlite:///{folder / 'suite.sqlite3'}"}
    results = {"sqlite": run_on_database(suite, "sqlite", folder, sqlite, "-m", which, *arguments)}
    with postgres_cluster.running_cluster() as cluster:
        postgresql = {**own, "DATABASE_URL": cluster.url}
        decided = f"database and {which}"
        results["postgresql"] = run_on_database(suite, "postgresql", folder, postgresql, "-m", decided, *arguments)
    return results


def suite_faults(results: dict[str, tuple[int, SuiteCounts]]) -> list[str]:
    """Everything that makes the whole a failure, in words."""
    found = []
    for name, (status, counts) in results.items():
        if status != 0 or counts.failed:
            found.append(f"{name}: {counts.failed} failed (exit status {status})")
        if counts.skipped:
            found.append(f"{name}: {counts.skipped} skipped; a test that does not run holds nothing")
        if not counts.total:
            found.append(f"{name}: no test ran")
    decided, ran = results["sqlite"][1].decided, results["postgresql"][1].names
    if decided != ran:
        found.append(f"not on both databases: {', '.join(sorted(decided ^ ran)[:10])}")
    return found


def print_results(results: dict[str, tuple[int, SuiteCounts]]) -> list[str]:
    """The counts by database, and every fault; the faults."""
    print()
    for name, (_, counts) in results.items():
        print(f"{name:12} {counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
    faults = suite_faults(results)
    for fault in faults:
        print(f"FAILED {fault}")
    return faults


def main(arguments: list[str]) -> int:
    """All of it; the last line counts both databases together."""
    started = time.monotonic()
    system_packages.install_packages(SUITE_PACKAGES)
    SUITE_REPORTS.mkdir(exist_ok=True)
    with programs.no_program_outlives() as own, folder_of_run() as folder:
        static_steps(folder, own)
        results = run_suite("test", folder, own, arguments)
    faults = print_results(results)
    passed = sum(counts.passed for _, counts in results.values())
    failed = sum(counts.failed for _, counts in results.values())
    print(f"in {time.monotonic() - started:.0f} s")
    print(f"{passed} passed, {max(failed, len(faults))} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
