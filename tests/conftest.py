"""What every test may ask for: the event and its accounts, made by the real services."""

import gc
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation
from hypothesis import settings as hypothesis_settings
from playwright.sync_api import Browser, sync_playwright

from tests.browser import SHELL, with_hong_kong_fonts
from tests.guards_lifted import lift_around_flushes
from tournament.enums import Role
from tournament.models import Event, Session
from tournament.services import setup

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
PASSWORD = "a long enough password"

lift_around_flushes()
# Properties are judged by their answers, not by how busy the machine is.
hypothesis_settings.register_profile("without_deadline", deadline=None)
hypothesis_settings.load_profile("without_deadline")


def pytest_configure(config: pytest.Config) -> None:
    """The mark that no test bears in writing."""
    config.addinivalue_line("markers", "database: given to every test that may ask the database, and to no other")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what may ask the database: by its fixtures, without which pytest-django lets nobody connect.

    The rest gives the same on every database and runs once, beside SQLite; and so does what looks at a page, beside
    PostgreSQL or, as it is marked, beside SQLite, and what is marked as the same everywhere. The report says which.
    """
    for item in items:
        asks = "db" in item.fixturenames or "transactional_db" in item.fixturenames
        if any(item.get_closest_marker(name) for name in ("page", "page_on_sqlite", "once")):
            item.user_properties.append(("database", "any"))
        elif asks or item.get_closest_marker("django_db"):
            item.add_marker("database")
        else:
            item.user_properties.append(("database", "none"))


def pytest_collection_finish() -> None:
    """Garbage is looked for less often, and never again among what the imports left: a seventh of the suite's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture(autouse=True)
def var_of_this_test(settings: Any, tmp_path: Path) -> None:
    """Files that a test publishes stay in its own folder; hashing passwords fast keeps the suite short."""
    settings.PUBLIC_ROOT = tmp_path / "public"
    settings.DISK_WARNING = 0  # how full the disk is here is no test's business
    settings.OBSERVATORY_URL = ""  # no test asks the true one
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture(autouse=True)
def chinese_at_first() -> None:
    """A page read in English leaves its thread in English; each test begins as the house does."""
    translation.activate("zh-hant")


def event_data() -> dict[str, Any]:
    """The Hong Kong event as fixtures/event.json has it."""
    return json.loads((FIXTURES / "event.json").read_text())


@pytest.fixture
def event(db: None) -> Event:
    """The Hong Kong event, twelve sessions, nobody in it yet."""
    return setup.create_event(event_data())


@pytest.fixture
def first_session(event: Event) -> Session:
    """The first of the twelve."""
    return Session.objects.get(stage__event=event, number=1)


def account(event: Event, role: Role, username: str = "") -> User:
    """An account with one role at the event."""
    return setup.create_account(event, username or role.value, PASSWORD, username or role.value, [role])


@pytest.fixture
def organiser(event: Event) -> User:
    """The organiser."""
    return account(event, Role.ORGANISER)


@pytest.fixture
def second_organiser(event: Event) -> User:
    """Another organiser."""
    return account(event, Role.ORGANISER, "second_organiser")


@pytest.fixture
def clerk(event: Event) -> User:
    """A clerk who types."""
    return account(event, Role.CLERK)


@pytest.fixture
def second_clerk(event: Event) -> User:
    """Another clerk, who checks what the first has typed."""
    return account(event, Role.CLERK, "second_clerk")


@pytest.fixture
def chief_judge(event: Event) -> User:
    """The chief judge."""
    return account(event, Role.CHIEF_JUDGE)


@pytest.fixture
def auditor(event: Event) -> User:
    """Reads, changes nothing."""
    return account(event, Role.AUDITOR)


@pytest.fixture
def referee(event: Event) -> User:
    """A referee."""
    return account(event, Role.REFEREE)


@pytest.fixture
def signed_in() -> Any:
    """A function: a client signed in as the account given."""

    def sign_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return sign_in


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium with the Hong Kong fonts for the whole run."""
    with_hong_kong_fonts()
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # The browser's driver runs an event loop in this thread; nothing of ours is asynchronous.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        opened = playwright.chromium.launch(**SHELL)
        yield opened
        opened.close()


@pytest.fixture
def browser(chromium: Browser, live_server: Any) -> Iterator[Browser]:
    """Chromium without a window; those of this test are closed while its server and its tables are still there."""
    yield chromium
    for context in chromium.contexts:
        context.close()
