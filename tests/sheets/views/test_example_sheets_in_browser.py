"""The example sheets of the rule texts of Twist and of the French box, typed by keys in Chromium from their papers."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.sheets.test_ruling import RuledTable
from tests.sheets.typing_page import type_on, typing_page
from tournament.core.enums import SheetState
from tournament.sheets.models.scoresheet import Line, Scoresheet

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# The points of each game by seat. The papers say nothing of tiles: any number that such a rack can have is typed.
TWIST = ((24, -5, -16, -3), (-6, -11, 22, -5), (-32, -13, -2, 47), (-10, -25, 41, -6))
FRENCH = (TWIST[0], TWIST[1])
TILES = {-32: 3, -25: 2, -16: 2}
# The totals 24 and 54 of Twist's paper have lost their minus, as four of its points have.
TOTALS_OF_TWIST, TOTALS_OF_FRENCH = (-24, -54, 45, 33), (18, -16, 6, -8)


@pytest.fixture
def at(db: None, request: pytest.FixtureRequest) -> RuledTable:
    return RuledTable(request.param, 4)


@pytest.fixture
def page(at: RuledTable, browser: Browser, live_server: Any) -> Iterator[Page]:
    with typing_page(browser, live_server, at.clerk, event="league") as opened:
        yield opened


def tiles_left(points: int) -> int:
    """So many tiles can be worth what the seat has lost; none is left to the winner."""
    return 0 if points > 0 else TILES.get(points, 1)


def type_game(page: Page, points: Sequence[int]) -> None:
    """Somebody went out; win, points and tiles of each seat."""
    cells = [(str(int(one > 0)), str(one), str(tiles_left(one))) for one in points]
    type_on(page, "r", *(text for seat in cells for text in seat))


def signed(points: int) -> str:
    """+45, −24, as the page shows points."""
    return f"{points:+d}".replace("-", "−")


@pytest.mark.parametrize(
    ("at", "games", "written", "totals", "wins"),
    [
        pytest.param("twist", TWIST, ("24", "54", "45", "33"), TOTALS_OF_TWIST, (1, 0, 2, 1), id="000"),
        pytest.param(
            {"base": "french", "games": 2}, FRENCH, ("18", "-16", "6", "-8"), TOTALS_OF_FRENCH, (1, 0, 1, 0), id="004"
        ),
    ],
    indirect=["at"],
)
def test_the_example_sheet_of_a_rule_text_comes_out_as_the_rules_read_it(
    at: RuledTable,
    page: Page,
    games: Sequence[Sequence[int]],
    written: Sequence[str],
    totals: Sequence[int],
    wins: Sequence[int],
) -> None:
    type_on(page, "0328-1-01", "")
    for points in games:
        type_game(page, points)
    tiles = [sum(tiles_left(points[seat]) for points in games) for seat in range(4)]
    for won, points, left in zip(wins, written, tiles, strict=True):
        type_on(page, str(won), points, str(left))
    wrong = [one for one, text in zip(totals, written, strict=True) if str(one) != text]
    offers = page.locator("[data-offer]")
    expect(offers).to_have_count(len(wrong))
    seats = zip(wins, totals, tiles, strict=True)
    computed = [text for won, total, left in seats for text in (str(won), signed(total), str(left))]
    expect(page.locator("#computed td")).to_have_text(computed)
    for left in range(len(wrong) - 1, -1, -1):
        offers.first.click()
        expect(offers).to_have_count(left)
    expect(page.locator("#submit-word")).to_have_text("交核對")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/scoresheets/1/?after=1")
    sheet = Scoresheet.objects.get(table=at.table)
    lines = Line.objects.filter(game__scoresheet=sheet)
    kept = [[line for line in lines if line.letter == letter] for letter in "ABCD"]
    assert sheet.state == SheetState.READY
    assert [sum(line.points_twelfths for line in own) for own in kept] == [12 * total for total in totals]
    assert [sum(line.win for line in own) for own in kept] == list(wins)
