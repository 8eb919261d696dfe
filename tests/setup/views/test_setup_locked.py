"""A set-up page that was opened before something was locked: refused with both values, nothing sent is lost, and
nothing is said to be saved that was not. Every form, in every locked state."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.conftest import event_data
from tests.core.finals import add_final
from tests.sheets.sheets import add_entrants
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.models.stage import Session, Stage
from tournament.releases.models import Release
from tournament.setup.services import setup
from tournament.tables.models import Draw
from tournament.weather.services import postponing
from tournament.weather.services.postponing_times import set_times, times_on_day

LOCKED = "你開啟本頁之後，部分內容已鎖定"


@pytest.fixture
def client(organiser: User) -> Client:
    found = Client()
    found.force_login(organiser)
    return found


def page(name: str) -> str:
    return reverse(name, args=["hk-2026"])


def opened(client: Client, name: str) -> dict[str, Any]:
    """What a browser would send of the page as it is now, nothing touched."""
    context = client.get(page(name)).context
    forms = context["form"].forms if hasattr(context["form"], "forms") else [context["form"]]
    forms = [*forms, *([context["seen"]] if "seen" in context else [])]
    sent = {}
    for form in forms:
        for bound in form:
            value = bound.value()
            text = bound.field.widget.format_value(value) if hasattr(bound.field.widget, "format_value") else value
            text = text[0] if isinstance(text, list) and text else text
            if not bound.field.disabled and text not in (None, [], False, "None"):
                sent[bound.html_name] = str(text)
    return sent


def refused(client: Client, name: str, sent: dict[str, Any], *values: str) -> str:
    """Sent: 423, both values stand there, nothing was written or said to be saved."""
    entries = AuditEntry.objects.count()
    answer = client.post(page(name), sent)
    html = squeezed(answer.content.decode())
    assert (answer.status_code, LOCKED in html, "已儲存" in html) == (423, True, False)
    assert [value for value in values if value not in html] == []
    assert AuditEntry.objects.count() == entries
    return html


# --- The rules ------------------------------------------------------------------------------------------
def test_rules_opened_before_seats_were_confirmed_are_refused_with_both_values(
    client: Client, first_session: Session, organiser: User
) -> None:
    sent = {**opened(client, "change_rules"), "joker_value": "25", "advance": "100"}
    settle(first_session, organiser)
    stage = Stage.objects.get(kind="preliminary")
    before = (stage.ruleset, stage.advance)
    refused(client, "change_rules", sent, "<td>25</td>", "<td>30</td>", "<td>100</td>", "<td>120</td>")
    stage.refresh_from_db()
    assert (stage.ruleset, stage.advance) == before


def test_another_preset_sent_after_the_lock_is_refused(client: Client, first_session: Session, organiser: User) -> None:
    sent = {**opened(client, "change_rules"), "base": "manual"}
    settle(first_session, organiser)
    refused(client, "change_rules", sent, "香港")


def test_what_is_in_force_sent_once_more_changes_nothing_and_is_no_refusal(
    client: Client, first_session: Session, organiser: User
) -> None:
    sent = opened(client, "change_rules")
    settle(first_session, organiser)
    assert client.post(page("change_rules"), sent).status_code == 302


def test_rules_of_the_final_opened_before_its_seats_were_confirmed(
    client: Client, first_session: Session, organiser: User
) -> None:
    final, rounds = final_of(first_session, organiser)
    sent = {**opened(client, "change_final_rules"), "joker_value": "25"}
    Draw.objects.create(
        session=rounds[0],
        seed=1,
        drawn_by=organiser,
        drawn_at=final.event.results_at,
        confirmed_by=organiser,
        confirmed_at=final.event.results_at,
    )
    refused(client, "change_final_rules", sent, "<td>25</td>", "<td>30</td>")


def final_of(session: Session, organiser: User) -> tuple[Stage, list[Session]]:
    final = add_final(session.stage.event)
    return final, list(final.sessions.all())


def released(stage: Stage, by: User) -> None:
    facts = {"content": {}, "sheets": [], "audit_seq": 0, "audit_hash": "", "digest": "0"}
    Release.objects.create(stage=stage, number=1, released_by=by, released_at=stage.event.results_at, **facts)


# --- The event ------------------------------------------------------------------------------------------
def test_the_hour_of_the_results_sent_after_a_release_is_refused_and_the_rest_is_kept(
    client: Client, first_session: Session, organiser: User
) -> None:
    sent = {**opened(client, "change_event"), "results_on": "2026-04-20", "venue_en": "Hall B"}
    released(first_session.stage, organiser)
    html = refused(client, "change_event", sent, "2026-04-20")
    assert 'value="Hall B"' in html


# --- The sessions ---------------------------------------------------------------------------------------
def with_entrants(session: Session, by: User) -> None:
    add_entrants(session, range(1, 5))


def with_drawn_seats(session: Session, by: User) -> None:
    settle(session, by, confirmed=False)


def with_confirmed_seats(session: Session, by: User) -> None:
    settle(session, by)


def postponed(session: Session, by: User) -> None:
    postponing.postpone_sessions([session], reason="typhoon", by=by)


def moved(session: Session, by: User) -> None:
    postponed(session, by)
    day = session.original_date.replace(day=30)
    set_times(session.stage.event, [times_on_day(session, day)], reason="typhoon", by=by, now=BEFORE)


def void(session: Session, by: User) -> None:
    Session.objects.filter(pk=session.pk).update(state="void")


def removed(session: Session, by: User) -> None:
    session.delete()


BEFORE = datetime(2026, 3, 1, tzinfo=UTC)
SESSIONS = [
    (with_entrants, "day", "2026-03-31"),
    (with_drawn_seats, "tables", "24"),
    (with_confirmed_seats, "check_in", "11:55"),
    (with_confirmed_seats, "tables", "24"),
    (postponed, "play", "12:50"),
    (moved, "day", "2026-03-31"),
    (void, "tables", "24"),
    (removed, "tables", "24"),
]


@pytest.mark.parametrize(("lock", "cell", "value"), SESSIONS, ids=lambda one: getattr(one, "__name__", str(one)))
def test_a_session_s_cell_that_was_locked_since_is_refused_with_both_values(
    client: Client, first_session: Session, organiser: User, lock: Any, cell: str, value: str
) -> None:
    key = first_session.pk
    sent = {**opened(client, "change_sessions"), f"s{key}-{cell}": value}
    others = Session.objects.exclude(pk=key).count()
    lock(first_session, organiser)
    before = list(Session.objects.order_by("pk").values())
    refused(client, "change_sessions", sent, value)
    assert list(Session.objects.order_by("pk").values()) == before
    assert Session.objects.exclude(pk=key).count() == others


def test_a_row_sent_of_another_event_s_session_tells_nothing_of_it(client: Client, first_session: Session) -> None:
    other = setup.create_event(event_data() | {"slug": "other-2026"})
    theirs = Session.objects.filter(stage__event=other).order_by("pk")[0]
    Session.objects.filter(pk=theirs.pk).update(original_date=date(2026, 5, 5), number_of_day=77)
    theirs.refresh_from_db()
    sent = {**opened(client, "change_sessions"), f"s{theirs.pk}-day": "2026-05-05", f"s{theirs.pk}-tables": "3"}
    assert theirs.code not in refused(client, "change_sessions", sent, "2026-05-05 3")


# --- New times ------------------------------------------------------------------------------------------
def test_times_sent_for_a_session_that_was_brought_back_meanwhile_are_refused_with_both(
    client: Client, first_session: Session, organiser: User
) -> None:
    second = Session.objects.get(number=2)
    postponing.postpone_sessions([first_session, second], reason="typhoon", by=organiser)
    address = reverse("new_times", args=["hk-2026", first_session.original_date])
    rows = {}
    for row in (first_session, second):
        hours = {"check_in": "12:05", "seating": "12:30", "play": "12:50", "ends": "13:40"}
        rows |= {f"s{row.pk}-take": "on", **{f"s{row.pk}-{name}": hour for name, hour in hours.items()}}
    postponing.bring_back_sessions([first_session], by=organiser)
    answer = client.post(address, {"day": "2026-03-30", "reason": "typhoon", **rows})
    html = squeezed(answer.content.decode())
    assert (answer.status_code, LOCKED in html, "2026-03-30 12:05 12:30 12:50 13:40" in html) == (423, True, True)
    assert set(Session.objects.filter(number__in=(1, 2)).values_list("state", flat=True)) == {"planned", "postponed"}


# --- The final ------------------------------------------------------------------------------------------
def test_rules_chosen_for_a_final_that_somebody_else_has_set_up_meanwhile_are_refused(
    client: Client, first_session: Session, organiser: User
) -> None:
    sent = {**opened(client, "change_final"), "ruleset": "manual", "sessions": "1", "when": "open"}
    final_of(first_session, organiser)
    refused(client, "change_final", sent)
