"""Accounts of an event: passwords answered once, roles given and taken, PINs kept as hashes, every act by whom."""

from typing import Any

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import call_command

from tests.conftest import PASSWORD, account, event_data
from tournament.accounts.services import accounts, roles
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.errors import BadInput, Forbidden, Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.permissions import may_create_event
from tournament.core.queries.roles import roles_at
from tournament.devices.models.pin import RefereePin
from tournament.devices.services import pins
from tournament.setup.services import setup


def entries(event: Event, user: User) -> list[tuple[str, str]]:
    """Action and actor of what was done to the account at the event, oldest first."""
    rows = AuditEntry.objects.filter(event=event, subject__startswith=f"account {user.pk}").order_by("seq")
    return list(rows.values_list("action", "actor__username"))


@pytest.fixture
def elsewhere(db: None) -> Event:
    """Another event with an organiser of its own."""
    other = setup.create_event(event_data() | {"slug": "elsewhere"})
    account(other, Role.ORGANISER, "stranger")
    return other


def test_a_new_account_signs_in_with_the_password_that_is_answered_once(event: Event, organiser: User) -> None:
    user, password = accounts.add_account(event, username="ann", name="Ann", roles=[Role.CLERK], by=organiser)
    assert authenticate(username="ann", password=password) == user
    assert accounts.add_account(event, username="ann", name="Ann", roles=[Role.CLERK], by=organiser) == (user, None)
    assert entries(event, user) == [("grant_role", "organiser")]


def test_initial_passwords_are_long_readable_and_never_alike() -> None:
    made = {accounts.new_password() for _ in range(200)}
    assert len(made) == 200
    assert {len(password) for password in made} == {19}
    assert set("".join(made)) <= set(accounts.PASSWORD_LETTERS) | {"-"}


def test_somebody_of_another_event_keeps_the_password_and_works_here_too(
    event: Event, elsewhere: Event, organiser: User
) -> None:
    user, password = accounts.add_account(event, username="stranger", name="x", roles=[Role.CLERK], by=organiser)
    assert password is None
    assert authenticate(username="stranger", password=PASSWORD) == user
    roles.answer_role_offer(event, accepts=True, by=user)
    assert (roles_at(event, user), roles_at(elsewhere, user)) == ({"clerk"}, {"organiser"})


def test_an_account_without_a_role_is_not_made(event: Event, organiser: User) -> None:
    with pytest.raises(BadInput):
        accounts.add_account(event, username="ann", name="Ann", roles=[], by=organiser)
    assert not User.objects.filter(username="ann").exists()


def change(event: Event, user: User, roles: set[str], by: User, seen: set[str] | None = None) -> Any:
    """Change roles having seen them as they stand."""
    return accounts.change_roles(event, user, roles=roles, seen=roles_at(event, user) if seen is None else seen, by=by)


def test_roles_are_given_and_taken_each_with_its_entry(event: Event, organiser: User, clerk: User) -> None:
    assert change(event, clerk, {"referee", "auditor"}, organiser) == {"clerk"}
    assert roles_at(event, clerk) == {"referee", "auditor"}
    change(event, clerk, {"referee", "auditor"}, organiser, seen={"clerk"})
    assert entries(event, clerk)[1:] == [
        ("grant_role", "organiser"),
        ("grant_role", "organiser"),
        ("revoke_role", "organiser"),
    ]


def test_of_two_changes_of_roles_the_second_is_told(event: Event, organiser: User, clerk: User) -> None:
    change(event, clerk, {"auditor"}, organiser)
    with pytest.raises(StaleVersion):
        change(event, clerk, {"clerk", "referee"}, organiser, seen={"clerk"})
    assert roles_at(event, clerk) == {"auditor"}


def test_the_last_organiser_who_can_sign_in_stays(event: Event, organiser: User, clerk: User) -> None:
    with pytest.raises(Refused) as refused:
        change(event, organiser, {"clerk"}, organiser)
    assert refused.value.code == "last_organiser"
    change(event, clerk, {"organiser"}, organiser)
    accounts.close_account(clerk, by=organiser)
    with pytest.raises(Refused):
        change(event, organiser, set(), organiser)
    accounts.reopen_account(clerk, by=organiser)
    change(event, organiser, {"clerk"}, clerk)
    assert roles_at(event, organiser) == {"clerk"}


def test_a_closed_account_is_out_at_once_and_closing_twice_is_one_act(
    event: Event, organiser: User, clerk: User, signed_in: Any
) -> None:
    client = signed_in(clerk)
    for _ in range(2):
        accounts.close_account(clerk, by=organiser)
    assert client.get("/desk/hk-2026/").status_code == 302
    assert authenticate(username="clerk", password=PASSWORD) is None
    assert entries(event, clerk) == [
        ("grant_role", None),
        ("close_account", "organiser"),
        ("end_sign_ins", "organiser"),
    ]


