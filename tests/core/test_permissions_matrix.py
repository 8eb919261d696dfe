"""Every address times every role, from a table that people can read: permissions_matrix.json.

The test walks Django's resolver, so that a new address without a row fails. An event's row names the roles with the
right, by method; a method without roles is not offered. Everybody else is refused: 403 a role without the right, 404
who has no role at the event, the sign-in page (the API: 401, `nobody`) who is not signed in.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import URLPattern, URLResolver, get_resolver, resolve, reverse
from django.utils import timezone

from tests.conftest import event_data
from tests.mail.mails import mail_results
from tests.mail.noticed import drafted, told
from tests.small_event import small_fixtures
from tests.squeezed import squeezed
from tournament.accounts.models import Proposal
from tournament.accounts.services import accounts, proposals
from tournament.accounts.services.roles import ROLE_PROPOSAL_ACT as ROLE
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.demo.stages import seed_event
from tournament.devices.models.device import Device, Pairing, QuarantinedSubmission
from tournament.devices.services.acting import ActingAccount
from tournament.entrants.models.final import Invitation
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant
from tournament.finalists.services import invitations
from tournament.messages.models import Mailing, Notice
from tournament.setup.services import setup
from tournament.sheets.models.conduct import Incident, JudgeCall
from tournament.sheets.services import scans
from tournament.tables.models import Table
from tournament.tablets.services import conduct

MATRIX: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "permissions_matrix.json").read_text())
METHODS = ("GET", "POST")
ROLES = ("organiser", "clerk", "referee", "chief_judge", "auditor")
STRANGERS = ("other_organiser", "superuser")
NOBODY = ("anonymous", "disabled")
EVERYONE = (*ROLES, *STRANGERS, *NOBODY)
USERNAMES = {
    "organiser": "organiser",
    "clerk": "clerk",
    "referee": "referee01",
    "chief_judge": "judge",
    "auditor": "auditor",
}

# A right-holder is never refused for who they are; what an empty request lacks is another matter.
REFUSED_FOR_THE_PERSON = {401, 403, 404, 405}
INSTANCES = 2
# Django's own views answer other methods as they answer a GET or an empty POST.
DJANGOS_OWN = frozenset({"set_language", "sign_in"})
# What no address of the API is: 404 by every method, to everybody.
NOWHERE = frozenset({"api_unknown"})


@pytest.fixture(scope="module")
def made(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Event, Path]]:
    """The world, made once for the module in a transaction that is taken back; its files' folder."""
    folder = tmp_path_factory.mktemp("var")
    fast = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    files = {"VAR_DIR": folder, "PUBLIC_ROOT": folder / "public", "PASSWORD_HASHERS": fast}
    with django_db_blocker.unblock(), transaction.atomic():
        with override_settings(**files):
            event = make_world(folder)
        yield event, folder
        transaction.set_rollback(True)


@pytest.fixture
def world(made: tuple[Event, Path], db: None, settings: Any) -> Event:
    """The event; what a test does to it is taken back."""
    event, settings.VAR_DIR = made
    settings.PUBLIC_ROOT = settings.VAR_DIR / "public"
    return event


def make_world(folder: Path) -> Event:
    """A small event, released, its final seated, beside another event with an organiser and a file of its own."""
    event = seed_event("final", 2, small_fixtures(folder))
    table = Table.objects.get(session__stage__event=event, session__number=1, number=1)
    clerk = User.objects.get(username="clerk")
    scans.attach_scan_to_table(table, content=b"%PDF-1.4 %%EOF", by=clerk, request_key="scan")
    give_tablet(table, clerk)
    conduct.call_judge(table, reason="a rack is disputed", acting=ActingAccount(clerk, "call"))
    # Of the others a clerk may confirm none here, where all sheets are locked.
    conduct.record_incident(table, kind="miscount", game=1, letter="A", acting=ActingAccount(clerk, "mark"))
    mail_results(event, User.objects.get(username="organiser"))
    drafted(event, User.objects.get(username="organiser"))
    told(event, User.objects.get(username="organiser"))
    propose_something(event)
    other = setup.create_event(event_data() | {"slug": "other-2026"})
    accounts.create_account(other, "other_organiser", "long enough for a test", "other", [Role.ORGANISER])
    EntrantFile.objects.create(
        event=other, name="x", digest="0", kind="csv", heads=[], rows=[], uploaded_at=event.results_at
    )
    User.objects.create_superuser("superuser", password="long enough for a test")
    gone = accounts.create_account(event, "disabled", "long enough for a test", "gone", list(Role))
    gone.is_active = False
    gone.save(update_fields=["is_active"])
    return event


