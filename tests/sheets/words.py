"""A table of letters with its sheet of turns: what the tests of such sheets begin with."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from tests.conftest import account
from tests.sheets.tables import settle
from tests.small_event import league_data
from tournament.core.enums import Role
from tournament.core.models.stage import Session
from tournament.setup.services import setup
from tournament.sheets.domain.fields import fields_of_typed_sheet
from tournament.sheets.domain.scoresheets import empty_typed_sheet

# The sheet of mock-up 20a with its fault mended. `own/rearranged`, `!` where the rack was emptied; A B C D, the totals.
TURNS = {
    "A": ("PLANET", "SOFT", "/PLANETS", "-", "MIX/LAUNCHED HAT"),
    "B": ("-", "STRONG", "GARDEN", "RICE", "/GARDENS"),
    "C": ("STRAND", "-", "/STRANDED", "JOKE", "/CHIP LAP EAR!"),
    "D": ("-", "BREAKS", "GOD BLESS", "/SOFTEN", ""),
}
JOKERS, TOTALS = ("0", "0", "0", "1"), ("28", "23", "26", "-10")
POINTS = {"A": 28, "B": 23, "C": 26, "D": -10}
WORD_PEOPLE = (Role.ORGANISER, Role.CLERK, Role.CHIEF_JUDGE, Role.REFEREE)


def word_session(sizes: tuple[int, ...] = (4,)) -> tuple[Session, dict[str, User]]:
    """The first session of an event of one stage by the rules of letters, drawn; its people by role."""
    event = setup.create_event(league_data("word", sum(sizes)))
    people = {role.value: account(event, role) for role in WORD_PEOPLE}
    session = Session.objects.select_related("stage__event").get(stage__event=event, number=1)
    settle(session, people["organiser"], sizes)
    return session, people


def turn_cells(text: str) -> dict[str, Any]:
    """`GOD BLESS/CHIP!`: own words, words rearranged, the rack emptied."""
    own, _slash, rearranged = text.rstrip("!").partition("/")
    return {"own": own, "rearranged": rearranged, "emptied": text.endswith("!")}


def words_sheet(
    turns: Mapping[str, tuple[str, ...]] = TURNS,
    jokers: tuple[str, ...] = JOKERS,
    totals: tuple[str, ...] = TOTALS,
    ended_by: str = "rummikub",
) -> dict[str, Any]:
    """A sheet of turns as typed."""
    typed = empty_typed_sheet(1, max(map(len, turns.values())))
    [game] = typed["games"]
    game["ended_by"] = ended_by
    for (letter, laid), left, total in zip(turns.items(), jokers, totals, strict=False):
        game["seats"][letter]["turns"] = [turn_cells(text) for text in laid]
        game["seats"][letter]["tiles"] = left
        typed["totals"][letter]["points"] = total
    return typed


def as_page_sends(typed: dict[str, Any], revision: int, do: str, key: str) -> dict[str, str]:
    """The cells of the page with the buttons' names."""
    cells = {name: text for name, text in fields_of_typed_sheet(typed).items() if text}
    return {**cells, "form": "turns", "revision": str(revision), "do": do, "request_key": key}
