"""Scoresheets through the API: typed, handed on, taken back."""

from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from tests.api.caller import Caller, code
from tests.operations.sheets import confirmations, path_of, submitted
from tests.sheets.tables import changed, paper
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Draw, Table


def test_a_sheet_that_is_not_begun_is_version_0(tables: list[Table], clerk: User) -> None:
    response = Caller(clerk).get(path_of())
    told = response.json()
    assert (response["ETag"], told["state"], told["revision"], told["typed"]) == ('"v0"', "open", 0, {})
    assert [seat["entrant"] for seat in told["seats"]] == [301, 302, 303, 304]


def test_points_are_answered_exactly(tables: list[Table], clerk: User) -> None:
    ready = submitted(Caller(clerk)).json()
    points = [[line["points"] for line in game["lines"]] for game in ready["games"]]
    assert points == [["-14", "-21", "-9", "44"], ["23/2", "23/2", "-12", "-11"], ["32/3", "-32", "32/3", "32/3"]]
    assert (ready["state"], ready["revision"], ready["typed_by"]) == ("ready", 2, "clerk")
    assert ready["code"].replace("-", "").lower() == ready["digest"][:8]


def test_a_figure_may_be_a_whole_number_or_the_text_of_one(tables: list[Table], clerk: User) -> None:
    program = Caller(clerk)
    typed = changed(paper(), 2, "A", points="23/2", win=0, tiles=3)
    saved = program.change(path_of(), {"form": "paper", "typed": typed}, method="PUT", seen=0).json()
    assert saved["typed"]["games"][1]["seats"]["A"]["tiles"] == "3"
    assert not [problem for problem in saved["problems"] if problem["where"] == "games[1].seats.A.points"]


def test_faults_are_told_with_place_key_and_sentence(tables: list[Table], clerk: User) -> None:
    typed = changed(paper(), 1, "A", points="-15")
    saved = Caller(clerk).change(path_of(), {"form": "paper", "typed": typed}, method="PUT", seen=0)
    faults = [one for one in saved.json()["problems"] if one["weight"] == "mend"]
    assert [one["code"] for one in faults] == ["not_zero_sum"]
    assert faults[0]["where"].startswith("games[0]")
    assert faults[0]["sentence"].startswith("Game 1")


def test_a_draft_with_faults_is_not_handed_on_and_says_which(tables: list[Table], clerk: User) -> None:
    program = Caller(clerk)
    typed = changed(paper(), 1, "A", points="-15")
    saved = program.change(path_of(), {"form": "paper", "typed": typed}, method="PUT", seen=0).json()
    response = program.change(path_of(1, "ready/"), {}, seen=1)
    assert code(response) == (409, "scoresheet_has_faults")
    assert response.json()["problems"] == saved["problems"]


def test_submitting_keeps_all_or_nothing(tables: list[Table], clerk: User) -> None:
    program = Caller(clerk)
    refused = program.change(path_of(1, "submit/"), {"form": "paper", "typed": paper()}, seen=0)
    assert (code(refused), Scoresheet.objects.count()) == ((409, "scoresheet_has_faults"), 0)
    assert refused.json()["detail"].startswith("Nothing of this was saved")
    notes = confirmations(refused)
    done = program.change(path_of(1, "submit/"), {"form": "paper", "typed": paper(), "confirmations": notes}, seen=0)
    assert (done.status_code, done.json()["state"], done["ETag"]) == (200, "ready", '"v2"')


def test_only_the_typist_takes_a_sheet_back(tables: list[Table], clerk: User, second_clerk: User) -> None:
    submitted(Caller(clerk))
    assert code(Caller(second_clerk).change(path_of(1, "reopen/"), seen=2)) == (403, "not_the_typist")
    assert Caller(clerk).change(path_of(1, "reopen/"), seen=2).json()["state"] == "draft"


def test_a_sheet_that_waits_is_not_typed_over(tables: list[Table], clerk: User) -> None:
    submitted(Caller(clerk))
    response = Caller(clerk).change(path_of(), {"form": "paper", "typed": paper()}, method="PUT", seen=2)
    assert code(response) == (409, "scoresheet_ready")


def test_no_sheet_comes_back_before_the_draw_is_confirmed(tables: list[Table], clerk: User) -> None:
    Draw.objects.update(confirmed_at=None)
    response = Caller(clerk).change(path_of(), {"form": "paper", "typed": paper()}, method="PUT", seen=0)
    assert code(response) == (409, "draw_not_confirmed")


def test_the_list_of_a_session_says_how_far_each_sheet_is(
    tables: list[Table], clerk: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    program = Caller(clerk)
    submitted(program)
    with django_assert_num_queries(7):
        told = program.get("sessions/1/scoresheets/").json()
    assert [(one["table"], one["state"], one["revision"], one["present"]) for one in told["scoresheets"]] == [
        (1, "ready", 2, 4),
        (2, "open", 0, 4),
        (3, "open", 0, 3),
    ]
    Table.objects.filter(session=tables[0].session, number=3).update(number=30)
    for seat in tables[1].seats.all():
        seat.delete()
    with django_assert_num_queries(7):
        program.get("sessions/1/scoresheets/")


def test_a_table_that_is_not_there_is_404(tables: list[Table], clerk: User) -> None:
    program = Caller(clerk)
    body = {"form": "paper", "typed": {}}
    answers = [
        program.get(path_of(4)),
        program.change(path_of(4), body, method="PUT", seen=0),
        program.get("sessions/2/scoresheets/1/"),
    ]
    assert [answer.status_code for answer in answers] == [404, 404, 404]
