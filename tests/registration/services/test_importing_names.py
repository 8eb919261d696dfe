"""Names at entry: both in one cell, padded, without a font, spreadsheets' errors: asked about, each with a way out."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.entrant_lists import csv_of, sound_row
from tournament.audit.models import AuditEntry
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.names import public_name
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant, Person
from tournament.entrants.queries.entrants import search_entrants
from tournament.registration.services import changes, importing, importing_preview

pytestmark = pytest.mark.django_db

CASES = Path(__file__).resolve().parents[2] / "data" / "names"


def case(name: str, event: Event, by: User) -> EntrantFile:
    """A list as it was found."""
    (path,) = CASES.glob(f"{name}.*")
    return importing.read_file(event, name=path.name, content=path.read_bytes(), by=by)


def listed(event: Event, by: User, *rows: dict[str, Any], encoding: str = "utf-8-sig") -> EntrantFile:
    return importing.read_file(event, name="list.csv", content=csv_of(rows, encoding), by=by)


def asked(kept: EntrantFile) -> list[tuple[int, str, str, str]]:
    """Row, column, code and weight of each fault."""
    kept.refresh_from_db()
    return [(one.row, one.place.column, one.code, one.weight) for one in importing_preview.build_preview(kept).faults]


def names_of(kept: EntrantFile, by: User) -> list[tuple[str, str]]:
    """What is entered by an import of it."""
    importing.import_file(kept, by=by)
    return list(Person.objects.order_by("entrant__number").values_list("name_zh", "name_en"))


def test_both_names_in_one_cell_are_split_by_one_press_a_row(event: Event, organiser: User) -> None:
    kept = case("I16", event, organiser)
    assert asked(kept) == [(row, "name_en", "name_en_ideographs", "mend") for row in (2, 3)]
    for row in (2, 3, 3):
        importing.split_names(kept, row=row, by=organiser)
    assert AuditEntry.objects.filter(action="mend_entrant_name").count() == 2
    assert asked(kept) == []
    assert names_of(kept, organiser) == [("陳大文", "CHAN Tai Man"), ("李小明", "LEE Siu Ming")]
    assert [public_name(*names) for names in Person.objects.values_list("name_zh", "name_en")] == ["陳*文", "李*明"]


def test_a_padded_name_is_told_of_and_the_same_person_padded_and_not_is_asked_about(
    event: Event, organiser: User
) -> None:
    assert asked(case("I15", event, organiser)) == [
        (2, "name_zh", "name_layout", "note"),
        (3, "name_zh", "person_twice", "decide"),
        (4, "name_zh", "name_layout", "note"),
    ]


def test_a_layout_stops_no_import_and_is_kept_as_typed(event: Event, organiser: User) -> None:
    kept = listed(event, organiser, sound_row(1, name_zh="　陳　文 "), sound_row(2, name_zh="葛\U000e0100明"))
    assert [code for _row, _column, code, _weight in asked(kept)] == ["name_layout", "name_layout"]
    assert [zh for zh, _en in names_of(kept, organiser)] == ["陳　文", "葛\U000e0100明"]
    assert Person.objects.get(entrant__number=1).name_key.startswith("陳文|")


def test_letters_without_a_font_wait_for_a_yes_and_then_are_entered(event: Event, organiser: User) -> None:
    kept = case("I36", event, organiser)
    assert asked(kept) == [
        (2, "name_en", "name_without_glyph", "decide"),
        (3, "name_zh", "name_without_glyph", "decide"),
        (4, "name_zh", "name_layout", "note"),
        (5, "name_zh", "name_layout", "note"),
        (6, "name_zh", "name_without_glyph", "decide"),
        (7, "name_en", "name_without_glyph", "decide"),
    ]
    with pytest.raises(Refused) as refused:
        importing.import_file(kept, by=organiser)
    assert refused.value.code == "file_has_faults"
    for row in (2, 3, 6):
        importing.answer_row_question(kept, row=row, accept=True, reason="So on the passport.", by=organiser)
    importing.correct_name_cell(kept, row=7, column="name_en", text="CHAN E", by=organiser)
    assert ("陳𠀀明", "CHAN D") in names_of(kept, organiser)


def test_errors_and_formulas_of_a_spreadsheet_are_no_names(event: Event, organiser: User) -> None:
    assert asked(case("I17", event, organiser)) == [
        (2, "name_zh", "name_spreadsheet_error", "mend"),
        (2, "name_en", "name_spreadsheet_error", "mend"),
        (3, "name_zh", "name_without_letter", "mend"),
        (3, "name_en", "name_spreadsheet_error", "mend"),
        (4, "name_en", "name_spreadsheet_error", "mend"),
    ]


@pytest.mark.fault("X14")
def test_a_name_in_another_order_with_other_signs_or_in_simplified_characters_is_asked_about(
    event: Event, organiser: User
) -> None:
    twice = [row for row, _column, code, _weight in asked(case("I35", event, organiser)) if code == "person_twice"]
    assert twice == [3, 4, 5, 7, 9]


@pytest.mark.fault("X14")
def test_who_is_entered_in_traditional_characters_is_the_same_person_in_simplified_ones(
    event: Event, organiser: User
) -> None:
    first = sound_row(1, name_zh="張國榮", name_en="CHEUNG Kwok Wing")
    importing.import_file(listed(event, organiser, first, sound_row(2)), by=organiser)
    again = [
        {**first, "number": number, "name_zh": "张国荣", "name_en": "Kwok-wing CHEUNG"} for number in ("9", "", "1")
    ]
    assert [asked(listed(event, organiser, row))[0][1:] for row in again[:2]] == [
        ("number", "person_entered", "decide"),
        ("name_zh", "differs_from_entered", "mend"),
    ]
    assert asked(listed(event, organiser, again[2])) == []
    with pytest.raises(Refused) as refused:
        changes.change_person(
            Entrant.objects.get(number=2),
            revision=1,
            cells={"name_zh": "张国荣", "name_en": "Wing CHEUNG"},
            by=organiser,
        )
    assert refused.value.code == "person_entered"


@pytest.mark.fault("X14")
@pytest.mark.parametrize(
    ("changed", "alike"),
    [
        ({"birth_date": "1990-01-16"}, True),
        ({"birth_date": "1990-01-16", "name_zh": "陈大文", "name_en": "Tai-man CHAN"}, True),
        ({"name_zh": "陳大汶"}, True),
        ({"birth_date": "1990-01-16", "phone": "9123 4568"}, False),
        ({"birth_date": "1990-01-16", "name_zh": "陳大民"}, False),
        ({"name_zh": "陳大民", "name_en": "CHAN Tai Mun"}, False),
    ],
)
def test_the_same_name_and_telephone_with_another_birth_date_are_asked_about_in_a_list_and_among_the_entered(
    event: Event, organiser: User, changed: dict[str, str], alike: bool
) -> None:
    first = sound_row(1, name_zh="陳大文", name_en="CHAN Tai Man", phone="9123 4567")
    second = {**first, "number": "2", **changed}
    assert asked(listed(event, organiser, first, second)) == ([(3, "phone", "person_alike", "decide")] if alike else [])
    importing.import_file(listed(event, organiser, first), by=organiser)
    kept = listed(event, organiser, second)
    assert asked(kept) == ([(2, "phone", "person_alike_entered", "decide")] if alike else [])
    if alike:
        importing.answer_row_question(kept, row=2, accept=True, reason="Father and son.", by=organiser)
    importing.import_file(kept, by=organiser)
    assert Entrant.objects.count() == 2
    assert asked(listed(event, organiser, first, {**second, "fee": "paid"})) == (
        [(3, "phone", "person_alike", "decide")] if alike else []
    )


@pytest.mark.parametrize(
    ("zh", "en", "split"),
    [
        ("", "陳大文 CHAN Tai Man", ("陳大文", "CHAN Tai Man")),
        ("", "CHAN Tai Man（陳大文）", ("陳大文", "CHAN Tai Man")),
        ("陳 大文", "陳大文CHAN Tai Man", ("陳 大文", "CHAN Tai Man")),
        ("陳大文(Peter)", "CHAN Tai Man", ("陳大文", "CHAN Tai Man")),
        ("李小明", "陳大文 CHAN Tai Man", None),
        ("Peter", "CHAN Tai Man", None),
    ],
)
def test_a_split_is_offered_where_it_is_plain_which_is_which(
    event: Event, organiser: User, zh: str, en: str, split: tuple[str, str] | None
) -> None:
    kept = listed(event, organiser, sound_row(1, name_zh=zh, name_en=en))
    (fault,) = importing_preview.build_preview(kept).open_faults
    assert fault.facts["split"] == split
    if split is None:
        with pytest.raises(Refused) as refused:
            importing.split_names(kept, row=2, by=organiser)
        assert refused.value.code == "nothing_to_mend"
        return
    importing.split_names(kept, row=2, by=organiser)
    assert (asked(kept)[1:], names_of(kept, organiser)) == ([], [split])


def test_a_chinese_name_with_letters_may_be_accepted(event: Event, organiser: User) -> None:
    kept = listed(event, organiser, sound_row(1, name_zh="陳A文", name_en="CHAN Man"))
    assert asked(kept) == [(2, "name_zh", "name_zh_letters", "decide")]
    importing.answer_row_question(kept, row=2, accept=True, reason="So on the document.", by=organiser)
    assert names_of(kept, organiser) == [("陳A文", "CHAN Man")]


def test_what_was_accepted_is_asked_again_of_other_letters(event: Event, organiser: User) -> None:
    kept = listed(event, organiser, sound_row(1, name_en="CHAN 🐰"))
    importing.answer_row_question(kept, row=2, accept=True, reason="Really.", by=organiser)
    importing.correct_name_cell(kept, row=2, column="name_en", text="CHAN 🐸", by=organiser)
    assert [one.code for one in importing_preview.build_preview(kept).to_decide] == ["name_without_glyph"]


def test_characters_lost_in_big5_hold_back_every_column_of_text(event: Event, organiser: User) -> None:
    row = sound_row(1, name_zh="陳大文", school="屯門翠?小學", guardian="陳?", fee="收據?")
    kept = listed(event, organiser, row, encoding="big5")
    assert asked(kept) == [(2, column, "text_lost_in_big5", "decide") for column in ("school", "guardian", "fee")]
    importing.correct_name_cell(kept, row=2, column="school", text="屯門翠𨋢小學", by=organiser)
    importing.answer_row_question(kept, row=2, accept=True, reason="Written so.", by=organiser)
    importing.import_file(kept, by=organiser)
    assert Entrant.objects.get().person.school == "屯門翠𨋢小學"


def test_a_question_mark_in_another_encoding_is_one(event: Event, organiser: User) -> None:
    assert asked(listed(event, organiser, sound_row(1, fee="paid?"))) == []


def test_an_identity_number_is_not_kept_where_a_cell_is_typed(event: Event, organiser: User) -> None:
    kept = listed(event, organiser, sound_row(1, name_zh="陳大文", school="翠?小學"), encoding="big5")
    with pytest.raises(BadInput) as refused:
        importing.correct_name_cell(kept, row=2, column="school", text="A123456(3)", by=organiser)
    kept.refresh_from_db()
    assert (refused.value.code, kept.decisions) == ("looks_like_identity_number", {})


def test_who_is_entered_is_asked_about_a_name_only_where_it_changes(event: Event, organiser: User) -> None:
    importing.import_file(listed(event, organiser, sound_row(1)), by=organiser)
    Person.objects.update(name_en="CHAN 🐰")
    assert asked(listed(event, organiser, sound_row(1, name_en="CHAN 🐰", phone="9123 4567"))) == []
    assert [code for _r, _c, code, _w in asked(listed(event, organiser, sound_row(1, name_en="CHAN 🐸")))] == [
        "name_without_glyph"
    ]


def test_the_page_of_an_entrant_asks_the_same_and_takes_a_yes(event: Event, organiser: User) -> None:
    importing.import_file(listed(event, organiser, sound_row(1)), by=organiser)
    found = Entrant.objects.select_related("event").get()
    for cells, code in (
        ({"name_en": "陳大文 CHAN Tai Man"}, "name_en_ideographs"),
        ({"name_en": "#REF!"}, "name_spreadsheet_error"),
        ({"name_en": "CHAN 🐰"}, "name_without_glyph"),
        ({"name_zh": "陳A文"}, "name_zh_letters"),
    ):
        with pytest.raises(Refused) as refused:
            changes.change_person(found, revision=1, cells=cells, by=organiser)
        assert refused.value.code == code
    changes.change_person(found, revision=1, cells={"name_zh": "陳　文"}, by=organiser)
    changes.change_person(found, revision=2, cells={"name_en": "CHAN 🐰"}, by=organiser, accept_name=True)
    assert Person.objects.get().name_en == "CHAN 🐰"
    entry = AuditEntry.objects.latest("seq")
    assert (entry.details, entry.reason) == ({"columns": ["name_en"]}, "name accepted as it is written")


@pytest.mark.parametrize("text", ["陳文", "陳　文", "文", "man", "陳 文 CHAN"])
def test_an_entrant_is_found_in_whatever_layout_the_name_is_typed(event: Event, organiser: User, text: str) -> None:
    importing.import_file(listed(event, organiser, sound_row(1, name_zh="陳　文", name_en="CHAN Man")), by=organiser)
    assert [one.number for one in search_entrants(event, text=text)] == [1]
    assert list(search_entrants(event, text="黃")) == []
