"""One entrant changed by page: who may, both values where two were at it, history, and everyone as a file."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.html import escape

from tests.entrant_lists import csv_of
from tests.registration.views.test_registration import LIST, ROWS
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Person
from tournament.registration.services import changes, importing, importing_preview


@pytest.fixture
def entrants(event: Event, organiser: User) -> list[Entrant]:
    """Three entrants, two of them a pair."""
    kept = importing.read_file(event, name="a.csv", content=csv_of(ROWS), by=organiser)
    importing.import_file(kept, by=organiser)
    return list(Entrant.objects.select_related("person", "event").order_by("number"))


@pytest.fixture
def desk(signed_in: Any, organiser: User) -> Client:
    """The organiser at the desk, in English."""
    client: Client = signed_in(organiser)
    client.cookies["django_language"] = "en"
    return client


def text_of(response: Any) -> str:
    return str(squeezed(response.content.decode()))


def typed(client: Client, number: int, **changed: str) -> dict[str, str]:
    """The form of the page as a browser sends it, with these fields typed anew."""
    form = client.get(f"{LIST}{number}/change/").context["form"]
    values = {name: form[name].value() for name in form.fields}
    return {
        name: "on" if value is True else str(value) for name, value in values.items() if value not in (None, False)
    } | changed


def test_a_form_sent_as_it_was_shown_changes_nothing(desk: Client, entrants: list[Entrant]) -> None:
    before = list(Person.objects.order_by("pk").values())
    for entrant in entrants:
        assert desk.post(f"{LIST}{entrant.number}/change/", typed(desk, entrant.number)).status_code == 302
    assert (list(Person.objects.order_by("pk").values()), set(Entrant.objects.values_list("revision", flat=True))) == (
        before,
        {1},
    )


def test_corrections_are_saved_and_the_history_says_which_fields(desk: Client, entrants: list[Entrant]) -> None:
    form = typed(desk, 3, phone="6123 4567", school="白田小學", reason="called")
    assert desk.post(f"{LIST}3/change/", form)["Location"] == f"{LIST}3/"
    page = text_of(desk.get(f"{LIST}3/"))
    assert [part in page for part in ("+85261234567", "entry changed", "phone, school", "called")] == [True] * 4
    desk.cookies["django_language"] = "zh-hant"
    assert "電話、學校" in text_of(desk.get(f"{LIST}3/"))


@pytest.mark.parametrize("name", ["陳 大 文", "陳大\ufe00文"], ids=["padded", "variation selector"])
def test_a_name_with_layout_in_it_is_recorded_and_the_page_says_so(
    desk: Client, entrants: list[Entrant], name: str
) -> None:
    answer = desk.post(f"{LIST}3/change/", typed(desk, 3, name_zh=name), follow=True)
    assert Person.objects.get(entrant__number=3).name_zh == name
    page = text_of(answer)
    assert ("Recorded." in page, "unseen characters stand inside the Chinese name" in page) == (True, True)
    again = text_of(desk.post(f"{LIST}3/change/", typed(desk, 3, school="白田小學"), follow=True))
    assert ("Recorded." in again, "unseen characters" in again) == (True, False)


def test_faults_stand_at_their_fields_and_what_was_typed_stays(desk: Client, entrants: list[Entrant]) -> None:
    response = desk.post(f"{LIST}3/change/", typed(desk, 3, phone="123", birth_date="31/2/1990"))
    page = text_of(response)
    assert response.status_code == 400
    assert [
        part in page
        for part in ('value="123"', "A Hong Kong number has 8 digits", 'value="31/2/1990"', "Month 2 has no day 31.")
    ] == [True] * 4
    assert len(response.context["form"]["phone"].errors) == 1


def test_two_at_one_entrant_see_both_values_and_nothing_is_lost(
    desk: Client, entrants: list[Entrant], clerk: User
) -> None:
    form = typed(desk, 3, school="Mine")
    changes.change_person(entrants[2], revision=1, cells={"school": "Theirs"}, by=clerk)
    response = desk.post(f"{LIST}3/change/", form)
    page = text_of(response)
    assert (response.status_code, 'value="Mine"' in page, "Entered now: Theirs" in page) == (412, True, True)
    assert Person.objects.get(entrant__number=3).school == "Theirs"
    again = {**form, "revision": str(response.context["form"]["revision"].value())}
    assert desk.post(f"{LIST}3/change/", again).status_code == 302
    assert Person.objects.get(entrant__number=3).school == "Mine"


def test_a_move_is_recorded_or_refused_with_what_to_do(desk: Client, entrants: list[Entrant]) -> None:
    form = {"session": "12", "reason": "trip", "revision": "1"}
    assert desk.post(f"{LIST}3/move/", {**form, "reason": ""}).status_code == 400
    for _ in range(2):
        assert desk.post(f"{LIST}3/move/", form)["Location"] == f"{LIST}3/"
    assert Entrant.objects.get(number=3).session.number == 12
    stale = desk.post(f"{LIST}3/move/", {**form, "session": "11"})
    assert (stale.status_code, "trip" in text_of(stale)) == (412, True)


def test_the_page_asks_for_the_seat_and_the_organiser_gives_it_up_with_the_move(
    desk: Client, first_session: Session, organiser: User, clerk: User, signed_in: Any
) -> None:
    settle(first_session, organiser)
    Person.objects.update(consent_guardian=True)
    page, form = text_of(desk.get(f"{LIST}303/")), {"session": "2", "reason": "trip", "revision": "1"}
    box = 'type="checkbox" name="seat" value="1C"'
    assert (box in page, "Also gives up seat: table 1 C" in page) == (True, True)
    kept = desk.post(f"{LIST}303/move/", form)
    assert (kept.status_code, "on the entrant&#x27;s page and gives up the seat there" in text_of(kept)) == (409, True)
    other = signed_in(clerk)
    assert box not in text_of(other.get(f"{LIST}303/"))
    assert other.post(f"{LIST}303/move/", {**form, "seat": "1C"}).status_code == 403
    elsewhere = desk.post(f"{LIST}303/move/", {**form, "seat": "9A"})
    assert (elsewhere.status_code, "no longer has seat 9A" in text_of(elsewhere)) == (412, True)
    assert desk.post(f"{LIST}303/move/", {**form, "seat": "1C"}).status_code == 302
    assert list(first_session.tables.get().seats.values_list("letter", flat=True)) == ["A", "B", "D"]


def test_a_boundary_birthday_is_asked_about_only_where_it_is_met(
    desk: Client, entrants: list[Entrant], signed_in: Any, clerk: User
) -> None:
    Person.objects.filter(entrant__number=3).update(birth_date="2019-04-06", consent_guardian=True)
    form = {"session": "5", "reason": "trip", "revision": "1"}
    assert "accept_birthday" not in text_of(desk.get(f"{LIST}3/"))
    asked = desk.post(f"{LIST}3/move/", form)
    assert (asked.status_code, "accept_birthday" in text_of(asked)) == (409, True)
    other = signed_in(clerk)
    assert "accept_birthday" not in text_of(other.post(f"{LIST}3/move/", form))
    assert other.post(f"{LIST}3/move/", {**form, "accept_birthday": "on"}).status_code == 403
    assert desk.post(f"{LIST}3/move/", {**form, "accept_birthday": "on"}).status_code == 302


def test_a_pair_is_ended_and_declared_by_number(desk: Client, entrants: list[Entrant]) -> None:
    assert desk.post(f"{LIST}1/part/", {"revision": "1"}).status_code == 302
    nobody = desk.post(f"{LIST}1/family/", {"role": "child", "other": "99", "revision": "2"})
    assert (nobody.status_code, "Nobody has number 99." in text_of(nobody)) == (400, True)
    wrong = desk.post(f"{LIST}1/family/", {"role": "parent", "other": "2", "revision": "2"})
    page = text_of(wrong)
    assert (wrong.status_code, "a pair&#x27;s child is 7 to 18" in page, "clear the pair" in page) == (400, True, True)
    assert desk.post(f"{LIST}1/family/", {"role": "child", "other": "2", "revision": "2"}).status_code == 302
    assert list(Entrant.objects.exclude(family=None).values_list("number", "family_role")) == [
        (1, "child"),
        (2, "parent"),
    ]


def test_a_third_joins_the_family_by_page_and_leaves_it_alone(desk: Client, entrants: list[Entrant]) -> None:
    Person.objects.filter(entrant__number=3).update(birth_date="1984-01-01")
    form = {"role": "parent", "other": "1", "revision": "1"}
    alone = desk.post(f"{LIST}3/family/", form)
    assert (alone.status_code, "This event allows one pair a person" in text_of(alone)) == (409, True)
    assert "join_role" not in text_of(desk.get(f"{LIST}1/"))
    Event.objects.update(several_pairs=True)
    assert desk.post(f"{LIST}3/family/", form).status_code == 302
    family = Entrant.objects.get(number=1).family
    assert list(Entrant.objects.values_list("number", "family", "family_role")) == [
        (1, family.pk, "child"),
        (2, family.pk, "parent"),
        (3, family.pk, "parent"),
    ]
    shown = text_of(desk.get(f"{LIST}1/"))
    card = shown.split('id="family"')[1].split("</section>")[0]
    assert [part in card for part in ("0002", "0003", "End these pairs", "join_role")] == [True] * 4
    other = text_of(desk.get(f"{LIST}3/")).split('id="family"')[1]
    assert "Take this entrant out of the family" in other
    assert desk.post(f"{LIST}3/part/", {"revision": "2"}).status_code == 302
    assert list(Entrant.objects.exclude(family=None).values_list("number", flat=True)) == [1, 2]


@pytest.mark.parametrize("role", [Role.CHIEF_JUDGE, Role.AUDITOR])
def test_those_who_only_read_find_no_form_and_no_file(
    request: pytest.FixtureRequest, signed_in: Any, entrants: list[Entrant], role: Role
) -> None:
    client = signed_in(request.getfixturevalue(role.value))
    page = text_of(client.get(f"{LIST}1/"))
    assert [part in page for part in ("/change/", "/move/", "/family/", "/part/")] == [False] * 4
    assert [client.get(f"{LIST}entrants.{kind}").status_code for kind in ("csv", "xlsx")] == [403, 403]


def test_everyone_is_a_file_that_changes_nothing_when_imported(
    desk: Client, event: Event, organiser: User, entrants: list[Entrant]
) -> None:
    for kind in ("csv", "xlsx"):
        answer = desk.get(f"{LIST}entrants.{kind}")
        assert answer["Content-Disposition"] == f'attachment; filename="entrants.{kind}"'
        kept = importing.read_file(event, name=kind, content=answer.content, by=organiser)
        preview = importing_preview.build_preview(kept)
        assert (len(preview.unchanged), dict(preview.changes), preview.faults) == (3, {}, ())


def test_the_pages_are_whole_in_both_languages(desk: Client, entrants: list[Entrant]) -> None:
    changes.change_person(entrants[0], revision=1, cells={"school": "<b>&"}, by=User.objects.get(username="organiser"))
    for language, words in (("en", "Save the corrections"), ("zh-hant", "儲存更正")):
        desk.cookies["django_language"] = language
        page = text_of(desk.get(f"{LIST}1/change/"))
        assert (words in page, "style=" in page, escape("<b>&") in page) == (True, False, True)


def test_an_unusual_name_is_kept_once_somebody_says_that_it_is_so(desk: Client, entrants: list[Entrant]) -> None:
    address = f"{LIST}3/change/"
    assert 'name="accept_name"' not in text_of(desk.get(address))
    form = typed(desk, 3, name_en="CHAN Amy 🐰")
    refused = desk.post(address, form)
    page = text_of(refused)
    assert (refused.status_code, 'name="accept_name"' in page, 'value="CHAN Amy 🐰"' in page) == (409, True, True)
    assert desk.post(address, form | {"accept_name": "on"}).status_code == 302
    assert Person.objects.filter(name_en="CHAN Amy 🐰").count() == 1


def test_both_names_in_the_english_field_are_refused_at_the_field(desk: Client, entrants: list[Entrant]) -> None:
    refused = desk.post(f"{LIST}3/change/", typed(desk, 3, name_en="陳大文 CHAN Tai Man"))
    assert (refused.status_code, "Put the Chinese characters under the Chinese name" in text_of(refused)) == (400, True)
