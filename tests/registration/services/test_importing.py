"""An import: every fault told, all or nothing, places never exceeded, and nothing done twice."""

import json
import threading
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from tests.entrant_lists import FIXTURES, csv_of, sound_row
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus, FamilyRole, SessionState
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant, Family, Person, Ruling
from tournament.registration.services import importing, importing_preview
from tournament.registration.services.importing import ImportResult
from tournament.registration.services.importing_preview import ImportPreview
from tournament.sheets.services import registration

SEVEN_ON_THE_DAY = sound_row(7, birth_date="2019-03-28", consent_guardian="是")


def handed_in(event: Event, rows: Iterable[Mapping[str, Any]], by: User) -> EntrantFile:
    """A CSV of these rows, read."""
    return importing.read_file(event, name="名單.csv", content=csv_of(list(rows)), by=by)


def shown(event: Event, rows: Iterable[Mapping[str, Any]], by: User) -> ImportPreview:
    """The preview of these rows."""
    return importing_preview.build_preview(handed_in(event, rows, by))


def codes(preview: ImportPreview) -> list[tuple[int, str, str]]:
    """Row, column and code of each fault."""
    return [(fault.row, fault.place.column, fault.code) for fault in preview.faults]


def imported(event: Event, rows: Iterable[Mapping[str, Any]], by: User) -> ImportResult:
    return importing.import_file(handed_in(event, rows, by), by=by)


def test_the_organisers_workbook_is_imported_whole_without_a_decision(event: Event, organiser: User) -> None:
    kept = importing.read_file(
        event, name="entrants.xlsx", content=(FIXTURES / "entrants.xlsx").read_bytes(), by=organiser
    )
    preview = importing_preview.build_preview(kept)
    assert (len(preview.rows), preview.faults, preview.sound_count, preview.importable) == (1200, (), 1200, True)
    assert importing.import_file(kept, by=organiser) == ImportResult(count=1200, unchanged=0)
    assert [session.entrants.count() for session in Session.objects.filter(stage__event=event)] == [100] * 12
    assert Family.objects.filter(event=event).count() == 100
    pairs = Entrant.objects.exclude(family=None).values_list("family_id", "family_role")
    assert sorted(pairs) == sorted(
        (family, role) for family in Family.objects.values_list("id", flat=True) for role in FamilyRole.values
    )


@pytest.mark.fault("F10")
def test_the_same_file_again_changes_nothing(event: Event, organiser: User, clerk: User) -> None:
    kept = handed_in(event, [sound_row(1)], organiser)
    importing.import_file(kept, by=organiser)
    entries = AuditEntry.objects.count()
    again = handed_in(event, [sound_row(1)], clerk)
    assert (again.pk, again.imported_at is not None) == (kept.pk, True)
    assert importing.import_file(again, by=clerk) == ImportResult(count=0, unchanged=1, again=True)
    assert (Entrant.objects.count(), EntrantFile.objects.count(), AuditEntry.objects.count()) == (1, 1, entries)


def test_the_same_rows_from_another_file_are_unchanged(event: Event, organiser: User) -> None:
    importing.import_file(
        importing.read_file(event, name="a.xlsx", content=(FIXTURES / "entrants.xlsx").read_bytes(), by=organiser),
        by=organiser,
    )
    kept = importing.read_file(event, name="a.csv", content=(FIXTURES / "entrants.csv").read_bytes(), by=organiser)
    preview = importing_preview.build_preview(kept)
    assert (len(preview.unchanged), preview.faults, preview.entering) == (1200, (), ())
    assert importing.import_file(kept, by=organiser) == ImportResult(count=0, unchanged=1200)
    assert Entrant.objects.count() == 1200


def test_the_big5_list_is_imported_with_its_rare_characters(event: Event, organiser: User) -> None:
    content = (FIXTURES / "entrants-big5hkscs.csv").read_bytes()
    kept = importing.read_file(event, name="big5.csv", content=content, by=organiser)
    assert kept.encoding == "Big5-HKSCS"
    assert importing.import_file(kept, by=organiser) == ImportResult(count=1200, unchanged=0)
    names = "".join(Person.objects.values_list("name_zh", flat=True))
    assert [character in names for character in "𨋢𤧬衞峯𠮷"] == [True, True, True, True, False]


