"""Disputes and sheets made void through the API."""

from django.contrib.auth.models import User

from tests.api.caller import Caller, code
from tests.operations.sheets import certified, path_of, submitted, with_other_tiles
from tournament.audit.models import AuditEntry
from tournament.tables.models import Table


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


def test_a_dispute_is_taken_back_by_whoever_raised_it_and_the_sheet_is_a_draft_again(
    tables: list[Table], clerk: User, second_clerk: User, organiser: User
) -> None:
    submitted(Caller(clerk))
    program, back = Caller(clerk), path_of(1, "dispute/withdraw/")
    settled = {"reason": "B counted again"}
    assert code(program.change(back, settled, seen=2)) == (409, "scoresheet_not_disputed")
    program.change(path_of(1, "dispute/"), {"reason": "tiles of B"}, seen=2)
    for other in (second_clerk, organiser):
        assert code(Caller(other).change(back, settled, seen=3)) == (403, "not_your_dispute")
    assert code(program.change(back, settled, seen=2)) == (412, "scoresheet_changed")
    assert code(program.change(back, settled)) == (428, "if_match_missing")
    assert code(program.change(back, {"reason": " "}, seen=3))[0] == 400
    answers = [program.change(back, settled, seen=3, key="taken-back") for _time in range(2)]
    assert [(answer.status_code, answer.json()["state"], answer["ETag"]) for answer in answers] == [
        (200, "draft", '"v4"')
    ] * 2
    assert [answer.get("Idempotent-Replay") for answer in answers] == [None, "true"]
    assert code(program.change(back, settled, seen=4)) == (409, "scoresheet_not_disputed")
    told = program.get(path_of(1, "dispute/")).json()
    assert [(one["outcome"], one["decision"], one["decided_by"]) for one in told["disputes"]] == [
        ("recalled", "B counted again", "clerk")
    ]
    assert AuditEntry.objects.filter(action="withdraw_dispute").count() == 1


def test_the_chief_judge_takes_back_what_another_has_raised_and_an_auditor_nothing(
    tables: list[Table], clerk: User, chief_judge: User, auditor: User
) -> None:
    submitted(Caller(clerk))
    Caller(clerk).change(path_of(1, "dispute/"), {"reason": "tiles of B"}, seen=2)
    back, settled = path_of(1, "dispute/withdraw/"), {"reason": "they agree"}
    assert code(Caller(auditor).change(back, settled, seen=3)) == (403, "not_your_role")
    answer = Caller(chief_judge).change(back, settled, seen=3)
    assert (answer.status_code, answer.json()["state"]) == (200, "draft")


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
