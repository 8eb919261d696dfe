"""A paper as it was printed: its content kept, its digest in the log, and what has changed since said by name (X46)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scoring.ruleset import PRESETS
from tests.seated import enter
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Person
from tournament.operations.services.audit_verification import verify_events
from tournament.seating.services import print as papers
from tournament.seating.services import seating
from tournament.sheets.exports.papers import printed_sheets_of_tables
from tournament.sheets.services import seating_contents as contents
from tournament.tables.models import PrintedContent, SheetPrint, Table
from tournament.tables.queries import seating as queries
from tournament.tables.queries.seating import PaperState, judge_paper


@pytest.fixture
def printed(event: Event, first_session: Session, organiser: User, referee: User) -> Session:
    """Eight at two tables, seats confirmed, papers printed."""
    enter(first_session, 8)
    seating.draw_session(first_session, seed=1, by=organiser)
    seating.confirm_session_draw(first_session, revision=1, by=organiser)
    papers.print_session(first_session, by=organiser)
    return first_session


def fresh(session: Session) -> Session:
    return Session.objects.select_related("stage__event").get(pk=session.pk)


def changed(session: Session) -> dict[int, tuple[str, ...]]:
    """By table what of its newest paper is no more so."""
    numbers = Table.objects.filter(session=session).values_list("number", flat=True)
    return {number: judge_paper(fresh(session), number, last(session, number)).changed for number in numbers}


def last(session: Session, table: int) -> int:
    return SheetPrint.objects.filter(session=session, table_number=table).order_by("-number")[0].number


def at_table(session: Session, table: int = 1) -> Entrant:
    found = Entrant.objects.filter(seats__session=session, seats__table__number=table, seats__letter="A")
    return found.select_related("person").get()


def drawn(session: Session) -> dict[str, Any]:
    """By serial the papers as their file has them."""
    row = fresh(session)
    tables = queries.tables_to_print(row.stage, row.number)
    sheets = printed_sheets_of_tables(
        tables, queries.newest_prints([row]), PRESETS["hk-2026"], lambda _table, number: f"/{number}"
    )
    return {sheet.serial: sheet for sheet in sheets}


# --- What may change ------------------------------------------------------------------------------------
def renamed(session: Session) -> None:
    Person.objects.filter(entrant=at_table(session)).update(name_zh="黃改名")


def renamed_in_english(session: Session) -> None:
    Person.objects.filter(entrant=at_table(session)).update(name_en="WONG Another")


def another_referee(session: Session) -> None:
    Table.objects.filter(session=session, number=1).update(referee=None)


def another_hour(session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(play_at=session.play_at.replace(minute=50))


def another_event_name(session: Session) -> None:
    Event.objects.update(name_en="Another Cup")


CHANGES: list[tuple[Callable[[Session], None], dict[int, tuple[str, ...]]]] = [
    (lambda session: None, {1: (), 2: ()}),
    (renamed, {1: ("names",), 2: ()}),
    (renamed_in_english, {1: ("names",), 2: ()}),
    (another_referee, {1: ("referee",), 2: ()}),
    (another_hour, {1: ("times",), 2: ("times",)}),
    (another_event_name, {1: ("event",), 2: ("event",)}),
]


@pytest.mark.parametrize(("change", "parts"), CHANGES)
def test_what_a_paper_says_is_held_against_what_stands_and_only_what_changed_is_printed_again(
    printed: Session, organiser: User, change: Callable[[Session], None], parts: dict[int, tuple[str, ...]]
) -> None:
    change(printed)
    assert changed(printed) == parts
    stale = [number for number, found in parts.items() if found]
    counts = queries.papers_of_stage(printed.stage)
    assert (counts.printed, counts.to_print, counts.print_again) == (2, len(stale), len(stale))
    if stale:
        made = papers.print_session(fresh(printed), by=organiser)
        assert [(one.table_number, one.number) for one in made] == [(number, 2) for number in stale]
    assert changed(printed) == {1: (), 2: ()}


def test_one_serial_never_has_two_contents(printed: Session, organiser: User) -> None:
    before = drawn(printed)
    for change in (renamed, another_referee, another_hour, another_event_name):
        change(printed)
    assert drawn(printed) == before
    papers.print_session(fresh(printed), by=organiser)
    after = drawn(printed)
    assert sorted(after) == ["0328-1-01-2", "0328-1-02-2"]
    assert "黃改名" in {seat.name for seat in after["0328-1-01-2"].seats.values()}
    assert "黃改名" not in {seat.name for seat in before["0328-1-01"].seats.values()}


def test_the_log_has_the_digest_of_all_that_was_printed(printed: Session) -> None:
    made = list(SheetPrint.objects.select_related("kept").order_by("table_number"))
    assert [contents.printed_content_digest(one.kept) for one in made] == [one.digest for one in made]
    assert AuditEntry.objects.get(action="print_scoresheets").digest_after == papers.printing_digest(made)
    assert [finding.code for finding in verify_events(files=False).findings] == []


def test_a_content_that_was_altered_is_not_drawn_as_printed(printed: Session, organiser: User) -> None:
    kept = PrintedContent.objects.order_by("pk")[0]
    kept.content["seats"]["A"]["name"] = "誰"
    kept.save()
    client = Client()
    client.force_login(organiser)
    assert client.get(reverse("session_scoresheets_pdf", args=["hk-2026", 1])).status_code == 409


# --- The sheet's page -----------------------------------------------------------------------------------
def test_the_sheet_s_page_says_what_changed_and_offers_the_reprint(printed: Session, organiser: User) -> None:
    client = Client(headers={"Accept-Language": "en"})
    client.force_login(organiser)
    address = reverse("scoresheet", args=["hk-2026", 1, 1])
    assert "is not as the table stands" not in squeezed(client.get(address).content.decode())
    renamed(printed)
    html = squeezed(client.get(address).content.decode())
    told = ("Paper 0328-1-01 is not as the table stands" in html, "Changed since it was printed: a name." in html)
    assert (*told, "Print it again with a new serial" in html) == (True, True, True)
    client.post(reverse("print_scoresheet", args=["hk-2026", 1, 1]))
    assert "is not as the table stands" not in squeezed(client.get(address).content.decode())


# --- Erasure --------------------------------------------------------------------------------------------
def test_one_person_s_names_are_blanked_and_the_paper_stays_by_number(printed: Session, event: Event) -> None:
    entrant = at_table(printed)
    name = entrant.person.name_en
    assert contents.blank_names_on_papers(event, [entrant.number]) == 1
    Person.objects.filter(entrant=entrant).update(name_zh="", name_en="")
    assert name not in str(list(PrintedContent.objects.values()))
    assert (changed(printed)[1], contents.blank_names_on_papers(event, [entrant.number])) == ((), 0)
    seat = drawn(printed)["0328-1-01"].seats["A"]
    assert (seat.number, seat.name, seat.second_name) == (entrant.number, "", "")


def test_of_a_whole_event_nothing_is_kept(printed: Session, event: Event) -> None:
    assert contents.blank_names_on_papers(event, None) == 2
    assert list(PrintedContent.objects.values_list("content", "salt")) == [(None, "")] * 2
    assert judge_paper(fresh(printed), 1, 1).state == PaperState.CURRENT
