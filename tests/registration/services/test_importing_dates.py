"""Dates whose day and month may stand either way: judged as a column, asked about once, read as answered."""

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from tests.entrant_lists import csv_of
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Person
from tournament.entrants.readers.date_order import judge_dates
from tournament.registration.services import importing, importing_preview
from tournament.registration.services.importing_dates import answer_dates

pytestmark = pytest.mark.django_db
MIXED = ["3/4/2015", "5/6/1990", "11/12/2018", "12/1/2018", "1/2/2016", "8/15/1988"]
PREVIEW = "/desk/hk-2026/import/{}/"


def kept(event: Event, by: User, dates: list[str]) -> EntrantFile:
    """A list of adults and children with these dates of birth."""
    rows = [
        {"name_en": f"CHAN Tai {'ABCDEFGH'[place]}", "birth_date": text, "session": "1", "consent_guardian": "是"}
        for place, text in enumerate(dates)
    ]
    return importing.read_file(event, name="list.csv", content=csv_of(rows), by=by)


def codes(entrant_file: EntrantFile) -> list[tuple[int, str]]:
    return [(fault.row, fault.code) for fault in importing_preview.build_preview(entrant_file).open_faults]


def born() -> list[date]:
    return list(Person.objects.order_by("name_en").values_list("birth_date", flat=True))


@pytest.mark.parametrize(
    ("texts", "judged"),
    [
        (["3/4/2015", "2016-02-28", "5/5/2015", "3 Apr 2015", "2016年2月3日"], ((0,), (), ())),
        (["13/4/2015", "4-13-2015", "4.5.2015"], ((2,), (0,), (1,))),
        (["31/4/2015", "2/30/2015", "30/2/2015", "x", ""], ((), (), ())),
        (["３／４／２０１５", " 8/15/1988 00:00:00"], ((0,), (), (1,))),
    ],
)
def test_each_date_tells_which_orders_it_allows(texts: list[str], judged: tuple[tuple[int, ...], ...]) -> None:
    found = judge_dates(enumerate(texts))
    assert (found.either, found.days, found.months) == judged


def test_a_column_that_proves_the_month_first_is_asked_about_once_and_read_so(event: Event, organiser: User) -> None:
    entrant_file = kept(event, organiser, MIXED)
    assert codes(entrant_file) == [(1, "dates_month_first")]
    with pytest.raises(Refused):
        importing.import_file(entrant_file, by=organiser)
    answered = answer_dates(entrant_file, order="month_first", by=organiser)
    assert (answer_dates(answered, order="month_first", by=organiser), codes(answered)) == (answered, [])
    importing.import_file(answered, by=organiser)
    assert born() == [
        date(2015, 3, 4),
        date(1990, 5, 6),
        date(2018, 11, 12),
        date(2018, 12, 1),
        date(2016, 1, 2),
        date(1988, 8, 15),
    ]
    entries = AuditEntry.objects.filter(action="answer_date_order")
    assert [(entry.actor, entry.reason) for entry in entries] == [(organiser, "month first")]


def test_the_day_first_leaves_the_row_that_does_not_fit_to_be_mended(event: Event, organiser: User) -> None:
    answered = answer_dates(kept(event, organiser, MIXED), order="day_first", by=organiser)
    assert (7, "date_no_such_month") in codes(answered)


def test_dates_that_all_can_be_read_both_ways_are_asked_about(event: Event, organiser: User) -> None:
    entrant_file = kept(event, organiser, ["3/4/2015", "1/2/2016"])
    assert codes(entrant_file) == [(1, "dates_either_way")]
    assert [row.birth_date for row in importing_preview.build_preview(entrant_file).rows] == [None, None]


def test_one_proof_of_the_day_first_is_enough(event: Event, organiser: User) -> None:
    entrant_file = kept(event, organiser, ["3/4/2015", "28/2/2016", "2016-03-04"])
    shown = importing_preview.build_preview(entrant_file)
    assert ([row.birth_date for row in shown.rows], shown.dates.order) == (
        [date(2015, 4, 3), date(2016, 2, 28), date(2016, 3, 4)],
        "day_first",
    )
    assert codes(entrant_file) == []


