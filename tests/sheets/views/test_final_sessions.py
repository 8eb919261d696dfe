"""The final by the pages of the preliminary: drawn, printed, typed, certified, corrected, on tablets."""

from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.core.finals import add_final, freeze, play_round, preliminary_played, seat_round
from tests.recorded import altered_rows
from tests.seated import seats
from tests.sheets.correcting import crossing, locked, typed_anew
from tests.sheets.services.test_scoresheets_scans import picture
from tests.squeezed import squeezed
from tests.tablets.tablet_caller import Tablet, give_tables, paired
from tournament.core.enums import EntrantStatus, SheetState
from tournament.core.models.stage import Session, Stage
from tournament.devices.models.device import Device
from tournament.devices.queries import find_table_ever_served
from tournament.entrants.models.people import Entrant
from tournament.ranking.domain.standings import live_ranking
from tournament.scoresheets.services import corrections
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import registration
from tournament.sheets.services.scoresheets import newest_version
from tournament.tables.models import Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def final(first_session: Session, organiser: User) -> Stage:
    """Two rounds of twelve at three tables, nothing drawn yet: sessions 13 and 14 of the event."""
    preliminary = preliminary_played(first_session, organiser)
    final = add_final(preliminary.event, rounds=2)
    freeze(final, organiser)
    return final


def address(name: str, *args: int) -> str:
    return reverse(name, args=["hk-2026", *args])


def page(client: Client, name: str, *args: int, asked: str = "", language: str = "en") -> str:
    answer = client.get(address(name, *args) + asked, headers={"Accept-Language": language})
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


def seated(final: Stage, organiser: User) -> list[Session]:
    """Both rounds with confirmed seats."""
    sessions = list(final.sessions.order_by("number"))
    for session in sessions:
        seat_round(session, organiser)
    return sessions


def test_the_list_of_seats_shows_both_stages_the_final_first_and_its_rounds_by_name(
    final: Stage, organiser: User, signed_in: Any
) -> None:
    desk = signed_in(organiser)
    html = page(desk, "seating", language="zh-hant")
    assert 'href="/desk/hk-2026/tablets/"' in html and 'href="/desk/hk-2026/tablets/"' in page(desk, "scoresheets")
    assert html.index("2 輪·12 名決賽者") < html.index('id="preliminary"')
    assert [html.count(word) for word in ("第一輪</a>", "第二輪</a>", "待上一輪座位確認")] == [1, 1, 1]
    english = page(desk, "seating")
    assert "2 rounds·12 finalists" in english and "after the round before is confirmed" in english


def test_both_rounds_are_drawn_and_confirmed_on_the_pages_the_second_when_the_first_is(
    final: Stage, organiser: User, signed_in: Any
) -> None:
    desk = signed_in(organiser)
    assert "confirm round 1 first" in page(desk, "session_seating", 14)
    assert desk.post(address("draw_session_seats", 14), {"seed": "5", "revision": "0"}).status_code == 409
    for number in (13, 14):
        assert desk.post(address("draw_session_seats", number), {"seed": "5", "revision": "0"}).status_code == 302
        assert desk.post(address("confirm_session_seats", number), {"revision": "1"}).status_code == 302
    html = page(desk, "session_seating", 14)
    assert ("Final, round 2·" in html, html.count("<b>Met before</b>"), "before in Round 1" in html) == (True, 3, False)
    assert html.count("before in round 1") == 3
    assert sorted(seats(Session.objects.get(number=14)).values()) == list(range(1, 13))


def test_all_drawn_at_once_from_the_list_draws_the_stage_that_was_pressed(
    final: Stage, first_session: Session, organiser: User, signed_in: Any
) -> None:
    desk = signed_in(organiser)
    assert desk.post(address("draw_all_seats"), {"stage": "final", "seed": "3"}).status_code == 302
    assert desk.post(address("confirm_all_seats"), {"stage": "final"}).status_code == 302
    drawn = Session.objects.filter(draw__confirmed_at__isnull=False).exclude(pk=first_session.pk)
    assert [session.number for session in drawn] == [13]
    assert desk.post(address("draw_all_seats"), {"stage": "third"}).status_code == 404


def test_what_a_seat_would_break_is_told_for_the_rooms_script(final: Stage, organiser: User, signed_in: Any) -> None:
    sessions = seated(final, organiser)
    mover = seats(sessions[0])["1A"]
    answers = signed_in(organiser).get(address("seat_moves", 14, mover), headers={"Accept-Language": "en"}).json()
    assert {answer["kind"] for answer in answers.values()} >= {"meeting"}
    assert any("who have met would sit at table" in answer["says"] for answer in answers.values())


