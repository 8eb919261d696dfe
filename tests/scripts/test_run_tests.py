"""The whole suite is judged whole: what the database decides runs on both databases, and nothing else twice."""

from pathlib import Path

from scripts.run_tests import SuiteCounts, read_counts, suite_faults

REPORT = """<testsuites><testsuite>
<testcase classname="tests.a" name="reads"/>
<testcase classname="tests.a" name="fails"><failure/></testcase>
<testcase classname="tests.b" name="writes">
<properties><property name="database" value="decides"/></properties></testcase>
<testcase classname="tests.b" name="left"><skipped/></testcase>
</testsuite></testsuites>"""


def counts(*names: str, decided: tuple[str, ...] = ()) -> SuiteCounts:
    """A suite in which all passed."""
    return SuiteCounts(frozenset(names), frozenset(decided), len(names), 0, 0)


def test_a_report_tells_what_the_database_decides(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(REPORT)
    read = read_counts(tmp_path / "report.xml")
    names = frozenset({"tests.a::reads", "tests.a::fails", "tests.b::writes", "tests.b::left"})
    assert (read, read.passed) == (SuiteCounts(names, frozenset({"tests.b::writes"}), 4, 1, 1), 2)


def test_a_suite_that_did_not_end_has_no_tests(tmp_path: Path) -> None:
    assert read_counts(tmp_path / "none.xml") == counts()


def test_what_the_database_does_not_decide_runs_on_sqlite_alone() -> None:
    results = {"sqlite": (0, counts("a", "b", decided=("b",))), "postgresql": (0, counts("b", decided=("b",)))}
    assert suite_faults(results) == []


def test_what_the_database_decides_runs_on_both() -> None:
    results = {"sqlite": (0, counts("a", "b", "c", decided=("b", "c"))), "postgresql": (0, counts("c", decided=("c",)))}
    assert suite_faults(results) == ["not on both databases: b"]


def test_a_failure_a_skip_and_an_empty_suite_are_faults() -> None:
    results = {"sqlite": (1, SuiteCounts(frozenset({"a"}), frozenset(), 3, 1, 1)), "postgresql": (5, counts())}
    assert suite_faults(results) == [
        "sqlite: 1 failed (exit status 1)",
        "sqlite: 1 skipped; a test that does not run holds nothing",
        "postgresql: 0 failed (exit status 5)",
        "postgresql: no test ran",
    ]
