"""The sky as it is observed: looks at the feed, the journal of every change, signals and looks by hand.

A look that is not in order adds nothing that could be taken for clear. What a person enters is a line of the journal
like the feed's, and is merged with it when the journal is read (`scoring.signals`).
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring.signals import ACTION_VANISHED, superseded_lines
from tournament.audit import services
from tournament.audit.models import AuditHead
from tournament.core import canonical
from tournament.core.canonical import instant
from tournament.core.enums import FeedState, WeatherSource
from tournament.core.errors import BadInput, NotFoundRefused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.models.request_key import RequestKey
from tournament.devices.services.acting import ActingAccount
from tournament.sheets.domain.scoresheets import is_storable
from tournament.weather import adapters
from tournament.weather.adapters import FeedEntry, FeedListing
from tournament.weather.domain.weather import journal_observations
from tournament.weather.models import WeatherReading, WeatherSignal
from tournament.weather.queries import feed as feed_queries
from tournament.weather.queries import weather as queries

# By the family that the feed has them under; a person enters one of these.
SIGNAL_FAMILIES = {
    "WRAIN": ("WRAINA", "WRAINR", "WRAINB"),
    "WTCSGNL": ("TC1", "TC3", "TC8NE", "TC8SE", "TC8NW", "TC8SW", "TC9", "TC10"),
}
# Announced beside them; neither ends a signal, nor stops play by the rules.
ANNOUNCED_SIGNALS = ("WTCPRE8", "EXTREME")
FAMILY_OF = {code: family for family, codes in SIGNAL_FAMILIES.items() for code in codes} | {
    one: one for one in ANNOUNCED_SIGNALS
}
WEATHER_NOTE_MAX_LENGTH = 500
# Looks with a longer gap between them are two stretches: nothing is known of what was between.
READING_MAX_GAP = timedelta(minutes=5)
OBSERVATION_MAX_AGE = timedelta(hours=12)
OBSERVATIONS_SUBJECT_REF = "weather looks"
WEATHER_POLL_CLAIM = "weather"

SIGNAL_CODE_MISSING = _("Choose a signal.")
SIGNAL_TIMES_INVALID = _("Give the official time of issue, and the end not before it. Neither is still to come.")
WEATHER_NOTE_MISSING = _("Write down why, in at most 500 characters.")
JOURNAL_LINE_UNKNOWN = _("There is no line %(number)s in the journal.")
JOURNAL_LINE_SUPERSEDED = _(
    "Line %(number)s has been corrected or withdrawn since your page was made. Look at the journal again."
)
JOURNAL_CHANGED = _(
    "The journal has changed since your page was made. Look at it again before you say that it is right."
)
OBSERVATION_TIME_INVALID = _("Give the time at which you looked: today, and not still to come.")


# --- Whose turn it is -----------------------------------------------------------------------------------
def claim_poll_minute(now: datetime) -> bool:
    """Whether this process is the one to look in this minute; over all processes one is told so.

    It is claimed before the look, in a row of its own: a stretch of looks says only what was seen.
    """
    RequestKey.objects.filter(scope=WEATHER_POLL_CLAIM, at__lt=now - timedelta(days=1)).delete()
    minute = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%MZ")
    _row, made = RequestKey.objects.get_or_create(scope=WEATHER_POLL_CLAIM, key=minute, defaults={"at": now})
    return made


# --- The feed -------------------------------------------------------------------------------------------
def poll_weather_feed(event: Event, now: datetime | None = None) -> WeatherReading:
    """Read the feed once, in at most five seconds, and keep what it gave. Not to be called in a transaction."""
    at = now or timezone.now()
    return store_weather_listing(event, adapters.read_observatory_feed(settings.OBSERVATORY_URL, at), at)


@transaction.atomic
def store_weather_listing(event: Event, listing: FeedListing, now: datetime) -> WeatherReading:
    """Keep one look for an event: a line for every change, and the look itself. Only a good one tells of an end.

    1. The log's head is the lock. 2. A look that is older than the newest adds nothing: another was quicker.
    3. Lines. 4. The newest stretch of equal looks grows, or a new one begins.
    """
    AuditHead.objects.select_for_update(no_key=True).get(event=event)
    newest = queries.last_reading(event, now + READING_MAX_GAP)
    if newest is not None and newest.last_at >= now:
        return newest
    if listing.state != FeedState.STALE:
        append_changed_signals(event, listing, now)
    return _keep_reading(event, listing, newest, now)


def _keep_reading(event: Event, listing: FeedListing, newest: WeatherReading | None, now: datetime) -> WeatherReading:
    said = {"state": listing.state, "why": listing.why, "digest": listing.digest}
    alike = newest is not None and all(getattr(newest, name) == value for name, value in said.items())
    if newest is None or not alike or now - newest.last_at > READING_MAX_GAP:
        return WeatherReading.objects.create(event=event, source=WeatherSource.FEED, first_at=now, last_at=now, **said)
    WeatherReading.objects.filter(pk=newest.pk, last_at=newest.last_at).update(last_at=now, looks=F("looks") + 1)
    newest.refresh_from_db()
    return newest


def append_changed_signals(event: Event, listing: FeedListing, now: datetime) -> None:
    """Every entry that is not what the journal has of its family, and whatever is listed no more."""
    last = feed_queries.newest_feed_lines(event)
    for entry in listing.entries:
        known = last.get(entry.family)
        if known is None or feed_comparison_key(known) != feed_comparison_key(entry):
            append_feed_signal(event, entry, now)
    if listing.state != FeedState.OK:
        return
    there = {entry.family for entry in listing.entries}
    for family, line in sorted(last.items()):
        if family not in there and line.action != ACTION_VANISHED:
            append_feed_signal(
                event,
                FeedEntry(family, line.code, ACTION_VANISHED, line.issued_at, line.updated_at, line.expires_at),
                now,
            )


def feed_comparison_key(line: FeedEntry | WeatherSignal) -> tuple[Any, ...]:
    """What the feed says of a family, from either side."""
    if isinstance(line, FeedEntry):
        return line.code, line.action, line.issued, line.updated, line.expires
    return line.code, line.action, line.issued_at, line.updated_at, line.expires_at


def append_feed_signal(event: Event, entry: FeedEntry, now: datetime) -> None:
    """A line of the journal for a signal that the feed lists and the journal has not."""
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
    append_journal_line(row)


def append_journal_line(row: WeatherSignal) -> int:
    """Number a line, add it, and the log's entry of the same moment."""
    action = "enter_signal" if row.by else "observe_signal"
    row.number = row.event.weather_signals.count() + 1
    row.save(force_insert=True)
    digest = ("", signal_digest(row))
    services.append_audit_entry(
        row.event, row.by, action, signal_subject_ref(row), digest=digest, reason=row.note, at=row.seen_at
    )
    return int(row.pk)


