"""An event at a glance: how far each stage of the day has come, and a referee's own tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from tournament.enums import LOCKED_STATES, EntrantStatus, SessionState, SheetState, StageKind
from tournament.models import (
    Correction,
    Device,
    Dispute,
    Draw,
    EntrantFile,
    Event,
    Finalist,
    Release,
    Scoresheet,
    Session,
    Stage,
    Stamp,
    Table,
)
from tournament.queries.conduct import waiting_at_tables
from tournament.queries.finalists import entrants_of_stage, rounds_in_order
from tournament.queries.grounds import StillOpen, still_open
from tournament.queries.scoresheets import is_to_be_typed_again


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts of one stage. `sheets` says how many tables have their newest version in each state; `open`, asked for
    once a sheet is locked, what the stage still waits for."""

    quota: int
    statuses: Mapping[str, int] = field(default_factory=dict)
    waiting_file: EntrantFile | None = None
    sessions: int = 0
    capacity: int = 0
    drawn: int = 0
    confirmed: int = 0
    tables: int = 0
    sheets: Mapping[str, int] = field(default_factory=dict)
    stamped: int = 0
    to_type_again: Sequence[Table] = ()
    corrections: Sequence[Table] = ()
    disputes: Sequence[Table] = ()
    calls: int = 0
    marks: int = 0
    held: int = 0
    tablets: int = 0
    waiting_items: int = 0
    last_release: Release | None = None
    postponed: int = 0
    suspended: int = 0
    today: int = 0
    open: StillOpen | None = None

    @property
    def entrants(self) -> int:
        """Everyone entered, whatever became of them."""
        return sum(self.statuses.values())

    @property
    def taking_part(self) -> int:
        """Those who are neither absent, withdrawn nor disqualified."""
        return self.statuses.get(EntrantStatus.OK, 0)

    @property
    def locked(self) -> int:
        """Sheets that nobody changes any more."""
        return sum(self.sheets.get(state, 0) for state in LOCKED_STATES)

    @property
    def unstamped(self) -> int:
        """Locked sheets that are not official yet."""
        return self.locked - self.stamped

    @property
    def sheets_are_in(self) -> bool:
        """No sheet is waited for, and one at least counts."""
        return self.open is not None and self.open.sheets_are_in

    @property
    def is_finished(self) -> bool:
        """The ranking waits for nothing."""
        return self.open is not None and self.open.is_finished

    @property
    def is_official(self) -> bool:
        """Finished, and every sheet that counts is stamped."""
        return self.open is not None and self.open.is_official

    @property
    def unplayed(self) -> Sequence[int]:
        """Who takes part and has no result, once no sheet is waited for."""
        return self.open.unplayed if self.open else ()

    @property
    def released(self) -> bool:
        """The last release still stands."""
        return self.last_release is not None and self.last_release.withdrawn_at is None


@dataclass(frozen=True, slots=True)
class FinalFigures:
    """How far the final has come. `rounds` are its sessions, each with `is_drawn`, `is_confirmed`, how many
    `table_total` tables it has, `locked` and `stamped` sheets."""

    stage: Stage
    figures: Figures
    finalists: int
    rounds: Sequence[Session]

    @property
    def dated(self) -> bool:
        """Its date is no more to be announced."""
        return bool(self.rounds)

    @property
    def next_to_draw(self) -> Session | None:
        """The first round without seats, once the round before is played: a draw looks at who has met (R38)."""
        for before, one in zip([None, *self.rounds], self.rounds, strict=False):
            if not one.is_drawn:
                return one if before is None or (before.table_total and before.locked == before.table_total) else None
        return None


def preliminary(event: Event) -> Stage | None:
    """The stage that the event begins with."""
    return event.stages.filter(kind=StageKind.PRELIMINARY).first()


def figures_of(event: Event, stage: Stage | None) -> Figures:
    """Every count of the stage; nothing but the quota where the event has no stage yet."""
    if stage is None:
        return Figures(quota=event.quota)
    waiting = waiting_at_tables(event)
    statuses = entrants_of_stage(stage).values_list("status_there").annotate(Count("id")).order_by()
    found = Figures(
        quota=event.quota,
        statuses=dict(statuses),
        waiting_file=EntrantFile.objects.filter(event=event).defer("rows", "decisions").first(),
        calls=waiting["call"],
        marks=waiting["mark"],
        held=waiting["held"],
        **tablets_of(event),
        **counts_of(stage),
    )
    return with_open(found, stage)


def with_open(figures: Figures, stage: Stage) -> Figures:
    """With what the stage waits for, where a sheet is in."""
    return replace(figures, open=still_open(stage)) if figures.locked else figures


