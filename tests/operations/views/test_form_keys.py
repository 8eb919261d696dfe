"""A form is carried out once for its key: every form that acts carries one, every view honours it, and only then is it
said that sending again does nothing twice."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver

from tests.mail.views.test_notices import NEW, TYPED
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core import form_keys
from tournament.core.models.event import Event, InitialPassword
from tournament.core.models.request_key import RequestKey
from tournament.core.services import requests
from tournament.entrants.models.importing import EntrantFile
from tournament.messages.models import Notice
from tournament.operations.services import backup_kept
from tournament.operations.views.failures import server_error_page

TEMPLATES = Path(__file__).parents[3] / "templates"
FORM = re.compile(r'<form\b(?:[^>"]|"[^"]*")*method="post"(?:[^>"]|"[^"]*")*>(.*?)</form>', re.DOTALL)
# Forms without a key, each with its reason.
NO_KEY = {
    "_fragments/_language.html": "the language of this browser: chosen twice it is the same",
    "operations/access/sign_in.html": "signing in: nobody is there yet whose key it could be",
    "desk.html": "signing out: done twice it is the same",
    "operations/failures/csrf.html": "sends the fields of the form that came, its key among them",
    "operations/failures/broken.html": "sends the fields of the form that came, its key among them",
    "publication/certificates.html": "each press hands out the file of what is released; nothing changes",
}
# Their services take the form's key themselves.
BY_SERVICE = {
    *("take_call", "answer_call", "correction", "held_item", "scoresheet", "attach_scan", "type_scoresheet_again"),
    *("print_session_scoresheets", "print_scoresheet", "draw_session_seats", "confirm_session_seats"),
    *("swap_seats", "move_seat", "open_table", "dissolve_table", "free_seat", "undo_move", "exchange_finalist"),
    *("check_scoresheet", "dispute", "decide_weather", "enter_signal", "look_at_sky"),
}


# --- Every form, every view -----------------------------------------------------------------------------
def forms_without_key() -> set[str]:
    """The templates that have a form to be posted without a key in it."""
    found = set()
    for path in sorted(TEMPLATES.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        assert text.count('method="post"') == len(FORM.findall(text)), path
        if any("{% request_key %}" not in inside for inside in FORM.findall(text)):
            found.add(str(path.relative_to(TEMPLATES)))
    return found


def test_every_form_that_acts_carries_a_key_and_the_others_say_why_not() -> None:
    assert forms_without_key() == set(NO_KEY)


def views_of(resolver: URLResolver) -> Any:
    """Name and view of every address outside the API."""
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from views_of(one)
        elif isinstance(one, URLPattern) and not str(one.name).startswith("api_"):
            yield one.name, one.callback


def test_the_views_whose_services_take_the_key_are_these_and_every_other_is_held_to_it_at_the_door() -> None:
    ways = {name: getattr(view, "form_key", "with") for name, view in views_of(get_resolver())}
    assert {name for name, way in ways.items() if way == "service"} == BY_SERVICE
    assert {name for name, way in ways.items() if way == "before"} == {"backup", "privacy", "erase_entrant"}


# --- Sent twice -----------------------------------------------------------------------------------------
@pytest.fixture
def desk(organiser: User, signed_in: Any) -> Client:
    return signed_in(organiser)


def test_a_notice_drafted_twice_by_one_form_is_one_and_both_lead_to_it(desk: Client) -> None:
    first, again = (desk.post(NEW, {**TYPED, "request_key": "k"}) for _time in range(2))
    assert Notice.objects.count() == 1
    assert (first.status_code, again.status_code, first["Location"]) == (302, 302, again["Location"])
    assert "沒有重複執行" in squeezed(desk.get(again["Location"]).content.decode())


def test_gone_back_to_and_changed_it_is_another_form(desk: Client) -> None:
    for title in ("one", "two"):
        desk.post(NEW, {**TYPED, "title_en": title, "request_key": "k"})
    assert sorted(Notice.objects.values_list("title_en", flat=True)) == ["one", "two"]


def test_a_form_that_was_refused_uses_no_key_up(desk: Client) -> None:
    wrong = {**TYPED, "title_en": "", "request_key": "k"}
    assert [desk.post(NEW, wrong).status_code for _time in range(2)] == [400, 400]
    assert RequestKey.objects.count() == 0


def test_a_new_password_asked_for_twice_is_the_one_that_was_shown(desk: Client, event: Event, clerk: User) -> None:
    ask = {"request_key": "k"}
    way = f"/desk/{event.slug}/accounts/{clerk.pk}/password/"
    shown = desk.post(way, ask)
    clerk.refresh_from_db()
    kept = clerk.password
    again = desk.post(way, ask)
    clerk.refresh_from_db()
    assert (shown.status_code, again.status_code, clerk.password == kept) == (200, 302, True)
    assert (again["Location"], InitialPassword.objects.filter(user=clerk).count()) == (way.removesuffix("password/"), 1)
    assert AuditEntry.objects.filter(action="reset_password").count() == 1


def test_a_backup_pressed_twice_is_one_and_a_refusal_uses_no_key_up(desk: Client, event: Event) -> None:
    way = f"/desk/{event.slug}/backup/"
    before = len(backup_kept.kept_backups())
    assert [desk.post(way, {"request_key": "k"}).status_code for _time in range(2)] == [302, 302]
    assert len(backup_kept.kept_backups()) == before + 1
    assert desk.post(way, {"request_key": "d", "key": "none"}).status_code >= 400
    assert RequestKey.objects.filter(scope__startswith="form:").count() == 1


def test_an_act_that_broke_off_is_not_begun_again_by_the_same_form(organiser: User, event: Event, desk: Client) -> None:
    sent = RequestFactory().post(f"/desk/{event.slug}/backup/", {"request_key": "k"})
    sent.user = organiser
    assert requests.begin_request(f"form:{organiser.pk}", form_keys.form_request_key(sent), "form", sent.path) is None
    before = len(backup_kept.kept_backups())
    answer = desk.post(sent.path, {"request_key": "k"})
    assert (answer.status_code, answer["Location"], len(backup_kept.kept_backups())) == (302, sent.path, before)
    assert "未完成或中途中斷" in squeezed(desk.get(sent.path).content.decode())


def test_signed_out_meanwhile_nothing_is_done_and_signed_in_again_the_same_form_is_carried_out(desk: Client) -> None:
    out = Client()
    assert "/sign-in/" in out.post(NEW, {**TYPED, "request_key": "k"})["Location"]
    assert RequestKey.objects.count() == 0
    assert desk.post(NEW, {**TYPED, "request_key": "k"}).status_code == 302
    assert Notice.objects.count() == 1


def test_two_accounts_never_share_a_key(desk: Client, second_organiser: User, signed_in: Any) -> None:
    for client in (desk, signed_in(second_organiser)):
        client.post(NEW, {**TYPED, "request_key": "k"})
    assert Notice.objects.count() == 2


def test_a_file_belongs_to_what_the_form_held(desk: Client, event: Event) -> None:
    for content in (b"number,name\n", b"number,name\n", b"number,name\n1,a\n"):
        file = SimpleUploadedFile("list.csv", content, "text/csv")
        desk.post(f"/desk/{event.slug}/import/", {"file": file, "request_key": "k"})
    assert RequestKey.objects.count() == EntrantFile.objects.count()


def test_no_password_is_in_what_a_key_is_made_of(organiser: User) -> None:
    def key(**typed: str) -> str:
        return form_keys.form_request_key(RequestFactory().post("/own-password/", {"request_key": "k", **typed}))

    assert key(new_password1="one", pin="1234") == key(new_password1="two", pin="9999") != key(other="one")


def test_no_search_for_a_name_is_kept_with_a_key() -> None:
    assert form_keys.address_without_names("/desk/e/import/3/?find=Chan&page=2&stage=final#row-7") == (
        "/desk/e/import/3/?page=2&stage=final#row-7"
    )


# --- Said only where it is so ---------------------------------------------------------------------------
def shown_when_broken(method: str, **fields: Any) -> str:
    return squeezed(
        server_error_page(getattr(RequestFactory(), method)("/desk/hk-2026/notices/new/", fields)).content.decode()
    )


def test_our_fault_keeps_what_was_typed_and_says_never_twice_only_of_a_form_with_a_key() -> None:
    keyed = shown_when_broken("post", request_key="k", title_en='28 "March"', password="secret")
    assert ("不會重複執行" in keyed, 'value="28 &quot;March&quot;"' in keyed, "secret" in keyed) == (True, True, False)
    assert re.search(r'name="request_key" value="k"', keyed)
    plain = shown_when_broken("post", title_en="x")
    assert ("不會重複執行" in plain, "未能確定" in plain, "<form" in plain) == (False, True, False)
    read = shown_when_broken("get")
    assert ("不會重複執行" in read, "請重新載入" in read, "<form" in read) == (False, True, False)


def test_no_other_page_says_that_sending_again_does_nothing_twice() -> None:
    said = re.compile(r"never done twice|not done twice|never doubled", re.IGNORECASE)
    saying = [str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html") if said.search(path.read_text())]
    assert saying == ["operations/failures/broken.html"]
