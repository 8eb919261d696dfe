"""What stands in the way of a release, and the sheets that one would be made from. A fixed number of queries."""

from collections.abc import Collection
from datetime import date
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, Subquery
from django.utils import timezone

from tournament.enums import EntrantStatus, SessionState, SheetState, StageKind
from tournament.models import Entrant, PlaceAnswer, Release, Scoresheet, Seat, Session, Stage, Table
from tournament.queries.ground_rows import sheets_that_count, standing_releases


class OpenTable(NamedTuple):
    """A table whose result cannot be released yet: `state` is a SheetState, or `unstamped` for a locked sheet."""

    session: int
    session_code: str
    table: int
    state: str


class CountedSheet(NamedTuple):
    """A sheet that counts, as a release keeps it."""

    session: str
    table: int
    version: int
    digest: str


UNSTAMPED = "unstamped"


def sessions_of(stage: Stage) -> list[Session]:
    """Those that are not void, each with `playing`: somebody is there to play it, in a final everyone every round; and
    `drawn`: it has a table."""
    there = {"finalist__stage": stage} if stage.kind == StageKind.FINAL else {"session": OuterRef("pk")}
    return list(
        stage.sessions.exclude(state=SessionState.VOID)
        .annotate(
            playing=Exists(Entrant.objects.filter(**there, status=EntrantStatus.OK)),
            drawn=Exists(Table.objects.filter(session=OuterRef("pk"))),
        )
        .order_by("number")
    )


def named_in_full(stage: Stage) -> set[int]:
    """The numbers of the stage's entrants who have consented to their names being published (4)."""
    entrants = Entrant.objects.filter(event=stage.event_id, finalist__stage=stage, person__consent_name=True)
    return set(entrants.values_list("number", flat=True))


def full_names(stage: Stage, numbers: Collection[int]) -> dict[int, tuple[str, str]]:
    """By number the Chinese and the English name as typed: for papers that their owners are given, never for the
    public."""
    entrants = Entrant.objects.filter(event=stage.event_id, number__in=numbers).order_by()
    rows = entrants.values_list("number", "person__name_zh", "person__name_en")
    return {number: (zh, en) for number, zh, en in rows}


def last_day(stage: Stage) -> date | None:
    """The day on which the stage's last session was played; None where it has none."""
    last = stage.sessions.exclude(state=SessionState.VOID).order_by("-play_at").first()
    return timezone.localtime(last.play_at).date() if last else None


def open_tables(stage: Stage) -> list[OpenTable]:
    """Tables without a locked and stamped sheet, in the order of the sessions.

    A table whose newest sheet is void has been decided and is not waited for, nor one at which nobody is left to play.
    """
    newest = Scoresheet.objects.filter(table=OuterRef("pk")).order_by("-version")
    somebody = Seat.objects.filter(table=OuterRef("pk"), entrant__status=EntrantStatus.OK)
    tables = (
        Table.objects.filter(session__stage=stage)
        .exclude(session__state=SessionState.VOID)
        .annotate(somebody=Exists(somebody), newest=newest.values("state")[:1])
        .filter(Q(official_sheet__isnull=True) | Q(official_sheet__scoresheet__stamp__isnull=True))
        .select_related("session", "official_sheet")
        .order_by("session__number", "number")
    )
    found = []
    for table in tables:
        counted = getattr(table, "official_sheet", None)
        if counted is None and (table.newest == SheetState.VOID or not table.somebody):
            continue
        state = UNSTAMPED if counted else table.newest or SheetState.OPEN.value
        found.append(OpenTable(table.session.number, table.session.code, table.number, state))
    return found


def counted_sheets(stage: Stage) -> list[CountedSheet]:
    """Every locked sheet that counts, by session and table."""
    sheets = (
        sheets_that_count()
        .filter(table__session__stage=stage)
        .select_related("table__session", "scoresheet")
        .order_by("table__session__number", "table__number")
    )
    return [
        CountedSheet(sheet.table.session.code, sheet.table.number, sheet.scoresheet.version, sheet.scoresheet.digest)
        for sheet in sheets
    ]


def releases_of(stage: Stage) -> list[Release]:
    """Every release of the event, newest first, with who released and withdrew it, without its frozen content."""
    return list(
        Release.objects.filter(stage__event=stage.event_id)
        .defer("content", "sheets")
        .select_related("stage", "released_by", "withdrawn_by")
        .order_by("-number")
    )


def current_release(stage: Stage) -> Release | None:
    """The stage's release in force: what the public reads of it now."""
    return standing_releases().filter(stage=stage).first()


def newest_answers(stage: Stage) -> list[PlaceAnswer]:
    """The newest answer of each finalist, with who recorded it."""
    newest = PlaceAnswer.objects.filter(entrant=OuterRef("entrant")).order_by("-id").values("id")[:1]
    answers = PlaceAnswer.objects.filter(stage=stage, id=Subquery(newest))
    return list(answers.select_related("entrant", "by"))
