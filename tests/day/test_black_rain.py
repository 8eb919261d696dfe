"""A Saturday of black rain through the pages: what the desk sees, decides and tells, and what families and public get.

The feed comes from a made-up Observatory, mail goes out by `manage.py work`, and at the end the log is verified.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from tests.observatory import Observatory
from tests.recorded import recorded
from tests.small_event import small_fixtures
from tests.weather.skies import DAY, Desk, moment, verdict
from tournament.core.enums import SessionState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.demo.stages import seed_event
from tournament.entrants.models.people import Person
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.operations.services.audit_verification import verify_events
from tournament.publication.services.files import write_public_files
from tournament.ranking.domain.standings import live_ranking
from tournament.setup.services.changes import change_event

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]
FIRST_DAY, FAMILIES = (1, 2, 3, 4), 31
"""Its sessions, and how many are entered for them and have not withdrawn."""
RAIN = {"WRAIN": {"code": "WRAINB", "actionCode": "ISSUE", "issueTime": "2026-03-28T08:25:00+08:00"}}


class Morning:
    """The hall's clock, the organiser's desk, the Observatory and a phone."""

    def __init__(self, event: Event, sky: Observatory) -> None:
        self.event, self.sky = event, sky
        self.desk, self.phone = Desk(User.objects.get(username="organiser")), Client()

    @contextmanager
    def at(self, clock: str | datetime) -> Iterator[None]:
        """From this moment on; the worker looks at the sky and sends what waits."""
        now = moment(clock) if isinstance(clock, str) else clock
        with time_machine.travel(now, tick=True):
            self.sky.now = now
            call_command("work", "--once")
            yield
            call_command("work", "--once")

    def post(self, path: str, **typed: Any) -> Any:
        """A form of the desk, which leads on."""
        answer = self.desk.client.post(f"/desk/hk-2026/{path}", typed, headers={"Accept-Language": "en"})
        assert answer.status_code == 302, (path, re.sub(r"\s+", " ", answer.content.decode()))
        return answer

    def told(self, kind: str, count: int, **more: str) -> Notice:
        """A notice as it is drafted from the day, published with the typed count."""
        query = "&".join(f"{name}={value}" for name, value in {"kind": kind, "day": str(DAY), **more}.items())
        form = self.desk.client.get(f"/desk/hk-2026/notices/new/?{query}").context["form"]
        typed = {name: form[name].value() for name in form.fields}
        self.post("notices/new/", **{name: value for name, value in typed.items() if value not in (None, False)})
        notice = Notice.objects.order_by("pk").last()
        assert notice is not None
        self.post(f"notices/{notice.pk}/publish/", revision=notice.revision, mail="on", confirmed=count)
        notice.refresh_from_db()
        return notice

    def banner(self) -> Any:
        """What every public page shows above itself."""
        return json.loads(self.phone.get("/p/hk-2026/banner.json").content)["banner"]

    def states(self) -> list[str]:
        """Of the first day's sessions."""
        found = Session.objects.filter(stage__event=self.event, number__in=FIRST_DAY).order_by("number")
        return [session.state for session in found]


@pytest.fixture
def morning(tmp_path: Path, settings: Any) -> Iterator[Morning]:
    """Twelve small sessions seated, everybody with an address, half of them to be written to in English."""
    settings.MAIL_RATE, settings.MAIL_FROM, settings.SITE_URL = 1000, "desk@example.org", "https://rummikub.example.org"
    with time_machine.travel(moment("20:00", DAY - timedelta(days=1))):
        event = seed_event("seated", 2, small_fixtures(tmp_path / "fixtures"))
    with recorded(event):
        for person in Person.objects.select_related("entrant"):
            number = person.entrant.number
            person.email, person.language = f"e{number}@example.org", "en" if number % 2 else "zh-hant"
            person.save(update_fields=["email", "language"])
    facts = {"contact": "2345 6789"}  # families are to ask about the new date
    organiser = User.objects.get(username="organiser")
    event = change_event(event, revision=event.revision, facts=facts, by=organiser)
    write_public_files(event)
    with Observatory() as sky:
        settings.OBSERVATORY_URL = sky.url
        yield Morning(event, sky)


def test_a_saturday_of_black_rain_from_pending_to_a_new_date(morning: Morning) -> None:
    frozen = morning.phone.get("/p/hk-2026/").content
    pending_at_twenty_to_ten(morning)
    called_off_at_ten(morning)
    a_new_date(morning)
    a_correction(morning)
    assert morning.phone.get("/p/hk-2026/").content == frozen
    everybody_was_told_once_and_nobody_else()
    assert verify_events(files=False).findings == []


