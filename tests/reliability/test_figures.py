"""A figure counts beside its control, and a control by all that was tried of it."""

from typing import Any

import pytest

from scripts import measured_figures
from scripts.figure_list import FigureSizes, every_figure
from scripts.run_reliability import all_figures
from tests.reliability.figures import Figure


def figure(**given: Any) -> dict[str, Any]:
    return Figure("Q0", "title", "none", 10, 0, 10, **given).as_data()


def test_a_figure_whose_control_shows_nothing_has_not_passed() -> None:
    assert figure(control_n=5, control_failures=0)["passed"] is False
    assert figure(control_n=5, control_failures=1)["passed"] is True
    assert figure(control_n=0)["control_rate"] is None


def test_the_rate_of_a_control_is_over_every_seed_that_was_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = iter([0, 0, 3])

    def measured(_database: str, _figure: str, *arguments: str, seed: int = 0) -> list[dict[str, Any]]:
        if "--control" not in arguments:
            return [figure()]
        return [Figure("Q0", "title", "none", 20, next(shown), 20, seed).as_data()]

    monkeypatch.setattr(measured_figures, "measure_figure", measured)
    [made] = measured_figures.measure_with_control("sqlite", "any", [], [])
    assert (made["control_failures"], made["control_n"], made["control_rate"]) == (3, 60, 0.05)
    assert list(made["facts"]["control_seeds"].values()) == ["0 of 20", "0 of 20", "3 of 20"]
    assert made["passed"] is True
    assert "; control 3 of 60 = 0.05  " in measured_figures.format_figure(made)


def test_a_short_run_asks_every_figure_of_one_database() -> None:
    whole = [(job.name, job.database) for job in every_figure(FigureSizes(0.1))]
    short = [(job.name, job.database) for job in every_figure(FigureSizes(0.02))]
    names = [name for name, _database in short]
    assert [len(names), set(names)] == [len(set(names)), {name for name, _database in whole} - {"Q1"}]
    assert set(short) <= set(whole)


def test_what_had_no_time_to_begin_is_named() -> None:
    made, left = all_figures(FigureSizes(0.02), minutes=0)
    assert [made, len(left), "drill (sqlite)" in left] == [[], len(every_figure(FigureSizes(0.02))), True]
