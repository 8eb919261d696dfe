"""The files of the public: from releases alone, whole or not at all, the same bytes every time."""

import io
import json
import threading
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from tests.sheets.sheets import mirrored_tables
from tests.squeezed import squeezed
from tournament.core.enums import EntrantStatus
from tournament.core.errors import BadInput
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant
from tournament.publication.services.files import write_public_files
from tournament.publication.services.release import release_results, withdraw_release
from tournament.publication.services.shelf import write_atomically
from tournament.releases.models import Release

pytestmark = pytest.mark.django_db
ANNOUNCED = datetime.fromisoformat("2026-04-09T00:00:00+08:00")
FILES = ("ranking.xlsx", "ranking.csv", "ranking.pdf", "ranking.json")


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    mirrored_tables(first_session, organiser, advance=4)
    return first_session.stage


@pytest.fixture
def publish(stage: Stage, organiser: User, django_capture_on_commit_callbacks: Any) -> Any:
    """A function: release, and let the commit's work be done."""

    def publish(**given: Any) -> Release:
        with django_capture_on_commit_callbacks(execute=True):
            return release_results(stage, by=organiser, **{"now": ANNOUNCED, **given})

    return publish


def get(path: str) -> Any:
    return Client().get(path)


def tree(root: Path) -> dict[str, bytes]:
    """Every file below, by name."""
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_before_the_first_release_the_page_says_when_and_nothing_else(event: Event) -> None:
    write_public_files(event)
    page = squeezed(get("/p/hk-2026/").content.decode())
    assert "2026 年 4 月 9 日 00:00" in page
    english = squeezed(get("/p/hk-2026/en/").content.decode())
    assert "planned for 9 April 2026, not before 00:00" in english
    assert [get(f"/p/hk-2026/{name}").status_code for name in (*FILES, "1/", "en/1/")] == [404] * 6
    assert json.loads(get("/p/hk-2026/current.json").content) == {"release": None}


def test_the_list_of_events_names_them_in_both_languages(event: Event) -> None:
    write_public_files(event)
    assert event.name_zh in squeezed(get("/p/").content.decode())
    assert event.name_en in squeezed(get("/p/en/").content.decode())


def test_a_rehearsal_has_its_page_and_is_in_no_list(event: Event) -> None:
    Event.objects.update(rehearsal=True)
    write_public_files(event)
    assert (event.name_zh in squeezed(get("/p/").content.decode()), get("/p/hk-2026/").status_code) == (False, 200)


def test_a_release_is_read_at_once_under_its_number_and_as_the_current_one(publish: Any) -> None:
    made = publish()
    paths = [f"/p/hk-2026/{folder}{name}" for folder in ("", "1/") for name in ("", "en/", *FILES)]
    assert [get(path).status_code for path in paths] == [200] * 12
    assert json.loads(get("/p/hk-2026/current.json").content) == {"release": 1, "digest": made.digest}
    assert "正式結果第 1 號·4 月 9 日 00:00 公佈" in squeezed(get("/p/hk-2026/").content.decode())
    assert "Official results no. 1·released 9 April 00:00" in squeezed(get("/p/hk-2026/1/en/").content.decode())


def test_the_page_draws_the_line_after_those_who_advance(publish: Any) -> None:
    publish()
    page = squeezed(get("/p/hk-2026/").content.decode())
    rows = [part.split('"')[0] for part in page.split('<tr id="')[1:]]
    assert rows == ["n0001", "n0005", "n0002", "n0006", "n0003", "n0007", "n0004", "n0008"]
    assert page.index('id="n0006"') < page.index('id="line"') < page.index('id="n0003"')
    assert "晉級線·以上 4 名晉級" in page


def test_the_page_marks_tables_of_three_reserves_and_who_has_no_rank(publish: Any) -> None:
    Entrant.objects.filter(number=8).update(status=EntrantStatus.DISQUALIFIED)
    publish()
    page = squeezed(get("/p/hk-2026/").content.decode())
    assert page.count("候補 1=") == 2
    assert '<li id="n0008"><span class="no">0008</span> 不列名次</li>' in page