def test_a_new_password_ends_the_old_one_and_every_session(
    event: Event, organiser: User, clerk: User, signed_in: Any
) -> None:
    client = signed_in(clerk)
    password = accounts.reset_password(clerk, by=organiser)
    assert client.get("/desk/hk-2026/").status_code == 302
    assert authenticate(username="clerk", password=PASSWORD) is None
    assert authenticate(username="clerk", password=password) == clerk


def test_nobody_closes_or_resets_the_own_account(event: Event, organiser: User) -> None:
    account(event, Role.ORGANISER, "second")
    for act in (accounts.close_account, accounts.reset_password):
        with pytest.raises(Refused):
            act(organiser, by=organiser)


def test_no_organiser_takes_over_an_account_of_another_event(event: Event, elsewhere: Event, organiser: User) -> None:
    stranger, _ = accounts.add_account(event, username="stranger", name="x", roles=[Role.CLERK], by=organiser)
    account(elsewhere, Role.ORGANISER, "third")
    for act in (accounts.close_account, accounts.reset_password, accounts.reopen_account):
        with pytest.raises(Forbidden):
            act(stranger, by=organiser)
    account(elsewhere, Role.ORGANISER, "organiser")
    accounts.close_account(stranger, by=organiser)
    assert entries(elsewhere, stranger)[-1] == ("close_account", "organiser")


def test_no_organiser_takes_over_who_looks_after_the_installation(event: Event, organiser: User) -> None:
    staff, _ = accounts.create_organiser("root")
    account(event, Role.CLERK, "root")
    with pytest.raises(Forbidden):
        accounts.reset_password(staff, by=organiser)


@pytest.mark.parametrize("pin", ["5093", "83617", "290417", "61850274"])
def test_a_pin_is_kept_as_a_hash_and_matches_at_its_event_alone(
    event: Event, elsewhere: Event, organiser: User, referee: User, pin: str
) -> None:
    account(elsewhere, Role.REFEREE, "referee")
    pins.set_pin(event, referee, pin=pin, by=organiser)
    kept = RefereePin.objects.get()
    assert pin not in kept.hash
    assert [pins.pin_matches(each, referee, pin) for each in (event, elsewhere)] == [True, False]
    assert not pins.pin_matches(event, referee, pin[::-1])
    assert entries(event, referee)[-1] == ("set_pin", "organiser")


@pytest.mark.parametrize(
    "pin",
    [
        "0000",
        "1234",
        "4321",
        "7890",
        "9999",
        "1212",
        "1122",
        "1221",
        "2580",
        "1997",
        "2026",
        "12345678",
        "112233",
        "123123",
    ],
)
def test_a_pin_that_is_tried_first_is_refused(event: Event, organiser: User, referee: User, pin: str) -> None:
    with pytest.raises(BadInput) as refused:
        pins.set_pin(event, referee, pin=pin, by=organiser)
    assert (refused.value.code, RefereePin.objects.count()) == ("pin_weak", 0)


@pytest.mark.parametrize("pin", ["", "123", "509x", "５０９３", "509341827", "-5093"])
def test_a_pin_is_four_to_eight_digits(event: Event, organiser: User, referee: User, pin: str) -> None:
    with pytest.raises(BadInput) as refused:
        pins.set_pin(event, referee, pin=pin, by=organiser)
    assert refused.value.code == "pin_form"


def test_only_a_referee_has_a_pin_and_loses_it_with_the_role(
    event: Event, organiser: User, clerk: User, referee: User
) -> None:
    with pytest.raises(Refused):
        pins.set_pin(event, clerk, pin="5093", by=organiser)
    pins.set_pin(event, referee, pin="5093", by=organiser)
    change(event, referee, {"clerk"}, organiser)
    assert not pins.pin_matches(event, referee, "5093")


def test_the_first_account_of_an_installation_is_made_by_a_command(
    db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("create_organiser", "chan", name="陳")
    said = capsys.readouterr().out
    chan = User.objects.get()
    password = next(word for word in said.replace("（", " ").split() if word.count("-") == 3)
    assert authenticate(username="chan", password=password) == chan
    assert (may_create_event(chan), chan.is_superuser, chan.first_name) == (True, False, "陳")
    assert said.splitlines() == [
        f"chan 可用 {password} 登入（只顯示這一次）並開設賽事。",
        f"chan may sign in with {password} (shown only now) and make events.",
    ]
    call_command("create_organiser", "chan")
    assert password not in capsys.readouterr().out
    assert authenticate(username="chan", password=password) == chan
