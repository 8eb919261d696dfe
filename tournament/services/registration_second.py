"""The second person's yes to a change of somebody behind a locked sheet; the first person's part is in apply."""

from dataclasses import dataclass, replace
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils.translation import gettext_noop as _

from tournament.enums import Role
from tournament.errors import Refused
from tournament.exports.entrants_file import HEADS
from tournament.models import Entrant, Event, Proposal
from tournament.queries import entrants as entrants_query
from tournament.readers.columns import read_heads
from tournament.readers.faults import Fault
from tournament.services import importing_checks as checks
from tournament.services import proposals
from tournament.services.importing_changes import Change
from tournament.services.importing_second import ACT, versions
from tournament.services.registration_changes import ACCEPTABLE, BIRTHDAY, Edit, change, change_by, faults_of

# Who may propose a change of an entrant, and must still when another agrees.
PROPOSES = frozenset({Role.ORGANISER, Role.CLERK})
EMPTY = _("This proposal holds nothing any more. Refuse it and propose anew.")


@dataclass(frozen=True, slots=True)
class Proposed:
    """What a proposal would change now, and what stands against it; `outdated`: an entry has changed since."""

    proposal: Proposal
    changes: list[Change]
    faults: list[Fault]
    outdated: bool


def edits_of(proposal: Proposal) -> list[Edit]:
    """The edits of an open proposal; none once it is closed."""
    return [Edit(one["number"], None, one["cells"], one.get("seat", "")) for one in proposal.payload.get("edits", ())]


def seen_now(event: Event, edits: list[Edit]) -> str:
    """The versions that the second person agrees on."""
    return versions(event, [edit.number for edit in edits])


def proposed(event: Event, proposal: Proposal) -> Proposed:
    """Reads only: old and new of each cell, as the entries stand now."""
    edits = edits_of(proposal)
    sessions = {session.number: session for session in entrants_query.preliminary_sessions(event)}
    standing = checks.Standing(event, read_heads(HEADS, 1), sessions, entrants_query.entered(event))
    changes = [change_by(edit, row, standing) for row, edit in enumerate(edits, start=1)]
    return Proposed(proposal, changes, faults_of(changes, standing), proposal.seen != seen_now(event, edits))


@transaction.atomic
def agree(event: Event, number: int, *, by: AbstractUser, accept_birthday: bool = False) -> list[Entrant]:
    """Done by two: the proposal closes and the change is written, or neither; agreed to already by the same: nothing.

    1. the event's lock, as every change of entrants; 2. the proposal, still open, by another account that may
    still propose it, on the entries as they were; 3. the change, judged anew: a seat that goes with it is given up
    before, or refuses (`seating_leaving.agree`). Refused: what the functions refuse that are asked here.
    """
    Event.objects.select_for_update(no_key=True).get(pk=event.pk)
    done = Proposal.objects.filter(event=event, pk=number, act=ACT, outcome="approved", closed_by=by.pk).first()
    if done is not None:
        return []
    proposal = proposals.open_proposal(event, number, ACT)
    edits, reason = edits_of(proposal), proposal.reason
    if not edits:
        raise Refused("proposal_empty", EMPTY, about=proposal)
    proposals.require_proposer(proposal, PROPOSES)
    proposals.approve(proposal, seen=seen_now(event, edits), by=by)
    said = f"(proposal {proposal.pk}) {reason}"
    accepting = {*ACCEPTABLE, *([BIRTHDAY] if accept_birthday else [])}
    seatless = [replace(edit, seat="") for edit in edits]
    return change(event, seatless, reason=said, by=by, accepting=accepting, agreed=True)


def may_need_birthday(found: Proposed) -> bool:
    """Whether the new date is the very birthday, which an organiser accepts with the change (R1)."""
    return any(fault.code == BIRTHDAY for fault in found.faults)


def facts(change: Change) -> dict[str, Any]:
    """Number, the seat given up and, by column, old and new as texts."""
    return {
        "number": change.entrant.number,
        "seat": change.seat,
        "cells": [
            {"column": cell.column, "label": cell.label, "before": cell.before, "after": cell.after}
            for cell in change.cells
        ],
    }
