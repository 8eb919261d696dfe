"""What a referee and the players do at a panel in Chromium, each press counted."""

import math
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page

Racks = list[tuple[int, int]]


@dataclass
class Panel:
    """One table's panel on a page."""

    page: Page
    number: int
    presses: int = 0

    @property
    def element(self) -> Locator:
        return self.page.locator(f'[data-table="{self.number}"]')

    def press(self, act: str, **data: Any) -> None:
        """One press, found by what it does."""
        chosen = "".join(f'[data-{name}="{value}"]' for name, value in data.items())
        self.element.locator(f'[data-act="{act}"]{chosen}').click()
        self.presses += 1

    def rack(self, value: int, tiles: int) -> None:
        """A rack's value digit by digit, then its tile count in one press."""
        for figure in str(value):
            self.press("digit", figure=figure)
        self.press("count", figure=tiles)

    def game(self, how: str, out: str, racks: Racks) -> None:
        self.press("end", how=how, letter=out)
        for value, tiles in racks:
            self.rack(value, tiles)
        self.press("record")

    def tap(self, *tiles: str) -> None:
        for tile in tiles:
            self.element.locator(f'[data-add="{tile}"]').first.click()

    def open_field(self, letter: str) -> Locator:
        """The referee says that it is this player; their field."""
        self.element.locator(f'.sign[data-letter="{letter}"] button.box').click()
        self.element.locator(".sign.now .primary").click()
        return self.element.locator("svg.field")

    def draw(self, field: Locator, high: float = 0.3, length: float = 3) -> None:
        """A wave of this length, or with `high` 0 a straight line."""
        box = field.bounding_box()
        assert box is not None
        x, y = box["x"], box["y"] + box["height"] / 2
        self.page.mouse.move(x + 10, y)
        self.page.mouse.down()
        for step in range(1, 41):
            across = (box["width"] - 20) * step / 40
            self.page.mouse.move(x + 10 + across, y + math.sin(step / length) * high * box["height"])
        self.page.mouse.up()

    def sign(self, letter: str) -> None:
        """One player signs, each by a wave of their own."""
        self.draw(self.open_field(letter), length=2 + "ABCD".index(letter))
        self.element.locator(".sign.now .primary").click()

    @property
    def items(self) -> list[dict[str, Any]]:
        """What is in the outbox of the page of the tests."""
        found: list[dict[str, Any]] = self.page.evaluate("(number) => store.items(number)", self.number)
        return found
