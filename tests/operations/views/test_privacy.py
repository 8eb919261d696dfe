"""The page of personal data: what is held, until when, who erases; nothing goes without what was typed."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.sheets.sheets import add_entrants
from tests.squeezed import squeezed
from tournament.core.enums import JobKind, JobState
from tournament.core.models.event import Event
from tournament.core.models.job import Job, Worker
from tournament.core.models.stage import Session
from tournament.core.names import ERASED_NAMES
from tournament.entrants.models.people import Entrant, Person
from tournament.operations.models import Erasure
from tournament.operations.services import erasure, retention
from tournament.operations.services.erasure_scope import ErasureScope
from tournament.operations.tasks.due import run_date_checks
from tournament.operations.tasks.working import work_one
from tournament.releases.models import Release

LONG_AGO = date(2020, 1, 1)
ENGLISH = {"Accept-Language": "en"}


@pytest.fixture
def over(event: Event, first_session: Session) -> Event:
    """An event whose day is over, with three people."""
    add_entrants(first_session, [1, 2, 3])
    Event.objects.filter(pk=event.pk).update(retention_on=LONG_AGO)
    event.refresh_from_db()
    return event


@pytest.fixture
def client(signed_in: Any, organiser: User) -> Client:
    return signed_in(organiser)


def page(client: Client, address: str = "privacy/") -> str:
    return squeezed(client.get(f"/desk/hk-2026/{address}", headers=ENGLISH).content.decode())


def left() -> int:
    """How many are not erased."""
    return Person.objects.filter(erased_at=None).count()


def test_it_says_how_many_until_when_and_by_whom(over: Event, client: Client) -> None:
    shown = page(client)
    assert all(words in shown for words in ("Kept until", "Then an organiser erases it", "Erase for good"))
    Event.objects.filter(pk=over.pk).update(erase_by_itself=True, retention_on=timezone.localdate())
    shown = page(client)
    assert "Then a worker erases it by itself" in shown
    assert "Erase for good" not in shown
    Event.objects.filter(pk=over.pk).update(retention_on=None)
    assert "nothing is ever erased" in page(client)


def test_everybody_goes_only_with_the_events_address_typed(over: Event, client: Client) -> None:
    wrong = client.post("/desk/hk-2026/privacy/", {"confirm": "hk"}, headers=ENGLISH)
    assert (wrong.status_code, "Type exactly hk-2026" in squeezed(wrong.content.decode()), left()) == (400, True, 3)
    assert client.post("/desk/hk-2026/privacy/", {"confirm": "hk-2026"}).status_code == 302
    assert (left(), "All of it is erased" in page(client)) == (0, True)
    again = client.post("/desk/hk-2026/privacy/", {"confirm": "hk-2026"})
    assert (again.status_code, Erasure.objects.count()) == (302, 1)


def test_before_the_day_the_act_is_refused_too(over: Event, client: Client) -> None:
    Event.objects.filter(pk=over.pk).update(retention_on=timezone.localdate())
    answer = client.post("/desk/hk-2026/privacy/", {"confirm": "hk-2026"}, headers=ENGLISH)
    assert (answer.status_code, "is kept until" in squeezed(answer.content.decode()), left()) == (409, True, 3)


def test_where_a_worker_is_there_it_erases_and_the_page_says_how_far(over: Event, client: Client) -> None:
    Worker.objects.create(name="w", beat_at=timezone.now())
    client.post("/desk/hk-2026/privacy/", {"confirm": "hk-2026"})
    assert (left(), "Personal data is being erased" in page(client)) == (3, True)
    assert 'data-poll="/desk/hk-2026/privacy/progress/"' in page(client, "privacy/progress/")
    job = work_one("w")
    assert job is not None
    assert (Job.objects.get().state, left()) == (JobState.DONE, 0)
    assert Erasure.objects.get().by == User.objects.get(username="organiser")
    assert "data-over" in page(client, "privacy/progress/")


def test_one_person_goes_with_reason_and_number_typed(over: Event, client: Client) -> None:
    address = "/desk/hk-2026/entrants/2/erase/"
    assert address in page(client, "entrants/2/")
    assert "Type 0002 to confirm" in page(client, "entrants/2/erase/")
    for sent in ({"confirm": "0002"}, {"reason": "asked"}, {"reason": "asked", "confirm": "0001"}):
        assert client.post(address, sent).status_code == 400
    assert left() == 3
    kept = squeezed(client.post(address, {"reason": "a parent asked", "confirm": "2"}).content.decode())
    assert "a parent asked" in kept
    assert client.post(address, {"reason": "a parent asked", "confirm": "0002"}).status_code == 302
    shown = page(client, "entrants/2/")
    assert (left(), "data is erased." in shown, ERASED_NAMES[0] in shown) == (2, True, True)
    assert address not in shown
    assert "a parent asked" in page(client)


# --- By itself ------------------------------------------------------------------------------------------
def test_a_worker_erases_by_itself_only_where_an_organiser_said_so_and_the_day_is_over(over: Event) -> None:
    run_date_checks()
    assert not Job.objects.exists()
    Event.objects.filter(pk=over.pk).update(erase_by_itself=True, retention_on=timezone.localdate())
    run_date_checks()
    assert not Job.objects.exists()
    Event.objects.filter(pk=over.pk).update(retention_on=LONG_AGO)
    run_date_checks()
    run_date_checks()
    assert Job.objects.get().kind == JobKind.ERASE
    work_one("w")
    run_date_checks()
    assert (left(), Job.objects.count(), Erasure.objects.get().by) == (0, 1, None)


def test_one_that_a_fault_of_ours_stopped_in_the_middle_says_that_what_it_erased_is_gone(
    over: Event, first_session: Session, client: Client, organiser: User
) -> None:
    Worker.objects.create(name="w", beat_at=timezone.now())
    by = {"released_at": timezone.now(), "released_by": organiser, "audit_seq": 1}
    Release.objects.create(stage=first_session.stage, number=1, content={"ranking": None}, sheets=[], **by)
    client.post("/desk/hk-2026/privacy/", {"confirm": "hk-2026"})
    work_one("w")
    assert (Job.objects.get().state, left()) == (JobState.BROKEN, 0)
    shown = page(client)
    assert ("what it had erased by then is gone" in shown, "nothing was changed" in shown) == (True, False)


def test_one_that_a_fault_stopped_is_not_asked_for_with_every_look(over: Event) -> None:
    Event.objects.filter(pk=over.pk).update(erase_by_itself=True)
    [job] = retention.check_retention_dates()
    Job.objects.filter(pk=job.pk).update(state=JobState.BROKEN)
    assert retention.check_retention_dates() == []
    assert (
        len(retention.check_retention_dates(timezone.now() + retention.ERASURE_RETRY_AFTER + timedelta(minutes=1))) == 1
    )


@pytest.mark.parametrize(
    ("days", "by_itself", "words"),
    [
        (20, False, ""),
        (13, False, "Then an organiser erases it"),
        (13, True, "Then a worker erases it by itself"),
        (-1, False, "Erase it now"),
        (-1, True, "waits for a worker"),
    ],
)
def test_the_overview_reminds_and_says_what_will_happen(
    over: Event, client: Client, days: int, by_itself: bool, words: str
) -> None:
    day = timezone.localdate() + timedelta(days=days)
    Event.objects.filter(pk=over.pk).update(retention_on=day, erase_by_itself=by_itself)
    shown = page(client, "")
    assert ("Personal data" in shown, words in shown) == (bool(words), True)


def test_an_erasure_that_broke_off_waits_on_the_overview_and_on_its_page(over: Event, client: Client) -> None:
    erasure.begin_erasure(ErasureScope(over), "retention date", None)
    assert "broke off" in page(client, "")
    assert "broke off" in page(client)
    client.post("/desk/hk-2026/privacy/", {"confirm": "hk-2026"})
    assert (left(), Erasure.objects.filter(finished_at=None).count(), Entrant.objects.count()) == (0, 0, 3)


def test_the_set_up_asks_who_erases_and_says_it(over: Event, client: Client) -> None:
    assert "Then an organiser erases it" in page(client, "setup/")
    form = client.get("/desk/hk-2026/setup/event/").context["form"]
    sent = {name: form[name].value() for name in form.fields if name != "slug"} | {"erase_by_itself": "1"}
    sent |= {"results_hour": "00:00"}
    answer = client.post(
        "/desk/hk-2026/setup/event/", {name: value for name, value in sent.items() if value is not None}
    )
    assert answer.status_code == 302
    assert "Then a worker erases it by itself" in page(client, "setup/")
