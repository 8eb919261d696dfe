"""Acts in a room that stands: an entrant moved, a late one seated, a table opened or dissolved, the last move undone.

Each takes the revision of the draw that its author has seen, is logged, and sent twice is done once (`request_key`).
None touches a table whose sheet has been begun (`sheet_typed`); StaleVersion `seating_changed`.
"""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core.errors import BadInput, Refused
from tournament.core.models.stage import Session
from tournament.seating.services import checks, moves, plans
from tournament.seating.services.moves import SeatMovePreview, SeatPosition, SeparationChange
from tournament.tables.models import Table
from tournament.tables.queries import seating as queries

NOT_A_REFEREE = _("This account is no referee of this event.")


def move_seat_to(
    session: Session, *, revision: int, entrant: int, place: SeatPosition, by: User, request_key: str = ""
) -> SeparationChange:
    """An entrant (by number) to a seat: an empty one, or in exchange with who sits there; a late one to an empty one.

    A seat held by somebody who no longer takes part counts as empty, and that one loses it. Refused: `no_such_seat`,
    `same_seat`, `seat_taken`, `table_too_small` (R13), `not_waiting_for_a_seat`.
    """
    plan = plans.to_seat(entrant, place)
    payload = ["move", entrant, list(place)]
    return moves.apply_seat_plan(session, plan, revision=revision, payload=payload, by=by, request_key=request_key)


def open_extra_table(
    session: Session, *, revision: int, entrants: Sequence[int], by: User, request_key: str = ""
) -> SeparationChange:
    """A table of their own for three or four entrants, late ones or from tables of four; the lowest unused number.

    Refused: `table_of_three_or_four`, `no_table_left`, `table_too_small`, `not_waiting_for_a_seat`.
    """
    plan = plans.new_table(entrants)
    payload = ["open", list(entrants)]
    return moves.apply_seat_plan(session, plan, revision=revision, payload=payload, by=by, request_key=request_key)


def dissolve_seated_table(
    session: Session, *, revision: int, table: int, by: User, request_key: str = ""
) -> SeparationChange:
    """A table's entrants to empty seats elsewhere, nobody else moved; its number and its papers are gone (R13).

    Refused: `no_such_table`, `no_room_elsewhere`.
    """
    plan = plans.without_table(table)
    payload = ["dissolve", table]
    return moves.apply_seat_plan(session, plan, revision=revision, payload=payload, by=by, request_key=request_key)


def free_entrant_seat(
    session: Session, *, revision: int, entrant: int, by: User, request_key: str = ""
) -> SeparationChange:
    """The seat of one who no longer takes part, empty. Refused: `not_seated`, `still_taking_part`."""
    plan = plans.plan_free_seat(entrant)
    payload = ["free", entrant]
    return moves.apply_seat_plan(session, plan, revision=revision, payload=payload, by=by, request_key=request_key)


def undo_last_seat_move(session: Session, *, revision: int, by: User, request_key: str = "") -> SeparationChange:
    """The last move back, as a move of its own, which can be undone in turn. Refused: `nothing_to_undo`."""
    return moves.apply_seat_plan(
        session, plans.plan_undo, revision=revision, payload=["undo"], by=by, request_key=request_key
    )


def foresee_all(session: Session, entrant: int) -> dict[SeatPosition, SeatMovePreview | str]:
    """What each seat of the room would mean for this entrant: the move foreseen, or the refusal in words."""
    room = moves.read_seating_room(session)
    answers: dict[SeatPosition, SeatMovePreview | str] = {}
    for table in room.tables:
        for letter in moves.TABLE_SEAT_LETTERS:
            if room.places.get(entrant) == (table, letter):
                continue
            try:
                answers[table, letter] = moves.preview_plan_in_room(room, plans.to_seat(entrant, (table, letter)))
            except Refused as refusal:
                answers[table, letter] = str(refusal)
    return answers


def assign_table_referee(
    session: Session,
    *,
    revision: int,
    table: int,
    referee: User | None,
    by: User,
    request_key: str = "",
) -> None:
    """Another referee for a table, or none; the same again is nothing. More than two tables are shown (R8).

    1. the session is locked and the revision compared; 2. the account is a referee of the event; 3. the table's row,
    its sheet not begun; 4. the draw's revision, since a printed sheet names the referee; 5. the audit entry.
    """

    def act() -> dict[str, object]:
        locked = checks.lock_session(session)
        before = checks.require_draw_revision(locked, revision) or checks.require_drawn(locked)
        if referee is not None and referee not in queries.referees_by_account_name(locked.stage.event):
            raise BadInput("not_a_referee", NOT_A_REFEREE, locked)
        checks.lock_tables(locked, [table])
        row = Table.objects.filter(session=locked, number=table).first()
        if row is None:
            raise BadInput("no_such_table", plans.NO_SUCH_TABLE, locked, table=table)
        checks.require_tables_untyped(locked, [table])
        if row.referee_id == (referee.pk if referee else None):
            return {}
        Table.objects.filter(pk=row.pk, referee_id=row.referee_id).update(referee=referee)
        moves.update_draw_revision(before, revision=before.revision + 1, last_move=None)
        services.append_audit_entry(
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
    moves.run_seating_once(by, request_key, "assign_referee", payload, act)
