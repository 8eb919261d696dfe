"""The leaflet of the rules: two sides of A4 to be folded, in both languages, with all that the page says."""

import re

import pypdfium2
import pytest
from django.utils import translation

from scoring.rulebook import rulebook
from scoring.ruleset import PRESETS, Ruleset, read_ruleset
from tournament.publication.exports.public_rules import ShownSection, StageRules, shown_sections
from tournament.publication.exports.rules_leaflet import Leaflet, leaflet_text, panel_pairs, rules_leaflet_pdf

LANGUAGES = ("zh-hant", "en")
NAMES = ("遊戲王爭霸賽", "King of Games")
TITLES = {"zh-hant": "初賽", "en": "Preliminary"}


def leaflet(*rulesets: Ruleset, url: str = "") -> Leaflet:
    stages = tuple(
        StageRules(f"stage{place}", {code: f"{title} {place}" for code, title in TITLES.items()}, one, rulebook(one))
        for place, one in enumerate(rulesets)
    )
    return Leaflet(NAMES, stages, url)


def pages_of(made: Leaflet, language: str) -> list[pypdfium2.PdfPage]:
    return list(pypdfium2.PdfDocument(rules_leaflet_pdf(leaflet_text(made, language))))


def text_in(page: pypdfium2.PdfPage, left: float = 0, right: float = 900) -> str:
    """What stands between two edges, without the white between."""
    text = page.get_textpage().get_text_bounded(left=left, right=right)
    return re.sub(r"\s", "", text)


def squeezed_out(text: str) -> str:
    return re.sub(r"\s", "", text)


def sentences(sections: tuple[ShownSection, ...]) -> list[str]:
    return [one for section in sections for holder in (section, *section.kinds) for one in holder.sentences]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PRESETS)
def test_it_is_two_sides_of_a4_across_with_every_sentence_of_the_page(name: str, language: str) -> None:
    pages = pages_of(leaflet(PRESETS[name]), language)
    assert [tuple(round(side) for side in page.get_size()) for page in pages] == [(842, 595)] * 2
    halves = [text_in(page, *edges) for page, edges in in_order(pages)]
    printed = "".join(halves)
    with translation.override(language):
        said = [*sentences(shown_sections(rulebook(PRESETS[name])))]
    assert [one for one in said if squeezed_out(one) not in without_feet(halves)] == [], printed


def in_order(pages: list[pypdfium2.PdfPage]) -> list[tuple[pypdfium2.PdfPage, tuple[float, float]]]:
    """The four panels as the folded leaflet has them."""
    left, right = (0, 421), (421, 842)
    return [(pages[0], right), (pages[1], left), (pages[1], right), (pages[0], left)]


def without_feet(halves: list[str]) -> str:
    return "".join(half.removesuffix(str(number + 1)) for number, half in enumerate(halves))


def test_the_front_is_at_the_right_of_the_outer_side_and_the_back_at_its_left() -> None:
    outer, inner = pages_of(leaflet(PRESETS["hk-2026"], url="https://example.org/p/x/rules/en/"), "en")
    assert "KingofGames" in text_in(outer, 421, 842) and "Howtowin" in text_in(outer, 421, 842)
    assert "Ties" in text_in(outer, 0, 421) and text_in(outer, 0, 421).endswith("4https://example.org/p/x/rules/en/")
    assert [text_in(inner, 0, 421)[-1], text_in(inner, 421, 842)[-1]] == ["2", "3"]
    assert list(panel_pairs(6)) == [(3, 0), (1, 2), (4, 5)]


def test_a_later_stage_has_what_is_different_under_its_title() -> None:
    later = read_ruleset({"base": "hk-2026", "opening_minimum": 40})
    printed = "".join(text_in(page) for page in pages_of(leaflet(PRESETS["hk-2026"], later), "en"))
    assert "together40ormore" in printed and "Preliminary1" in printed
    same = "".join(text_in(page) for page in pages_of(leaflet(PRESETS["hk-2026"], PRESETS["hk-2026"]), "en"))
    assert "Preliminary1" not in same


def test_a_changed_field_changes_the_leaflet_and_the_same_rules_give_the_same_bytes() -> None:
    made = [rules_leaflet_pdf(leaflet_text(leaflet(PRESETS["hk-2026"]), "en")) for _ in range(2)]
    changed = read_ruleset({"base": "hk-2026", "turn_seconds": 45})
    assert made[0] == made[1]
    assert "45seconds" in "".join(text_in(page) for page in pages_of(leaflet(changed), "en"))


def test_rules_too_long_for_four_pages_go_on_on_further_sheets_and_lose_nothing() -> None:
    later = [
        read_ruleset({"base": "twist", "opening_minimum": minimum, "joker_value": minimum}) for minimum in (31, 32, 33)
    ]
    pages = pages_of(leaflet(PRESETS["twist"], *later), "en")
    assert len(pages) > 2
    printed = "".join(text_in(page) for page in pages)
    assert [f"together{minimum}ormore" in printed for minimum in range(30, 34)] == [True] * 4
