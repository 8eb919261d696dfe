"""The whole suite is judged whole: the same tests on both databases, but for those that give the same on any."""

from pathlib import Path

from scripts.run_tests import Counts, faults_of, read_counts

REPORT = """<testsuites><testsuite>
<testcase classname="tests.a" name="asks"/>
<testcase classname="tests.a" name="fails"><failure/></testcase>
<testcase classname="tests.b" name="reads"><properties><property name="database" value="none"/></properties></testcase>
<testcase classname="tests.b" name="looks"><properties><property name="database" value="any"/></properties></testcase>
<testcase classname="tests.b" name="left"><skipped/></testcase>
</testsuite></testsuites>"""


def counts(*names: str, once: tuple[str, ...] = ()) -> Counts:
    """A suite in which all passed."""
    return Counts(frozenset(names), frozenset(once), len(names), 0, 0)


def test_a_report_tells_which_tests_give_the_same_on_any_database(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(REPORT)
    read = read_counts(tmp_path / "report.xml")
    once = frozenset({"tests.b::reads", "tests.b::looks"})
    names = once | {"tests.a::asks", "tests.a::fails", "tests.b::left"}
    assert (read, read.passed) == (Counts(names, once, 5, 1, 1), 3)


def test_a_suite_that_did_not_end_has_no_tests(tmp_path: Path) -> None:
    assert read_counts(tmp_path / "none.xml") == counts()


def test_what_cannot_ask_the_database_and_what_looks_at_a_page_may_run_once() -> None:
    beside = {"sqlite": (0, counts("a", "b", once=("b",))), "postgresql": (0, counts("a", "c", once=("c",)))}
    assert faults_of(beside) == []


def test_what_can_ask_the_database_runs_on_both() -> None:
    results = {"sqlite": (0, counts("a", "b", "c", once=("c",))), "postgresql": (0, counts("a"))}
    assert faults_of(results) == ["not on both databases: b"]


def test_a_failure_a_skip_and_an_empty_suite_are_faults() -> None:
    results = {"sqlite": (1, Counts(frozenset({"a"}), frozenset(), 3, 1, 1)), "postgresql": (5, counts())}
    assert faults_of(results) == [
        "sqlite: 1 failed (exit status 1)",
        "sqlite: 1 skipped; a test that does not run holds nothing",
        "postgresql: 0 failed (exit status 5)",
        "postgresql: no test ran",
        "not on both databases: a",
    ]
