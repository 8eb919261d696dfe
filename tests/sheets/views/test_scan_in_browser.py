"""A scan beside the fields, in Chromium on a small screen: dropped, attached, reached and left by a link."""

from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.browser import window_of
from tests.sheets.tables import settle
from tournament.core.models.stage import Session
from tournament.sheets.models.scan import Scan

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DROP = """([card, bytes]) => {
  const data = new DataTransfer();
  data.items.add(new File([new Uint8Array(bytes)], "paper.jpg", { type: "image/jpeg" }));
  card.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def photo() -> bytes:
    written = BytesIO()
    Image.new("RGB", (600, 800), "white").save(written, "JPEG")
    return written.getvalue()


def test_a_photo_dropped_beside_the_fields_is_attached_and_reached_by_a_link(
    browser: Browser, live_server: Any, first_session: Session, organiser: User, clerk: User
) -> None:
    settle(first_session, organiser)
    page = window_of(browser, live_server.url, clerk)
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{live_server.url}/desk/hk-2026/scoresheets/1/1/")
    card = page.locator("[data-scan]")
    page.evaluate(DROP, [card.element_handle(), list(photo())])
    card.locator("[data-attach]").click()
    expect(card.locator("[data-progress]")).to_contain_text("掃描檔已保存")
    assert Scan.objects.get().by == clerk
    page.evaluate("scrollTo(0, 0)")
    expect(card.locator("img")).not_to_be_in_viewport()
    page.locator("a[href='#scan-of-paper']").click()
    expect(card.locator("img")).to_be_in_viewport()
    page.locator("a[href='#sheet']").click()
    expect(page.locator("h1")).to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(card).to_be_in_viewport()
    expect(page.locator(".to-scan").first).to_be_hidden()
