"""The pictures of docs/weather.md: the day's decision in its states, a notice as banner, sheet and mail.

    python -m scripts.screenshots_weather

The seated demo is made once in a folder of its own; for each state it is put back, the sky is made, and the page is
taken with the clock of the server standing at that hour.
"""

import io
import logging
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

os.environ["DJANGO_SETTINGS_MODULE"] = "tournament.settings"
os.environ |= {"DEBUG": "1", "PLAIN_STATIC": "1", "DJANGO_ALLOW_ASYNC_UNSAFE": "1", "EMAIL_URL": ""}
os.environ |= {"VAR_DIR": tempfile.mkdtemp(prefix="sky-"), "SITE_URL": "https://rummikub.example.org"}
os.environ.pop("DATABASE_URL", None)

import django

django.setup()

import pypdfium2  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.contrib.staticfiles.handlers import StaticFilesHandler  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.servers.basehttp import get_internal_wsgi_application, run  # noqa: E402
from django.db import connection, connections  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402

from tests.browser import SHELL, window_of, with_hong_kong_fonts  # noqa: E402
from tests.tournament.skies import DAY, Desk, address, entry, observed, when  # noqa: E402
from tournament.bridge.recipients import for_seats  # noqa: E402
from tournament.enums import FeedState, MailingKind, NoticeKind, SessionState  # noqa: E402
from tournament.models import Event, Notice, Session  # noqa: E402
from tournament.queries.recipients import for_notice  # noqa: E402
from tournament.services import notices  # noqa: E402
from tournament.services.mail_texts import sample  # noqa: E402
from tournament.services.notices_draft import drafted  # noqa: E402

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images" / "weather"
DATABASE = Path(settings.DATABASES["default"]["NAME"])
KEPT = DATABASE.with_suffix(".kept")
PORT = 8399
URL = f"http://127.0.0.1:{PORT}"
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
COLOURS = 96
BLACK, CALM = entry("WRAINB", "08:25"), entry("TC1", "05:40")


def event() -> Event:
    """The demo's."""
    return Event.objects.get(slug="hk-2026")


def organiser() -> User:
    """Who decides."""
    return User.objects.get(username="organiser")


def make_demo() -> None:
    """Once; then a copy is put back for each state."""
    call_command("migrate", verbosity=0)
    call_command("seed", stage="seated", seed=1, stdout=io.StringIO())
    connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connections.close_all()
    shutil.copy(DATABASE, KEPT)


def put_back() -> None:
    """The demo before any weather."""
    connections.close_all()
    for ending in ("-wal", "-shm"):
        Path(f"{DATABASE}{ending}").unlink(missing_ok=True)
    shutil.copy(KEPT, DATABASE)


# --- The sky of each state, up to the hour that it is looked at ------------------------------------------
def pending() -> str:
    """Twenty to ten, black rain since 08:25."""
    observed(event(), "07:11", entry("WRAINR", "07:10"), CALM)
    observed(event(), "08:26", BLACK, CALM)
    observed(event(), "09:39", BLACK, CALM)
    return "09:40"


def clear() -> str:
    """Nothing is in force."""
    observed(event(), "08:59")
    return "09:00"


def vanished() -> str:
    """The feed lists black rain no more and says of no end."""
    pending()
    observed(event(), "09:45", CALM)
    return "09:46"


def unknown() -> str:
    """The feed has been broken since before the line."""
    observed(event(), "09:00")
    observed(event(), "10:01", state=FeedState.BROKEN, why="status_500")
    return "10:02"


def go() -> str:
    """Black rain ended in time; a person confirms."""
    pending()
    observed(event(), "10:01", CALM, entry("CANCEL", "09:55", "CANCEL", family="WRAIN"))
    return "10:02"


def cancel() -> str:
    """Black rain at ten; a person confirms."""
    pending()
    observed(event(), "10:01", BLACK, CALM)
    return "10:02"


def confirmed() -> str:
    """Called off, and by whom."""
    with when(cancel()):
        Desk(organiser()).decide("cancel")
    return "10:05"


def overridden() -> str:
    """Otherwise than the rule says, with the reason."""
    with when(cancel()):
        Desk(organiser()).decide("go", reason="全部參賽者已在場內，與場地商議後照常進行")
    observed(event(), "10:04", BLACK, CALM)
    return "10:05"


