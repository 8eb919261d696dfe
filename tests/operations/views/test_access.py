"""The doors of the desk: signing in and out, my events, the overview, and the pages for what went wrong."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.conftest import PASSWORD, account, event_data
from tests.seated import enter
from tests.squeezed import squeezed
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.operations.views.failures import server_error_page
from tournament.seating.services import seating
from tournament.setup.services import setup

CHINESE = {"HTTP_ACCEPT_LANGUAGE": "zh-HK"}
ENGLISH = {"HTTP_ACCEPT_LANGUAGE": "en"}
OVERVIEW = "/desk/hk-2026/"


def words(response: Any) -> str:
    """The text that a page shows, in one line."""
    body = re.sub(r"<(style|script|title)\b.*?</\1>", "", squeezed(response.content.decode()), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", body).split())


def stages_in_bar(response: Any) -> list[str]:
    """The words of the bar's navigation."""
    return [item.word for item in response.context["stages"]]


def sign_in(client: Client, username: str, password: str, **more: str) -> Any:
    """Hand in the sign-in form."""
    return client.post(reverse("sign_in"), {"username": username, "password": password, **more}, **ENGLISH)


# Signing in and out


def test_whoever_is_not_signed_in_is_led_to_the_door_and_then_on_to_the_page(client: Client, organiser: User) -> None:
    led = client.get(OVERVIEW)
    assert (led.status_code, led["Location"]) == (302, f"/sign-in/?next={OVERVIEW}")
    assert sign_in(client, "organiser", PASSWORD, next="/desk/")["Location"] == "/desk/"


def test_a_parent_who_types_the_bare_address_is_led_to_the_public_pages(client: Client, event: Event) -> None:
    pages = [client.get("/", follow=True, HTTP_ACCEPT_LANGUAGE=language) for language in ("zh-hant", "en")]
    assert [
        [
            link in squeezed(page.content.decode())
            for link in (f'href="/p/hk-2026/{folder}">{name}<', f'href="/p/{folder}"')
        ]
        for page, folder, name in zip(pages, ("", "en/"), (event.name_zh, event.name_en), strict=True)
    ] == [[True, True], [True, True]]
    Event.objects.update(announced_at=None)
    assert "/p/hk-2026/" not in squeezed(client.get("/sign-in/").content.decode())


def test_an_account_of_one_event_lands_in_that_event(client: Client, organiser: User) -> None:
    assert sign_in(client, "organiser", PASSWORD)["Location"] == OVERVIEW


def test_an_account_of_two_events_chooses(client: Client, organiser: User) -> None:
    account(setup.create_event({**event_data(), "slug": "hk-2027"}), Role.CLERK, "organiser")
    assert sign_in(client, "organiser", PASSWORD)["Location"] == "/desk/"


def test_nobody_is_led_to_another_site(client: Client, organiser: User) -> None:
    assert sign_in(client, "organiser", PASSWORD, next="https://elsewhere.example/")["Location"] == OVERVIEW


@pytest.mark.parametrize(("username", "closed"), [("organiser", False), ("nobody", False), ("organiser", True)])
def test_a_wrong_password_an_unknown_name_and_a_closed_account_read_the_same(
    client: Client, organiser: User, username: str, closed: bool
) -> None:
    User.objects.filter(pk=organiser.pk).update(is_active=not closed)
    answer = sign_in(client, username, PASSWORD if closed else "wrong")
    assert answer.status_code == 200
    assert answer.context["form"].non_field_errors() == [
        "User name and password do not match. Mind capital letters and try again."
    ]


def test_a_wrong_password_keeps_the_user_name_and_never_the_password(client: Client, organiser: User) -> None:
    page = squeezed(sign_in(client, "organiser", "wrong-and-secret").content.decode())
    assert 'value="organiser"' in page
    assert "wrong-and-secret" not in page


def test_an_empty_field_is_told_at_the_field(client: Client, db: None) -> None:
    page = squeezed(sign_in(client, "", "").content.decode())
    assert page.count("Please fill this in.") == 2
    assert 'aria-describedby="id_username_fault"' in page


def test_signing_in_changes_the_session_key(client: Client, organiser: User) -> None:
    client.get("/sign-in/")
    session = client.session
    session["seen"] = True
    session.save()
    before = session.session_key
    sign_in(client, "organiser", PASSWORD)
    assert client.session.session_key != before


