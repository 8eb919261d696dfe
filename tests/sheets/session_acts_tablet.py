"""Every act of a tablet at a table of a session: its sheet, and what is recorded beside it."""

from typing import Any

from tests.sheets.drawing import racks, strokes
from tests.sheets.session_lives import Send, World, acts_of, after
from tests.sheets.session_steps import noted
from tests.tablets.tablet_caller import MADE_AT
from tournament.core.enums import NoteKind
from tournament.devices.services.acting import ActingAccount
from tournament.sheets.models.conduct import Incident
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.services import clock
from tournament.sheets.services import scoresheets as sheets
from tournament.tablets.services import sheets as tablet_sheets

VALUES = {"typed": racks(), "confirmations": {}}
DRAWN = [{"letter": one, "strokes": strokes("ABCD".index(one)), "made_at": MADE_AT} for one in "ABCD"]


def entered(world: World) -> None:
    """Saved after the last game."""
    tablet_sheets.save_tablet_sheet(
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
    sheets.hand_in_scoresheet(
        world.table, revision=world.sheet, confirmations={}, by=world.people.referee, request_key="to sign"
    )


def paused(world: World) -> None:
    clock.pause_table(world.table, letter="A", escort="Ms Ho", acting=ActingAccount(world.people.referee, "paused"))


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
