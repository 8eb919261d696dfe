"""Behind a locked sheet of a void session another session is two people's act, through every door (R41)."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.api.caller import Caller
from tests.entrant_lists import csv_of, sound_row
from tests.registration.services.test_importing_changes import locked_games
from tests.registration.services.test_registration_changes import entered, fresh
from tests.seated import seats as seats_of
from tests.squeezed import squeezed
from tournament.accounts.models import Proposal
from tournament.accounts.queries.proposals import open_proposals
from tournament.audit.models import AuditEntry
from tournament.core.enums import SessionState
from tournament.core.errors import Forbidden, Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.registration.services import importing, importing_preview, seating_leaving, second
from tournament.registration.services.importing_second import CHANGE_ENTRANT_ACT
from tournament.seating.services import seating

pytestmark = pytest.mark.django_db
ADULT, CHILD = {"birth_date": "1980-02-03"}, {"birth_date": "2015-02-03", "consent_guardian": "是", "guardian": "CHAN"}


@pytest.fixture
def void(event: Event, organiser: User) -> list[Entrant]:
    """0001 has a locked sheet in a session that is void: its games count again when that is taken back."""
    made = entered(event, organiser, sound_row(1, **ADULT), sound_row(2, **CHILD), sound_row(3))
    locked_games(fresh(1))
    Session.objects.filter(pk=fresh(1).session_id).update(state=SessionState.VOID)
    return made


def moved(number: int, by: User, **told: Any) -> list[Proposal]:
    """What waits of a move to session 2."""
    waits: list[Proposal] = []
    now = fresh(number)
    told = {"session": 2, "revision": now.revision, "reason": "Cannot come", **told}
    seating_leaving.move_entrant_and_seat(now, by=by, waits=waits, **told)
    return waits


def test_a_session_behind_a_locked_sheet_changes_by_two_though_its_own_is_void(
    void: list[Entrant], clerk: User, organiser: User
) -> None:
    assert moved(2, clerk) == []
    [made] = moved(1, clerk)
    assert moved(1, clerk) == [made]
    assert [fresh(number).session.number for number in (1, 2)] == [1, 2]
    with pytest.raises(Forbidden):
        second.agree_entrant_change(fresh(1).event, made.pk, by=clerk)
    second.agree_entrant_change(fresh(1).event, made.pk, by=organiser)
    entry = AuditEntry.objects.filter(action=CHANGE_ENTRANT_ACT, subject="entrant 0001").get()
    assert (fresh(1).session.number, entry.reason) == (2, f"(proposal {made.pk}) Cannot come")


def test_a_list_moves_nobody_behind_a_locked_sheet_alone(void: list[Entrant], event: Event, clerk: User) -> None:
    rows = [sound_row(1, **ADULT, session="2"), sound_row(2, **CHILD, session="2")]
    kept = importing.read_file(event, name="b.csv", content=csv_of(rows), by=clerk)
    shown = importing_preview.build_preview(kept)
    assert (shown.importable, sorted(shown.waiting)) == (True, [2])
    done = importing.import_file(kept, by=clerk, seen=shown.digest)
    assert (done.changed, done.waiting) == (1, 1)
    assert [fresh(number).session.number for number in (1, 2)] == [1, 2]
    assert open_proposals(event).get().subject == "entrant 0001"


def test_by_page_and_api_a_move_behind_a_locked_sheet_waits(void: list[Entrant], clerk: User, signed_in: Any) -> None:
    program = signed_in(clerk)
    assert "提出改場" in squeezed(program.get("/desk/hk-2026/entrants/1/").content.decode())
    sent = {"session": 2, "revision": 1, "reason": "Cannot come"}
    answer = squeezed(program.post("/desk/hk-2026/entrants/1/move/", sent, follow=True).content.decode())
    made = open_proposals(fresh(1).event).get()
    assert ("尚未更改" in answer, made.subject, fresh(1).session.number) == (True, "entrant 0001", 1)
    told = Caller(clerk).change("entrants/1/move/", {"session": 2, "reason": "Cannot come"}, seen=1)
    assert (told.status_code, told.json()["proposal"], told.json()["session"]) == (202, made.pk, 1)


def test_a_seat_goes_with_the_second_persons_yes_and_not_before(
    event: Event, organiser: User, second_organiser: User, signed_in: Any
) -> None:
    entered(event, organiser, *(sound_row(number) for number in range(1, 5)))
    first, other = event.stages.get().sessions.order_by("number")[:2]
    Entrant.objects.filter(number=3).update(session=other)
    locked_games(fresh(3))
    Session.objects.filter(pk=other.pk).update(state=SessionState.VOID)
    Entrant.objects.filter(number=3).update(session=first)
    draw = seating.draw_session(first, seed=1, by=organiser)
    seating.confirm_session_draw(first, revision=draw.revision, by=organiser)
    seats = {number: place for place, number in seats_of(first).items()}
    with pytest.raises(Refused) as held:
        moved(3, organiser, session=3)
    assert held.value.code == "seat_confirmed"
    with pytest.raises(StaleVersion) as elsewhere:
        moved(3, organiser, session=3, seat="9Z")
    assert elsewhere.value.code == "seat_changed"
    [made] = moved(3, organiser, session=3, seat=seats[3])
    assert (seats_of(first)[seats[3]], fresh(3).session.number) == (3, 1)
    page = squeezed(signed_in(second_organiser).get(f"/desk/hk-2026/proposals/{made.pk}/person/").content.decode())
    assert f"讓出 {seats[3]}" in page
    seating_leaving.agree_change_with_seat(event, made.pk, by=second_organiser)
    assert (seats[3] in seats_of(first), fresh(3).session.number) == (False, 3)
