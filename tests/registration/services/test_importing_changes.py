"""A corrected list: what it would change is told first, what holds fast is a fault, and nothing is changed unseen."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.entrant_lists import csv_of, sound_row
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus, SessionState, SheetState
from tournament.core.errors import Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant, Person, Ruling
from tournament.registration.services import importing, importing_preview
from tournament.registration.services.importing import ImportResult
from tournament.registration.services.importing_preview import ImportPreview
from tournament.seating.services import seating
from tournament.sheets.models.scoresheet import Game, Line, Scoresheet
from tournament.sheets.services import registration
from tournament.tables.models import Table

CHILD = {"birth_date": "2016-01-01", "consent_guardian": "是"}


def handed_in(event: Event, rows: Iterable[Mapping[str, Any]], by: User) -> EntrantFile:
    """A CSV of these rows, read."""
    return importing.read_file(event, name="名單.csv", content=csv_of(list(rows)), by=by)


def shown(event: Event, rows: Iterable[Mapping[str, Any]], by: User) -> ImportPreview:
    """The preview of these rows."""
    return importing_preview.build_preview(handed_in(event, rows, by))


def imported(event: Event, rows: Iterable[Mapping[str, Any]], by: User) -> ImportResult:
    """These rows imported as they were shown."""
    kept = handed_in(event, rows, by)
    return importing.import_file(kept, by=by, seen=importing_preview.build_preview(kept).digest)


def codes(preview: ImportPreview) -> list[tuple[int, str, str]]:
    """Row, column and code of each fault."""
    return [(fault.row, fault.place.column, fault.code) for fault in preview.faults]


def told(preview: ImportPreview) -> list[tuple[int, str, str, str]]:
    """Row, column, old and new of each cell that would change."""
    return [
        (row, cell.column, cell.before, cell.after) for row, change in preview.changes.items() for cell in change.cells
    ]


def test_a_corrected_row_is_told_cell_by_cell_and_then_changes_its_entrant(event: Event, organiser: User) -> None:
    imported(event, [sound_row(1, phone="9123 4567", school="A"), sound_row(2)], organiser)
    rows = [sound_row(1, phone="9123 4568", session="2", school="", consent_photo="是"), sound_row(2), sound_row(3)]
    kept = handed_in(event, rows, organiser)
    preview = importing_preview.build_preview(kept)
    assert told(preview) == [
        (2, "session", "0328-1", "0328-2"),
        (2, "phone", "+85291234567", "+85291234568"),
        (2, "school", "A", ""),
        (2, "consent_photo", "沒有同意", "同意"),
    ]
    assert (preview.faults, len(preview.entering), len(preview.unchanged)) == ((), 1, 1)
    before = Person.objects.get(entrant__number=1).phone
    assert before == "+85291234567"
    done = importing.import_file(kept, by=organiser, seen=preview.digest)
    assert done == ImportResult(count=1, unchanged=1, changed=1)
    entrant = Entrant.objects.select_related("person", "session").get(number=1)
    assert (entrant.session.number, entrant.person.phone, entrant.person.school, entrant.revision) == (
        2,
        "+85291234568",
        "",
        2,
    )
    entry = AuditEntry.objects.get(action="change_entrant")
    assert entry.details == {"columns": ["session", "phone", "school", "consent_photo"]}
    assert (entry.subject, entry.reason, entry.revision_before, entry.revision_after) == (
        "entrant 0001",
        f"entrant file {kept.pk}",
        1,
        2,
    )
    again = importing.import_file(kept, by=organiser, seen=preview.digest)
    assert again == ImportResult(count=0, unchanged=1, changed=1, again=True)
    assert AuditEntry.objects.filter(action="change_entrant").count() == 1


def test_names_never_stand_in_the_audit(event: Event, organiser: User) -> None:
    imported(event, [sound_row(1, name_zh="陳大文")], organiser)
    imported(event, [sound_row(1, name_zh="陳太文", name_en="CHAN Tai Man")], organiser)
    assert Person.objects.get().name_key == "陳太文|chan tai man"
    texts = " ".join(f"{entry.subject} {entry.reason}" for entry in AuditEntry.objects.all())
    assert [name in texts for name in ("陳", "CHAN", "Tai")] == [False] * 3


def test_nothing_is_changed_that_was_not_shown(event: Event, organiser: User, clerk: User) -> None:
    imported(event, [sound_row(1, school="A")], organiser)
    kept = handed_in(event, [sound_row(1, school="B")], organiser)
    seen = importing_preview.build_preview(kept).digest
    for digest in (None, ""):
        with pytest.raises(StaleVersion):
            importing.import_file(kept, by=organiser, seen=digest)
    imported(event, [sound_row(1, school="C")], clerk)
    with pytest.raises(StaleVersion) as stale:
        importing.import_file(kept, by=organiser, seen=seen)
    assert (stale.value.code, Person.objects.get().school) == ("changed_since_preview", "C")
    assert told(importing_preview.build_preview(kept)) == [(2, "school", "C", "B")]


def test_all_rows_or_none_change(event: Event, organiser: User) -> None:
    imported(event, [sound_row(1), sound_row(2)], organiser)
    kept = handed_in(event, [sound_row(1, school="B"), sound_row(2, phone="12")], organiser)
    with pytest.raises(Refused):
        importing.import_file(kept, by=organiser, seen=importing_preview.build_preview(kept).digest)
    assert list(Person.objects.values_list("school", flat=True)) == ["", ""]


def test_a_column_that_the_file_lacks_changes_nothing(event: Event, organiser: User) -> None:
    rows = [
        sound_row(1, name_zh="陳小明", family="F-1", family_role="子女", school="A", **CHILD),
        sound_row(2, name_zh="陳大文", family="F-1", family_role="家長"),
    ]
    imported(event, rows, organiser)
    kept = ("number", "name_en", "birth_date", "session", "phone")
    short = [{name: row[name] for name in kept} | {"phone": "6123 4567"} for row in rows]
    preview = shown(event, short, organiser)
    assert told(preview) == [(2, "phone", "", "+85261234567"), (3, "phone", "", "+85261234567")]
    assert preview.faults == ()


def test_a_number_with_the_data_of_somebody_else_is_no_change(event: Event, organiser: User) -> None:
    imported(event, [sound_row(1, name_zh="陳大文"), sound_row(2)], organiser)
    rows = [
        sound_row(1, name_zh="李小龍", name_en="LEE Siu Lung", birth_date="1980-01-01"),
        sound_row(5, name_en=sound_row(2)["name_en"]),
        sound_row(2, number="", school="X"),
    ]
    preview = shown(event, rows, organiser)
    assert codes(preview) == [
        (2, "number", "number_of_another"),
        (3, "number", "person_entered"),
        (4, "name_en", "person_twice"),
        (4, "school", "differs_from_entered"),
    ]
    assert (preview.changes, preview.faults[1].facts["entered"].number) == ({}, 2)


def test_an_organiser_may_enter_two_people_of_one_name_and_birthday(event: Event, organiser: User) -> None:
    imported(event, [sound_row(1)], organiser)
    kept = handed_in(event, [sound_row(5, name_en=sound_row(1)["name_en"])], organiser)
    importing.answer_row_question(kept, row=2, accept=True, reason="兩個人", by=organiser, question="person_entered")
    assert importing.import_file(kept, by=organiser) == ImportResult(count=1, unchanged=0)


@pytest.mark.parametrize(
    ("birth", "found"),
    [("2019-03-29", ["too_young"]), ("2019-03-28", ["birthday_on_the_day"]), ("2019-03-27", [])],
)
def test_a_corrected_birth_date_is_judged_again(event: Event, organiser: User, birth: str, found: list[str]) -> None:
    imported(event, [sound_row(1, **CHILD)], organiser)
    preview = shown(event, [sound_row(1, **{**CHILD, "birth_date": birth})], organiser)
    assert [code for _, _, code in codes(preview)] == found


def test_a_corrected_birthday_on_the_very_day_becomes_a_ruling(event: Event, organiser: User) -> None:
    imported(event, [sound_row(1, **CHILD)], organiser)
    kept = handed_in(event, [sound_row(1, **{**CHILD, "birth_date": "2019-03-28"})], organiser)
    kept = importing.answer_row_question(kept, row=2, accept=True, reason="大會接受", by=organiser)
    importing.import_file(kept, by=organiser, seen=importing_preview.build_preview(kept).digest)
    assert list(Ruling.objects.values_list("kind", "reason")) == [("age_accepted", "大會接受")]
    assert Person.objects.get().birth_date == date(2019, 3, 28)


def test_an_age_that_was_settled_is_not_asked_about_for_another_cell(event: Event, organiser: User) -> None:
    rows = [sound_row(1, birth_date="2019-03-28", consent_guardian="是")]
    kept = handed_in(event, rows, organiser)
    kept = importing.answer_row_question(kept, row=2, accept=True, reason="x", by=organiser)
    importing.import_file(kept, by=organiser)
    assert codes(shown(event, [{**rows[0], "phone": "9123 4567"}], organiser)) == []
    assert codes(shown(event, [{**rows[0], "consent_guardian": "否"}], organiser)) == [
        (2, "consent_guardian", "guardian_consent_missing")
    ]


def locked_games(entrant: Entrant) -> None:
    """A certified sheet with one game of the entrant."""
    table = Table.objects.create(session=entrant.session, number=1)
    sheet = Scoresheet.objects.create(table=table, state=SheetState.READY, digest="1" * 64)
    game = Game.objects.create(scoresheet=sheet, number=1, ended_by="rummikub")
    Line.objects.create(game=game, letter="A", entrant=entrant, win=0, points_twelfths=-120, tiles=2)
    sheet.state, sheet.locked_at = SheetState.CERTIFIED, timezone.now()
    sheet.save(update_fields=["state", "locked_at"])


def test_what_a_signed_sheet_holds_stays_and_the_rest_may_change(event: Event, organiser: User) -> None:
    imported(event, [sound_row(1)], organiser)
    locked_games(Entrant.objects.get())
    found = [code for _, _, code in codes(shown(event, [sound_row(1, session="2")], organiser))]
    assert "result_locked" in found
    assert codes(shown(event, [sound_row(1, phone="9123 4567", name_en="CHAN Aaabb")], organiser)) == []


@pytest.mark.parametrize(
    ("state", "found"),
    [
        (SessionState.PLAYING, ["session_played"]),
        (SessionState.CLOSED, ["session_played"]),
        (SessionState.VOID, []),
        (SessionState.CHECK_IN, []),
    ],
)
def test_nobody_leaves_a_session_that_is_played(
    event: Event, organiser: User, state: SessionState, found: list[str]
) -> None:
    imported(event, [sound_row(1)], organiser)
    Session.objects.filter(stage__event=event, number=1).update(state=state)
    assert [code for _, _, code in codes(shown(event, [sound_row(1, session="2")], organiser))] == found


def test_an_absence_and_a_confirmed_seat_hold_the_session(event: Event, organiser: User) -> None:
    imported(event, [sound_row(number) for number in range(1, 5)], organiser)
    draw = seating.draw_session(Session.objects.get(stage__event=event, number=1), seed=1, by=organiser)
    moved = [sound_row(1, session="2")]
    assert codes(shown(event, moved, organiser)) == []
    seating.confirm_session_draw(draw.session, revision=draw.revision, by=organiser)
    assert codes(shown(event, moved, organiser)) == [(2, "session", "seat_confirmed")]
    registration.record_absence(Entrant.objects.get(number=1), status=EntrantStatus.FORFEITED, reason="x", by=organiser)
    preview = shown(event, moved, organiser)
    assert codes(preview) == [(2, "session", "absent_keeps_session")]
    assert preview.faults[0].what == "編號 0001 已記錄為缺席，不會另編場次。"


def test_places_that_are_left_are_free_for_others_in_the_same_file(event: Event, organiser: User) -> None:
    rows = [sound_row(number, session="1" if number <= 100 else "2") for number in range(1, 201)]
    assert imported(event, rows, organiser).count == 200
    assert codes(shown(event, [sound_row(1, session="2")], organiser)) == [(2, "session", "session_full")]
    exchanged = [sound_row(1, session="2"), sound_row(101, session="1")]
    assert imported(event, exchanged, organiser) == ImportResult(count=0, unchanged=0, changed=2)


def test_a_full_quota_does_not_stop_a_move(event: Event, organiser: User) -> None:
    imported(event, [sound_row(1), sound_row(2)], organiser)
    Event.objects.update(quota=2)
    event.refresh_from_db()
    rows = [sound_row(1, session="2"), sound_row(3)]
    assert codes(shown(event, rows, organiser)) == [(3, "session", "quota_full")]


def test_families_are_joined_parted_and_changed_by_a_list(event: Event, organiser: User) -> None:
    child, parent, single = sound_row(1, **CHILD), sound_row(2), sound_row(3)
    imported(event, [child, parent, single], organiser)
    pair = [{**child, "family": "F-1", "family_role": "子女"}, {**parent, "family": "F-1", "family_role": "家長"}]
    assert imported(event, pair, organiser).changed == 2
    assert codes(shown(event, [child], organiser)) == [(2, "family", "family_left_alone")]
    other = [pair[0], parent, {**single, "family": "f-1", "family_role": "家長"}]
    assert imported(event, other, organiser) == ImportResult(count=0, unchanged=1, changed=2)
    assert list(Entrant.objects.values_list("number", "family__code", "family_role")) == [
        (1, "F-1", "child"),
        (2, None, ""),
        (3, "F-1", "parent"),
    ]
    assert imported(event, [single, parent, child], organiser).changed == 2
    assert Entrant.objects.exclude(family=None).count() == 0


def test_exchanged_roles_are_judged_as_a_pair_of_their_own(event: Event, organiser: User) -> None:
    grown = {"birth_date": "2008-03-27"}
    pair = [
        sound_row(1, family="F-1", family_role="子女", **grown),
        sound_row(2, family="F-1", family_role="家長", birth_date="1980-01-01"),
    ]
    imported(event, pair, organiser)
    turned = [{**pair[0], "family_role": "家長"}, {**pair[1], "family_role": "子女"}]
    assert codes(shown(event, turned, organiser)) == [
        (2, "family", "parent_not_older"),
        (3, "family", "child_too_old"),
    ]


def test_a_child_moved_past_nineteen_breaks_its_pair(event: Event, organiser: User) -> None:
    pair = [
        sound_row(1, family="F-1", family_role="子女", birth_date="2007-04-01", session="1"),
        sound_row(2, family="F-1", family_role="家長", birth_date="1980-01-01"),
    ]
    imported(event, pair, organiser)
    assert codes(shown(event, [{**pair[0], "session": "5"}], organiser)) == [(2, "family", "child_too_old")]


def test_a_preview_of_changes_asks_as_many_queries_for_three_as_for_one(
    event: Event, organiser: User, django_assert_num_queries: Any
) -> None:
    imported(event, [sound_row(number) for number in range(1, 4)], organiser)
    for rows in ([1], [1, 2, 3]):
        kept = handed_in(event, [sound_row(number, session="2") for number in rows], organiser)
        kept = EntrantFile.objects.select_related("event").get(pk=kept.pk)
        with django_assert_num_queries(6):
            assert len(importing_preview.build_preview(kept).changes) == len(rows)
