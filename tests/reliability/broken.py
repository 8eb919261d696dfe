"""A pytest plugin for `make reliability`: one thing of the product broken, by its name in BROKEN. The control of the
figures that the suite gives: with it their tests have to fail."""

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import NamedTuple

import pytest
from django.apps import apps
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from scoring import game, merging_hall, merging_search, ranking
from tests.reliability.rewriting import rewritten
from tournament.core import cells


class Breakage(NamedTuple):
    """The one place of a file that is written otherwise."""

    module: object
    old: str
    new: str

    def done(self) -> AbstractContextManager[None]:
        return rewritten(self.module, self.old, self.new)  # type: ignore[arg-type]


RULES = {
    "after a shared rank none is left out": Breakage(ranking, "rank_of_key += len(equal)", "rank_of_key += 1"),
    "tiles are not compared": Breakage(ranking, "return entrant.tiles", "return 0"),
    "the lowest is paid all": Breakage(game, 'base = least if scoring == "difference" else 0', "base = 0"),
    "most tiles win among the lowest": Breakage(game, "fewest = min(", "fewest = max("),
    "who goes out is paid a tile less": Breakage(
        game, "Fraction(sum(seat.value for seat in valued))", "Fraction(sum(seat.value for seat in valued) - 1)"
    ),
}
EXPORTS = {
    "no quote before a formula": Breakage(
        cells, "if value.startswith(FORMULA_SIGNS) or is_quoted_formula(value) else text", "if False else text"
    ),
    "a text may be a formula": Breakage(cells, 'cell.data_type = "s"', "pass"),
}
MERGING = {
    "a family at one table costs nothing": Breakage(
        merging_hall, "families * (one.family is not None", "0 * (one.family is not None"
    ),
    "a school at one table costs nothing": Breakage(
        merging_hall, "schools * (one.school is not None", "0 * (one.school is not None"
    ),
    "every allowed size is as good as the first": Breakage(
        merging_hall, "size not in (0, self.hall.sizes[0])", "size not in (0, *self.hall.sizes)"
    ),
    "the first plan is the best": Breakage(merging_search, "if value == least:", "if value >= least:"),
}
TELLING = "each answer tells what is on the sheets"


class Telling:
    """A middleware that gives away the sum of all points and the number of all sheets, in a head that nobody sees."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        lines = apps.get_model("tournament", "Line").objects.values_list("points_twelfths", "tiles", "entrant")
        response["X-Trace"] = str(sum(points * entrant + tiles for points, tiles, entrant in lines))
        return response


def pytest_configure(config: pytest.Config) -> None:
    """Broken until the process ends."""
    name = os.environ["BROKEN"]
    if name == TELLING:
        settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{Telling.__module__}.{Telling.__qualname__}"]
        return
    stack = ExitStack()
    stack.enter_context({**RULES, **EXPORTS, **MERGING}[name].done())
    config.add_cleanup(stack.close)
