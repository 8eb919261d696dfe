"""The final's ranking, podium and award through the API, and the chief judge's decision between equals."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.api.caller import Caller, code
from tests.core.finals import final_played
from tests.stages.deciding import IMPOSSIBLE, game
from tests.stages.podiums import LEADERS, level_final, make_families_level
from tournament.core.models.stage import Session, Stage
from tournament.ranking.models.tie_break import TieBreak

PICK = {"tied": LEADERS, "places": 3, "method": "pick", "order": ["0002", "0003", "0001"], "reason": "the runs"}
LEVEL = {"place": 1, "places": 3, "ids": LEADERS}


@pytest.fixture
def final(first_session: Session, organiser: User) -> Stage:
    """0001 to 0003 share the first rank in full."""
    return level_final(first_session, organiser)


def test_without_a_final_there_is_nothing_to_read(first_session: Session, auditor: User) -> None:
    addresses = ("final/standings/", "final/podium/", "final/award/")
    assert [Caller(auditor).get(address).status_code for address in addresses] == [404, 404, 404]


def test_the_ranking_of_the_final_is_told_after_each_round(
    first_session: Session, organiser: User, auditor: User
) -> None:
    final_played(first_session, organiser, rounds=3)
    program = Caller(auditor)
    told = [program.get(f"final/standings/{asked}").json() for asked in ("", "?after=1", "?after=3")]
    assert [{line["games"] for line in one["ranking"]} for one in told] == [{9}, {3}, {9}]
    assert [(one["games"], one["places"], one["after"]) for one in told] == [(9, 0, None), (9, 0, 1), (9, 0, 3)]
    assert told[0]["rounds"][2] == {"round": 3, "session": 15, "tables": 3, "locked": 3, "waiting": 0}
    assert program.get("final/standings/?after=4").status_code == 404


def test_equals_on_the_podium_are_told_until_the_chief_judge_decides(
    final: Stage, organiser: User, chief_judge: User
) -> None:
    told = Caller(organiser).get("final/podium/").json()
    assert told == {"over": True, "holders": [], "contests": [LEVEL], "decisions": [], "lots": [], "waiting": []}
    assert code(Caller(organiser).change("final/podium/decisions/", PICK)) == (403, "not_your_role")
    program = Caller(chief_judge)
    made = program.change("final/podium/decisions/", PICK, key="d")
    again = program.change("final/podium/decisions/", PICK, key="d")
    assert [(one["place"], one["id"], one["decided"]) for one in made.json()["holders"]] == [
        (1, "0002", True),
        (2, "0003", True),
        (3, "0001", True),
    ]
    assert (made.status_code, again.content, TieBreak.objects.count()) == (201, made.content, 1)


def test_a_contest_that_has_changed_is_412_with_who_is_level_now(final: Stage, chief_judge: User) -> None:
    response = Caller(chief_judge).change("final/podium/decisions/", PICK | {"places": 2})
    told = response.json()
    assert code(response) == (412, "contest_changed")
    assert (told["current"]["contests"], told["differences"][0]["where"]) == ([LEVEL], "tied")


def test_what_decides_nothing_is_400(final: Stage, chief_judge: User) -> None:
    program = Caller(chief_judge)
    wrong: list[dict[str, Any]] = [{"order": []}, {"method": "admit_all"}, {"tied": ["0001", "0001"]}, {"reason": 5}]
    assert [program.change("final/podium/decisions/", PICK | one).status_code for one in wrong] == [400] * 4


def test_the_award_tells_families_keys_and_ladder(final: Stage, auditor: User) -> None:
    told = Caller(auditor).get("final/award/").json()
    assert (told["holders"], told["contests"]) == ([{"place": 1, "id": "F1", "decided": False}], [])
    assert told["order"] == ["wins", "total", "tiles"]
    assert told["families"][0] == {
        "id": "F1",
        "rank": 1,
        "tied": False,
        "wins": 4,
        "points": "42",
        "average": "14",
        "tiles": 4,
        "better_rank": 1,
        "other_rank": 1,
    }
    assert told["ladder"] == [{"step": "wins", "level": ["F1", "F2"], "groups": [["F1"], ["F2"]]}]
    child = {"number": 2, "role": "child", "rank": 1, "because": "", "finalist": True}
    assert told["pairs"][0] == {
        "id": "F1",
        "code": "F1",
        "members": [child, child | {"number": 1, "role": "parent"}],
        "problems": [],
        "out": None,
    }


def test_families_level_down_the_ladder_are_decided_by_a_play_off_once_another_agrees(
    final: Stage, chief_judge: User, organiser: User
) -> None:
    make_families_level(final.event)
    played = [game((1, 0, "-5", 2), (2, 1, "+5", 0))]
    body = {"tied": ["F1", "F2"], "places": 1, "method": "play_off", "games": played, "reason": "one game"}
    (waiting,) = Caller(chief_judge).change("final/award/decisions/", body).json()["waiting"]
    agree = f"decisions/{waiting['id']}/agree/"
    assert code(Caller(chief_judge).change(agree, {})) == (403, "proposer_cannot_approve")
    assert Caller(organiser).change(agree, {}).json()["of"] == "award"
    told = Caller(organiser).get("final/award/").json()
    assert told["decisions"][0]["agreed_by"] == "organiser"
    assert (told["holders"], told["decisions"][0]["order"]) == (
        [{"place": 1, "id": "F2", "decided": True}],
        ["F2", "F1"],
    )


@pytest.mark.parametrize("played", IMPOSSIBLE)
def test_a_game_that_cannot_be_is_400_with_what_is_wrong_where(
    final: Stage, chief_judge: User, played: dict[str, Any]
) -> None:
    body = {"tied": LEADERS, "places": 3, "method": "play_off", "games": [played], "reason": "one game"}
    refused = Caller(chief_judge).change("final/podium/decisions/", body)
    assert code(refused) == (400, "play_off_impossible")
    assert {one["where"][:8] for one in refused.json()["problems"]} == {"games[0]"}
    assert all(one["sentence"] for one in refused.json()["problems"])


def test_a_seed_is_taken_from_nobody_and_lots_are_announced_before_their_figure_is_out(
    final: Stage, chief_judge: User
) -> None:
    program = Caller(chief_judge)
    body = {"tied": LEADERS, "places": 3, "method": "lots", "witnesses": "two parents", "reason": "lots"}
    seeded = program.change("final/podium/decisions/", body | {"seed": "mine"})
    assert code(seeded) == (400, "fields_not_valid") and "seed_is_made" in seeded.content.decode()
    assert code(program.change("final/podium/decisions/", body | {"value": "5"})) == (409, "lots_not_announced")
    announced = {"tied": LEADERS, "places": 3, "public_value": "index", "known_from": "2020-01-01T10:00:00+08:00"}
    assert code(program.change("final/podium/lots/", announced)) == (400, "value_known_already")
    told = program.change("final/podium/lots/", announced | {"known_from": "2096-01-01T10:00:00+08:00"}).json()
    assert [one["public_value"] for one in told["lots"]] == ["index"]
    assert code(program.change("final/podium/decisions/", body | {"value": "5"})) == (409, "value_not_known_yet")
