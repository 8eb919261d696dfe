"""A whole tournament is clean to both verifiers, what they find has a name, and the command says it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.guards_lifted import lifted
from tests.reliability.false_alarms import SCRIPT
from tests.reliability.tampering import by_script, heads, undone
from tests.small_event import small_fixtures
from tournament.audit import services
from tournament.core.models.event import Event
from tournament.demo.stages import seed_event
from tournament.operations.services.audit_export import export_evidence
from tournament.operations.services.audit_verification import verify_events
from tournament.publication.services.files import write_public_files
from tournament.releases.models import Release
from tournament.sheets.models.scoresheet import Line


@pytest.fixture
def released(db: None, tmp_path: Path) -> Event:
    """A small event, from its import to its release."""
    event = seed_event("released", 2, small_fixtures(tmp_path / "fixtures"))
    write_public_files(event)
    return event


def test_a_whole_tournament_is_clean_to_both_verifiers(released: Event, tmp_path: Path) -> None:
    report = verify_events(anchors=heads(released))
    assert (report.findings, report.incomplete, report.exit_code) == ([], [], 0)
    assert report.counts["sheets"] == 24
    ranked = Release.objects.get().content["ranking"]
    assert report.counts["files"] == 33 + 2 * len(ranked)
    assert by_script(heads(released)) == (0, "")


@pytest.mark.fault("T5")
def test_an_older_state_put_back_in_silence_is_found_by_a_later_anchor(released: Event) -> None:
    with undone():
        services.append_audit_entry(released, None, "write_public_files", "event hk-2026")
        later = heads(released)
    report = verify_events(anchors=later, files=False)
    assert [(finding.code, finding.subject) for finding in report.findings] == [
        ("entries_cut_off", f"audit entry {later[-1].seq}")
    ]


@pytest.mark.fault("T7")
def test_a_published_file_that_is_not_what_the_release_gives_is_named(released: Event, settings: Any) -> None:
    folder = settings.PUBLIC_ROOT / released.slug / "files"
    for path in folder.iterdir():
        if (content := path.read_bytes()).startswith(b"%PDF"):
            path.write_bytes(content + b" ")
    report = verify_events()
    assert {finding.code for finding in report.findings} == {"public_file"}
    assert any("ranking.pdf" in finding.subject for finding in report.findings)


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
    with lifted():
        line = Line._base_manager.filter(game__number=1, letter="A").earliest("pk")
        Line._base_manager.filter(pk=line.pk).update(points_twelfths=7)
    capsys.readouterr()
    with pytest.raises(SystemExit) as altered:
        call_command("audit", "verify", "--event", released.slug)
    assert [raised.value.code for raised in (incomplete, unread, altered)] == [3, 3, 2]
    said = capsys.readouterr()
    assert f"hk-2026: scoresheet 0328-1-01 v1, line {line.pk} points_twelfths: row altered: " in said.err
    assert said.out.splitlines()[-1].startswith("ALTERED: ")


def test_evidence_that_is_cut_off_is_incomplete_and_holds_no_name(released: Event, tmp_path: Path) -> None:
    path = tmp_path / "evidence"
    export_evidence(path)
    text = path.read_text(encoding="utf-8")
    names = [entrant.person.name_en for entrant in released.entrants.select_related("person")]
    assert [name for name in names if name in text] == []
    path.write_text("".join(text.splitlines(keepends=True)[:-1]), encoding="utf-8")
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(path)]
    assert subprocess.run(command, capture_output=True).returncode == 3
