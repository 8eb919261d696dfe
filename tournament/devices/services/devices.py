"""Tablets: paired by a code from the desk, known by a token, revoked from one request to the next (D6).

Codes and tokens are kept as digests alone. A token is made from the code and the request's own key, so that a pairing
whose answer was lost is answered again to the tablet that asked, and to no other.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_noop as _

from tournament.api.services import api_token_digest
from tournament.audit import services
from tournament.core import canonical
from tournament.core.enums import ENDED, SessionState
from tournament.core.errors import BadInput, Forbidden, Gone, Refused, TooManyRequests
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.devices import queries
from tournament.devices.models.device import Device, DeviceTable, Pairing, PairingTry, Unlock
from tournament.tables.models import Table
from tournament.tables.queries.seating import is_draw_confirmed

CODE_BYTES = 18
PAIRING_CODE_LIFETIME = timedelta(minutes=10)
TABLET_GRACE_AFTER_END = timedelta(hours=2)
TABLET_MAX_TABLES = 2
PAIRING_MAX_TRIES, PAIRING_TRIES_WINDOW = 10, timedelta(minutes=1)
PAIRING_KEY_MIN_LENGTH = 20
SEEN_EVERY = timedelta(seconds=5)

NO_TABLES = _("A tablet serves one or two tables of one referee.")
PAIRING_NEEDS_SEATS = _("The draw of this session is not confirmed yet. An organiser confirms it under Seating.")
PAIRING_SESSION_OVER = _("This session is over: no tablet is paired to it any more.")
PAIRING_SESSION_POSTPONED = _("This session is postponed: tablets are paired once it has new times.")
NO_PIN = _("This referee has no PIN at this event. An organiser sets one under Accounts.")
CODE_UNKNOWN = _("This code is unknown. Show the desk's code again, or ask for a new one.")
CODE_USED = _("This code was used by another tablet. Ask the desk for a new one; it sees both tries.")
PAIRING_CODE_EXPIRED = _("This code is older than ten minutes. Ask the desk for a new one.")
PAIRING_TOO_MANY_TRIES = _(
    "This code is unknown, and too many wrong ones were tried. Wait %(wait)s seconds, or scan the desk's code."
)
KEY_SHORT = _("The key of a pairing has at least 20 characters, so that nobody guesses it.")
NO_NEXT = _("This referee has no further session with confirmed seats, or other tablets have its tables.")
TABLET_HAS_UNSENT_ITEMS = _("This tablet still has items that are not recorded. It goes on when they are.")
TABLET_LOCKED = _("Type your PIN first.")
SIGNING_ONLY = _("The players hold this tablet: it signs, and nothing else, until the referee takes it back.")
REVOKE_REASON_MISSING = _("Say why, in at most 500 characters.")


class TokenStatus(StrEnum):
    """What a token is worth now."""

    LIVE = "live"
    REVOKED = "revoked"
    FOLLOWED = "followed"
    EXPIRED = "expired"


class PairedTablet(NamedTuple):
    """A tablet and the token that it is given."""

    device: Device
    token: str


# --- A token --------------------------------------------------------------------------------------------
def derive_tablet_token(secret: str, key: str) -> str:
    """256 bits from what the tablet has shown and the key of its request; nobody else knows both."""
    return salted_hmac("tablet", f"{secret} {key}", algorithm="sha256").hexdigest()


def token_status(device: Device, now: datetime | None = None) -> TokenStatus:
    """Whether the tablet's token holds, or why not."""
    if device.revoked_at is not None:
        return TokenStatus.REVOKED
    if device.followed_by_id is not None:
        return TokenStatus.FOLLOWED
    return TokenStatus.EXPIRED if device.expires_at <= (now or timezone.now()) else TokenStatus.LIVE


def tablet_expiry(session: Session, now: datetime) -> datetime:
    """Two hours after the session's end; of one that is played late, after it would end if it began now."""
    return max(session.ends_at, now + (session.ends_at - session.play_at)) + TABLET_GRACE_AFTER_END


