"""The pages of podium and award: who stands where, who is level, why a family is out, and the decision recorded."""

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.tournament.finals import add_final, freeze, preliminary_played
from tests.tournament.podiums import LEADERS, level_final, make_families_level
from tournament.bridge.podium import live_podium
from tournament.enums import EntrantStatus
from tournament.models import ContestDecision, Entrant, Family, Session, Stage
from tournament.services.podium import decide_contest

pytestmark = pytest.mark.django_db
PODIUM, AWARD = "/desk/hk-2026/final/podium/", "/desk/hk-2026/final/award/"


@pytest.fixture
def final(first_session: Session, organiser: User) -> Stage:
    """0001 to 0003 share the first rank in full."""
    return level_final(first_session, organiser)


def given(**changed: Any) -> dict[str, Any]:
    """The form as it is sent: 0002 first, then 0003, 0001 last."""
    sent = {"tied": json.dumps(LEADERS), "places": 3, "method": "pick", "reason": "By the runs."}
    return {**sent, "at_0": 3, "at_1": 1, "at_2": 2, **changed}


def page(client: Any, address: str, language: str = "en") -> str:
    client.cookies["django_language"] = language
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_where_there_is_no_final_the_pages_lead_to_where_it_is_set_up(
    event: Any, auditor: User, signed_in: Any
) -> None:
    answers = [signed_in(auditor).get(address) for address in (PODIUM, AWARD, "/desk/hk-2026/final/standings/")]
    assert [(one.status_code, one.headers["Location"]) for one in answers] == [(302, "/desk/hk-2026/final/")] * 3


def test_before_the_first_sheet_nobody_stands_there(first_session: Session, organiser: User, signed_in: Any) -> None:
    final = add_final(preliminary_played(first_session, organiser).event)
    freeze(final, organiser)
    assert "Nobody on the podium yet" in page(signed_in(organiser), PODIUM)
    award = page(signed_in(organiser), AWARD)
    assert "0002, 0001: no game played" in award and "0005, 0004: no game played" in award


def test_equals_are_shown_with_the_places_they_contest(final: Stage, auditor: User, signed_in: Any) -> None:
    shown = page(signed_in(auditor), PODIUM)
    assert [shown.count(f'<tr class="tie" id="n{id}">') for id in LEADERS] == [1, 1, 1]
    assert shown.count('<b class="place">1–3</b>') == 3
    assert "Level for places 1–3" in shown and "Record a decision" not in shown


def test_the_chief_judge_records_who_stands_first(final: Stage, chief_judge: User, signed_in: Any) -> None:
    client = signed_in(chief_judge)
    assert "Record a decision" in page(client, PODIUM)
    assert client.post(PODIUM, given()).headers["Location"] == PODIUM
    assert [one.id for one in live_podium(final).podium.holders] == ["0002", "0003", "0001"]
    shown = page(client, PODIUM)
    assert "Replace the decision" in shown and shown.count("by the chief judge's decision") == 3


def test_only_the_chief_judge_may(final: Stage, organiser: User, signed_in: Any) -> None:
    assert (signed_in(organiser).post(PODIUM, given()).status_code, ContestDecision.objects.count()) == (403, 0)


REFUSED: list[tuple[dict[str, Any], int, str]] = [
    ({"reason": ""}, 400, "Write down why it was decided so"),
    ({"method": ""}, 400, "Choose how it is decided."),
    ({"at_0": 1, "at_1": 1}, 400, "Give the places 1, 2, 3 in turn"),
    ({"method": "play_off", "games": "1 0001 1 +5"}, 400, "Line 1: write game, number, win"),
    ({"method": "play_off"}, 400, "Write down the games of the play-off"),
    ({"tied": '["0001", "0002"]'}, 412, "Who contests the place has changed"),
    ({"tied": "["}, 412, "Who contests the place has changed"),
    ({"places": 2}, 412, "Who contests the place has changed"),
]


def test_a_refusal_keeps_what_was_typed(final: Stage, chief_judge: User, signed_in: Any) -> None:
    client = signed_in(chief_judge)
    client.cookies["django_language"] = "en"
    wrong = []
    for changed, status, said in REFUSED:
        answer = client.post(PODIUM, given(**changed))
        shown = answer.content.decode()
        kept = given(**changed)["reason"] in shown
        if (answer.status_code, said in shown, kept) != (status, True, True):
            wrong.append((changed, answer.status_code))
    assert (wrong, ContestDecision.objects.count()) == ([], 0)