def test_a_withdrawn_release_answers_410_at_every_address_of_its_number(
    publish: Any, organiser: User, django_capture_on_commit_callbacks: Any
) -> None:
    made = publish()
    with django_capture_on_commit_callbacks(execute=True):
        withdraw_release(made, reason="Secret reason", by=organiser)
    gone = [get(f"/p/hk-2026/1/{name}") for name in ("", "en/", *FILES)]
    assert [answer.status_code for answer in gone] == [410] * 6
    assert "第 1 號結果已撤回" in squeezed(gone[0].content.decode())
    assert "Release 1 has been withdrawn" in squeezed(gone[0].content.decode())
    current = get("/p/hk-2026/")
    assert (current.status_code, "第 1 號結果已撤回" in squeezed(current.content.decode())) == (200, True)
    assert [get(f"/p/hk-2026/{name}").status_code for name in FILES] == [404] * 4


def test_nothing_of_a_withdrawn_release_stays_in_the_folder(
    publish: Any, organiser: User, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    made = publish()
    with django_capture_on_commit_callbacks(execute=True):
        withdraw_release(made, reason="Secret reason", by=organiser)
    bodies = b"".join(tree(settings.PUBLIC_ROOT).values())
    assert [word for word in ("李*小", "145/6", made.digest, "Secret reason") if word.encode() in bodies] == []


def test_a_replaced_release_stays_and_says_by_which(publish: Any) -> None:
    publish()
    Entrant.objects.filter(number=8).update(status=EntrantStatus.WITHDRAWN)
    publish(now=ANNOUNCED + timedelta(hours=1))
    old, current = squeezed(get("/p/hk-2026/1/").content.decode()), squeezed(get("/p/hk-2026/").content.decode())
    assert "第 1 號結果已由新結果取代" in old
    assert 'href="/p/hk-2026/2/"' in old
    assert "正式結果第 2 號" in current
    assert "已由新結果取代" not in current


def test_written_anew_from_the_rows_every_file_is_the_same(
    publish: Any, event: Event, settings: Any, tmp_path: Path
) -> None:
    publish()
    first = tree(settings.PUBLIC_ROOT)
    settings.PUBLIC_ROOT = tmp_path / "elsewhere"
    write_public_files(event)
    assert tree(settings.PUBLIC_ROOT) == first


def test_the_command_writes_all_anew(publish: Any, settings: Any) -> None:
    publish()
    first = tree(settings.PUBLIC_ROOT)
    for path in settings.PUBLIC_ROOT.rglob("*"):
        if path.is_file():
            path.unlink()
    said = io.StringIO()
    call_command("public_files", stdout=said)
    assert (said.getvalue(), tree(settings.PUBLIC_ROOT)) == ("/p/hk-2026/\n", first)


def test_a_file_that_is_missing_is_made_again(publish: Any, event: Event, settings: Any) -> None:
    publish()
    first = tree(settings.PUBLIC_ROOT)
    for path in (settings.PUBLIC_ROOT / "hk-2026" / "files").iterdir():
        path.unlink()
    write_public_files(event)
    assert tree(settings.PUBLIC_ROOT) == first


def test_no_file_is_left_that_no_address_names(publish: Any, settings: Any) -> None:
    publish()
    for folder in (settings.PUBLIC_ROOT, settings.PUBLIC_ROOT / "hk-2026"):
        paths = json.loads((folder / "manifest.json").read_bytes())["paths"].values()
        named = {entry[kind] for entry in paths for kind in ("file", "gzip", "pack") if kind in entry}
        assert {path.name for path in (folder / "files").iterdir()} == named


def test_a_reader_sees_a_whole_file_while_it_is_written_again_and_again(tmp_path: Path) -> None:
    path, seen, done = tmp_path / "body", set(), threading.Event()
    write_atomically(path, b"a" * 100_000)

    def read() -> None:
        while not done.is_set():
            seen.add(path.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    for letter in b"bcdefghij":
        write_atomically(path, bytes([letter]) * 100_000)
    done.set()
    reader.join()
    assert {(len(body), len(set(body))) for body in seen} == {(100_000, 1)}


@pytest.mark.parametrize("slug", ["en", "files"])
def test_an_event_cannot_take_an_address_of_the_list(event: Event, slug: str) -> None:
    event.slug = slug
    with pytest.raises(BadInput):
        write_public_files(event)