@pytest.mark.fault("F6")
@pytest.mark.fault("F8")
@pytest.mark.fault("F9")
def test_every_fault_of_the_faulty_list_is_told_in_the_order_of_the_file(event: Event, organiser: User) -> None:
    content = (FIXTURES / "entrants-faulty.xlsx").read_bytes()
    kept = importing.read_file(event, name="entrants-faulty.xlsx", content=content, by=organiser)
    preview = importing_preview.build_preview(kept)
    expected = json.loads((Path(__file__).parent / "entrants-faulty.json").read_text())
    assert [[fault.row, fault.place.letter, fault.code, fault.weight] for fault in preview.faults] == expected
    with pytest.raises(Refused) as refused:
        importing.import_file(kept, by=organiser)
    assert (refused.value.code, Entrant.objects.count(), Person.objects.count()) == ("file_has_faults", 0, 0)


def test_nothing_of_an_identity_card_is_kept(event: Event, organiser: User) -> None:
    row = sound_row(1, school="K123456(7)", phone="9123 4567", fee="B654321")
    kept = handed_in(event, [{**row, "身份證": "A123456(3)", "備註": "住址"}], organiser)
    kept.refresh_from_db()
    stored = json.dumps([kept.heads, kept.rows, kept.decisions], ensure_ascii=False)
    assert [part in stored for part in ("A123456", "123456", "K123456", "住址", "654321", "9123 4567")] == [
        False
    ] * 5 + [True]
    assert codes(importing_preview.build_preview(kept)) == [
        (1, "", "column_identity"),
        (1, "", "column_unknown"),
        (2, "school", "looks_like_identity_number"),
        (2, "fee", "looks_like_identity_number"),
    ]


def test_the_cells_are_erased_when_they_have_become_entrants(event: Event, organiser: User) -> None:
    kept = handed_in(event, [sound_row(1)], organiser)
    importing.import_file(kept, by=organiser)
    kept.refresh_from_db()
    assert (kept.rows, kept.decisions, kept.imported_count) == ([], {}, 1)


def test_names_are_kept_as_typed(event: Event, organiser: User) -> None:
    compatibility = "\ufa10林"
    imported(event, [sound_row(1, name_zh=f" {compatibility} ", name_en="D'SOUZA  Ｍaria")], organiser)
    person = Person.objects.get()
    assert (person.name_zh, person.name_en, person.name_key) == (compatibility, "D'SOUZA  Ｍaria", "塚林|d'souza maria")


def test_blank_numbers_are_given_after_the_highest_in_the_order_of_the_rows(event: Event, organiser: User) -> None:
    imported(event, [sound_row(40)], organiser)
    rows = [sound_row(1, number=""), sound_row(52), sound_row(2, number="")]
    assert imported(event, rows, organiser) == ImportResult(count=3, unchanged=0)
    numbers = dict(Entrant.objects.values_list("person__name_en", "number"))
    assert [numbers[row["name_en"]] for row in rows] == [53, 52, 54]
    again = [sound_row(1, number="", fee=""), sound_row(3)]
    assert imported(event, again, organiser) == ImportResult(count=1, unchanged=1)


def test_one_person_twice_waits_for_a_decision(event: Event, organiser: User) -> None:
    person = {"birth_date": "1994-09-02", "name_en": "KWAN Wing Fung"}
    rows = [sound_row(1, name_zh="關詠峯", **person), sound_row(2, name_zh="關詠峰", **person)]
    kept = handed_in(event, rows, organiser)
    assert codes(importing_preview.build_preview(kept)) == [(3, "name_zh", "person_twice")]
    importing.answer_row_question(kept, row=2, accept=False, reason="重複", by=organiser)
    kept.refresh_from_db()
    assert importing.import_file(kept, by=organiser) == ImportResult(count=1, unchanged=0)
    assert Entrant.objects.get().number == 2


