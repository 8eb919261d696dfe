"""Roles given: whose yes they wait for, and that a role that waits gives no right anywhere."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.conftest import PASSWORD, account, event_data
from tests.seated import enter
from tests.squeezed import squeezed
from tournament.accounts.models import Proposal
from tournament.accounts.queries.roles_given import holders_of_pairs, roles_given_in_play
from tournament.accounts.services import accounts, roles
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.errors import Forbidden, NotFoundRefused, Refused
from tournament.core.models.event import Event, InitialPassword, Membership
from tournament.core.models.stage import Session
from tournament.core.queries.roles import roles_at
from tournament.devices import queries
from tournament.devices.services import pins
from tournament.seating.services import seating
from tournament.setup.services import setup
from tournament.tables.queries import seating as seats

EVERY_ROLE = [role.value for role in Role]


@pytest.fixture
def begun(event: Event, organiser: User, first_session: Session) -> Event:
    """Its first session has confirmed seats."""
    seat(first_session, organiser)
    return event


def seat(session: Session, organiser: User) -> None:
    """Confirmed seats: from here on people play."""
    enter(session, 4)
    seating.draw_session(session, seed=1, by=organiser)
    seating.confirm_session_draw(session, revision=1, by=organiser)


def given_in_play(event: Event) -> list[tuple[str, str, str, str, bool, str | None]]:
    """Account, role, act, by whom, in effect, taken back by whom."""
    return [
        (
            one.tenure.user.username,
            one.tenure.role,
            one.entry.action,
            one.entry.actor.username,
            one.tenure.in_effect,
            one.tenure.taken and one.tenure.taken.actor.username,
        )
        for one in roles_given_in_play(event)
    ]


@pytest.fixture
def elsewhere(db: None) -> Event:
    """Another event with an organiser of its own."""
    other = setup.create_event(event_data() | {"slug": "elsewhere"})
    account(other, Role.ORGANISER, "stranger")
    return other


def give(event: Event, username: str, role: str, by: User) -> User:
    """A role for an account by an organiser."""
    user, _password = accounts.add_account(event, username=username, name=username, roles=[Role(role)], by=by)
    return user


def question(event: Event) -> Proposal:
    """What waits for a third person."""
    return Proposal.objects.get(event=event, act=roles.ROLE_PROPOSAL_ACT, outcome="")


def acts(event: Event, *names: str) -> list[tuple[str, str | None]]:
    """Entries of the log with these acts, and whose they are."""
    rows = AuditEntry.objects.filter(event=event, action__in=names).order_by("seq")
    return list(rows.values_list("action", "actor__username"))


# --- Set up ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("role", EVERY_ROLE)
def test_while_an_event_is_set_up_a_role_is_in_effect_at_once(event: Event, organiser: User, role: str) -> None:
    user = give(event, "ann", role, organiser)
    assert roles_at(event, user) == {role}
    assert not Proposal.objects.exists()


@pytest.mark.parametrize("role", EVERY_ROLE)
def test_once_seats_are_confirmed_every_role_waits_for_a_third_person(
    begun: Event, organiser: User, chief_judge: User, role: str
) -> None:
    user = give(begun, "ann", role, organiser)
    assert roles_at(begun, user) == frozenset()
    roles.confirm_role(begun, question(begun).pk, by=chief_judge)
    assert roles_at(begun, user) == {role}
    given = acts(begun, "grant_role", "agree_role")[-2:]
    assert given == [("grant_role", "organiser"), ("agree_role", "chief_judge")]


@pytest.mark.parametrize("role", EVERY_ROLE)
def test_nobody_gives_a_role_to_the_own_account(event: Event, organiser: User, role: str) -> None:
    if role == Role.ORGANISER:
        return
    with pytest.raises(Refused) as refused:
        accounts.change_roles(event, organiser, roles={"organiser", role}, seen={"organiser"}, by=organiser)
    assert refused.value.code == "own_role"
    with pytest.raises(Refused):
        accounts.add_account(event, username="organiser", name="x", roles=[Role(role)], by=organiser)
    assert roles_at(event, organiser) == {"organiser"}


# --- A third person -------------------------------------------------------------------------------------
def test_neither_giver_nor_receiver_nor_another_whom_the_giver_made_since_is_a_third_person(
    begun: Event, organiser: User, clerk: User, second_organiser: User
) -> None:
    judge = give(begun, "judge99", "chief_judge", organiser)
    asked = question(begun).pk
    made = give(begun, "auditor99", "auditor", organiser)
    for person in (organiser, judge, made, clerk):
        with pytest.raises(Forbidden) as refused:
            roles.confirm_role(begun, asked, by=person)
        assert refused.value.code == "not_a_third", person
    assert roles_at(begun, judge) == frozenset()
    roles.confirm_role(begun, asked, by=second_organiser)
    assert roles_at(begun, judge) == {"chief_judge"}


def test_a_third_persons_no_takes_the_role_away_and_so_does_withdrawing_it(
    begun: Event, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    judge = give(begun, "judge99", "chief_judge", organiser)
    roles.refuse_role(begun, question(begun).pk, reason="Nobody knows them", by=chief_judge)
    assert not Membership.granted.filter(user=judge).exists()
    give(begun, "judge99", "chief_judge", organiser)
    page = f"/desk/{begun.slug}/proposals/{question(begun).pk}/"
    assert signed_in(chief_judge).post(f"{page}refuse/", {"reason": "No"}).status_code == 302
    assert not Membership.granted.filter(user=judge).exists()
    give(begun, "judge99", "chief_judge", organiser)
    page = f"/desk/{begun.slug}/proposals/{question(begun).pk}/"
    assert signed_in(organiser).post(f"{page}withdraw/").status_code == 302
    assert not Membership.granted.filter(user=judge).exists()


def test_the_delay_ends_by_itself_and_is_written_down_once(begun: Event, organiser: User, settings: Any) -> None:
    settings.ROLE_DELAY = timedelta(hours=2)
    judge = give(begun, "judge99", "chief_judge", organiser)
    until = Membership.granted.get(user=judge).waits_until
    assert timedelta(minutes=119) < until - timezone.now() <= timedelta(hours=2)
    assert roles.settle_expired_delays() == 0
    Membership.granted.filter(user=judge).update(waits_until=timezone.now())
    assert roles_at(begun, judge) == {"chief_judge"}
    assert (roles.settle_expired_delays(), roles.settle_expired_delays()) == (1, 0)
    assert acts(begun, "role_by_delay", "lapse_proposal") == [("role_by_delay", None), ("lapse_proposal", None)]
    assert roles_at(begun, judge) == {"chief_judge"}


def test_an_answer_after_the_role_was_taken_is_refused_and_changes_nothing(
    begun: Event, organiser: User, chief_judge: User
) -> None:
    judge = give(begun, "judge99", "chief_judge", organiser)
    asked = question(begun).pk
    accounts.change_roles(begun, judge, roles=set(), seen={"chief_judge"}, by=organiser)
    with pytest.raises(Refused) as refused:
        roles.confirm_role(begun, asked, by=chief_judge)
    assert refused.value.code == "proposal_closed"


def test_a_new_password_by_another_makes_the_roles_wait_again(
    begun: Event, organiser: User, chief_judge: User, second_organiser: User
) -> None:
    assert InitialPassword.objects.count() == 0
    accounts.reset_password(chief_judge, by=organiser)
    assert roles_at(begun, chief_judge) == frozenset()
    with pytest.raises(Forbidden):
        roles.confirm_role(begun, question(begun).pk, by=organiser)
    accounts.reset_password(chief_judge, by=second_organiser)
    with pytest.raises(Forbidden):
        roles.confirm_role(begun, question(begun).pk, by=second_organiser)
    roles.confirm_role(begun, question(begun).pk, by=organiser)
    assert roles_at(begun, chief_judge) == {"chief_judge"}


def test_the_release_page_and_the_api_name_every_role_that_was_given_in_play(
    begun: Event, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    client = signed_in(organiser)
    assert client.get("/api/v1/events/hk-2026/releases/").json()["roles_given"] == []
    assert "座位確定後給予的身份" not in squeezed(client.get("/desk/hk-2026/releases/").content.decode())
    give(begun, "judge99", "chief_judge", organiser)
    given = client.get("/api/v1/events/hk-2026/releases/").json()["roles_given"]
    assert [(one["account"], one["role"], one["given_by"], one["in_effect"]) for one in given] == [
        ("judge99", "chief_judge", "organiser", False)
    ]
    roles.confirm_role(begun, question(begun).pk, by=chief_judge)
    page = squeezed(client.get("/desk/hk-2026/releases/").content.decode())
    assert "座位確定後給予的身份" in page
    assert "judge99" in page


def test_the_release_page_names_who_set_anothers_pin_in_play(
    event: Event, organiser: User, referee: User, first_session: Session
) -> None:
    pins.set_pin(event, referee, pin="5093", by=organiser)
    seat(first_session, organiser)
    assert roles_given_in_play(event) == []
    pins.set_pin(event, referee, pin="7305", by=organiser)
    assert given_in_play(event) == [("referee", "referee", "set_pin", "organiser", True, None)]


def test_the_release_page_names_who_gave_each_role_of_a_pair_and_each_new_password(
    event: Event, organiser: User, second_organiser: User, first_session: Session, clerk: User, signed_in: Any
) -> None:
    judge = give(event, "judge99", "chief_judge", organiser)
    seat(first_session, organiser)
    assert given_in_play(event) == []
    accounts.reset_password(judge, by=second_organiser)
    found = {
        one.user.username: (one.role, one.given and one.given.actor, [reset.actor for reset in one.resets])
        for one in holders_of_pairs(event)
    }
    assert found == {
        "judge99": ("chief_judge", organiser, [second_organiser]),
        "organiser": ("organiser", None, []),
        "second_organiser": ("organiser", None, []),
    }
    assert given_in_play(event) == [("judge99", "chief_judge", "reset_password", "second_organiser", False, None)]
    client = signed_in(organiser)
    page = squeezed(client.get("/desk/hk-2026/releases/").content.decode())
    assert all(words in page for words in ("由organiser給予", "由second_organiser重設密碼", "設立賽事時給予"))
    told = client.get("/api/v1/events/hk-2026/releases/").json()["holders"]
    [judge_told] = [one for one in told if one["account"] == "judge99"]
    assert (judge_told["given_by"], [one["by"] for one in judge_told["passwords"]]) == (
        "organiser",
        ["second_organiser"],
    )


def test_a_role_of_a_pair_that_was_given_in_play_is_named_after_it_was_taken_back(
    begun: Event, organiser: User, chief_judge: User, signed_in: Any
) -> None:
    taken_away = give(begun, "judge99", "chief_judge", organiser)
    roles.confirm_role(begun, question(begun).pk, by=chief_judge)
    accounts.change_roles(begun, taken_away, roles=[], seen=["chief_judge"], by=organiser)
    assert given_in_play(begun) == [("judge99", "chief_judge", "grant_role", "organiser", False, "organiser")]
    client = signed_in(organiser)
    told = client.get("/api/v1/events/hk-2026/releases/").json()
    entry = AuditEntry.objects.get(event=begun, action="revoke_role")
    at = told["roles_given"][0]["taken_back_at"]
    assert datetime.fromisoformat(at) == entry.at
    assert [(one["account"], one["taken_back_by"], one["taken_back_at"]) for one in told["roles_given"]] == [
        ("judge99", "organiser", at)
    ]
    assert [(one["account"], one["in_effect"], one["taken_back_at"]) for one in told["holders"]] == [
        ("organiser", True, None),
        ("chief_judge", True, None),
        ("judge99", False, at),
    ]
    page = squeezed(client.get("/desk/hk-2026/releases/").content.decode())
    assert page.count("由organiser收回") == 2


def test_a_role_of_a_pair_that_a_person_gave_before_play_is_never_folded_on_the_release_page(
    event: Event, organiser: User, signed_in: Any
) -> None:
    for number in range(12):
        account(event, Role.ORGANISER, f"founder{number:02d}")
    give(event, "judge99", "chief_judge", organiser)
    page = squeezed(signed_in(organiser).get("/desk/hk-2026/releases/").content.decode())
    section = page[page.index('id="holders"') :]
    plain, folded = section[: section.index("<details")], section[section.index("<details") :]
    assert ("judge99" in plain, "judge99" in folded) == (True, False)
    assert ("founder00" in plain, "founder00" in folded) == (False, True)


def test_a_role_taken_back_and_given_anew_is_named_each_time(begun: Event, organiser: User) -> None:
    user = give(begun, "judge99", "chief_judge", organiser)
    accounts.change_roles(begun, user, roles=[], seen=["chief_judge"], by=organiser)
    accounts.change_roles(begun, user, roles=["chief_judge"], seen=[], by=organiser)
    assert given_in_play(begun) == [
        ("judge99", "chief_judge", "grant_role", "organiser", False, None),
        ("judge99", "chief_judge", "grant_role", "organiser", False, "organiser"),
    ]


def test_a_password_given_in_play_is_named_with_the_roles_of_that_moment_though_they_were_taken_back(
    begun: Event, organiser: User, second_organiser: User, chief_judge: User
) -> None:
    accounts.reset_password(chief_judge, by=organiser)
    accounts.change_roles(begun, chief_judge, roles=["auditor"], seen=["chief_judge"], by=second_organiser)
    assert given_in_play(begun) == [
        ("chief_judge", "auditor", "grant_role", "second_organiser", False, None),
        ("chief_judge", "chief_judge", "reset_password", "organiser", False, "second_organiser"),
    ]


def test_a_role_taken_back_before_the_seats_were_confirmed_is_not_named(
    event: Event, organiser: User, first_session: Session
) -> None:
    user = give(event, "judge99", "chief_judge", organiser)
    accounts.change_roles(event, user, roles=[], seen=["chief_judge"], by=organiser)
    seat(first_session, organiser)
    assert given_in_play(event) == []
    assert [one.user.username for one in holders_of_pairs(event)] == ["organiser"]


# --- Where a role that waits gives no right -------------------------------------------------------------
def test_a_role_that_waits_opens_no_page_no_api_and_no_tablet(
    begun: Event, organiser: User, referee: User, signed_in: Any
) -> None:
    pins.set_pin(begun, referee, pin="5093", by=organiser)
    Membership.granted.filter(user=referee).update(waits_until=timezone.now() + timedelta(hours=1))
    client = signed_in(referee)
    for page in ("/desk/hk-2026/", "/api/v1/events/hk-2026/", "/api/v1/events/hk-2026/weather/"):
        assert client.get(page).status_code == 404, page
    assert client.get("/api/v1/events/").json() == {"events": []}
    assert (queries.tablet_referees(begun), seats.referees_by_account_name(begun)) == ([], [])
    Membership.granted.filter(user=referee).update(waits_until=None)
    assert [person.username for person in queries.tablet_referees(begun)] == ["referee"]
    assert client.get("/desk/hk-2026/").status_code == 200


def test_a_given_password_opens_only_the_page_that_changes_it(event: Event, organiser: User) -> None:
    _user, password = accounts.add_account(event, username="ann", name="Ann", roles=[Role.CLERK], by=organiser)
    client = Client()
    assert client.login(username="ann", password=password)
    answer = client.get("/desk/hk-2026/")
    assert (answer.status_code, answer["Location"]) == (302, "/own-password/")
    assert client.get("/api/v1/events/hk-2026/").json()["code"] == "own_password_first"
    own = {"old_password": password, "new_password1": PASSWORD, "new_password2": PASSWORD}
    assert client.post("/own-password/", own).status_code == 302
    assert client.get("/desk/hk-2026/").status_code == 200


# --- An account that works elsewhere --------------------------------------------------------------------
def test_an_account_of_another_event_is_asked_and_until_then_nobody_has_a_say_over_it(
    event: Event, elsewhere: Event, organiser: User, signed_in: Any
) -> None:
    theirs = account(elsewhere, Role.CLERK, "theirs")
    stranger = User.objects.get(username="stranger")
    give(event, "theirs", "clerk", organiser)
    assert roles_at(event, theirs) == frozenset()
    with pytest.raises(Forbidden):
        accounts.reset_password(theirs, by=organiser)
    accounts.reset_password(theirs, by=stranger)
    accounts.close_account(theirs, by=stranger)
    accounts.reopen_account(theirs, by=stranger)
    assert signed_in(theirs).get("/desk/hk-2026/").status_code == 404
    assert signed_in(theirs).post("/own-roles/hk-2026/", {"answer": "accept"}).status_code == 302
    assert roles_at(event, theirs) == {"clerk"}
    roles.answer_role_offer(event, accepts=True, by=theirs)
    for one in (organiser, stranger):
        with pytest.raises(Forbidden):
            accounts.reset_password(theirs, by=one)


def test_an_offer_that_is_declined_leaves_nothing(event: Event, elsewhere: Event, organiser: User) -> None:
    theirs = account(elsewhere, Role.CLERK, "theirs")
    give(event, "theirs", "clerk", organiser)
    roles.answer_role_offer(event, accepts=False, by=theirs)
    assert not Membership.granted.filter(event=event, user=theirs).exists()
    for accepts in (True, False):
        with pytest.raises(NotFoundRefused):
            roles.answer_role_offer(event, accepts=accepts, by=theirs)


def test_a_rehearsal_has_no_say_over_the_accounts_of_the_real_event(event: Event, organiser: User, clerk: User) -> None:
    copy = setup.create_event(event_data() | {"slug": "practice"})
    Event.objects.filter(pk=copy.pk).update(rehearsal=True)
    account(copy, Role.CLERK, "clerk")
    accounts.reset_password(clerk, by=organiser)
    assert [name for name, _who in acts(copy, "reset_password")] == ["reset_password"]