def playing() -> str:
    """Signal no. 8 while the first session is played."""
    observed(event(), "10:01")
    with when("10:02"):
        Desk(organiser()).decide("go")
    Session.objects.filter(number=1).update(state=SessionState.PLAYING)
    observed(event(), "13:00", entry("TC8NE", "12:58"))
    return "13:01"


STATES: Mapping[str, Callable[[], str]] = {
    made.__name__: made for made in (pending, clear, vanished, unknown, go, cancel, confirmed, overridden, playing)
}


# --- The pictures ---------------------------------------------------------------------------------------
def keep(picture: bytes | Image.Image, name: str) -> None:
    """In few colours, so that the pictures stay small."""
    image = Image.open(io.BytesIO(picture)) if isinstance(picture, bytes) else picture
    image.convert("RGB").quantize(COLOURS).save(IMAGES / f"{name}.png", optimize=True)
    print(f"docs/images/weather/{name}.png", flush=True)


def take_day(browser: Browser, language: str, name: str) -> None:
    """The day's page as it stands."""
    page = window_of(browser, URL, organiser(), viewport=DESK)
    page.context.add_cookies([{"name": "django_language", "value": language, "url": URL}])
    page.goto(f"{URL}{address('weather_day')}")
    keep(page.screenshot(full_page=True), name)
    page.context.close()


def take_states(browser: Browser) -> None:
    """Every state, in Chinese and in English."""
    for name, make in STATES.items():
        put_back()
        with when(make()):
            for language, mark in (("zh-hant", ""), ("en", "_en")):
                take_day(browser, language, f"{name}{mark}")


def publish() -> Notice:
    """The notice that follows from a day called off, as drafted, without mail."""
    texts, sessions = drafted(event(), NoticeKind.STOPPED, DAY, now=timezone.now())
    (title_zh, title_en), (body_zh, body_en) = texts.titles, texts.bodies
    wording = notices.Wording(
        NoticeKind.STOPPED,
        title_zh=title_zh,
        title_en=title_en,
        body_zh=body_zh,
        body_en=body_en,
        day=DAY,
        sessions=sessions,
        banner=True,
        tone=texts.tone,
    )
    draft = notices.draft_notice(event(), wording, by=organiser())
    return notices.publish_notice(draft, revision=draft.revision, confirmed=None, mail=False, by=organiser())


def take_notice(browser: Browser) -> None:
    """Banner and page on a phone, the sheet for the door, the mails."""
    put_back()
    with when(confirmed()):
        notice = publish()
        page = browser.new_page(viewport=PHONE, device_scale_factor=2)
        for path, name in (("", "banner"), (f"notices/{notice.number}/", "notice"), ("en/", "banner_en")):
            page.goto(f"{URL}/p/hk-2026/{path}")
            page.wait_for_load_state("networkidle")
            keep(page.screenshot(), name)
        sheet = Client().get(f"/p/hk-2026/notices/{notice.number}/notice.pdf").content
        keep(pypdfium2.PdfDocument(sheet)[0].render(scale=1.4).to_pil(), "sheet")
        take_mails(browser.new_page(viewport=PHONE, device_scale_factor=2), notice)


def take_mails(page: Page, notice: Notice) -> None:
    """The notice and a seat as mails, in both languages, in a window that knows no rules of ours."""
    later = Session.objects.select_related("stage__event").get(number=5)
    told, seated = for_notice(notice).found[0], for_seats(later).found[0]
    for language, mark in (("zh-hant", ""), ("en", "_en")):
        for kind, one, about in ((MailingKind.NOTICE, told, notice), (MailingKind.SEATS, seated, None)):
            message = sample(kind, one, event=event(), notice=about, language=language)
            page.set_content(str(message.alternatives[0][0]))
            keep(page.screenshot(full_page=True), f"mail_{kind}{mark}")


def main() -> None:
    """All of them."""
    settings.OBSERVATORY_URL = "http://127.0.0.1:9/"
    settings.ALLOWED_HOSTS = ["*"]
    IMAGES.mkdir(parents=True, exist_ok=True)
    make_demo()
    logging.getLogger("django.server").setLevel(logging.ERROR)
    handler = StaticFilesHandler(get_internal_wsgi_application())
    threading.Thread(target=run, args=("127.0.0.1", PORT, handler), kwargs={"threading": True}, daemon=True).start()
    with_hong_kong_fonts()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**SHELL)
        take_notice(browser)
        take_states(browser)
        browser.close()
    shutil.rmtree(settings.VAR_DIR)


if __name__ == "__main__":
    main()
    sys.exit(0)