def test_dates_that_a_spreadsheet_may_have_swapped_are_asked_about(
    event: Event, organiser: User, signed_in: Any
) -> None:
    halves = ["2015-04-03", "1990-06-05", "2018-12-11", "13/4/2015", "28/2/2016"]
    entrant_file = kept(event, organiser, halves)
    (fault,) = importing_preview.build_preview(entrant_file).open_faults
    assert (fault.code, fault.facts["swapped"], fault.facts["days"]) == ("dates_perhaps_swapped", "2, 3, 4", "5, 6")
    with pytest.raises(Refused):
        importing.import_file(entrant_file, by=organiser)
    page = squeezed(
        signed_in(organiser).get(PREVIEW.format(entrant_file.pk), HTTP_ACCEPT_LANGUAGE="en").content.decode()
    )
    assert ["may have swapped day and month" in page, "3 April 2015" in page] == [True, True]
    assert codes(answer_dates(entrant_file, order="day_first", by=organiser)) == []


@pytest.mark.parametrize("more", ["2015-04-30", "3/4/2015"])
def test_one_date_that_no_spreadsheet_would_have_left_so_shows_that_none_was_swapped(
    event: Event, organiser: User, more: str
) -> None:
    dates = ["2015-04-03", "1990-06-05", "2018-12-11", "13/4/2015", more]
    assert codes(kept(event, organiser, dates)) == []


def test_a_column_that_contradicts_itself_names_the_rows(event: Event, organiser: User) -> None:
    entrant_file = kept(event, organiser, ["3/4/2015", "28/2/2016", "2/28/2016"])
    (fault,) = importing_preview.build_preview(entrant_file).open_faults
    assert (fault.code, fault.facts["days"], fault.facts["months"]) == ("dates_contradict", "3", "4")
    answered = answer_dates(entrant_file, order="month_first", by=organiser)
    assert codes(answered) == [(3, "date_no_such_month_first")]


def test_dates_of_one_reading_are_never_asked_about(event: Event, organiser: User) -> None:
    entrant_file = kept(event, organiser, ["2015-03-04", "5/5/2015", "2016年3月4日"])
    assert codes(entrant_file) == []
    with pytest.raises(Refused) as refused:
        answer_dates(entrant_file, order="month_first", by=organiser)
    assert refused.value.code == "nothing_to_decide"


def test_an_order_that_is_none_is_refused(event: Event, organiser: User) -> None:
    with pytest.raises(BadInput):
        answer_dates(kept(event, organiser, MIXED), order="year_first", by=organiser)


def test_the_page_shows_each_date_both_ways_with_the_age_and_keeps_the_answer(
    event: Event, organiser: User, signed_in: Any
) -> None:
    client, entrant_file = signed_in(organiser), kept(event, organiser, MIXED)
    page = PREVIEW.format(entrant_file.pk)
    asked = squeezed(client.get(page, HTTP_ACCEPT_LANGUAGE="en").content.decode())
    assert ["3 April 2015" in asked, "4 March 2015" in asked, "age 10" in asked, "age 11" in asked] == [True] * 4
    assert client.post(page, {"act": "dates", "order": "month_first"})["Location"] == page
    for _reload in range(2):
        shown = squeezed(client.get(f"{page}?show=all", HTTP_ACCEPT_LANGUAGE="en").content.decode())
        assert ["Dates are read with the month first" in shown, "4 March 2015" in shown] == [True, True]
    assert client.post(page, {"act": "dates", "order": "x"}).status_code == 400


def test_the_command_asks_and_takes_the_same_answer(event: Event, organiser: User, tmp_path: Any) -> None:
    path = tmp_path / "list.csv"
    rows = [{"name_en": "CHAN Tai A", "birth_date": "3/4/1990", "session": "1"}]
    path.write_bytes(csv_of(rows))
    with pytest.raises(CommandError):
        call_command("import_entrants", str(path))
    call_command("import_entrants", str(path), dates="month-first")
    assert born() == [date(1990, 3, 4)]
