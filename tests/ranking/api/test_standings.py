"""The ranking and the cut through the API."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.api.caller import Caller, code
from tests.sheets.sheets import mirrored_tables
from tournament.core.models.stage import Session
from tournament.ranking.models.tie_break import TieBreak


@pytest.fixture
def tie(first_session: Session, organiser: User) -> dict[str, Any]:
    """Entrants 2 and 6 are tied for one place; what decides it."""
    mirrored_tables(first_session, organiser)
    return {"tied": [2, 6], "places": 1, "method": "pick", "admitted": [6], "reason": "won the play-off game"}


def test_the_ranking_has_exact_points_and_shared_ranks(tie: Any, auditor: User) -> None:
    told = Caller(auditor).get("standings/").json()
    lines = [(one["number"], one["rank"], one["tied"], one["points"], one["average"]) for one in told["ranking"]]
    assert lines[:4] == [
        (1, 1, True, "145/2", "145/6"),
        (5, 1, True, "145/2", "145/6"),
        (2, 3, True, "5/2", "5/6"),
        (6, 3, True, "5/2", "5/6"),
    ]
    assert told["sheets"] == {"tables": 2, "locked": 2, "stamped": 2}
    assert (told["places"], told["unranked"]) == (3, [])


def test_an_empty_event_has_an_empty_ranking(first_session: Session, auditor: User) -> None:
    told = Caller(auditor).get("standings/").json()
    assert (told["ranking"], told["unranked"]) == ([], [])


def test_a_tie_across_the_line_is_told_and_never_broken_in_silence(tie: Any, auditor: User) -> None:
    told = Caller(auditor).get("qualification/").json()
    assert (told["advancing"], told["unresolved"], told["decision"]) == ([1, 5], True, None)
    assert told["tie"] == {"places": 1, "numbers": [2, 6]}


def test_the_chief_judge_decides_and_it_is_recorded_once(tie: Any, chief_judge: User, organiser: User) -> None:
    assert code(Caller(organiser).change("qualification/decisions/", tie)) == (403, "not_your_role")
    program = Caller(chief_judge)
    made = program.change("qualification/decisions/", tie, key="d")
    again = program.change("qualification/decisions/", tie, key="d")
    told = made.json()
    assert (made.status_code, told["advancing"], told["unresolved"]) == (201, [1, 5, 6], False)
    assert (told["decision"]["method"], told["decision"]["admitted"], told["decision"]["by"]) == (
        "pick",
        [6],
        "chief_judge",
    )
    assert (again.status_code, again.content, TieBreak.objects.count()) == (201, made.content, 1)


def test_a_tie_that_has_changed_is_412_with_what_it_is_now(tie: Any, chief_judge: User) -> None:
    response = Caller(chief_judge).change("qualification/decisions/", tie | {"tied": [2, 7]})
    assert code(response) == (412, "tie_changed")
    assert response.json()["differences"] == [{"where": "tied", "mine": [2, 7], "theirs": [2, 6]}]
    assert response.json()["current"]["tie"] == {"places": 1, "numbers": [2, 6]}


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        ({"admitted": [6, 2]}, "wrong_number_admitted"),
        ({"method": "lots"}, "witnesses_missing"),
        ({"tied": [2, 2, 6]}, "fields_not_valid"),
        ({"reason": ""}, "fields_not_valid"),
        ({"replaces": -1}, "fields_not_valid"),
    ],
)
def test_what_decides_nothing_is_400(tie: Any, chief_judge: User, change: Any, refusal: str) -> None:
    assert code(Caller(chief_judge).change("qualification/decisions/", tie | change)) == (400, refusal)


def test_a_second_decision_names_the_one_it_replaces_and_takes_a_second_person(
    tie: Any, chief_judge: User, organiser: User
) -> None:
    program = Caller(chief_judge)
    first = program.change("qualification/decisions/", tie).json()["decision"]["id"]
    other = tie | {"admitted": [2], "reason": "the play-off was counted wrongly"}
    assert code(program.change("qualification/decisions/", other)) == (409, "already_decided")
    told = program.change("qualification/decisions/", other | {"replaces": first}).json()
    assert told["advancing"] == [1, 5, 6]
    assert Caller(organiser).change(f"decisions/{told['waiting'][0]['id']}/agree/", {}).status_code == 201
    assert program.get("qualification/").json()["advancing"] == [1, 5, 2]
