"""A tablet that ended in the players' hands, in the world of Q26."""

import pytest
from playwright.sync_api import Browser

from tests.reliability import bar_said
from tests.reliability.bar_said_world import Server, make_page
from tournament.sheets.services import clock

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("end", ["cut_off", "close"])
def test_a_tablet_that_ended_in_the_players_hands_is_taken_back_and_hands_over_what_it_has(
    chromium: Browser, end: str
) -> None:
    server = Server()
    page = make_page(chromium, server, careless=False)
    history = bar_said.History(server, page, 1, bar_said.Outcome())
    history.begin()
    history.do_offline()
    history.make(1, "call", {"reason": "a tile fell"}, match=False)
    history.hand("handOut", 1)
    if end == "cut_off":
        history.do_cut_off()
    else:
        clock.move_session(server.session(1), "close", by=server.organiser, request_key=server.key(), reason="the end")
    history.do_online()
    history.hand("advance", 25000)
    assert history.hand("press", "Hand them to the desk") is False
    history.take_back()
    assert history.hand("press", "Hand them to the desk") is True
    assert history.left() == []
    page.close()
