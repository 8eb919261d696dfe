"""Mailings through the API: planned, begun with the confirmed count, paused, stopped, failures tried again."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.caller import Caller, code
from tests.finalists.invited import invited
from tests.mail.mails import give_addresses, mail_results
from tests.sheets.tables import settle
from tournament.core.enums import DeliveryState
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Person
from tournament.messages.models import Delivery, Mailing

SEATS = "mail/seats/1/"


@pytest.fixture
def program(organiser: User) -> Caller:
    return Caller(organiser)


@pytest.fixture
def seated(first_session: Session, organiser: User) -> Session:
    """Eleven with confirmed seats, 0301 without an address, 0302 writes English."""
    settle(first_session, organiser, [4, 4, 3])
    give_addresses(first_session.stage.event, english=(302,))
    Person.objects.filter(entrant__number=301).update(email="")
    return first_session


@pytest.fixture
def released(first_session: Session, organiser: User, settings: Any) -> Stage:
    """Twelve with a released ranking, each with an address; the server is known from outside."""
    settings.SITE_URL = "https://rummikub.example.org"
    stage = invited(first_session, organiser)[0]
    give_addresses(stage.event)
    return stage


@pytest.fixture
def mailing(released: Stage, organiser: User) -> Mailing:
    """The results, confirmed, nothing of it sent yet."""
    return mail_results(released.event, organiser)


def test_seats_are_mailed_once_with_the_count_that_was_read(program: Caller, seated: Session) -> None:
    planned = program.get(SEATS).json()
    assert planned == {
        "kind": "seats",
        "subject": "session 0328-1",
        "refused": None,
        "count": 10,
        "every": 10,
        "english": 1,
        "told": 0,
        "missing": [301],
        "seen": 0,
        "open": False,
    }
    wrong = program.change(SEATS, {"confirmed": 11, "seen": 0})
    made = program.change(SEATS, {"confirmed": 10, "seen": 0})
    again = program.change(SEATS, {"confirmed": 10, "seen": 0})
    assert (code(wrong), wrong.json()["current"]) == ((409, "count_differs"), planned)
    assert (made.status_code, again.json(), Delivery.objects.count()) == (201, made.json(), 10)
    figures = {"sent": 0, "failed": 0, "left": 10, "state": "sending", "asked_by": "organiser"}
    assert {name: made.json()[name] for name in figures} == figures
    late = program.change(SEATS, {"confirmed": 10, "seen": made.json()["id"]})
    assert (code(late), late.json()["current"]["open"]) == ((409, "mailing_open"), True)


def test_who_has_got_it_is_mailed_again_only_on_demand(program: Caller, seated: Session) -> None:
    made = program.change(SEATS, {"confirmed": 10, "seen": 0}).json()["id"]
    Delivery.objects.exclude(entrant__number=305).update(state=DeliveryState.SENT)
    program.change(f"mailings/{made}/stop/")
    planned = program.get(SEATS).json()
    assert {name: planned[name] for name in ("count", "every", "told", "seen")} == {
        "count": 1,
        "every": 10,
        "told": 9,
        "seen": made,
    }
    assert program.change(SEATS, {"confirmed": 10, "seen": made, "all": True}).json()["count"] == 10


def test_what_cannot_be_mailed_says_why(program: Caller, first_session: Session) -> None:
    refused = program.get(SEATS).json()["refused"]
    tried = program.change(SEATS, {"confirmed": 0, "seen": 0})
    assert (refused["code"], code(tried)) == ("seats_not_confirmed", (409, "seats_not_confirmed"))
    assert [program.get(path).status_code for path in ("mail/seats/99/", "mail/results/1/")] == [404, 404]


def test_results_and_links_are_mailed_and_no_answer_holds_a_link(program: Caller, released: Stage) -> None:
    program.change("final/finalists/links/")
    for path, count in (("mail/results/1/", 12), ("mail/places/", 4)):
        planned = program.get(path)
        made = program.change(path, {"confirmed": count, "seen": 0})
        assert (planned.json()["count"], made.status_code, made.json()["count"]) == (count, 201, count)
        assert b"/place/" not in planned.content + made.content
    listed = program.get("mailings/?limit=1").json()
    assert (listed["count"], listed["mailings"][0]["kind"], listed["next"]) == (
        2,
        "results",
        listed["mailings"][0]["id"],
    )


def test_the_list_asks_as_many_queries_for_three_as_for_one(program: Caller, mailing: Mailing) -> None:
    program.get("mailings/")  # The token is noted as used.
    counts = []
    for more in (0, 2):
        for _each in range(more):
            Mailing.objects.filter(pk=mailing.pk).update(state="done")
            mailing.pk = None
            mailing.save(force_insert=True)
        with CaptureQueriesContext(connection) as asked:
            program.get("mailings/")
        counts.append(len(asked))
    assert (counts, Mailing.objects.count()) == ([counts[0]] * 2, 3)


def test_a_mailing_is_paused_gone_on_with_and_stopped(program: Caller, mailing: Mailing) -> None:
    address = f"mailings/{mailing.pk}/"
    acts = ("pause", "pause", "resume", "stop", "stop")
    assert [program.change(f"{address}{act}/").json()["state"] for act in acts] == [
        "paused",
        "paused",
        "sending",
        "stopped",
        "stopped",
    ]
    assert code(program.change(f"{address}resume/")) == (409, "mailing_ended")
    assert program.get(address).json()["counts"] == {"waiting": 0, "sending": 0, "sent": 0, "failed": 0, "stopped": 12}


def test_failures_are_told_by_number_and_tried_again(program: Caller, mailing: Mailing) -> None:
    first, second = mailing.deliveries.order_by("entrant__number")[:2]
    for one in (first, second):
        words = f"550 <{one.address.upper()}> unknown"
        Delivery.objects.filter(pk=one.pk).update(state=DeliveryState.FAILED, tries=1, answer=words)
    address = f"mailings/{mailing.pk}/"
    part = program.get(f"{address}?limit=1")
    [line] = part.json()["failures"]
    number = first.entrant.number
    assert (line, part.json()["next"]) == (
        {
            "number": number,
            "also": [],
            "address": "f***@example.org",
            "language": "zh-hant",
            "tries": 1,
            "answer": "550 <f***@example.org> unknown",
        },
        number,
    )
    assert program.change(f"{address}retry/", {"numbers": [number]}).json()["failed"] == 1
    assert program.change(f"{address}retry/").json()["failed"] == 0


def test_an_auditor_reads_and_mails_nothing_and_a_clerk_not_even_reads(
    mailing: Mailing, auditor: User, clerk: User
) -> None:
    program = Caller(auditor)
    address = f"mailings/{mailing.pk}/"
    assert [program.get(one).status_code for one in ("mailings/", address, SEATS)] == [200, 200, 403]
    assert [Caller(clerk).get(one).status_code for one in ("mailings/", address, SEATS)] == [403, 403, 403]
    assert program.change(f"{address}stop/").status_code == 403
