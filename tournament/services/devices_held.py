"""What a tablet recorded and the server could not take: kept whole, settled by a person, never dropped (4.1, 4.6)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_noop as _

from tournament.enums import HeldBecause, HeldOutcome
from tournament.errors import BadInput, Refused
from tournament.models import Device, Event, HeldItem, Unlock
from tournament.queries import devices as queries
from tournament.queries import receipts
from tournament.queries.scoresheets import serial
from tournament.services import audit, devices_bodies, scoresheets
from tournament.services.requests import once

CONFLICT = _("The server has another version of this sheet. Yours is kept; the chief judge compares both.")
WAITS = _("This is with the desk already and waits there for the chief judge.")
REASON = _("Say why, in at most 500 characters.")
SETTLED = _("Somebody has settled this already.")


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
        if is_recorded(device, item.key):
            kept.recorded.append(item.key)
            continue
        hold_one(device, item, because, refusal, now)
        kept.held.append(item.key)
    return kept


def is_recorded(device: Device, key: str) -> bool:
    """Whether the item of this key was done, under this pairing or another."""
    return receipts.carried_out(device.event, key)


def hold_brought(device: Device, item: Item) -> bool:
    """Keep an item that came by hand without the tablet's seal; False: one of its key was recorded before.

    It is kept under a key of its own, made from all that it says: the tablet's true item of that key keeps its place.
    """
    if is_recorded(device, item.key):
        return False
    said = audit.digest_of([item.key, item.act, item.session, item.table, item.revision, dict(item.body)])
    hold(device, [item._replace(key=f"brought-{said[:48]}")], HeldBecause.BROUGHT)
    return True


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
        made_at=claimed(item.body),
        received_at=now,
        because=because,
        refusal=refusal,
    )
    before = HeldItem.objects.filter(event=device.event, key=item.key)
    if before.exists():
        return
    devices_bodies.seal(row, item.body)
    HeldItem.objects.bulk_create([row], ignore_conflicts=True)
    made = before.get()
    audit.record(
        device.event,
        None,
        "hold_item",
        thing_of(made),
        digest=("", devices_bodies.digest_of(made)),
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
Enter = Callable[[HeldItem], None]


def settle(
    item: HeldItem,
    *,
    outcome: HeldOutcome,
    reason: str,
    by: AbstractUser,
    request_key: str,
    enter: Enter,
    asked: str = "",
    older: Sequence[HeldItem] = (),
) -> HeldItem:
    """Enter what a tablet recorded, under the settler's name, or set it aside; once, with a reason.

    1. a reason; 2. compare-and-swap on "not settled" (409 `settled_already`); 3. entered: `enter` does its act, in this
    transaction, and keeps its key so that a later sending is a replay; `asked` says from which state, for the key;
    4. the audit entry, with the item's own key; 5. `older` ones, which it contains, are set aside. All or nothing.
    """
    why = reason.strip()
    if not why or len(why) > 500:
        raise BadInput("reason_missing", REASON)

    def do() -> dict[str, Any]:
        now = timezone.now()
        swap(item, outcome, why, by, now)
        if outcome == HeldOutcome.ENTERED:
            enter(item)
        record_settled(item, outcome, why, by, now)
        for one in older:
            contained = f"{thing_of(item)}: {why}"[:500]
            swap(one, HeldOutcome.SET_ASIDE, contained, by, now)
            record_settled(one, HeldOutcome.SET_ASIDE, contained, by, now)
        return {"held": item.pk}

    key = scoresheets.checked_key(request_key)
    once(f"user:{by.pk}", key, "settle_held", [item.pk, outcome, why, asked], do)
    item.refresh_from_db()
    return item


def swap(item: HeldItem, outcome: HeldOutcome, reason: str, by: AbstractUser, now: datetime) -> None:
    """From "not settled" to this outcome; of two who settle at once one does."""
    done = {"outcome": outcome, "settled_by": by, "settled_at": now, "settled_reason": reason}
    if not HeldItem.objects.filter(pk=item.pk, outcome="").update(**done):
        raise Refused("settled_already", SETTLED, about=item)


def settled_digest(outcome: str, reason: str) -> str:
    """What the log holds a settled item to."""
    return audit.digest_of([str(outcome), reason])


def record_settled(item: HeldItem, outcome: HeldOutcome, reason: str, by: AbstractUser, now: datetime) -> None:
    """The audit entry: who settled it and why, with the key that the item's own entries have."""
    action = "enter_held_item" if outcome == HeldOutcome.ENTERED else "set_aside_held_item"
    digest = ("", settled_digest(outcome, reason))
    audit.record(item.event, by, action, thing_of(item), digest=digest, reason=reason, request_key=item.key, at=now)


@transaction.atomic
def record_look(item: HeldItem, by: AbstractUser) -> None:
    """That somebody looked at the signatures it holds (Y4)."""
    audit.record(item.event, by, "see_held_drawings", thing_of(item))


def known(device: Device, key: str) -> HeldItem | None:
    """The item of this key that a person has, or had, before them."""
    return HeldItem.objects.filter(event=device.event_id, key=key).first()


def opened_by_its_referee(item: HeldItem) -> bool:
    """Whether the referee in whose name it was made had opened this tablet, or the one that it follows, with a PIN."""
    referee = item.body.get("referee")
    if type(referee) is not int:
        return False
    own = Q(device=item.device_id) | Q(device__followed_by=item.device_id)
    return Unlock.objects.filter(own, referee=referee).exists()


def may_count_signatures(item: HeldItem) -> bool:
    """Whether they are known to be drawn on this tablet: it brought them itself or sealed them, opened by a PIN."""
    return item.because != HeldBecause.BROUGHT and opened_by_its_referee(item)


def superseded(item: HeldItem) -> list[HeldItem]:
    """Older drafts of the same tablet for the same table that wait too: a later one contains them."""
    if item.act not in ("save", "package") or item.table_id is None:
        return []
    rows = HeldItem.objects.filter(event=item.event_id, device=item.device_id, table=item.table_id, outcome="")
    return list(rows.filter(act="save", pk__lt=item.pk).order_by("pk"))


@transaction.atomic
def record_import(event: Event, *, content_digest: str, counts: Mapping[str, int], by: AbstractUser) -> None:
    """That somebody brought a tablet's outbox by hand: its digest, and how many items came to what."""
    said = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    audit.record(event, by, "import_outbox", "outbox", digest=("", content_digest), reason=said)
