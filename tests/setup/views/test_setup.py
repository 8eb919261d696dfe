"""Pages of the set-up: made, changed, locked with reasons, two organisers at once, copied, rehearsed."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from tests.conftest import account
from tests.mail.noticed import told
from tests.seated import enter
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.publication.queries.announced import has_public_page
from tournament.setup.queries import sessions_of_first_stage
from tournament.setup.services import changes as setup_changes
from tournament.setup.services import setup
from tournament.setup.services.rehearsal import make_rehearsal

ENGLISH = {"HTTP_ACCEPT_LANGUAGE": "en"}
CHINESE = {"HTTP_ACCEPT_LANGUAGE": "zh-HK"}
DESK = "/desk/hk-2026"
NEW = {
    "name_zh": "公開賽", "name_en": "Open", "venue_zh": "", "venue_en": "", "slug": "open-2027", "quota": "",
    "day1": "2027-04-05", "day2": "2027-03-27", "sessions": "4", "first": "12:00", "every": "105", "seating": "30",
    "play": "45", "end": "105", "tables": "10", "ruleset": "hk-2026", "advance": "40", "results_on": "2027-04-10",
    "results_hour": "00:00", "retention_on": "2027-07-31",
}  # fmt: skip


def words(response: Any) -> str:
    """The text that a page shows, in one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", squeezed(response.content.decode())).split())


def typed(response: Any, action: str = "") -> dict[str, str]:
    """What a browser would send back of the page's form (the one with this address): all that is not disabled."""
    body = squeezed(response.content.decode())
    forms = re.findall(r'<form[^>]*method="post"([^>]*)>(.*?)</form>', body, flags=re.DOTALL)
    found = [inner for head, inner in forms if (f'action="{action}"' in head if action else "action=" not in head)]
    return dict(fields(found[-1]))


def fields(html: str) -> Iterator[tuple[str, str]]:
    """Inputs and selects by name."""
    for tag in re.findall(r"<input[^>]*>", html):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        pressed = 'type="checkbox"' in tag or 'type="submit"' in tag
        if name and "disabled" not in tag and not pressed and name[1] != "csrfmiddlewaretoken":
            yield name[1], value[1] if value else ""
    for name, options in re.findall(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', html, flags=re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        yield name, chosen[1] if chosen else ""


@pytest.fixture
def desk(signed_in: Any, organiser: User) -> Client:
    """A browser of the organiser's."""
    return signed_in(organiser)


# Made from nothing
PUBLIC = ("/p/", "/p/open-2027/")


def test_an_event_is_made_on_one_page_and_the_public_sees_it_once_it_is_announced(signed_in: Any, db: None) -> None:
    client = signed_in(User.objects.create_user("chan", is_staff=True))
    assert "/desk/new-event/" in squeezed(client.get("/desk/").content.decode())
    answer = client.post("/desk/new-event/", NEW, **ENGLISH)
    assert answer["Location"] == "/desk/open-2027/setup/"
    event = Event.objects.get()
    assert [session.code for session in sessions_of_first_stage(event)] == [
        f"{d}-{n}" for d in ("0327", "0405") for n in range(1, 5)
    ]
    assert (event.quota, event.stages.get().advance, event.rehearsal) == (320, 40, False)
    page = words(client.get("/desk/open-2027/setup/", **ENGLISH))
    assert ["The event is made." in page, "Not announced yet" in page] == [True, True]
    seen = [
        (client.get(path).status_code, event.name_zh in squeezed(client.get(path).content.decode())) for path in PUBLIC
    ]
    assert seen == [(200, False), (404, False)]
    assert client.post("/desk/open-2027/setup/announce/")["Location"] == "/desk/open-2027/setup/"
    seen = [
        (client.get(path).status_code, event.name_zh in squeezed(client.get(path).content.decode())) for path in PUBLIC
    ]
    assert seen == [(200, True), (200, True)]
    assert "Not announced yet" not in words(client.get("/desk/open-2027/setup/", **ENGLISH))
    assert [entry.action for entry in AuditEntry.objects.filter(action="announce_event")] == ["announce_event"]


def test_an_event_is_announced_once_and_also_by_its_first_notice(desk: Client, event: Event, organiser: User) -> None:
    Event.objects.update(announced_at=None)
    assert desk.get("/p/hk-2026/").status_code == 404
    told(event, organiser)
    assert (has_public_page(event), [desk.post("/desk/hk-2026/setup/announce/").status_code for _twice in "12"]) == (
        True,
        [302, 302],
    )
    assert AuditEntry.objects.filter(action="announce_event").count() == 1


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"name_zh": ""}, "name_zh"),
        ({"slug": "Open 2027"}, "slug"),
        ({"slug": "new-event"}, "slug"),
        ({"slug": "hk-2026"}, "slug"),
        ({"day1": ""}, "day1"),
        ({"day3": "2027-03-27"}, "day3"),
        ({"first": "25:00"}, "first"),
        ({"first": "18:00"}, "sessions"),
        ({"seating": "50"}, "end"),
        ({"tables": "0"}, "tables"),
        ({"advance": "x"}, "advance"),
        ({"ruleset": "chess"}, "ruleset"),
        ({"retention_on": "2027-04-01"}, "retention_on"),
    ],
)
def test_what_is_wrong_with_a_new_event_is_told_at_its_field(desk: Client, changes: dict[str, str], field: str) -> None:
    answer = desk.post("/desk/new-event/", NEW | changes, **ENGLISH)
    assert answer.status_code == 400
    assert field in answer.context["form"].errors
    assert Event.objects.count() == 1
    assert 'value="Open"' in squeezed(answer.content.decode())


