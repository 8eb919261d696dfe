"""Nothing is altered unnoticed: every kind of tampering is found and its thing named, by both verifiers; and nothing
else is."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction

from tests.reliability import tampering
from tests.reliability.false_alarms import SCRIPT, Undone
from tests.reliability.histories import make_conduct
from tests.reliability.injections import by_script, heads, of_world, unfound
from tests.small_event import small_fixtures
from tournament.demo.stages import seed_event
from tournament.models import Event, Release
from tournament.services import audit
from tournament.services.audit_export import export
from tournament.services.audit_verification import verify
from tournament.services.release_files import write_public_files

# Every sixth here; `make reliability` does all of them, on both databases.
EACH = 6


@pytest.fixture
def released(db: None, tmp_path: Path) -> Event:
    """A small event, from its import to its release."""
    event = seed_event("released", 2, small_fixtures(tmp_path / "fixtures"))
    write_public_files(event)
    return event


@contextmanager
def undone() -> Iterator[None]:
    """What is done inside is as if it had never been."""
    try:
        with transaction.atomic():
            yield
            raise Undone
    except Undone:
        pass


def test_a_whole_tournament_is_clean_to_both_verifiers(released: Event, tmp_path: Path) -> None:
    report = verify(anchors=heads(released))
    assert (report.findings, report.incomplete, report.exit_code) == ([], [], 0)
    assert report.counts["sheets"] == 24
    ranked = Release.objects.get().content["ranking"]
    assert report.counts["files"] == 22 + 2 * len(ranked)
    assert by_script(heads(released)) == (0, "")


@pytest.mark.fault("T2")
@pytest.mark.fault("T3")
@pytest.mark.fault("T4")
@pytest.mark.fault("T6")
@pytest.mark.fault("T9")
def test_both_verifiers_find_every_kind_of_tampering_and_name_its_thing(released: Event) -> None:
    assert unfound(released, of_world(conduct=False)[::EACH]) == []
    assert verify(anchors=heads(released), files=False).exit_code == 0


@pytest.mark.fault("T2")
@pytest.mark.django_db
def test_tampering_with_corrections_disputes_and_second_typings_is_found_and_named() -> None:
    assert unfound(make_conduct(), of_world(conduct=True)[::EACH]) == []


@pytest.mark.fault("T5")
def test_an_older_state_put_back_in_silence_is_found_by_a_later_anchor(released: Event) -> None:
    with undone():
        with transaction.atomic():
            audit.record(released, None, "note", "event hk-2026")
        later = heads(released)
    report = verify(anchors=later, files=False)
    assert [(finding.code, finding.thing) for finding in report.findings] == [
        ("entries_cut_off", f"audit entry {later[-1].seq}")
    ]


@pytest.mark.fault("T7")
def test_a_published_file_that_is_not_what_the_release_gives_is_named(released: Event, settings: Any) -> None:
    shutil.copytree(settings.PUBLIC_ROOT, settings.PUBLIC_ROOT.with_name("kept"))
    tampering.do(tampering.FILES)
    report = verify()
    assert {finding.code for finding in report.findings} == {"public_file"}
    assert any("ranking.pdf" in finding.thing for finding in report.findings)


def test_the_command_answers_by_its_exit_status(released: Event, tmp_path: Path, capsys: Any) -> None:
    anchors = tmp_path / "anchors"
    call_command("audit", "anchor", str(anchors))
    call_command("audit", "verify", "--anchors", str(anchors))
    assert capsys.readouterr().out.splitlines()[-1] == "clean"
    with pytest.raises(SystemExit) as incomplete:
        call_command("audit", "verify", "--event", "no-such-event")
    anchors.write_text("not an anchor\n")
    with pytest.raises(SystemExit) as unread:
        call_command("audit", "verify", "--anchors", str(anchors))
    tampering.do("change_a_value")
    capsys.readouterr()
    with pytest.raises(SystemExit) as altered:
        call_command("audit", "verify", "--event", released.slug)
    assert [raised.value.code for raised in (incomplete, unread, altered)] == [3, 3, 2]
    said = capsys.readouterr()
    assert "scoresheet 0328-1-01 v1 (game 1 A points_twelfths): sheet values" in said.err
    assert said.out.splitlines()[-1].startswith("ALTERED: ")


def test_evidence_that_is_cut_off_is_incomplete_and_holds_no_name(released: Event, tmp_path: Path) -> None:
    path = tmp_path / "evidence"
    export(path)
    text = path.read_text(encoding="utf-8")
    names = [entrant.person.name_en for entrant in released.entrants.select_related("person")]
    assert [name for name in names if name in text] == []
    path.write_text("".join(text.splitlines(keepends=True)[:-1]), encoding="utf-8")
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(path)]
    assert subprocess.run(command, capture_output=True).returncode == 3
