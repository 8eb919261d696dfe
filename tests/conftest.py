"""What every test may ask for: the event and its accounts, made by the real services."""

import gc
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation
from hypothesis import settings as hypothesis_settings
from playwright.sync_api import Browser, sync_playwright

from tests.api.caller import Caller
from tests.browser import SHELL, with_hong_kong_fonts
from tests.database_copy import copy_for_this_process, made_for_this_process
from tests.sheets.tables import settle
from tests.tablets.tablet_caller import Tablet, paired
from tournament.accounts.services import accounts
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.setup.services import setup
from tournament.tables.models import Table

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
PASSWORD = "a long enough password"

# Properties are judged by their answers, not by how busy the machine is, and by the same examples in every run: who
# wants others has `-p tests.reliability.examples`, which draws by a seed.
hypothesis_settings.register_profile("same_for_everybody", deadline=None, derandomize=True)
hypothesis_settings.load_profile("same_for_everybody")


def pytest_configure(config: pytest.Config) -> None:
    """The mark that no test bears in writing."""
    config.addinivalue_line("markers", "database: given to every test that runs on PostgreSQL too, and to no other")
    # As `collectstatic` leaves it; without it each request of a test client warns.
    Path(django_settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)


# Layers that answer out of what services and queries give them: the same on every database.
SAME_ON_EVERY_DATABASE = {"views", "api", "exports", "forms", "adapters", "domain", "js"}


def is_decided_by_database(item: pytest.Item) -> bool:
    """Whether the test runs on PostgreSQL too: it may ask the database (by its fixtures, without which pytest-django
    lets nobody connect), and what it asks could be answered otherwise there."""
    if any(item.get_closest_marker(name) for name in ("browser", "once")):
        return False
    marked = item.get_closest_marker("django_db")
    asks = marked is not None or "db" in item.fixturenames or "transactional_db" in item.fixturenames
    commits = marked is not None and marked.kwargs.get("transaction", False)
    return asks and (commits or not SAME_ON_EVERY_DATABASE & set(item.path.parts))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what the database decides; the report says which, so that the two suites can be held against each other."""
    for item in items:
        if is_decided_by_database(item):
            item.add_marker("database")
            item.user_properties.append(("database", "decides"))


def pytest_collection_finish() -> None:
    """Garbage is looked for less often, and never again among what the imports left: a seventh of the suite's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: Any) -> Iterator[None]:
    """In place of pytest-django's, which makes every table anew in each process."""
    with django_db_blocker.unblock():
        made = made_for_this_process(copy_for_this_process())
        made.__enter__()
    yield
    with django_db_blocker.unblock():
        made.__exit__(None, None, None)


@pytest.fixture(autouse=True)
def var_of_this_test(settings: Any, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Files that a test publishes stay in its own folder; hashing passwords fast keeps the suite short."""
    # Each test client starts the middleware anew: it need not list all static files for a page or two.
    settings.WHITENOISE_AUTOREFRESH = "live_server" not in request.fixturenames
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
    return accounts.create_account(event, username or role.value, PASSWORD, username or role.value, [role])


@pytest.fixture
def organiser(event: Event) -> User:
    return account(event, Role.ORGANISER)


@pytest.fixture
def second_organiser(event: Event) -> User:
    return account(event, Role.ORGANISER, "second_organiser")


@pytest.fixture
def clerk(event: Event) -> User:
    return account(event, Role.CLERK)


@pytest.fixture
def second_clerk(event: Event) -> User:
    """Another clerk, who checks what the first has typed."""
    return account(event, Role.CLERK, "second_clerk")


@pytest.fixture
def chief_judge(event: Event) -> User:
    return account(event, Role.CHIEF_JUDGE)


@pytest.fixture
def auditor(event: Event) -> User:
    return account(event, Role.AUDITOR)


@pytest.fixture
def referee(event: Event) -> User:
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


@pytest.fixture
def tables(first_session: Session, organiser: User) -> list[Table]:
    """Three tables of a session whose draw is confirmed: entrants 301 to 311."""
    return settle(first_session, organiser, [4, 4, 3])


@pytest.fixture
def tablet(tables: list[Table], first_session: Session, referee: User, organiser: User) -> Tablet:
    """A tablet at tables 1 and 2, open."""
    return paired(first_session, referee, organiser)


Call = Callable[..., Caller]


@pytest.fixture
def caller() -> Call:
    """A function: a program with a token of the account given."""
    return Caller
