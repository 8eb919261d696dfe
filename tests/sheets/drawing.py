"""A tablet at a table, a sheet as its referee enters it, and signatures drawn with a finger."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournament.audit import services
from tournament.devices.models.device import Device, DeviceTable
from tournament.devices.services import devices
from tournament.sheets.domain.scoresheets import empty_typed_sheet
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Table
from tournament.tablets.services import sheets

MADE_AT = datetime(2026, 8, 8, 3, 0, tzinfo=UTC)
# Value and tiles of each rack, A to D; who is out has none.
RACKS = (
    ("rummikub", "0 0", "14 3", "21 5", "9 2"),
    ("pool", "11 1", "23 3", "23 2", "34 4"),
    ("rummikub", "31 4", "32 9", "0 0", "40 6"),
)


def racks(games: Sequence[Sequence[str]] = RACKS, letters: str = "ABCD") -> dict[str, Any]:
    """A sheet as entered on a tablet: values and tiles, points to be computed."""
    typed = empty_typed_sheet(len(games))
    for row, (ended_by, *seats) in zip(typed["games"], games, strict=True):
        row["ended_by"] = ended_by
        for letter, text in zip(letters, seats, strict=False):
            value, tiles = text.split(" ")
            row["seats"][letter].update({"face_value": value, "tiles": tiles})
    return typed


def strokes(shift: int = 0) -> list[list[list[int]]]:
    """A signature of two strokes, 40 points; another line for another shift, for seven in a row at least."""
    first = [[100 + 20 * step, 200 + shift + (step * (shift + 2) % 7) * 30, 12 * step, 128] for step in range(30)]
    return [first, [[300 + 15 * step, 150 + 25 * step, 500 + 12 * step, 90] for step in range(10)]]


def drawn(letter: str, seconds: int | None = None) -> sheets.DrawnSignature:
    """A seat's signature, made so many seconds after the first; else ten seconds apart by seat."""
    after = 10 * "ABCD".index(letter) if seconds is None else seconds
    return sheets.drawn_of(letter, strokes("ABCD".index(letter)), MADE_AT + timedelta(seconds=after))


def tablet(table: Table, referee: User, by: User) -> Device:
    """A paired tablet that serves the table."""
    event, now = table.session.stage.event, timezone.now()
    number = event.devices.count() + 1
    thing = devices.session_tables_subject_ref(table.session, [table.number])
    device = Device(
        event=event,
        session=table.session,
        number=number,
        referee=referee,
        digest=f"{number:064d}",
        paired_by=by,
        paired_at=now,
        expires_at=now + timedelta(hours=2),
        opened_by=referee,
    )
    with transaction.atomic():
        device.save()
        DeviceTable.objects.create(device=device, table=table)
        digest = ("", devices.tablet_digest(device, [table.number]))
        services.append_audit_entry(event, by, "go_on_tablet", f"tablet {number}", digest=digest, reason=thing, at=now)
    return device


def tablet_at(table: Table, referee: User) -> Device:
    """The tablet that serves the table, paired by its referee where there is none."""
    serving = DeviceTable.objects.filter(table=table, ended_at=None).select_related("device").first()
    return serving.device if serving else tablet(table, referee, referee)


def packed(
    table: Table,
    device: Device,
    by: User,
    *,
    revision: int = 0,
    typed: Mapping[str, Any] | None = None,
    letters: str = "ABCD",
    key: str = "package",
) -> Scoresheet:
    """The whole sheet signed by these seats and delivered at once."""
    return sheets.submit_tablet_package(
        table,
        device=device,
        revision=revision,
        typed=typed or racks(),
        confirmations={},
        signatures=[drawn(letter) for letter in letters],
        by=by,
        request_key=key,
    )