def test_signing_out_is_a_post_and_closes_the_desk(client: Client, organiser: User) -> None:
    client.force_login(organiser)
    assert client.get("/sign-out/").status_code == 405
    assert client.post("/sign-out/")["Location"] == "/sign-in/"
    assert client.get("/desk/").status_code == 302


def test_the_other_language_keeps_the_page_and_its_search(client: Client, organiser: User) -> None:
    client.force_login(organiser)
    page = squeezed(client.get(f"{OVERVIEW}?search=1", **CHINESE).content.decode())
    assert '<html lang="zh-Hant-HK">' in page
    assert f'name="next" value="{OVERVIEW}?search=1"' in page
    switched = client.post("/i18n/setlang/", {"language": "en", "next": f"{OVERVIEW}?search=1"})
    assert switched["Location"] == f"{OVERVIEW}?search=1"
    assert '<html lang="en">' in squeezed(client.get(switched["Location"], **CHINESE).content.decode())


# My events


def test_my_events_are_those_of_the_account_with_its_roles(signed_in: Any, organiser: User) -> None:
    setup.create_event({**event_data(), "slug": "not-mine"})
    page = signed_in(organiser).get("/desk/", **ENGLISH)
    assert [(event.slug, event.roles) for event in page.context["events"]] == [("hk-2026", ["organiser"])]
    assert "28 March–7 April 2026" in words(page)


def test_an_account_without_an_event_is_told_whom_to_ask(signed_in: Any, db: None) -> None:
    page = words(signed_in(User.objects.create_user("new")).get("/desk/", **ENGLISH))
    assert "No event yet" in page
    assert "Ask an organiser" in page


def test_my_events_ask_as_many_queries_for_three_as_for_one(
    signed_in: Any, organiser: User, django_assert_num_queries: Any
) -> None:
    client = signed_in(organiser)
    with django_assert_num_queries(5):
        client.get("/desk/")
    for slug in ("second", "third"):
        account(setup.create_event({**event_data(), "slug": slug}), Role.CLERK, "organiser")
    with django_assert_num_queries(5):
        client.get("/desk/")


# The overview


def test_an_event_with_nobody_in_it_says_what_comes_next_and_by_whose_hand(
    signed_in: Any, organiser: User, auditor: User
) -> None:
    for user, linked in ((organiser, True), (auditor, False)):
        waiting = signed_in(user).get(OVERVIEW, **ENGLISH).context["waiting"]
        assert [(item["sentence"], bool(item["address"]), item["who"]) for item in waiting] == [
            ("Nobody is entered yet.", linked, "" if linked else "organiser·clerk")
        ]


def test_the_overview_counts_entrants_draws_and_sheets(signed_in: Any, organiser: User, event: Event) -> None:
    first, second = Session.objects.filter(stage__event=event)[:2]
    enter(first, 8)
    enter(second, 8, first=9)
    for session in (first, second):
        seating.draw_session(session, seed=1, by=organiser)
    seating.confirm_session_draw(first, revision=1, by=organiser)
    shown = signed_in(organiser).get(OVERVIEW, **ENGLISH).context
    figures = shown["figures"]
    assert (figures.entrants, figures.sessions, figures.drawn, figures.confirmed) == (16, 12, 2, 1)
    assert (figures.tables, figures.sheets, figures.locked, figures.stamped) == (4, {"open": 4}, 0, 0)
    assert [item["sentence"] for item in shown["waiting"]] == [
        "10 sessions have no seats drawn.",
        "1 draw is not confirmed.",
        "Personal data was to be kept until 31 July 2026. Erase it now. "
        "Nobody is reminded by mail: the organisers have no address, and mail has none to answer to.",
    ]


def test_the_overview_asks_as_many_queries_for_three_sessions_as_for_one(
    signed_in: Any, organiser: User, event: Event, django_assert_max_num_queries: Any
) -> None:
    sessions = Session.objects.filter(stage__event=event)[:3]
    client = signed_in(organiser)
    for done, session in enumerate(sessions):
        enter(session, 8, first=1 + 8 * done)
        seating.draw_session(session, seed=1, by=organiser)
        with django_assert_max_num_queries(20):
            client.get(OVERVIEW)


