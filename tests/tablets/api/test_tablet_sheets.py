"""A tablet's sheet over the API: saved, signed, delivered as one package, held where the server has another."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.sheets.drawing import racks, strokes
from tests.sheets.tables import settle
from tests.tablets.tablet_caller import MADE_AT, Tablet, new_key, paired
from tournament.audit.models import AuditEntry
from tournament.core.enums import SubmissionOutcome
from tournament.core.models.stage import Session
from tournament.devices.models.device import QuarantinedSubmission
from tournament.sheets.models.conduct import Incident
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Signature
from tournament.tablets.api import settling
from tournament.tablets.services import conduct_notes
from tournament.tablets.services import held as devices_held


@pytest.fixture
def tablet(first_session: Session, organiser: User, referee: User) -> Tablet:
    """Paired with tables 1 and 2, open in the referee's name."""
    settle(first_session, organiser, sizes=(4, 4, 4))
    return paired(first_session, referee, organiser)


def said(referee: User, **more: Any) -> dict[str, Any]:
    return {"referee": referee.pk, "made_at": MADE_AT, **more}


def signatures(letters: str = "ABCD") -> list[dict[str, Any]]:
    return [{"letter": one, "strokes": strokes("ABCD".index(one)), "made_at": MADE_AT} for one in letters]


def package(tablet: Tablet, referee: User, table: int = 1, seen: int = 0, key: str = "", **more: Any) -> Any:
    body = {"typed": racks(), "confirmations": {}, "signatures": signatures(), **more}
    return tablet.post(f"tables/{table}/package/", said(referee, **body), seen=seen, key=key)


def sheet_of(answer: Any, table: int = 1) -> Any:
    return next(one["sheet"] for one in answer.json()["state"]["tables"] if one["number"] == table)


def test_a_package_is_recorded_with_a_receipt_that_the_server_alone_gives(tablet: Tablet, referee: User) -> None:
    key = new_key()
    answers = [package(tablet, referee, key=key) for _time in range(2)]
    assert [one.status_code for one in answers] == [200, 200]
    sheet = sheet_of(answers[0])
    assert (sheet["state"], sheet["revision"], sheet["signed"]) == ("signed", 3, ["A", "B", "C", "D"])
    assert [one.json()["receipt"] for one in answers] == [sheet["receipt"]] * 2
    assert (len(sheet["receipt"]), answers[1].headers["Idempotent-Replay"]) == (8, "true")
    assert AuditEntry.objects.filter(action="lock_scoresheet").count() == 1


def test_a_sheet_is_saved_handed_on_and_signed_seat_by_seat(tablet: Tablet, referee: User) -> None:
    values = {"typed": racks(), "confirmations": {}}
    assert tablet.post("tables/1/save/", said(referee, **values), seen=0).status_code == 200
    ready = sheet_of(tablet.post("tables/1/ready/", said(referee, confirmations={}), seen=1))
    receipts = []
    for place, letter in enumerate("ABCD"):
        body = said(referee, letter=letter, strokes=strokes(place), digest=ready["digest"])
        receipts.append(tablet.post("tables/1/sign/", body, seen=2).json()["receipt"])
    assert (receipts[:3], len(receipts[3])) == (["", "", ""], 8)


@pytest.mark.fault("N4")
def test_a_signature_of_other_values_is_answered_with_what_stands(tablet: Tablet, referee: User) -> None:
    values = {"typed": racks(), "confirmations": {}}
    tablet.post("tables/1/save/", said(referee, **values), seen=0)
    tablet.post("tables/1/ready/", said(referee, confirmations={}), seen=1)
    answer = tablet.post("tables/1/sign/", said(referee, letter="A", strokes=strokes(), digest="0" * 64), seen=2)
    assert (answer.status_code, answer.json()["code"]) == (412, "sheet_changed_read_again")
    assert (sheet_of(answer)["state"], Signature.objects.count()) == ("ready", 0)
    assert tablet.post("tables/1/reopen/", said(referee), seen=2).status_code == 200


