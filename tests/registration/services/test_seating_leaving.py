"""A seated entrant moves to another session: seat and place in one act, refused in words, done once."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.seated import enter, seats
from tests.sheets.sheets import GAMES, lock_sheets
from tournament.audit.models import AuditEntry
from tournament.core.enums import SessionState
from tournament.core.errors import Locked, Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.registration.services import seating_leaving
from tournament.seating.services import room, seating
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Draw, Table


@pytest.fixture
def held(first_session: Session, organiser: User) -> dict[str, int]:
    """Eleven at three tables, confirmed: who sits where."""
    enter(first_session, 11)
    draw = seating.draw_session(first_session, seed=1, by=organiser)
    room.move_seat_to(first_session, revision=1, entrant=seats(first_session)["1B"], place=(3, "D"), by=organiser)
    seating.confirm_session_draw(first_session, revision=draw.revision + 1, by=organiser)
    return seats(first_session)


def leaves(number: int, by: User, **given: Any) -> Entrant:
    """Entrant `number` to session 2."""
    entrant = Entrant.objects.select_related("event", "session").get(number=number)
    return seating_leaving.move_entrant_and_seat(
        entrant, **{"session": 2, "revision": 1, "reason": "school trip", "by": by, **given}
    )


def refused(kind: type[Refused], number: int, by: User, **given: Any) -> str:
    """The refusal's code; it has words."""
    with pytest.raises(kind) as caught:
        leaves(number, by, **given)
    assert str(caught.value)
    return caught.value.code


def test_the_seat_goes_with_the_move_and_sent_twice_it_is_done_once(
    first_session: Session, organiser: User, event: Event, held: dict[str, int]
) -> None:
    mover = held["3D"]
    before = Draw.objects.get().revision
    for _ in range(2):
        leaves(mover, organiser, seat="3D")
    draw = Draw.objects.get()
    assert seats(first_session) == {place: number for place, number in held.items() if place != "3D"}
    assert (Entrant.objects.get(number=mover).session.number, draw.revision, draw.last_move) == (2, before + 1, None)
    said = AuditEntry.objects.filter(event=event).order_by("-seq").values_list("subject", "action", "reason")[:2]
    assert list(said) == [
        (f"entrant {mover:04d}", "change_entrant", "school trip"),
        ("session 0328-1", "free_seat", f"{mover:04d} 3D > -"),
    ]
    with pytest.raises(Refused) as nothing:
        room.undo_last_seat_move(first_session, revision=draw.revision, by=organiser)
    assert nothing.value.code == "nothing_to_undo"


def test_what_stands_against_it_leaves_seat_and_entry_as_they_were(
    first_session: Session, organiser: User, event: Event, held: dict[str, int]
) -> None:
    mover, entries = held["3D"], AuditEntry.objects.filter(event=event).count()
    assert refused(Refused, mover, organiser) == "seat_confirmed"
    assert refused(StaleVersion, mover, organiser, seat="2A") == "seat_changed"
    assert refused(StaleVersion, mover, organiser, seat="3D", revision=7) == "entrant_changed"
    Session.objects.filter(stage__event=event, number=2).update(state=SessionState.PLAYING)
    assert refused(Refused, mover, organiser, seat="3D") == "session_under_way"
    assert refused(Refused, mover, organiser, seat="3D", session=99) == "no_such_session"
    Scoresheet.objects.create(table=Table.objects.get(session=first_session, number=3), typed_by=organiser)
    assert refused(Refused, mover, organiser, seat="3D", session=3) == "sheet_typed"
    assert (seats(first_session), Entrant.objects.get(number=mover).revision) == (held, 1)
    assert AuditEntry.objects.filter(event=event).count() == entries


def test_a_signed_sheet_holds_the_entrant_and_the_seat(
    first_session: Session, organiser: User, held: dict[str, int]
) -> None:
    lock_sheets([Table.objects.get(session=first_session, number=3)], [GAMES], organiser)
    assert refused(Locked, held["3D"], organiser, seat="3D") == "result_locked"
    assert seats(first_session) == held
