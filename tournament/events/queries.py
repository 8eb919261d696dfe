"""The stages and sessions of an event, and the rounds of a final in their order (R38)."""

from typing import NamedTuple

from django.db.models import QuerySet

from tournament.core.enums import SessionState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage


class FinalRound(NamedTuple):
    """Which round of its stage a session is, from 1, and of how many."""

    number: int
    rounds: int


def round_of(session: Session) -> FinalRound | None:
    """The round that this session is; None where its stage has no rounds, and for a replay that was given up. One
    query where it has."""
    if session.stage.rounds == 1:
        return None
    rounds, origin = places_of_rounds(session.stage_id)
    mine = [place for place, one in enumerate(rounds, start=1) if origin[one.pk] == origin[session.pk]]
    return FinalRound(mine[0], session.stage.rounds) if mine else None


def final_of(event: Event) -> Stage | None:
    """The event's last stage after the first, from which nobody advances, where one has been set up."""
    return event.stages.filter(qualifying="", order__gt=1).first()


def stages_between(event: Event) -> list[Stage]:
    """Those after the first from which somebody advances, in the order in which they are played."""
    return list(event.stages.filter(order__gt=1).exclude(qualifying="").order_by("order"))


def places_of_rounds(stage: int) -> tuple[list[Session], dict[int, int]]:
    """The sessions of the stage with this key that are not void, in their order, with their draws; and of every one,
    by its key, the number of the session in whose place it is. One query."""
    rows = list(Session.objects.filter(stage=stage).select_related("stage__event", "draw").order_by("number"))
    replayed = {row.pk: row.replays_id for row in rows}
    numbers = {row.pk: row.number for row in rows}

    def first(key: int) -> int:
        before = replayed[key]
        return key if before is None else first(before)

    origin = {row.pk: numbers[first(row.pk)] for row in rows}
    kept = [row for row in rows if row.state != SessionState.VOID]
    return sorted(kept, key=lambda row: origin[row.pk]), origin


def rounds_in_order(stage: Stage) -> list[Session]:
    """The sessions of a stage that are not void, with their draws: a replay where the session was that it replays."""
    return places_of_rounds(stage.pk)[0]


def rounds_with_times(stage: Stage) -> list[Session]:
    """Those of them whose times are known: a postponed round waits for new ones."""
    return [one for one in rounds_in_order(stage) if one.state != SessionState.POSTPONED]


def rounds_before(session: Session) -> list[Session]:
    """The sessions of the same stage that come before this one, in order, with their draws."""
    rounds, origin = places_of_rounds(session.stage_id)
    return [one for one in rounds if origin[one.pk] < origin[session.pk]]


def rounds_after(session: Session) -> list[Session]:
    """Those that come after it."""
    rounds, origin = places_of_rounds(session.stage_id)
    return [one for one in rounds if origin[one.pk] > origin[session.pk]]


def sessions_of_event(event: Event) -> QuerySet[Session]:
    """Every session with its stage, by number: the final's after the preliminary's."""
    return Session.objects.filter(stage__event=event).select_related("stage").order_by("number")


def find_stage(event: Event, kind: str = "") -> Stage | None:
    """The event's stage of this name, without one its first; None where it has none."""
    asked = {"kind": kind} if kind else {"order": 1}
    return Stage.objects.select_related("event").filter(event=event, **asked).first()


def find_session_for_seating(event: Event, number: int) -> Session | None:
    """A session of the event, of whichever stage, with stage and draw; None where there is no such session."""
    return (
        Session.objects.filter(stage__event=event, number=number)
        .select_related("stage__event", "draw__drawn_by", "draw__confirmed_by")
        .first()
    )
