"""What the hall's page is told: moments, never what is over by the time it is read, so that it counts on alone.

Moments are milliseconds since 1970. Names stand in both languages: a projector shows both at once.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import override

from tournament.core import dateformat
from tournament.core.enums import SessionState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.events.templatetags.rounds import final_name
from tournament.hall import queries
from tournament.sheets.domain.clock import TableOwnTime, read_session_clock, tables_with_own_time
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.queries.clock import clock_events_by_session

HALL_LANGUAGES = ("zh-hant", "en")

HallFacts = dict[str, Any]


def hall_facts(event: Event, now: datetime) -> HallFacts:
    """Everything that the page shows but the time itself. Five queries, and one more for a stage in rounds.

    What another part of the day tells the hall (who is to move to another table) becomes a list of its own here.
    """
    sessions = queries.sessions_from_day_on(event, now)
    events = clock_events_by_session(session.pk for session in sessions)
    return {
        "sessions": [session_facts(session, events.get(session.pk, []), now) for session in sessions],
        "announcements": [
            {"zh": row.text_zh, "en": row.text_en, "until": epoch_ms(row.until)}
            for row in queries.announcements_in_force(event, now)
        ],
        "calls": [
            {"table": row.table.number, "kind": row.kind, "at": epoch_ms(row.at)}
            for row in queries.open_table_calls(event)
            if row.table.session in sessions
        ],
    }


def session_facts(session: Session, events: Sequence[ClockEvent], now: datetime) -> HallFacts:
    """A session's plan and clock. `left` only where its time stands still; `held`: it waits to be let begin."""
    own = [event for event in events if event.table_id is None]
    reading = read_session_clock(session, own, now)
    stopped = reading.stopped_since if reading.started_at and not reading.closed_at else None
    return {
        "name": in_both_languages(lambda: session_heading(session)),
        "day": in_both_languages(lambda: dateformat.weekday_date_text(session.play_at)),
        "date": in_both_languages(lambda: dateformat.date_text(session.play_at)),
        "check_in": epoch_ms(session.check_in_at),
        "seating": epoch_ms(session.seating_at),
        "play": epoch_ms(session.play_at),
        "planned_end": epoch_ms(session.ends_at),
        "started": epoch_ms(reading.started_at),
        "closed": epoch_ms(reading.closed_at),
        "end": epoch_ms(reading.ends_at),
        "left": span_ms(reading.left) if stopped else None,
        "held": session.state == SessionState.SUSPENDED and reading.started_at is None,
        "tables": [table_facts(own_time) for own_time in tables_with_own_time(session, events, now)],
    }


def table_facts(own_time: TableOwnTime) -> HallFacts:
    """A table that ends at another moment; `left` where its time stands still, `later` where it does not."""
    stands = own_time.reading.ends_at is None
    return {
        "number": own_time.table.number,
        "end": epoch_ms(own_time.reading.ends_at),
        "left": span_ms(own_time.reading.left) if stands else None,
        "later": None if own_time.pause else span_ms(own_time.later),
        "paused": own_time.pause is not None,
    }


def in_both_languages(make: Callable[[], str]) -> Mapping[str, str]:
    """A text as each language has it."""
    found = {}
    for language in HALL_LANGUAGES:
        with override(language):
            found[language[:2]] = make()
    return found


def session_heading(session: Session) -> str:
    """As a wall has it: 初賽第四場, Preliminary, session 4; a round of the final by its name."""
    later = final_name(session)
    if later and not session.stage.is_first:
        return later
    between = "" if dateformat.is_chinese() else ", "
    own = later or dateformat.session_of_day_text(*session.name_of_day)
    return f"{capfirst(session.stage.title)}{between}{own}"


def epoch_ms(moment: datetime | None) -> int | None:
    """As a browser counts; None stays None."""
    return None if moment is None else round(moment.timestamp() * 1000)


def span_ms(span: timedelta) -> int:
    return span // timedelta(milliseconds=1)
