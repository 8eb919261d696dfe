"""Reads for the audit log: its entries for people to search, and all that a verifier compares with it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import QuerySet

from tournament.enums import SessionState, StageKind, WeatherSource
from tournament.models import (
    AuditEntry,
    AuditHead,
    ClockEvent,
    ContestDecision,
    Correction,
    Delivery,
    Device,
    Dispute,
    Draw,
    Entrant,
    Erasure,
    Event,
    Finalist,
    Game,
    HeldItem,
    Incident,
    Invitation,
    JudgeCall,
    Line,
    LotsAnnouncement,
    Mailing,
    NoteEnd,
    Notice,
    OfficialSheet,
    Pairing,
    PlaceAnswer,
    Release,
    Ruling,
    Scoresheet,
    Seat,
    SecondTyping,
    Session,
    SessionMove,
    SheetPrint,
    Signature,
    Stage,
    TieDecision,
    Voiding,
    Warning,
    WeatherDecision,
    WeatherReading,
    WeatherSignal,
)

CHUNK = 2000


def entries(
    event: Event,
    *,
    thing: str = "",
    action: str = "",
    actor: int | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
) -> QuerySet[AuditEntry]:
    """The event's entries, the newest first, with the account of each; `thing` is part of its name."""
    found = AuditEntry.objects.filter(event=event).select_related("actor").order_by("-seq")
    if thing:
        found = found.filter(thing__icontains=thing)
    if action:
        found = found.filter(action=action)
    if actor is not None:
        found = found.filter(actor=actor)
    if since is not None:
        found = found.filter(at__gte=since)
    if until is not None:
        found = found.filter(at__lt=until)
    return found


def actions(event: Event) -> list[str]:
    """Every act that this event has seen."""
    return list(AuditEntry.objects.filter(event=event).order_by("action").values_list("action", flat=True).distinct())


def actors(event: Event) -> list[User]:
    """Every account that has done something here."""
    acted = AuditEntry.objects.filter(event=event).exclude(actor=None).values("actor")
    return list(User.objects.filter(pk__in=acted).order_by("username"))


# --- For a verifier: every read names its database, since a backup is verified in a copy -----------------
def events_of(using: str, slug: str = "") -> list[Event]:
    """One event or all."""
    found = Event.objects.using(using).order_by("slug")
    return list(found.filter(slug=slug) if slug else found)


def head_of(event: Event, using: str) -> AuditHead | None:
    """The head of the event's chain."""
    return AuditHead.objects.using(using).filter(event=event).first()


def chain_of(event: Event, using: str) -> Iterator[AuditEntry]:
    """Every entry in its order."""
    rows = AuditEntry.objects.using(using).filter(event=event).order_by("seq", "pk")
    return rows.iterator(chunk_size=CHUNK)


def sheets_of(event: Event, using: str) -> list[Scoresheet]:
    """Every version of every sheet with its table's seats, its games with lines, its signatures and its stamp.

    Five queries that ask for the whole event; a prefetch would name 1,200 keys one by one.
    """
    sheets = list(
        Scoresheet.objects.using(using)
        .filter(table__session__stage__event=event)
        .select_related("table__session__stage__event", "stamp")
        .order_by("table__session__stage_id", "table__session__number", "table__number", "version")
    )
    here = {"scoresheet__table__session__stage__event": event}
    chosen = Seat.objects.using(using).filter(session__stage__event=event)
    seats = chosen.select_related("entrant__finalist").order_by("letter")
    games = list(Game.objects.using(using).filter(**here).order_by("number"))
    lines = Line.objects.using(using).filter(game__scoresheet__table__session__stage__event=event)
    signatures = Signature.objects.using(using).filter(**here).select_related("entrant", "drawing").order_by("letter")
    give(games, "lines", lines.select_related("entrant").order_by("letter"), "game_id")
    give(sheets, "games", games, "scoresheet_id")
    give(sheets, "signatures", signatures, "scoresheet_id")
    give([sheet.table for sheet in sheets], "seats", seats, "table_id")
    return sheets


def give(owners: Iterable[Any], name: str, rows: Iterable[Any], key: str) -> None:
    """Hand each owner its rows, as a prefetch does."""
    found = defaultdict(list)
    for row in rows:
        found[getattr(row, key)].append(row)
    for owner in owners:
        kept = getattr(owner, name).all()
        kept._result_cache, kept._prefetch_done = found[owner.pk], True
        owner._prefetched_objects_cache = {**getattr(owner, "_prefetched_objects_cache", {}), name: kept}