# --- A code ---------------------------------------------------------------------------------------------
@transaction.atomic
def make_pairing(
    session: Session, referee: User, tables: Sequence[int], *, by: User, now: datetime | None = None
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
        digest=api_token_digest(code),
        made_by=by,
        made_at=now,
        expires_at=now + PAIRING_CODE_LIFETIME,
    )
    subject, digest = session_tables_subject_ref(session, tables), ("", pairing_digest(pairing))
    services.append_audit_entry(
        event, by, "make_pairing", subject, digest=digest, reason=f"account {referee.pk}", at=now
    )
    return pairing, code


def judge_pairing(session: Session, referee: User, tables: Sequence[int]) -> None:
    """Whether this referee may have a tablet for these tables."""
    if not is_draw_confirmed(session):
        raise Refused("draw_not_confirmed", PAIRING_NEEDS_SEATS, about=session)
    if session.state in ENDED:
        raise Refused("session_over", PAIRING_SESSION_OVER, about=session)
    if session.state == SessionState.POSTPONED:
        raise Refused("session_postponed", PAIRING_SESSION_POSTPONED, about=session)
    own = set(Table.objects.filter(session=session, referee=referee).values_list("number", flat=True))
    if not 1 <= len(set(tables)) <= TABLET_MAX_TABLES or not set(tables) <= own:
        raise BadInput("not_their_tables", NO_TABLES)
    if referee.pk not in {person.pk for person in queries.tablet_referees(session.stage.event)}:
        raise Refused("no_pin", NO_PIN, about=referee)


def session_tables_subject_ref(session: Session, tables: Sequence[int]) -> str:
    """How the audit log names tables of a session."""
    return f"session {session.code} tables {' '.join(str(number) for number in sorted(tables))}"


def pair_tablet(event: Event, code: str, key: str, now: datetime | None = None) -> PairedTablet:
    """The tablet that this code makes; sent again with the same key, the same one.

    1. The code is looked up first: whoever guessed wrong beside it, a right one opens. 2. Not used by another and not
    old, both 410. 3. In one transaction: the code is used, older tablets lose the tables, the tablet, the audit entry.
    """
    now = now or timezone.now()
    if len(key) < PAIRING_KEY_MIN_LENGTH:
        raise BadInput("key_too_short", KEY_SHORT)
    found = Pairing.objects.filter(digest=api_token_digest(code), session__stage__event=event)
    pairing = found.select_related("session__stage__event", "session__draw", "referee", "made_by").first()
    if pairing is None:
        raise unknown_pairing_code_error(event, now)
    token = derive_tablet_token(code, key)
    if (again := Device.objects.filter(digest=api_token_digest(token)).first()) is not None:
        return PairedTablet(again, token)
    if pairing.used_at is None and pairing.expires_at > now:
        judge_pairing(pairing.session, pairing.referee, pairing.tables)
        device = bind_tablet(pairing, token, now)
        if device is not None:
            return PairedTablet(device, token)
    elif pairing.used_at is None:
        raise Gone("code_expired", PAIRING_CODE_EXPIRED)
    Pairing.objects.filter(pk=pairing.pk, tried_again_at=None).update(tried_again_at=now)
    raise Gone("code_used", CODE_USED)


def unknown_pairing_code_error(event: Event, now: datetime) -> Refused:
    """What an unknown code is answered: 410 `code_unknown`, counted; after ten within a minute 429, not counted."""
    wrong = PairingTry.objects.filter(event=event, at__gt=now - PAIRING_TRIES_WINDOW).order_by("at")
    if len(wrong) >= PAIRING_MAX_TRIES:
        return TooManyRequests(
            "too_many_codes",
            PAIRING_TOO_MANY_TRIES,
            max(1, round((wrong[0].at + PAIRING_TRIES_WINDOW - now).total_seconds())),
        )
    PairingTry.objects.filter(event=event, at__lt=now - timedelta(hours=1)).delete()
    PairingTry.objects.create(event=event, at=now)
    return Gone("code_unknown", CODE_UNKNOWN)