def pending_at_twenty_to_ten(morning: Morning) -> None:
    """Black rain since 08:25: one screen, one notice."""
    morning.sky.payload = RAIN
    with morning.at("09:40"):
        assert verdict(morning.desk.page("zh-hant")) == "若不變：10:00 停賽"
        assert morning.desk.decide("cancel").status_code == 400, "before the deadline only an override with a reason"
        notice = morning.told("pending", FAMILIES)
    assert (notice.number, notice.title_zh) == (1, "3 月 28 日（星期六）比賽待定·黑雨生效中")
    assert (morning.banner()["number"], morning.banner()["tone"]) == (1, "wait")
    assert len(mail.outbox) == FAMILIES


def called_off_at_ten(morning: Morning) -> None:
    """A person confirms; the day's sessions are put off with their seats; the ranking waits for them."""
    seats = list(Session.objects.get(number=1).tables.values_list("seats__entrant__number", "seats__letter"))
    with morning.at("10:01"):
        assert verdict(morning.desk.page()) == "The rule says: called off"
        assert morning.states() == [SessionState.PLANNED] * 4
        assert morning.desk.decide("cancel").status_code == 302
        notice = morning.told("stopped", FAMILIES)
        ranking = morning.desk.client.get("/desk/hk-2026/preliminary/ranking/", headers={"Accept-Language": "en"})
    assert morning.states() == [SessionState.POSTPONED] * 4
    assert list(Session.objects.get(number=1).tables.values_list("seats__entrant__number", "seats__letter")) == seats
    assert (notice.number, morning.banner()["number"], morning.banner()["tone"]) == (2, 2, "stop")
    assert ranking.content.decode().count("new time to be announced") == len(FIRST_DAY)
    page = morning.phone.get("/p/hk-2026/notices/2/en/").content.decode()
    assert notice.title_en in page
    assert morning.phone.get("/p/hk-2026/notices/2/notice.pdf").content.startswith(b"%PDF")


def a_new_date(morning: Morning) -> None:
    """The day is played a week later, with every seat; ages are judged as before."""
    morning.sky.payload = {}
    sessions = list(Session.objects.filter(stage__event=morning.event, number__in=FIRST_DAY).order_by("number"))
    with morning.at(moment("11:00", DAY + timedelta(days=2))):
        typed = {"day": "2026-04-04", "reason": "場地可用"}
        for session in sessions:
            for name, at in (
                ("check_in", session.check_in_at),
                ("seating", session.seating_at),
                ("play", session.play_at),
                ("ends", session.ends_at),
            ):
                typed[f"s{session.pk}-{name}"] = f"{timezone.localtime(at):%H:%M}"
            typed[f"s{session.pk}-take"] = "on"
        morning.post(f"postponed/{DAY}/", **typed)
        notice = morning.told("new_date", FAMILIES)
    for session in sessions:
        session.refresh_from_db()
    local = [timezone.localtime(session.check_in_at) for session in sessions]
    assert [f"{at:%m-%d %H:%M}" for at in local] == ["04-04 12:00", "04-04 13:45", "04-04 15:30", "04-04 17:15"]
    assert {session.original_date for session in sessions} == {DAY}, "ages stay judged on the day announced (R1)"
    assert morning.states() == [SessionState.PLANNED] * 4
    assert "4 月 4 日" in notice.body_zh
    stage = Stage.objects.get(event=morning.event, kind="preliminary")
    assert live_ranking(stage).ranked == ()


def a_correction(morning: Morning) -> None:
    """What was told is not altered: another notice corrects it, and each page leads to the other."""
    with morning.at(moment("15:00", DAY + timedelta(days=2))):
        notice = morning.told("new_date", FAMILIES, corrects="3")
    assert (notice.number, notice.corrects and notice.corrects.number, morning.banner()["number"]) == (4, 3, 4)
    pages = [morning.phone.get(f"/p/hk-2026/notices/{number}/").content.decode() for number in (3, 4)]
    assert ("/p/hk-2026/notices/4/" in pages[0], "/p/hk-2026/notices/3/" in pages[1]) == (True, True)


def everybody_was_told_once_and_nobody_else() -> None:
    """Four notices, each to each family of the day once, in its language, to its own address alone."""
    assert [(row.kind, row.count, row.state) for row in Mailing.objects.order_by("pk")] == [
        ("notice", FAMILIES, "done")
    ] * 4
    assert set(Delivery.objects.values_list("state", flat=True)) == {"sent"}
    sent = [(message.to, message.cc, message.bcc, message.extra_headers["Message-ID"]) for message in mail.outbox]
    assert len(sent) == len({identity for *_to, identity in sent}) == 4 * FAMILIES
    rows = {row.message_id: row for row in Delivery.objects.select_related("entrant")}
    for (to, cc, bcc, identity), message in zip(sent, mail.outbox, strict=True):
        row = rows[identity]
        assert (to, cc, bcc) == ([f"e{row.entrant.number}@example.org"], [], [])
        english = row.entrant.number % 2 == 1
        assert ("Saturday 28 March" in message.body) == english, message.body
