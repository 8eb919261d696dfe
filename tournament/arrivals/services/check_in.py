"""Entrants checked in at a session, and what is seen at its door: each act one transaction, harmless when sent twice.

An act of the desk is judged by what is recorded now. What a device at the door brings is kept whatever was recorded
meanwhile: an arrival against which something stands is shown to a person (`domain.find_conflicts`).
"""

from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.arrivals import queries
from tournament.arrivals.domain import arrived_at, earliest_arrivals
from tournament.arrivals.models import Arrival, DoorCheck
from tournament.audit import services
from tournament.core.dateformat import time_text
from tournament.core.enums import OFF, DoorCheckKind, EntrantStatus
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.devices.services.acting import ActingAccount
from tournament.entrants.exports.file import importer_cell_text
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.finalists import lists, status_at
from tournament.registration.services import changes
from tournament.tables.queries.seating import takes_part_in_session

UNDO_REASON_MAX_LENGTH = 500
NO_SUCH_ENTRANT = _("Nobody at this event has the number %(number)s. Nobody was checked in.")
NOBODY_NAMED = _("Type the numbers of those who have come.")
CHECK_IN_ELSEWHERE = _(
    "Entrant %(number)s plays in session %(session)s, not in this one. Nobody was checked in. Send them to the desk."
)
CHECK_IN_NOT_TAKING_PART = _(
    "Entrant %(number)s is recorded as %(status)s. Nobody was checked in. If they are to play, readmit them first."
)
CHECK_IN_SESSION_OFF = _("This session is %(state)s: nobody checks in to it.")
ARRIVAL_IN_FUTURE = _("This time is still to come: %(at)s. Type when they came.")
UNDO_REASON_TOO_LONG = _("Say in a few words why (at most 500 characters).")
CONSENT_RECEIVED_AT_DOOR = "consent received at the door"
CONSENT_TAKEN_BACK = "consent received at the door: taken back"
CONSENT_MISSING = frozenset({"guardian_consent_missing"})


@transaction.atomic
def check_in(session: Session, numbers: Sequence[int], *, acting: ActingAccount) -> list[int]:
    """Record that these entrants, one or a family, have come; the numbers of those for whom a row was written.

    `acting.claimed_at` is when they came, by a device's clock or by a paper; None: now. 1. event and session are
    locked; 2. each is entered at the event (BadInput `no_such_entrant`), and unless a device brings it, expected here
    (Refused `other_session`, `not_taking_part`); 3. who is in already by the same time or an earlier one is left as
    they are; 4. the rows, each with its audit entry. All of them or none.
    """
    now = timezone.now()
    if acting.claimed_at is not None and acting.device is None and acting.claimed_at > now:
        raise BadInput("arrival_in_future", ARRIVAL_IN_FUTURE, at=time_text(acting.claimed_at))
    locked = lock_session_of_arrivals(session)
    entrants = find_entrants_by_number(locked.stage.event, numbers)
    if acting.device is None:
        for entrant in entrants:
            refuse_unexpected(entrant, locked)
    earliest = earliest_arrivals(queries.arrivals_in_force(locked))
    made = []
    for entrant in entrants:
        row = Arrival(session=locked, entrant=entrant, by=acting.by, at=now, **acting.columns)
        kept = earliest.get(entrant.pk)
        if kept is None or arrived_at(row) < arrived_at(kept):
            row.save(force_insert=True)
            append_door_entry(entrant, "check_in", acting, now, session=locked.code)
            made.append(entrant.number)
    return made


@transaction.atomic
def undo_check_in(session: Session, number: int, *, reason: str = "", acting: ActingAccount) -> bool:
    """Take back that an entrant has come; the rows stay and say who undid them. Whether there was anything to undo."""
    why = reason.strip()
    if len(why) > UNDO_REASON_MAX_LENGTH:
        raise BadInput("reason_needed", UNDO_REASON_TOO_LONG)
    now = timezone.now()
    locked = lock_session_of_arrivals(session)
    [entrant] = find_entrants_by_number(locked.stage.event, [number])
    undone = Arrival.objects.filter(session=locked, entrant=entrant, undone_at=None)
    if not undone.update(undone_at=now, undone_by=acting.by, undone_reason=why):
        return False
    append_door_entry(entrant, "undo_check_in", acting, now, why, session=locked.code)
    return True


