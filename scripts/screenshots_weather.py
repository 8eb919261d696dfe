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
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright  # noqa: E402

from tests.browser import SHELL, window_of, with_hong_kong_fonts  # noqa: E402
from tests.weather.skies import DAY, Desk, address, entry, observed, when  # noqa: E402
from tournament.core.enums import FeedState, MailingKind, NoticeKind, SessionState  # noqa: E402
from tournament.core.models.event import Event  # noqa: E402
from tournament.core.models.stage import Session  # noqa: E402
from tournament.mail.domain.recipients import recipients_of_seats  # noqa: E402
from tournament.mail.services import notices  # noqa: E402
from tournament.mail.services.mail_texts import build_sample_message  # noqa: E402
from tournament.mail.services.notices_draft import compose_notice_draft  # noqa: E402
from tournament.messages.models import Notice  # noqa: E402
from tournament.messages.queries.recipients import for_notice  # noqa: E402

WEATHER_IMAGES_FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images" / "weather"
DEMO_DATABASE = Path(settings.DATABASES["default"]["NAME"])
KEPT_DEMO_DATABASE = DEMO_DATABASE.with_suffix(".kept")
SCREENSHOT_PORT = 8399
SCREENSHOT_URL = f"http://127.0.0.1:{SCREENSHOT_PORT}"
WEATHER_DESK_VIEWPORT: ViewportSize = {"width": 1280, "height": 800}
WEATHER_PHONE_VIEWPORT: ViewportSize = {"width": 390, "height": 844}
PICTURE_COLOURS = 96
BLACK_RAIN_LISTING, CALM_LISTING = entry("WRAINB", "08:25"), entry("TC1", "05:40")


def demo_event() -> Event:
    return Event.objects.get(slug="hk-2026")


def demo_organiser() -> User:
    return User.objects.get(username="organiser")


def make_demo() -> None:
    """Once; then a copy is put back for each state."""
    call_command("migrate", verbosity=0)
    call_command("seed", stage="seated", seed=1, stdout=io.StringIO())
    connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connections.close_all()
    shutil.copy(DEMO_DATABASE, KEPT_DEMO_DATABASE)


def restore_kept_demo() -> None:
    """The demo before any weather."""
    connections.close_all()
    for ending in ("-wal", "-shm"):
        Path(f"{DEMO_DATABASE}{ending}").unlink(missing_ok=True)
    shutil.copy(KEPT_DEMO_DATABASE, DEMO_DATABASE)


# --- The sky of each state, up to the hour that it is looked at ------------------------------------------
def pending() -> str:
    """Twenty to ten, black rain since 08:25."""
    observed(demo_event(), "07:11", entry("WRAINR", "07:10"), CALM_LISTING)
    observed(demo_event(), "08:26", BLACK_RAIN_LISTING, CALM_LISTING)
    observed(demo_event(), "09:39", BLACK_RAIN_LISTING, CALM_LISTING)
    return "09:40"


def clear() -> str:
    """Nine o'clock, no signal in force."""
    observed(demo_event(), "08:59")
    return "09:00"


def vanished() -> str:
    """The feed lists black rain no more and says of no end."""
    pending()
    observed(demo_event(), "09:45", CALM_LISTING)
    return "09:46"


def unknown() -> str:
    """The feed has been broken since before the line."""
    observed(demo_event(), "09:00")
    observed(demo_event(), "10:01", state=FeedState.BROKEN, why="status_500")
    return "10:02"


def go() -> str:
    """Black rain ended in time; a person confirms."""
    pending()
    observed(demo_event(), "10:01", CALM_LISTING, entry("CANCEL", "09:55", "CANCEL", family="WRAIN"))
    return "10:02"


def cancel() -> str:
    """Black rain at ten; a person confirms."""
    pending()
    observed(demo_event(), "10:01", BLACK_RAIN_LISTING, CALM_LISTING)
    return "10:02"


def confirmed() -> str:
    """Called off, and by whom."""
    with when(cancel()):
        Desk(demo_organiser()).decide("cancel")
    return "10:05"


def overridden() -> str:
    """Otherwise than the rule says, with the reason."""
    with when(cancel()):
        Desk(demo_organiser()).decide("go", reason="全部參賽者已在場內，與場地商議後照常進行")
    observed(demo_event(), "10:04", BLACK_RAIN_LISTING, CALM_LISTING)
    return "10:05"


