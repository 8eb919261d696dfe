"""The desk of the demo: who acts there, and how a session's sheets are typed, certified and stamped."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from scoring.ruleset import Ruleset
from tournament.core.enums import EntrantStatus
from tournament.core.models.stage import Session
from tournament.demo.day import DEMO_ABSENCE_REASONS, DemoDay
from tournament.demo.line import PlayedTable, TableKey
from tournament.demo.writing import typed_sheet_of_games
from tournament.entrants.models.people import Entrant
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import registration, scoresheets, signing
from tournament.tables.models import Table

CHECKED_AGAINST_SHEET = "與計分紙核對無誤"


@dataclass(frozen=True)
class DemoPeople:
    organiser: User
    clerk: User
    second_clerk: User
    judge: User


def demo_tables_of(session: Session) -> list[tuple[TableKey, Table]]:
    """The session's tables in order, with all that typing a sheet reads."""
    tables = Table.objects.filter(session=session).select_related("session__stage__event", "session__draw")
    return [((session.number, table.number), table) for table in tables.order_by("number")]


def record_absences(session: Session, day: DemoDay, people: DemoPeople) -> None:
    """No-shows and leavers, recorded at the desk before the sheets are typed."""
    for absence in day.absences[session.number]:
        entrant = Entrant.objects.get(event=session.stage.event, number=absence.entrant)
        by = people.judge if absence.status == EntrantStatus.DISQUALIFIED else people.clerk
        registration.record_absence(entrant, status=absence.status, reason=DEMO_ABSENCE_REASONS[absence.status], by=by)


def finish_session(session: Session, ruleset: Ruleset, day: DemoDay, people: DemoPeople) -> None:
    """Every sheet of a session typed, certified and stamped."""
    record_absences(session, day, people)
    for key, table in demo_tables_of(session):
        certify_sheet(table, submit_sheet(table, ruleset, day.tables[key], people), people)
    signing.stamp_session(session, by=people.organiser)


def typed_demo_sheet(played: PlayedTable) -> dict[str, Any]:
    """The sheet as the clerk types it; a seat that stayed empty has no cells."""
    seats = [seat for seat in played.entrants if played.statuses.get(seat) != EntrantStatus.FORFEITED]
    return typed_sheet_of_games(played.games, seats)


def submit_sheet(table: Table, ruleset: Ruleset, played: PlayedTable, people: DemoPeople) -> int:
    """Type one sheet and hand it on, with a reason for what is unusual: its revision."""
    content = bridge.clean_typed(typed_demo_sheet(played))
    form = bridge.sheet_forms(ruleset)[0]
    check = bridge.check_typed_sheet(ruleset, form, content, queries.seats_as_judged(table))
    sheet = scoresheets.submit_scoresheet(
        table,
        revision=0,
        form=form,
        typed=content,
        confirmations=bridge.confirm_all_unusual(check, CHECKED_AGAINST_SHEET),
        by=people.clerk,
        request_key=f"seed-submit-{queries.sheet_serial(table)}",
    )
    return sheet.revision


def certify_sheet(table: Table, revision: int, people: DemoPeople) -> None:
    """The second account has compared it with the paper; everybody has signed."""
    signing.certify_scoresheet(
        table,
        revision=revision,
        signatures=demo_signatures(table),
        by=people.second_clerk,
        request_key=f"seed-certify-{queries.sheet_serial(table)}",
    )


def demo_signatures(table: Table) -> Mapping[str, str]:
    """A signature for each seated entrant who has not left."""
    return dict.fromkeys(bridge.signing_letters(queries.seats_as_judged(table)), "")