def official_of(event: Event, using: str) -> dict[int, int]:
    """Which sheet counts, by table; both by their keys."""
    rows = OfficialSheet.objects.using(using).filter(table__session__stage__event=event)
    return dict(rows.values_list("table_id", "scoresheet_id"))


def releases_in_order(event: Event, using: str) -> list[Release]:
    """Every release, by stage and number."""
    rows = Release.objects.using(using).filter(stage__event=event).select_related("stage")
    return list(rows.order_by("stage_id", "number"))


def decisions_of(event: Event, using: str) -> list[TieDecision]:
    """Every decision of a tie."""
    rows = TieDecision.objects.using(using).filter(stage__event=event)
    return list(rows.select_related("stage").order_by("pk"))


def contests_of(event: Event, using: str) -> list[ContestDecision]:
    """Every decision between equals of a podium or an award, in order."""
    rows = ContestDecision.objects.using(using).filter(stage__event=event)
    return list(rows.select_related("stage").order_by("pk"))


def announcements_of(event: Event, using: str) -> list[LotsAnnouncement]:
    """Every draw that was announced, in order."""
    rows = LotsAnnouncement.objects.using(using).filter(stage__event=event)
    return list(rows.select_related("stage").order_by("pk"))


def all_rulings(event: Event, using: str) -> list[Ruling]:
    """Every ruling about an entrant."""
    rows = Ruling.objects.using(using).filter(entrant__event=event)
    return list(rows.select_related("entrant").order_by("pk"))


def statuses_of(event: Event, using: str) -> dict[int, str]:
    """The status of each entrant, by number."""
    rows: Any = Entrant.objects.using(using).filter(event=event).order_by("number").values_list("number", "status")
    return dict(rows)


def beside_sheets(kind: type[Correction | Dispute | SecondTyping | Voiding], event: Event, using: str) -> list[Any]:
    """Every row of a kind that stands beside a scoresheet, with that sheet's table."""
    rows: Any = kind.objects.using(using).filter(scoresheet__table__session__stage__event=event)
    return list(rows.select_related("scoresheet__table__session__stage").order_by("scoresheet_id", "pk"))


def superseded_by(event: Event, using: str) -> dict[int, int]:
    """Of each correction the version that it supersedes."""
    rows = Correction.objects.using(using).filter(scoresheet__table__session__stage__event=event)
    return dict(rows.values_list("pk", "supersedes__version"))


def prints_of(event: Event, using: str) -> list[SheetPrint]:
    """Every printed paper with its session."""
    rows = SheetPrint.objects.using(using).filter(session__stage__event=event)
    return list(rows.select_related("session").order_by("printed_at", "session_id", "table_number"))


def answers_of(event: Event, using: str) -> list[PlaceAnswer]:
    """Every answer about a place, in order."""
    rows = PlaceAnswer.objects.using(using).filter(stage__event=event)
    return list(rows.select_related("stage", "entrant", "invitation__stage", "invitation__entrant").order_by("pk"))


def links_of(event: Event, using: str) -> list[Invitation]:
    """Every private link, in order."""
    rows = Invitation.objects.using(using).filter(stage__event=event)
    return list(rows.select_related("stage", "entrant").order_by("pk"))


def frozen_lists(event: Event, using: str) -> list[tuple[Stage, list[tuple[int, int]]]]:
    """Every stage that has a fixed list, or rows of one: ranks and numbers in order."""
    stages = Stage.objects.using(using).filter(event=event).order_by("pk")
    rows = Finalist.objects.using(using).filter(stage__event=event).order_by("rank", "entrant__number")
    listed = defaultdict(list)
    for stage, rank, number in rows.values_list("stage", "rank", "entrant__number"):
        listed[stage].append((rank, number))
    return [(stage, listed[stage.pk]) for stage in stages if stage.frozen_at or listed[stage.pk]]


def published_notices(event: Event, using: str) -> list[Notice]:
    """Every notice that was published, with what it corrects."""
    rows = Notice.objects.using(using).filter(event=event, published_at__isnull=False)
    return list(rows.select_related("corrects").order_by("number"))


def mailings_of(event: Event, using: str) -> list[Mailing]:
    """Every mailing, with what it tells, in order."""
    rows = Mailing.objects.using(using).filter(event=event.pk)
    return list(rows.select_related("event", "notice").order_by("pk"))


def bounces_of(event: Event, using: str) -> list[Delivery]:
    """Every mail of which something was reported after it was taken."""
    rows = Delivery.objects.using(using).filter(mailing__event=event.pk).exclude(bounce="")
    return list(rows.select_related("entrant").order_by("pk"))


