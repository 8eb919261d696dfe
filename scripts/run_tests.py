"""`make test`: format, lint, types, checks, and the suite on SQLite and on PostgreSQL, the same tests and no skip.

Needs Debian's postgresql, redis-server, nginx and chromium and installs them as root. The two suites run side by side,
one on each of two cores; the PostgreSQL is a cluster of its own, removed afterwards. What cannot ask the database
(tests/conftest.py tells by a test's fixtures), or asks what no database decides (`once`), runs once, beside SQLite;
what looks at a page in Chromium once, beside PostgreSQL (`page`) or beside SQLite (`page_on_sqlite`), so that both
end together.
"""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from scripts import postgres_cluster, system_packages

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / "reports"
PYTHON = sys.executable

# As in production: what `check --deploy` looks at.
PRODUCTION = {
    "DEBUG": "0",
    "HTTPS": "1",
    "ALLOWED_HOSTS": "tournament.example",
    "SECRET_KEY": "for-the-deployment-check-only-0123456789-abcdefghijklmnopqrstuvwxyz",
}


@dataclass(frozen=True)
class Counts:
    """What one suite says of itself: the tests by name, those that run once, how many failed or were skipped."""

    names: frozenset[str]
    once: frozenset[str]
    total: int
    failed: int
    skipped: int

    @property
    def passed(self) -> int:
        """Neither failed nor skipped."""
        return self.total - self.failed - self.skipped


def name_of(case: ElementTree.Element) -> str:
    """A test's module and its own name."""
    return f"{case.get('classname')}::{case.get('name')}"


def read_counts(path: Path) -> Counts:
    """Read pytest's JUnit report; none at all means that the suite did not end."""
    if not path.exists():
        return Counts(frozenset(), frozenset(), 0, 0, 0)
    cases = list(ElementTree.parse(path).iter("testcase"))
    return Counts(
        names=frozenset(map(name_of, cases)),
        once=frozenset(
            name_of(case) for case in cases if case.find("properties/property[@name='database']") is not None
        ),
        total=len(cases),
        failed=sum(case.find("failure") is not None or case.find("error") is not None for case in cases),
        skipped=sum(case.find("skipped") is not None for case in cases),
    )


def step(title: str, *command: str, extra: dict[str, str] | None = None) -> None:
    """One step before the suites; its failure ends everything."""
    started = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, **(extra or {})}, capture_output=True, text=True)
    print(f"{title:28} {'ok' if done.returncode == 0 else 'FAILED':7} {time.monotonic() - started:6.1f} s", flush=True)
    if done.returncode != 0:
        print(done.stdout + done.stderr)
        sys.exit(1)


def static_steps(var: Path) -> None:
    """Everything that needs no test."""
    manage = [PYTHON, "-W", "error::DeprecationWarning", "manage.py"]
    plain = {"VAR_DIR": str(var), "DATABASE_URL": f"sqlite:///{var / 'checks.sqlite3'}"}
    step("format", PYTHON, "-m", "ruff", "format", "--check", "--quiet", ".")
    step("lint", PYTHON, "-m", "ruff", "check", "--quiet", ".")
    step("strict types of scoring", PYTHON, "-m", "mypy")
    step("Chinese words", PYTHON, "scripts/compile_words.py")
    step("migrations match models", *manage, "makemigrations", "--check", "--dry-run", extra=plain)
    step("deployment check", *manage, "check", "--deploy", "--fail-level", "WARNING", extra={**plain, **PRODUCTION})
    step("static files", *manage, "collectstatic", "--noinput", extra=plain)


def start_suite(name: str, var: Path, url: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start the suite on one database; what it prints goes to reports/test-NAME.log."""
    report = REPORTS / f"test-{name}.xml"
    report.unlink(missing_ok=True)
    environment = {**os.environ, "VAR_DIR": str(var / name), "DATABASE_URL": url, "DJANGO_ALLOW_ASYNC_UNSAFE": "1"}
    command = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *arguments]
    with open(REPORTS / f"test-{name}.log", "wb") as log:
        return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT)


def run_suites(var: Path, arguments: list[str]) -> dict[str, tuple[int, Counts]]:
    """Both suites side by side: their exit status and counts by database."""
    with postgres_cluster.cluster() as cluster:
        urls = {"sqlite": f"sqlite:///{var / 'suite.sqlite3'}", "postgresql": cluster.url}
        chosen = {"sqlite": "not page", "postgresql": "database or page"}
        running = {name: start_suite(name, var, url, "-m", chosen[name], *arguments) for name, url in urls.items()}
        status = {name: suite.wait() for name, suite in running.items()}
    return {name: (status[name], read_counts(REPORTS / f"test-{name}.xml")) for name in status}


def faults_of(results: dict[str, tuple[int, Counts]]) -> list[str]:
    """Everything that makes the whole a failure, in words."""
    found = []
    for name, (status, counts) in results.items():
        if status != 0 or counts.failed:
            found.append(f"{name}: {counts.failed} failed (exit status {status})")
        if counts.skipped:
            found.append(f"{name}: {counts.skipped} skipped; a test that does not run holds nothing")
        if not counts.total:
            found.append(f"{name}: no test ran")
    one, other = (counts.names - counts.once for _, counts in results.values())
    if one != other:
        found.append(f"not on both databases: {', '.join(sorted(one ^ other)[:10])}")
    return found


def main(arguments: list[str]) -> int:
    """All of it; the last line counts both databases together."""
    started = time.monotonic()
    wanted = ["postgresql", "chromium", "chromium-headless-shell", "libnss3-tools", "redis-server", "nginx-light"]
    system_packages.install(wanted)
    REPORTS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tests-") as folder:
        static_steps(Path(folder))
        results = run_suites(Path(folder), arguments)
    faults = faults_of(results)
    for name in results:
        log = (REPORTS / f"test-{name}.log").read_text(errors="replace").rstrip()
        print(f"\n== {name} ==\n{log if faults else log.splitlines()[-1]}")
    print()
    for name, (_, counts) in results.items():
        print(f"{name:12} {counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
    once = {name: len(counts.once) for name, (_, counts) in results.items()}
    print(f"ran once: {once['sqlite']} that cannot ask the database, {once['postgresql']} that look at a page")
    for fault in faults:
        print(f"FAILED {fault}")
    passed = sum(counts.passed for _, counts in results.values())
    failed = sum(counts.failed for _, counts in results.values())
    print(f"in {time.monotonic() - started:.0f} s")
    print(f"{passed} passed, {max(failed, len(faults))} failed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
