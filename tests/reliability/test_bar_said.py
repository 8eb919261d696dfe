"""A small sample of what the bar said, and its control: a tablet that believes what it was once told."""

import pytest
from playwright.sync_api import Browser

from tests.reliability import bar_said

pytestmark = [pytest.mark.browser, pytest.mark.page_on_sqlite, pytest.mark.django_db(transaction=True)]


def test_whatever_happens_the_bar_never_says_more_than_the_server_has(chromium: Browser) -> None:
    found = bar_said.run(chromium, histories=12, seed=3)
    assert found.problems == []
    assert (found.histories, found.said_all > 40, found.recorded > 25, found.with_desk > 3) == (12, True, True, True)


def test_a_tablet_that_compares_nothing_is_caught(chromium: Browser) -> None:
    assert bar_said.run(chromium, histories=8, seed=1, careless=True).failed > 0