def playing() -> str:
    """Signal no. 8 while the first session is played."""
    observed(demo_event(), "10:01")
    with when("10:02"):
        Desk(demo_organiser()).decide("go")
    Session.objects.filter(number=1).update(state=SessionState.PLAYING)
    observed(demo_event(), "13:00", entry("TC8NE", "12:58"))
    return "13:01"


PICTURED_STATES: Mapping[str, Callable[[], str]] = {
    made.__name__: made for made in (pending, clear, vanished, unknown, go, cancel, confirmed, overridden, playing)
}


# --- The pictures ---------------------------------------------------------------------------------------
def save_picture(picture: bytes | Image.Image, name: str) -> None:
    """In few colours, so that the pictures stay small."""
    image = Image.open(io.BytesIO(picture)) if isinstance(picture, bytes) else picture
    image.convert("RGB").quantize(PICTURE_COLOURS).save(WEATHER_IMAGES_FOLDER / f"{name}.png", optimize=True)
    print(f"docs/images/weather/{name}.png", flush=True)


def take_day(browser: Browser, language: str, name: str) -> None:
    """The day's page as it stands."""
    page = window_of(browser, SCREENSHOT_URL, demo_organiser(), viewport=WEATHER_DESK_VIEWPORT)
    page.context.add_cookies([{"name": "django_language", "value": language, "url": SCREENSHOT_URL}])
    page.goto(f"{SCREENSHOT_URL}{address('weather_day')}")
    save_picture(page.screenshot(full_page=True), name)
    page.context.close()


def take_states(browser: Browser) -> None:
    """Every state in Chinese, the first in English too: no more than docs/weather.md shows."""
    for name, make in PICTURED_STATES.items():
        restore_kept_demo()
        with when(make()):
            take_day(browser, "zh-hant", name)
            if make is pending:
                take_day(browser, "en", f"{name}_en")


def publish_calling_off_notice() -> Notice:
    """The notice that follows from a day called off, as drafted, without mail."""
    texts, sessions = compose_notice_draft(demo_event(), NoticeKind.STOPPED, DAY, now=timezone.now())
    (title_zh, title_en), (body_zh, body_en) = texts.titles, texts.bodies
    wording = notices.NoticeWording(
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
    draft = notices.draft_notice(demo_event(), wording, by=demo_organiser())
    return notices.publish_notice(draft, revision=draft.revision, confirmed=None, mail=False, by=demo_organiser())


def take_notice(browser: Browser) -> None:
    """Banner and page on a phone, the sheet for the door, the mails."""
    restore_kept_demo()
    with when(confirmed()):
        notice = publish_calling_off_notice()
        page = browser.new_page(viewport=WEATHER_PHONE_VIEWPORT, device_scale_factor=2)
        for path, name in (("", "banner"), (f"notices/{notice.number}/", "notice")):
            page.goto(f"{SCREENSHOT_URL}/p/hk-2026/{path}")
            page.wait_for_load_state("networkidle")
            save_picture(page.screenshot(), name)
        sheet = Client().get(f"/p/hk-2026/notices/{notice.number}/notice.pdf").content
        save_picture(pypdfium2.PdfDocument(sheet)[0].render(scale=1.4).to_pil(), "sheet")
        take_mails(browser.new_page(viewport=WEATHER_PHONE_VIEWPORT, device_scale_factor=2), notice)


def take_mails(page: Page, notice: Notice) -> None:
    """The notice and a seat as mails, in both languages, in a window that knows no rules of ours."""
    later = Session.objects.select_related("stage__event").get(number=5)
    told, seated = for_notice(notice).found[0], recipients_of_seats(later).found[0]
    for language, mark in (("zh-hant", ""), ("en", "_en")):
        for kind, one, about in ((MailingKind.NOTICE, told, notice), (MailingKind.SEATS, seated, None)):
            message = build_sample_message(kind, one, event=demo_event(), notice=about, language=language)
            page.set_content(str(message.alternatives[0][0]))
            save_picture(page.screenshot(full_page=True), f"mail_{kind}{mark}")


def main() -> None:
    settings.OBSERVATORY_URL = "http://127.0.0.1:9/"
    settings.ALLOWED_HOSTS = ["*"]
    WEATHER_IMAGES_FOLDER.mkdir(parents=True, exist_ok=True)
    make_demo()
    logging.getLogger("django.server").setLevel(logging.ERROR)
    handler = StaticFilesHandler(get_internal_wsgi_application())
    threading.Thread(
        target=run, args=("127.0.0.1", SCREENSHOT_PORT, handler), kwargs={"threading": True}, daemon=True
    ).start()
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
