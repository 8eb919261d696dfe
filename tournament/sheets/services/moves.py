"""One transition function for scoresheets: by the table of acts, from the state and revision that the writer has seen.

A locked sheet never moves. What each act needs beside the state its own service asks.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Exists, F, OuterRef
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.core.acts import ACTS
from tournament.core.enums import OFF, SessionState, SheetState
from tournament.core.errors import Locked, Refused, StaleVersion
from tournament.core.models.stage import Session
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Signature
from tournament.tables.models import Table

# Postponed it has no play yet; void, what was played does not count, and what is signed stays as it is.
UNSIGNED = (SheetState.DRAFT, SheetState.DISPUTED, SheetState.VOID)

NOT_PLAYED = _("This session is %(state)s: no scoresheet of it is typed, certified, stamped or corrected.")
LOCKED = _("This scoresheet is locked. Only a correction, to which two people agree, changes it.")
WITH_CHECKER = _("This scoresheet waits for its second person. Take it back before changing it.")
NOT_READY = _("This scoresheet does not wait for a second person: it is still being typed.")
NOT_WRITABLE = _("This scoresheet cannot be changed in its present state.")
CHANGED = _("Somebody else changed this scoresheet after you opened it. Nothing of yours is lost; compare both.")


def refuse_first(reasons: Iterable[Refused]) -> None:
    """Refuse with the first of the reasons against an act; services.readiness tells all of them."""
    for reason in reasons:
        raise reason


def against_session(session: Session) -> Iterator[Refused]:
    """Before its play and in a void session no sheet is begun, moved on or made official."""
    if session.state in OFF:
        yield Refused("session_not_played", NOT_PLAYED, about=session, state=session.get_state_display())


def refuse_unplayed(session: Session) -> None:
    """Refuse what `against_session` has against an act."""
    refuse_first(against_session(session))


def move_sheet(sheet: Scoresheet, act: str, revision: int, **changes: Any) -> Scoresheet:
    """Take a sheet through an act, only as its writer has seen it: UPDATE ... WHERE revision and state. In a void
    session nothing moves on.

    `changes` are other columns than the state, which is where the act leads. What was drawn for the values is kept and
    counts no more once they may change: all sign again (R41). Raises what `refusal_of_move` says.
    """
    changes["state"] = ACTS[act].leads_to
    if changes["state"] != sheet.state:
        changes["state_since"] = timezone.now()
    void = Exists(Table.objects.filter(pk=OuterRef("table"), session__state=SessionState.VOID))
    seen = Scoresheet.objects.filter(~void, pk=sheet.pk, revision=revision, state__in=ACTS[act].leads_from)
    changed = seen.update(revision=F("revision") + 1, **changes)
    if not changed:
        current = Scoresheet.objects.select_related("typed_by", "table__session").get(pk=sheet.pk)
        refuse_unplayed(current.table.session)
        raise refusal_of_move(current, act, revision)
    for name, value in changes.items():
        setattr(sheet, name, value)
    sheet.revision = revision + 1
    if sheet.state in UNSIGNED:
        Signature.objects.filter(scoresheet=sheet, superseded_at=None).update(superseded_at=sheet.state_since)
    return sheet


def require_transition(sheet: Scoresheet, act: str, revision: int) -> None:
    """Refuse an act that does not lead from the sheet's state, or whose author has seen another revision."""
    if not ACTS[act].allows(sheet.state) or sheet.revision != revision:
        raise refusal_of_move(sheet, act, revision)


def refusal_of_move(current: Scoresheet, act: str, revision: int) -> Refused:
    """Locked (423) before a wrong state (409) before an older revision (412)."""
    if current.locked:
        return Locked("scoresheet_locked", LOCKED, about=current)
    if not ACTS[act].allows(current.state):
        if current.state == SheetState.READY:
            return Refused("scoresheet_ready", WITH_CHECKER, about=current)
        sentence = NOT_READY if SheetState.READY in ACTS[act].leads_from else NOT_WRITABLE
        return Refused("scoresheet_not_ready", sentence, about=current)
    return StaleVersion("scoresheet_changed", CHANGED, about=current, current=current)
