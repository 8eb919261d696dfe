"""A tablet at the first table, open in its referee's name, and a request that works for each of its operations."""

from collections.abc import Callable
from typing import Any

from tests.reliability.fuzz_world import FuzzWorld, Request, account, change, drawn, key
from tests.reliability.world import pair_tablet
from tests.sheets.drawing import racks, strokes
from tournament.core.enums import SessionState
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device
from tournament.devices.services import devices, pin, pins
from tournament.devices.services.acting import ActingAccount
from tournament.seating.services import seating
from tournament.sheets.models.conduct import Incident
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries.scoresheets import find_table_of_event
from tournament.sheets.services import clock, scoresheets
from tournament.tables.models import Table
from tournament.tablets.services import conduct, sheets

PIN, MADE_AT, REASON = "7305", "2026-08-08T03:00:00Z", "as at the table"
PATH = {"table": 1}


def pair_first(world: FuzzWorld) -> str:
    """Its token; the PIN is one that can be typed."""
    session = Session.objects.select_related("stage__event").get(stage__event=world.playing, number=1)
    pins.set_pin(world.playing, account("referee"), pin=PIN, by=account("organiser"))
    return pair_tablet(session, account("referee"), (1,), account("organiser"))


def device_of(world: FuzzWorld) -> Device:
    """The tablet; paired now where none of the roles is one."""
    if not world.playing.devices.exists():
        pair_first(world)
    found = world.playing.devices.select_related("event", "session__stage__event", "referee", "opened_by")
    return found.order_by("-number")[0]


def table_of(world: FuzzWorld) -> Table:
    found = find_table_of_event(world.playing, 1, 1)
    assert found is not None
    return found


def said(world: FuzzWorld, body: Any = None, seen: int | None = None, path: Any = None) -> Request:
    """A request of the tablet, with the form of its items."""
    made = change(PATH if path is None else path, body, seen)
    headers = {**made.headers, "Idempotency-Key": f"tablet-request-{made.headers['Idempotency-Key']:0>24}"}
    return Request(made.path, {**headers, "X-Client-Schema": "1"}, made.body)


def item(world: FuzzWorld, seen: int | None = None, **more: Any) -> Request:
    """What is recorded in the referee's name."""
    return said(world, {"referee": account("referee").pk, "made_at": MADE_AT, **more}, seen)


# --- Sheets ---------------------------------------------------------------------------------------------
def saved(world: FuzzWorld) -> Scoresheet:
    given = {"by": account("referee"), "request_key": key()}
    return sheets.save_tablet_sheet(table_of(world), revision=0, typed=racks(), confirmations={}, **given)


def ready(world: FuzzWorld) -> Scoresheet:
    sheet = saved(world)
    given = {"by": account("referee"), "request_key": key()}
    return scoresheets.hand_in_scoresheet(table_of(world), revision=sheet.revision, confirmations={}, **given)


def save(world: FuzzWorld) -> Request:
    return item(world, 0, typed=racks(), confirmations={})


def hand_on(world: FuzzWorld) -> Request:
    return item(world, saved(world).revision, confirmations={})


def reopen(world: FuzzWorld) -> Request:
    return item(world, ready(world).revision)


def sign(world: FuzzWorld) -> Request:
    sheet = ready(world)
    return item(world, sheet.revision, letter="A", strokes=strokes(), digest=sheet.digest)


def package(world: FuzzWorld) -> Request:
    signed = [{"letter": one, "strokes": strokes(place), "made_at": MADE_AT} for place, one in enumerate("ABCD")]
    return item(world, 0, typed=racks(), confirmations={}, signatures=signed)


def dispute(world: FuzzWorld) -> Request:
    return item(world, ready(world).revision, reason=REASON, letter="B")


# --- Conduct and clock ----------------------------------------------------------------------------------
def playing(world: FuzzWorld, **more: Any) -> Request:
    """In a session that is being played."""
    Session.objects.filter(stage__event=world.playing, number=1).update(state=SessionState.PLAYING)
    return item(world, None, **more)


def unpause(world: FuzzWorld) -> Request:
    request = playing(world)
    acting = ActingAccount(account("referee"), key(), device_of(world))
    clock.pause_table(table_of(world), letter="A", escort="a helper", acting=acting)
    return request


def withdraw(world: FuzzWorld) -> Request:
    """A note that is taken back."""
    acting = ActingAccount(account("referee"), key(), device_of(world))
    conduct.record_incident(table_of(world), kind="new_deal", game=1, acting=acting)
    return item(world, None, kind="incident", note=Incident.objects.latest("pk").pk, reason=REASON)


# --- In whose hands -------------------------------------------------------------------------------------
def typed_pin(world: FuzzWorld) -> Request:
    device_of(world)
    return said(world, {"referee": account("referee").pk, "pin": PIN}, path={})


def take_back(world: FuzzWorld) -> Request:
    pin.hand_out_tablet(device_of(world), table_of(world))
    return typed_pin(world)


def pair(world: FuzzWorld) -> Request:
    device_of(world)
    made = devices.make_pairing(table_of(world).session, account("referee"), (1,), by=account("organiser"))
    return said(world, {"event": world.playing.slug, "code": made[1]}, path={})


def go_on(world: FuzzWorld) -> Request:
    """The second session, confirmed, with a table of the same referee."""
    device_of(world)
    session = drawn(world)
    Table.objects.filter(session=session, number=1).update(referee=account("referee"))
    seating.confirm_session_draw(session, revision=1, by=account("organiser"))
    return said(world, None, path={})


def late(world: FuzzWorld) -> Request:
    body = {"referee": account("referee").pk, "made_at": MADE_AT, "reason": REASON}
    one = {"key": key(), "act": "call", "session": 1, "table": 1, "revision": None, "body": body}
    return said(world, {"items": [one]}, path={})


TABLET_ACTS: dict[str, Callable[[FuzzWorld], Request]] = {
    "get_tablet_state": lambda world: Request({}, {"X-Client-Schema": "1"}),
    "pair_tablet": pair,
    "go_on_tablet": go_on,
    "open_tablet": typed_pin,
    "lock_tablet": lambda world: said(world, None, path={}),
    "hand_out_tablet": lambda world: said(world, None),
    "take_back_tablet": take_back,
    "deliver_late": late,
    "tablet_save": save,
    "tablet_ready": hand_on,
    "tablet_reopen": reopen,
    "tablet_sign": sign,
    "tablet_package": package,
    "tablet_dispute": dispute,
    "tablet_call": lambda world: item(world, None, reason=REASON),
    "tablet_warning": lambda world: item(world, None, letter="A", game=1, reason=REASON),
    "tablet_incident": lambda world: item(world, None, kind="pushed_over", game=1, letter="A", tiles=7),
    "tablet_withdraw": withdraw,
    "tablet_pause": lambda world: playing(world, letter="A", escort="a helper"),
    "tablet_unpause": unpause,
    "tablet_overtime": lambda world: playing(world, minutes=5, reason=REASON),
}
