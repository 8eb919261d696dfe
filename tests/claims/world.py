"""An event at a stage of its day, who acts there, and chance."""

import secrets
from collections.abc import Callable
from random import Random

from django.contrib.auth.models import User

from tournament.core.enums import SheetState, StageKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant
from tournament.events.queries import final_of
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Table

WHY = "as the desk saw it"


class World:
    """An event at a stage of its day, who acts there, and chance."""

    def __init__(self, event: Event, random: Random, numbers: list[int]) -> None:
        self.event, self.random, self.numbers = event, random, numbers
        self.touched: Session | None = None
        self.at_hand = 0
        names = {"organiser": "organiser", "clerk": "clerk", "second": "clerk2", "judge": "judge"}
        self.by = {who: User.objects.get(username=name) for who, name in names.items()}

    @property
    def preliminary(self) -> Stage:
        return Stage.objects.select_related("event").get(event=self.event, kind=StageKind.PRELIMINARY)

    @property
    def final(self) -> Stage | None:
        return final_of(self.event)

    @property
    def organiser(self) -> User:
        return self.by["organiser"]

    @property
    def judge(self) -> User:
        return self.by["judge"]

    @property
    def key(self) -> str:
        return secrets.token_hex(8)

    def entrant(self, *statuses: str) -> Entrant | None:
        """Of those whose pages are read, with one of these statuses; else of all."""
        rows = Entrant.objects.filter(event=self.event, status__in=statuses).select_related("person", "session")
        near = list(rows.filter(number__in=self.numbers).order_by("number")) or list(rows.order_by("number"))
        return self.random.choice(near) if near else None

    def session(self, *, final: bool = False) -> Session:
        """Where a sheet was touched; else the first or second of its stage, or one in hand."""
        if self.touched is not None:
            return Session.objects.select_related("stage__event").get(pk=self.touched.pk)
        kind = StageKind.FINAL if final and self.final else StageKind.PRELIMINARY
        rows = list(Session.objects.filter(stage__event=self.event, stage__kind=kind).order_by("number"))
        return self.random.choice(rows[:2] + rows[7:9])

    def table(self, *states: SheetState) -> Table | None:
        """One whose newest sheet is in one of these states; open where nobody has begun one. The one that was touched
        before goes first."""
        there = Table.objects.filter(session__stage__event=self.event).exclude(session__state="void")
        newest = dict.fromkeys(there.values_list("pk", flat=True), str(SheetState.OPEN))
        sheets = Scoresheet.objects.filter(table__in=there).order_by("table_id", "version")
        newest |= {one.table_id: one.state for one in sheets}
        keys = [pk for pk, state in newest.items() if state in states]
        keys = [pk for pk in keys if pk == self.at_hand] or keys
        rows = list(Table.objects.select_related("session__stage__event").filter(pk__in=keys).order_by("pk"))
        found = self.random.choice(rows) if rows else None
        if found:
            self.touched, self.at_hand = found.session, found.pk
        return found

    def revision(self, table: Table) -> int:
        """Of its newest sheet; 0 where nobody has begun one."""
        newest = Scoresheet.objects.filter(table=table).order_by("-version").first()
        return newest.revision if newest else 0


Act = Callable[[World], object]
