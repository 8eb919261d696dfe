"""Two people at a sheet are two: who set the values that stand does not certify, waive or approve them, however set."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.sheets.correcting import crossing, handed_on, locked, slipped, typed_anew
from tests.sheets.services.test_scoresheets_second import again, decide, other_paper, texts
from tests.sheets.tables import paper, settle
from tournament.core.enums import SheetForm
from tournament.core.errors import Forbidden, Refused
from tournament.core.models.event import Membership
from tournament.core.models.stage import Session
from tournament.scoresheets.services import corrections
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.queries.values import usernames_of_accounts, value_setters_of
from tournament.sheets.services import double_entry as second
from tournament.sheets.services import scoresheets, signing, values
from tournament.sheets.services import signing_disputes as disputes
from tournament.tables.models import Table

SIGNED = dict.fromkeys("ABCD", "")
REFUSED = dict.fromkeys("ABCD", "refuses to sign")


@pytest.fixture
def people(
    organiser: User, second_organiser: User, clerk: User, second_clerk: User, chief_judge: User
) -> dict[str, User]:
    return {one.username: one for one in (organiser, second_organiser, clerk, second_clerk, chief_judge)}


@pytest.fixture
def table(first_session: Session, organiser: User) -> Table:
    """A table whose sheet nobody has typed."""
    settle(first_session, organiser)
    found = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert found is not None
    return found


def now(table: Table) -> Scoresheet:
    sheet = queries.current_sheet(table)
    assert sheet is not None
    return sheet


def dispute(table: Table, by: User, judge: User, typed: Any = None) -> None:
    """Raised by one, ruled by the judge; with `typed`, other values."""
    disputes.raise_dispute(table, revision=now(table).revision, reason="no", by=by, request_key=f"d{now(table).pk}")
    disputes.decide_dispute(table, revision=now(table).revision, decision="so", by=judge, request_key="j", typed=typed)


# --- The ways by which values come to stand -------------------------------------------------------------
Way = Callable[[Table, dict[str, User]], None]


def typed(table: Table, people: dict[str, User]) -> None:
    handed_on(table, paper(), people["clerk"])


def typed_by_one_handed_on_by_another(table: Table, people: dict[str, User]) -> None:
    draft = {"revision": 0, "form": SheetForm.PAPER, "typed": slipped(), "request_key": "draft"}
    scoresheets.save_scoresheet(table, **draft, by=people["organiser"])
    handed_on(table, slipped(), people["clerk"], 1)


def ruled_by_the_judge_who_raised_it(table: Table, people: dict[str, User]) -> None:
    typed(table, people)
    dispute(table, people["chief_judge"], people["chief_judge"], slipped())


def ruled_then_typed_again_unchanged(table: Table, people: dict[str, User]) -> None:
    ruled_by_the_judge_who_raised_it(table, people)
    scoresheets.reopen_scoresheet(table, revision=now(table).revision, by=people["clerk"], request_key="back")
    handed_on(table, slipped(), people["clerk"], now(table).revision)


def upheld(table: Table, people: dict[str, User]) -> None:
    typed(table, people)
    dispute(table, people["second_clerk"], people["chief_judge"])


def third_look(table: Table, people: dict[str, User], choices: dict[str, str]) -> None:
    second.set_double_entry_percent(table.session.stage, percent=100, by=people["organiser"])
    table.session.stage.refresh_from_db()
    typed(table, people)
    again(table, people["second_clerk"], other_paper())
    decide(table, people["organiser"], choices)


def third_look_with_the_second_s_values(table: Table, people: dict[str, User]) -> None:
    third_look(table, people, texts(other_paper()))


def third_look_with_values_of_neither(table: Table, people: dict[str, User]) -> None:
    third_look(table, people, {**texts(other_paper()), "games-0-A-tiles": "6", "totals-A-tiles": "11"})


def third_look_upholds(table: Table, people: dict[str, User]) -> None:
    third_look(table, people, texts(paper()))


WAYS: list[tuple[Way, list[str]]] = [
    (typed, ["clerk"]),
    (typed_by_one_handed_on_by_another, ["organiser", "clerk"]),
    (ruled_by_the_judge_who_raised_it, ["clerk", "chief_judge"]),
    (ruled_then_typed_again_unchanged, ["chief_judge", "clerk"]),
    (upheld, ["clerk"]),
    (third_look_with_the_second_s_values, ["clerk", "second_clerk", "organiser"]),
    (third_look_with_values_of_neither, ["clerk", "second_clerk", "organiser"]),
    (third_look_upholds, ["clerk"]),
]


@pytest.mark.parametrize(("way", "setters"), WAYS, ids=lambda one: one.__name__ if callable(one) else "")
def test_exactly_those_who_set_no_value_certify(
    table: Table, people: dict[str, User], way: Way, setters: list[str]
) -> None:
    way(table, people)
    assert usernames_of_accounts(value_setters_of(now(table))) == setters
    rest = sorted(people.keys() - set(setters))
    for name in setters:
        given = REFUSED if name == "chief_judge" else SIGNED
        with pytest.raises(Forbidden) as refused:
            signing.certify_scoresheet(
                table, revision=now(table).revision, signatures=given, by=people[name], request_key=f"no-{name}"
            )
        assert refused.value.code in ("typist_cannot_certify", "setter_cannot_certify")
        if name != "chief_judge":
            assert refused.value.facts["who"].split(", ") == rest
    sheet = signing.certify_scoresheet(
        table, revision=now(table).revision, signatures=SIGNED, by=people[rest[-1]], request_key="yes"
    )
    assert (sheet.locked, usernames_of_accounts(sheet.values_by)) == (True, setters)


def test_where_nobody_is_left_the_refusal_says_who_can_help(table: Table, people: dict[str, User]) -> None:
    ruled_by_the_judge_who_raised_it(table, people)
    with pytest.raises(Forbidden) as refused:
        signing.certify_scoresheet(
            table, revision=now(table).revision, signatures=REFUSED, by=people["chief_judge"], request_key="c"
        )
    assert refused.value.sentence == values.OWN_VALUES_NOBODY_ELSE
    with pytest.raises(Forbidden) as refused:
        signing.certify_scoresheet(
            table, revision=now(table).revision, signatures=REFUSED, by=people["organiser"], request_key="c"
        )
    assert (refused.value.code, refused.value.sentence) == ("chief_judge_only", signing.JUDGE_SET_VALUES)
    Membership.objects.create(event=table.session.stage.event, user=people["second_organiser"], role="chief_judge")
    act = {"revision": now(table).revision, "signatures": REFUSED, "request_key": "c"}
    assert signing.certify_scoresheet(table, **act, by=people["second_organiser"]).locked


def test_who_typed_a_draft_does_not_type_it_the_second_time_as_if_blind(table: Table, people: dict[str, User]) -> None:
    second.set_double_entry_percent(table.session.stage, percent=100, by=people["organiser"])
    table.session.stage.refresh_from_db()
    draft = {"revision": 0, "form": SheetForm.PAPER, "typed": paper(), "request_key": "draft"}
    scoresheets.save_scoresheet(table, **draft, by=people["second_clerk"])
    handed_on(table, paper(), people["clerk"], 1)
    with pytest.raises(Forbidden) as refused:
        again(table, people["second_clerk"])
    assert refused.value.code == "typist_types_once"


# --- Corrections ----------------------------------------------------------------------------------------
def agreement(table: Table, by: User, act: Callable[..., Scoresheet]) -> Scoresheet:
    sheet = now(table)
    seen = {"revision": sheet.revision, "crossing": crossing(table, sheet)}
    return act(table, **seen, by=by, request_key=f"{act.__name__}-{by.username}")


def test_who_typed_a_correction_proposes_it_and_the_other_approves_it(table: Table, people: dict[str, User]) -> None:
    locked(table.session, 1, people["clerk"], people["second_clerk"])
    typed_anew(table, people["chief_judge"], people["organiser"])
    agreement(table, people["chief_judge"], corrections.propose_correction)
    with pytest.raises(Forbidden) as refused:
        agreement(table, people["organiser"], corrections.approve_correction)
    assert (refused.value.code, refused.value.facts["who"]) == ("setter_cannot_approve", "chief_judge")
    agreement(table, people["organiser"], corrections.propose_correction)
    sheet = agreement(table, people["chief_judge"], corrections.approve_correction)
    assert (sheet.locked_by, usernames_of_accounts(sheet.values_by)) == (people["chief_judge"], ["organiser"])


def test_who_has_not_set_them_does_not_propose_them_a_second_time(table: Table, people: dict[str, User]) -> None:
    locked(table.session, 1, people["clerk"], people["second_clerk"])
    typed_anew(table, people["chief_judge"], people["clerk"])
    agreement(table, people["chief_judge"], corrections.propose_correction)
    with pytest.raises(Refused) as refused:
        agreement(table, people["organiser"], corrections.propose_correction)
    assert refused.value.code == "correction_proposed"
