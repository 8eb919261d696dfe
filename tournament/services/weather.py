"""The sky as it is observed: looks at the feed, the journal of every change, signals and looks by hand.

A look that is not in order adds nothing that could be taken for clear. What a person enters is a line of the journal
like the feed's, and is merged with it when the journal is read (`scoring.signals`).
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring.signals import VANISHED, superseded
from tournament.adapters import observatory
from tournament.adapters.observatory import Entry, Listing
from tournament.bridge.scoresheets import is_storable
from tournament.bridge.weather import observations
from tournament.enums import FeedState, WeatherSource
from tournament.errors import BadInput, Missing, StaleVersion
from tournament.models import AuditHead, Event, RequestKey, WeatherReading, WeatherSignal
from tournament.queries import weather as queries
from tournament.queries import weather_feed as feed_queries
from tournament.services import audit
from tournament.services.acting import Acting
from tournament.services.audit import instant

# By the family that the feed has them under; a person enters one of these.
FAMILIES = {
    "WRAIN": ("WRAINA", "WRAINR", "WRAINB"),
    "WTCSGNL": ("TC1", "TC3", "TC8NE", "TC8SE", "TC8NW", "TC8SW", "TC9", "TC10"),
}
# Announced beside them; neither ends a signal, nor stops play by the rules.
ANNOUNCED = ("WTCPRE8", "EXTREME")
FAMILY_OF = {code: family for family, codes in FAMILIES.items() for code in codes} | {one: one for one in ANNOUNCED}
LONGEST_NOTE = 500
# Looks with a longer gap between them are two stretches: nothing is known of what was between.
LONGEST_GAP = timedelta(minutes=5)
OLDEST_LOOK = timedelta(hours=12)
LOOKS = "weather looks"
LOOKING = "weather"

CODE = _("Choose a signal.")
TIMES = _("Give the official time of issue, and the end not before it. Neither is still to come.")
NOTE = _("Write down why, in at most 500 characters.")
NO_LINE = _("There is no line %(number)s in the journal.")
ALREADY = _("Line %(number)s has been corrected or withdrawn since your page was made. Look at the journal again.")
CHANGED = _("The journal has changed since your page was made. Look at it again before you say that it is right.")
LOOKED = _("Give the time at which you looked: today, and not still to come.")


# --- Whose turn it is -----------------------------------------------------------------------------------
def claim_minute(now: datetime) -> bool:
    """Whether this process is the one to look in this minute; over all processes one is told so.

    It is claimed before the look, in a row of its own: a stretch of looks says only what was seen.
    """
    RequestKey.objects.filter(scope=LOOKING, at__lt=now - timedelta(days=1)).delete()
    minute = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%MZ")
    _row, made = RequestKey.objects.get_or_create(scope=LOOKING, key=minute, defaults={"at": now})
    return made


# --- The feed -------------------------------------------------------------------------------------------
def look(event: Event, now: datetime | None = None) -> WeatherReading:
    """Read the feed once, in at most five seconds, and keep what it gave. Not to be called in a transaction."""
    at = now or timezone.now()
    return keep(event, observatory.read(settings.OBSERVATORY_URL, at), at)


@transaction.atomic
def keep(event: Event, listing: Listing, now: datetime) -> WeatherReading:
    """Keep one look for an event: a line for every change, and the look itself. Only a good one tells of an end.

    1. The log's head is the lock. 2. A look that is older than the newest adds nothing: another was quicker.
    3. Lines. 4. The newest stretch of equal looks grows, or a new one begins.
    """
    AuditHead.objects.select_for_update(no_key=True).get(event=event)
    newest = queries.last_reading(event, now + LONGEST_GAP)
    if newest is not None and newest.last_at >= now:
        return newest
    if listing.state != FeedState.STALE:
        _keep_lines(event, listing, now)
    return _keep_reading(event, listing, newest, now)


def _keep_reading(event: Event, listing: Listing, newest: WeatherReading | None, now: datetime) -> WeatherReading:
    said = {"state": listing.state, "why": listing.why, "digest": listing.digest}
    alike = newest is not None and all(getattr(newest, name) == value for name, value in said.items())
    if newest is None or not alike or now - newest.last_at > LONGEST_GAP:
        return WeatherReading.objects.create(event=event, source=WeatherSource.FEED, first_at=now, last_at=now, **said)
    WeatherReading.objects.filter(pk=newest.pk, last_at=newest.last_at).update(last_at=now, looks=F("looks") + 1)
    newest.refresh_from_db()
    return newest


def _keep_lines(event: Event, listing: Listing, now: datetime) -> None:
    """Every entry that is not what the journal has of its family, and whatever is listed no more."""
    last = feed_queries.listed(event)
    for entry in listing.entries:
        known = last.get(entry.family)
        if known is None or said_by(known) != said_by(entry):
            _observe(event, entry, now)
    if listing.state != FeedState.OK:
        return
    there = {entry.family for entry in listing.entries}
    for family, line in sorted(last.items()):
        if family not in there and line.action != VANISHED:
            _observe(event, Entry(family, line.code, VANISHED, line.issued_at, line.updated_at, line.expires_at), now)


def said_by(line: Entry | WeatherSignal) -> tuple[Any, ...]:
    """What the feed says of a family, from either side."""
    if isinstance(line, Entry):
        return line.code, line.action, line.issued, line.updated, line.expires
    return line.code, line.action, line.issued_at, line.updated_at, line.expires_at


def _observe(event: Event, entry: Entry, now: datetime) -> None:
    row = WeatherSignal(
        event=event,
        source=WeatherSource.FEED,
        family=entry.family,
        code=entry.code,
        action=entry.action,
        issued_at=entry.issued,
        updated_at=entry.updated,
        expires_at=entry.expires,
        seen_at=now,
    )
    _write(row)


def _write(row: WeatherSignal) -> int:
    """Number a line, add it, and the log's entry of the same moment."""
    action = "enter_signal" if row.by else "observe_signal"
    row.number = row.event.weather_signals.count() + 1
    row.save(force_insert=True)
    digest = ("", signal_digest(row))
    audit.record(row.event, row.by, action, thing_of(row), digest=digest, reason=row.note, at=row.seen_at)
    return int(row.pk)