def test_the_bar_has_the_stages_in_the_order_of_the_day_for_those_who_read_them(
    signed_in: Any, organiser: User, auditor: User
) -> None:
    for user in (organiser, auditor):
        assert stages_in_bar(signed_in(user).get(OVERVIEW, **ENGLISH)) == [
            "Entrants",
            "Seating",
            "Check-in",
            "Tablets",
            "Calls",
            "Scoresheets",
            "Ranking",
            "Cut",
            "Release",
            "Weather, notices",
        ]


def test_a_referee_sees_the_own_tables_and_no_figure_of_the_event(
    signed_in: Any, organiser: User, referee: User, event: Event
) -> None:
    first = Session.objects.get(stage__event=event, number=1)
    enter(first, 12)
    seating.draw_session(first, seed=1, by=organiser, referees=[referee, organiser])
    shown = signed_in(referee).get(OVERVIEW, **ENGLISH)
    assert [(table.number, table.seated, table.sheet_state) for table in shown.context["own_tables"]] == [
        (1, 4, "open"),
        (2, 4, "open"),
    ]
    assert "figures" not in shown.context
    assert stages_in_bar(shown) == ["Weather, notices"]


def test_a_referee_without_a_table_is_told_when_there_will_be_one(signed_in: Any, referee: User) -> None:
    assert "No table is yours yet" in words(signed_in(referee).get(OVERVIEW, **ENGLISH))


def test_the_overview_stands_in_both_languages(signed_in: Any, organiser: User) -> None:
    client = signed_in(organiser)
    assert "Waits for a person" in words(client.get(OVERVIEW, **ENGLISH))
    assert "等人處理" in words(client.get(OVERVIEW, **CHINESE))


def test_pages_of_the_desk_are_kept_by_no_cache(signed_in: Any, organiser: User) -> None:
    assert "no-store" in signed_in(organiser).get(OVERVIEW)["Cache-Control"]


# What went wrong


def test_an_event_of_others_and_no_event_at_all_are_one_page(signed_in: Any, event: Event) -> None:
    client = signed_in(User.objects.create_user("stranger"))
    others, none = (client.get(address, **ENGLISH) for address in (OVERVIEW, "/desk/nowhere/"))
    assert (others.status_code, none.status_code) == (404, 404)
    assert words(others) == words(none)


def test_a_page_that_is_not_there_says_what_to_do_and_nothing_of_an_act_that_it_does_not_know(
    client: Client, db: None
) -> None:
    page = client.get("/nowhere/", **ENGLISH)
    assert page.status_code == 404
    said = words(page)
    assert ("Check the address, or go on from your events." in said, "lost" in said) == (True, False)


def test_a_form_with_an_old_token_can_be_sent_again_with_all_that_was_typed(organiser: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(organiser)
    typed = {"csrfmiddlewaretoken": "old", "reason": "<b>缺席</b>", "seat": ["A", "B"], "password": "secret"}
    page = client.post(OVERVIEW, typed, HTTP_ORIGIN="http://testserver", **ENGLISH)
    assert page.status_code == 403
    assert page.context["fields"] == [("reason", "<b>缺席</b>"), ("seat", "A"), ("seat", "B")]
    assert 'name="reason" value="&lt;b&gt;缺席&lt;/b&gt;"' in squeezed(page.content.decode())


@pytest.mark.parametrize("origin", [{}, {"HTTP_ORIGIN": "https://elsewhere.example"}])
def test_a_form_from_elsewhere_is_never_offered_again(organiser: User, origin: dict[str, str]) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(organiser)
    page = client.post(OVERVIEW, {"reason": "planted"}, **origin, **ENGLISH)
    assert (page.status_code, page.context["fields"]) == (403, [])
    assert "planted" not in squeezed(page.content.decode())


def test_our_own_fault_is_a_page_without_database_and_with_a_number_that_is_in_the_log(
    rf: Any, caplog: pytest.LogCaptureFixture, django_db_blocker: Any
) -> None:
    with django_db_blocker.block():
        page = server_error_page(rf.get("/desk/"))
    number = re.findall(r'<b class="nb">(\w{4}-\w{2})</b>', squeezed(page.content.decode()))
    assert page.status_code == 500
    assert [record.getMessage() for record in caplog.records] == [f"incident {number[0]} at /desk/"]
