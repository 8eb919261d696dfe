"""A table's mess without network: two children who did not come, the games recorded, the desk's two presses, signed."""

import re

import pytest
from django.test import Client
from playwright.sync_api import Browser, expect

from tests.day.tablet_page import LONG, WINDOW, Hall, TabletPage
from tournament.entrants.models.people import Entrant
from tournament.sheets.models.conduct import Incident
from tournament.sheets.models.scoresheet import Scoresheet

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def absent(tablet: TabletPage, seat: int) -> None:
    """One who did not come, marked in the notes of table 1."""
    tablet.panel(1).press("notes")
    notes = tablet.page.locator("dialog[open]")
    notes.get_by_role("button", name="缺席", exact=True).click()
    notes.locator(".choice button").nth(seat).click()
    notes.get_by_role("button", name="由第 1 局起不參賽").click()


def confirm_all(hall: Hall) -> int:
    """One press at the desk for each note that waits in its queue; how many they were."""
    desk = Client()
    desk.force_login(hall.organiser)
    queue = f"/desk/{hall.event.slug}/queue/"
    marks = re.findall(r"queue/marks/(\d+)/confirm/", desk.get(queue).content.decode())
    for mark in marks:
        assert desk.post(f"{queue}marks/{mark}/confirm/", {"request_key": f"confirm-{mark}"}).status_code == 302
    return len(marks)


def test_two_absent_children_without_network_are_recorded_at_the_table_and_confirmed_at_the_desk(
    hall: Hall, tablet: TabletPage
) -> None:
    tablet.lose()
    for seat in (2, 3):
        absent(tablet, seat)
    panel = tablet.panel(1)
    panel.game("rummikub", "B", [(23, 4)])
    panel.game("rummikub", "A", [(30, 5)])
    panel.game("pool", "", [(11, 2), (12, 3)])
    expect(tablet.network).to_contain_text("5 項待送", timeout=LONG)
    assert (Scoresheet.objects.count(), Incident.objects.count()) == (0, 0)
    tablet.page.reload()
    tablet.page.wait_for_selector('[data-table="1"] [data-act="agree"]')
    tablet.regain()
    tablet.waits_until(lambda: Incident.objects.count() == 2, "the notes have not come")
    tablet.waits_until(lambda: Scoresheet.objects.filter(revision=3).exists(), "the games have not come")
    panel.press("agree")
    expect(panel.element).to_contain_text("尚待大會記錄", timeout=LONG)
    assert confirm_all(hall) == 2
    assert list(Entrant.objects.exclude(status="ok").values_list("number", "status")) == [
        (103, "forfeited"),
        (104, "forfeited"),
    ]
    tablet.regain()
    hand_out = panel.element.get_by_role("button", name="交給參賽者簽署")
    expect(hand_out).to_have_attribute("aria-disabled", "false", timeout=LONG)
    hand_out.click()
    expect(tablet.page.locator(".bar")).to_be_hidden()
    for letter in "AB":
        panel.sign(letter)
    tablet.waits_until(lambda: Scoresheet.objects.filter(state="signed").exists(), "the sheet is not signed")


def test_a_note_that_is_undone_never_leaves_the_tablet(hall: Hall, tablet: TabletPage) -> None:
    absent(tablet, 3)
    tablet.page.locator(".undo-strip button").click()
    absent(tablet, 2)
    tablet.waits_until(lambda: Incident.objects.exists(), "the note that stands has not come")
    assert list(Incident.objects.values_list("kind", "letter")) == [("absent", "C")]


def test_notes_keep_their_order_and_each_has_its_own_five_seconds(tablet: TabletPage) -> None:
    for seat in (1, 2, 3):
        absent(tablet, seat)
    strips = tablet.page.locator(".undo-strip")
    expect(strips.locator("span.grow")).to_have_text([f"已記下：缺席·枱 1·{letter}" for letter in "BCD"])
    strips.nth(1).get_by_role("button").click()
    tablet.waits_until(lambda: Incident.objects.count() == 2, "the notes that stand have not come")
    assert list(Incident.objects.order_by("id").values_list("letter", flat=True)) == ["B", "D"]


def test_the_words_are_switched_in_place_and_without_network(hall: Hall, browser: Browser) -> None:
    tablet = TabletPage(browser.new_context(**WINDOW)).open(hall.address())
    tablet.panel(1).press("end", how="rummikub", letter="B")
    tablet.panel(1).press("digit", figure=7)
    tablet.context.set_offline(True)
    tablet.page.locator(".bar form button").click()
    expect(tablet.page.locator("html")).to_have_attribute("lang", "en")
    expect(tablet.panel(1).element).to_contain_text("Opened")
    expect(tablet.page.locator('[data-table="1"] [data-cell="face_value"]').first).to_have_text("7")
    assert tablet.page.url.endswith(f"/tablet/{hall.event.slug}/")