@pytest.mark.parametrize(
    ("birth", "found"),
    [
        (date(2019, 3, 27), []),
        (date(2019, 3, 28), ["birthday_on_the_day"]),
        (date(2019, 3, 29), ["too_young"]),
        (date(2008, 3, 28), []),
        (date(2026, 3, 29), ["birth_date_ahead"]),
        (date(1890, 1, 1), ["birth_date_too_old"]),
    ],
)
def test_age_is_judged_on_the_entrants_own_session_day(
    event: Event, organiser: User, birth: date, found: list[str]
) -> None:
    preview = shown(event, [sound_row(1, birth_date=birth.isoformat(), consent_guardian="是")], organiser)
    assert [code for _, _, code in codes(preview)] == found


def test_a_moved_session_keeps_the_date_that_ages_are_judged_on(event: Event, organiser: User) -> None:
    session = Session.objects.get(stage__event=event, number=1)
    Session.objects.filter(pk=session.pk).update(check_in_at=session.check_in_at + timedelta(days=30))
    preview = shown(event, [SEVEN_ON_THE_DAY], organiser)
    assert [code for _, _, code in codes(preview)] == ["birthday_on_the_day"]


def test_a_minor_needs_the_guardians_consent_and_a_grown_up_does_not(event: Event, organiser: User) -> None:
    rows = [sound_row(1, birth_date="2008-03-29"), sound_row(2, birth_date="2008-03-28")]
    assert codes(shown(event, rows, organiser)) == [(2, "consent_guardian", "guardian_consent_missing")]


def test_an_accepted_birthday_becomes_a_ruling_and_both_are_audited(event: Event, organiser: User) -> None:
    kept = handed_in(event, [SEVEN_ON_THE_DAY, sound_row(8)], organiser)
    with pytest.raises(Refused):
        importing.import_file(kept, by=organiser)
    with pytest.raises(BadInput):
        importing.answer_row_question(kept, row=2, accept=True, reason=" ", by=organiser)
    importing.answer_row_question(kept, row=2, accept=True, reason="大會接受", by=organiser)
    importing.answer_row_question(kept, row=2, accept=True, reason="大會接受", by=organiser)
    assert importing.import_file(kept, by=organiser) == ImportResult(count=2, unchanged=0)
    ruling = Ruling.objects.get()
    assert (ruling.kind, ruling.reason, ruling.by, ruling.entrant.number) == ("age_accepted", "大會接受", organiser, 7)
    acts = AuditEntry.objects.filter(event=event).order_by("seq").values_list("action", "subject", "reason")
    assert list(acts)[-3:] == [
        ("accept_entrant_row", f"entrant file {kept.pk} row 2", "大會接受"),
        ("accept_age", "entrant 0007", "大會接受"),
        ("import_entrants", f"entrant file {kept.pk}", "2 entrants"),
    ]


def test_a_refused_birthday_is_left_out_and_can_be_taken_back(event: Event, organiser: User) -> None:
    kept = handed_in(event, [SEVEN_ON_THE_DAY, sound_row(8)], organiser)
    importing.answer_row_question(kept, row=2, accept=False, reason="未滿七歲", by=organiser)
    importing.withdraw_decision(kept, row=2, by=organiser)
    kept.refresh_from_db()
    assert len(importing_preview.build_preview(kept).to_decide) == 1
    importing.answer_row_question(kept, row=2, accept=False, reason="未滿七歲", by=organiser)
    assert importing.import_file(kept, by=organiser) == ImportResult(count=1, unchanged=0)
    assert [entrant.number for entrant in Entrant.objects.all()] == [8]
    assert AuditEntry.objects.filter(action="refuse_entrant_row", reason="未滿七歲").count() == 2


