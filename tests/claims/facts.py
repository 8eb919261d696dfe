"""What is true of an event, read a second time and naively: rows alone, each question asked from its sentence.

Nothing of the product's queries, domain or services is used here, so that both are not wrong in the same way.
"""

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from django.conf import settings

from tests.rescorer import GAMES, rank
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.devices.models.device import QuarantinedSubmission
from tournament.entrants.models.final import Finalist
from tournament.entrants.models.people import Entrant
from tournament.messages.models import Delivery, Notice
from tournament.releases.models import PlaceAnswer, Release
from tournament.sheets.models.scoresheet import Line, Scoresheet
from tournament.sheets.models.signing import Stamp
from tournament.tables.models import Draw, Seat, SheetPrint, Table

LOCKED = ("signed", "certified")
# Beside a backup: what its bytes were when it was made.
BYTES = ".bytes"


class Facts:
    """Of one stage of an event at one moment."""

    def __init__(self, event: Event, kind: str) -> None:
        self.event, self.kind = event, kind
        self.stage = Stage.objects.filter(event=event, kind=kind).first()

    # --- Sessions, tables, sheets -----------------------------------------------------------------------
    @cached_property
    def sessions(self) -> list[Session]:
        """Those that are not void."""
        return [one for one in Session.objects.filter(stage=self.stage).order_by("number") if one.state != "void"]

    @cached_property
    def tables(self) -> list[Table]:
        return [table for one in self.sessions for table in Table.objects.filter(session=one).order_by("number")]

    def newest(self, table: Table) -> Scoresheet | None:
        return Scoresheet.objects.filter(table=table).order_by("version").last()

    def counting(self, table: Table) -> Scoresheet | None:
        """The highest locked version that is not the beginning of a correction, which nobody has approved."""
        locked = [one for one in Scoresheet.objects.filter(table=table).order_by("version") if one.state in LOCKED]
        return locked[-1] if locked else None

    @cached_property
    def counted(self) -> dict[int, Scoresheet]:
        """The sheet that counts, by table."""
        found = {table.pk: self.counting(table) for table in self.tables}
        return {pk: sheet for pk, sheet in found.items() if sheet}

    def is_stamped(self, sheet: Scoresheet) -> bool:
        return Stamp.objects.filter(scoresheet=sheet).exists()

    def is_decided_void(self, table: Table) -> bool:
        newest = self.newest(table)
        return newest is not None and newest.state == "void"

    @property
    def owing(self) -> list[Table]:
        """Tables with somebody to play, without a sheet that counts and without a decision that there is none."""
        return [
            table
            for table in self.tables
            if table.pk not in self.counted
            and not self.is_decided_void(table)
            and Seat.objects.filter(table=table, entrant__status="ok").exists()
        ]

    @property
    def unstamped(self) -> list[Scoresheet]:
        return [sheet for sheet in self.counted.values() if not self.is_stamped(sheet)]

    # --- People and the ranking -------------------------------------------------------------------------
    @cached_property
    def entrants(self) -> list[Entrant]:
        if self.kind == "preliminary":
            return list(Entrant.objects.filter(event=self.event).order_by("number"))
        rows = Finalist.objects.filter(stage=self.stage).select_related("entrant").order_by("entrant__number")
        return [one.entrant for one in rows]

    def status(self, entrant: Entrant) -> str:
        """As it stands in this stage: a finalist keeps the place that led there, whatever comes later (R38)."""
        is_finalist = Finalist.objects.filter(entrant=entrant).exists()
        return "ok" if self.kind == "preliminary" and is_finalist else str(entrant.status)

    @cached_property
    def results(self) -> dict[int, list[tuple[int, Fraction, int]]]:
        """Win, points and tiles of each game that counts, by entrant's number."""
        found: dict[int, list[tuple[int, Fraction, int]]] = {one.number: [] for one in self.entrants}
        self.left: set[int] = set()
        for sheet in self.counted.values():
            for line in Line.objects.filter(game__scoresheet=sheet).select_related("game", "entrant"):
                if line.game.ended_by != "not_played":
                    game = (int(line.win), Fraction(line.points_twelfths, 12), line.tiles)
                    found.setdefault(line.entrant.number, []).append(game)
                    if line.left:
                        self.left.add(line.entrant.number)
        return found

    @cached_property
    def ranking(self) -> list[tuple[Any, ...]]:
        """(number, rank, tied, wins, points, average, tiles) of everybody ranked."""
        results = self.results
        status = {one.number: self.status(one) for one in self.entrants}
        status |= {number: "withdrawn" for number in self.left if status.get(number) == "ok"}
        return rank(results, status, GAMES * (self.stage.rounds if self.stage else 1))[0]

    @property
    def ranks(self) -> dict[int, int]:
        return {line[0]: line[1] for line in self.ranking}

    @property
    def unplayed(self) -> list[int]:
        """Who takes part, has no game, and of whose table nobody decided that it has none."""
        decided = {
            seat.entrant.number
            for table in self.tables
            if self.is_decided_void(table)
            for seat in Seat.objects.filter(table=table).select_related("entrant")
        }
        taking_part = {one.number for one in self.entrants if self.status(one) == "ok"}
        played = {number for number, games in self.results.items() if games}
        return sorted(taking_part - played - decided)

    @property
    def is_finished(self) -> bool:
        """No table owes a sheet, every session has its seats, nobody is without a result."""
        seated = all(Draw.objects.filter(session=one, confirmed_at__isnull=False).exists() for one in self.sessions)
        stopped = [one for one in self.sessions if one.state in ("postponed", "suspended")]
        return bool(self.counted) and seated and not (self.owing or self.unplayed or stopped)

    # --- What is out --------------------------------------------------------------------------------------
    @property
    def release(self) -> Release | None:
        """The stage's newest release; None where there is none or it was withdrawn."""
        newest = Release.objects.filter(stage=self.stage).order_by("number").last()
        return newest if newest and newest.withdrawn_at is None else None

    @property
    def is_as_released(self) -> bool:
        """Whether everybody's rank in public is the one of now."""
        shown = self.release
        return shown is not None and {one["number"]: one["rank"] for one in shown.content["ranking"]} == self.ranks

    def answer(self, number: int) -> str:
        """The newest of this entrant's."""
        row = PlaceAnswer.objects.filter(entrant__event=self.event, entrant__number=number).order_by("at", "pk").last()
        return row.answer if row else ""

    @property
    def held(self) -> list[QuarantinedSubmission]:
        rows = QuarantinedSubmission.objects.filter(event=self.event, outcome="").select_related(
            "table__session", "device__session"
        )
        return [one for one in rows if (one.table or one.device).session.stage_id == getattr(self.stage, "pk", None)]

    @property
    def disputed(self) -> list[Table]:
        return [table for table in self.tables if (sheet := self.newest(table)) and sheet.state == "disputed"]

    def names_on_paper_differ(self, session: Session) -> bool:
        """Whether somebody of the last paper of a table sits elsewhere now, or another sits there."""
        for table in Table.objects.filter(session=session):
            paper = SheetPrint.objects.filter(session=session, table_number=table.number).order_by("number").last()
            seats = {seat.letter: seat.entrant.number for seat in table.seats.select_related("entrant")}
            begun = Scoresheet.objects.filter(table=table).exclude(state="open").exists()
            if paper is None or (paper.seats != seats and not begun):
                return True
        return False

    def mails_taken(self, subject: str) -> int:
        """How many of a mailing's mails a server took."""
        return Delivery.objects.filter(mailing__event=self.event, mailing__subject=subject, state="sent").count()

    @property
    def has_whole_backup(self) -> bool:
        """Whether the bytes of one are those that were written."""
        marks = Path(settings.VAR_DIR).rglob(f"*{BYTES}")
        return any(
            hashlib.sha256(path.read_bytes()).hexdigest() == mark.read_text(encoding="utf-8")
            for mark in marks
            for path in mark.parent.glob(f"{mark.stem}.*")
            if path != mark
        )

    @property
    def banner(self) -> Notice | None:
        """The newest that is up."""
        rows = Notice.objects.filter(event=self.event, number__isnull=False, banner=True, banner_down_at=None)
        return rows.order_by("number").last()


def numbers_near(line: int, ranking: Sequence[tuple[Any, ...]]) -> list[int]:
    """The first, those on both sides of the line and the last, by rank."""
    places = {0, line - 1, line, line + 1, len(ranking) - 1}
    return [ranking[place][0] for place in sorted(places) if 0 <= place < len(ranking)]
