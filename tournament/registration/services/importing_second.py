"""What changes of a person behind a locked sheet by two people alone: names, birth date, session, family, guardian.

A ranking, an award and a certificate name that person. One proposes, whoever it is and through whichever door; another
sees the effect and agrees. `importing_changes.apply` asks here for every change, so that no door passes it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from django.contrib.auth.models import User
from django.utils.translation import gettext_noop as _

from tournament.accounts.models import Proposal
from tournament.accounts.queries.proposals import proposal_for
from tournament.accounts.services import proposals
from tournament.core.entrant_column_kinds import AfterResults, ColumnKind
from tournament.core.entrant_columns import keys_where
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.names import fold_name
from tournament.entrants.exports.file import importer_cell_text
from tournament.entrants.models.people import Entrant

CHANGE_ENTRANT_ACT = "change_entrant"
FAMILY_FIELDS = frozenset(keys_where(lambda column: column.kind in (ColumnKind.FAMILY, ColumnKind.FAMILY_ROLE)))
TWO_PEOPLE = frozenset(keys_where(lambda column: column.after_results is AfterResults.TWO_PEOPLE))
# One person's act, but letters and mails go there: not without a reason.
FIELDS_NEEDING_REASON = frozenset(keys_where(lambda column: column.after_results is AfterResults.REASON))
CHANGE_REASON_MISSING = _(
    "Entrant %(number)s has games on a signed sheet: write down why this changes (at most 500 characters)."
)
NO_ACCOUNT = _(
    "Entrant %(number)s has games on a signed sheet: this changes by two people. Name the account that proposes it."
)
CHANGE_ALREADY_PROPOSED = _(
    "A change of entrant %(number)s waits for a second person already. See it among the proposals first."
)

# A change as registration/services/importing_changes.py has it.
ChangeT = TypeVar("ChangeT")


@dataclass(frozen=True, slots=True)
class SplitChanges(Generic[ChangeT]):
    """What one person may do now, and what waits for a second: groups that are agreed to together, a pair as one."""

    now: list[ChangeT]
    later: list[list[ChangeT]]


def split_changes(changes: Sequence[Any], results: frozenset[int], bound: frozenset[str]) -> SplitChanges[Any]:
    """The cells of each change on either side; `results` are the ids of entrants whom a locked sheet names, `bound` the
    folded codes of the families that these are in.

    A pair is declared or ended as a whole: the family's cells of the other one wait too.
    """
    waiting = {id(one): TWO_PEOPLE for one in changes if one.entrant.pk in results and one.columns & TWO_PEOPLE}
    keys = bound | family_keys(one for one in changes if id(one) in waiting)
    while found := [
        one for one in changes if touches_families(one, keys) and not waiting.get(id(one), frozenset()) >= FAMILY_FIELDS
    ]:
        waiting |= {id(one): waiting.get(id(one), frozenset()) | FAMILY_FIELDS for one in found}
        keys |= family_keys(found)
    now = [with_columns_only(one, one.columns - waiting.get(id(one), frozenset())) for one in changes]
    later = [with_columns_only(one, one.columns & waiting[id(one)]) for one in changes if id(one) in waiting]
    return SplitChanges([one for one in now if one.cells], group_by_family(later))


def with_columns_only(change: Any, columns: frozenset[str]) -> Any:
    """The change of these columns alone."""
    return replace(change, cells=tuple(cell for cell in change.cells if cell.column in columns))


def families_touched(change: Any) -> frozenset[str]:
    """The families that a change leaves or joins, as folded codes."""
    if not change.columns & FAMILY_FIELDS:
        return frozenset()
    old = change.entrant.family.code if change.entrant.family else ""
    return frozenset(fold_name(code) for code in (old, change.row.family) if code)


def family_keys(changes: Iterable[Any]) -> frozenset[str]:
    """The families that any of these changes leaves or joins."""
    return frozenset().union(*map(families_touched, changes))


def touches_families(change: Any, keys: frozenset[str]) -> bool:
    """Whether the change is about one of these families."""
    return bool(families_touched(change) & keys)


def group_by_family(changes: Sequence[Any]) -> list[list[Any]]:
    """Those of one family together, in the order of their numbers."""
    groups: list[list[Any]] = []
    for change in sorted(changes, key=lambda one: one.entrant.number):
        near = [group for group in groups if family_keys(group) & families_touched(change)]
        joined = sorted([change, *(one for group in near for one in group)], key=lambda one: one.entrant.number)
        groups = [*(group for group in groups if group not in near), joined]
    return sorted(groups, key=lambda group: group[0].entrant.number)


def require_reason(parts: SplitChanges[Any], results: frozenset[int], reason: str) -> None:
    """Behind a locked sheet nothing that leads to a person changes without a reason (R46)."""
    reasoned = [one for one in parts.now if one.entrant.pk in results and one.columns & FIELDS_NEEDING_REASON]
    for change in [*(group[0] for group in parts.later), *reasoned]:
        if not reason.strip():
            raise BadInput("reason_needed", CHANGE_REASON_MISSING, number=str(change.entrant))


def propose_entrant_change(event: Event, group: Sequence[Any], *, by: User | None, reason: str) -> Proposal:
    """A group's change proposed; Refused `proposed_already` where another change of this entrant waits."""
    first = group[0].entrant
    if by is None:
        raise BadInput("second_person_needs_account", NO_ACCOUNT, number=str(first))
    return proposals.open_new_proposal(
        event,
        act=CHANGE_ENTRANT_ACT,
        subject=entrant_subject_ref(first),
        payload={"edits": [edit_of(one) for one in group]},
        seen=entrant_revisions_digest(event, [one.entrant.number for one in group]),
        reason=reason,
        by=by,
    )


def edit_of(change: Any) -> dict[str, Any]:
    """The change as a proposal keeps it."""
    cells = {cell.column: importer_cell_text(cell.column, cell.new) for cell in change.cells}
    return {"number": change.entrant.number, "cells": cells, **({"seat": change.seat} if change.seat else {})}


def propose_or_hold(event: Event, group: Sequence[Any], *, by: User | None, reason: str) -> Proposal:
    """The same for a list, which does not fail for one row: where a change of the entrant waits already, that stays."""
    waiting = proposal_for(event, CHANGE_ENTRANT_ACT, entrant_subject_ref(group[0].entrant))
    try:
        return waiting or propose_entrant_change(event, group, by=by, reason=reason)
    except Refused as refused:
        if refused.code != "proposed_already":
            raise
        raise Refused("proposed_already", CHANGE_ALREADY_PROPOSED, number=str(group[0].entrant)) from None


def waiting_change(entrant: Entrant) -> Proposal | None:
    """The change of this entrant that waits for a second person."""
    return proposal_for(entrant.event, CHANGE_ENTRANT_ACT, entrant_subject_ref(entrant))


def entrant_subject_ref(entrant: Entrant) -> str:
    """As the log has it."""
    return f"entrant {entrant}"


def entrant_revisions_digest(event: Event, numbers: Iterable[int]) -> str:
    """What a second person must have before them: the revision of each entry that changes."""
    rows = Entrant.objects.filter(event=event, number__in=list(numbers)).order_by("number")
    return " ".join(f"{number:04d}:{revision}" for number, revision in rows.values_list("number", "revision"))[:64]
