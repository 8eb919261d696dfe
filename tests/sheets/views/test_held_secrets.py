"""What held items keep from eyes, what comes by hand in its order, and what a close of the session says of both."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from tests.sheets.drawing import racks, strokes
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tests.tablets.held import ENGLISH, PAGES, conflict, late, press, said, sealed, whole
from tests.tablets.tablet_caller import Tablet, give_tables, paired
from tournament.audit.models import AuditEntry
from tournament.core.models.stage import Session
from tournament.core.services.cipher import key_file
from tournament.devices.models.device import QuarantinedSubmission
from tournament.sheets.models.conduct import JudgeCall
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.services import clock, scoresheets
from tournament.tables.models import Table


@pytest.fixture
def tables(first_session: Session, organiser: User) -> list[Table]:
    """Three tables with confirmed seats."""
    return settle(first_session, organiser, [4, 4, 4])


@pytest.fixture
def tablet(tables: list[Table], first_session: Session, referee: User, organiser: User) -> Tablet:
    """A tablet at tables 1 and 2, open."""
    return paired(first_session, referee, organiser)


@pytest.fixture
def judge(chief_judge: User) -> Client:
    """The chief judge's browser, in English."""
    client = Client(headers=ENGLISH)
    client.force_login(chief_judge)
    return client


@pytest.fixture
def desk(organiser: User) -> Client:
    """The organiser's browser, in English."""
    client = Client(headers=ENGLISH)
    client.force_login(organiser)
    return client


# --- Nothing drawn lies in plain ------------------------------------------------------------------------
def everything_kept() -> str:
    """Every column of every table as text."""
    found = []
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{name}"')
            found += [str(bytes(value) if isinstance(value, memoryview) else value) for row in cursor for value in row]
    return "\n".join(found)


def points_in_plain() -> list[list[int]]:
    """Points of a signature that can be read in some table."""
    kept = everything_kept().replace(" ", "")
    return [point for stroke in strokes() for point in stroke if ",".join(map(str, point)) in kept]


@pytest.mark.fault("Y4")
def test_strokes_lie_nowhere_in_plain_after_packages_conflicts_and_late_items_of_any_form(
    tablet: Tablet, referee: User, organiser: User, desk: Client, first_session: Session
) -> None:
    conflict(tablet, referee)
    assert tablet.post("tables/2/package/", whole(referee), seen=0).status_code == 200
    refused = {"key": "by-file", "act": "package", "session": 1, "table": 1, "revision": 0, "body": whole(organiser)}
    sent = {"text": sealed(tablet.device, refused)}
    assert desk.post(f"{PAGES}outbox/", sent).context["counts"] == {"held": 1}
    odd = {
        "typed": {"games": strokes()},
        "drawn": strokes(),
        "reason": "r",
        "signatures": [strokes(), {"x": strokes()}],
    }
    held = late(tablet, organiser, "package", odd)
    assert "Its values cannot be read" in squeezed(desk.get(f"{PAGES}held/{held.pk}/").content.decode())
    assert ("late-package" in everything_kept(), points_in_plain()) == (True, [])
    QuarantinedSubmission.objects.filter(pk=held.pk).update(body=odd)
    assert points_in_plain() == [point for stroke in strokes() for point in stroke]


def test_without_the_key_values_are_compared_and_signatures_neither_seen_nor_entered(
    tablet: Tablet, referee: User, organiser: User, judge: Client, settings: Any, tmp_path: Any
) -> None:
    held = late(tablet, organiser, "package", whole(referee))
    settings.VAR_DIR = tmp_path
    page = squeezed(judge.get(f"{PAGES}held/{held.pk}/").content.decode())
    assert ("rack value 14" in page, 'class="drawn"' in page, key_file().exists()) == (True, False, False)
    assert press(judge, held, "enter").status_code == 409


def test_who_looks_at_a_held_signature_is_written_down_and_a_clerk_sees_none(
    tablet: Tablet, referee: User, organiser: User, clerk: User, judge: Client, chief_judge: User
) -> None:
    held = late(tablet, organiser, "package", whole(referee))
    client = Client(headers=ENGLISH)
    client.force_login(clerk)
    assert 'class="drawn"' not in squeezed(client.get(f"{PAGES}held/{held.pk}/").content.decode())
    answer = judge.get(f"{PAGES}held/{held.pk}/")
    assert ("no-store" in answer.headers["Cache-Control"], 'class="drawn"' in squeezed(answer.content.decode())) == (
        True,
        True,
    )
    looks = AuditEntry.objects.filter(action="see_held_drawings").values_list("actor", "subject")
    assert list(looks) == [(chief_judge.pk, f"held {held.pk} table 0328-1-01")]


