"""Who plays a stage: those entered for its sessions, or the finalists of the frozen list (R38)."""

from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Case, CharField, F, QuerySet, Value, When

from tournament.enums import EntrantStatus, SessionState, StageKind
from tournament.models import Entrant, Event, Seat, Session, Stage


def entrants_of_stage(stage: Stage) -> QuerySet[Entrant]:
    """Everyone who plays the stage, each with `status_there`.

    What becomes of a finalist in the final changes nothing of the ranking that led there: on its list stood only who
    took part.
    """
    if stage.kind == StageKind.FINAL:
        return Entrant.objects.filter(finalist__stage=stage).annotate(status_there=F("status"))
    stood = Case(
        When(finalist__isnull=False, then=Value(EntrantStatus.OK.value)),
        default=F("status"),
        output_field=CharField(),
    )
    return Entrant.objects.filter(session__stage=stage).annotate(status_there=stood)


def entrants_of_session(session: Session) -> QuerySet[Entrant]:
    """Everyone entered for this session; in a final, where all play every round, every finalist."""
    if session.stage.kind == StageKind.FINAL:
        return Entrant.objects.filter(finalist__stage=session.stage_id)
    return Entrant.objects.filter(session=session)


def is_finalist(entrant: Entrant) -> bool:
    """Whether the frozen list has this entrant; no query where `finalist` was selected with it."""
    return getattr(entrant, "finalist", None) is not None


def status_at(entrant: Entrant, stage: Stage) -> EntrantStatus:
    """`status_there` of one entrant: whoever is a finalist took part in what led there, whatever came later."""
    if stage.kind != StageKind.FINAL and is_finalist(entrant):
        return EntrantStatus.OK
    return EntrantStatus(entrant.status)


def as_they_sat(seats: Iterable[Seat], stage: Stage) -> list[Seat]:
    """Seats with `finalist` selected, as a sheet of this stage is judged; their entrants are not to be saved.

    Who did not come to the final has played before it: there the seat is one of somebody who left later.
    """
    found = list(seats)
    for seat in found:
        seat.entrant.status = status_on_sheet(seat.entrant, stage)
    return found


def status_on_sheet(entrant: Entrant, stage: Stage) -> str:
    """The status under which a sheet of this stage is judged."""
    gone = entrant.status == EntrantStatus.FORFEITED and stage.kind != StageKind.FINAL and is_finalist(entrant)
    return EntrantStatus.WITHDRAWN if gone else entrant.status


class Round(NamedTuple):
    """Which round of a final a session is, from 1, and of how many."""

    number: int
    rounds: int


def round_of(session: Session) -> Round | None:
    """The round that this session is; None where its stage has no rounds, and for a replay that was given up. One
    query where it has."""
    if session.stage.kind != StageKind.FINAL or session.stage.rounds == 1:
        return None
    rounds, origin = places_of_rounds(session.stage_id)
    mine = [place for place, one in enumerate(rounds, start=1) if origin[one.pk] == origin[session.pk]]
    return Round(mine[0], session.stage.rounds) if mine else None


def final_of(event: Event) -> Stage | None:
    """The event's final, where one has been set up."""
    return event.stages.filter(kind=StageKind.FINAL).first()


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
