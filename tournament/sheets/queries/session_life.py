"""Where a session stands in its life: derived from clock, sheets, papers and seats together, asked by every act.

The clock alone does not tell: tables time themselves, so a session may be played to its end while nobody has pressed
its clock. Nothing of this is stored.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from tournament.core.acts.sessions import BEFORE_PLAY, IN_PLAY
from tournament.core.enums import ENDED, OFF, ClockKind, LifeStage, SessionState, SheetState
from tournament.core.models.stage import Session
from tournament.releases.queries import releases_in_force
from tournament.sheets.models.clock import ClockEvent
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Draw, Seat, SheetPrint, Table

# By the clock it is played, or has been.
STATES_BY_CLOCK = (*IN_PLAY, SessionState.CLOSED)
STAGES_BEFORE_BEGIN = (LifeStage.PLANNED, LifeStage.SEATED, LifeStage.PRINTED)


@dataclass(frozen=True, slots=True)
class SessionLife:
    """What is known of one session: `state` by its clock and what pressed it last, its seats, papers, sheets.

    `sheets` are tables whose sheet was begun, `stamped` those whose sheet is stamped or void, of `tables` with people.
    """

    state: str
    last: str = ""
    confirmed: bool = False
    printed: bool = False
    tables: int = 0
    sheets: int = 0
    stamped: int = 0
    released: bool = False

    @property
    def stage(self) -> LifeStage:
        """The one stage it is in."""
        if self.state in OFF:
            return LifeStage(self.state)
        if self.released:
            return LifeStage.RELEASED
        if self.tables and self.stamped == self.tables:
            return LifeStage.STAMPED
        if self.state == SessionState.SUSPENDED:
            return LifeStage.HELD if self.is_held_back and not self.sheets else LifeStage.BROKEN_OFF
        if self.sheets or self.state in STATES_BY_CLOCK:
            return LifeStage.BEGUN
        if self.confirmed:
            return LifeStage.PRINTED if self.printed else LifeStage.SEATED
        return LifeStage.PLANNED

    @property
    def is_over(self) -> bool:
        """Played to its last sheet, whatever its clock says: nothing of it is started, stopped or decided about."""
        return self.stage in (LifeStage.STAMPED, LifeStage.RELEASED)

    @property
    def is_past(self) -> bool:
        """Ended by its clock, or played to its last sheet: nobody needs to know a seat in it any more."""
        return self.state in ENDED or self.is_over

    @property
    def is_held_back(self) -> bool:
        """Stopped before its start, not while it was played."""
        return self.state == SessionState.SUSPENDED and self.last == ClockKind.HOLD

    @property
    def has_begun(self) -> bool:
        """Somebody has played, or a sheet has come in, whatever became of the session since."""
        broken_off = self.state == SessionState.SUSPENDED and not self.is_held_back
        return bool(self.sheets) or self.state in STATES_BY_CLOCK or broken_off

    @property
    def is_timed(self) -> bool:
        """Whether somebody has pressed its clock to play; otherwise its tables time themselves."""
        return self.state not in BEFORE_PLAY

    @property
    def may_be_decided(self) -> bool:
        """Whether its finished games may be let stand, or all of it played anew: it was broken off by its clock, or
        its sheets are coming in while its clock was never pressed."""
        return self.stage == LifeStage.BROKEN_OFF or (self.stage == LifeStage.BEGUN and not self.is_timed)


def session_life_of(session: Session) -> SessionLife:
    """Where one session stands, as its row says now."""
    return session_lives_of([session])[session.pk]


def session_lives_of(sessions: Iterable[Session]) -> dict[int, SessionLife]:
    """Where each stands, by its key; one query however many there are. The state is the one of the rows given."""
    rows = {row.pk: row for row in sessions}
    if not rows:
        return {}
    own = {"session": OuterRef("pk")}
    presses = ClockEvent.objects.filter(**own, table=None).order_by("-at", "-id")
    seated = Table.objects.filter(Exists(Seat.objects.filter(table=OuterRef("pk"))), **own)
    sheets = Scoresheet.objects.filter(table=OuterRef("pk"))
    stamped = Exists(sheets.filter(official_for__isnull=False, stamp__isnull=False))
    void = Exists(sheets.filter(version=1, state=SheetState.VOID))
    found = Session.objects.filter(pk__in=rows).annotate(
        last=Coalesce(Subquery(presses.values("kind")[:1]), Value("")),
        confirmed=Exists(Draw.objects.filter(**own, confirmed_at__isnull=False)),
        printed=Exists(SheetPrint.objects.filter(**own)),
        seated=count_session_tables(seated),
        begun=count_session_tables(Table.objects.filter(Exists(sheets), **own)),
        done=count_session_tables(seated.filter(stamped | void)),
        standing=Exists(releases_in_force().filter(stage=OuterRef("stage"))),
    )
    facts = ("pk", "last", "confirmed", "printed", "seated", "begun", "done", "standing")
    return {
        pk: SessionLife(rows[pk].state, last, confirmed, printed, tables, begun, done, standing and 0 < tables == done)
        for pk, last, confirmed, printed, tables, begun, done, standing in found.order_by().values_list(*facts)
    }


def sessions_still_stopped(sessions: Iterable[Session]) -> list[Session]:
    """Those of stopped sessions that are waited for: one that is over has every result, though its clock stands."""
    rows = list(sessions)
    lives = session_lives_of(row for row in rows if row.state == SessionState.SUSPENDED)
    return [row for row in rows if row.pk not in lives or not lives[row.pk].is_over]


def count_session_tables(tables: QuerySet[Table]) -> Coalesce:
    """How many of a session's tables these are."""
    counts = tables.order_by().values("session").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counts, output_field=IntegerField()), 0)


def settled_session_condition(session: str = "pk") -> Q:
    """In a query of sessions: seats are confirmed or a sheet was begun, so that papers and people go by its plan."""
    drawn = Draw.objects.filter(session=OuterRef(session), confirmed_at__isnull=False)
    return Exists(drawn) | Exists(Scoresheet.objects.filter(table__session=OuterRef(session)))
