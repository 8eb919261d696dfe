"""Tablets: paired by a code from the desk, known by a token, revoked from one request to the next (reliability 4.6).

Codes and tokens are kept as digests alone. A token is made from the code and the request's own key, so that a pairing
whose answer was lost is answered again to the tablet that asked, and to no other.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_noop as _

from tournament.enums import SessionState
from tournament.errors import BadInput, Forbidden, Gone, Refused, TooMany
from tournament.models import Device, DeviceTable, Event, Pairing, PairingTry, Session, Table, Unlock
from tournament.queries import devices as queries
from tournament.queries.scoresheets import is_drawn
from tournament.services import audit
from tournament.services.tokens import digest_of

CODE_BYTES = 18
CODE_LIVES = timedelta(minutes=10)
AFTER_THE_END = timedelta(hours=2)
MOST_TABLES = 2
TRIES, TRIES_WITHIN = 10, timedelta(minutes=1)
KEY_AT_LEAST = 20
SEEN_EVERY = timedelta(seconds=5)
OVER = (SessionState.CLOSED, SessionState.VOID)

NO_TABLES = _("A tablet serves one or two tables of one referee.")
NOT_DRAWN = _("The draw of this session is not confirmed yet. An organiser confirms it under Seating.")
SESSION_OVER = _("This session is over: no tablet is paired to it any more.")
SESSION_POSTPONED = _("This session is postponed: tablets are paired once it has new times.")
NO_PIN = _("This referee has no PIN at this event. An organiser sets one under Accounts.")
CODE_UNKNOWN = _("This code is unknown. Show the desk's code again, or ask for a new one.")
CODE_USED = _("This code was used by another tablet. Ask the desk for a new one; it sees both tries.")
CODE_OLD = _("This code is older than ten minutes. Ask the desk for a new one.")
TOO_MANY = _(
    "This code is unknown, and too many wrong ones were tried. Wait %(wait)s seconds, or scan the desk's code."
)
KEY_SHORT = _("The key of a pairing has at least 20 characters, so that nobody guesses it.")
NO_NEXT = _("This referee has no further session with confirmed seats, or other tablets have its tables.")
WAITING = _("This tablet still has items that are not recorded. It goes on when they are.")
LOCKED = _("Type your PIN first.")
SIGNING_ONLY = _("The players hold this tablet: it signs, and nothing else, until the referee takes it back.")
REASON = _("Say why, in at most 500 characters.")


class Standing(StrEnum):
    """What a token is worth now."""

    LIVE = "live"
    REVOKED = "revoked"
    FOLLOWED = "followed"
    EXPIRED = "expired"


class Paired(NamedTuple):
    """A tablet and the token that it is given."""

    device: Device
    token: str


# --- A token --------------------------------------------------------------------------------------------
def token_of(secret: str, key: str) -> str:
    """256 bits from what the tablet has shown and the key of its request; nobody else knows both."""
    return salted_hmac("tablet", f"{secret} {key}", algorithm="sha256").hexdigest()


def standing(device: Device, now: datetime | None = None) -> Standing:
    """Whether the tablet's token holds, or why not."""
    if device.revoked_at is not None:
        return Standing.REVOKED
    if device.followed_by_id is not None:
        return Standing.FOLLOWED
    return Standing.EXPIRED if device.expires_at <= (now or timezone.now()) else Standing.LIVE


def expiry(session: Session, now: datetime) -> datetime:
    """Two hours after the session's end; of one that is played late, after it would end if it began now."""
    return max(session.ends_at, now + (session.ends_at - session.play_at)) + AFTER_THE_END


# --- A code ---------------------------------------------------------------------------------------------
@transaction.atomic
def make_pairing(
    session: Session, referee: AbstractUser, tables: Sequence[int], *, by: AbstractUser, now: datetime | None = None
) -> tuple[Pairing, str]:
    """A code for a referee's tables of a session: its row, and the text that is shown this once. Ten minutes.

    Refused: `draw_not_confirmed`, `session_over`, `not_their_tables` (400), `no_pin`.
    """
    now = now or timezone.now()
    event = session.stage.event
    judge_pairing(session, referee, tables)
    code = secrets.token_urlsafe(CODE_BYTES)
    pairing = Pairing.objects.create(
        session=session,
        referee=referee,
        tables=sorted(tables),
        digest=digest_of(code),
        made_by=by,
        made_at=now,
        expires_at=now + CODE_LIVES,
    )
    thing, digest = thing_of(session, tables), ("", pairing_digest(pairing))
    audit.record(event, by, "make_pairing", thing, digest=digest, reason=f"account {referee.pk}", at=now)
    return pairing, code


def judge_pairing(session: Session, referee: AbstractUser, tables: Sequence[int]) -> None:
    """Whether this referee may have a tablet for these tables."""
    if not is_drawn(session):
        raise Refused("draw_not_confirmed", NOT_DRAWN, about=session)
    if session.state in OVER:
        raise Refused("session_over", SESSION_OVER, about=session)
    if session.state == SessionState.POSTPONED:
        raise Refused("session_postponed", SESSION_POSTPONED, about=session)
    own = set(Table.objects.filter(session=session, referee=referee).values_list("number", flat=True))
    if not 1 <= len(set(tables)) <= MOST_TABLES or not set(tables) <= own:
        raise BadInput("not_their_tables", NO_TABLES)
    if referee.pk not in {person.pk for person in queries.referees(session.stage.event)}:
        raise Refused("no_pin", NO_PIN, about=referee)