# --- An outbox in order ---------------------------------------------------------------------------------
def test_a_whole_afternoon_of_one_tablet_comes_by_hand_and_its_own_sending_afterwards_changes_nothing(
    tablet: Tablet, referee: User, desk: Client
) -> None:
    draft = said(referee, typed=racks(), confirmations={})
    acts = [("save", draft, 0), ("call", said(referee, reason="?"), None), ("save", draft, None)]
    acts.append(("package", whole(referee), None))
    items = [
        {"key": f"hand-{place}", "act": act, "session": 1, "table": 1, "device": 1, "revision": seen, "body": body}
        for place, (act, body, seen) in enumerate(acts)
    ]
    file = sealed(tablet.device, *items)
    assert desk.post(f"{PAGES}outbox/", {"text": file}).context["counts"] == {"recorded": 4}
    sheet = Scoresheet.objects.get()
    assert (sheet.state, sheet.revision) == ("signed", 5)
    seen = [0, None, 1, 2]
    for item, revision in zip(items, seen, strict=True):
        path = f"tables/1/{item['act']}/"
        again = tablet.post(path, item["body"], key=item["key"], seen=revision)
        assert (again.status_code, again.headers["Idempotent-Replay"]) == (200, "true")
    assert desk.post(f"{PAGES}outbox/", {"text": file}).context["counts"] == {"replayed": 4}
    assert (Scoresheet.objects.get().revision, JudgeCall.objects.count()) == (5, 1)


def test_what_builds_on_a_held_item_is_held_with_it(tablet: Tablet, referee: User, desk: Client, clerk: User) -> None:
    give_tables(Session.objects.get(number=1, stage__event__slug="hk-2026"), referee, (1, 2))
    table = Table.objects.get(session__number=1, session__stage__event__slug="hk-2026", number=1)
    scoresheets.save_scoresheet(table, revision=0, form="paper", typed=racks(), by=clerk, request_key="clerk")
    draft = said(referee, typed=racks(), confirmations={})
    items = [
        {"key": f"hand-{seen}", "act": "save", "session": 1, "table": 1, "revision": seen, "body": draft}
        for seen in (0, None)
    ]
    file = sealed(tablet.device, *items)
    assert desk.post(f"{PAGES}outbox/", {"text": file}).context["counts"] == {"held": 2}
    assert Scoresheet.objects.get().revision == 1


# --- A session is closed --------------------------------------------------------------------------------
@pytest.mark.fault("N3")
def test_a_session_with_held_items_and_a_tablet_that_holds_some_is_closed_only_with_an_organiser_s_reason(
    tablet: Tablet, referee: User, organiser: User, desk: Client
) -> None:
    session = Session.objects.get(number=1, stage__event__slug="hk-2026")
    clock.move_session(session, "start", by=organiser, request_key="start")
    held = conflict(tablet, referee)
    tablet.get(X_Waiting="3")
    page = "/desk/hk-2026/scoresheets/1/clock/"
    sent = {"do": "close", "request_key": "close"}
    refused = desk.post(page, sent)
    text = squeezed(refused.content.decode())
    said = (
        "1 tablets said that they hold items, 0 were not heard for a minute and may hold some, "
        "1 items wait for a person",
        "tablet 1</b> ",
        "3 items not sent·tables 1, 2",
        "last seen",
    )
    assert [refused.status_code, *(word in text for word in (*said, f"/tablets/held/{held.pk}/"))] == [409, *[True] * 5]
    session.refresh_from_db()
    assert session.state == "playing"
    assert desk.post(page, {**sent, "reason": "its battery is dead; the paper is here"}).status_code == 302
    session.refresh_from_db()
    entry = AuditEntry.objects.get(action="close_session")
    assert (session.state, entry.actor, entry.reason) == (
        "closed",
        organiser,
        "its battery is dead; the paper is here",
    )
    assert press(desk, held, "values", seen=1).status_code == 302
    tablet.post("late/", {"items": [{"key": "after", "act": "call", "session": 1, "table": 1, "body": {}}]})
    assert QuarantinedSubmission.objects.get(key="after").because == "late"
