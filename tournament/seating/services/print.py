"""Scoresheets printed and printed again: each paper has a serial of its own, and one that was replaced is refused."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core import canonical
from tournament.core.enums import SessionState
from tournament.core.errors import Refused
from tournament.core.models.stage import Session, Stage
from tournament.seating.services import checks, moves
from tournament.sheets.services import seating_contents as contents
from tournament.tables.models import SheetPrint, Table
from tournament.tables.queries import seating as queries

PRINT_SESSION_POSTPONED = _(
    "This session is postponed. A paper bears the day of play: print it once the new times are set."
)
PAPER_OUTDATED = _("The seats or the referee of this table changed after paper %(serial)s was printed. Print it again.")


@dataclass(frozen=True, slots=True)
class PrintResult:
    """The papers of one act, and the sessions that it left with the reason."""

    papers: list[SheetPrint]
    left: list[tuple[Session, Refused]]


def print_session(
    session: Session,
    *,
    by: User,
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
        locked = checks.lock_session(session)
        return {"papers": [paper.pk for paper in write_print(locked, by, tables, again, request_key)]}

    payload = [session.pk, sorted(tables) if tables is not None else None, again]
    answer = moves.run_seating_once(by, request_key, "print_scoresheets", payload, act)
    return list(SheetPrint.objects.filter(pk__in=answer["papers"]).order_by("table_number"))


def print_stage(stage: Stage, *, by: User, again: bool = False) -> PrintResult:
    """Print every session of the stage whose seats are confirmed, each in its own transaction."""
    papers: list[SheetPrint] = []
    left: list[tuple[Session, Refused]] = []
    for session in queries.sessions_with_draw(stage):
        try:
            papers += print_session(session, by=by, again=again)
        except Refused as refusal:
            left.append((session, refusal))
    return PrintResult(papers, left)


def write_print(
    session: Session, by: User, numbers: Collection[int] | None, again: bool, request_key: str
) -> list[SheetPrint]:
    """Print the sheets of these tables, all where `numbers` is None, and log it. Returns the new papers."""
    draw = queries.current_draw_of(session)
    if draw is None or draw.confirmed_at is None:
        raise Refused(
            "nothing_to_print",
            _("Nothing to print yet: a scoresheet is printed when the seats are confirmed."),
            session,
        )
    if session.state == SessionState.POSTPONED:
        raise Refused("session_postponed", PRINT_SESSION_POSTPONED, session)
    newest = queries.newest_prints([session])
    typed = queries.typed_tables(session)
    chosen = [table for table in queries.tables_of_session_room(session) if numbers is None or table.number in numbers]
    due = [table for table in chosen if table.number not in typed and _is_due(session, table, newest, again)]
    if not due:
        raise Refused(
            "paper_stands",
            _("No paper is missing: each is printed as its table stands, or its sheet has been begun."),
            session,
        )
    papers = create_papers(session, due, newest, by)
    serials = ", ".join(queries.paper_serial(session, paper.table_number, paper.number) for paper in papers)
    services.append_audit_entry(
        session.stage.event,
        by,
        "print_scoresheets",
        f"session {session.code}",
        revision=(draw.revision, draw.revision),
        digest=("", printing_digest(papers)),
        reason=serials.replace(f"{session.code}-", "")[: moves.SEAT_MOVE_REASON_MAX_LENGTH],
        request_key=request_key,
        at=papers[0].printed_at,
    )
    return papers


def printing_digest(papers: Sequence[SheetPrint]) -> str:
    """Of one printing: every paper's table, number, seats and referee, and the digest of all that it says."""
    kept = ([paper.digest] if paper.digest else [] for paper in papers)
    said = [
        [paper.table_number, paper.number, paper.seats, paper.referee_id, *digest]
        for paper, digest in zip(papers, kept, strict=True)
    ]
    return canonical.digest_of(sorted(said, key=lambda paper: paper[:2]))


def _is_due(session: Session, table: Table, newest: dict[tuple[int, int], SheetPrint], again: bool) -> bool:
    paper = newest.get((table.session_id, table.number))
    return paper is None or again or queries.is_paper_outdated(paper, table, session)


def create_papers(
    session: Session, due: Sequence[Table], newest: dict[tuple[int, int], SheetPrint], by: User
) -> list[SheetPrint]:
    """New papers for the tables that are due; each replaces the table's newest paper."""
    now = timezone.now()

    def next_number(table: Table) -> int:
        last = newest.get((session.pk, table.number))
        return last.number + 1 if last else 1

    numbered = [(table, next_number(table)) for table in due]
    said = contents.build_printed_contents(session, numbered)
    made = SheetPrint.objects.bulk_create(
        SheetPrint(
            session=session,
            table_number=table.number,
            number=number,
            seats={seat.letter: seat.entrant.number for seat in table.seats.all()},
            referee=table.referee,
            digest=contents.printed_content_digest(kept),
            printed_by=by,
            printed_at=now,
        )
        for (table, number), kept in zip(numbered, said, strict=True)
    )
    contents.store_printed_contents(made, said)
    return made
