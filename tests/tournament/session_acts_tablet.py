"""Every act of a tablet at a table of a session: its sheet, and what is recorded beside it."""

from typing import Any

from tests.tournament.api.tablet_caller import MADE_AT
from tests.tournament.drawing import racks, strokes
from tests.tournament.session_lives import Send, World, acts_of, after
from tests.tournament.session_steps import noted
from tournament.enums import NoteKind
from tournament.models import Incident, Scoresheet
from tournament.services import clock, tablet_sheets
from tournament.services import scoresheets as sheets
from tournament.services.acting import Acting

VALUES = {"typed": racks(), "confirmations": {}}
DRAWN = [{"letter": one, "strokes": strokes("ABCD".index(one)), "made_at": MADE_AT} for one in "ABCD"]


def entered(world: World) -> None:
    """Saved after the last game."""
    tablet_sheets.save(
        world.table,
        revision=world.sheet,
        typed=racks(),
        confirmations={},
        by=world.people.referee,
        request_key="entered",
    )


def to_sign(world: World) -> None:
    """Handed on to be signed."""
    entered(world)
    sheets.ready(world.table, revision=world.sheet, confirmations={}, by=world.people.referee, request_key="to sign")


def paused(world: World) -> None:
    clock.pause(world.table, letter="A", escort="Ms Ho", acting=Acting(world.people.referee, "paused"))


def at_sheet(act: str, **body: Any) -> Send:
    return lambda world: world.tablet(act, world.sheet, **body)


def beside(act: str, **body: Any) -> Send:
    return lambda world: world.tablet(act, **body)


def signed(world: World) -> str:
    """By the first seat, under the values that wait."""
    found = Scoresheet.objects.filter(table__session=world.session).order_by("-version").first()
    digest = (found.digest if found else "") or "0" * 64
    return world.tablet("sign", world.sheet, letter="A", strokes=strokes(), digest=digest)


def taken_back(world: World) -> str:
    note = Incident.objects.order_by("-pk").values_list("pk", flat=True).first() or 1
    return world.tablet("withdraw", kind=NoteKind.INCIDENT, note=note, reason="pressed by mistake")


BY_TABLET = acts_of(
    {
        "save": at_sheet("save", **VALUES),
        "ready": after(entered, then=at_sheet("ready", confirmations={})),
        "reopen": after(to_sign, then=at_sheet("reopen")),
        "sign": after(to_sign, then=signed),
        "package": at_sheet("package", **VALUES, signatures=DRAWN),
        "dispute": after(to_sign, then=at_sheet("dispute", reason="no", letter="A")),
        "hand out": beside("hand-out"),
        "call": beside("call", reason="a rack", game=1, letter="A"),
        "warning": beside("warning", letter="A", game=1, reason="looked at a rack"),
        "incident": beside("incident", kind="left", game=1, letter="A", note="was ill"),
        "take a note back": after(noted, then=taken_back),
        "pause": beside("pause", letter="A", escort="Ms Ho"),
        "unpause": after(paused, then=beside("unpause")),
        "overtime": beside("overtime", minutes=5, reason="the pause"),
    }
)
