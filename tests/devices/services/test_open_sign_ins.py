"""Where an account is signed in: listed, ended one by one or at once, and ended by a changed password."""

import getpass
from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from tests.conftest import PASSWORD, account
from tests.squeezed import squeezed
from tests.tablets.tablet_caller import Tablet
from tournament.accounts.services import accounts
from tournament.api import services
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.devices.models.device import Device
from tournament.devices.services import open_sign_ins
from tournament.operations.services.audit_verification import verify_events

NEW = "山水有相逢 2026 飲茶"


def browser(user: User, name: str) -> Client:
    """Signed in through the page, as people are."""
    client = Client(headers={"User-Agent": name})
    answer = client.post("/sign-in/", {"username": user.username, "password": PASSWORD})
    assert answer.status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/own-password/").status_code == 200


def test_a_browser_that_is_ended_is_out_and_the_others_stay(clerk: User, organiser: User) -> None:
    desk, phone = browser(clerk, "Desk"), browser(clerk, "Phone")
    browser(organiser, "Another's")
    page = squeezed(desk.get("/own-password/").content.decode())
    assert [one.browser for one in open_sign_ins.signed_in(clerk)] == ["Phone", "Desk"]
    assert "Phone" in page and "Another" not in page
    assert all(session.session_key not in page for session, _held in open_sign_ins.iter_account_sessions(clerk))
    [lost] = [one for one in open_sign_ins.signed_in(clerk) if one.browser == "Phone"]
    for _again in range(2):
        assert desk.post("/own-sign-ins/end/", {"id": lost.id}).status_code == 302
    assert (is_in(desk), is_in(phone)) == (True, False)
    assert AuditEntry.objects.filter(action="end_sign_ins").count() == 1


def test_nobody_ends_a_session_or_a_token_of_another(clerk: User, organiser: User) -> None:
    desk, other = browser(clerk, "Desk"), browser(organiser, "Other")
    token, text = services.make_token(organiser, name="export")
    other_id = open_sign_ins.signed_in(organiser)[0].id
    desk.post("/own-sign-ins/end/", {"id": other_id})
    assert desk.post(f"/own-tokens/{token.pk}/end/").status_code == 404
    assert (is_in(other), services.account_of_api_token(text)) == (True, organiser)


def test_a_changed_password_ends_all_that_the_old_one_opened_but_here(
    tablet: Tablet, referee: User, event: Event
) -> None:
    here, phone = browser(referee, "Here"), browser(referee, "Phone")
    _token, text = services.make_token(referee, name="export")
    assert Device.objects.get().opened_by == referee
    typed = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert here.post("/own-password/", typed).status_code == 302
    assert (is_in(here), is_in(phone), services.account_of_api_token(text)) == (True, False, None)
    assert Device.objects.get().opened_by is None


def test_a_password_changed_at_the_machine_ends_all_that_the_old_one_opened(
    tablet: Tablet, referee: User, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = browser(referee, "Phone")
    _token, text = services.make_token(referee, name="export")
    monkeypatch.setattr(getpass, "getpass", lambda prompt: NEW)
    call_command("changepassword", referee.username, stdout=StringIO())
    referee.refresh_from_db()
    assert (referee.check_password(NEW), is_in(phone), services.account_of_api_token(text)) == (True, False, None)
    assert Device.objects.get().opened_by is None
    assert AuditEntry.objects.get(action="end_sign_ins").actor is None
    assert verify_events(files=False).exit_code == 0


@pytest.mark.parametrize("act", [accounts.reset_password, accounts.close_account, accounts.end_sign_ins])
def test_whom_an_organiser_puts_out_is_out_everywhere(
    act: object, tablet: Tablet, referee: User, organiser: User
) -> None:
    phone = browser(referee, "Phone")
    _token, text = services.make_token(referee, name="export")
    for _again in range(2):
        act(referee, by=organiser)  # type: ignore[operator]
    assert (is_in(phone), services.account_of_api_token(text), Device.objects.get().opened_by) == (False, None, None)


def test_who_works_at_another_event_too_is_put_out_by_an_organiser_of_both_alone(
    event: Event, clerk: User, organiser: User
) -> None:
    services.make_token(clerk, name="export")
    page = f"/desk/{event.slug}/accounts/{clerk.pk}/sign-ins/end/"
    assert browser(organiser, "Desk").post(page).status_code == 302
    assert open_sign_ins.valid_tokens_of(clerk) == []
    assert browser(account(event, Role.CLERK, "other"), "Other").post(page).status_code == 403


def test_a_sign_in_that_is_used_lives_on_and_one_that_nobody_uses_ends(clerk: User) -> None:
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        used, unused = browser(clerk, "Used"), browser(clerk, "Unused")
        for hours in (5, 10, 15):
            clock.move_to(start + timedelta(hours=hours))
            assert is_in(used)
        assert not is_in(unused)
        assert [one.browser for one in open_sign_ins.signed_in(clerk)] == ["Used"]
