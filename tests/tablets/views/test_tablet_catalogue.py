"""The catalogue of the tablet's scripts: Chinese whatever the browser asks for, kept with the scripts of a version."""

import json
from pathlib import Path

import pytest
from django.test import Client

from tournament.tablets.views import tablet


@pytest.mark.parametrize("language", ["en", "zh-HK"])
def test_the_catalogue_is_chinese_for_a_page_in_either_language(client: Client, language: str) -> None:
    catalogue = client.get("/tablet/words.json", headers={"Accept-Language": language}).json()["catalog"]
    assert (catalogue["Received and locked"], catalogue["panel\x04out"]) == ("大會已收妥並鎖定此計分紙", "出完")


def test_the_worker_keeps_the_catalogue_with_the_scripts(client: Client) -> None:
    script = client.get("/tablet/worker.js").content.decode()
    kept = json.loads(script.partition(";\n")[0].removeprefix("const KEPT = "))
    assert "/tablet/words.json" in kept["files"]
    assert kept["version"] == tablet.tablet_cache_version()


def test_another_sentence_is_another_version_of_what_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    changed = tmp_path / "djangojs.mo"
    changed.write_bytes(tablet.SCRIPTS_CATALOGUE.read_bytes() + b"\0")
    before = tablet.tablet_cache_version()
    monkeypatch.setattr(tablet, "SCRIPTS_CATALOGUE", changed)
    assert tablet.tablet_cache_version() != before
