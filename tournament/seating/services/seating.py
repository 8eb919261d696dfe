"""The draw, the swap and the confirmation of seats (R7, R8, R13, R40): one function owns each change.

Every act takes the revision of the draw that its author has seen (0: none yet; left out: whatever stands), so that of
two organisers at once one wins and the other is told who changed what. With a `request_key` an act sent twice is done
once.
"""

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from scoring import seating as rules
from tournament.audit import services
from tournament.core.errors import Refused
from tournament.core.models.stage import Session, Stage
from tournament.seating.services import checks, moves, plans
from tournament.seating.services.moves import SeparationChange
from tournament.tables import domain as bridge
from tournament.tables.models import Draw, Seat, Table
from tournament.tables.queries import seating as queries

SEED_BITS = 48


@dataclass(frozen=True, slots=True)
class AllSessions:
    """What an act on a whole stage did, and what it left with the reason."""

    done: list[Session]
    left: list[tuple[Session, Refused]]


def new_seed() -> int:
    """A seed that nobody could foresee."""
    return secrets.randbelow(1 << SEED_BITS)


def seed_of_session(seed: int, session: Session) -> int:
    """The seed of one session out of the seed of the whole stage: the same for the same two, whatever else is drawn."""
    digest = hashlib.sha256(f"{seed}:session:{session.number}".encode()).digest()
    return int.from_bytes(digest[:8], "big") >> (64 - SEED_BITS)


def draw_session(
    session: Session,
    *,
    seed: int | None = None,
    by: User,
    referees: Sequence[User] | None = None,
    revision: int | None = None,
    request_key: str = "",
) -> Draw:
    """Seat those who take part in a session; an unconfirmed draw is replaced. A round of a final is drawn with regard
    to the rounds before (R38).

    `seed` left out: one from the system's chance. `referees`: two tables each in this order; left out: the event's, by
    account name. Too few: the last tables stay without.

    Refused: `seats_confirmed`, `play_has_begun`, `sheet_typed`, `nobody_to_seat`, `cannot_seat` (1, 2 or 5),
    `too_many_tables`, of a final `finalists_not_fixed`, `earlier_round_open`; StaleVersion `seating_changed`.

    1. the session's row is locked, the state and the revision compared; 2. the rules draw; 3. old tables go, new ones
    come with seats and referees; 4. the draw's row; 5. the audit entry.
    """

    def act() -> Mapping[str, Any]:
        write_new_draw(session, seed if seed is not None else new_seed(), by, referees, revision, request_key)
        return {}

    moves.run_seating_once(by, request_key, "draw_seats", [session.pk, seed, revision], act)
    return Draw.objects.get(session=session)


def draw_all(stage: Stage, *, seed: int | None = None, by: User, redraw: bool = False) -> AllSessions:
    """Draw every session of the stage, each from its own seed out of the one given, each in its own transaction.

    Confirmed sessions stay; so do drawn ones, with the swaps made in them, unless `redraw`. What cannot be drawn is
    left with its reason, the others are drawn.
    """
    seed = new_seed() if seed is None else seed

    def draw(session: Session, before: Draw | None) -> None:
        draw_session(session, seed=seed_of_session(seed, session), by=by, revision=before.revision if before else 0)

    def due(session: Session, before: Draw | None) -> bool:
        return before is None or (redraw and before.confirmed_at is None)

    return act_on_each_session(stage, due, draw)


def exchange_two_seats(
    session: Session, *, revision: int, first: int, second: int, by: User, request_key: str = ""
) -> SeparationChange:
    """Exchange the seats of two entrants, at one table or at two; after the confirmation too, until a sheet is typed.

    No rule refuses it: what it breaks is answered, stored with the draw and shown. Refused: `not_drawn`,
    `swap_with_oneself`, `not_seated`, `sheet_typed`; StaleVersion `seating_changed`.
    """
    plan = plans.plan_exchange(first, second)
    payload = ["swap", first, second]
    return moves.apply_seat_plan(session, plan, revision=revision, payload=payload, by=by, request_key=request_key)


def preview_seat_exchange(session: Session, first: int, second: int) -> SeparationChange:
    """What this exchange would break and mend; nothing is changed. Refused as `exchange_two_seats` is."""
    return moves.preview_plan(session, plans.plan_exchange(first, second)).change


def confirm_session_draw(session: Session, *, revision: int, by: User, request_key: str = "") -> Draw:
    """Fix the seats; confirmed already, it stands as it is. The session stays planned.

    Refused: `not_drawn`, `not_all_seated`, `seated_not_taking_part` (both: draw again); StaleVersion `seating_changed`.

    1. the session is locked and the revision compared, the list of finalists held; 2. everyone who takes part has a
    seat, and nobody else; 3. the draw is confirmed; 4. the audit entry.
    """

    def act() -> Mapping[str, Any]:
        write_draw_confirmation(session, revision, by, request_key)
        return {}

    moves.run_seating_once(by, request_key, "confirm_seats", [session.pk, revision], act)
    return Draw.objects.get(session=session)


