"""What a tablet recorded and the server could not take: kept whole, settled by a person, never dropped (D1, D6)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core import canonical
from tournament.core.enums import QuarantineReason, SubmissionOutcome
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.services.requests import run_once
from tournament.devices import queries
from tournament.devices.models.device import Device, QuarantinedSubmission, Unlock
from tournament.sheets.queries.scoresheets import sheet_serial
from tournament.sheets.services import scoresheets
from tournament.tablets.queries import receipts
from tournament.tablets.services import bodies

SUBMISSION_CONFLICT = _("The server has another version of this sheet. Yours is kept; the chief judge compares both.")
SUBMISSION_WAITS_AT_DESK = _("This is with the desk already and waits there for the chief judge.")
RESOLVE_REASON_MISSING = _("Say why, in at most 500 characters.")
SUBMISSION_ALREADY_RESOLVED = _("Somebody has settled this already.")


class OutboxItem(NamedTuple):
    """One item of a tablet's outbox: the act, its table, the revision it has seen, its body."""

    key: str
    act: str
    session: int
    table: int
    revision: int | None
    body: Mapping[str, Any]


class QuarantineResult(NamedTuple):
    """By key: what waits for a person, and what had been recorded before."""

    held: list[str]
    recorded: list[str]


@transaction.atomic
def quarantine_items(
    device: Device,
    items: Iterable[OutboxItem],
    because: QuarantineReason,
    refusal: str = "",
    now: datetime | None = None,
) -> QuarantineResult:
    """Keep items for a person. One that was recorded under its key is not held; one that is held stays as it is.

    A row and an audit entry for each new one, in one transaction.
    """
    now = now or timezone.now()
    kept = QuarantineResult([], [])
    for item in items:
        if is_recorded(device, item.key):
            kept.recorded.append(item.key)
            continue
        quarantine_item(device, item, because, refusal, now)
        kept.held.append(item.key)
    return kept


def is_recorded(device: Device, key: str) -> bool:
    """Whether the item of this key was done, under this pairing or another."""
    return receipts.is_key_carried_out(device.event, key)


def quarantine_unsealed_item(device: Device, item: OutboxItem) -> bool:
    """Keep an item that came by hand without the tablet's seal; False: one of its key was recorded before.

    It is kept under a key of its own, made from all that it says: the tablet's true item of that key keeps its place.
    """
    if is_recorded(device, item.key):
        return False
    said = canonical.digest_of([item.key, item.act, item.session, item.table, item.revision, dict(item.body)])
    quarantine_items(device, [item._replace(key=f"brought-{said[:48]}")], QuarantineReason.BROUGHT)
    return True


def quarantine_item(device: Device, item: OutboxItem, because: QuarantineReason, refusal: str, now: datetime) -> None:
    """The row, if its key is new at the event."""
    table = queries.find_table_ever_served(device, item.session, item.table)
    row = QuarantinedSubmission(
        event=device.event,
        table=table,
        device=device,
        key=item.key,
        act=item.act,
        revision=item.revision,
        made_at=claimed_made_at(item.body),
        received_at=now,
        because=because,
        refusal=refusal,
    )
    if QuarantinedSubmission.objects.filter(event=device.event, key=item.key).exists():
        return
    bodies.seal_submission(row, item.body)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        return  # another request has held it in the meantime
    row.refresh_from_db()
    services.append_audit_entry(
        device.event,
        None,
        "hold_item",
        submission_subject_ref(row),
        digest=("", bodies.submission_digest(row)),
        details={"tablet": device.number, "act": item.act, "because": because.value},
        request_key=item.key,
        at=now,
    )


