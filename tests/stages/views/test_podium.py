"""The pages of podium and award: who stands where, who is level, why a family is out, and the decision recorded."""

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.core.finals import add_final, freeze, preliminary_played
from tests.squeezed import squeezed
from tests.stages.podiums import LEADERS, level_final, make_families_level, make_larger_family
from tournament.core.enums import EntrantStatus
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant, Family
from tournament.ranking.models.lots import LotsAnnouncement
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.domain.podium import live_podium
from tournament.stages.services.decisions import decide_tie

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
    return squeezed(answer.content.decode())


def test_where_there_is_no_final_the_pages_lead_to_where_it_is_set_up(
    event: Any, auditor: User, signed_in: Any
) -> None:
    answers = [signed_in(auditor).get(address) for address in (PODIUM, AWARD, "/desk/hk-2026/final/ranking/")]
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
    assert (signed_in(organiser).post(PODIUM, given()).status_code, TieBreak.objects.count()) == (403, 0)


REFUSED: list[tuple[dict[str, Any], int, str]] = [
    ({"reason": ""}, 400, "Write down why it was decided so"),
    ({"method": ""}, 400, "Choose how it is decided."),
    ({"at_0": 1, "at_1": 1}, 400, "Give the places 1, 2, 3 in turn"),
    ({"method": "play_off"}, 400, "Select a valid choice"),
    ({"method": "hand_lots"}, 400, "write down who they were"),
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
        shown = squeezed(answer.content.decode())
        kept = given(**changed)["reason"] in shown
        if (answer.status_code, said in shown, kept) != (status, True, True):
            wrong.append((changed, answer.status_code))
    assert (wrong, TieBreak.objects.count()) == ([], 0)


def games(*seats: tuple[str, str, str, str], ended_by: str = "rummikub", **more: str) -> dict[str, str]:
    """One game as the page sends it: of each seat the player, win, points and tiles."""
    sent = {"games-0-ended_by": ended_by, "tied": " ".join(LEADERS), "count": "1", "reason": "One game.", **more}
    for letter, cells in zip("ABC", seats, strict=False):
        for name, text in zip(("entrant", "win", "points", "tiles"), cells, strict=True):
            sent[f"games-0-{letter}-{name}"] = text
    return sent


PLAY_OFF = "/desk/hk-2026/final/play-off/podium/"
PLAYED = (("1", "0", "-12", "3"), ("2", "1", "+30", "0"), ("3", "0", "-18", "5"))


def test_a_play_off_is_typed_as_it_stands_on_the_sheet_and_counts_once_another_agrees(
    final: Stage, chief_judge: User, organiser: User, signed_in: Any
) -> None:
    client = signed_in(chief_judge)
    assert "0003" in page(client, f"{PLAY_OFF}?tied=0001+0002+0003")
    waiting = client.post(PLAY_OFF, games(*PLAYED)).headers["Location"]
    assert [one.id for one in live_podium(final).podium.holders] == []
    assert "0002 0001 0003" in page(signed_in(organiser), waiting)
    assert signed_in(organiser).post(waiting, {"compared": "on"}).status_code == 302
    made = TieBreak.objects.get()
    assert (made.order, made.by, made.agreed_by) == (["0002", "0001", "0003"], chief_judge, organiser)
    shown = page(client, PODIUM)
    assert "Play-off game 1" in shown and "Second person" in shown


def test_a_game_that_cannot_be_is_marked_at_its_cells_and_keeps_what_was_typed(
    final: Stage, chief_judge: User, signed_in: Any
) -> None:
    client = signed_in(chief_judge)
    client.cookies["django_language"] = "en"
    answer = client.post(PLAY_OFF, games(("1", "0", "-12", "3"), ("2", "1", "+50", "0"), ("3", "0", "-18", "5")))
    shown = squeezed(answer.content.decode())
    assert (answer.status_code, TieBreak.objects.count()) == (400, 0)
    assert "Game 1" in shown and 'value="+50"' in shown and "fault-1" in shown
    more = squeezed(client.post(PLAY_OFF, games(*PLAYED, do="more")).content.decode())
    assert 'name="games-1-A-points"' in more and 'value="+30"' in more


def test_lots_are_announced_on_their_page_and_drawn_with_the_figure(
    final: Stage, chief_judge: User, signed_in: Any
) -> None:
    client = signed_in(chief_judge)
    client.cookies["django_language"] = "en"
    address = "/desk/hk-2026/final/lots/podium/"
    sent = {"tied": " ".join(LEADERS), "public_value": "Index, two decimals", "known_from": "2020-01-01T10:00"}
    assert "The figure must not be known yet" in squeezed(client.post(address, sent).content.decode())
    looked = squeezed(client.post(address, sent | {"known_from": "2096-01-01T10:00", "look": "1"}).content.decode())
    assert "and this public figure: Index, two decimals. It is announced for" in looked
    assert 'lang="zh-Hant-HK"' in looked and not LotsAnnouncement.objects.exists()
    assert client.post(address, sent | {"known_from": "2096-01-01T10:00"}).headers["Location"] == PODIUM
    assert "Index, two decimals" in page(client, PODIUM)
    drawn = given(method="lots", value="5", witnesses="two parents", at_0="", at_1="", at_2="")
    assert "It is written in once it is known" in squeezed(client.post(PODIUM, drawn).content.decode())


def test_a_decision_is_replaced_from_its_own_form_by_two_people(
    final: Stage, chief_judge: User, organiser: User, signed_in: Any
) -> None:
    made = decide_tie(
        final, of="podium", by=chief_judge, tied=LEADERS, places=3, method="pick", order=["0001"], reason="Runs."
    )
    client = signed_in(chief_judge)
    assert client.post(PODIUM, given()).status_code == 409
    waiting = client.post(PODIUM, given(replaces=made.pk)).headers["Location"]
    assert [one.id for one in live_podium(final).podium.holders] == ["0001"]
    assert signed_in(organiser).post(waiting, {"compared": "on"}).status_code == 302
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


def test_the_desk_lists_each_pair_of_a_larger_family_with_its_own_sums(
    final: Stage, auditor: User, chief_judge: User, signed_in: Any
) -> None:
    make_larger_family(final.event)
    shown = page(signed_in(auditor), AWARD)
    grid = shown.split("<tbody>")[1].split("</tbody>")[0]
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.S) for row in grid.split("<tr")[1:]]
    plain = [[" ".join(re.sub(r"<[^>]*>", "", cell).split()) for cell in row] for row in cells]
    assert [(row[0], row[1], row[2][:4], row[3][:4], *row[4:]) for row in plain] == [
        ("1=", "F1/0005", "0005", "0001", "3", "+24", "10", "1, 4"),
        ("1=", "F1/0006", "0006", "0001", "3", "+24", "10", "1, 4"),
        ("3", "F1/0008", "0008", "0001", "2", "+15", "12", "1, 7"),
    ]
    client = signed_in(chief_judge)
    typed = page(client, "/desk/hk-2026/final/play-off/award/?tied=F1/0005+F1/0006")
    assert re.findall(r'<option value="(\d+)"', typed.split("games-0-A-entrant")[1].split("</select>")[0]) == ["5", "6"]
    make_larger_family(final.event, children=(5, 6), parents=(1, 2))
    address = "/desk/hk-2026/final/play-off/award/?tied=F1/0005/0001+F1/0005/0002+F1/0006/0001+F1/0006/0002"
    assert "These pairs share their members" in page(client, address)


def test_a_play_off_opens_for_families_whose_code_has_a_space(final: Stage, chief_judge: User, signed_in: Any) -> None:
    make_families_level(final.event)
    Family.objects.filter(event=final.event, code="F1").update(code="F 1")
    client = signed_in(chief_judge)
    address = re.findall(r'href="(/desk/hk-2026/final/play-off/award/[^"]*)"', page(client, AWARD))[0]
    typed = page(client, address)
    assert '<input type="hidden" name="tied" value="F%201 F2">' in typed
    assert "games-0-A-entrant" in typed


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