def test_a_play_off_is_typed_as_it_stands_on_the_sheet(final: Stage, chief_judge: User, signed_in: Any) -> None:
    client = signed_in(chief_judge)
    level = {"at_0": "", "at_1": "", "at_2": ""}
    games = "1 0001 0 -12 3\n1 0002 1 +30 0\n1 0003 0 -18 5"
    assert client.post(PODIUM, given(method="play_off", games=games, **level)).status_code == 302
    assert ContestDecision.objects.get().order == ["0002", "0001", "0003"]
    assert "Play-off game 1" in page(client, PODIUM)


def test_a_decision_is_replaced_from_its_own_form(final: Stage, chief_judge: User, signed_in: Any) -> None:
    made = decide_contest(
        final, of="podium", by=chief_judge, tied=LEADERS, places=3, method="pick", order=["0001"], reason="Runs."
    )
    client = signed_in(chief_judge)
    assert client.post(PODIUM, given()).status_code == 409
    assert client.post(PODIUM, given(replaces=made.pk)).status_code == 302
    assert [one.id for one in live_podium(final).podium.holders] == ["0002", "0003", "0001"]


def test_a_lapsed_decision_is_told_apart(final: Stage, chief_judge: User, signed_in: Any) -> None:
    signed_in(chief_judge).post(PODIUM, given())
    Entrant.objects.filter(number=1).update(status=EntrantStatus.DISQUALIFIED)
    assert "Lapsed decisions" in page(signed_in(chief_judge), PODIUM)


def test_while_sheets_are_out_nothing_can_be_decided(
    first_session: Session, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    level_final(first_session, organiser, tables=2)
    shown = page(signed_in(chief_judge), PODIUM)
    assert "The final is not over" in shown and "Record a decision" not in shown


def test_the_award_shows_each_family_with_its_sums_and_the_ladder(final: Stage, auditor: User, signed_in: Any) -> None:
    shown = page(signed_in(auditor), AWARD)
    assert "One family has the award" in shown
    assert [part[:2] for part in shown.split('<tr><td class="n"><b>1</b></td><td>')[1:]] == ["F1"]
    ladder = shown.split("How the first is found")[1].split("</ol>")[0]
    assert ladder.count("<li>") == 1 and "<b>F1</b>" in ladder
    assert "child, 12" in shown and "parent, 46" in shown


def test_why_a_family_is_out_is_said_in_words(final: Stage, auditor: User, signed_in: Any) -> None:
    Entrant.objects.filter(number=2).update(status=EntrantStatus.WITHDRAWN)
    lonely, absent = (Family.objects.create(event=final.event, code=code) for code in ("F0", "F9"))
    Entrant.objects.filter(number=7).update(family=lonely, family_role="child")
    shown = page(signed_in(auditor), AWARD)
    assert "0002: withdrawn" in shown and "not one child and one parent" in shown
    assert "1 more declared pair without a finalist" in shown and absent.code in shown


def test_the_award_is_decided_where_families_are_level(final: Stage, chief_judge: User, signed_in: Any) -> None:
    make_families_level(final.event)
    client = signed_in(chief_judge)
    shown = page(client, AWARD)
    assert "Families level for the award" in shown
    assert shown.split("How the first is found")[1].split("</ol>")[0].count("<li>") == 5
    sent = {"tied": '["F1", "F2"]', "places": 1, "method": "pick", "reason": "Youngest child.", "at_1": 1}
    assert client.post(AWARD, sent).status_code == 302
    assert [one.id for one in live_podium(final).award_place.holders] == ["F2"]


@pytest.mark.parametrize("address", [PODIUM, AWARD])
def test_it_is_complete_in_chinese(address: str, final: Stage, chief_judge: User, signed_in: Any) -> None:
    make_families_level(final.event)
    shown = page(signed_in(chief_judge), address, "zh-hant")
    main = re.sub(r"<[^>]*>", " ", shown.split("<main")[1])
    assert "同分" in main and not any(word in main for word in ("level", "place", "Final"))
