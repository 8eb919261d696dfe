"""The list of what somebody who owns the database might do, filled by tamper_sheets.py and tamper_records.py.

A kind answers with a part of the name of the thing that a verifier must give.
"""

from collections.abc import Callable, Sequence

from tournament.models import Line, Scoresheet
from tournament.queries.scoresheets import thing

Tamper = Callable[[], str]
KINDS: dict[str, Tamper] = {}
ANCHORED: set[str] = set()
OUTSIDE: set[str] = set()
CONDUCT: set[str] = set()


def kind(anchored: bool = False, outside: bool = False, conduct: bool = False) -> Callable[[Tamper], Tamper]:
    """List a kind; `anchored`: only an anchor can show it; `outside`: it is not in the exported evidence;
    `conduct`: of the world that `histories.make_conduct` leaves."""

    def keep(tamper: Tamper) -> Tamper:
        if tamper.__name__ in KINDS:
            raise ValueError(f"{tamper.__name__} would take another's place")
        KINDS[tamper.__name__] = tamper
        if anchored:
            ANCHORED.add(tamper.__name__)
        if outside:
            OUTSIDE.add(tamper.__name__)
        if conduct:
            CONDUCT.add(tamper.__name__)
        return tamper

    return keep


def sheets() -> Sequence[Scoresheet]:
    """Locked and stamped sheets, in order."""
    return Scoresheet.objects.filter(state="certified", stamp__isnull=False).order_by("pk")


def name(sheet: Scoresheet) -> str:
    """A sheet's public name."""
    return thing(sheet.table, sheet.version)


def first_lines(sheet: Scoresheet) -> list[Line]:
    """The lines of its first game."""
    return list(Line.objects.filter(game__scoresheet=sheet, game__number=1).order_by("letter"))
