"""A backup comes back under a tablet; a tablet goes on while its last session is open: nothing has to be pressed."""

import pytest
from playwright.sync_api import expect

from tests.day.tablet_page import GAME, LONG, Hall, TabletPage
from tests.snapshots import copied, put_back
from tournament.devices.models.device import Device, QuarantinedSubmission
from tournament.devices.services import epochs
from tournament.sheets.domain.receipt import receipt_code
from tournament.sheets.models.scoresheet import Scoresheet

pytestmark = [pytest.mark.long, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEPT = """() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("tablet hk-2026");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
        const asked = opening.result.transaction("items").objectStore("items").getAll();
        asked.onsuccess = () => resolve(asked.result.map(({ act, session, state }) => `${act} ${session} ${state}`));
    };
})"""


def state_of_sheet() -> tuple[str, int]:
    """What the server has of table 1."""
    sheet = Scoresheet.objects.filter(table__number=1, table__session__number=1).first()
    return (sheet.state, sheet.revision) if sheet else ("none", 0)


@pytest.mark.fault("X28")
def test_a_sheet_that_was_signed_before_a_restore_is_signed_again_by_itself(hall: Hall, tablet: TabletPage) -> None:
    panel = tablet.panel(1)
    panel.game("rummikub", "B", GAME)
    tablet.is_recorded([(1, 1)])
    backup = copied()
    panel.game("rummikub", "A", GAME)
    panel.game("rummikub", "C", GAME)
    tablet.waits_until(lambda: state_of_sheet() == ("draft", 3), "three games are not recorded")
    panel.press("agree")
    panel.element.get_by_role("button", name="交給參賽者簽署").click()
    for letter in "ABCD":
        panel.sign(letter)
    expect(panel.element.locator(".code")).to_be_visible()
    tablet.waits_until(lambda: state_of_sheet() == ("signed", 6), "it is not signed")
    receipt = receipt_code(Scoresheet.objects.get())

    put_back(backup)
    epochs.renew_epoch()
    assert state_of_sheet() == ("draft", 1)
    tablet.waits_until(lambda: state_of_sheet() == ("signed", 6), "it was not sent again")
    assert (receipt_code(Scoresheet.objects.get()), QuarantinedSubmission.objects.count()) == (receipt, 0)
    expect(tablet.network).to_contain_text("全部已記錄", timeout=LONG)


@pytest.mark.fault("X29")
def test_what_was_recorded_of_an_open_session_stays_when_the_tablet_goes_on_and_reaches_the_desk_after_a_restore(
    hall: Hall, tablet: TabletPage
) -> None:
    hall.seat(2, (1, 2))
    backup = copied()
    tablet.panel(1).game("rummikub", "B", GAME)
    tablet.is_recorded([(1, 1)])
    tablet.page.locator("[data-menu]").click()
    tablet.page.locator("#dialog").get_by_role("button", name="繼續").click()
    tablet.waits_until(lambda: Device.objects.count() == 2, "it has not gone on")
    expect(tablet.network).to_contain_text("全部已記錄", timeout=LONG)
    assert tablet.page.evaluate(KEPT) == ["save 1 recorded"]

    put_back(backup)
    epochs.renew_epoch()
    tablet.waits_until(lambda: QuarantinedSubmission.objects.count() == 1, "it was not brought to the desk")
    assert list(QuarantinedSubmission.objects.values_list("act", "table__session__number", "because")) == [
        ("save", 1, "late")
    ]
    expect(tablet.network).to_contain_text("服務枱待處理 1", timeout=LONG)
    expect(tablet.network).not_to_contain_text("全部已記錄")
