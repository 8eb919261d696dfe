"""What scripts say of the rules: a word for every code that the rules can answer, in both languages."""

import re
from typing import Any

import pytest
from django.utils import translation

from scoring import move, sets
from scoring.ruleset import PRESETS
from scoring.set_readings import KIND_GROUP, KIND_RUN
from tournament.core.adapters.bundles import SOURCES_FOLDER
from tournament.core.tile_faces import JOKER_FACES
from tournament.sheets.exports.rule_labels import rule_labels

LANGUAGES = ("zh-hant", "en")
CHINESE = re.compile("[\u3400-\u9fff]")
JOKERS = {"J", "JD", "JC", "JM"}
KINDS = {KIND_RUN, KIND_GROUP}


def labels_in(language: str) -> dict[str, Any]:
    with translation.override(language):
        return rule_labels()


def codes_of(module: Any) -> set[str]:
    """The codes that a module of the rules gives as reasons: its constants that are no kind of set and no tile."""
    texts = {value for name, value in vars(module).items() if name.isupper() and isinstance(value, str)}
    return texts - KINDS - JOKERS


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_of_a_set_and_of_a_turn_has_its_words(language: str) -> None:
    labels = labels_in(language)
    keys = {name: {*labels[name]} for name in ("set_faults", "move_faults", "set_worth", "jokers", "colours", "faces")}
    assert keys == {
        "set_faults": codes_of(sets),
        "move_faults": codes_of(move),
        "set_worth": KINDS,
        "jokers": JOKERS,
        "colours": {"R", "B", "K", "O"},
        "faces": {*JOKER_FACES},
    }
    assert {kind for one in PRESETS.values() for kind, count in one.tiles.jokers if count} == JOKERS


def test_every_word_is_in_its_language() -> None:
    chinese, english = (texts_of(labels_in(language)) for language in LANGUAGES)
    assert [one for one in english if CHINESE.search(one)] == []
    # "，" and a sentence of nothing but places have no character of their own.
    assert {one for one in chinese if not CHINESE.search(one)} <= {"，", "、", ", "}


def texts_of(labels: dict[str, Any]) -> list[str]:
    """All words, without the faces."""
    plain = [value for value in labels.values() if isinstance(value, str)]
    groups = [value for name, value in labels.items() if name != "faces" and isinstance(value, dict)]
    return [*plain, *(text for group in groups for text in group.values())]


def test_the_scripts_ask_for_no_other_word_of_the_rules() -> None:
    scripts = [*(SOURCES_FOLDER / "js/rules").glob("*.js"), SOURCES_FOLDER / "js/tablet/tile.js"]
    asked = set[str]()
    for script in scripts:
        text = script.read_text(encoding="utf-8")
        asked |= {*re.findall(r"labels\(\)\.rules\.(\w+)", text)}
        for names in re.findall(r"const \{([^}]+)\} = labels\(\)\.rules", text):
            asked |= {one.split(":")[0].strip() for one in names.split(",")}
    assert asked == {*labels_in("en")}
