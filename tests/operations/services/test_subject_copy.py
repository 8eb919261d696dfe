"""A copy of all that is held of one person: theirs alone, readable by its owner alone, and written into the log."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from tests.sheets.drawing import packed, tablet
from tests.sheets.tables import settle
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Person
from tournament.operations.services import erasure, subject_copy
from tournament.operations.services.erasure_files import copies_folder
from tournament.operations.services.erasure_scope import ErasureScope
from tournament.sheets.services import registration


@pytest.fixture
def person(first_session: Session, organiser: User, referee: User, settings: Any, tmp_path: Path) -> Entrant:
    """Who signed on a tablet and has contact data; three others sat there."""
    settings.VAR_DIR = tmp_path
    [table] = settle(first_session, organiser, [4])
    for number, phone in ((301, "+85261112222"), (302, "+85263334444")):
        Person.objects.filter(entrant__number=number).update(name_zh=f"龍{number}", phone=phone)
    packed(table, tablet(table, referee, organiser), referee)
    found = Entrant.objects.select_related("person", "event", "session", "family").get(number=301)
    registration.record_absence(found, status=EntrantStatus.WITHDRAWN, reason="went home", by=organiser)
    return Entrant.objects.select_related("person", "event", "session", "family").get(number=301)


@pytest.mark.fault("Y11")
def test_it_has_person_entry_seat_lines_signature_rulings_and_log_and_nobody_else(person: Entrant) -> None:
    copy = subject_copy.build_subject_copy(person)
    text = subject_copy.subject_copy_as_text(copy) + json.dumps(copy, default=str, ensure_ascii=False)
    assert (copy["person"]["name_zh"], copy["person"]["phone"]) == ("龍301", "+85261112222")
    assert copy["seats"] == [{"session": "0328-1", "table": 1, "seat": "A"}]
    assert [line["game"] for line in copy["sheets"]] == [1, 2, 3]
    [signed] = copy["signatures"]
    assert (signed["drawn"], len(signed["strokes"])) == (True, 2)
    assert [one["reason"] for one in copy["conduct"]] == ["went home"]
    assert "record_withdrawal" in {entry["action"] for entry in copy["log"]}
    assert not [other for other in ("龍302", "+85263334444") if other in text]


@pytest.mark.fault("Y11")
def test_the_command_writes_two_files_for_their_owner_alone_and_the_log_says_so(
    person: Entrant, tmp_path: Path, capsys: Any
) -> None:
    call_command("subject", "0301", "--to", str(tmp_path / "copy.json"))
    files = [tmp_path / "copy.json", tmp_path / "copy.txt"]
    assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600, 0o600]
    assert ["龍301" in file.read_text(encoding="utf-8") for file in files] == [True, True]
    assert AuditEntry.objects.filter(action="make_subject_copy", subject="entrant 0301").count() == 1
    for wrong in (["301", "--to", str(tmp_path / "copy.json")], ["9999"], ["x"], ["301", "--event", "none"]):
        with pytest.raises(CommandError):
            call_command("subject", *wrong)


def test_a_copy_that_lies_where_it_was_made_goes_with_the_erasure(person: Entrant) -> None:
    call_command("subject", "301")
    assert len(list(copies_folder().iterdir())) == 2
    done = erasure.erase_entrant_data(ErasureScope(person.event, person), reason="asked", by=None)
    assert done.erasures[0].counts["copies"] == 2
    assert list(copies_folder().iterdir()) == []


def test_of_an_erased_person_the_copy_says_that_and_never_fails(person: Entrant, event: Event) -> None:
    erasure.erase_entrant_data(ErasureScope(event, person), reason="asked", by=None)
    copy = subject_copy.build_subject_copy(
        Entrant.objects.select_related("person", "event", "session", "family").get(number=301)
    )
    assert (copy["person"]["name_en"], copy["person"]["birth_date"]) == ("erased", None)
    assert copy["person"]["erased_at"] is not None
    assert [(one["drawn"], one["strokes"]) for one in copy["signatures"]] == [(True, None)]