def signals_of(event: Event, using: str) -> list[WeatherSignal]:
    """Every line of the journal of signals, with the line that it is about."""
    rows = WeatherSignal.objects.using(using).filter(event=event)
    return list(rows.select_related("about").order_by("number"))


def looks_by_hand(event: Event, using: str) -> list[WeatherReading]:
    """Every look of a person, in order."""
    rows = WeatherReading.objects.using(using).filter(event=event, source=WeatherSource.HAND)
    return list(rows.order_by("pk"))


def weather_decisions(event: Event, using: str) -> list[WeatherDecision]:
    """Every decision of a day, in order."""
    rows = WeatherDecision.objects.using(using).filter(event=event)
    return list(rows.order_by("number"))


def final_set_up(event: Event, using: str) -> tuple[Stage, list[Session]] | None:
    """The final with its sessions in order; None where the log says of none that it was set up."""
    if not AuditEntry.objects.using(using).filter(event=event, action="set_up_final").exists():
        return None
    stage = Stage.objects.using(using).filter(event=event, kind=StageKind.FINAL).first()
    rounds = Session.objects.using(using).filter(stage=stage).exclude(state=SessionState.VOID)
    return (stage, list(rounds.order_by("number"))) if stage else None


def at_tables(kind: type[Warning | Incident | JudgeCall | NoteEnd], event: Event, using: str) -> list[Any]:
    """Every row of conduct with its table and tablet."""
    rows: Any = kind.objects.using(using).filter(table__session__stage__event=event)
    return list(rows.select_related("table__session__stage", "device").order_by("pk"))


def clock_of(event: Event, using: str) -> list[ClockEvent]:
    """Every transition of the clocks."""
    rows = ClockEvent.objects.using(using).filter(session__stage__event=event)
    return list(rows.select_related("session", "table__session__stage", "device").order_by("pk"))


def sessions_of(event: Event, using: str) -> list[Session]:
    """Every session, in order."""
    return list(Session.objects.using(using).filter(stage__event=event).order_by("stage_id", "number"))


def moves_of(event: Event, using: str) -> list[SessionMove]:
    """Every move of a session to new times, in order."""
    rows = SessionMove.objects.using(using).filter(session__stage__event=event)
    return list(rows.select_related("session").order_by("pk"))


def pairings_of(event: Event, using: str) -> list[Pairing]:
    """Every code that was made."""
    rows = Pairing.objects.using(using).filter(session__stage__event=event)
    return list(rows.select_related("session").order_by("pk"))


def tablets_of(event: Event, using: str) -> list[Device]:
    """Every tablet with the tables that it was bound to."""
    rows = Device.objects.using(using).filter(event=event).select_related("session")
    return list(rows.prefetch_related("device_tables__table").order_by("number"))


def held_of(event: Event, using: str) -> list[HeldItem]:
    """Every item that was held."""
    rows = HeldItem.objects.using(using).filter(event=event)
    return list(rows.select_related("table__session__stage", "device").order_by("pk"))


def revisions_of(event: Event, using: str) -> dict[str, int]:
    """The revision of the event, of each entrant and of each draw, by the name that the log has for it."""
    entrants: Any = Entrant.objects.using(using).filter(event=event).values_list("number", "revision")
    draws = Draw.objects.using(using).filter(session__stage__event=event).select_related("session")
    return {
        f"event {event.slug}": event.revision,
        **{f"entrant {number:04d}": revision for number, revision in entrants},
        **{f"session {draw.session.code}": draw.revision for draw in draws},
    }


def erasures_of(event: Event, using: str) -> list[Erasure]:
    """Every erasure, with whose it was, in the order of the log."""
    rows = Erasure.objects.using(using).filter(event=event).select_related("entrant")
    return list(rows.order_by("audit_seq"))


def blanks_of(event: Event, using: str) -> list[str]:
    """What is blank as an erasure leaves it, by the name that the log has for it."""
    held = HeldItem.objects.using(using).filter(event=event).exclude(erased_digest="")
    links = Invitation.objects.using(using).filter(stage__event=event).exclude(erased_digest="")
    people = Entrant.objects.using(using).filter(event=event, person__erased_at__isnull=False)
    numbers = {*links.values_list("entrant__number", flat=True), *people.values_list("number", flat=True)}
    return [
        *(f"held item {key}" for key in held.values_list("key", flat=True)),
        *(f"entrant {n:04d}" for n in sorted(numbers)),
    ]
