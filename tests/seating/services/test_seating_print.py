"""Papers: printed, printed again after a change or on purpose, and an older one refused in words."""

import pytest
from django.contrib.auth.models import User

from tests.conftest import account
from tests.seated import enter, seats
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.seating.services import print as papers
from tournament.seating.services import room, seating
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables import services
from tournament.tables.models import SheetPrint
from tournament.tables.queries.seating import PaperState, judge_paper


@pytest.fixture
def printed(event: Event, first_session: Session, organiser: User) -> Session:
    """Three tables of a confirmed session, each with its first paper."""
    account(event, Role.REFEREE, "ada")
    enter(first_session, 11)
    seating.draw_session(first_session, seed=1, by=organiser)
    seating.confirm_session_draw(first_session, revision=1, by=organiser)
    papers.print_session(first_session, by=organiser)
    return first_session


def states(session: Session) -> dict[str, str]:
    rows = SheetPrint.objects.filter(session=session).values_list("table_number", "number")
    judged = [judge_paper(session, table, number) for table, number in rows]
    return {paper.serial: paper.state for paper in judged}


def refusal(session: Session, table: int, number: int) -> Refused:
    with pytest.raises(Refused) as caught:
        services.require_usable(judge_paper(session, table, number))
    return caught.value


def test_a_first_print_gives_each_table_one_paper(printed: Session, event: Event) -> None:
    assert states(printed) == {"0328-1-01": "current", "0328-1-02": "current", "0328-1-03": "current"}
    entry = AuditEntry.objects.get(event=event, action="print_scoresheets")
    assert (entry.subject, entry.reason) == ("session 0328-1", "01, 02, 03")


def test_nothing_is_printed_before_the_confirmation_or_when_every_paper_stands(
    printed: Session, event: Event, organiser: User
) -> None:
    other = event.stages.get().sessions.get(number=2)
    with pytest.raises(Refused) as early:
        papers.print_session(other, by=organiser)
    with pytest.raises(Refused) as late:
        papers.print_session(printed, by=organiser)

    assert (early.value.code, late.value.code) == ("nothing_to_print", "paper_stands")
    assert SheetPrint.objects.count() == 3


def test_a_change_of_seats_calls_for_a_new_paper_of_those_tables_only(printed: Session, organiser: User) -> None:
    before = seats(printed)
    room.move_seat_to(printed, revision=1, entrant=before["1A"], place=(3, "D"), by=organiser)

    assert states(printed) == {"0328-1-01": "outdated", "0328-1-02": "current", "0328-1-03": "outdated"}
    again = papers.print_session(printed, by=organiser)

    assert [(paper.table_number, paper.number) for paper in again] == [(1, 2), (3, 2)]
    assert states(printed) == {
        "0328-1-01": "replaced",
        "0328-1-01-2": "current",
        "0328-1-02": "current",
        "0328-1-03": "replaced",
        "0328-1-03-2": "current",
    }


def test_a_move_that_is_undone_leaves_the_paper_good(printed: Session, organiser: User) -> None:
    room.move_seat_to(printed, revision=1, entrant=seats(printed)["1A"], place=(3, "D"), by=organiser)
    room.undo_last_seat_move(printed, revision=2, by=organiser)

    assert set(states(printed).values()) == {"current"}


def test_another_referee_calls_for_a_new_paper(printed: Session, organiser: User) -> None:
    room.assign_table_referee(printed, revision=1, table=2, referee=None, by=organiser)

    assert states(printed)["0328-1-02"] == "outdated"


def test_a_replaced_paper_is_refused_in_words_that_name_the_new_one(printed: Session, organiser: User) -> None:
    papers.print_session(printed, by=organiser, tables=[2], again=True)

    told = refusal(printed, 2, 1)

    assert told.code == "paper_replaced"
    assert "0328-1-02-2" in str(told)
    assert "第 2 次列印" in str(told)
    assert services.require_usable(judge_paper(printed, 2, 2)).state == PaperState.CURRENT
    assert refusal(printed, 2, 3).code == "paper_unknown"
    assert refusal(printed, 9, 1).code == "paper_unknown"


def test_the_paper_of_a_dissolved_table_is_refused_and_its_number_goes_on_counting(
    printed: Session, organiser: User
) -> None:
    before = seats(printed)
    for number in (before["3A"], before["1D"]):
        printed.entrants.filter(number=number).update(status="withdrawn")
    printed.entrants.filter(number=before["2D"]).update(status="withdrawn")
    room.dissolve_seated_table(printed, revision=1, table=3, by=organiser)

    assert refusal(printed, 3, 1).code == "table_dissolved"
    room.undo_last_seat_move(printed, revision=2, by=organiser)
    assert services.require_usable(judge_paper(printed, 3, 1)).state == PaperState.CURRENT
    room.dissolve_seated_table(printed, revision=3, table=3, by=organiser)
    enter(printed, 3, first=21)
    room.open_extra_table(printed, revision=4, entrants=[21, 22, 23], by=organiser)
    assert judge_paper(printed, 3, 1).state == PaperState.OUTDATED
    papers.print_session(printed, by=organiser, tables=[3])
    assert refusal(printed, 3, 1).code == "paper_replaced"


def test_printing_sent_twice_with_one_key_makes_one_paper(printed: Session, organiser: User) -> None:
    first = papers.print_session(printed, by=organiser, tables=[2], again=True, request_key="k")
    second = papers.print_session(printed, by=organiser, tables=[2], again=True, request_key="k")

    assert first == second
    assert SheetPrint.objects.filter(table_number=2).count() == 2


def test_a_table_whose_sheet_is_begun_gets_no_new_paper(printed: Session, organiser: User) -> None:
    Scoresheet.objects.create(table=printed.tables.get(number=2))

    again = papers.print_session(printed, by=organiser, again=True)

    assert [paper.table_number for paper in again] == [1, 3]


def test_a_stage_is_printed_session_by_session_and_says_what_it_left(
    event: Event, printed: Session, organiser: User
) -> None:
    stage = event.stages.get()
    second = stage.sessions.get(number=2)
    enter(second, 4, first=101)
    seating.draw_session(second, seed=1, by=organiser)
    seating.confirm_session_draw(second, revision=1, by=organiser)

    done = papers.print_stage(stage, by=organiser)

    assert [paper.session_id for paper in done.papers] == [second.pk]
    assert {refusal.code for _session, refusal in done.left} == {"nothing_to_print", "paper_stands"}