@transaction.atomic
def bind_tablet(pairing: Pairing, token: str, now: datetime) -> Device | None:
    """Use the code and bind the tablet; None where another one was first."""
    if not Pairing.objects.filter(pk=pairing.pk, used_at=None, expires_at__gt=now).update(used_at=now):
        return None
    device = make_device(pairing.session, pairing.referee, pairing.tables, token, pairing.made_by, now)
    subject = session_tables_subject_ref(pairing.session, pairing.tables)
    digest = ("", tablet_digest(device, pairing.tables))
    services.append_audit_entry(
        device.event, pairing.made_by, "pair_tablet", f"tablet {device.number}", digest=digest, reason=subject, at=now
    )
    return device


def make_device(
    session: Session,
    referee: User,
    numbers: Sequence[int],
    token: str,
    by: User,
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
        digest=api_token_digest(token),
        paired_by=by,
        paired_at=now,
        expires_at=tablet_expiry(session, now),
    )
    tables = list(Table.objects.filter(session=session, number__in=numbers).order_by("number"))
    take_over_tables(tables, device, by, now)
    DeviceTable.objects.bulk_create(DeviceTable(device=device, table=table) for table in tables)
    return device


def take_over_tables(tables: Sequence[Table], device: Device, by: User, now: datetime) -> None:
    """Whoever had these tables loses them; a tablet with none left is revoked."""
    held = DeviceTable.objects.filter(table__in=tables, ended_at=None).select_related("device", "table")
    older = {row.device_id: row.device for row in list(held)}
    for row in held:
        Device.objects.filter(pk=row.device_id, handed_out=row.table).update(handed_out=None)
    held.update(ended_at=now)
    for old in older.values():
        reason = f"taken over by tablet {device.number}"
        left = old.device_tables.filter(ended_at=None).exists()
        digest = ("", "" if left or not end_tablet(old, by, reason, now) else end_digest(reason))
        subject = f"tablet {old.number}"
        services.append_audit_entry(device.event, by, "take_over_tables", subject, digest=digest, reason=reason, at=now)


def end_tablet(device: Device, by: User, reason: str, now: datetime) -> bool:
    """Revoke a tablet and free its tables; False where it was revoked before."""
    kept = Device.objects.filter(pk=device.pk, revoked_at=None)
    done = kept.update(revoked_at=now, revoked_by=by, revoked_reason=reason, opened_by=None, handed_out=None)
    DeviceTable.objects.filter(device=device, ended_at=None).update(ended_at=now)
    return bool(done)


@transaction.atomic
def revoke_tablet(device: Device, *, reason: str, by: User, now: datetime | None = None) -> None:
    """Cut a tablet off: from its next request on it is nobody. Again: nothing.

    1. a reason; 2. compare-and-swap on "not revoked"; 3. its tables are free; 4. the audit entry.
    """
    why = reason.strip()
    if not why or len(why) > 500:
        raise BadInput("reason_missing", REVOKE_REASON_MISSING)
    now = now or timezone.now()
    if end_tablet(device, by, why, now):
        digest = ("", end_digest(why))
        services.append_audit_entry(
            device.event, by, "revoke_tablet", f"tablet {device.number}", digest=digest, reason=why, at=now
        )


