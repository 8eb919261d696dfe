"""Wrong passwords slow an account down, never its own people for ever; nobody learns which accounts there are."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db.models import F
from django.test import Client
from django.utils import timezone

from tests.conftest import PASSWORD, account, event_data
from tests.squeezed import squeezed
from tournament.accounts.services import sign_in_delays
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.errors import Forbidden
from tournament.core.models.event import Event, Membership
from tournament.operations.views import access
from tournament.setup.services import setup

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def frozen_clock() -> Iterator[None]:
    """A wait is told in seconds from the moment of the answer: on a slow machine it would be told shorter."""
    with time_machine.travel(timezone.now(), tick=False):
        yield


def tried(client: Client, password: str, username: str = "organiser", **more: Any) -> Any:
    return client.post("/sign-in/", {"username": username, "password": password}, HTTP_ACCEPT_LANGUAGE="en", **more)


def guessed(times: int, username: str = "organiser") -> list[int]:
    """Statuses of wrong passwords from a browser that nobody knows."""
    return [tried(Client(), f"wrong{number}", username).status_code for number in range(times)]


def later(seconds: int) -> None:
    """Time passes: every try was so long ago."""
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(seconds=seconds))


@pytest.mark.parametrize("username", ["organiser", "nobody-of-this-name"])
def test_each_wrong_password_after_the_fourth_waits_longer_and_a_known_name_reads_as_an_unknown(
    organiser: User, username: str
) -> None:
    assert guessed(5, username) == [200] * 5
    waits = []
    for _turn in range(6):
        refused = tried(Client(), "wrong", username)
        assert refused.status_code == 429
        waits.append(int(refused["Retry-After"]))
        later(waits[-1])
        assert tried(Client(), "wrong", username).status_code == 200
    assert waits == [5, 15, 60, 300, 900, 900]


def test_a_refusal_says_how_long_in_both_languages_and_keeps_the_user_name(organiser: User) -> None:
    guessed(5)
    pages = [
        Client().post("/sign-in/", {"username": "organiser", "password": PASSWORD}, HTTP_ACCEPT_LANGUAGE=language)
        for language in ("en", "zh-hk")
    ]
    said = [squeezed(page.content.decode()) for page in pages]
    assert [page.status_code for page in pages] == [429, 429]
    assert ["Wait 5 seconds" in said[0], "請等 5 秒" in said[1]] == [True, True]
    assert all('value="organiser"' in one and PASSWORD not in one for one in said)


def test_after_the_wait_the_right_password_opens_and_all_is_forgotten(organiser: User) -> None:
    guessed(5)
    assert tried(Client(), PASSWORD).status_code == 429
    later(5)
    assert tried(Client(), PASSWORD).status_code == 302
    assert AccessAttempt.objects.count() == 0


def test_a_browser_that_the_account_knows_waits_for_nobody_elses_tries(organiser: User) -> None:
    own = Client()
    assert tried(own, PASSWORD).status_code == 302
    own.post("/sign-out/")
    guessed(12)
    assert tried(own, PASSWORD).status_code == 302
    forged = Client()
    forged.cookies[sign_in_delays.browser_cookie("organiser")] = "0123456789abcdef:1:aaaa"
    guessed(5)
    assert tried(forged, PASSWORD).status_code == 429


def test_a_known_browser_is_slowed_by_its_own_wrong_passwords(organiser: User) -> None:
    own = Client()
    tried(own, PASSWORD)
    own.post("/sign-out/")
    assert [tried(own, "wrong").status_code for _try in range(6)] == [200] * 5 + [429]


def changed(client: Client, old: str) -> Any:
    new = "山水有相逢 2026 飲茶"
    typed = {"old_password": old, "new_password1": new, "new_password2": new}
    return client.post("/own-password/", typed, HTTP_ACCEPT_LANGUAGE="en")


def test_the_old_password_is_not_guessed_where_it_is_changed(organiser: User) -> None:
    left_open = Client()
    tried(left_open, PASSWORD)
    assert [changed(left_open, f"wrong{number}").status_code for number in range(5)] == [400] * 5
    waits = []
    for _turn in range(3):
        refused = changed(left_open, PASSWORD)
        assert (refused.status_code, "was not looked at" in squeezed(refused.content.decode())) == (429, True)
        assert f"Wait {refused['Retry-After']} seconds" in squeezed(refused.content.decode())
        waits.append(int(refused["Retry-After"]))
        later(waits[-1])
        assert changed(left_open, "wrong").status_code == 400
    assert waits == [5, 15, 60]


def test_after_the_wait_ones_own_password_is_changed_and_all_is_forgotten(organiser: User) -> None:
    own = Client()
    tried(own, PASSWORD)
    for number in range(5):
        changed(own, f"wrong{number}")
    later(5)
    assert changed(own, PASSWORD).status_code == 302
    assert (AccessAttempt.objects.count(), tried(Client(), "山水有相逢 2026 飲茶").status_code) == (0, 302)


def test_a_hall_behind_one_address_signs_in_beside_hundreds_of_wrong_passwords(organiser: User) -> None:
    tried(Client(), "wrong", "somebody")
    AccessAttempt.objects.update(failures_since_start=299)
    assert tried(Client(), "wrong", "another").status_code == 200
    assert int(tried(Client(), PASSWORD)["Retry-After"]) == 60
    assert tried(Client(), PASSWORD, REMOTE_ADDR="203.0.113.9").status_code == 302


def test_what_was_typed_is_kept_nowhere(organiser: User) -> None:
    tried(Client(), "a secret word", "my password by mistake")
    kept = " ".join(str(value) for row in AccessAttempt.objects.values() for value in row.values())
    assert re.findall("secret|mistake", kept) == []


def test_an_organiser_lifts_the_wait_on_the_accounts_page(
    event: Event, organiser: User, clerk: User, signed_in: Any
) -> None:
    guessed(5, "clerk")
    page = f"/desk/{event.slug}/accounts/{clerk.pk}/"
    desk = signed_in(organiser)
    assert "sign-in/" in squeezed(desk.get(page).content.decode())
    assert desk.post(f"{page}sign-in/").status_code == 302
    assert tried(Client(), PASSWORD, "clerk").status_code == 302
    assert AuditEntry.objects.get(action="lift_sign_in_delay").actor == organiser


def test_an_organiser_lifts_what_a_guesser_at_the_halls_own_address_brings_on_everybody(
    organiser: User, clerk: User
) -> None:
    guessed(1, "nobody-at-all")
    AccessAttempt.objects.update(failures_since_start=sign_in_delays.ADDRESS_FREE_TRIES)
    assert tried(Client(), PASSWORD, "clerk").status_code == 429
    assert 0 < sign_in_delays.account_wait_seconds(clerk) <= sign_in_delays.ADDRESS_DELAY_SECONDS
    sign_in_delays.lift_delay(clerk, by=organiser)
    assert (sign_in_delays.account_wait_seconds(clerk), tried(Client(), PASSWORD, "clerk").status_code) == (0, 302)


def test_nobody_lifts_the_wait_of_an_account_that_also_works_elsewhere(organiser: User, clerk: User) -> None:
    other = setup.create_event(event_data() | {"slug": "elsewhere"})
    account(other, Role.CLERK, "clerk")
    guessed(5, "clerk")
    with pytest.raises(Forbidden):
        sign_in_delays.lift_delay(clerk, by=organiser)
    assert Membership.objects.filter(user=clerk).count() == 2
    assert tried(Client(), PASSWORD, "clerk").status_code == 429


def test_at_the_machine_a_command_lifts_it(organiser: User) -> None:
    guessed(5)
    call_command("axes_reset_username", "Organiser")
    assert tried(Client(), PASSWORD).status_code == 302


def test_no_more_passwords_are_looked_at_at_once_than_leave_the_others_their_threads(
    client: Client, clerk: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "PASSWORD_CHECK_WAIT_SECONDS", 0.01)
    sent = {"username": clerk.username, "password": "wrong"}
    with ExitStack() as many:
        for _one in range(4):
            many.enter_context(access.PASSWORD_CHECK_SLOTS)
        refused = client.post("/sign-in/", sent)
    assert (refused.status_code, refused["Retry-After"]) == (429, "2")
    assert client.post("/sign-in/", sent).status_code == 200
