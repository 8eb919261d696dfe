"""A correction after a release: the page of differences, for officials and for the public, and the files made again."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.sheets.sheets import Result, lock_sheets, mirrored_tables
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.publication.services.release import release_results, withdraw_release
from tournament.releases.models import Release
from tournament.tables.models import Table

pytestmark = pytest.mark.django_db
PAGE = "/desk/hk-2026/releases/"
ANNOUNCED = datetime.fromisoformat("2026-04-09T00:00:00+08:00")


@pytest.fixture
def corrected(first_session: Session, organiser: User, django_capture_on_commit_callbacks: Any) -> Any:
    """Release 1; then table 1's sheet is superseded, 0004 having won the first game; a function makes release 2."""
    mirrored_tables(first_session, organiser, advance=4)
    Event.objects.update(results_at=timezone.now())
    first_session.stage.event.refresh_from_db()
    with django_capture_on_commit_callbacks(execute=True):
        release_results(first_session.stage, by=organiser)
    four_wins = [[Result(0, -600, 5), Result(0, -600, 5), Result(0, -600, 5), Result(1, 1800, 0)]] * 3
    lock_sheets([Table.objects.get(number=1)], [four_wins], organiser, version=2)

    def again() -> Release:
        with django_capture_on_commit_callbacks(execute=True):
            return release_results(first_session.stage, by=organiser)

    return again


def test_the_release_page_lists_the_sheets_changed_since(corrected: Any, auditor: User, signed_in: Any) -> None:
    page = squeezed(signed_in(auditor).get(f"{PAGE}1/").content.decode())
    assert (
        '<a href="/desk/hk-2026/scoresheets/1/1/">0328-1-01</a></td><td class="n">第 1 版</td><td class="n">第 2 版'
        in page
    )
    assert "0328-1-02" not in page


def test_officials_see_who_crosses_the_line_with_old_and_new_rank(
    corrected: Any, auditor: User, signed_in: Any
) -> None:
    corrected()
    page = squeezed(signed_in(auditor).get(f"{PAGE}2/differences/").content.decode())
    assert "第 2 號對第 1 號" in page and "0328-1-01" in page
    rows = {part[3:7]: part.split("</tr>")[0] for part in page.split('/">')[1:]}
    crossed = page.split("晉級線")[1].split("</section>")[0]
    assert ">0004<" in crossed and "現已晉級" in crossed and "現不晉級" in crossed
    assert rows
    english = signed_in(auditor)
    english.cookies["django_language"] = "en"
    assert "Release no. 2 against no. 1" in squeezed(english.get(f"{PAGE}2/differences/").content.decode())


def test_any_two_releases_can_be_compared_and_the_first_has_none_before(
    corrected: Any, auditor: User, signed_in: Any
) -> None:
    corrected()
    client = signed_in(auditor)
    assert "第 1 號對第 2 號" in squeezed(client.get(f"{PAGE}1/differences/", {"from": "2"}).content.decode())
    assert "這是第一次公佈" in squeezed(client.get(f"{PAGE}1/differences/").content.decode())
    assert client.get(f"{PAGE}2/differences/", {"from": "7"}).status_code == 404


def test_the_public_page_says_which_release_it_replaces_and_what_changed(corrected: Any) -> None:
    corrected()
    for path in ("/p/hk-2026/", "/p/hk-2026/2/"):
        page = squeezed(Client().get(path).content.decode())
        assert "本結果取代第 1 號。" in page and 'href="/p/hk-2026/2/changes/"' in page
    assert "取代" not in squeezed(Client().get("/p/hk-2026/1/").content.decode()).split("</h1>")[1]
    changes = squeezed(Client().get("/p/hk-2026/2/changes/").content.decode())
    assert "改了甚麼" in changes and "現已晉級" in changes
    english = squeezed(Client().get("/p/hk-2026/2/changes/en/").content.decode())
    assert "replaces release 1" in english and "now above the line" in english
    assert Client().get("/p/hk-2026/1/changes/").status_code == 404


def test_what_a_withdrawn_release_said_is_not_repeated(
    corrected: Any, organiser: User, django_capture_on_commit_callbacks: Any
) -> None:
    corrected()
    with django_capture_on_commit_callbacks(execute=True):
        withdraw_release(Release.objects.get(number=1), reason="Wrong.", by=organiser)
    page = squeezed(Client().get("/p/hk-2026/").content.decode())
    assert "本結果取代已撤回的第 1 號。" in page and "/changes/" not in page
    assert Client().get("/p/hk-2026/2/changes/").status_code == 404


def test_the_changes_of_a_withdrawn_release_are_gone_with_it(
    corrected: Any, organiser: User, django_capture_on_commit_callbacks: Any
) -> None:
    made = corrected()
    with django_capture_on_commit_callbacks(execute=True):
        withdraw_release(made, reason="Wrong.", by=organiser)
    assert Client().get("/p/hk-2026/2/changes/").status_code == 410


def test_lost_files_are_noticed_and_written_again(
    corrected: Any, organiser: User, signed_in: Any, settings: Any
) -> None:
    client, manifest = signed_in(organiser), Path(settings.PUBLIC_ROOT) / "hk-2026" / "manifest.json"
    whole = manifest.read_bytes()
    assert "公眾網頁尚未更新" not in squeezed(client.get(PAGE).content.decode())
    manifest.unlink()
    assert "公眾網頁尚未更新" in squeezed(client.get(PAGE).content.decode())
    assert client.post(f"{PAGE}files/").headers["Location"] == PAGE
    assert client.post(f"{PAGE}files/").status_code == 302
    assert manifest.read_bytes() == whole
    assert AuditEntry.objects.filter(action="write_public_files").count() == 2


def test_a_disk_that_takes_nothing_is_told_and_undoes_no_release(
    corrected: Any, organiser: User, signed_in: Any, settings: Any, tmp_path: Path
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the folder should be")
    settings.PUBLIC_ROOT = blocked
    assert corrected().number == 2
    client = signed_in(organiser)
    assert "公眾網頁尚未更新" in squeezed(client.get(f"{PAGE}2/").content.decode())
    answer = client.post(f"{PAGE}files/")
    assert (answer.status_code, "公眾網頁寫不出" in squeezed(answer.content.decode())) == (503, True)
    assert not AuditEntry.objects.filter(action="write_public_files").exists()


def test_the_overview_says_of_a_withdrawn_release_that_it_was_taken_back(
    corrected: Any, organiser: User, signed_in: Any
) -> None:
    withdraw_release(Release.objects.get(), reason="Wrong.", by=organiser)
    page = squeezed(signed_in(organiser).get("/desk/hk-2026/").content.decode())
    assert '<span class="badge stop">已撤回</span>' in page and "退出" not in page.split("公佈")[-1]