# --- By hand --------------------------------------------------------------------------------------------
def enter_weather_signal(
    event: Event,
    *,
    code: str = "",
    issued_at: datetime | None = None,
    ended_at: datetime | None = None,
    about: int | None = None,
    withdraws: bool = False,
    note: str = "",
    by: User,
    request_key: str,
    now: datetime | None = None,
) -> WeatherSignal:
    """Add a line by hand, harmless when sent twice: one signal as a whole, with its official times.

    `about`: the number of the line that it corrects or, with `withdraws`, that was never so; then the code and times
    are that line's and a note is needed. A code is one of `FAMILY_OF`, or that of the line corrected. Refused:
    BadInput `signal_missing`, `signal_times`, `note_missing`; Missing `no_such_line`; StaleVersion `line_corrected`.
    """
    at = now or timezone.now()
    why = clean_weather_note(note)
    times = [instant(one) if one else "" for one in (issued_at, ended_at)]
    payload = [event.pk, code, *times, about, withdraws, why]

    def do() -> int:
        AuditHead.objects.select_for_update(no_key=True).get(event=event)
        corrected = find_journal_line(event, about)
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
        complete_and_check_signal(row, at)
        return append_journal_line(row)

    return WeatherSignal.objects.get(pk=ActingAccount(by, request_key).once("enter_signal", payload, do))


