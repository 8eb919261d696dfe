"""A seated entrant to another session: the seat is given up and the place is taken in one act, or neither (R2, R7)."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_noop as _

from tournament.accounts.models import Proposal
from tournament.core.errors import StaleVersion
from tournament.core.models.event import Event
from tournament.entrants.models.people import Entrant
from tournament.registration.services import changes, second
from tournament.registration.services.importing_second import CHANGE_ENTRANT_ACT
from tournament.seating.services import moves, plans
from tournament.sheets.queries import entrants_played


@transaction.atomic
def move_entrant_and_seat(
    entrant: Entrant,
    *,
    session: int,
    seat: str = "",
    revision: int,
    reason: str,
    by: User,
    accept_birthday: bool = False,
    waits: list[Proposal] | None = None,
) -> Entrant:
    """Move an entrant to another session; `seat` is the seat that its author saw and gives up, `5C`, "" none.

    1. the event's lock; 2. who is there already gives up nothing: sent twice it is done once; 3. the seat as it was
    seen, its table's sheet not begun, goes with the draw's next revision and no way back; 4. the move by the rules of
    `registration_changes.move`, whose refusal gives the seat back. Where that move waits for a second person (`waits`),
    so does the seat. Refused: `sheet_typed`, what that move refuses;
    StaleVersion `seat_changed`.
    """
    Event.objects.select_for_update(no_key=True).get(pk=entrant.event_id)
    now = Entrant.objects.select_related("session__stage__event").get(pk=entrant.pk)
    told: dict[str, Any] = {
        "session": session,
        "revision": revision,
        "reason": reason,
        "by": by,
        "accept_birthday": accept_birthday,
    }
    if entrants_played.is_on_any_locked_sheet(now):
        # By two people, or not at all (R41): the move itself says which.
        if seat and now.session.number != session and seat != current_seat_text(now):
            raise seat_changed(now, seat)
        return changes.move_to_session(entrant, seat=seat, waits=waits, **told)
    if seat and now.session.number != session:
        free_seat_on_leaving(now, seat, by)
    return changes.move_to_session(entrant, **told)


@transaction.atomic
def agree_change_with_seat(event: Event, number: int, *, by: User, accept_birthday: bool = False) -> list[Entrant]:
    """A second person's yes to a change behind a locked sheet, and the seats that go with it: both or neither."""
    Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    for proposal in Proposal.objects.filter(event=event, pk=number, act=CHANGE_ENTRANT_ACT, outcome=""):
        seats = {edit.number: edit.seat for edit in second.edits_of(proposal) if edit.seat}
        for entrant in Entrant.objects.filter(event=event, number__in=seats).select_related("session__stage__event"):
            free_seat_on_leaving(entrant, seats[entrant.number], by)
    return second.agree_entrant_change(event, number, by=by, accept_birthday=accept_birthday)


def free_seat_on_leaving(entrant: Entrant, seat: str, by: User) -> None:
    """The seat empty, if it is still the one that was seen; a seat of another session could not be given back."""

    def plan(room: moves.SeatingRoom) -> moves.SeatMove:
        held = moves.place_name(room.places.get(entrant.number))
        if held != seat:
            raise seat_changed(entrant, seat)
        return plans.plan_vacate_seat(entrant.number)(room)

    moves.apply_seat_plan(entrant.session, plan, revision=None, payload=[], by=by)


def current_seat_text(entrant: Entrant) -> str:
    """Where the entrant sits in its own session, `5C`; "" nowhere."""
    held = entrants_played.seat_of(entrant)
    return f"{held.table.number}{held.letter}" if held else ""


def seat_changed(entrant: Entrant, seat: str) -> StaleVersion:
    """The seat that was seen is another's or empty."""
    return StaleVersion(
        "seat_changed",
        _("Nothing was changed: entrant %(number)s no longer has seat %(seat)s. See where it is, then repeat."),
        entrant,
        number=str(entrant),
        seat=seat,
    )
