"""The second person's yes to a change of somebody behind a locked sheet; the first person's part is in apply."""

from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_noop as _

from tournament.accounts.models import Proposal
from tournament.accounts.services import proposals
from tournament.core.acts import ACTS
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.entrants.exports.file import ENTRANT_FILE_HEADS
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries import entrants as entrants_query
from tournament.entrants.readers.columns import read_heads
from tournament.entrants.readers.faults import ImportFault
from tournament.registration.services import importing_checks as checks
from tournament.registration.services.changes import (
    BIRTHDAY_QUESTION,
    EntrantEdit,
    change_by,
    change_entrants,
    entrant_change_faults,
)
from tournament.registration.services.importing_changes import EntrantChange
from tournament.registration.services.importing_names import ACCEPTABLE_NAME_FAULTS
from tournament.registration.services.importing_second import CHANGE_ENTRANT_ACT, entrant_revisions_digest

# Who may propose a change of an entrant, and must still when another agrees.
ENTRANT_PROPOSING_ROLES = ACTS[CHANGE_ENTRANT_ACT].roles
ENTRANT_PROPOSAL_EMPTY = _("This proposal holds nothing any more. Refuse it and propose anew.")


@dataclass(frozen=True, slots=True)
class EntrantChangeProposal:
    """What a proposal would change now, and what stands against it; `outdated`: an entry has changed since."""

    proposal: Proposal
    changes: list[EntrantChange]
    faults: list[ImportFault]
    outdated: bool


def edits_of(proposal: Proposal) -> list[EntrantEdit]:
    """The edits of an open proposal; none once it is closed."""
    return [
        EntrantEdit(one["number"], None, one["cells"], one.get("seat", "")) for one in proposal.payload.get("edits", ())
    ]


def proposal_basis_now(event: Event, edits: list[EntrantEdit]) -> str:
    """The versions that the second person agrees on."""
    return entrant_revisions_digest(event, [edit.number for edit in edits])


def read_entrant_proposal(event: Event, proposal: Proposal) -> EntrantChangeProposal:
    """Reads only: old and new of each cell, as the entries stand now."""
    edits = edits_of(proposal)
    sessions = {session.number: session for session in entrants_query.preliminary_sessions(event)}
    standing = checks.EnteredIndex(
        event, read_heads(ENTRANT_FILE_HEADS, 1), sessions, entrants_query.entered_entrants(event)
    )
    changes = [change_by(edit, row, standing) for row, edit in enumerate(edits, start=1)]
    return EntrantChangeProposal(
        proposal, changes, entrant_change_faults(changes, standing), proposal.seen != proposal_basis_now(event, edits)
    )


@transaction.atomic
def agree_entrant_change(event: Event, number: int, *, by: User, accept_birthday: bool = False) -> list[Entrant]:
    """Done by two: the proposal closes and the change is written, or neither; agreed to already by the same: nothing.

    1. the event's lock, as every change of entrants; 2. the proposal, still open, by another account that may
    still propose it, on the entries as they were; 3. the change, judged anew: a seat that goes with it is given up
    before, or refuses (`seating_leaving.agree`). Refused: what the functions refuse that are asked here.
    """
    Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    done = Proposal.objects.filter(
        event=event, pk=number, act=CHANGE_ENTRANT_ACT, outcome="approved", closed_by=by.pk
    ).first()
    if done is not None:
        return []
    proposal = proposals.open_proposal(event, number, CHANGE_ENTRANT_ACT)
    edits, reason = edits_of(proposal), proposal.reason
    if not edits:
        raise Refused("proposal_empty", ENTRANT_PROPOSAL_EMPTY, about=proposal)
    proposals.require_proposer(proposal, ENTRANT_PROPOSING_ROLES)
    proposals.approve_proposal(proposal, seen=proposal_basis_now(event, edits), by=by)
    said = f"(proposal {proposal.pk}) {reason}"
    accepting = {*ACCEPTABLE_NAME_FAULTS, *([BIRTHDAY_QUESTION] if accept_birthday else [])}
    seatless = [replace(edit, seat="") for edit in edits]
    return change_entrants(event, seatless, reason=said, by=by, accepting=accepting, agreed=True)


def may_need_birthday(found: EntrantChangeProposal) -> bool:
    """Whether the new date is the very birthday, which an organiser accepts with the change (R1)."""
    return any(fault.code == BIRTHDAY_QUESTION for fault in found.faults)


def entrant_change_facts(change: EntrantChange) -> dict[str, Any]:
    """Number, the seat given up and, by column, old and new as texts."""
    return {
        "number": change.entrant.number,
        "seat": change.seat,
        "cells": [
            {"column": cell.column, "label": cell.label, "before": cell.before, "after": cell.after}
            for cell in change.cells
        ],
    }
