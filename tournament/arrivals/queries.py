"""Reads of arrivals: who has come to a session, what was seen at its door, which press recorded the absent."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from django.db.models import Max

from tournament.arrivals.models import Arrival, DoorCheck, Forfeiture
from tournament.core.enums import LOCKED_STATES, EntrantStatus, SessionState
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Ruling
from tournament.sheets.models.scoresheet import Line


def arrivals_in_force(session: Session) -> list[Arrival]:
    """Every arrival at the session that was not undone, in the order in which the server had them."""
    rows = Arrival.objects.filter(session=session, undone_at=None)
    return list(rows.select_related("entrant__person", "entrant__session", "by", "device").order_by("at", "id"))


def door_checks_in_force(entrants: Iterable[Entrant]) -> dict[int, set[str]]:
    """The kinds of what was seen at the door of each of these entrants and not taken back, by the entrant's key."""
    found: dict[int, set[str]] = defaultdict(set)
    rows = DoorCheck.objects.filter(entrant__in=[one.pk for one in entrants], undone_at=None)
    for entrant, kind in rows.values_list("entrant_id", "kind"):
        found[entrant].add(kind)
    return found


def forfeiture_in_force(session: Session) -> Forfeiture | None:
    """The last press of the session that was not taken back."""
    rows = Forfeiture.objects.filter(session=session, undone_at=None)
    return rows.select_related("by").order_by("-id").first()


def status_recorded_at(entrants: Iterable[Entrant]) -> dict[int, datetime]:
    """When the status of each of these, who do not take part, was recorded, by the entrant's key; one query."""
    gone = [one.pk for one in entrants if one.status != EntrantStatus.OK]
    rows = Ruling.objects.filter(entrant__in=gone, kind__in=EntrantStatus.values).order_by()
    return dict(rows.values("entrant_id").annotate(last=Max("at")).values_list("entrant_id", "last"))


def played_in_stage(session: Session) -> frozenset[int]:
    """Keys of entrants whom a locked sheet that counts holds in a session of this stage: no no-shows any more."""
    lines = Line.objects.filter(
        game__scoresheet__table__session__stage=session.stage_id,
        game__scoresheet__state__in=LOCKED_STATES,
        game__scoresheet__official_for__isnull=False,
    ).exclude(game__scoresheet__table__session__state=SessionState.VOID)
    return frozenset(lines.order_by().values_list("entrant_id", flat=True).distinct())
