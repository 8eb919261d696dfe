"""What a new notice 通告 is drafted from: the day's sessions, the signals in force, the deadline, the new times."""

from collections.abc import Sequence
from datetime import date, datetime

from django.utils import timezone

from tournament.core.enums import LifeStage, NoticeKind, SessionState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.events.models import SessionMove
from tournament.events.queries import round_of
from tournament.messages.exports.notice_texts import NoticeFacts, NoticeTexts, SessionFacts, draft_notice_texts
from tournament.messages.queries import notices as queries
from tournament.sheets.queries.session_life import session_lives_of
from tournament.weather.domain.weather import LiveDay, live_day

# What can still be told about: a session that is over stays as it was.
SESSION_STATES_PLAYED = frozenset({SessionState.CHECKING, SessionState.CLOSED, SessionState.VOID})
BEGUN_LIFE_STAGES = frozenset({LifeStage.BEGUN, LifeStage.STAMPED, LifeStage.RELEASED})
# The sessions of the day that a notice is not about: of what is played nobody is told that it is not, and back.
LIFE_STAGES_LEFT_OUT = {
    NoticeKind.SUSPENDED: BEGUN_LIFE_STAGES | {LifeStage.BROKEN_OFF},
    NoticeKind.STOPPED: BEGUN_LIFE_STAGES,
    NoticeKind.GOING_AHEAD: frozenset({LifeStage.POSTPONED, LifeStage.HELD, LifeStage.BROKEN_OFF}),
}


def compose_notice_draft(
    event: Event, kind: NoticeKind, day: date | None, *, now: datetime
) -> tuple[NoticeTexts, list[int]]:
    """The texts, and the numbers of the sessions that they are about; reads only."""
    sessions = sessions_concerned(event, kind, day) if day else []
    live = live_day(event, day, now) if day else None
    stops = live.stops if live and day == timezone.localdate(now) else []
    told = {one.pk for one in sessions}
    broken_off = live.stopped if live and kind == NoticeKind.SUSPENDED else []
    facts = NoticeFacts(
        venues=(event.venue_zh, event.venue_en),
        day=last_published_day(sessions) or day if kind == NoticeKind.NEW_DATE else day,
        sessions=tuple(session_facts_of(one) for one in sessions),
        deadline=live.deadline if live else None,
        signals=tuple((one.signal.code, one.signal.issued) for one in stops),
        broken_off=tuple(session_facts_of(one) for one in broken_off),
        partly=bool(live and is_part_of_day(kind, live, told)),
    )
    return draft_notice_texts(kind, facts), sorted(one.number for one in (*sessions, *broken_off))


def sessions_concerned(event: Event, kind: NoticeKind, day: date) -> list[Session]:
    """The day's sessions that such a notice is about."""
    sessions = [one for one in queries.sessions_on(event, day) if one.state not in SESSION_STATES_PLAYED]
    if kind == NoticeKind.NEW_DATE:
        return [one for one in sessions if has_moved(one)]
    sessions = [one for one in sessions if timezone.localdate(one.check_in_at) == day]
    left_out = LIFE_STAGES_LEFT_OUT.get(kind, frozenset())
    lives = session_lives_of(sessions) if left_out else {}
    return [one for one in sessions if not left_out or lives[one.pk].stage not in left_out]


def is_part_of_day(kind: NoticeKind, live: LiveDay, told: set[int]) -> bool:
    """Whether it tells of a part of the day: what else is put off, or is played or was."""
    if not told:
        return False
    under_way = kind == NoticeKind.STOPPED and live.phase == "playing" and not live.called_off
    return under_way or any(one.pk not in told for one in live.sessions)


def last_published_day(sessions: Sequence[Session]) -> date | None:
    """The day that families of these sessions were told last, before the times that they have now; None where there is
    none, or more than one."""
    days = {one.pk: timezone.localdate(one.check_in_at) for one in sessions}
    for move in SessionMove.objects.filter(session__in=list(days)).select_related("session").order_by("at", "id"):
        if move.session.state != SessionState.POSTPONED:
            days[move.session_id] = timezone.localdate(datetime.fromisoformat(move.before["check_in_at"]))
    return days.popitem()[1] if len(set(days.values())) == 1 else None


def has_moved(session: Session) -> bool:
    """Whether it is postponed, or was and is held on another day now."""
    return session.state == SessionState.POSTPONED or timezone.localdate(session.check_in_at) != session.original_date


def session_facts_of(session: Session) -> SessionFacts:
    """A row as the texts need it."""
    final = not session.stage.is_first
    found = round_of(session) if final else None
    return SessionFacts(
        number_of_day=session.name_of_day[0],
        replay=session.is_replay,
        check_in_at=session.check_in_at,
        seating_at=session.seating_at,
        final=final,
        round=found.number if found else None,
        fixed=session.state != SessionState.POSTPONED,
        stage_name=(session.stage.name_zh, session.stage.name_en),
    )
