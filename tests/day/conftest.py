"""What a day's tests may ask for besides: the hall of the tablets and one of its tablets."""

from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.day.tablet_page import WINDOW, Hall, TabletPage


@pytest.fixture
def hall(live_server: Any) -> Hall:
    """Two tables of one referee, being played."""
    return Hall(live_server.url)


@pytest.fixture
def tablet(hall: Hall, browser: Browser) -> TabletPage:
    """A tablet at both, open."""
    return TabletPage(browser.new_context(**WINDOW)).open(hall.address())
