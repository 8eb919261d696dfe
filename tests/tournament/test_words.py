"""Both languages are complete: every sentence that is marked has its Chinese, and each says the same facts."""

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
