"""The desk of the demo: who acts there, and how a session's sheets are typed, certified and stamped."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from scoring.ruleset import Ruleset
from tournament.bridge import scoresheets as bridge
from tournament.demo.day import REASONS, Day
from tournament.demo.line import PlayedTable, TableKey
from tournament.demo.writing import typed_sheet
from tournament.enums import EntrantStatus, SheetForm
from tournament.models import Entrant, Session, Table
from tournament.queries import scoresheets as queries
from tournament.services import registration, scoresheets, signing

CHECKED = "與計分紙核對無誤"


@dataclass(frozen=True)
class People:
    """The accounts that act."""

    organiser: User
    clerk: User
    second_clerk: User
    judge: User


def tables_of(session: Session) -> list[tuple[TableKey, Table]]:
    """The session's tables in order, with all that typing a sheet reads."""
    tables = Table.objects.filter(session=session).select_related("session__stage__event", "session__draw")
    return [((session.number, table.number), table) for table in tables.order_by("number")]


def record_absences(session: Session, day: Day, people: People) -> None:
    """No-shows and leavers, recorded at the desk before the sheets are typed."""
    for absence in day.absences[session.number]:
        entrant = Entrant.objects.get(event=session.stage.event, number=absence.entrant)
        by = people.judge if absence.status == EntrantStatus.DISQUALIFIED else people.clerk
        registration.record_absence(entrant, status=absence.status, reason=REASONS[absence.status], by=by)


def finish_session(session: Session, ruleset: Ruleset, day: Day, people: People) -> None:
    """Every sheet of a session typed, certified and stamped."""
    record_absences(session, day, people)
    for key, table in tables_of(session):
        certify_sheet(table, submit_sheet(table, ruleset, day.tables[key], people), people)
    signing.stamp_session(session, by=people.organiser)


def typed(played: PlayedTable) -> dict[str, Any]:
    """The sheet as the clerk types it; a seat that stayed empty has no cells."""
    seats = [seat for seat in played.entrants if played.statuses.get(seat) != EntrantStatus.FORFEITED]
    return typed_sheet(played.games, seats)


def submit_sheet(table: Table, ruleset: Ruleset, played: PlayedTable, people: People) -> int:
    """Type one sheet and hand it on, with a reason for what is unusual: its revision."""
    content = bridge.clean_typed(typed(played))
    check = bridge.judge(ruleset, SheetForm.PAPER, content, queries.seats_of(table))
    sheet = scoresheets.submit(
        table,
        revision=0,
        form=SheetForm.PAPER,
        typed=content,
        confirmations=bridge.confirm_all(check, CHECKED),
        by=people.clerk,
        request_key=f"seed-submit-{queries.serial(table)}",
    )
    return sheet.revision


def certify_sheet(table: Table, revision: int, people: People) -> None:
    """The second account has compared it with the paper; everybody has signed."""
    signing.certify(
        table,
        revision=revision,
        signatures=signatures_of(table),
        by=people.second_clerk,
        request_key=f"seed-certify-{queries.serial(table)}",
    )


def signatures_of(table: Table) -> Mapping[str, str]:
    """A signature for each seated entrant who has not left."""
    return dict.fromkeys(bridge.signing_letters(queries.seats_of(table)), "")