@transaction.atomic
def record_door_check(event: Event, number: int, kind: DoorCheckKind, *, acting: ActingAccount) -> bool:
    """Record that a document which shows the age was seen, or a guardian's consent received; again it is nothing.

    A consent is also entered in the entrant's column, by the act that changes an entry.
    """
    locked = lock_event(event)
    [entrant] = find_entrants_by_number(locked, [number])
    if DoorCheck.objects.filter(entrant=entrant, kind=kind, undone_at=None).exists():
        return False
    now = timezone.now()
    if kind == DoorCheckKind.CONSENT:
        enter_consent(entrant, True, acting.by)
    DoorCheck.objects.create(entrant=entrant, kind=kind, by=acting.by, at=now, **acting.columns)
    append_door_entry(entrant, "record_door_check", acting, now, kind=kind.value)
    return True


@transaction.atomic
def undo_door_check(event: Event, number: int, kind: DoorCheckKind, *, acting: ActingAccount) -> bool:
    """Take back what was seen at the door; a consent is taken out of the entrant's column again."""
    locked = lock_event(event)
    [entrant] = find_entrants_by_number(locked, [number])
    standing = DoorCheck.objects.filter(entrant=entrant, kind=kind, undone_at=None)
    if not standing.exists():
        return False
    now = timezone.now()
    if kind == DoorCheckKind.CONSENT:
        enter_consent(entrant, False, acting.by)
    standing.update(undone_at=now, undone_by=acting.by)
    append_door_entry(entrant, "undo_door_check", acting, now, kind=kind.value)
    return True


def enter_consent(entrant: Entrant, given: bool, by: User) -> None:
    """The guardian's consent in the entrant's column, unless it says so already. Taken back, a minor lacks it again,
    which a list could not say."""
    if entrant.person.consent_guardian != given:
        cells = {"consent_guardian": importer_cell_text("consent_guardian", given)}
        changes.change_entrants(
            entrant.event,
            [changes.EntrantEdit(entrant.number, entrant.revision, cells)],
            reason=CONSENT_RECEIVED_AT_DOOR if given else CONSENT_TAKEN_BACK,
            by=by,
            accepting=CONSENT_MISSING,
        )


def lock_event(event: Event) -> Event:
    """The event's row, held until the transaction ends."""
    return Event.objects.select_for_update(no_key=True).get(pk=event.pk)


def lock_session_of_arrivals(session: Session) -> Session:
    """Event and session, in this order, so that arrivals and the press of the seating time come one after another.
    Refused `session_off`: a session that is void or postponed has no door."""
    lock_event(session.stage.event)
    rows = Session.objects.select_for_update(of=("self",), no_key=True).select_related("stage__event")
    row = rows.get(pk=session.pk)
    if row.state in OFF:
        raise Refused("session_off", CHECK_IN_SESSION_OFF, about=row, state=row.get_state_display())
    return row


def find_entrants_by_number(event: Event, numbers: Sequence[int]) -> list[Entrant]:
    """The entrants of these numbers, by number, each once; BadInput `no_such_entrant`, `nobody_named`."""
    wanted = sorted(set(numbers))
    if not wanted:
        raise BadInput("nobody_named", NOBODY_NAMED)
    rows = Entrant.objects.filter(event=event, number__in=wanted).select_related("person", "session__stage", "event")
    found = list(rows.prefetch_related(lists()).order_by("number"))
    missing = set(wanted) - {one.number for one in found}
    if missing:
        raise BadInput("no_such_entrant", NO_SUCH_ENTRANT, number=f"{min(missing):04d}")
    return found


def refuse_unexpected(entrant: Entrant, session: Session) -> None:
    """Nobody checks in at another session than their own, or while they take no part."""
    if takes_part_in_session(entrant, session):
        return
    status = status_at(entrant, session.stage)
    if status != EntrantStatus.OK:
        facts = {"number": str(entrant), "status": status.label}
        raise Refused("not_taking_part", CHECK_IN_NOT_TAKING_PART, about=entrant, **facts)
    facts = {"number": str(entrant), "session": entrant.session.code}
    raise Refused("other_session", CHECK_IN_ELSEWHERE, about=entrant, **facts)


def append_door_entry(
    entrant: Entrant, action: str, acting: ActingAccount, at: datetime, why: str = "", **details: str
) -> None:
    """The audit entry of one entrant; `details` are the session's code or the kind of what was seen."""
    services.append_audit_entry(
        entrant.event,
        acting.by,
        action,
        f"entrant {entrant}",
        reason=why,
        details=details,
        request_key=acting.request_key,
        at=at,
    )
