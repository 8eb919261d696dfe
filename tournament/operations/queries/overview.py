"""An event at a glance: how far each stage of the day has come, and a referee's own tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypedDict

from django.contrib.auth.models import User
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django_stubs_ext import Annotations

from tournament.core.enums import LOCKED_STATES, EntrantStatus, SessionState, SheetState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.devices.models.device import Device
from tournament.entrants.models.final import Finalist
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.queries.finalists import entrants_of_stage
from tournament.events.queries import rounds_in_order
from tournament.ranking.queries.open_stages import StillOpen, still_open
from tournament.releases.models import Release
from tournament.scoresheets.models import Correction
from tournament.sheets.models.dispute import Dispute
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Stamp
from tournament.sheets.queries.scoresheets import needs_double_entry, newest_sheets
from tournament.tables.models import Draw, Table
from tournament.tablets.queries.conduct import count_waiting_at_tables


@dataclass(frozen=True, slots=True)
class StageFigures:
    """Counts of one stage. `sheets` says how many tables have their newest version in each state; `open`, asked for
    once a sheet is locked, what the stage still waits for; `ends`: the event ends with it."""

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
    ends: bool = False

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


class RoundProgress(TypedDict):
    """How far a round has come: its seats, its tables, their sheets."""

    is_drawn: bool
    is_confirmed: bool
    table_total: int
    locked: int
    stamped: int


@dataclass(frozen=True, slots=True)
class FinalFigures:
    """How far the final has come. `rounds` are its sessions."""

    stage: Stage
    figures: StageFigures
    finalists: int
    rounds: Sequence[Annotated[Session, Annotations[RoundProgress]]]

    @property
    def dated(self) -> bool:
        """Its date is no more to be announced."""
        return bool(self.rounds)

    @property
    def next_to_draw(self) -> Session | None:
        """The first round without seats, once the round before is played: a draw looks at who has met (R38)."""
        for place, one in enumerate(self.rounds):
            if not one.is_drawn:
                before = self.rounds[place - 1] if place else None
                return one if before is None or (before.table_total and before.locked == before.table_total) else None
        return None


def preliminary_stage(event: Event) -> Stage | None:
    """The stage that the event begins with."""
    return event.stages.filter(order=1).first()


def figures_of_stage(event: Event, stage: Stage | None) -> StageFigures:
    """Every count of the stage; nothing but the quota where the event has no stage yet."""
    if stage is None:
        return StageFigures(quota=event.quota)
    waiting = count_waiting_at_tables(event)
    statuses = entrants_of_stage(stage).values_list("status_there").annotate(Count("id")).order_by()
    found = StageFigures(
        quota=event.quota,
        ends=stage.is_last,
        statuses=dict(statuses),
        waiting_file=EntrantFile.objects.filter(event=event).defer("rows", "decisions").first(),
        calls=waiting["call"],
        marks=waiting["mark"],
        held=waiting["held"],
        **tablet_counts(event),
        **stage_counts(stage),
    )
    return figures_with_open(found, stage)


def figures_with_open(figures: StageFigures, stage: Stage) -> StageFigures:
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
    figures = figures_with_open(StageFigures(quota=finalists, **stage_counts(stage)), stage)
    return FinalFigures(stage, figures, finalists, sorted(rounds, key=lambda one: places[one.pk]))


def stage_counts(stage: Stage) -> dict[str, Any]:
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
    waiting = Correction.objects.filter(approved_at__isnull=True, abandoned_at__isnull=True)
    return {
        **sessions,
        "tables": tables,
        "sheets": sheets,
        "to_type_again": tables_awaiting_double_entry(stage),
        "corrections": tables_of_sheet_rows(waiting, stage),
        "disputes": tables_of_sheet_rows(Dispute.objects.filter(decided_at__isnull=True), stage),
        "stamped": count_stamped_sheets(stage),
        "last_release": Release.objects.filter(stage=stage).defer("content", "sheets").order_by("-number").first(),
    }


def count_stamped_sheets(stage: Stage) -> int:
    """How many sheets that count are official."""
    stamps = Stamp.objects.filter(scoresheet__official_for__table__session__stage=stage)
    return stamps.exclude(scoresheet__official_for__table__session__state=SessionState.VOID).count()


def tablet_counts(event: Event) -> dict[str, Any]:
    """How many tablets are in hand, and how many items they say they have not delivered; one query."""
    live = Q(revoked_at=None, followed_by=None)
    found: dict[str, int] = Device.objects.filter(event=event, followed_by=None).aggregate(
        tablets=Count("id", filter=live & Q(expires_at__gt=timezone.now())),
        waiting_items=Coalesce(Sum("waiting"), 0),
    )
    return found


def tables_of_sheet_rows(rows: QuerySet[Any], stage: Stage) -> list[Table]:
    """The tables whose sheets these rows are about, in the order of the day; one query."""
    there = rows.exclude(scoresheet__table__session__state=SessionState.VOID)
    about = there.filter(scoresheet__table__session__stage=stage).values("scoresheet__table")
    return list(Table.objects.filter(pk__in=about).select_related("session").order_by("session__number", "number"))


def tables_awaiting_double_entry(stage: Stage) -> list[Table]:
    """The tables whose sheet waits to be typed a second time, in order; no query where no sheet is typed twice."""
    if not stage.second_typing_percent:
        return []
    ready = (
        Scoresheet.objects.filter(table__session__stage=stage, version=1, state=SheetState.READY)
        .exclude(table__session__state=SessionState.VOID)
        .select_related("table__session__stage__event", "double_entry")
        .order_by("table__session__number", "table__number")
    )
    return [sheet.table for sheet in ready if needs_double_entry(sheet.table, sheet)]


def tables_of_referee(event: Event, referee: User) -> list[Table]:
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