def test_the_papers_bear_the_finals_title_and_round_and_are_printed_by_stage(
    final: Stage, organiser: User, signed_in: Any
) -> None:
    seated(final, organiser)
    desk = signed_in(organiser)
    answer = desk.post(address("print_all_scoresheets"), {"stage": "final"})
    assert answer.status_code == 302
    document = pypdfium2.PdfDocument(desk.get(answer["Location"]).content)
    texts = [document[place].get_textpage().get_text_bounded() for place in range(len(document))]
    assert [("決賽第一輪計分紙" in text, "決賽第二輪計分紙" in text) for text in texts] == [
        *[(True, False)] * 3,
        *[(False, True)] * 3,
    ]
    assert "Final scoresheet, round 2 of 2" in texts[3] and "0411-2-01" in texts[3]
    assert "Final, round 2·11 April, session 2" in page(desk, "seating_list", 14)


def test_a_final_of_one_session_prints_the_finals_title_alone(
    first_session: Session, organiser: User, signed_in: Any
) -> None:
    preliminary = preliminary_played(first_session, organiser)
    final = add_final(preliminary.event)
    freeze(final, organiser)
    seat_round(final.sessions.get(), organiser)
    document = pypdfium2.PdfDocument(signed_in(organiser).get(address("session_scoresheets_pdf", 13)).content)
    assert "- 決賽計分紙" in document[0].get_textpage().get_text_bounded()
    assert "<h1>Final·" in page(signed_in(organiser), "session_seating", 13)


def test_a_sheet_of_the_final_is_found_by_its_serial_typed_certified_and_on_its_board(
    final: Stage, organiser: User, clerk: User, second_clerk: User, signed_in: Any
) -> None:
    sessions = seated(final, organiser)
    found = signed_in(clerk).get(address("scoresheets") + "?find=0411-2-03")
    assert found["Location"].startswith(address("scoresheet", 14, 3))
    table = locked(sessions[1], 3, clerk, second_clerk)
    sheet = newest_version(table)
    assert sheet is not None and sheet.state == SheetState.CERTIFIED
    html = page(signed_in(clerk), "session_scoresheets", 14)
    assert "Final, round 2·11 April, session 2" in html
    desk = signed_in(organiser)
    assert desk.post(address("stamp_scoresheets", 14)).status_code == 302
    listed = page(desk, "scoresheets")
    assert ("Round 1</a>" in listed, "Round 2</a>" in listed, listed.count('name="second"')) == (True, True, 6)
    assert desk.post(address("set_second_typing"), {"second": "all", "stage": "final"}).status_code == 302
    assert list(Stage.objects.order_by("kind").values_list("kind", "second_typing_percent")) == [
        ("final", 100),
        ("preliminary", 0),
    ]


def test_a_correction_in_the_final_is_agreed_by_the_two_and_moves_its_ranking_alone(
    final: Stage, first_session: Session, organiser: User, chief_judge: User, clerk: User, second_clerk: User
) -> None:
    sessions = seated(final, organiser)
    before = live_ranking(first_session.stage)
    table = locked(sessions[0], 1, clerk, second_clerk)
    slipped = live_ranking(final)
    typed_anew(table, organiser, clerk)
    sheet = newest_version(table)
    assert sheet is not None and crossing(table, sheet) == ()
    seen = {"revision": sheet.revision, "crossing": ()}
    corrections.propose_correction(table, **seen, by=organiser, request_key="propose")
    corrections.approve_correction(table, **seen, by=chief_judge, request_key="approve")
    assert live_ranking(final) != slipped
    assert live_ranking(first_session.stage) == before


@pytest.mark.parametrize("status", [EntrantStatus.FORFEITED, EntrantStatus.WITHDRAWN, EntrantStatus.DISQUALIFIED])
def test_a_preliminary_sheet_can_be_corrected_when_one_of_its_table_is_gone_from_the_final(
    status: EntrantStatus,
    first_session: Session,
    organiser: User,
    chief_judge: User,
    clerk: User,
    second_clerk: User,
) -> None:
    preliminary = preliminary_played(first_session, organiser)
    table = Table.objects.get(session=first_session, number=1)
    final = add_final(preliminary.event)
    freeze(final, organiser)
    gone = table.seats.get(letter="B").entrant
    registration.record_absence(gone, status=status, reason="Not there.", by=organiser)
    found = queries.find_table_of_event(preliminary.event, 1, 1)
    assert found is not None
    typed_anew(found, organiser, clerk)
    sheet = newest_version(found)
    assert sheet is not None
    seen = {"revision": sheet.revision, "crossing": crossing(found, sheet)}
    corrections.propose_correction(found, **seen, by=organiser, request_key="propose")
    corrections.approve_correction(found, **seen, by=chief_judge, request_key="approve")
    assert Scoresheet.objects.get(table=table, version=2).state == SheetState.CERTIFIED
    assert gone.number in {ranked.number for ranked in live_ranking(preliminary).ranked}
    assert altered_rows() == []


