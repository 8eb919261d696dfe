"""The pages of mail that came back in Chromium: on a phone, a tablet and a laptop, empty, long and with trouble."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Browser

from tests.browser import assert_fits, window_of
from tests.messages.bounced import RETURN, mailed
from tournament.core.enums import BounceKind
from tournament.core.models.event import Event
from tournament.entrants.models.people import Person
from tournament.mail.services import bounces
from tournament.messages.models import BounceReading

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SIZES = ((390, 844), (1024, 768), (1280, 800))
LONG = (
    "550 5.1.1 <family-5001@families.example>: Recipient address rejected: User unknown in virtual mailbox table; " * 3
)


@pytest.mark.parametrize("language", ["zh-hant", "en"])
def test_what_came_back_fits_on_every_screen(
    language: str, event: Event, organiser: User, browser: Browser, live_server: Any, settings: Any
) -> None:
    settings.MAIL_BOUNCES, settings.MAIL_BOUNCES_BOX = RETURN, "imaps://a:b@127.0.0.1:1/INBOX"
    page, desk = window_of(browser, live_server.url, organiser), f"{live_server.url}/desk/hk-2026/"
    page.context.add_cookies([{"name": "django_language", "value": language, "url": live_server.url}])
    for path in ("mailings/", "mailings/telephone/"):
        page.goto(desk + path)
        assert_fits(page, SIZES)
    rows = mailed(event, organiser, count=30)[1]
    for row in rows[:20]:
        bounces.record_bounce(row, BounceKind.HARD, code="5.1.1", words=LONG)
    bounces.record_bounce(rows[20], BounceKind.SOFT, code="4.2.2", words="452 later")
    bounces.record_bounce(rows[21], BounceKind.COMPLAINT, words="abuse")
    Person.objects.filter(entrant__number=5030).update(email="")
    BounceReading.objects.update_or_create(
        pk=1, defaults={"read_at": timezone.now(), "trouble": "not_safe", "recorded": 22, "unknown": 3, "unreadable": 1}
    )
    for path in ("", "mailings/", f"mailings/{rows[0].mailing_id}/", "mailings/telephone/", "mailings/new/notice/1/"):
        page.goto(desk + path)
        assert_fits(page, SIZES)
