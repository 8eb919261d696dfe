"""Entrants as the import, the lists and the desk read them: no writes, as many queries for one as for a thousand."""

import re
from collections.abc import Mapping
from itertools import accumulate

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.core.names import fold_name, search_keys
from tournament.entrants.models.final import Finalist
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant, Ruling
from tournament.entrants.queries.finalists import KEEPING, lists
from tournament.events.queries import places_of_rounds

# What people type between the digits of a phone; fewer digits would find too many.
PHONE_SEPARATORS = re.compile(r"[\s()+-]")
MIN_PHONE_DIGITS = 4


def preliminary_sessions(event: Event) -> list[Session]:
    """The sessions that entrants are entered for, in order; where all play in rounds the first of them alone."""
    found = Session.objects.filter(stage__event=event, stage__order=1).select_related("stage").order_by("number")
    sessions = list(found)
    if not sessions or sessions[0].stage.rounds == 1:
        return sessions
    _rounds, origin = places_of_rounds(sessions[0].stage_id)
    return [one for one in sessions if origin[one.pk] == sessions[0].number]


def entered_entrants(event: Event) -> list[Entrant]:
    """Everyone who is entered, with person, session and family at hand; one query."""
    return list(Entrant.objects.filter(event=event).select_related("person", "session", "family").order_by("number"))


def places_taken(event: Event) -> Mapping[int, int]:
    """Places taken by session id. A withdrawn entrant gives the place back; a no-show does not (R6), nor does who
    withdraws from the final."""
    rows = Entrant.objects.filter(KEEPING, event=event)
    return dict(rows.values_list("session_id").annotate(places=Count("id")).values_list("session_id", "places"))


def highest_number(event: Event) -> int:
    """The highest entrant number given so far; 0 before the first."""
    return Entrant.objects.filter(event=event).order_by("-number").values_list("number", flat=True).first() or 0


def search_entrants(
    event: Event, *, text: str = "", session: int | None = None, status: str = "", phones: bool = False
) -> QuerySet[Entrant]:
    """Entrants by number or name, by the phone's last digits (four or more) where `phones`; by session and status.

    In a session of the final every finalist is entered. A name is found in whatever layout it is typed (`names`).
    """
    found = Entrant.objects.filter(event=event).select_related("person", "session", "family").order_by("number")
    if session is not None:
        in_final = Finalist.objects.filter(entrant=OuterRef("pk"), stage__sessions__number=session)
        found = found.filter(Q(session__number=session) | Exists(in_final))
    if status:
        found = found.filter(status=status)
    keys = search_keys(text)
    if not keys:
        return found
    either = Q(*(Q(person__name_key__contains=key) for key in keys))
    text = fold_name(text)
    if text.isascii() and text.isdigit():
        either |= Q(number=int(text[:9]))
    digits = PHONE_SEPARATORS.sub("", text).removeprefix("00")
    if phones and len(digits) >= MIN_PHONE_DIGITS and digits.isascii() and digits.isdigit():
        either |= Q(person__phone__endswith=digits)
    return found.filter(either)


def entrant_of(event: Event, number: int) -> Entrant | None:
    """One entrant by number with person, session and family; None: nobody has it."""
    return (
        Entrant.objects.filter(event=event, number=number)
        .select_related("person", "session__stage", "family", "event")
        .prefetch_related(lists())
        .first()
    )


def relatives_of(entrant: Entrant) -> list[Entrant]:
    """The others of the entrant's family by number: of a pair the other one."""
    if entrant.family_id is None:
        return []
    others = Entrant.objects.filter(family_id=entrant.family_id).exclude(pk=entrant.pk)
    return list(others.select_related("person", "session").order_by("number"))


def entrant_file_of(entrant: Entrant) -> EntrantFile | None:
    """The file that entered this entrant; None where that cannot be told. Two or three queries.

    Files enter everyone, one after another under the event's lock, so that rows stand in the order of the files. Where
    the files' counts do not make up everyone, somebody came another way and nothing is said.
    """
    files = list(EntrantFile.objects.filter(event=entrant.event_id, imported_count__gt=0).order_by("imported_at", "id"))
    everyone = Entrant.objects.filter(event=entrant.event_id)
    if not files or sum(one.imported_count or 0 for one in files) != everyone.count():
        return None
    place = everyone.filter(pk__lte=entrant.pk).count()
    through = accumulate(one.imported_count or 0 for one in files)
    return next(one for one, last in zip(files, through, strict=True) if place <= last)


def rulings_of(entrant: Entrant) -> list[Ruling]:
    """Who decided what of this entrant, when and why (R46), the newest first; one query."""
    return list(Ruling.objects.filter(entrant=entrant).select_related("by"))


def history_of(entrant: Entrant, most: int = 100) -> list[AuditEntry]:
    """What was done to this entrant, by whom and why, the newest first; one query."""
    entries = AuditEntry.objects.filter(event_id=entrant.event_id, subject=f"entrant {entrant}")
    return list(entries.select_related("actor").order_by("-seq")[:most])
