"""Acts in a room that stands: an entrant moved, a late one seated, a table opened or dissolved, the last move undone.

Each takes the revision of the draw that its author has seen, is logged, and sent twice is done once (`request_key`).
None touches a table whose sheet has been begun (`sheet_typed`); StaleVersion `seating_changed`.
"""

from collections.abc import Sequence

from django.contrib.auth.models import AbstractUser
from django.utils.translation import gettext_noop as _

from tournament.errors import BadInput, Refused
from tournament.models import Session, Table
from tournament.queries import seating as queries
from tournament.services import audit
from tournament.services import seating_checks as checks
from tournament.services import seating_moves as moves
from tournament.services import seating_plans as plans
from tournament.services.seating_moves import Change, Foreseen, Place

NOT_A_REFEREE = _("This account is no referee of this event.")


def move(
    session: Session, *, revision: int, entrant: int, place: Place, by: AbstractUser, request_key: str = ""
) -> Change:
    """An entrant (by number) to a seat: an empty one, or in exchange with who sits there; a late one to an empty one.

    A seat held by somebody who no longer takes part counts as empty, and that one loses it. Refused: `no_such_seat`,
    `same_seat`, `seat_taken`, `table_too_small` (R13), `not_waiting_for_a_seat`.
    """
    plan = plans.to_seat(entrant, place)
    payload = ["move", entrant, list(place)]
    return moves.rearrange(session, plan, revision=revision, payload=payload, by=by, request_key=request_key)


def open_table(
    session: Session, *, revision: int, entrants: Sequence[int], by: AbstractUser, request_key: str = ""
) -> Change:
    """A table of their own for three or four entrants, late ones or from tables of four; the lowest unused number.

    Refused: `table_of_three_or_four`, `no_table_left`, `table_too_small`, `not_waiting_for_a_seat`.
    """
    plan = plans.new_table(entrants)
    payload = ["open", list(entrants)]
    return moves.rearrange(session, plan, revision=revision, payload=payload, by=by, request_key=request_key)


def dissolve(session: Session, *, revision: int, table: int, by: AbstractUser, request_key: str = "") -> Change:
    """A table's entrants to empty seats elsewhere, nobody else moved; its number and its papers are gone (R13).

    Refused: `no_such_table`, `no_room_elsewhere`.
    """
    plan = plans.without_table(table)
    payload = ["dissolve", table]
    return moves.rearrange(session, plan, revision=revision, payload=payload, by=by, request_key=request_key)


def free_seat(session: Session, *, revision: int, entrant: int, by: AbstractUser, request_key: str = "") -> Change:
    """The seat of one who no longer takes part, empty. Refused: `not_seated`, `still_taking_part`."""
    plan = plans.freed(entrant)
    payload = ["free", entrant]
    return moves.rearrange(session, plan, revision=revision, payload=payload, by=by, request_key=request_key)


def undo(session: Session, *, revision: int, by: AbstractUser, request_key: str = "") -> Change:
    """The last move back, as a move of its own, which can be undone in turn. Refused: `nothing_to_undo`."""
    return moves.rearrange(session, plans.undone, revision=revision, payload=["undo"], by=by, request_key=request_key)


def foresee_all(session: Session, entrant: int) -> dict[Place, Foreseen | str]:
    """What each seat of the room would mean for this entrant: the move foreseen, or the refusal in words."""
    room = moves.room_of(session)
    answers: dict[Place, Foreseen | str] = {}
    for table in room.tables:
        for letter in moves.LETTERS:
            if room.places.get(entrant) == (table, letter):
                continue
            try:
                answers[table, letter] = moves.foreseen(room, plans.to_seat(entrant, (table, letter)))
            except Refused as refusal:
                answers[table, letter] = str(refusal)
    return answers


def assign_referee(
    session: Session,
    *,
    revision: int,
    table: int,
    referee: AbstractUser | None,
    by: AbstractUser,
    request_key: str = "",
) -> None:
    """Another referee for a table, or none; the same again is nothing. More than two tables are shown (R8).

    1. the session is locked and the revision compared; 2. the account is a referee of the event; 3. the table's row,
    its sheet not begun; 4. the draw's revision, since a printed sheet names the referee; 5. the audit entry.
    """

    def act() -> dict[str, object]:
        locked = checks.locked(session)
        before = checks.unchanged(locked, revision) or checks.drawn(locked)
        if referee is not None and referee not in queries.referees_of(locked.stage.event):
            raise BadInput("not_a_referee", NOT_A_REFEREE, locked)
        checks.lock_tables(locked, [table])
        row = Table.objects.filter(session=locked, number=table).first()
        if row is None:
            raise BadInput("no_such_table", plans.NO_SUCH_TABLE, locked, table=table)
        checks.not_typed(locked, [table])
        if row.referee_id == (referee.pk if referee else None):
            return {}
        Table.objects.filter(pk=row.pk, referee_id=row.referee_id).update(referee=referee)
        moves.swap_draw(before, revision=before.revision + 1, last_move=None)
        audit.record(
            locked.stage.event,
            by,
            "assign_referee",
            f"session {locked.code}",
            revision=(before.revision, before.revision + 1),
            reason=f"table {table}: {referee.get_username() if referee else '-'}",
            request_key=request_key,
        )
        return {}

    payload = [session.pk, revision, table, referee.pk if referee else None]
    moves.once(by, request_key, "assign_referee", payload, act)
