"""What a tablet recorded and the server could not take: kept whole, settled by a person, never dropped (4.1, 4.6)."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_noop as _

from tournament.enums import HeldBecause, HeldOutcome, SheetForm
from tournament.errors import BadInput, Refused
from tournament.models import Device, Event, HeldItem, RequestKey, Table
from tournament.queries import devices as queries
from tournament.queries import scoresheets as sheets
from tournament.queries.scoresheets import serial
from tournament.services import audit, scoresheets
from tournament.services.requests import once

CONFLICT = _("The server has another version of this sheet. Yours is kept; the chief judge compares both.")
REASON = _("Say why, in at most 500 characters.")
SETTLED = _("Somebody has settled this already.")
NOT_ENTERED_HERE = _("This cannot be entered from here. Enter it where it belongs, then set it aside with the reason.")
NO_TABLE = _("It names no table that this tablet has served.")


class Item(NamedTuple):
    """One item of a tablet's outbox: the act, its table, the revision it has seen, its body."""

    key: str
    act: str
    session: int
    table: int
    revision: int | None
    body: Mapping[str, Any]


class Kept(NamedTuple):
    """By key: what waits for a person, and what had been recorded before."""

    held: list[str]
    recorded: list[str]


def scope_of(device: Device) -> str:
    """Where the keys of a tablet's items are its own."""
    return f"device:{device.pk}"


@transaction.atomic
def hold(
    device: Device, items: Iterable[Item], because: HeldBecause, refusal: str = "", now: datetime | None = None
) -> Kept:
    """Keep items for a person. One that was recorded under its key is not held; one that is held stays as it is.

    A row and an audit entry for each new one, in one transaction.
    """
    now = now or timezone.now()
    kept = Kept([], [])
    for item in items:
        if RequestKey.objects.filter(scope=scope_of(device), key=item.key, status__gt=0).exists():
            kept.recorded.append(item.key)
            continue
        hold_one(device, item, because, refusal, now)
        kept.held.append(item.key)
    return kept


def hold_one(device: Device, item: Item, because: HeldBecause, refusal: str, now: datetime) -> None:
    """The row, if its key is new at the event."""
    table = queries.served(device, item.session, item.table)
    row = HeldItem(
        event=device.event,
        table=table,
        device=device,
        key=item.key,
        act=item.act,
        revision=item.revision,
        body=dict(item.body),
        made_at=claimed(item.body),
        received_at=now,
        because=because,
        refusal=refusal,
    )
    before = HeldItem.objects.filter(event=device.event, key=item.key)
    if before.exists():
        return
    HeldItem.objects.bulk_create([row], ignore_conflicts=True)
    made = before.get()
    audit.record(
        device.event,
        None,
        "hold_item",
        thing_of(made),
        digest=("", audit.digest_of(made.body)),
        reason=f"tablet {device.number}: {item.act}, {because.value}",
        request_key=item.key,
        at=now,
    )


def claimed(body: Mapping[str, Any]) -> datetime | None:
    """When the tablet's clock says that it was made; None where that cannot be read."""
    text = body.get("made_at")
    try:
        found = parse_datetime(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return found if found and found.tzinfo else None


def thing_of(item: HeldItem) -> str:
    """How the audit log names it."""
    return f"held {item.pk} table {serial(item.table)}" if item.table else f"held {item.pk}"


# --- Settling -------------------------------------------------------------------------------------------
def settle(
    item: HeldItem, *, outcome: HeldOutcome, reason: str, by: AbstractUser, request_key: str, seen: int = 0
) -> HeldItem:
    """Enter what a tablet recorded, under the settler's name, or set it aside; once, with a reason.

    1. a reason; 2. compare-and-swap on "not settled" (409 `settled_already`); 3. entered: its act, from the revision
    `seen` of the sheet (412 where that has changed); 4. the audit entry. All or nothing.
    """
    why = reason.strip()
    if not why or len(why) > 500:
        raise BadInput("reason_missing", REASON)

    def do() -> dict[str, Any]:
        now = timezone.now()
        done = {"outcome": outcome, "settled_by": by, "settled_at": now, "settled_reason": why}
        if not HeldItem.objects.filter(pk=item.pk, outcome="").update(**done):
            raise Refused("settled_already", SETTLED, about=item)
        if outcome == HeldOutcome.ENTERED:
            enter(item, by, seen, request_key)
        action = "enter_held_item" if outcome == HeldOutcome.ENTERED else "set_aside_held_item"
        audit.record(item.event, by, action, thing_of(item), reason=why, request_key=request_key, at=now)
        return {"held": item.pk}

    key = scoresheets.checked_key(request_key)
    once(f"user:{by.pk}", key, "settle_held", [item.pk, outcome, why, seen], do)
    item.refresh_from_db()
    return item


def may_enter(item: HeldItem) -> bool:
    """Whether its act can be entered from here."""
    return item.table is not None and item.act in ENTERED


def enter(item: HeldItem, by: AbstractUser, seen: int, request_key: str) -> None:
    """Do what the item says, as the settler."""
    if item.table is None:
        raise Refused("held_no_table", NO_TABLE, about=item)
    act = ENTERED.get(item.act)
    if act is None:
        raise Refused("held_not_entered_here", NOT_ENTERED_HERE, about=item)
    act(item, item.table, by, seen, request_key)


def enter_values(item: HeldItem, table: Table, by: AbstractUser, seen: int, request_key: str) -> None:
    """The values as the tablet had them become the draft; signatures drawn for them stay with the item."""
    scoresheets.save(
        table,
        revision=seen,
        form=SheetForm.RACK,
        typed=item.body.get("typed") or {},
        confirmations=item.body.get("confirmations") or {},
        by=by,
        request_key=f"held-{item.pk}",
    )


Enter = Callable[[HeldItem, Table, AbstractUser, int, str], None]
# What can be entered from a held item, by its act.
ENTERED: Mapping[str, Enter] = {"save": enter_values, "package": enter_values}


def server_sheet(item: HeldItem) -> Any:
    """What stands now at the item's table; None where nothing does."""
    return sheets.current_sheet(item.table) if item.table else None


@transaction.atomic
def record_import(event: Event, *, content_digest: str, counts: Mapping[str, int], by: AbstractUser) -> None:
    """That somebody brought a tablet's outbox by hand: its digest, and how many items came to what."""
    said = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    audit.record(event, by, "import_outbox", "outbox", digest=("", content_digest), reason=said)
