"""Lines announced in the hall and tables called there: made, shown, ended, refused, and kept in the log."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.hall.hall_day import set_hours
from tournament.audit.models import AuditEntry
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.hall import services
from tournament.hall.models import Announcement, TableCall
from tournament.tables.models import Table

pytestmark = pytest.mark.django_db
LINE = {"text_zh": "頒獎禮改於六時舉行。", "text_en": "The prize ceremony is at six."}


@pytest.fixture
def today(first_session: Session, tables: list[Table]) -> Session:
    """The first session is of today, with three tables."""
    set_hours(first_session, timezone.now())
    return first_session


def told() -> dict[str, Any]:
    """What the hall is told beside its sessions."""
    facts = Client().get("/hall/hk-2026/now.json").json()
    return {name: facts[name] for name in ("announcements", "calls")}


def announce(event: Event, by: User, key: str = "a", **more: Any) -> int:
    until: datetime = more.pop("until", timezone.now() + timedelta(minutes=20))
    return services.announce(event, **(LINE | more), until=until, by=by, request_key=key)


def code_of(act: Callable[[], Any]) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def test_a_line_is_told_in_both_languages_until_somebody_ends_it(event: Event, organiser: User) -> None:
    key = announce(event, organiser)
    assert announce(event, organiser, until=Announcement.objects.get().until) == key
    [line] = told()["announcements"]
    assert (line["zh"], line["en"]) == (LINE["text_zh"], LINE["text_en"])
    services.end_announcement(event, key, by=organiser, request_key="e")
    services.end_announcement(event, key, by=organiser, request_key="e")
    assert told()["announcements"] == []
    assert code_of(lambda: services.end_announcement(event, key, by=organiser, request_key="f")) == "hall_sign_ended"
    entries = AuditEntry.objects.filter(subject=f"announcement {key}").order_by("seq")
    assert [entry.action for entry in entries] == ["announce_line", "end_announcement"]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"text_zh": " "}, "announcement_texts"),
        ({"text_en": ""}, "announcement_texts"),
        ({"text_zh": "字" * 61}, "announcement_texts"),
        ({"text_en": "x" * 121}, "announcement_texts"),
        ({"text_en": "a\x00b"}, "announcement_texts"),
        ({"until": timezone.now() - timedelta(minutes=1)}, "announcement_end"),
    ],
)
def test_a_line_that_is_no_line_or_is_over_is_refused(
    event: Event, organiser: User, given: dict[str, Any], code: str
) -> None:
    assert (code_of(lambda: announce(event, organiser, **given)), Announcement.objects.count()) == (code, 0)


def test_a_line_that_names_an_entrant_is_refused(event: Event, tables: list[Table], organiser: User) -> None:
    name = tables[0].seats.get(letter="A").entrant.person.name_en
    refused = code_of(lambda: announce(event, organiser, text_en=f"{name} to the desk"))
    assert (refused, Announcement.objects.count()) == ("text_names_somebody", 0)


def test_a_table_is_called_once_and_goes_on(today: Session, tables: list[Table], organiser: User) -> None:
    key = services.call_table(tables[2], "wait", by=organiser, request_key="c")
    assert services.call_table(tables[2], "wait", by=organiser, request_key="c") == key
    again = code_of(lambda: services.call_table(tables[2], "referee", by=organiser, request_key="d"))
    assert again == "table_called"
    assert [(call["table"], call["kind"]) for call in told()["calls"]] == [(3, "wait")]
    services.end_table_call(today.stage.event, key, by=organiser, request_key="e")
    assert (told()["calls"], TableCall.objects.get().ended_by) == ([], organiser)
    entries = AuditEntry.objects.filter(action__in=("call_table", "end_table_call")).order_by("seq")
    assert [entry.action for entry in entries] == ["call_table", "end_table_call"]


def test_the_desk_tells_the_hall_and_a_clerk_reads_what_it_was_told(
    today: Session, organiser: User, clerk: User, signed_in: Any
) -> None:
    address = reverse("hall_desk", args=["hk-2026"])
    desk = signed_in(organiser)
    empty = desk.get(address, headers={"Accept-Language": "en"}).content.decode()
    assert ("The hall is shown no announcement." in empty, "The hall is shown no call." in empty) == (True, True)
    soon = f"{timezone.localtime() + timedelta(minutes=5):%H:%M}"
    line = {"do": "announce", **LINE, "until": soon, "request_key": "a"}
    call = {"do": "call", "session": "1", "table": "2", "kind": "wait", "request_key": "c"}
    wrong = {**call, "table": "99", "request_key": "w"}
    assert [desk.post(address, sent).status_code for sent in (line, call, wrong)] == [302, 302, 400]
    page = signed_in(clerk).get(address).content.decode()
    assert (LINE["text_zh"] in page, 'value="announce"' in page) == (True, False)
    assert signed_in(clerk).post(address, line).status_code == 403
    for do, row in (("end_announcement", Announcement), ("end_call", TableCall)):
        sent = {"do": do, "key": row.objects.get().pk, "request_key": do}
        assert desk.post(address, sent).status_code == 302
    assert told() == {"announcements": [], "calls": []}