def propose_something(event: Event) -> None:
    """An act that waits for its second person, and a role that waits for a third."""
    by = User.objects.get(username="organiser")
    giver = User.objects.get(username="clerk")
    accounts.add_account(event, username=f"waits-{event.pk}", name="waits", roles=[Role.REFEREE], by=giver)
    given = {"tied": ["0001", "0002"], "places": 1, "method": "pick", "reason": "A slip"}
    payload = {"of": "line", "stage": "preliminary", "ids": ["0001", "0002"], "order": ["0001"], "given": given}
    proposals.open_new_proposal(
        event, act="decide_tie", subject="stage line", payload=payload, seen="", reason="A slip", by=by
    )
    proposals.open_new_proposal(
        event, act="change_entrant", subject="entrant 0001", payload={}, seen="", reason="A slip", by=by
    )
    payload = {"session": Session.objects.filter(stage__event=event)[0].pk}
    proposals.open_new_proposal(
        event, act="replay_session", subject="session", payload=payload, seen="", reason="TC8", by=giver
    )


def give_tablet(table: Table, clerk: User) -> None:
    """A tablet of the table's referee, the code that made it, and an item that it brought late."""
    now = timezone.now()
    session, referee = table.session, table.referee or clerk
    paired = {"session": session, "referee": referee, "digest": "0", "expires_at": now}
    Pairing.objects.create(**paired, tables=[table.number], made_by=clerk, made_at=now)
    device = Device.objects.create(
        **paired, event=session.stage.event, number=1, paired_by=clerk, paired_at=session.play_at
    )
    body = {"referee": referee.pk, "made_at": "2026-03-28T03:00:00Z", "typed": {}}
    QuarantinedSubmission.objects.create(
        event=device.event, table=table, device=device, key="k", act="save", body=body, received_at=now, because="late"
    )


def client_of(who: str) -> Client:
    """A browser of this person's; the disabled one was signed in before."""
    client = Client(raise_request_exception=False)
    if who != "anonymous":
        client.force_login(User.objects.get(username=USERNAMES.get(who, who)))
    return client


def addresses() -> Iterator[tuple[str, set[str]]]:
    """Name and parameters of every address of the resolver."""

    def walk(patterns: list[URLPattern | URLResolver], above: set[str]) -> Iterator[tuple[str, set[str]]]:
        for pattern in patterns:
            own = above | set(pattern.pattern.converters)
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns, own)
            else:
                yield str(pattern.name), own

    yield from walk(get_resolver().url_patterns, set())


# Pages of the last stage, and of the list of who plays it.
OF_THE_LAST = frozenset({"podium", "award", "certificates", "finalists", "invitation_letters", "invitation_list"}) | {
    *("make_links", "freeze_finalists", "thaw_finalists", "exchange_finalist", "replace_link", "revoke_link"),
}


def parts_of(name: str, parameters: set[str], given: dict[str, Any]) -> dict[str, Any]:
    """What an address is made of; a page of a stage is that of one which has such a page."""
    of_stage = {"stage": "final" if name in OF_THE_LAST else "preliminary"}
    return {key: {**of_stage, **given}[key] for key in parameters}


def values(event: Event) -> dict[str, Any]:
    """An object that is there, for each parameter."""
    file = EntrantFile.objects.get(event=event)
    clerk = User.objects.get(username="clerk").pk
    tablet = {"tablet": 1, "pairing": Pairing.objects.get().pk, "held": QuarantinedSubmission.objects.get().pk}
    asked = Proposal.objects.filter(event=event)
    tablet |= {"proposal": asked.get(act="change_entrant").pk, "question": asked.get(act=ROLE).pk}
    tablet["replay"] = asked.get(act="replay_session").pk
    tablet |= {"decision": asked.get(act="decide_tie").pk, "of": "line"}
    tablet["call"], tablet["mark"] = JudgeCall.objects.get().pk, Incident.objects.get().pk
    tablet["mailing"] = Mailing.objects.get(event=event).pk
    tablet["notice"] = Notice.objects.filter(event=event, number=None).order_by("pk")[0].pk
    token = invitations.place_link_token(Invitation.objects.filter(entrant__event=event).order_by("pk")[0])
    tablet["own_token"] = 9999
    at_table = {"session": 1, "table": 1, "number": 1, "day": "2026-03-28", "language": "en"}
    return {"event": event.slug, "file": file.pk, "account": clerk, "token": token, **at_table, **tablet}