@pytest.mark.fault("V8")
def test_a_dot_is_no_signature_and_nothing_of_its_package_is_kept(tablet: Tablet, referee: User) -> None:
    dot = [*signatures("ABC"), {"letter": "D", "strokes": [[[5, 5, 0, 1]]], "made_at": MADE_AT}]
    answer = package(tablet, referee, signatures=dot)
    assert (answer.status_code, answer.json()["code"]) == (400, "signature_too_small")
    assert (Scoresheet.objects.count(), QuarantinedSubmission.objects.count()) == (0, 0)


@pytest.mark.fault("V9")
@pytest.mark.fault("C10")
def test_four_large_signatures_are_taken_and_a_larger_body_is_not(tablet: Tablet, referee: User) -> None:
    def long(by: int) -> list[list[list[int]]]:
        return [[[point % 900 + 100, point * by % 600, 1000 + point, 255] for point in range(3300)]]

    large = [{**one, "strokes": long(7 + place)} for place, one in enumerate(signatures())]
    assert package(tablet, referee, signatures=large).status_code == 200
    answer = package(tablet, referee, table=2, signatures=[{**one, "strokes": long(7) * 4} for one in signatures()])
    assert answer.status_code == 413


@pytest.mark.fault("V10")
def test_what_nobody_asked_for_is_refused(tablet: Tablet, referee: User) -> None:
    answer = package(tablet, referee, state="signed")
    assert (answer.status_code, [fault["code"] for fault in answer.json()["faults"]]) == (400, ["unknown_field"])


@pytest.mark.fault("Z1")
def test_a_third_table_is_not_there(tablet: Tablet, referee: User) -> None:
    assert package(tablet, referee, table=3).status_code == 404


@pytest.mark.fault("N3")
def test_a_package_on_another_sheet_is_held_whole_for_the_chief_judge(tablet: Tablet, referee: User) -> None:
    other = deepcopy(racks())
    other["games"][0]["seats"]["B"]["face_value"] = "15"
    tablet.post("tables/1/save/", said(referee, typed=other, confirmations={}), seen=0)
    key = new_key()
    for _time in range(2):
        answer = package(tablet, referee, key=key)
        assert (answer.status_code, answer.json()["code"]) == (409, "signed_conflict")
    held = QuarantinedSubmission.objects.get()
    assert (held.key, held.act, held.revision, held.refusal) == (key, "package", 0, "scoresheet_changed")
    assert held.body["typed"] == racks()
    assert (sheet_of(answer)["state"], Signature.objects.count()) == ("draft", 0)


@pytest.mark.fault("Z8")
def test_while_the_players_hold_it_a_tablet_signs_and_disputes_and_saves_nothing(tablet: Tablet, referee: User) -> None:
    tablet.post("tables/1/save/", said(referee, typed=racks(), confirmations={}), seen=0)
    assert tablet.post("tables/1/hand-out/").status_code == 200
    refused = tablet.post("tables/1/save/", said(referee, typed=racks(), confirmations={}), seen=1)
    assert (refused.status_code, refused.json()["code"]) == (403, "signing_only")
    disputed = tablet.post("tables/1/dispute/", said(referee, reason="game 2", letter="C"), seen=1)
    assert (disputed.status_code, sheet_of(disputed)["state"]) == (200, "disputed")


def save(tablet: Tablet, referee: User, typed: Any = None, seen: int = 0) -> Any:
    return tablet.post("tables/1/save/", said(referee, typed=typed or racks(), confirmations={}), seen=seen)


def other_racks() -> dict[str, Any]:
    """The same games, one rack a point lower."""
    typed = deepcopy(racks())
    seat = next(one for one in typed["games"][0]["seats"].values() if int(one["face_value"] or 0) > 5)
    seat["face_value"] = str(int(seat["face_value"]) - 1)
    return typed