def claimed_made_at(body: Mapping[str, Any]) -> datetime | None:
    """When the tablet's clock says that it was made; None where that cannot be read."""
    text = body.get("made_at")
    try:
        found = parse_datetime(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return found if found and found.tzinfo else None


def submission_subject_ref(item: QuarantinedSubmission) -> str:
    """How the audit log names it."""
    return f"held {item.pk} table {sheet_serial(item.table)}" if item.table else f"held {item.pk}"


# --- Settling -------------------------------------------------------------------------------------------
EnterSubmission = Callable[[QuarantinedSubmission], None]


def resolve_submission(
    item: QuarantinedSubmission,
    *,
    outcome: SubmissionOutcome,
    reason: str,
    by: User,
    request_key: str,
    enter: EnterSubmission,
    asked: str = "",
    older: Sequence[QuarantinedSubmission] = (),
) -> QuarantinedSubmission:
    """Enter what a tablet recorded, under the settler's name, or set it aside; once, with a reason.

    1. a reason; 2. compare-and-swap on "not settled" (409 `settled_already`); 3. entered: `enter` does its act, in this
    transaction, and keeps its key so that a later sending is a replay; `asked` says from which state, for the key;
    4. the audit entry, with the item's own key; 5. `older` ones, which it contains, are set aside. All or nothing.
    """
    why = reason.strip()
    if not why or len(why) > 500:
        raise BadInput("reason_missing", RESOLVE_REASON_MISSING)

    def do() -> dict[str, Any]:
        now = timezone.now()
        mark_submission_resolved(item, outcome, why, by, now)
        if outcome == SubmissionOutcome.ENTERED:
            enter(item)
        record_resolution(item, outcome, why, by, now)
        for one in older:
            contained = f"{submission_subject_ref(item)}: {why}"[:500]
            mark_submission_resolved(one, SubmissionOutcome.SET_ASIDE, contained, by, now)
            record_resolution(one, SubmissionOutcome.SET_ASIDE, contained, by, now)
        return {"held": item.pk}

    key = scoresheets.checked_key(request_key)
    run_once(f"user:{by.pk}", key, "settle_held", [item.pk, outcome, why, asked], do)
    item.refresh_from_db()
    return item


def mark_submission_resolved(
    item: QuarantinedSubmission, outcome: SubmissionOutcome, reason: str, by: User, now: datetime
) -> None:
    """From "not settled" to this outcome; of two who settle at once one does."""
    done = {"outcome": outcome, "resolved_by": by, "resolved_at": now, "resolved_reason": reason}
    if not QuarantinedSubmission.objects.filter(pk=item.pk, outcome="").update(**done):
        raise Refused("settled_already", SUBMISSION_ALREADY_RESOLVED, about=item)


def resolution_digest(outcome: str, reason: str) -> str:
    """What the log holds a settled item to."""
    return canonical.digest_of([str(outcome), reason])


def record_resolution(
    item: QuarantinedSubmission, outcome: SubmissionOutcome, reason: str, by: User, now: datetime
) -> None:
    """The audit entry: who settled it and why, with the key that the item's own entries have."""
    action = "enter_held_item" if outcome == SubmissionOutcome.ENTERED else "set_aside_held_item"
    digest = ("", resolution_digest(outcome, reason))
    services.append_audit_entry(
        item.event, by, action, submission_subject_ref(item), digest=digest, reason=reason, request_key=item.key, at=now
    )


@transaction.atomic
def record_signature_view(item: QuarantinedSubmission, by: User) -> None:
    """That somebody looked at the signatures it holds (Y4)."""
    services.append_audit_entry(item.event, by, "see_held_drawings", submission_subject_ref(item))


def find_submission(device: Device, key: str) -> QuarantinedSubmission | None:
    """The item of this key that a person has, or had, before them."""
    return QuarantinedSubmission.objects.filter(event=device.event_id, key=key).first()


def opened_by_its_referee(item: QuarantinedSubmission) -> bool:
    """Whether the referee in whose name it was made had opened this tablet, or the one that it follows, with a PIN."""
    referee = item.body.get("referee")
    if type(referee) is not int:
        return False
    own = Q(device=item.device_id) | Q(device__followed_by=item.device_id)
    return Unlock.objects.filter(own, referee=referee).exists()


def may_count_signatures(item: QuarantinedSubmission) -> bool:
    """Whether they are known to be drawn on this tablet: it brought them itself or sealed them, opened by a PIN."""
    return item.because != QuarantineReason.BROUGHT and opened_by_its_referee(item)


def older_waiting_drafts(item: QuarantinedSubmission) -> list[QuarantinedSubmission]:
    """Older drafts of the same tablet for the same table that wait too: a later one contains them."""
    if item.act not in ("save", "package") or item.table_id is None:
        return []
    rows = QuarantinedSubmission.objects.filter(
        event=item.event_id, device=item.device_id, table=item.table_id, outcome=""
    )
    return list(rows.filter(act="save", pk__lt=item.pk).order_by("pk"))


@transaction.atomic
def record_import(event: Event, *, content_digest: str, counts: Mapping[str, int], by: User) -> None:
    """That somebody brought a tablet's outbox by hand: its digest, and how many items came to what."""
    said = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    services.append_audit_entry(event, by, "import_outbox", "outbox", digest=("", content_digest), reason=said)
