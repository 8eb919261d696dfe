"""A table's sheet on its way through the API: submitted, certified."""

from typing import Any

from django.http import HttpResponse

from tests.api.caller import Caller
from tests.sheets.tables import changed, paper

REASON = "as on the paper"


def path_of(table: int = 1, act: str = "") -> str:
    """The address of a sheet of the first session, or of an act on it."""
    return f"sessions/1/scoresheets/{table}/{act}"


def confirmations(response: HttpResponse) -> dict[str, str]:
    """A reason for all that a sheet shows as unusual."""
    return {one["key"]: REASON for one in response.json()["problems"] if one["weight"] == "look"}


def submitted(typist: Caller, table: int = 1, typed: Any = None) -> HttpResponse:
    """Saved, what is unusual confirmed, handed on: revision 2."""
    body = {"form": "paper", "typed": typed or paper()}
    draft = typist.change(path_of(table), body, method="PUT", seen=0)
    assert draft.status_code == 200, draft.content
    ready = typist.change(path_of(table, "ready/"), {"confirmations": confirmations(draft)}, seen=1)
    assert ready.status_code == 200, ready.content
    return ready


def certified(typist: Caller, checker: Caller, table: int = 1, letters: str = "ABCD") -> HttpResponse:
    """Certified by the second account: revision 3."""
    submitted(typist, table)
    signatures = {"signatures": dict.fromkeys(letters, "")}
    locked = checker.change(path_of(table, "certify/"), signatures, seen=2)
    assert locked.status_code == 200, locked.content
    return locked


def with_other_tiles() -> Any:
    """The same sheet, but for one tile more that A had left in the first game."""
    typed = changed(paper(), 1, "A", tiles="4")
    return {**typed, "totals": {**typed["totals"], "A": {**typed["totals"]["A"], "tiles": "9"}}}
