"""Whoever is not there by the seating time forfeits (R6): one press for all who are listed, taken back as one."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.arrivals import queries
from tournament.arrivals.domain import read_arrivals_board
from tournament.arrivals.models import Forfeiture
from tournament.arrivals.services.check_in import find_entrants_by_number, lock_session_of_arrivals
from tournament.audit import services
from tournament.core.acts.sessions import BEFORE_PLAY
from tournament.core.dateformat import time_text
from tournament.core.enums import EntrantStatus
from tournament.core.errors import BadInput, Refused
from tournament.core.models.stage import Session
from tournament.devices.services.acting import ActingAccount
from tournament.sheets.queries.session_life import session_life_of
from tournament.sheets.services import registration

NOBODY_LISTED = _("Choose those who are to be recorded as no-shows.")
TOO_EARLY = _("Nobody forfeits before %(at)s: an arrival within the minute of the seating time is in time.")
PLAY_HAS_BEGUN = _(
    "Play in this session has begun. Record or take back a no-show on the entrant's own page, one by one."
)
FORFEITS_ON_HOLD = _("This session is %(state)s: nobody forfeits while it is.")
NOT_BY_SEATING_TIME = _("not there by the seating time, %(at)s")
PRESS_TAKEN_BACK = _("the press of %(at)s was taken back")


@transaction.atomic
def forfeit_absent(session: Session, numbers: Sequence[int], *, acting: ActingAccount) -> Forfeiture | None:
    """Record those of these who are not there in time as no-shows; None where by now none of them is to be.

    `numbers` are those whom the list named: nobody forfeits who was not on it, and who has come meanwhile does not.
    1. event and session are locked; 2. the seating time is over (Refused `too_early`), play has not begun
    (`play_has_begun`), the session is not held back (`forfeits_on_hold`); 3. each by the act that records a no-show;
    4. the row of the press; 5. its audit entry.
    """
    if not numbers:
        raise BadInput("nobody_listed", NOBODY_LISTED)
    locked = lock_session_of_arrivals(session)
    refuse_in_play(locked)
    board, now = read_arrivals_board(locked), timezone.now()
    if now < board.forfeits_from:
        raise Refused("too_early", TOO_EARLY, about=locked, at=time_text(board.forfeits_from))
    absent = sorted((one.entrant for one in board.forfeits if one.entrant.number in set(numbers)), key=str)
    if not absent:
        return None
    reason = gettext(NOT_BY_SEATING_TIME) % {"at": time_text(locked.seating_at)}
    for entrant in absent:
        registration.record_absence(entrant, status=EntrantStatus.FORFEITED, reason=reason, by=acting.by)
    row = Forfeiture.objects.create(session=locked, numbers=[one.number for one in absent], by=acting.by, at=now)
    append_press_entry(locked, "forfeit_absent", row, acting)
    return row


@transaction.atomic
def revert_forfeits(session: Session, *, acting: ActingAccount) -> Forfeiture | None:
    """Take the last press back as one; None where there is none. Whose status was changed since stays as it is.

    Refused `play_has_begun`: from then on each is readmitted by hand.
    """
    locked = lock_session_of_arrivals(session)
    row = queries.forfeiture_in_force(locked)
    if row is None:
        return None
    refuse_in_play(locked)
    reason = gettext(PRESS_TAKEN_BACK) % {"at": time_text(row.at)}
    for entrant in find_entrants_by_number(locked.stage.event, row.numbers):
        if entrant.status == EntrantStatus.FORFEITED:
            registration.readmit_entrant(entrant, reason=reason, by=acting.by)
    row.undone_at, row.undone_by = timezone.now(), acting.by
    Forfeiture.objects.filter(pk=row.pk, undone_at=None).update(undone_at=row.undone_at, undone_by=row.undone_by)
    append_press_entry(locked, "revert_forfeits", row, acting)
    return row


def refuse_in_play(session: Session) -> None:
    """Play has begun by the session's clock, or a sheet of it has come in; or the session is held back."""
    if session_life_of(session).has_begun:
        raise Refused("play_has_begun", PLAY_HAS_BEGUN, about=session)
    if session.state not in BEFORE_PLAY:
        raise Refused("forfeits_on_hold", FORFEITS_ON_HOLD, about=session, state=session.get_state_display())


def append_press_entry(session: Session, action: str, row: Forfeiture, acting: ActingAccount) -> None:
    """The audit entry of the press, with the numbers."""
    services.append_audit_entry(
        session.stage.event,
        acting.by,
        action,
        f"session {session.code}",
        details={"numbers": row.numbers},
        request_key=acting.request_key,
        at=row.undone_at or row.at,
    )
