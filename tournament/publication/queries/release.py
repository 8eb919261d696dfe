"""What stands in the way of a release, and the sheets that one would be made from. A fixed number of queries."""

from collections.abc import Collection
from datetime import date
from typing import NamedTuple

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from tournament.core.enums import SessionState
from tournament.core.models.stage import Stage
from tournament.entrants.models.people import Entrant
from tournament.releases.models import PlaceAnswer, Release
from tournament.sheets.queries.counted_sheets import official_sheets_that_count


class CountedSheet(NamedTuple):
    """A sheet that counts, as a release keeps it."""

    session: str
    table: int
    version: int
    digest: str


def named_in_full(stage: Stage) -> set[int]:
    """The numbers of the stage's entrants who have consented to their names being published (4)."""
    entrants = Entrant.objects.filter(event=stage.event_id, qualified__stage=stage, person__consent_name=True)
    return set(entrants.values_list("number", flat=True))


def full_names(stage: Stage, numbers: Collection[int]) -> dict[int, tuple[str, str]]:
    """By number the Chinese and the English name as typed: for papers that their owners are given, never for the
    public."""
    entrants = Entrant.objects.filter(event=stage.event_id, number__in=numbers).order_by()
    rows = entrants.values_list("number", "person__name_zh", "person__name_en")
    return {number: (zh, en) for number, zh, en in rows}


def last_day_of_stage(stage: Stage) -> date | None:
    """The day on which the stage's last session was played; None where it has none."""
    last = stage.sessions.exclude(state=SessionState.VOID).order_by("-play_at").first()
    return timezone.localtime(last.play_at).date() if last else None


def counted_sheets(stage: Stage) -> list[CountedSheet]:
    """Every locked sheet that counts, by session and table."""
    sheets = (
        official_sheets_that_count()
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


def newest_answers(stage: Stage) -> list[PlaceAnswer]:
    """The newest answer of each finalist, with who recorded it."""
    newest = PlaceAnswer.objects.filter(entrant=OuterRef("entrant")).order_by("-id").values("id")[:1]
    answers = PlaceAnswer.objects.filter(stage=stage, id=Subquery(newest))
    return list(answers.select_related("entrant", "by"))
