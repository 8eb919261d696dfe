"""`manage.py import_entrants FILE`: the same faults as the page, an exit status, counts."""

import io
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils.translation import override

from tests.entrant_lists import FIXTURES, csv_of, sound_row
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant, Person, Ruling


def run(path: Path, **options: Any) -> tuple[str, str, str]:
    """What the command printed, and with what it ended: out, err, its refusal."""
    out, err, refusal = io.StringIO(), io.StringIO(), ""
    with override("en"):
        try:
            call_command("import_entrants", str(path), stdout=out, stderr=err, no_color=True, **options)
        except CommandError as error:
            refusal = str(error)
            assert error.returncode == 1
    return out.getvalue(), err.getvalue(), refusal


def written(folder: Path, *rows: dict[str, Any]) -> Path:
    """The rows as a CSV on disk."""
    path = folder / "entrants.csv"
    path.write_bytes(csv_of(rows))
    return path


def test_the_workbook_is_imported_and_counted_and_again_changes_nothing(event: Event, organiser: User) -> None:
    assert run(FIXTURES / "entrants.xlsx", by="organiser") == ("1200 entrants imported, 0 unchanged.\n", "", "")
    out, err, refusal = run(FIXTURES / "entrants.xlsx")
    assert (out.startswith("This file was already imported on 20"), err, refusal) == (True, "", "")
    assert run(FIXTURES / "entrants.csv") == ("0 entrants imported, 1200 unchanged.\n", "", "")
    entry = AuditEntry.objects.filter(action="import_entrants").order_by("seq").first()
    assert entry is not None
    assert entry.actor == organiser


def test_every_fault_is_printed_with_row_and_column_and_nothing_is_imported(event: Event, tmp_path: Path) -> None:
    path = written(
        tmp_path, sound_row(1), sound_row(2, phone="1234 5678"), sound_row(3, school="A123456(3)", birth_date="")
    )
    out, err, refusal = run(path)
    assert out == ""
    assert err.splitlines() == [
        'row 3, column F 電話: "1234 5678" - to mend: A Hong Kong number has 8 digits and begins with 2 to 9. '
        "Complete the number; numbers of other places begin with +.",
        'row 4, column D 出生日期: "" - to mend: The date of birth must be filled in. '
        "For example 2016-02-28 or 28/2/2016.",
        'row 4, column I 學校: "(not kept)" - to mend: This looks like an identity-card number. It was not kept. '
        "Delete it from the file; age is checked by looking at the document. A receipt of a letter and six digits "
        "looks the same: leave the letter out.",
    ]
    assert refusal == "Nothing was imported: 3 to mend, 0 to decide."
    assert Entrant.objects.count() == 0


def test_a_boundary_birthday_is_accepted_by_an_organiser_with_a_reason(
    event: Event, organiser: User, clerk: User, tmp_path: Path
) -> None:
    path = written(tmp_path, sound_row(1, birth_date="2019-03-28", consent_guardian="Y"))
    assert run(path)[2] == "Nothing was imported: 0 to mend, 1 to decide."
    assert run(path, accept_birthday=["2=seen"])[2] == "--accept-birthday needs --by: a decision has a name."
    for text, said in (("2", 'takes ROW=REASON, not "2"'), ("x=y", 'takes ROW=REASON, not "x=y"')):
        assert said in run(path, by="organiser", accept_birthday=[text])[2]
    assert run(path, by="clerk", accept_birthday=["2=seen"])[2].startswith("Only an organiser of the event")
    assert run(path, by="organiser", accept_birthday=["3=seen"])[2] == "In row 3 there is no birthday to accept."
    assert run(path, by="organiser", accept_birthday=["2=seen"]) == ("1 entrant imported, 0 unchanged.\n", "", "")
    assert Ruling.objects.get().reason == "seen"


def test_a_file_that_is_no_list_and_an_unknown_event_or_account_are_refused(event: Event, tmp_path: Path) -> None:
    path = tmp_path / "entrants.xlsx"
    path.write_bytes(b"%PDF-1.7")
    assert run(path)[2].startswith("This is a PDF.")
    assert run(tmp_path / "none.xlsx")[2].endswith("No such file or directory")
    assert run(path, event="other")[2].startswith("Name the event")
    assert run(path, by="nobody")[2] == "There is no account nobody."


def test_changes_of_those_entered_are_printed_and_made_only_when_asked_for(
    event: Event, organiser: User, tmp_path: Path
) -> None:
    run(written(tmp_path, sound_row(1, school="A"), sound_row(2)))
    path = written(tmp_path, sound_row(1, school="B", consent_photo="Y"), sound_row(2))
    told = [
        'row 2, entrant 0001: school: "A" becomes "B"',
        'row 2, entrant 0001: consent to photos: "not given" becomes "given"',
    ]
    out, err, refusal = run(path)
    assert (out, err.splitlines(), Person.objects.first().school) == ("", told, "A")
    assert refusal.startswith("1 entrant would change; nothing was imported.")
    out, err, refusal = run(path, apply_changes=True)
    assert (out, err.splitlines(), refusal) == ("0 entrants imported, 1 unchanged.\n1 changed.\n", told, "")
    assert Person.objects.first().school == "B"


def test_a_name_that_no_font_has_is_accepted_by_an_organiser_as_on_the_page(
    event: Event, organiser: User, tmp_path: Path
) -> None:
    path = written(tmp_path, sound_row(1, name_zh="陳🐰明"), sound_row(2))
    assert run(path)[2] == "Nothing was imported: 0 to mend, 1 to decide."
    assert run(path, accept_name=["2=as on the card"])[2] == "--accept-name needs --by: a decision has a name."
    assert run(path, by="organiser", accept_name=["3=seen"])[2] == "In row 3 there is no name to accept."
    assert run(path, by="organiser", accept_name=["2=as on the card"])[0] == "2 entrants imported, 0 unchanged.\n"
    assert Person.objects.get(entrant__number=1).name_zh == "陳🐰明"


def test_the_command_names_its_option_for_dates_and_the_page_does_not(
    event: Event, organiser: User, tmp_path: Path, signed_in: Any
) -> None:
    path = written(tmp_path, sound_row(1, birth_date="8/15/1988"), sound_row(2, birth_date="3/4/1989"))
    told = run(path)[1].splitlines()[0]
    assert told.endswith(
        "By row number, can only be read so: 2. Others, readable both ways: 1. Answer once for the whole column. "
        "On the command line: --dates."
    )
    kept = EntrantFile.objects.get()
    assert "--dates" not in squeezed(signed_in(organiser).get(f"/desk/hk-2026/import/{kept.pk}/").content.decode())
