"""A small event with one session of seated tables, made quickly: what races and crashes are run against."""

import json
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tests.recorded import recorded
from tests.sheets.tables import settle
from tournament.accounts.services import accounts
from tournament.audit import services
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device, Unlock
from tournament.devices.models.pin import RefereePin
from tournament.devices.services import devices
from tournament.entrants.models.people import Entrant, Person
from tournament.seating.services import seating
from tournament.setup.services import setup
from tournament.tables.models import Table

FIXTURES = Path(__file__).resolve().parent.parent.parent / "fixtures"
PASSWORD = "a long enough password"
WITH_TABLETS = (Role.ORGANISER, Role.CLERK, Role.REFEREE)


@dataclass(frozen=True)
class World:
    """The event, its first session's tables in order, and its accounts."""

    event: Event
    session: Session
    tables: tuple[Table, ...]
    clerks: tuple[User, ...]
    organiser: User


def make_world(tables: int = 25, clerks: int = 1) -> World:
    """An event whose first session has `tables` tables of four, drawn and confirmed, and so many clerks."""
    event = setup.create_event(json.loads((FIXTURES / "event.json").read_text(encoding="utf-8")))
    session = Session.objects.get(stage__event=event, number=1)
    with recorded(event):
        for number in range(1, tables * 4 + 1):
            names = {"name_zh": f"參{number}", "name_en": f"CHAN {number}", "name_key": f"chan {number}"}
            person = Person.objects.create(birth_date=date(2000, 1, 1), **names)
            Entrant.objects.create(event=event, number=number, person=person, session=session)
    organiser = accounts.create_account(event, "organiser", PASSWORD, "organiser", [Role.ORGANISER])
    typists = [accounts.create_account(event, f"clerk{n}", PASSWORD, f"clerk{n}", [Role.CLERK]) for n in range(clerks)]
    draw = seating.draw_session(session, seed=1, by=organiser)
    seating.confirm_session_draw(session, revision=draw.revision, by=organiser)
    seated = Table.objects.filter(session=session).select_related("session__stage__event", "session__draw")
    return World(event, session, tuple(seated.order_by("number")), tuple(typists), organiser)


def pair_tablet(
    session: Session, referee: User, numbers: tuple[int, ...], by: User, now: datetime | None = None
) -> str:
    """A tablet at these tables, open in the referee's name: its token. The PIN's slow hash has tests of its own.

    Paired so long ago (`now`) that its time is over, it is refused from the first request on.
    """
    now = now or timezone.now()
    event = session.stage.event
    with transaction.atomic():
        Table.objects.filter(session=session, number__in=numbers).update(referee=referee)
        RefereePin.objects.get_or_create(event=event, user=referee, defaults={"hash": "!", "set_at": timezone.now()})
        _row, code = devices.make_pairing(session, referee, numbers, by=by, now=now)
    device, token = devices.pair_tablet(
        event, code, f"pairing-{session.pk:012d}-{numbers[0]:04d}-{now:%H%M%S%f}", now=now
    )
    with transaction.atomic():
        Unlock.objects.create(device=device, referee=referee, at=now)
        Device.objects.filter(pk=device.pk).update(opened_by=referee)
        services.append_audit_entry(event, referee, "open_tablet", f"tablet {device.number}", at=now)
    return token


@dataclass(frozen=True)
class TabletWorld:
    """An event with sessions of seated tables; `places[n]` are the n-th table of each session with its token."""

    event: Event
    referee: User
    clerk: User
    places: tuple[tuple[tuple[Table, str], ...], ...]


def make_tablet_world(tables: int, sessions: int = 1) -> TabletWorld:
    """So many tables of four in each of so many sessions, each with a tablet of its own."""
    data = json.loads((FIXTURES / "event.json").read_text(encoding="utf-8"))
    event = setup.create_event(data)
    people = [accounts.create_account(event, role.value, PASSWORD, role.value, [role]) for role in WITH_TABLETS]
    organiser, clerk, referee = people
    rows = []
    for number in range(1, sessions + 1):
        session = Session.objects.select_related("stage__event").get(stage__event=event, number=number)
        seated = settle(session, organiser, sizes=[4] * tables, first=1 + 4 * tables * (number - 1))
        rows.append([(table, pair_tablet(session, referee, (table.number,), organiser)) for table in seated])
    return TabletWorld(event, referee, clerk, tuple(zip(*rows, strict=True)))


def typed(points: int) -> dict[str, Any]:
    """A sheet with one game, in which A has won so many points; each number makes another sheet."""
    cells = {"A": (1, points, 0), "B": (0, -1, 1), "C": (0, -1, 1), "D": (0, 2 - points, 4)}
    seats = {
        seat: {"win": str(win), "points": str(own), "tiles": str(left)} for seat, (win, own, left) in cells.items()
    }
    return {"games": [{"ended_by": "rummikub", "starter": "A", "seats": seats}], "totals": {}}