def ask(client: Client, method: str, address: str) -> HttpResponse:
    """One request whose effect is taken back."""
    with transaction.atomic():
        response = client.generic(method, address)
        transaction.set_rollback(True)
    return response


def to_sign_in(response: HttpResponse) -> bool:
    """The answer to somebody who is not signed in."""
    return response.status_code == 302 and response["Location"].startswith(reverse("sign_in"))


def fault(row: dict[str, Any], who: str, method: str, response: HttpResponse) -> bool:
    """Whether the answer is another than the row says."""
    status = response.status_code
    if "of_no_event" in row:
        if who in row["of_no_event"].split():
            return status in REFUSED_FOR_THE_PERSON or status >= 500
        return not to_sign_in(response) if who in NOBODY else status != 403
    if "all" in row:
        by_method = row["all"] | (row.get("signed_in", {}) if who not in NOBODY else {})
        return status != by_method[method]
    if method not in row:
        refused = {405, 403} if who in ROLES else {405, 404} if who in STRANGERS else {405, row.get("nobody", 405)}
        return status not in refused and not (who in NOBODY and to_sign_in(response))
    if who in NOBODY:
        return status != row["nobody"] if "nobody" in row else not to_sign_in(response)
    if who in STRANGERS:
        return status != 404
    if who in row[method].split():
        return status in REFUSED_FOR_THE_PERSON or status >= 500 or (method == "GET" and status not in (200, 302))
    return status != 403


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    assert {name for name, _ in addresses()} == set(MATRIX)


@pytest.mark.long
@pytest.mark.once
def test_every_role_at_every_address_gets_what_its_row_says(world: Event) -> None:
    given = values(world)
    wrong, cells = [], 0
    for who in EVERYONE:
        one = client_of(who)
        for name, parameters in addresses():
            address = reverse(name, kwargs=parts_of(name, parameters, given))
            for method in METHODS:
                # Signing out would end the session for all that follows.
                client = client_of(who) if name == "sign_out" else one
                response = ask(client, method, address)
                cells += 1
                if fault(MATRIX[name], who, method, response):
                    wrong.append(f"{who} {method} {name}: {response.status_code}")
    assert wrong == []
    assert cells == len(MATRIX) * len(EVERYONE) * len(METHODS)


@pytest.mark.once
def test_methods_that_no_page_offers_are_refused_to_everybody(world: Event) -> None:
    given = values(world)
    for who in ("organiser", "anonymous"):
        client = client_of(who)
        for name, parameters in addresses():
            address = reverse(name, kwargs=parts_of(name, parameters, given))
            for method in ("PUT", "PATCH", "DELETE") if name not in DJANGOS_OWN else ():
                response = ask(client, method, address)
                refused = {403, 405, MATRIX[name].get("nobody", 405)} if who == "anonymous" else {403, 405}
                offered = who == "organiser" and method in MATRIX[name]
                said = f"{who} {method} {name}: {response.status_code}"
                assert offered or response.status_code in refused or to_sign_in(response) or name in NOWHERE, said


@pytest.mark.once
def test_what_is_not_there_or_belongs_to_another_event_is_the_same_404(world: Event) -> None:
    foreign = EntrantFile.objects.exclude(event=world).get().pk
    stranger = User.objects.get(username="other_organiser").pk
    missing = {"event": world.slug, "file": foreign, "session": 99, "table": 99, "number": 9999, "account": stranger}
    missing |= {"tablet": 99, "pairing": 9999, "held": 9999, "call": 9999, "mark": 9999, "day": "2020-01-01"}
    missing |= {"mailing": 9999, "notice": 9999, "proposal": 9999, "question": 9999, "decision": 9999, "of": "nothing"}
    missing["replay"] = 9999
    missing |= {"own_token": 9999, "stage": "nothing"}
    wrong, clients = [], {who: client_of(who) for who in ROLES}
    for name, parameters in addresses():
        # An address of before leads on, and what it leads to is not found (test_old_addresses).
        if parameters <= {"event"} or name.startswith("old_"):
            continue
        for method in METHODS:
            if method in MATRIX[name]:
                address = reverse(name, kwargs=parts_of(name, parameters, missing))
                status = ask(clients[MATRIX[name][method].split()[0]], method, address).status_code
                if status != 404:
                    wrong.append(f"{method} {name}: {status}")
    assert wrong == []


