"""A seated entrant to another session: the seat is given up and the place is taken in one act, or neither (R2, R7)."""

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils.translation import gettext_noop as _

from tournament.errors import StaleVersion
from tournament.models import Entrant, Event
from tournament.queries import entrants as entrants_query
from tournament.services import registration_changes as changes
from tournament.services import seating_moves as moves
from tournament.services import seating_plans as plans


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
) -> Entrant:
    """Move an entrant to another session; `seat` is the seat that its author saw and gives up, `5C`, "" none.

    1. the event's lock; 2. who is there already gives up nothing: sent twice it is done once; 3. the seat as it was
    seen, its table's sheet not begun, goes with the draw's next revision and no way back; 4. the move by the rules of
    `registration_changes.move`, whose refusal gives the seat back. Refused: `sheet_typed`, what that move refuses;
    StaleVersion `seat_changed`.
    """
    Event.objects.select_for_update().get(pk=entrant.event_id)
    now = Entrant.objects.select_related("session__stage__event").get(pk=entrant.pk)
    # A signed sheet holds the entrant (R41): then the move itself says so.
    if seat and now.session.number != session and now.pk not in entrants_query.with_locked_games(now.event):
        give_up(now, seat, by)
    return changes.move(
        entrant, session=session, revision=revision, reason=reason, by=by, accept_birthday=accept_birthday
    )


def give_up(entrant: Entrant, seat: str, by: AbstractUser) -> None:
    """The seat empty, if it is still the one that was seen; a seat of another session could not be given back."""

    def plan(room: moves.Room) -> moves.Move:
        held = moves.place_name(room.places.get(entrant.number))
        if held != seat:
            raise StaleVersion(
                "seat_changed",
                _("Nothing was changed: entrant %(number)s no longer has seat %(seat)s. See where it is, then repeat."),
                entrant,
                number=str(entrant),
                seat=seat,
            )
        return plans.given_up(entrant.number)(room)

    moves.rearrange(entrant.session, plan, revision=None, payload=[], by=by)
