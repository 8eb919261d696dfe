"""Sessions that were postponed, broken off, declared void or played anew: how they stand, and what rests on them."""

from datetime import date

from django.db.models import Max, QuerySet

from tournament.enums import EntrantStatus
from tournament.models import Entrant, Event, Scoresheet, Seat, Session
from tournament.queries.seating import takes_part


def sessions_of(event: Event) -> QuerySet[Session]:
    """Every session of the event, whatever became of it."""
    return Session.objects.filter(stage__event=event)


def next_number(event: Event) -> int:
    """The next free number of the event's sessions."""
    return int(sessions_of(event).aggregate(last=Max("number"))["last"] or 0) + 1


def next_number_of_day(event: Event, day: date) -> int:
    """The next free 第幾場 of those that were planned for this day."""
    found = sessions_of(event).filter(original_date=day).aggregate(last=Max("number_of_day"))
    return int(found["last"] or 0) + 1


def replay_of(session: Session) -> Session | None:
    """The session that is played in the place of this one."""
    return Session.objects.filter(replays=session).select_related("stage__event").first()


def has_sheets(session: Session) -> bool:
    """Whether a sheet of it has been begun."""
    return Scoresheet.objects.filter(table__session=session).exists()


def seats_to_copy(session: Session) -> list[Seat]:
    """The seats of those who take part in it still, by table and letter."""
    rows = Seat.objects.filter(session=session).select_related("entrant__finalist").order_by("table__number", "letter")
    return [seat for seat in rows if takes_part(seat.entrant, session)]


def joined(session: Session, replay: Session) -> list[int]:
    """Numbers of those who take part in the replay and had no seat in the session that it replays."""
    there = Seat.objects.filter(session=session).values("entrant")
    rows = Entrant.objects.filter(session=replay, status=EntrantStatus.OK).exclude(pk__in=there)
    return list(rows.order_by("number").values_list("number", flat=True))


def gone_on(session: Session, replay: Session) -> list[int]:
    """Numbers of those who had a seat in the session and are entered for another than its replay."""
    rows = Entrant.objects.filter(seats__session=session).exclude(session=replay)
    return list(rows.order_by("number").values_list("number", flat=True))
