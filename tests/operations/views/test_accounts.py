"""Pages of the accounts: a password shown once, roles, closing, PINs, one's own password."""

import re
from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.test import Client

from tests.conftest import PASSWORD, account, event_data
from tests.squeezed import squeezed
from tournament.api.services import make_token
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.devices.models.pin import RefereePin
from tournament.devices.services import open_sign_ins, pins
from tournament.setup.services import setup

ENGLISH = {"HTTP_ACCEPT_LANGUAGE": "en"}
CHINESE = {"HTTP_ACCEPT_LANGUAGE": "zh-HK"}
ACCOUNTS = "/desk/hk-2026/accounts/"


def words(response: Any) -> str:
    """The text that a page shows, in one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", squeezed(response.content.decode())).split())


@pytest.fixture
def desk(signed_in: Any, organiser: User) -> Client:
    """A browser of the organiser's."""
    return signed_in(organiser)


def test_a_new_account_is_shown_its_password_once(desk: Client) -> None:
    answer = desk.post(ACCOUNTS, {"username": "ann", "name": "安", "roles": ["clerk", "referee"]}, **ENGLISH)
    _user, password = answer.context["shown"]
    assert password in words(answer)
    assert authenticate(username="ann", password=password)
    page = desk.get(ACCOUNTS, **ENGLISH)
    assert password not in words(page)
    assert [(user.username, [role.value for role in user.roles_here]) for user in page.context["accounts"]] == [
        ("ann", ["clerk", "referee"]),
        ("organiser", ["organiser"]),
    ]


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"username": ""}, "username"),
        ({"username": "a b"}, "username"),
        ({"name": ""}, "name"),
        ({"roles": []}, "roles"),
        ({"roles": ["king"]}, "roles"),
    ],
)
def test_what_is_wrong_is_told_at_its_field(desk: Client, typed: dict[str, Any], field: str) -> None:
    answer = desk.post(ACCOUNTS, {"username": "ann", "name": "Ann", "roles": ["clerk"]} | typed, **ENGLISH)
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, [field])


def test_the_list_asks_as_many_queries_for_three_as_for_one(
    desk: Client, event: Event, django_assert_num_queries: Any
) -> None:
    for names in ((), ("one", "two")):
        for name in names:
            account(event, Role.REFEREE, name)
        with django_assert_num_queries(6):
            desk.get(ACCOUNTS)


def test_roles_are_changed_on_the_page_and_the_history_says_by_whom(desk: Client, event: Event, clerk: User) -> None:
    address = f"{ACCOUNTS}{clerk.pk}/"
    assert desk.post(f"{address}roles/", {"roles": ["referee"], "seen": "clerk"})["Location"] == address
    history = desk.get(address, **ENGLISH).context["history"]
    assert [(word, role, entry.actor and entry.actor.username) for word, role, entry in history] == [
        ("role taken", "clerk", "organiser"),
        ("role given", "referee", "organiser"),
        ("role given", "clerk", None),
    ]
    assert desk.post(f"{address}roles/", {"seen": "referee"})["Location"] == ACCOUNTS
    assert desk.get(address).status_code == 404


def test_the_last_organiser_is_told_what_to_do(desk: Client, organiser: User) -> None:
    answer = desk.post(f"{ACCOUNTS}{organiser.pk}/roles/", {"roles": ["clerk"], "seen": "organiser"}, **ENGLISH)
    assert answer.status_code == 409
    assert "Give somebody else the role first." in words(answer)


def test_an_account_is_closed_opened_and_given_a_new_password(desk: Client, clerk: User) -> None:
    address = f"{ACCOUNTS}{clerk.pk}/"
    desk.post(f"{address}close/")
    assert "已停用" in words(desk.get(ACCOUNTS, **CHINESE))
    desk.post(f"{address}reopen/")
    answer = desk.post(f"{address}password/", **ENGLISH)
    password = answer.context["password"]
    assert password in words(answer)
    assert "no-store" in answer["Cache-Control"]
    assert authenticate(username="clerk", password=password) == clerk


def test_an_account_of_another_event_is_refused_in_words(desk: Client, event: Event) -> None:
    other = setup.create_event(event_data() | {"slug": "elsewhere"})
    stranger = account(other, Role.ORGANISER, "stranger")
    assert desk.post(f"{ACCOUNTS}{stranger.pk}/password/").status_code == 404
    account(event, Role.CLERK, "stranger")
    Client(headers={"User-Agent": "Elsewhere"}).post("/sign-in/", {"username": "stranger", "password": PASSWORD})
    make_token(stranger, name="Their program")
    assert [one.browser for one in open_sign_ins.signed_in(stranger)] == ["Elsewhere"]
    page = words(desk.get(f"{ACCOUNTS}{stranger.pk}/"))
    assert ("Elsewhere" in page, "Their program" in page) == (False, False)
    answer = desk.post(f"{ACCOUNTS}{stranger.pk}/password/", **ENGLISH)
    assert answer.status_code == 403
    assert "This account also works at another event." in words(answer)
    assert authenticate(username="stranger", password=PASSWORD) == stranger


def test_a_pin_is_set_and_stands_on_no_page(desk: Client, event: Event, referee: User) -> None:
    address = f"{ACCOUNTS}{referee.pk}/"
    for pin, again, status in (("5093", "5094", 400), ("0000", "0000", 400), ("5093", "5093", 302)):
        answer = desk.post(f"{address}pin/", {"pin": pin, "again": again})
        assert answer.status_code == status
        assert pin not in words(answer) or pin == "0000"
    assert pins.pin_matches(event, referee, "5093")
    assert not re.search(r"\b5093\b", desk.get(address).content.decode())
    assert RefereePin.objects.get().hash not in squeezed(desk.get(address).content.decode())


def test_pages_of_accounts_stand_in_both_languages(desk: Client, referee: User) -> None:
    for address in (ACCOUNTS, f"{ACCOUNTS}{referee.pk}/", "/own-password/"):
        assert desk.get(address, **CHINESE).status_code == 200
        english = words(desk.get(address, **ENGLISH)).split("Skip to the page")[-1].replace("中文", "")
        assert re.findall(r"[一-鿿]+", english) == []


def test_ones_own_password_is_changed_by_who_knows_it(desk: Client, organiser: User) -> None:
    new = {"new_password1": "quite another phrase", "new_password2": "quite another phrase"}
    assert desk.post("/own-password/", {"old_password": "wrong", **new}).status_code == 400
    assert desk.post("/own-password/", {"old_password": PASSWORD, **new})["Location"] == "/desk/"
    assert desk.get("/desk/hk-2026/").status_code == 200
    assert authenticate(username="organiser", password="quite another phrase") == organiser
