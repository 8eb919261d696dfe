"""The shape of the first stage: whether the event ends with it, and whether all play each of its sessions."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.conftest import event_data
from tests.seated import enter
from tests.setup.views.test_setup import ENGLISH, NEW, typed, words
from tests.sheets.tables import settle
from tournament.audit.models import AuditEntry
from tournament.core.errors import BadInput, Locked
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.queries.entrants import preliminary_sessions
from tournament.setup.queries import sessions_of_first_stage
from tournament.setup.services import changes, later_stage, setup
from tournament.setup.services.plan import PLANNED_TIME_FIELDS, planned_session_of

ONE_DAY = {"day2": "", "sessions": "3", "ruleset": "twist", "advance": ""}


@pytest.fixture
def desk(signed_in: Any, organiser: User) -> Client:
    return signed_in(organiser)


@pytest.fixture
def league(desk: Client) -> Stage:
    """An evening of three rounds for all, made on the page."""
    desk.post("/desk/new-event/", NEW | ONE_DAY | {"ends": "1", "in_rounds": "1"}, **ENGLISH)
    return Stage.objects.get(event__slug="open-2027")


def shape(stage: Stage, **wanted: Any) -> dict[str, Any]:
    """What the service of the rules takes, as it stands but for what is wanted."""
    return {"revision": stage.event.revision, "ruleset": stage.ruleset, "advance": stage.advance, **wanted}


# --- Made ---------------------------------------------------------------------------------------------
def test_a_league_evening_of_rounds_is_made_on_one_page(desk: Client, league: Stage) -> None:
    assert (league.is_last, league.rounds, league.advance, league.event.quota) == (True, 3, None, 40)
    assert [one.number for one in preliminary_sessions(league.event)] == [1]
    page = words(desk.get("/desk/open-2027/setup/", **ENGLISH))
    wanted = ["nothing: its ranking is the result of the event", "everybody all of them, as rounds"]
    unwanted = ["Set up the final", "Stages before the final", "How many advance", "fewer seats than places"]
    assert ([one in page for one in wanted], [one in page for one in unwanted]) == ([True] * 2, [False] * 4)


def test_more_sessions_than_a_stage_may_have_rounds_are_refused_and_what_was_typed_is_kept(desk: Client) -> None:
    answer = desk.post("/desk/new-event/", NEW | {"in_rounds": "1"}, **ENGLISH)
    page = words(answer)
    assert (answer.status_code, "A stage has 6 rounds at most." in page) == (400, True)
    assert typed(answer)["slug"] == "open-2027"


def test_a_copy_has_the_same_shape(league: Stage, organiser: User) -> None:
    data = setup.event_as_data(league.event)
    [stage] = setup.create_event(data | {"slug": "again"}).stages.all()
    assert (stage.is_last, stage.rounds, data) == (True, 3, setup.normalize_event_data(data))


# --- Changed ------------------------------------------------------------------------------------------
def test_the_shape_is_changed_with_the_rules_and_the_log_says_so(desk: Client, event: Event) -> None:
    address = "/desk/hk-2026/setup/rules/"
    sent = typed(desk.get(address, **ENGLISH), action=address)
    assert desk.post(address, sent | {"ends": "1"}, **ENGLISH).status_code == 302
    stage = event.stages.get()
    assert (stage.is_last, stage.rounds, stage.advance) == (True, 1, None)
    said = AuditEntry.objects.filter(action="change_rules").latest("seq").reason
    assert said == "advance: 120 > -; qualifying: top_places > -"


def test_a_round_more_is_a_session_more(league: Stage, organiser: User) -> None:
    planned = [planned_session_of(one) for one in sessions_of_first_stage(league.event)]
    hours = {name: getattr(planned[-1], name) + timedelta(minutes=105) for name in PLANNED_TIME_FIELDS}
    later = replace(planned[-1], session=None, **hours)
    changes.change_sessions(league.event, revision=league.event.revision, plan=[*planned, later], by=organiser)
    league.refresh_from_db()
    assert (league.rounds, league.sessions.count()) == (4, 4)


def test_an_event_with_a_final_does_not_end_before_it(event: Event, organiser: User) -> None:
    plan = later_stage.StagePlan("hk-2026", 1)
    later_stage.set_up_stage(event, revision=event.revision, plan=plan, by=organiser)
    stage = Stage.objects.get(event=event, order=1)
    with pytest.raises(BadInput) as refused:
        changes.change_rules(event, by=organiser, **shape(stage, ends=True))
    assert refused.value.code == "later_stage_set_up"


def test_an_event_that_ends_with_its_first_stage_has_no_final_set_up(
    desk: Client, league: Stage, organiser: User
) -> None:
    with pytest.raises(BadInput) as refused:
        later_stage.set_up_stage(
            league.event, revision=league.event.revision, plan=later_stage.StagePlan("hk-2026", 1), by=organiser
        )
    assert refused.value.code == "stage_refused"
    addresses = ("final", "final/setup", "stages/new")
    pages = [desk.get(f"/desk/open-2027/{one}/", follow=True, **ENGLISH) for one in addresses]
    said = ["The event ends with its first stage" in words(pages[0]), *("Set-up" in words(one) for one in pages[1:])]
    assert said == [True] * 3


def test_whoever_is_entered_for_another_session_keeps_the_stage_from_rounds(event: Event, organiser: User) -> None:
    data = event_data()
    kept = data["stages"][0]["sessions"][:2]
    small = setup.create_event(data | {"slug": "small", "stages": [data["stages"][0] | {"sessions": kept}]})
    stage = small.stages.get()
    enter(Session.objects.get(stage=stage, number=2), 1)
    with pytest.raises(BadInput) as refused:
        changes.change_rules(small, by=organiser, **shape(stage, in_rounds=True))
    assert (refused.value.code, refused.value.facts["count"]) == ("entered_for_other_rounds", 1)


def test_the_shape_is_locked_once_seats_are_confirmed(event: Event, organiser: User) -> None:
    settle(event.stages.get().sessions.get(number=1), organiser)
    with pytest.raises(Locked):
        changes.change_rules(event, by=organiser, **shape(event.stages.get(), ends=True))


# --- Looked at before they are saved --------------------------------------------------------------------
def test_the_page_of_rules_is_looked_at_before_they_are_saved(desk: Client, event: Event) -> None:
    address = "/desk/hk-2026/setup/rules/"
    sent = typed(desk.get(address, **ENGLISH), action=address)
    seen = words(desk.post(address, sent | {"joker_value": "25", "preview": "1"}, **ENGLISH))
    wanted = ("A preview: these rules are not saved.", "A joker left on the rack counts −25.")
    assert [one in seen for one in wanted] == [True, True]
    assert ("Ask the rules" in seen, event.stages.get().ruleset) == (False, "hk-2026")
    refused = desk.post(address, sent | {"joker_value": "many", "preview": "1"}, **ENGLISH)
    assert ("Write a whole number" in words(refused), typed(refused, action=address)["joker_value"]) == (True, "many")
    # The key of the form is not used up by a look: it saves still.
    assert desk.post(address, sent | {"joker_value": "25"}, **ENGLISH).status_code == 302
