"""Who is let in: Z4, Z13 to Z16."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.api.caller import EVENT, Caller, code
from tests.conftest import event_data
from tournament.accounts.services import accounts
from tournament.api.services import revoke_tokens
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.setup.services import setup

EVENTS = "/api/v1/events/"


def test_without_a_token_it_is_401_and_says_what_to_send(event: Event) -> None:
    response = Caller(None).get(EVENTS)
    assert code(response) == (401, "not_signed_in")
    assert response["WWW-Authenticate"] == "Bearer"
    assert response["Content-Type"] == "application/problem+json"


@pytest.mark.fault("Z4")
def test_a_revoked_token_is_refused_on_the_very_next_request(clerk: User) -> None:
    program = Caller(clerk)
    before = program.get(EVENTS).status_code
    revoke_tokens(clerk)
    assert (before, code(program.get(EVENTS))) == (200, (401, "token_not_valid"))


def test_an_expired_token_is_refused(clerk: User) -> None:
    assert code(Caller(clerk, now=timezone.now() - timedelta(days=91)).get(EVENTS)) == (401, "token_not_valid")


@pytest.mark.fault("Z16")
def test_the_token_and_the_session_of_a_closed_account_are_refused(clerk: User, signed_in: object) -> None:
    program, page = Caller(clerk), Caller(None)
    page.client.force_login(clerk)
    before = (program.get(EVENTS).status_code, page.get(EVENTS).status_code)
    User.objects.filter(pk=clerk.pk).update(is_active=False)
    after = (program.get(EVENTS).status_code, page.get(EVENTS).status_code)
    assert (before, after) == ((200, 200), (401, 401))


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Basic Y2xlcms6eA==", "Bearer " + "x" * 5000, "Bearer é"])
def test_whatever_else_stands_in_the_header_is_401(event: Event, header: str) -> None:
    program = Caller(None)
    program.headers["Authorization"] = header
    assert code(program.get(EVENTS)) == (401, "token_not_valid")


@pytest.mark.fault("Z14")
def test_with_a_token_no_cookie_is_looked_at(organiser: User, clerk: User) -> None:
    program = Caller(None)
    program.client.force_login(organiser)
    program.headers["Authorization"] = "Bearer wrong"
    assert code(program.get(EVENTS)) == (401, "token_not_valid")
    clerks = Caller(clerk)
    clerks.client.force_login(organiser)
    assert clerks.get(EVENTS).json()["events"][0]["roles"] == ["clerk"]


@pytest.mark.fault("Z14")
def test_a_session_changes_nothing_without_its_csrf_token(event: Event, organiser: User) -> None:
    page = Client(enforce_csrf_checks=True)
    page.force_login(organiser)
    asked = {"content_type": "application/json", "headers": {"Idempotency-Key": "k", "Accept-Language": "en"}}
    refused = page.post(f"{EVENT}releases/", "{}", **asked)
    page.get("/desk/hk-2026/releases/")
    asked["headers"]["X-CSRFToken"] = page.cookies["csrftoken"].value
    allowed = page.post(f"{EVENT}releases/", "{}", **asked)
    assert (code(refused), code(allowed)) == ((403, "csrf_failed"), (400, "fields_not_valid"))


@pytest.mark.fault("Z13")
def test_another_event_and_an_unknown_one_answer_alike(event: Event, organiser: User) -> None:
    setup.create_event(event_data() | {"slug": "other"})
    accounts.create_account(event, "both", "a long enough password", "both", [Role.ORGANISER])
    program = Caller(organiser)
    with time_machine.travel(timezone.now(), tick=False):  # a header says until when an answer is good
        foreign, unknown = program.get("/api/v1/events/other/"), program.get("/api/v1/events/unknown/")
    assert (foreign.status_code, foreign.content) == (404, unknown.content)
    assert dict(foreign.headers) == dict(unknown.headers)


@pytest.mark.fault("Z15")
def test_tricks_with_methods_and_spellings_open_nothing(event: Event, referee: User, organiser: User) -> None:
    program = Caller(referee)
    assert program.get("entrants/").status_code == 403
    assert program.ask("POST", "entrants/", {}, **{"X-HTTP-Method-Override": "GET"}).status_code == 405
    assert program.get("entrants/?format=api").status_code == 403
    assert [program.ask(method, "entrants/").status_code for method in ("PUT", "DELETE", "PATCH", "OPTIONS")] == [
        405
    ] * 4
    assert [Caller(organiser).get(path).status_code for path in ("entrants", "entrants.json", "entrants/.json")] == [
        404
    ] * 3


def test_what_is_answered_is_kept_by_no_cache_and_names_what_it_depends_on(event: Event, organiser: User) -> None:
    response = Caller(organiser).get("")
    assert "no-store" in response["Cache-Control"]
    assert {"Authorization", "Cookie"} <= {name.strip() for name in response["Vary"].split(",")}


def test_the_sentence_is_in_the_language_that_is_asked_for_and_the_code_is_not(event: Event) -> None:
    program = Caller(None)
    program.headers["Accept-Language"] = "zh-HK"
    assert program.get(EVENTS).json()["code"] == "not_signed_in"
    assert program.get(EVENTS).json()["detail"] != Caller(None).get(EVENTS).json()["detail"]
