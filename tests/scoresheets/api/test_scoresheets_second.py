"""The blind second typing through the API: no value is told to who may type it, and a third look decides."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.api.caller import Caller, code
from tests.operations.sheets import path_of, submitted, with_other_tiles
from tests.sheets.tables import changed, paper
from tournament.core.enums import Role
from tournament.core.models.event import Event, Membership
from tournament.core.models.stage import Stage
from tournament.sheets.domain.heading import empty_heading
from tournament.sheets.services import double_entry
from tournament.tables.models import Table


@pytest.fixture
def waiting(tables: list[Table], clerk: User) -> dict[str, Any]:
    """The sheet of the first table, handed on by the clerk and to be typed twice."""
    Stage.objects.update(second_typing_percent=100)
    return submitted(Caller(clerk)).json()


def test_who_may_type_it_again_sees_state_and_revision_and_no_value(
    waiting: dict[str, Any], clerk: User, second_clerk: User, chief_judge: User
) -> None:
    told = Caller(second_clerk).get(path_of()).json()
    values = ("typed", "confirmations", "second_heading", "problems", "games", "digest", "code")
    assert {name: told[name] for name in values} == {
        **{"typed": {}, "confirmations": {}, "second_heading": {}, "problems": []},
        **{"games": [], "digest": "", "code": ""},
    }
    assert (told["blind"], told["state"], told["revision"], told["typed_by"]) == (True, "ready", 2, "clerk")
    own, judge = (Caller(user).get(path_of()).json() for user in (clerk, chief_judge))
    assert (own["blind"], judge["blind"], own["typed"], judge["typed"]) == (
        *(False, False),
        *(waiting["typed"], waiting["typed"]),
    )


def test_a_refusal_tells_no_value_either(waiting: dict[str, Any], second_clerk: User) -> None:
    refused = Caller(second_clerk).change(path_of(1, "reject/"), {"reason": "x"}, seen=1)
    body = refused.json()
    assert code(refused) == (412, "scoresheet_changed")
    assert (body["current"]["blind"], body["current"]["typed"]) == (True, {})
    assert body["differences"] == [{"where": "revision", "mine": 1, "theirs": 2}]


def test_two_typings_that_differ_are_decided_by_a_third_account(
    waiting: dict[str, Any], clerk: User, second_clerk: User, chief_judge: User
) -> None:
    program = Caller(second_clerk)
    before = program.get(path_of(1, "again/"))
    assert (before["ETag"], before.json()["stand"], before.json()["cells"]) == ('"v0"', "wanted", [])
    body = {"typed": with_other_tiles(), "done": True}
    again = program.change(path_of(1, "again/"), body, method="PUT", seen=0)
    assert again.status_code == 200, again.content
    told = again.json()
    assert (told["stand"], told["revision"], told["scoresheet_revision"]) == ("differs", 1, 2)
    assert told["cells"] == [
        {"where": "games-0-A-tiles", "first": "3", "second": "4"},
        {"where": "totals-A-tiles", "first": "8", "second": "9"},
    ]
    decided = {"choices": {"games-0-A-tiles": "3", "totals-A-tiles": "8"}}
    assert code(program.change(path_of(1, "again/settle/"), decided, seen=2)) == (403, "typist_cannot_decide")
    undecided = Caller(chief_judge).change(path_of(1, "again/settle/"), {"choices": {}}, seen=2)
    assert code(undecided) == (400, "cells_undecided")
    wrong = {"choices": {"games-0-A-tiles": "0", "totals-A-tiles": "8"}}
    unfit = Caller(chief_judge).change(path_of(1, "again/settle/"), wrong, seen=2)
    assert code(unfit) == (409, "scoresheet_has_faults")
    assert unfit.json()["detail"].startswith("Nothing is decided: both typings are as they were.")
    assert "mend" in [one["weight"] for one in unfit.json()["problems"]]
    settled = Caller(chief_judge).change(path_of(1, "again/settle/"), decided, seen=2)
    assert (settled.status_code, settled.json()["state"], settled.json()["typed"]) == (200, "ready", waiting["typed"])
    assert program.get(path_of()).json()["blind"] is False


def test_the_first_typist_does_not_type_it_again(waiting: dict[str, Any], clerk: User, auditor: User) -> None:
    body = {"typed": paper(), "done": True}
    assert code(Caller(clerk).change(path_of(1, "again/"), body, method="PUT", seen=0)) == (403, "typist_types_once")
    assert code(Caller(auditor).get(path_of(1, "again/"))) == (403, "not_your_role")


def test_faults_of_the_second_typing_are_its_own(waiting: dict[str, Any], second_clerk: User) -> None:
    body = {"typed": changed(paper(), 1, "A", points="-15"), "done": True}
    refused = Caller(second_clerk).change(path_of(1, "again/"), body, method="PUT", seen=0)
    assert code(refused) == (409, "scoresheet_has_faults")
    assert "not_zero_sum" in [one["code"] for one in refused.json()["problems"]]
    assert refused.json()["detail"].startswith("Nothing of this was saved")
    assert Caller(second_clerk).get(path_of(1, "again/")).json()["revision"] == 0
    draft = Caller(second_clerk).change(path_of(1, "again/"), {**body, "done": False}, method="PUT", seen=0)
    late = Caller(second_clerk).change(path_of(1, "again/"), {**body, "done": False}, method="PUT", seen=0)
    assert (draft.status_code, draft["ETag"], code(late)) == (200, '"v1"', (412, "scoresheet_changed"))
    assert late.json()["differences"] == [{"where": "revision", "mine": 0, "theirs": 1}]


def test_who_certifies_is_told_what_the_second_typist_read_at_the_head_of_the_paper(
    waiting: dict[str, Any], clerk: User, second_clerk: User, chief_judge: User
) -> None:
    head = {**empty_heading(), "serial": "0328-1-01", "referee": "Chan", "reason": "the referees changed tables"}
    typed = {**paper(), "heading": head}
    table = Table.objects.get(number=1)
    double_entry.save_second_entry(table, revision=0, typed=typed, done=True, by=second_clerk, request_key="page")
    seen = [Caller(user).get(path_of()).json()["second_heading"] for user in (clerk, second_clerk, chief_judge)]
    assert seen == [{"referee": "Chan: the referees changed tables"}] * 3


def test_a_dispute_raised_meanwhile_tells_no_value_and_its_judge_does_not_type_it_again(
    waiting: dict[str, Any], event: Event, second_clerk: User, chief_judge: User
) -> None:
    program, judge = Caller(second_clerk), Caller(chief_judge)
    raised = program.change(path_of(1, "dispute/"), {"reason": "a cell cannot be read"}, seen=2).json()
    told = program.get(path_of()).json()
    assert [(one["state"], one["blind"], one["typed"], one["digest"]) for one in (raised, told)] == [
        ("disputed", True, {}, "")
    ] * 2
    assert set(waiting["typed"]) - set(program.get(path_of(1, "dispute/")).json()) == set(waiting["typed"])
    Membership.objects.create(event=event, user=chief_judge, role=Role.CLERK)
    assert judge.get(path_of()).json()["typed"] == waiting["typed"]
    decided = judge.change(path_of(1, "dispute/decide/"), {"decision": "as typed"}, seen=3)
    assert (decided.status_code, decided.json()["blind"]) == (200, True)
    body = {"typed": paper(), "done": True}
    again = judge.change(path_of(1, "again/"), body, method="PUT", seen=0)
    assert code(again) == (403, "judge_has_seen_it")
    assert program.change(path_of(1, "again/"), body, method="PUT", seen=0).json()["stand"] == "settled"
