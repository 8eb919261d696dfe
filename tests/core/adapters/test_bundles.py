"""Bundles and the static files beside them: their names, how long they are kept, who finds them."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.test import Client

from tests.squeezed import squeezed
from tournament.core.adapters import bundles
from tournament.core.adapters.bundles import BUNDLES, NAMED_BY_CONTENT, bundle_url, write_bundle
from tournament.core.adapters.static_files import LastKnownStaticFiles, StaticFilesForAYear
from tournament.tablets.views.tablet import kept_files

YEAR = "max-age=31536000, public, immutable"


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Path) -> None:
    """Bundles and collected files of this test, named as in production."""
    settings.VAR_DIR, settings.STATIC_ROOT = tmp_path, tmp_path / "static"
    backend = "tournament.core.adapters.static_files.LastKnownStaticFiles"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": backend}}


def collect() -> LastKnownStaticFiles:
    """Everything collected; the storage as a process that starts now has it."""
    call_command("collectstatic", interactive=False, verbosity=0)
    return LastKnownStaticFiles()


def test_a_bundle_is_its_sources_one_after_another_and_named_by_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (("one.css", "a {}\n"), ("two.css", "b {}\n")):
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(bundles, "SOURCES_FOLDER", tmp_path)
    monkeypatch.setitem(BUNDLES, "all.css", ("one.css", "two.css"))
    first = write_bundle("all.css")
    assert (first.read_text(), first.name) == ("a {}\nb {}\n", "all.e9c1889f111b.css")
    (tmp_path / "two.css").write_text("b { margin: 0 }\n")
    second = write_bundle("all.css")
    assert (second.read_text(), second.name != first.name) == ("a {}\nb { margin: 0 }\n", True)


def test_a_bundle_has_the_same_address_before_and_after_it_is_collected() -> None:
    before = {name: bundle_url(name) for name in BUNDLES}
    storage = collect()
    names = {name: address.removeprefix("/static/") for name, address in before.items()}
    assert {name: storage.url(own) for name, own in names.items()} == before
    assert all(storage.exists(own) and NAMED_BY_CONTENT.search(own) for own in names.values())
    # Packed once, when it is collected.
    assert all(storage.exists(f"{own}.gz") for own in names.values())


def test_what_is_named_by_its_content_is_kept_for_a_year_wherever_it_was_collected(settings: Any) -> None:
    settings.WHITENOISE_AUTOREFRESH = False  # as in production: all files are listed once
    storage = collect()
    old = "css/before.0123456789ab.css"
    Path(storage.path(old)).write_text("a {}")
    door = StaticFilesForAYear(lambda request: None)
    kept = {url: dict(file.get_response("GET", {}).headers)["Cache-Control"] for url, file in door.files.items()}
    year = {*map(bundle_url, BUNDLES), f"/static/{old}", storage.url("js/tablet/shell.js")}
    assert {url: kept[url] for url in year} == dict.fromkeys(year, YEAR)
    assert kept["/static/css/base.css"] == "max-age=60, public"
    assert {kept[url] for url in kept if not NAMED_BY_CONTENT.search(url)} == {"max-age=60, public"}


def test_pages_written_by_earlier_versions_find_their_files() -> None:
    """They name each style and script by itself, without a digest."""
    collect()
    names = ("css/tokens.css", "css/base.css", "css/public.css", "css/print.css", "js/banner.js", "js/ranking.js")
    assert [name for name in names if finders.find(name) is None] == []


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/tablet/", "/tablet/hk-2026/", "/tablet/ice/", "/tablet/ice/hk-2026/"])
def test_a_tablets_pages_ask_for_the_files_that_its_worker_keeps(event: Any, path: str) -> None:
    page = squeezed(Client().get(path).content.decode())
    catalogue = {"/tablet/words.json"}
    assert {*re.findall(r'(?:href|src)="(/static/[^"]+)"', page)} == {*kept_files()} - catalogue
    assert {*re.findall(r'href="(/tablet/words[^"]+)"', page)} == (set() if path == "/tablet/" else catalogue)
    assert re.findall(r"<script[^>]*src[^>]*>", page) == [f'<script src="{bundle_url("tablet.js")}" defer>']


@pytest.mark.django_db
def test_a_tablets_page_is_packed_for_who_takes_gzip(event: Any) -> None:
    packed = Client().get("/tablet/hk-2026/", headers={"accept-encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert len(packed.content) * 3 < len(Client().get("/tablet/hk-2026/").content)