def test_one_answer_does_not_answer_another_question(event: Event, organiser: User) -> None:
    first, second = (
        sound_row(number, name_en="CHAN Man", birth_date="2019-03-28", consent_guardian="是") for number in (1, 2)
    )
    kept = handed_in(event, [first, second], organiser)
    for row, question in ((2, "birthday_on_the_day"), (3, "person_twice")):
        importing.answer_row_question(kept, row=row, accept=True, reason="兩個人", by=organiser, question=question)
        kept.refresh_from_db()
    left = importing_preview.build_preview(kept).to_decide
    assert [(fault.row, fault.code) for fault in left] == [(3, "birthday_on_the_day")]
    importing.answer_row_question(kept, row=3, accept=True, reason="大會接受", by=organiser)
    assert importing.import_file(kept, by=organiser) == ImportResult(count=2, unchanged=0)
    assert sorted(Ruling.objects.values_list("reason", flat=True)) == ["兩個人", "大會接受"]


def test_only_open_questions_are_decided_and_only_before_the_import(event: Event, organiser: User) -> None:
    kept = handed_in(event, [sound_row(8)], organiser)
    with pytest.raises(Refused) as nothing:
        importing.answer_row_question(kept, row=2, accept=True, reason="x", by=organiser)
    importing.import_file(kept, by=organiser)
    with pytest.raises(Refused) as late:
        importing.answer_row_question(kept, row=2, accept=True, reason="x", by=organiser)
    assert (nothing.value.code, late.value.code) == ("nothing_to_decide", "already_imported")


def test_a_name_that_lost_its_character_in_big5_is_typed_anew(event: Event, organiser: User) -> None:
    content = csv_of([sound_row(1, name_zh="陳??")], "big5hkscs")
    kept = importing.read_file(event, name="名單.csv", content=content, by=organiser)
    assert codes(importing_preview.build_preview(kept)) == [(2, "name_zh", "name_lost_in_big5")]
    with pytest.raises(Refused):
        importing.correct_name_cell(kept, row=2, column="name_en", text="X", by=organiser)
    importing.correct_name_cell(kept, row=2, column="name_zh", text="陳𠮷𤧬", by=organiser)
    assert importing.import_file(kept, by=organiser) == ImportResult(count=1, unchanged=0)
    assert Person.objects.get().name_zh == "陳𠮷𤧬"


def family(*members: tuple[str, str, str]) -> list[dict[str, Any]]:
    """Rows of one family: role, date of birth, session."""
    return [
        sound_row(number, family="F-1", family_role=role, birth_date=birth, session=session, consent_guardian="是")
        for number, (role, birth, session) in enumerate(members, start=1)
    ]


@pytest.mark.parametrize(
    ("members", "found"),
    [
        ([("子女", "2016-01-01", "1"), ("家長", "1986-01-01", "12")], []),
        ([("子女", "2016-01-01", "1")], ["family_of_one"]),
        ([("子女", "2016-01-01", "1"), ("子女", "2014-01-01", "1")], ["family_same_roles"] * 2),
        (
            [("子女", "2016-01-01", "1"), ("家長", "1986-01-01", "1"), ("家長", "1985-01-01", "1")],
            ["family_of_many"] * 3,
        ),
        ([("子女", "2016-01-01", "1"), ("家長", "2008-03-29", "12")], ["parent_too_young"]),
        ([("子女", "2007-03-28", "1"), ("家長", "1980-01-01", "1")], ["child_too_old"]),
        ([("子女", "2007-03-28", "12"), ("家長", "2008-01-01", "1")], ["child_too_old", "parent_not_older"]),
    ],
)
def test_a_family_is_one_child_and_one_parent_of_the_right_ages(
    event: Event, organiser: User, members: list[tuple[str, str, str]], found: list[str]
) -> None:
    preview = shown(event, family(*members), organiser)
    assert sorted(code for _, _, code in codes(preview)) == sorted(found)


def test_a_family_entered_before_takes_no_third_member(event: Event, organiser: User) -> None:
    imported(event, family(("子女", "2016-01-01", "1"), ("家長", "1986-01-01", "2")), organiser)
    third = sound_row(9, family="f-1", family_role="家長")
    assert codes(shown(event, [third], organiser)) == [(2, "family", "family_of_many")]