def test_a_clerk_makes_no_events(signed_in: Any, clerk: User) -> None:
    client = signed_in(clerk)
    assert client.get("/desk/new-event/").status_code == 403
    assert client.post("/desk/new-event/", NEW).status_code == 403
    assert "/desk/new-event/" not in squeezed(client.get("/desk/").content.decode())
    assert f"{DESK}/setup/" not in squeezed(client.get(f"{DESK}/").content.decode())


# Looked at and changed


@pytest.mark.parametrize("page", ["setup/", "setup/event/", "setup/sessions/", "setup/rules/", "setup/copy/"])
def test_every_page_stands_in_both_languages(desk: Client, page: str) -> None:
    chinese, english = (desk.get(f"{DESK}/{page}", **language) for language in (CHINESE, ENGLISH))
    assert (chinese.status_code, english.status_code) == (200, 200)
    own = words(english).split("Skip to the page")[-1]
    event = setup.event_as_data(Event.objects.get())
    for text in ("中文", event["name_zh"], event["venue_zh"]):
        own = own.replace(text, "")
    assert re.findall(r"[一-鿿]+", own) == []


def test_what_a_page_shows_sent_back_changes_nothing(desk: Client, event: Event) -> None:
    before = setup.event_as_data(event)
    for page in ("setup/event/", "setup/sessions/", "setup/rules/"):
        address = f"{DESK}/{page}"
        sent = typed(desk.get(address), address if page == "setup/rules/" else "")
        assert desk.post(address, sent).status_code == 302
    event.refresh_from_db()
    assert (setup.event_as_data(event), event.revision) == (before, 1)


def test_the_event_is_changed_and_the_public_page_with_it(desk: Client, event: Event) -> None:
    address = f"{DESK}/setup/event/"
    desk.post(address, typed(desk.get(address)) | {"name_en": "Renamed", "results_hour": "09:30"})
    event.refresh_from_db()
    assert (event.name_en, f"{event.results_at:%H:%M}", event.slug) == ("Renamed", "01:30", "hk-2026")
    public = [file.read_text("utf-8", "ignore") for file in (settings.PUBLIC_ROOT / "hk-2026" / "files").iterdir()]
    assert any("Renamed" in body for body in public)
    history = words(desk.get(f"{DESK}/setup/", **ENGLISH))
    assert "Results on (R9): 2026-04-09 00:00 → 2026-04-09 09:30" in history


