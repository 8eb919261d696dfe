"""What a new notice 通告 is drafted from: the day's sessions, the signals in force, the deadline, the new times."""

from collections.abc import Sequence
from datetime import date, datetime

from django.utils import timezone

from tournament.bridge.weather import LiveDay, live_day
from tournament.enums import LifeStage, NoticeKind, SessionState, StageKind
from tournament.exports.notice_texts import NoticeFacts, SessionFacts, Texts, draft
from tournament.models import Event, Session, SessionMove
from tournament.queries import notices as queries
from tournament.queries.finalists import round_of
from tournament.queries.session_life import lives_of

# What can still be told about: a session that is over stays as it was.
OVER = frozenset({SessionState.CHECKING, SessionState.CLOSED, SessionState.VOID})
BEGUN = frozenset({LifeStage.BEGUN, LifeStage.STAMPED, LifeStage.RELEASED})
# The sessions of the day that a notice is not about: of what is played nobody is told that it is not, and back.
LEFT_OUT = {
    NoticeKind.SUSPENDED: BEGUN | {LifeStage.BROKEN_OFF},
    NoticeKind.STOPPED: BEGUN,
    NoticeKind.GOING_AHEAD: frozenset({LifeStage.POSTPONED, LifeStage.HELD, LifeStage.BROKEN_OFF}),
}


def drafted(event: Event, kind: NoticeKind, day: date | None, *, now: datetime) -> tuple[Texts, list[int]]:
    """The texts, and the numbers of the sessions that they are about; reads only."""
    sessions = concerned(event, kind, day) if day else []
    live = live_day(event, day, now) if day else None
    stops = live.stops if live and day == timezone.localdate(now) else []
    told = {one.pk for one in sessions}
    broken_off = live.stopped if live and kind == NoticeKind.SUSPENDED else []
    facts = NoticeFacts(
        venues=(event.venue_zh, event.venue_en),
        day=last_told(sessions) or day if kind == NoticeKind.NEW_DATE else day,
        sessions=tuple(session_facts(one) for one in sessions),
        deadline=live.deadline if live else None,
        signals=tuple((one.signal.code, one.signal.issued) for one in stops),
        broken_off=tuple(session_facts(one) for one in broken_off),
        partly=bool(live and is_partly(kind, live, told)),
    )
    return draft(kind, facts), sorted(one.number for one in (*sessions, *broken_off))


def concerned(event: Event, kind: NoticeKind, day: date) -> list[Session]:
    """The day's sessions that such a notice is about."""
    sessions = [one for one in queries.sessions_on(event, day) if one.state not in OVER]
    if kind == NoticeKind.NEW_DATE:
        return [one for one in sessions if has_moved(one)]
    sessions = [one for one in sessions if timezone.localdate(one.check_in_at) == day]
    left_out = LEFT_OUT.get(kind, frozenset())
    lives = lives_of(sessions) if left_out else {}
    return [one for one in sessions if not left_out or lives[one.pk].stage not in left_out]


def is_partly(kind: NoticeKind, live: LiveDay, told: set[int]) -> bool:
    """Whether it tells of a part of the day: what else is put off, or is played or was."""
    if not told:
        return False
    under_way = kind == NoticeKind.STOPPED and live.phase == "playing" and not live.called_off
    return under_way or any(one.pk not in told for one in live.sessions)


def last_told(sessions: Sequence[Session]) -> date | None:
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


def session_facts(session: Session) -> SessionFacts:
    """A row as the texts need it."""
    final = session.stage.kind == StageKind.FINAL
    found = round_of(session) if final else None
    return SessionFacts(
        number_of_day=session.name_of_day[0],
        replay=session.is_replay,
        check_in_at=session.check_in_at,
        seating_at=session.seating_at,
        final=final,
        round=found.number if found else None,
        fixed=session.state != SessionState.POSTPONED,
    )
