"""Disputes and sheets made void through the API."""

from django.contrib.auth.models import User

from tests.tournament.api.caller import Caller, code
from tests.tournament.api.sheets import certified, path_of, submitted, with_other_tiles
from tournament.models import AuditEntry, Table


def test_a_dispute_is_raised_by_one_and_decided_by_the_chief_judge(
    tables: list[Table], clerk: User, chief_judge: User
) -> None:
    ready = submitted(Caller(clerk)).json()
    raised = Caller(clerk).change(path_of(1, "dispute/"), {"reason": "tiles of A"}, seen=2)
    assert (raised.status_code, raised.json()["state"], raised["ETag"]) == (200, "disputed", '"v3"')
    told = Caller(clerk).get(path_of(1, "dispute/")).json()
    assert [(one["reason"], one["raised_by"], one["outcome"]) for one in told["disputes"]] == [
        ("tiles of A", "clerk", "")
    ]
    assert code(Caller(clerk).change(path_of(1, "dispute/decide/"), {"decision": "x"}, seen=3)) == (
        403,
        "not_your_role",
    )
    body = {"decision": "counted again", "typed": with_other_tiles()}
    decided = Caller(chief_judge).change(path_of(1, "dispute/decide/"), body, seen=3)
    assert (decided.json()["state"], decided.json()["typed"]["games"][0]["seats"]["A"]["tiles"]) == ("ready", "4")
    assert decided.json()["digest"] != ready["digest"]
    told = Caller(clerk).get(path_of(1, "dispute/")).json()
    assert [(one["outcome"], one["decided_by"]) for one in told["disputes"]] == [("values", "chief_judge")]


def test_of_two_decisions_the_second_is_told(tables: list[Table], clerk: User, chief_judge: User) -> None:
    submitted(Caller(clerk))
    Caller(clerk).change(path_of(1, "dispute/"), {"reason": "tiles of A"}, seen=2)
    answers = [
        Caller(chief_judge).change(path_of(1, "dispute/decide/"), {"decision": "stands"}, seen=seen) for seen in (2, 3)
    ]
    assert (code(answers[0]), answers[1].status_code) == ((412, "scoresheet_changed"), 200)


def test_void_takes_the_chief_judge_and_an_organiser(tables: list[Table], organiser: User, chief_judge: User) -> None:
    program = Caller(organiser)
    proposed = program.change(path_of(1, "void/"), {"reason": "storm"}, seen=0)
    assert proposed.status_code == 200, proposed.content
    seen = proposed.json()["revision"]
    assert code(program.change(path_of(1, "void/approve/"), seen=seen)) == (403, "void_takes_two")
    approved = Caller(chief_judge).change(path_of(1, "void/approve/"), seen=seen)
    assert (approved.status_code, AuditEntry.objects.filter(action="void_scoresheet").count()) == (200, 1)


def test_what_is_locked_is_neither_disputed_nor_void(
    tables: list[Table], clerk: User, second_clerk: User, organiser: User
) -> None:
    certified(Caller(clerk), Caller(second_clerk))
    answers = (
        Caller(clerk).change(path_of(1, "dispute/"), {"reason": "x"}, seen=3),
        Caller(organiser).change(path_of(1, "void/"), {"reason": "x"}, seen=3),
    )
    assert [answer.status_code for answer in answers] == [423, 423]