def clean_weather_note(note: str) -> str:
    """The note without surrounding spaces. Raises BadInput when it is too long or cannot be stored."""
    why = note.strip()
    if len(why) > WEATHER_NOTE_MAX_LENGTH or not is_storable(why):
        raise BadInput("note_missing", WEATHER_NOTE_MISSING)
    return why


def find_journal_line(event: Event, number: int | None) -> WeatherSignal | None:
    """The line that another is about: there, and not corrected yet."""
    if number is None:
        return None
    line = queries.find_signal(event, number)
    if line is None:
        raise NotFoundRefused("no_such_line", JOURNAL_LINE_UNKNOWN, number=number)
    if number in superseded_lines(journal_observations(queries.journal_of(event))):
        raise StaleVersion("line_corrected", JOURNAL_LINE_SUPERSEDED, about=line, number=number)
    return line


def complete_and_check_signal(row: WeatherSignal, now: datetime) -> None:
    """Fill in what follows from the line that it is about, then refuse what cannot be."""
    about = row.about
    if row.withdraws:
        if about is None or not row.note:
            raise BadInput("note_missing", WEATHER_NOTE_MISSING)
        row.code, row.family = about.code, about.family
        row.issued_at, row.ended_at = about.issued_at, about.ended_at
        return
    if about is not None and about.code == row.code:
        row.family = about.family
    if not row.family:
        raise BadInput("signal_missing", SIGNAL_CODE_MISSING)
    if row.issued_at is None or row.issued_at > now:
        raise BadInput("signal_times", SIGNAL_TIMES_INVALID)
    if row.ended_at is not None and not row.issued_at <= row.ended_at <= now:
        raise BadInput("signal_times", SIGNAL_TIMES_INVALID)


def record_manual_observation(
    event: Event,
    *,
    at: datetime,
    seen: int,
    note: str = "",
    by: User,
    request_key: str,
    now: datetime | None = None,
) -> WeatherReading:
    """A person has looked at the Observatory's own pages, and what the journal says is right as it stands.

    `at` is when they looked, in the last twelve hours; `seen` is the number of the last line that their page showed,
    0 for none. Refused: BadInput `look_time`, `note_missing`; StaleVersion `journal_changed`.
    """
    moment = now or timezone.now()
    why = clean_weather_note(note)
    if not moment - OBSERVATION_MAX_AGE <= at <= moment:
        raise BadInput("look_time", OBSERVATION_TIME_INVALID)

    def do() -> int:
        AuditHead.objects.select_for_update(no_key=True).get(event=event)
        if seen != event.weather_signals.count():
            raise StaleVersion("journal_changed", JOURNAL_CHANGED, about=event)
        row = WeatherReading.objects.create(
            event=event,
            source=WeatherSource.HAND,
            state=FeedState.OK,
            digest=canonical.digest_of([signal_digest(line) for line in queries.journal_of(event)]),
            first_at=at,
            last_at=at,
            by=by,
            note=why,
        )
        services.append_audit_entry(
            event,
            by,
            "look_by_hand",
            OBSERVATIONS_SUBJECT_REF,
            digest=("", weather_observation_digest(row)),
            reason=why,
            at=moment,
        )
        return int(row.pk)

    payload = [event.pk, instant(at), seen, why]
    return WeatherReading.objects.get(pk=ActingAccount(by, request_key).once("look_by_hand", payload, do))


# --- What the audit log holds them to -------------------------------------------------------------------
def signal_subject_ref(row: WeatherSignal) -> str:
    """How the log names a line of the journal."""
    return f"signal {row.number}"


def signal_digest(row: WeatherSignal) -> str:
    """Of what a line says beside who wrote it, when, and the note."""
    times = [instant(at) if at else "" for at in (row.issued_at, row.updated_at, row.ended_at)]
    about = row.about.number if row.about else None
    expires = [instant(row.expires_at)] if row.expires_at else []
    return canonical.digest_of([row.source, row.family, row.code, row.action, *times, about, row.withdraws, *expires])


def weather_observation_digest(row: WeatherReading) -> str:
    """Of what a person's look says beside who and the note; when they looked is not when they said so."""
    return canonical.digest_of([row.state, row.why, row.digest, instant(row.first_at), instant(row.last_at), row.looks])