def confirm_stage_draws(stage: Stage, *, by: User) -> AllSessions:
    """Confirm every session that is not; what is missing in the others is answered with its reason."""

    def due(session: Session, draw: Draw | None) -> bool:
        return draw is None or draw.confirmed_at is None

    def fix(session: Session, draw: Draw | None) -> None:
        confirm_session_draw(session, revision=draw.revision if draw else 0, by=by)

    return act_on_each_session(stage, due, fix)


def act_on_each_session(
    stage: Stage,
    due: Callable[[Session, Draw | None], bool],
    act: Callable[[Session, Draw | None], None],
) -> AllSessions:
    """Do one act for each session of a stage that is due; a refused session is left and named."""
    done: list[Session] = []
    left: list[tuple[Session, Refused]] = []
    for session in queries.sessions_with_draw(stage):
        draw = getattr(session, "draw", None)
        if not due(session, draw):
            continue
        try:
            act(session, draw)
        except Refused as refusal:
            left.append((session, refusal))
        else:
            done.append(session)
    return AllSessions(done, left)


def write_new_draw(
    session: Session,
    seed: int,
    by: User,
    referees: Sequence[User] | None,
    revision: int | None,
    request_key: str,
) -> None:
    """Draw a session's seats from a seed and write draw, tables, seats and the entry."""
    locked = checks.lock_session(session)
    before = checks.require_draw_revision(locked, revision)
    if before and before.confirmed_at:
        raise Refused("seats_confirmed", _("These seats are confirmed. Two entrants can still be swapped."), session)
    checks.require_session_not_begun(locked)
    basis = checks.seatable_entrants_basis(locked)
    tables = bridge.plan_tables(basis, seed)
    watchers = queries.referees_by_account_name(locked.stage.event) if referees is None else list(referees)
    Seat.objects.filter(session=locked).delete()
    Table.objects.filter(session=locked).delete()
    create_tables_and_seats(locked, tables, watchers)
    after = _keep_draw(locked, before, seed, bridge.review_tables(basis, tables), by)
    services.append_audit_entry(
        locked.stage.event,
        by,
        "draw_seats",
        f"session {locked.code}",
        revision=(before.revision if before else None, after),
        reason=f"seed {seed}",
        request_key=request_key,
    )


def create_tables_and_seats(session: Session, plan: Sequence[rules.PlannedTable], referees: Sequence[User]) -> None:
    """Tables with their referees, two each (R8), and their seats."""

    def watcher(table: int) -> User | None:
        index = rules.referee_index(table)
        return referees[index] if index < len(referees) else None

    tables = Table.objects.bulk_create(
        Table(session=session, number=one.number, referee=watcher(one.number)) for one in plan
    )
    keys = {bridge.entrant_draw_id(entrant.number): entrant.pk for entrant in queries.entrants_to_seat(session)}
    Seat.objects.bulk_create(
        Seat(table=table, session=session, letter=letter, entrant_id=keys[id])
        for table, one in zip(tables, plan, strict=True)
        for letter, id in one.seats.items()
    )


def _keep_draw(
    session: Session, before: Draw | None, seed: int, could_not: list[bridge.NotKeptRecord], by: User
) -> int:
    """The draw's row, swapped only from the revision that was compared; the new revision."""
    values = {
        "seed": seed,
        "could_not": could_not,
        "drawn_by": by,
        "drawn_at": timezone.now(),
        "last_move": None,
    }
    if before is None:
        return Draw.objects.create(session=session, **values).revision
    after = before.revision + 1
    update_draw_if_unchanged(session, before, confirmed_at__isnull=True, values={**values, "revision": after})
    return after


def update_draw_if_unchanged(session: Session, before: Draw, *, values: Mapping[str, Any], **expected: Any) -> None:
    """Change a draw that is still at the revision its author saw. Raises Refused otherwise."""
    changed = Draw.objects.filter(pk=before.pk, revision=before.revision, **expected).update(**values)
    if not changed:
        checks.require_draw_revision(session, before.revision)
        raise Refused("seats_confirmed", _("These seats are confirmed. Two entrants can still be swapped."), session)


def write_draw_confirmation(session: Session, revision: int, by: User, request_key: str) -> None:
    """Confirm a draw at the revision its author saw, and log it."""
    locked = checks.lock_session(session)
    draw = checks.require_draw_revision(locked, revision) or checks.require_drawn(locked)
    if draw.confirmed_at:
        return
    checks.lock_finalists_frozen(locked)
    checks.rounds_confirmed(locked)
    checks.all_seated(locked)
    update_draw_if_unchanged(
        locked, draw, confirmed_at__isnull=True, values={"confirmed_by": by, "confirmed_at": timezone.now()}
    )
    services.append_audit_entry(
        locked.stage.event,
        by,
        "confirm_seats",
        f"session {locked.code}",
        revision=(draw.revision, draw.revision),
        request_key=request_key,
    )