def test_in_the_players_hands_a_package_with_other_figures_is_held_and_nothing_is_signed(
    tablet: Tablet, referee: User
) -> None:
    assert save(tablet, referee).status_code == 200
    assert tablet.post("tables/1/hand-out/").status_code == 200
    forged = package(tablet, referee, seen=1, typed=other_racks())
    assert (forged.status_code, forged.json()["code"], forged.json()["because"]) == (
        *(409, "signed_conflict"),
        "not_as_shown",
    )
    assert (Scoresheet.objects.get().state, QuarantinedSubmission.objects.get().act) == ("draft", "package")
    assert package(tablet, referee, seen=1).status_code == 200
    assert Scoresheet.objects.get().state == "signed"


def test_in_the_players_hands_a_package_for_a_table_without_figures_is_held(tablet: Tablet, referee: User) -> None:
    tablet.post("tables/1/hand-out/")
    answer = package(tablet, referee)
    assert (answer.status_code, answer.json()["because"]) == (409, "not_as_shown")
    assert Scoresheet.objects.count() == 0


def moved(drawn: list[list[list[int]]], x: int = 0, y: int = 0, at: int = 0, half: bool = False) -> Any:
    size = 2 if half else 1
    return [[[a // size + x, b // size + y, t + at, *more] for a, b, t, *more in stroke] for stroke in drawn]


# The same line as it is, at other moments, in another place, and smaller.
COPIES: list[Callable[[Any, int], Any]] = [
    lambda drawn, place: drawn,
    lambda drawn, place: moved(drawn, at=place),
    lambda drawn, place: moved(drawn, x=3 * place, y=40 * place),
    lambda drawn, place: moved(drawn, x=5, at=place, half=place % 2 == 1),
]


def test_one_drawing_for_two_or_four_players_is_refused(tablet: Tablet, referee: User) -> None:
    for copied in ("ABCD", "BD"):
        for laid in COPIES:
            drawn = [
                {**one, "strokes": laid(strokes(0), place)} if one["letter"] in copied else one
                for place, one in enumerate(signatures())
            ]
            answer = package(tablet, referee, signatures=drawn)
            assert (answer.status_code, answer.json()["code"]) == (400, "drawings_alike")
    assert (Scoresheet.objects.count(), QuarantinedSubmission.objects.count()) == (0, 0)


def test_a_drawing_is_not_taken_again_for_another_seat(tablet: Tablet, referee: User) -> None:
    save(tablet, referee)
    ready = sheet_of(tablet.post("tables/1/ready/", said(referee, confirmations={}), seen=1))
    answers = []
    for letter in "AB":
        body = said(referee, letter=letter, strokes=strokes(0), digest=ready["digest"])
        answers.append(tablet.post("tables/1/sign/", body, seen=2).status_code)
    assert (answers, Signature.objects.count()) == ([200, 400], 1)


def test_signatures_of_a_sheet_whose_leaver_is_not_recorded_yet_are_held_and_count_once_the_desk_has(
    tablet: Tablet, referee: User, chief_judge: User
) -> None:
    typed = deepcopy(racks())
    for game in typed["games"]:
        game["seats"]["D"] = {**game["seats"]["D"], "tiles": "", "face_value": "", "rack": "", "absent": True}
    found = package(tablet, referee, typed=typed, signatures=signatures("ABC"))
    assert (found.status_code, found.json().get("because", found.json()["code"])) == (409, "entrants_not_settled")
    item = QuarantinedSubmission.objects.get()
    tablet.post("tables/1/incident/", said(referee, kind="absent", game=1, letter="D"))
    conduct_notes.confirm_desk_mark(Incident.objects.get(), by=chief_judge, request_key="c")
    devices_held.resolve_submission(
        item,
        outcome=SubmissionOutcome.ENTERED,
        reason="D did not come",
        by=chief_judge,
        request_key="s",
        enter=lambda one: settling.enter_submission(one, by=chief_judge, seen=0),
    )
    sheet = Scoresheet.objects.get()
    assert (sheet.state, list(Signature.objects.values_list("letter", flat=True))) == ("signed", ["A", "B", "C"])
