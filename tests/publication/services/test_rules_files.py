"""The public page of an event's rules: made from its stages' rulesets, in both languages, anew with each change."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.rulebook import rulebook
from scoring.ruleset import PRESETS, read_ruleset
from tests.scoring.test_rulebook import FIELDS
from tests.squeezed import squeezed
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.publication.exports.public_rules import StageRules, rules_page, shown_sections
from tournament.publication.services.files import public_event, write_public_files
from tournament.sheets.exports import rule_example_words, rule_words
from tournament.tablets.views.rules import rule_card_lines

PAGES = {"zh-hant": "/p/hk-2026/rules/", "en": "/p/hk-2026/rules/en/"}
CHINESE = re.compile("[\u3400-\u9fff]")


def text_of(path: str) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


def give_rules(stage: Stage, ruleset: Any) -> None:
    stage.ruleset = ruleset
    stage.save(update_fields=["ruleset"])
    write_public_files(stage.event)


@pytest.mark.django_db
@pytest.mark.parametrize("name", PRESETS)
def test_the_page_of_every_preset_is_there_in_both_languages_with_its_leaflet(event: Event, name: str) -> None:
    give_rules(event.stages.get(), name)
    for language, path in PAGES.items():
        page = text_of(path)
        with translation.override(language):
            sections = shown_sections(rulebook(PRESETS[name]))
        assert [one.key for one in sections if f'id="{one.key}"' not in page] == []
        leaflet = Client().get(f"{path}leaflet.pdf")
        assert (leaflet.headers["Content-Type"], leaflet.content[:5]) == ("application/pdf", b"%PDF-")
        assert f'href="{path}leaflet.pdf"' in page
    assert [Client().get(path.rstrip("/")).status_code for path in PAGES.values()] == [301, 301]


@pytest.mark.django_db
def test_the_page_has_the_rules_of_the_event_as_they_are_now(event: Event) -> None:
    stage = event.stages.get()
    give_rules(stage, "hk-2026")
    before = text_of(PAGES["en"])
    give_rules(stage, {"base": "hk-2026", "opening_minimum": 24, "turn_seconds": 45})
    after = text_of(PAGES["en"])
    for one, there in (("together 30 or more", before), ("60 seconds", before), ("together 24 or more", after)):
        assert one in there
    assert "45 seconds" in after and "60 seconds" not in after


@pytest.mark.django_db
def test_a_later_stage_has_a_part_of_its_own_only_where_its_rules_differ(event: Event) -> None:
    event.stages.create(kind="final", order=2, ruleset="hk-2026")
    write_public_files(event)
    assert 'id="final"' not in text_of(PAGES["en"])
    final = event.stages.get(kind="final")
    give_rules(final, {"base": "hk-2026", "joker_value": 50})
    page = text_of(PAGES["en"])
    assert "the rest is as above" in page and "A joker left on the rack counts −50." in page
    assert page.index("counts −30.") < page.index('id="final"') < page.index("counts −50.")


@pytest.mark.django_db
def test_every_public_page_of_the_event_leads_to_its_rules(event: Event, organiser: User) -> None:
    write_public_files(event)
    assert [f'href="{rules}"' in text_of(page) for page, rules in (("/p/hk-2026/", PAGES["zh-hant"]),
            ("/p/hk-2026/en/", PAGES["en"]), ("/p/hk-2026/notices/en/", PAGES["en"]))] == [True] * 3  # fmt: skip


@pytest.mark.django_db
def test_the_tablet_s_card_has_the_sentences_of_the_page(event: Event) -> None:
    give_rules(event.stages.get(), {"base": "twist", "opening_minimum": 24})
    card = squeezed(Client().get("/tablet/ice/hk-2026/").content.decode())
    for language in PAGES:
        with translation.override(language):
            sections = shown_sections(rulebook(read_ruleset({"base": "twist", "opening_minimum": 24})))
        said = [one for section in sections for holder in (section, *section.kinds) for one in holder.sentences]
        missing = [one for one in said if squeezed(one.replace("'", "&#x27;").replace('"', "&quot;")) not in card]
        assert missing == []


# --- Words, without a database --------------------------------------------------------------------------------


def shown(ruleset: Any, language: str) -> str:
    """Everything that the page shows of a ruleset, as text."""
    with translation.override(language):
        return repr((shown_sections(rulebook(ruleset)), rule_card_lines(rulebook(ruleset))))


@pytest.mark.parametrize("name", PRESETS)
def test_nothing_is_left_untranslated_in_either_language(name: str) -> None:
    chinese, english = (shown(PRESETS[name], language) for language in PAGES)
    assert CHINESE.findall(english) == []
    addresses = r"(?:anchor|question)='[^']*'"
    shown_words = re.sub(rf"{addresses}|[a-z_]+=|Shown\w+|RuleCardLine|Fraction", "", chinese)
    words = set(re.findall(r"[A-Za-z]{3,}", shown_words))
    # The keys of sections and the marks of verdicts are codes; Rummikub is called in Latin letters; the rest are words
    # of the letter game.
    codes = {*rule_words.SECTION_TITLES, *(verdict.value for verdict in rule_example_words.Verdict)}
    letters = {"SOFT", "RACK", "FIRST", "CARPET", "GOD", "BLESS", "CHIP", "LAP", "EAR"}
    assert words - codes - letters - {"Rummikub"} == set()


@pytest.mark.parametrize("field", FIELDS)
@settings(max_examples=5)
@given(data=st.data())
def test_a_changed_field_changes_the_page_and_the_card(field: str, data: Any) -> None:
    ruleset = read_ruleset({"base": "hk-2026", field: data.draw(FIELDS[field])})
    same = rulebook(ruleset) == rulebook(PRESETS["hk-2026"])
    for language in PAGES:
        assert (shown(ruleset, language) == shown(PRESETS["hk-2026"], language)) is same


@pytest.mark.django_db
def test_the_page_has_no_style_of_its_own_and_draws_each_tile_with_its_name(event: Event) -> None:
    titles = {"zh-hant": "初賽", "en": "Preliminary"}
    stages = [StageRules("preliminary", titles, PRESETS["twist"], rulebook(PRESETS["twist"]))]
    page = rules_page(public_event(event), stages, "en").decode()
    assert "style=" not in page
    assert 'aria-label="blue 4, mirror joker, blue 4"' in page


@pytest.mark.parametrize("language", PAGES)
@pytest.mark.parametrize("name", ["hk-2026", "twist"])
def test_of_each_set_the_page_says_the_value_of_the_rules(language: str, name: str) -> None:
    with translation.override(language):
        book = rulebook(PRESETS[name])
        pairs = [
            (example, rule_example_words.set_text(example))
            for section in book
            for holder in (section, *section.kinds)
            for example in holder.sets
        ]
    assert [text for example, text in pairs if example.judged.legal and str(example.judged.value) not in text] == []
