"""Both languages are complete: every sentence that is marked has its Chinese, and each says the same facts."""

import re
from collections import defaultdict
from pathlib import Path

import polib
import pytest

from tests.tournament.translatable import everything_said, in_context, placeholders
from tournament import checks, words


def entries() -> list[tuple[Path, polib.POEntry]]:
    """Every entry of every catalogue that is in use."""
    return [(path, entry) for path in words.sources() for entry in polib.pofile(str(path)) if not entry.obsolete]


def texts_of(entry: polib.POEntry) -> list[str]:
    """The Chinese of an entry: one text, also where English has two."""
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def test_every_sentence_that_is_marked_has_its_chinese() -> None:
    have = {in_context(entry.msgctxt, entry.msgid) for _, entry in entries() if all(texts_of(entry))}
    missing = sorted({f"{where}: {said!r}" for said, where in everything_said() if said not in have})
    assert missing == []


def test_no_translation_is_a_guess() -> None:
    assert [f"{path.name}: {entry.msgid}" for path, entry in entries() if entry.fuzzy or not all(texts_of(entry))] == []


def test_a_sentence_and_its_chinese_are_filled_with_the_same_facts() -> None:
    differing = [
        f"{path.name}: {entry.msgid}"
        for path, entry in entries()
        for text in texts_of(entry)
        if placeholders(text) != placeholders(entry.msgid) | placeholders(entry.msgid_plural)
    ]
    assert differing == []


def test_no_two_files_translate_one_sentence_differently() -> None:
    said: dict[str, set[str]] = defaultdict(set)
    for _, entry in entries():
        said[in_context(entry.msgctxt, entry.msgid)].add("/".join(texts_of(entry)))
    assert {msgid: texts for msgid, texts in said.items() if len(texts) > 1} == {}


@pytest.mark.fault("W2")
def test_no_sentence_says_that_nobody_changes_a_locked_sheet_for_two_people_correct_it() -> None:
    sheet = re.compile("sheet|lock|certif|sign|計分紙|鎖|核實|簽")
    nobody = re.compile(r"\bfor ever\b|[Nn]obody can|can never|任何人都不能(更改|改)|永遠|包括評審員")
    texts = [(path.name, text) for path, entry in entries() for text in (entry.msgid, *texts_of(entry))]
    assert [(name, text) for name, text in texts if sheet.search(text) and nobody.search(text)] == []
    told = {entry.msgid: entry.msgstr for path, entry in entries() if path.name == "tablet_panel.po"}
    [(english, chinese)] = [texts for texts in told.items() if "write down the receipt code" in texts[0]]
    assert english.startswith("Only a correction by two people at the desk can change it.")
    assert "兩人更正" in chinese


def test_words_that_are_not_compiled_are_a_warning_with_a_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "COMPILED", tmp_path / "django.mo")
    found = checks.words_are_compiled(None)
    assert [(message.id, message.hint) for message in found] == [("tournament.W001", "Run: make words")]


def test_compiled_words_carry_the_digest_of_their_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = polib.POFile()
    catalogue.metadata = {"Content-Type": "text/plain; charset=UTF-8", words.DIGEST_HEADER: words.sources_digest()}
    catalogue.save_as_mofile(str(tmp_path / "django.mo"))
    monkeypatch.setattr(words, "COMPILED", tmp_path / "django.mo")
    assert checks.words_are_compiled(None) == []