def thing_of(session: Session, tables: Sequence[int]) -> str:
    """How the audit log names tables of a session."""
    return f"session {session.code} tables {' '.join(str(number) for number in sorted(tables))}"


def pair(event: Event, code: str, key: str, now: datetime | None = None) -> Paired:
    """The tablet that this code makes; sent again with the same key, the same one.

    1. The code is looked up first: whoever guessed wrong beside it, a right one opens. 2. Not used by another and not
    old, both 410. 3. In one transaction: the code is used, older tablets lose the tables, the tablet, the audit entry.
    """
    now = now or timezone.now()
    if len(key) < KEY_AT_LEAST:
        raise BadInput("key_too_short", KEY_SHORT)
    found = Pairing.objects.filter(digest=digest_of(code), session__stage__event=event)
    pairing = found.select_related("session__stage__event", "session__draw", "referee", "made_by").first()
    if pairing is None:
        raise refusal_of_unknown(event, now)
    token = token_of(code, key)
    if (again := Device.objects.filter(digest=digest_of(token)).first()) is not None:
        return Paired(again, token)
    if pairing.used_at is None and pairing.expires_at > now:
        judge_pairing(pairing.session, pairing.referee, pairing.tables)
        device = bind(pairing, token, now)
        if device is not None:
            return Paired(device, token)
    elif pairing.used_at is None:
        raise Gone("code_expired", CODE_OLD)
    Pairing.objects.filter(pk=pairing.pk, tried_again_at=None).update(tried_again_at=now)
    raise Gone("code_used", CODE_USED)


def refusal_of_unknown(event: Event, now: datetime) -> Refused:
    """What an unknown code is answered: 410 `code_unknown`, counted; after ten within a minute 429, not counted."""
    wrong = PairingTry.objects.filter(event=event, at__gt=now - TRIES_WITHIN).order_by("at")
    if len(wrong) >= TRIES:
        return TooMany("too_many_codes", TOO_MANY, max(1, round((wrong[0].at + TRIES_WITHIN - now).total_seconds())))
    PairingTry.objects.filter(event=event, at__lt=now - timedelta(hours=1)).delete()
    PairingTry.objects.create(event=event, at=now)
    return Gone("code_unknown", CODE_UNKNOWN)


@transaction.atomic
def bind(pairing: Pairing, token: str, now: datetime) -> Device | None:
    """Use the code and bind the tablet; None where another one was first."""
    if not Pairing.objects.filter(pk=pairing.pk, used_at=None, expires_at__gt=now).update(used_at=now):
        return None
    device = make_device(pairing.session, pairing.referee, pairing.tables, token, pairing.made_by, now)
    thing = thing_of(pairing.session, pairing.tables)
    digest = ("", tablet_digest(device, pairing.tables))
    audit.record(
        device.event, pairing.made_by, "pair_tablet", f"tablet {device.number}", digest=digest, reason=thing, at=now
    )
    return device


def make_device(
    session: Session,
    referee: AbstractUser,
    numbers: Sequence[int],
    token: str,
    by: AbstractUser,
    now: datetime,
) -> Device:
    """The row, its tables taken over from whoever had them, inside the act's transaction."""
    event = Event.objects.select_for_update(no_key=True).get(pk=session.stage.event_id)
    highest = Device.objects.filter(event=event).aggregate(highest=Max("number"))["highest"] or 0
    device = Device.objects.create(
        event=event,
        session=session,
        number=highest + 1,
        referee=referee,
        digest=digest_of(token),
        paired_by=by,
        paired_at=now,
        expires_at=expiry(session, now),
    )
    tables = list(Table.objects.filter(session=session, number__in=numbers).order_by("number"))
    take_over(tables, device, by, now)
    DeviceTable.objects.bulk_create(DeviceTable(device=device, table=table) for table in tables)
    return device


def take_over(tables: Sequence[Table], device: Device, by: AbstractUser, now: datetime) -> None:
    """Whoever had these tables loses them; a tablet with none left is revoked."""
    held = DeviceTable.objects.filter(table__in=tables, ended_at=None).select_related("device", "table")
    older = {row.device_id: row.device for row in list(held)}
    for row in held:
        Device.objects.filter(pk=row.device_id, handed_out=row.table).update(handed_out=None)
    held.update(ended_at=now)
    for old in older.values():
        reason = f"taken over by tablet {device.number}"
        left = old.device_tables.filter(ended_at=None).exists()
        digest = ("", "" if left or not end(old, by, reason, now) else end_digest(reason))
        thing = f"tablet {old.number}"
        audit.record(device.event, by, "take_over_tables", thing, digest=digest, reason=reason, at=now)