# --- By hand --------------------------------------------------------------------------------------------
def enter_signal(
    event: Event,
    *,
    code: str = "",
    issued_at: datetime | None = None,
    ended_at: datetime | None = None,
    about: int | None = None,
    withdraws: bool = False,
    note: str = "",
    by: AbstractBaseUser,
    request_key: str,
    now: datetime | None = None,
) -> WeatherSignal:
    """Add a line by hand, harmless when sent twice: one signal as a whole, with its official times.

    `about`: the number of the line that it corrects or, with `withdraws`, that was never so; then the code and times
    are that line's and a note is needed. A code is one of `FAMILY_OF`, or that of the line corrected. Refused:
    BadInput `signal_missing`, `signal_times`, `note_missing`; Missing `no_such_line`; StaleVersion `line_corrected`.
    """
    at = now or timezone.now()
    why = _clean(note)
    times = [instant(one) if one else "" for one in (issued_at, ended_at)]
    payload = [event.pk, code, *times, about, withdraws, why]

    def do() -> int:
        AuditHead.objects.select_for_update(no_key=True).get(event=event)
        corrected = _line(event, about)
        row = WeatherSignal(
            event=event,
            source=WeatherSource.HAND,
            family=FAMILY_OF.get(code, ""),
            code=code,
            issued_at=issued_at,
            ended_at=ended_at,
            about=corrected,
            withdraws=withdraws,
            note=why,
            by=by,
            seen_at=at,
        )
        _check(row, at)
        return _write(row)

    return WeatherSignal.objects.get(pk=Acting(by, request_key).once("enter_signal", payload, do))


def _clean(note: str) -> str:
    why = note.strip()
    if len(why) > LONGEST_NOTE or not is_storable(why):
        raise BadInput("note_missing", NOTE)
    return why


def _line(event: Event, number: int | None) -> WeatherSignal | None:
    """The line that another is about: there, and not corrected yet."""
    if number is None:
        return None
    line = queries.find_signal(event, number)
    if line is None:
        raise Missing("no_such_line", NO_LINE, number=number)
    if number in superseded(observations(queries.journal_of(event))):
        raise StaleVersion("line_corrected", ALREADY, about=line, number=number)
    return line


def _check(row: WeatherSignal, now: datetime) -> None:
    """Fill in what follows from the line that it is about, then refuse what cannot be."""
    about = row.about
    if row.withdraws:
        if about is None or not row.note:
            raise BadInput("note_missing", NOTE)
        row.code, row.family = about.code, about.family
        row.issued_at, row.ended_at = about.issued_at, about.ended_at
        return
    if about is not None and about.code == row.code:
        row.family = about.family
    if not row.family:
        raise BadInput("signal_missing", CODE)
    if row.issued_at is None or row.issued_at > now:
        raise BadInput("signal_times", TIMES)
    if row.ended_at is not None and not row.issued_at <= row.ended_at <= now:
        raise BadInput("signal_times", TIMES)


def look_by_hand(
    event: Event,
    *,
    at: datetime,
    seen: int,
    note: str = "",
    by: AbstractBaseUser,
    request_key: str,
    now: datetime | None = None,
) -> WeatherReading:
    """A person has looked at the Observatory's own pages, and what the journal says is right as it stands.

    `at` is when they looked, in the last twelve hours; `seen` is the number of the last line that their page showed,
    0 for none. Refused: BadInput `look_time`, `note_missing`; StaleVersion `journal_changed`.
    """
    moment = now or timezone.now()
    why = _clean(note)
    if not moment - OLDEST_LOOK <= at <= moment:
        raise BadInput("look_time", LOOKED)

    def do() -> int:
        AuditHead.objects.select_for_update(no_key=True).get(event=event)
        if seen != event.weather_signals.count():
            raise StaleVersion("journal_changed", CHANGED, about=event)
        row = WeatherReading.objects.create(
            event=event,
            source=WeatherSource.HAND,
            state=FeedState.OK,
            digest=audit.digest_of([signal_digest(line) for line in queries.journal_of(event)]),
            first_at=at,
            last_at=at,
            by=by,
            note=why,
        )
        audit.record(event, by, "look_by_hand", LOOKS, digest=("", look_digest(row)), reason=why, at=moment)
        return int(row.pk)

    payload = [event.pk, instant(at), seen, why]
    return WeatherReading.objects.get(pk=Acting(by, request_key).once("look_by_hand", payload, do))


# --- What the audit log holds them to -------------------------------------------------------------------
def thing_of(row: WeatherSignal) -> str:
    """How the log names a line of the journal."""
    return f"signal {row.number}"


def signal_digest(row: WeatherSignal) -> str:
    """Of what a line says beside who wrote it, when, and the note."""
    times = [instant(at) if at else "" for at in (row.issued_at, row.updated_at, row.ended_at)]
    about = row.about.number if row.about else None
    expires = [instant(row.expires_at)] if row.expires_at else []
    return audit.digest_of([row.source, row.family, row.code, row.action, *times, about, row.withdraws, *expires])


def look_digest(row: WeatherReading) -> str:
    """Of what a person's look says beside who and the note; when they looked is not when they said so."""
    return audit.digest_of([row.state, row.why, row.digest, instant(row.first_at), instant(row.last_at), row.looks])
