"""A seated entrant to another session: the seat is given up and the place is taken in one act, or neither (R2, R7)."""

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils.translation import gettext_noop as _

from tournament.errors import StaleVersion
from tournament.models import Entrant, Event, Proposal
from tournament.queries import entrants as entrants_query
from tournament.services import registration_changes as changes
from tournament.services import registration_second as second
from tournament.services import seating_moves as moves
from tournament.services import seating_plans as plans
from tournament.services.importing_second import ACT


@transaction.atomic
def move(
    entrant: Entrant,
    *,
    session: int,
    seat: str = "",
    revision: int,
    reason: str,
    by: AbstractUser,
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
    told = {"session": session, "revision": revision, "reason": reason, "by": by, "accept_birthday": accept_birthday}
    if entrants_query.is_behind_locked_sheet(now):
        # By two people, or not at all (R41): the move itself says which.
        if seat and now.session.number != session and seat != seat_now(now):
            raise seat_changed(now, seat)
        return changes.move(entrant, seat=seat, waits=waits, **told)
    if seat and now.session.number != session:
        give_up(now, seat, by)
    return changes.move(entrant, **told)


@transaction.atomic
def agree(event: Event, number: int, *, by: AbstractUser, accept_birthday: bool = False) -> list[Entrant]:
    """A second person's yes to a change behind a locked sheet, and the seats that go with it: both or neither."""
    Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    for proposal in Proposal.objects.filter(event=event, pk=number, act=ACT, outcome=""):
        seats = {edit.number: edit.seat for edit in second.edits_of(proposal) if edit.seat}
        for entrant in Entrant.objects.filter(event=event, number__in=seats).select_related("session__stage__event"):
            give_up(entrant, seats[entrant.number], by)
    return second.agree(event, number, by=by, accept_birthday=accept_birthday)


def give_up(entrant: Entrant, seat: str, by: AbstractUser) -> None:
    """The seat empty, if it is still the one that was seen; a seat of another session could not be given back."""

    def plan(room: moves.Room) -> moves.Move:
        held = moves.place_name(room.places.get(entrant.number))
        if held != seat:
            raise seat_changed(entrant, seat)
        return plans.given_up(entrant.number)(room)

    moves.rearrange(entrant.session, plan, revision=None, payload=[], by=by)


def seat_now(entrant: Entrant) -> str:
    """Where the entrant sits in its own session, `5C`; "" nowhere."""
    held = entrants_query.seat_of(entrant)
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
