"""What the tests ask a window, asked while one document gives way to the next."""

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import SIZES, assert_fits, assert_no_wider

pytestmark = [pytest.mark.browser, pytest.mark.once]

# For a while there is no document, as between two pages; then one of this width.
GIVES_WAY = """width => {
    const root = document.documentElement;
    root.remove();
    setTimeout(() => {
        root.querySelector("body").innerHTML = `<div style="width: ${width}px">.</div>`;
        document.append(root);
    }, 300);
}"""


@pytest.fixture
def page(chromium: Browser) -> Page:
    """An empty window without any margin."""
    page = chromium.new_context(viewport={"width": 320, "height": 640}).new_page()
    page.set_content("<style>body { margin: 0 }</style><p>before</p>")
    return page


def test_a_width_is_asked_of_the_document_that_comes_and_not_of_none(page: Page) -> None:
    page.evaluate(GIVES_WAY, 320)
    assert_no_wider(page, 320)
    page.evaluate(GIVES_WAY, 321)
    with pytest.raises(AssertionError, match="321, 320"):
        assert_no_wider(page, 320)
    page.context.close()


def test_every_size_is_looked_at_and_the_first_one_stays(page: Page) -> None:
    page.evaluate(GIVES_WAY, 391)
    with pytest.raises(AssertionError, match="391, 390"):
        assert_fits(page)
    page.evaluate(GIVES_WAY, 390)
    assert_fits(page)
    assert page.viewport_size == dict(zip(("width", "height"), SIZES[0], strict=True))
    page.context.close()