def test_a_tablet_says_the_round_and_goes_on_from_round_to_round(final: Stage, organiser: User, referee: User) -> None:
    sessions = seated(final, organiser)
    give_tables(sessions[1], referee, (1, 2))
    tablet: Tablet = paired(sessions[0], referee, organiser)
    told = tablet.get().json()
    assert {name: told["session"][name] for name in ("number", "stage", "round", "rounds")} == {
        "number": 13,
        "stage": "final",
        "round": 1,
        "rounds": 2,
    }
    assert (told["next"]["session"], told["next"]["stage"], told["next"]["round"]) == (14, "final", 2)
    state = tablet.post("next/").json()["state"]
    assert (state["session"]["round"], state["next"]) == (2, None)


def test_a_tablet_that_goes_on_from_the_preliminary_to_the_final_still_knows_the_table_it_served(
    first_session: Session, organiser: User, referee: User
) -> None:
    preliminary = preliminary_played(first_session, organiser)
    final = add_final(preliminary.event)
    freeze(final, organiser)
    session = final.sessions.get()
    seat_round(session, organiser)
    give_tables(session, referee, (1, 2))
    tablet = paired(first_session, referee, organiser)
    told = tablet.post("next/").json()["state"]["session"]
    assert (told["number"], told["stage"], told["round"]) == (13, "final", None)
    device = Device.objects.get(session=session)
    assert [find_table_ever_served(device, number, 1) for number in (1, 13, 2)] == [
        Table.objects.get(session=first_session, number=1),
        Table.objects.get(session=session, number=1),
        None,
    ]


def test_a_scan_of_a_finals_paper_stands_beside_its_sheet(
    final: Stage, organiser: User, clerk: User, signed_in: Any, settings: Any, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    seated(final, organiser)
    desk = signed_in(clerk)
    sent = {"scan": SimpleUploadedFile("paper.jpg", picture()), "request_key": "scan", "back": "typing", "print": "1"}
    assert desk.post(address("attach_scan", 14, 2), sent).status_code == 302
    assert address("scan", 14, 2, 1) in page(desk, "scoresheet", 14, 2)


def test_the_clock_of_a_round_is_started_and_stands_among_the_days_clocks(
    final: Stage, organiser: User, signed_in: Any
) -> None:
    seated(final, organiser)
    desk = signed_in(organiser)
    given = {"do": "start", "request_key": "start"}
    assert desk.post(address("session_clock", 13), given)["Location"] == address("session_scoresheets", 13)
    html = page(desk, "clocks")
    assert html.count("Final, round 1·11 April, session 1") == 1


def test_who_is_gone_from_the_final_stands_in_the_preliminarys_room_and_board_as_they_sat(
    final: Stage, organiser: User, signed_in: Any
) -> None:
    registration.record_absence(
        Entrant.objects.get(number=3), status=EntrantStatus.FORFEITED, reason="Not there.", by=organiser
    )
    desk = signed_in(organiser)
    assert "no longer taking part" not in page(desk, "session_seating", 1)
    assert 'class="away"' not in page(desk, "session_scoresheets", 1)
    assert queries.session_board(Session.objects.get(number=1)).tables[0].present == 4


def test_after_a_round_is_played_its_sheets_are_on_the_list_of_both_stages(
    final: Stage, organiser: User, signed_in: Any
) -> None:
    sessions = seated(final, organiser)
    play_round(sessions[0], organiser)
    rows = {
        row.session.number: (row.tables, row.locked, row.stamped) for row in queries.session_progress_list(final.event)
    }
    assert (rows[1], rows[13], rows[14]) == ((3, 3, 3), (3, 3, 3), (3, 0, 0))


def test_the_page_of_a_finalist_says_where_they_sit_in_each_round(
    final: Stage, organiser: User, signed_in: Any
) -> None:
    assert "finalist, rank" in page(signed_in(organiser), "entrant", 3)
    seated(final, organiser)
    html = page(signed_in(organiser), "entrant", 3)
    assert [html.count(f"Final, round {number}·11 April, session {number}") for number in (1, 2)] == [1, 1]
