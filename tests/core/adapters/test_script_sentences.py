"""The sentences that a page takes along for its scripts: all of them, each with its Chinese."""

import pytest
from django.test import Client

from tournament.core.adapters.script_sentences import chinese_sentences, sentence_keys


def test_a_page_takes_along_all_sentences_of_its_scripts_as_the_tablet_s_catalogue_has_them() -> None:
    catalogue = Client().get("/tablet/words.json").json()["catalog"]
    taken = chinese_sentences("ask.js")
    assert len(taken) > 30
    assert taken == {key: catalogue.get(key) for key in taken}


@pytest.mark.parametrize("bundle", ["ask.js", "tablet.js", "timer.js"])
def test_every_sentence_of_the_scripts_has_its_chinese(bundle: str) -> None:
    catalogue = Client().get("/tablet/words.json").json()["catalog"]
    assert [key for key in sentence_keys(bundle) if key not in catalogue] == []