def end(device: Device, by: AbstractUser, reason: str, now: datetime) -> bool:
    """Revoke a tablet and free its tables; False where it was revoked before."""
    kept = Device.objects.filter(pk=device.pk, revoked_at=None)
    done = kept.update(revoked_at=now, revoked_by=by, revoked_reason=reason, opened_by=None, handed_out=None)
    DeviceTable.objects.filter(device=device, ended_at=None).update(ended_at=now)
    return bool(done)


@transaction.atomic
def revoke(device: Device, *, reason: str, by: AbstractUser, now: datetime | None = None) -> None:
    """Cut a tablet off: from its next request on it is nobody. Again: nothing.

    1. a reason; 2. compare-and-swap on "not revoked"; 3. its tables are free; 4. the audit entry.
    """
    why = reason.strip()
    if not why or len(why) > 500:
        raise BadInput("reason_missing", REASON)
    now = now or timezone.now()
    if end(device, by, why, now):
        digest = ("", end_digest(why))
        audit.record(device.event, by, "revoke_tablet", f"tablet {device.number}", digest=digest, reason=why, at=now)


# --- On to the next session -----------------------------------------------------------------------------
def go_on(device: Device, token: str, key: str, waiting: int | None, now: datetime | None = None) -> Paired:
    """The same referee's next session with one tap; sent again with the same key, the same tablet.

    1. sent before: answered again; 2. nothing waits by the tablet's newest word, `waiting` or else what it said last
    (409 `items_waiting`); 3. a next session (409 `no_next_session`); 4. in one transaction: it is in its referee's
    hands, opened by a PIN (403 `signing_only`, `pin_needed`), the tablet that follows, the audit entry, this one closed
    by compare-and-swap.
    """
    now = now or timezone.now()
    following = token_of(token, key)
    if device.followed_by_id is not None:
        again = Device.objects.filter(pk=device.followed_by_id, digest=digest_of(following)).first()
        if again is None:
            raise Gone("already_followed", NO_NEXT)
        return Paired(again, following)
    refuse_out_of_hand(device)  # said before all else; what holds is the row in the transaction
    if (device.waiting if waiting is None else waiting) > 0:
        raise Refused("items_waiting", WAITING, about=device)
    found = queries.next_of(device)
    if found is None:
        raise Refused("no_next_session", NO_NEXT, about=device)
    with transaction.atomic():
        held = Device.objects.select_for_update(no_key=True).get(pk=device.pk)
        if standing(held, now) is not Standing.LIVE:
            raise Gone("already_followed", NO_NEXT)
        refuse_out_of_hand(held)
        numbers = [table.number for table in found.tables]
        by = held.opened_by or device.referee
        new = make_device(found.session, device.referee, numbers, following, by, now)
        thing, reason = f"tablet {new.number}", f"from tablet {device.number}: {thing_of(found.session, numbers)}"
        digest = ("", tablet_digest(new, numbers))
        audit.record(device.event, by, "go_on_tablet", thing, digest=digest, reason=reason, at=now)
        Device.objects.filter(pk=device.pk).update(followed_by=new, opened_by=None, handed_out=None)
        Device.objects.filter(pk=new.pk).update(opened_by=held.opened_by)
        if held.opened_by is not None:  # whose PIN opened it goes on with it: their acts are theirs there too
            Unlock.objects.create(device=new, referee=held.opened_by, at=now)
        DeviceTable.objects.filter(device=device, ended_at=None).update(ended_at=now)
    new.refresh_from_db()
    return Paired(new, following)


def refuse_out_of_hand(device: Device) -> None:
    """Only its referee goes on with a tablet: not its players, nor whoever finds it locked."""
    if device.handed_out_id is not None:
        raise Forbidden("signing_only", SIGNING_ONLY)
    if device.opened_by_id is None:
        raise Forbidden("pin_needed", LOCKED)


# --- What the log holds the rows to (reliability 4.3) ---------------------------------------------------
def pairing_digest(pairing: Pairing) -> str:
    """Of a code: for whom, which, until when."""
    return audit.digest_of([pairing.referee_id, pairing.digest, audit.instant(pairing.expires_at)])


def tablet_digest(device: Device, numbers: Sequence[int]) -> str:
    """Of a tablet as it was bound: where, to which tables, for whom, by which token, until when."""
    facts = [device.session.code, sorted(numbers), device.referee_id, device.digest, audit.instant(device.expires_at)]
    return audit.digest_of(facts)


def end_digest(reason: str) -> str:
    """Of a tablet's end."""
    return audit.digest_of(["revoked", reason])


# --- What a tablet says of itself -----------------------------------------------------------------------
def seen(device: Device, said: dict[str, int | None], now: datetime | None = None) -> None:
    """Note that the tablet was there, and what it said: waiting, skew_ms, client, battery. At most once in 5 s, unless
    what waits has changed."""
    now = now or timezone.now()
    known = {name: value for name, value in said.items() if value is not None}
    recent = device.last_seen_at is not None and now - device.last_seen_at < SEEN_EVERY
    if recent and known.get("waiting", device.waiting) == device.waiting:
        return
    Device.objects.filter(pk=device.pk).update(last_seen_at=now, **known)