# --- On to the next session -----------------------------------------------------------------------------
def move_tablet_to_next_session(
    device: Device, token: str, key: str, waiting: int | None, now: datetime | None = None
) -> PairedTablet:
    """The same referee's next session with one tap; sent again with the same key, the same tablet.

    1. sent before: answered again; 2. nothing waits by the tablet's newest word, `waiting` or else what it said last
    (409 `items_waiting`); 3. a next session (409 `no_next_session`); 4. in one transaction: it is in its referee's
    hands, opened by a PIN (403 `signing_only`, `pin_needed`), the tablet that follows, the audit entry, this one closed
    by compare-and-swap.
    """
    now = now or timezone.now()
    following = derive_tablet_token(token, key)
    if device.followed_by_id is not None:
        again = Device.objects.filter(pk=device.followed_by_id, digest=api_token_digest(following)).first()
        if again is None:
            raise Gone("already_followed", NO_NEXT)
        return PairedTablet(again, following)
    require_tablet_opened(device)  # said before all else; what holds is the row in the transaction
    if (device.waiting if waiting is None else waiting) > 0:
        raise Refused("items_waiting", TABLET_HAS_UNSENT_ITEMS, about=device)
    found = queries.next_tables_of(device)
    if found is None:
        raise Refused("no_next_session", NO_NEXT, about=device)
    with transaction.atomic():
        held = Device.objects.select_for_update(no_key=True).get(pk=device.pk)
        if token_status(held, now) is not TokenStatus.LIVE:
            raise Gone("already_followed", NO_NEXT)
        require_tablet_opened(held)
        numbers = [table.number for table in found.tables]
        by = held.opened_by or device.referee
        new = make_device(found.session, device.referee, numbers, following, by, now)
        subject, reason = (
            f"tablet {new.number}",
            f"from tablet {device.number}: {session_tables_subject_ref(found.session, numbers)}",
        )
        digest = ("", tablet_digest(new, numbers))
        Device.objects.filter(pk=device.pk).update(followed_by=new, opened_by=None, handed_out=None)
        Device.objects.filter(pk=new.pk).update(opened_by=held.opened_by)
        if held.opened_by is not None:  # whose PIN opened it goes on with it: their acts are theirs there too
            Unlock.objects.create(device=new, referee=held.opened_by, at=now)
        DeviceTable.objects.filter(device=device, ended_at=None).update(ended_at=now)
        services.append_audit_entry(device.event, by, "go_on_tablet", subject, digest=digest, reason=reason, at=now)
    new.refresh_from_db()
    return PairedTablet(new, following)


def require_tablet_opened(device: Device) -> None:
    """Only its referee goes on with a tablet: not its players, nor whoever finds it locked."""
    if device.handed_out_id is not None:
        raise Forbidden("signing_only", SIGNING_ONLY)
    if device.opened_by_id is None:
        raise Forbidden("pin_needed", TABLET_LOCKED)


# --- What the log holds the rows to (D3) ---------------------------------------------------
def pairing_digest(pairing: Pairing) -> str:
    """Of a code: for whom, which, until when."""
    return canonical.digest_of([pairing.referee_id, pairing.digest, canonical.instant(pairing.expires_at)])


def tablet_digest(device: Device, numbers: Sequence[int]) -> str:
    """Of a tablet as it was bound: where, to which tables, for whom, by which token, until when."""
    facts = [
        device.session.code,
        sorted(numbers),
        device.referee_id,
        device.digest,
        canonical.instant(device.expires_at),
    ]
    return canonical.digest_of(facts)


def end_digest(reason: str) -> str:
    """Of why a tablet's pairing was ended."""
    return canonical.digest_of(["revoked", reason])


# --- What a tablet says of itself -----------------------------------------------------------------------
def record_tablet_seen(device: Device, said: dict[str, int | None], now: datetime | None = None) -> None:
    """Note that the tablet was there, and what it said: waiting, skew_ms, client, battery. At most once in 5 s, unless
    what waits has changed."""
    now = now or timezone.now()
    known = {name: value for name, value in said.items() if value is not None}
    recent = device.last_seen_at is not None and now - device.last_seen_at < SEEN_EVERY
    if recent and known.get("waiting", device.waiting) == device.waiting:
        return
    Device.objects.filter(pk=device.pk).update(last_seen_at=now, **known)