def test_two_organisers_at_one_page_both_values_are_shown_and_the_typed_one_is_kept(
    desk: Client, event: Event, organiser: User
) -> None:
    address = f"{DESK}/setup/event/"
    sent = typed(desk.get(address)) | {"quota": "900"}
    second = account(event, Role.ORGANISER, "second")
    facts = {name: getattr(event, name) for name in setup_changes.EVENT_FACT_FIELDS} | {"quota": 1000}
    setup_changes.change_event(event, revision=1, facts=facts, by=second)
    answer = desk.post(address, sent, **ENGLISH)
    assert answer.status_code == 412
    assert answer.context["differences"] == [("Places in all (R2)", 1000, "900")]
    assert "second changed the set-up" in words(answer)
    assert desk.post(address, typed(answer)).status_code == 302
    assert Event.objects.get().quota == 900


def test_a_locked_field_says_why_and_what_is_sent_of_it_is_refused(
    desk: Client, event: Event, organiser: User, first_session: Session
) -> None:
    settle(first_session, organiser)
    rules = desk.get(f"{DESK}/setup/rules/", **ENGLISH)
    assert "Seats are confirmed, or a scoresheet was begun: how many advance stays as it was announced." in words(rules)
    sent = {"revision": "1", "base": "school", "games": "9", "advance": "5"}
    assert desk.post(f"{DESK}/setup/rules/?base=school", sent).status_code == 423
    assert (event.stages.get().ruleset, event.stages.get().advance) == ("hk-2026", 120)
    sessions = desk.get(f"{DESK}/setup/sessions/", **ENGLISH)
    assert words(sessions).count("Seats are confirmed: printed sheets say this.") == 1
    prefix = f"s{first_session.pk}"
    tampered = typed(sessions) | {f"{prefix}-day": "2026-05-01", f"{prefix}-tables": "3", f"{prefix}-remove": "on"}
    assert desk.post(f"{DESK}/setup/sessions/", tampered).status_code == 423
    first = sessions_of_first_stage(event)[0]
    assert (first.code, first.table_count) == ("0328-1", 25)
    assert "Seats are confirmed, or a scoresheet was begun." in words(desk.get(f"{DESK}/setup/", **ENGLISH))


# Sessions


def test_a_session_is_typed_in_a_blank_row_and_another_removed(desk: Client, event: Event) -> None:
    address = f"{DESK}/setup/sessions/"
    last = sessions_of_first_stage(event)[-1]
    row = {
        "day": "2026-04-08",
        "check_in": "10:00",
        "seating": "10:15",
        "play": "10:30",
        "ends": "11:30",
        "tables": "5",
    }
    new = {f"new0-{name}": value for name, value in row.items()}
    assert desk.post(address, typed(desk.get(address)) | new | {f"s{last.pk}-remove": "on"}).status_code == 302
    codes = [(session.code, session.capacity) for session in sessions_of_first_stage(event)][-2:]
    assert codes == [("0407-3", 100), ("0408-1", 20)]


def test_a_fault_stands_at_its_cell_and_all_that_was_typed_is_kept(
    desk: Client, event: Event, first_session: Session
) -> None:
    enter(first_session, 5)
    address = f"{DESK}/setup/sessions/"
    prefix = f"s{first_session.pk}"
    wrong = {f"{prefix}-capacity": "4", f"{prefix}-ends": "12:40", "new0-day": "2026-04-08"}
    answer = desk.post(address, typed(desk.get(address)) | wrong, **ENGLISH)
    assert answer.status_code == 400
    assert "Please fill this in." in words(answer)
    answer = desk.post(address, typed(answer) | {"new0-day": ""}, **ENGLISH)
    assert "5 places of this session are taken." in words(answer)
    assert "The order is check-in, seating, play, end." in words(answer)
    assert 'value="12:40"' in squeezed(answer.content.decode())
    assert sessions_of_first_stage(event)[0].capacity == 100


def test_a_day_is_added_from_its_pace(desk: Client, event: Event) -> None:
    action = f"{DESK}/setup/day/"
    sent = typed(desk.get(f"{DESK}/setup/sessions/"), action)
    assert desk.post(action, sent | {"day": ""}).status_code == 400
    for _ in range(2):
        desk.post(action, sent | {"day": "2026-04-12", "sessions": "3", "tables": "8"})
    assert [(each.code, each.capacity) for each in sessions_of_first_stage(event)][12:] == [
        (f"0412-{n}", 32) for n in (1, 2, 3)
    ]