def figures_of_final(stage: Stage) -> FinalFigures:
    """Every count of a final."""
    finalists = Finalist.objects.filter(stage=stage).count()
    places = {one.pk: place for place, one in enumerate(rounds_in_order(stage))}
    rounds = Session.objects.filter(pk__in=places).annotate(
        is_drawn=Exists(Draw.objects.filter(session=OuterRef("pk"))),
        is_confirmed=Exists(Draw.objects.filter(session=OuterRef("pk"), confirmed_at__isnull=False)),
        table_total=Count("tables"),
        locked=Count("tables__official_sheet"),
        stamped=Count("tables__official_sheet__scoresheet__stamp"),
    )
    figures = with_open(Figures(quota=finalists, **counts_of(stage)), stage)
    return FinalFigures(stage, figures, finalists, sorted(rounds, key=lambda one: places[one.pk]))


def counts_of(stage: Stage) -> dict[str, Any]:
    """Every count that is of one stage, without its void sessions."""
    sessions = (
        Session.objects.filter(stage=stage)
        .exclude(state=SessionState.VOID)
        .aggregate(
            sessions=Count("id"),
            capacity=Coalesce(Sum("capacity"), 0),
            drawn=Count("draw"),
            confirmed=Count("draw__confirmed_at"),
            postponed=Count("id", filter=Q(state=SessionState.POSTPONED)),
            suspended=Count("id", filter=Q(state=SessionState.SUSPENDED)),
            today=Count("id", filter=Q(check_in_at__date=timezone.localdate())),
        )
    )
    newest = newest_sheets().filter(table__session__stage=stage).exclude(table__session__state=SessionState.VOID)
    sheets = dict(newest.values_list("state").annotate(Count("id")))
    tables = Table.objects.filter(session__stage=stage).exclude(session__state=SessionState.VOID).count()
    sheets[SheetState.OPEN] = tables - sum(n for state, n in sheets.items() if state != SheetState.OPEN)
    waiting = Correction.objects.filter(approved_at__isnull=True, given_up_at__isnull=True)
    return {
        **sessions,
        "tables": tables,
        "sheets": sheets,
        "to_type_again": second_typings(stage),
        "corrections": tables_with(waiting, stage),
        "disputes": tables_with(Dispute.objects.filter(decided_at__isnull=True), stage),
        "stamped": stamps_of(stage),
        "last_release": Release.objects.filter(stage=stage).defer("content", "sheets").order_by("-number").first(),
    }


def stamps_of(stage: Stage) -> int:
    """How many sheets that count are official."""
    stamps = Stamp.objects.filter(scoresheet__official_for__table__session__stage=stage)
    return stamps.exclude(scoresheet__official_for__table__session__state=SessionState.VOID).count()


def tablets_of(event: Event) -> dict[str, int]:
    """How many tablets are in hand, and how many items they say they have not delivered; one query."""
    live = Q(revoked_at=None, followed_by=None)
    found: dict[str, int] = Device.objects.filter(event=event, followed_by=None).aggregate(
        tablets=Count("id", filter=live & Q(expires_at__gt=timezone.now())),
        waiting_items=Coalesce(Sum("waiting"), 0),
    )
    return found


def tables_with(rows: QuerySet[Any], stage: Stage) -> list[Table]:
    """The tables whose sheets these rows are about, in the order of the day; one query."""
    there = rows.exclude(scoresheet__table__session__state=SessionState.VOID)
    about = there.filter(scoresheet__table__session__stage=stage).values("scoresheet__table")
    return list(Table.objects.filter(pk__in=about).select_related("session").order_by("session__number", "number"))


def second_typings(stage: Stage) -> list[Table]:
    """The tables whose sheet waits to be typed a second time, in order; no query where no sheet is typed twice."""
    if not stage.second_typing_percent:
        return []
    ready = (
        Scoresheet.objects.filter(table__session__stage=stage, version=1, state=SheetState.READY)
        .exclude(table__session__state=SessionState.VOID)
        .select_related("table__session__stage__event", "second_typing")
        .order_by("table__session__number", "table__number")
    )
    return [sheet.table for sheet in ready if is_to_be_typed_again(sheet.table, sheet)]


def newest_sheets() -> QuerySet[Scoresheet]:
    """Each table's newest version, unordered; a correction only once it counts."""
    newer = Scoresheet.objects.filter(table=OuterRef("table"), version__gt=OuterRef("version"), state__in=LOCKED_STATES)
    return Scoresheet.objects.filter(~Exists(newer), Q(version=1) | Q(state__in=LOCKED_STATES)).order_by()


def tables_of_referee(event: Event, referee: AbstractUser) -> list[Table]:
    """The tables that this account watches (R8), of the preliminary and the final, in the order of the day, each with
    `seated` and `sheet_state`."""
    newest = newest_sheets().filter(table=OuterRef("pk")).values("state")[:1]
    return list(
        Table.objects.filter(session__stage__event=event, referee=referee)
        .exclude(session__state=SessionState.VOID)
        .select_related("session")
        .annotate(seated=Count("seats"), sheet_state=Coalesce(Subquery(newest), Value(SheetState.OPEN.value)))
        .order_by("session__number", "number")
    )