def links_of(client: Client) -> dict[str, HttpResponse]:
    """Every page that one reaches by links from the list of events, a few of each kind; GET only."""
    found: dict[str, HttpResponse] = {}
    waiting, kinds = [reverse("desk")], dict[str, int]()
    while waiting:
        address = waiting.pop(0)
        path = address.partition("?")[0]
        name = resolve(path).url_name
        if address in found or kinds.get(name, 0) >= INSTANCES:
            continue
        kinds[name] = kinds.get(name, 0) + 1
        found[address] = ask(client, "GET", address)
        if found[address].status_code == 200 and found[address]["Content-Type"].startswith("text/html"):
            waiting += [link for link in hrefs(found[address]) if link.startswith("/desk/")]
    return found


def hrefs(response: HttpResponse) -> list[str]:
    """Where the page leads, without the places inside it."""
    links = re.findall(r'href="([^"]+)"', squeezed(response.content.decode()))
    return [link.replace("&amp;", "&").partition("#")[0] for link in links]


@pytest.mark.long
@pytest.mark.once
def test_a_page_leads_nobody_where_they_may_not_go_and_no_found_address_opens_to_others(world: Event) -> None:
    Entrant.objects.filter(number=1).update(status="withdrawn")
    found: dict[str, set[str]] = {}
    for who in ROLES:
        for address, response in links_of(client_of(who)).items():
            assert response.status_code in (200, 302), f"{who} is led to {address}: {response.status_code}"
            found.setdefault(address, set()).add(who)
    wrong = []
    for who in EVERYONE:
        client = client_of(who)
        for address in found:
            name = str(resolve(address.partition("?")[0]).url_name)
            response = ask(client, "GET", address)
            if fault(MATRIX[name], who, "GET", response):
                wrong.append(f"{who} {address}: {response.status_code}")
    assert wrong == []
    assert len(found) > 20


OVERRIDING = {"X-HTTP-Method-Override": "POST", "X-HTTP-Method": "PUT", "X-Method-Override": "DELETE"}


def programs() -> list[tuple[str, set[str]]]:
    """The API's addresses that are somebody's right."""
    return [(name, own) for name, own in addresses() if name.startswith("api_") and MATRIX[name].get("nobody") == 401]


@pytest.mark.long
@pytest.mark.once
@pytest.mark.fault("Z15")
def test_no_method_header_suffix_or_format_opens_the_api_to_anybody_more(world: Event) -> None:
    given = values(world)
    wrong, cells = [], 0
    for who in EVERYONE:
        client = client_of(who)
        for name, parameters in programs():
            address = reverse(name, kwargs=parts_of(name, parameters, given))
            refused = {405, 401} if who in NOBODY else {405, 404} if who in STRANGERS else {405, 403}
            asked = [(method, method in ("PATCH", "OPTIONS")) for method in ("PUT", "PATCH", "DELETE", "OPTIONS")]
            for method, overridden in asked:
                with transaction.atomic():
                    status = client.generic(method, address, headers=OVERRIDING if overridden else {}).status_code
                    transaction.set_rollback(True)
                cells += 1
                if method not in MATRIX[name] and status not in refused:
                    wrong.append(f"{who} {method} {address}: {status}")
            plain, formatted = (client.get(path) for path in (address, f"{address}?format=html"))
            cells += 1
            if formatted.status_code not in (plain.status_code, 400) or "json" not in formatted["Content-Type"]:
                wrong.append(f"{who} GET {address}?format=html: {formatted.status_code}")
    assert wrong == []
    assert cells == len(EVERYONE) * len(programs()) * 5


@pytest.mark.once
def test_another_spelling_of_an_address_of_the_api_is_no_address(world: Event) -> None:
    given = values(world)
    for name, parameters in programs():
        address = reverse(name, kwargs=parts_of(name, parameters, given)).rstrip("/")
        for path in (address, f"{address}.json", f"{address}//", f"{address}.json/"):
            assert resolve(path).url_name == "api_unknown", path