# Rules


def test_every_option_has_its_clause_in_words_in_both_languages(desk: Client) -> None:
    english, chinese = (words(desk.get(f"{DESK}/setup/rules/", **language)) for language in (ENGLISH, CHINESE))
    for clause in ("R13", "R24", "R25", "R26", "R27", "R29", "R30", "R31", "R34–36", "R40"):
        assert clause in english
        assert clause in chinese
    assert "How points are counted when the clock ends a game; the lowest racks share what the others lose." in english
    assert "時間到時的計分方法；牌架最低者平分其他人所失。" in chinese


def test_an_option_is_saved_as_what_differs_from_the_preset(desk: Client, event: Event) -> None:
    address = f"{DESK}/setup/rules/"
    changes = {"time_up_scoring": "raw", "unopened_able": "", "table_sizes": "4"}
    assert desk.post(address, typed(desk.get(address), address) | changes).status_code == 302
    assert event.stages.get().ruleset == {
        "base": "hk-2026",
        "time_up_scoring": "raw",
        "unopened_able": None,
        "table_sizes": [4],
    }
    assert "each loses the whole rack" in words(desk.get(f"{DESK}/setup/", **ENGLISH))


@pytest.mark.parametrize("base", ["hk-2026", "twist", "school", "word", "french"])
def test_every_preset_can_be_taken_as_it_is(desk: Client, event: Event, base: str) -> None:
    address = f"{DESK}/setup/rules/"
    assert desk.post(address, typed(desk.get(f"{address}?base={base}"), address)).status_code == 302
    assert event.stages.get().ruleset == base


def test_an_average_without_a_number_of_games_is_told_at_its_field(desk: Client, event: Event) -> None:
    address = f"{DESK}/setup/rules/"
    answer = desk.post(address, typed(desk.get(address), address) | {"games": ""}, **ENGLISH)
    assert answer.context["form"].errors == {"order": ["An average needs a fixed number of games to divide by."]}


# Copies


def test_a_copy_is_made_on_a_page(desk: Client, event: Event) -> None:
    address = f"{DESK}/setup/copy/"
    sent = typed(desk.get(address)) | {"slug": "hk-2027", "first_day": "2027-03-27"}
    assert desk.post(address, sent | {"slug": "hk-2026"}).status_code == 400
    assert desk.post(address, sent)["Location"] == "/desk/hk-2027/setup/"
    assert len(sessions_of_first_stage(Event.objects.get(slug="hk-2027"))) == 12


def test_every_page_of_a_rehearsal_says_what_it_is_and_no_page_of_the_real_one(
    desk: Client, event: Event, organiser: User
) -> None:
    assert desk.post(f"{DESK}/setup/rehearsal/")["Location"] == "/desk/hk-2026-rehearsal/"
    pages = (
        "",
        "entrants/",
        "seating/",
        "scoresheets/",
        "preliminary/ranking/",
        "preliminary/qualification/",
        "releases/",
        "setup/",
        "accounts/",
    )
    for page in pages:
        assert 'class="rehearsal"' in squeezed(desk.get(f"/desk/hk-2026-rehearsal/{page}").content.decode())
        assert 'class="rehearsal"' not in squeezed(desk.get(f"{DESK}/{page}").content.decode())


def test_whoever_has_no_role_at_the_real_event_has_none_at_its_rehearsal(
    signed_in: Any, event: Event, organiser: User
) -> None:
    make_rehearsal(event, by=organiser)
    stranger = signed_in(User.objects.create_user("stranger"))
    assert stranger.get("/desk/hk-2026-rehearsal/").status_code == 404


def test_the_set_up_says_how_many_referees_its_tables_need(desk: Client, event: Event, referee: User) -> None:
    page = desk.get(f"{DESK}/setup/", **ENGLISH)
    assert (page.context["referees"], page.context["referees_needed"]) == (1, 13)
    assert "too few" in words(page)