def test_a_session_is_filled_to_its_last_place_and_no_further(event: Event, organiser: User) -> None:
    assert imported(event, [sound_row(number) for number in range(1, 100)], organiser).count == 99
    rows = [sound_row(number) for number in range(100, 102)]
    assert codes(shown(event, rows, organiser)) == [(3, "session", "session_full")]


def test_the_quota_counts_over_all_sessions(event: Event, organiser: User) -> None:
    Event.objects.filter(pk=event.pk).update(quota=2)
    event.refresh_from_db()
    rows = [sound_row(number, session=str(number)) for number in (1, 2, 3)]
    assert codes(shown(event, rows, organiser)) == [(4, "session", "quota_full")]


def test_a_withdrawn_entrant_gives_the_place_back_and_a_no_show_does_not(event: Event, organiser: User) -> None:
    imported(event, [sound_row(number) for number in range(1, 101)], organiser)
    for number, status in ((1, EntrantStatus.WITHDRAWN), (2, EntrantStatus.FORFEITED)):
        registration.record_absence(Entrant.objects.get(number=number), status=status, reason="x", by=organiser)
    rows = [sound_row(number) for number in (101, 102)]
    assert codes(shown(event, rows, organiser)) == [(3, "session", "session_full")]


def test_nobody_is_entered_for_a_session_that_has_begun(event: Event, organiser: User) -> None:
    Session.objects.filter(stage__event=event, number=1).update(state=SessionState.PLAYING)
    assert codes(shown(event, [sound_row(1)], organiser)) == [(2, "session", "session_under_way")]


def test_a_preview_is_kept_for_a_day_and_can_be_put_aside(event: Event, organiser: User) -> None:
    old = handed_in(event, [sound_row(1)], organiser)
    EntrantFile.objects.filter(pk=old.pk).update(uploaded_at=old.uploaded_at - timedelta(hours=25))
    kept = handed_in(event, [sound_row(2)], organiser)
    assert list(EntrantFile.objects.all()) == [kept]
    importing.discard_preview(kept, by=organiser)
    importing.discard_preview(kept, by=organiser)
    assert AuditEntry.objects.filter(action="put_aside_file").count() == 1
    with pytest.raises(Refused) as gone:
        importing.import_file(kept, by=organiser)
    assert gone.value.code == "preview_gone"


def test_a_preview_asks_as_many_queries_for_a_thousand_rows_as_for_one(
    event: Event, organiser: User, django_assert_num_queries: Any
) -> None:
    one = handed_in(event, [sound_row(1)], organiser)
    many = handed_in(event, [sound_row(number, session=str(number % 12 + 1)) for number in range(1, 1001)], organiser)
    for kept in (one, many):
        kept = EntrantFile.objects.select_related("event").get(pk=kept.pk)
        with django_assert_num_queries(4):
            importing_preview.build_preview(kept)


@pytest.mark.django_db(transaction=True)
def test_two_imports_at_once_never_exceed_a_session(event: Event, organiser: User) -> None:
    files = [
        handed_in(event, [sound_row(start + number) for number in range(60)], organiser) for start in (1, 101, 201, 301)
    ]
    answers: list[Any] = []
    start = threading.Barrier(len(files))

    def run(kept: EntrantFile) -> None:
        start.wait()
        try:
            answers.append(importing.import_file(kept, by=organiser).count)
        except Refused as refused:
            answers.append(refused.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(kept,)) for kept in files]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers, key=str) == [60, "file_has_faults", "file_has_faults", "file_has_faults"]
    assert Entrant.objects.count() == 60


@pytest.mark.django_db(transaction=True)
def test_one_file_sent_eight_times_at_once_is_imported_once(event: Event, organiser: User) -> None:
    kept = handed_in(event, [sound_row(number) for number in range(1, 51)], organiser)
    answers: list[ImportResult] = []

    def run() -> None:
        answers.append(importing.import_file(kept, by=organiser))
        connection.close()

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted((answer.count, answer.again) for answer in answers) == [(0, True)] * 7 + [(50, False)]
    assert Entrant.objects.count() == 50
