"""Scoresheets printed and printed again: each paper has a serial of its own, and one that was replaced is refused."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractUser
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.enums import SessionState
from tournament.errors import Refused
from tournament.models import Session, SheetPrint, Stage, Table
from tournament.queries import seating as queries
from tournament.queries.seating import Paper, PaperState
from tournament.services import audit
from tournament.services import seating_checks as checks
from tournament.services import seating_contents as contents
from tournament.services import seating_moves as moves

REPLACED = _(
    "This paper (%(serial)s) was replaced by print %(number)s at %(when)s. Use that one: its serial is %(newest)s."
)
DISSOLVED = _("Table %(table)s was dissolved after paper %(serial)s was printed. Its entrants sit at other tables.")
POSTPONED = _("This session is postponed. A paper bears the day of play: print it once the new times are set.")
UNKNOWN = _("There is no paper with serial %(serial)s.")
OUTDATED = _("The seats or the referee of this table changed after paper %(serial)s was printed. Print it again.")


@dataclass(frozen=True, slots=True)
class Printed:
    """The papers of one act, and the sessions that it left with the reason."""

    papers: list[SheetPrint]
    left: list[tuple[Session, Refused]]


def print_session(
    session: Session,
    *,
    by: AbstractUser,
    tables: Collection[int] | None = None,
    again: bool = False,
    request_key: str = "",
) -> list[SheetPrint]:
    """Record that the sheets of these tables (by number; left out: all) are printed; answers the new papers.

    A table gets a paper where it has none, where anything that it says changed since, or with `again` on purpose.
    A table whose sheet has been begun gets none. Refused: `nothing_to_print` before the confirmation; `paper_stands`
    where every paper is as it should be; `session_postponed` until it has new times.

    1. the session is locked, its seats confirmed; 2. which tables need a paper; 3. the papers, each with the next
    number of its table; 4. the audit entry.
    """

    def act() -> dict[str, object]:
        locked = checks.locked(session)
        return {"papers": [paper.pk for paper in _print(locked, by, tables, again, request_key)]}

    payload = [session.pk, sorted(tables) if tables is not None else None, again]
    answer = moves.once(by, request_key, "print_scoresheets", payload, act)
    return list(SheetPrint.objects.filter(pk__in=answer["papers"]).order_by("table_number"))


def print_stage(stage: Stage, *, by: AbstractUser, again: bool = False) -> Printed:
    """Print every session of the stage whose seats are confirmed, each in its own transaction."""
    papers: list[SheetPrint] = []
    left: list[tuple[Session, Refused]] = []
    for session in queries.sessions_of(stage):
        try:
            papers += print_session(session, by=by, again=again)
        except Refused as refusal:
            left.append((session, refusal))
    return Printed(papers, left)


def _print(
    session: Session, by: AbstractUser, numbers: Collection[int] | None, again: bool, request_key: str
) -> list[SheetPrint]:
    draw = queries.draw_of(session)
    if draw is None or draw.confirmed_at is None:
        raise Refused(
            "nothing_to_print",
            _("Nothing to print yet: a scoresheet is printed when the seats are confirmed."),
            session,
        )
    if session.state == SessionState.POSTPONED:
        raise Refused("session_postponed", POSTPONED, session)
    newest = queries.newest_prints([session])
    typed = queries.typed_tables(session)
    chosen = [table for table in queries.room_of(session) if numbers is None or table.number in numbers]
    due = [table for table in chosen if table.number not in typed and _is_due(session, table, newest, again)]
    if not due:
        raise Refused(
            "paper_stands",
            _("No paper is missing: each is printed as its table stands, or its sheet has been begun."),
            session,
        )
    papers = _papers(session, due, newest, by)
    serials = ", ".join(queries.paper_serial(session, paper.table_number, paper.number) for paper in papers)
    audit.record(
        session.stage.event,
        by,
        "print_scoresheets",
        f"session {session.code}",
        revision=(draw.revision, draw.revision),
        digest=("", digest_of(papers)),
        reason=serials.replace(f"{session.code}-", "")[: moves.REASON_ROOM],
        request_key=request_key,
        at=papers[0].printed_at,
    )
    return papers


def digest_of(papers: Sequence[SheetPrint]) -> str:
    """Of one printing: every paper's table, number, seats and referee, and the digest of all that it says."""
    kept = ([paper.digest] if paper.digest else [] for paper in papers)
    said = [
        [paper.table_number, paper.number, paper.seats, paper.referee_id, *digest]
        for paper, digest in zip(papers, kept, strict=True)
    ]
    return audit.digest_of(sorted(said, key=lambda paper: paper[:2]))


def _is_due(session: Session, table: Table, newest: dict[tuple[int, int], SheetPrint], again: bool) -> bool:
    paper = newest.get((table.session_id, table.number))
    return paper is None or again or queries.is_outdated(paper, table, session)


def _papers(
    session: Session, due: Sequence[Table], newest: dict[tuple[int, int], SheetPrint], by: AbstractUser
) -> list[SheetPrint]:
    now = timezone.now()

    def number(table: Table) -> int:
        last = newest.get((session.pk, table.number))
        return last.number + 1 if last else 1

    said = contents.contents_of(session, [(table, number(table)) for table in due])
    made = SheetPrint.objects.bulk_create(
        SheetPrint(
            session=session,
            table_number=table.number,
            number=kept.content["number"],
            seats={seat.letter: seat.entrant.number for seat in table.seats.all()},
            referee=table.referee,
            digest=contents.digest_of(kept),
            printed_by=by,
            printed_at=now,
        )
        for table, kept in zip(due, said, strict=True)
    )
    contents.keep(made, said)
    return made


def require_usable(paper: Paper) -> Paper:
    """Refuse in words a paper that was replaced, whose table is dissolved, or that was never printed."""
    if paper.usable:
        return paper
    if paper.state == PaperState.REPLACED and paper.newest:
        raise Refused(
            "paper_replaced",
            REPLACED,
            paper.session,
            serial=paper.serial,
            number=paper.newest.number,
            when=f"{timezone.localtime(paper.newest.printed_at):%H:%M}",
            newest=paper.newest_serial,
        )
    if paper.state == PaperState.DISSOLVED:
        raise Refused("table_dissolved", DISSOLVED, paper.session, table=paper.table, serial=paper.serial)
    raise Refused("paper_unknown", UNKNOWN, paper.session, serial=paper.serial)
