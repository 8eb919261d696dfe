"""The chief judge's decision of a reserve place that more share than may be called (R37): the call follows its order.

It is a decision as that of the line is, made where the places of a release are answered.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils.translation import gettext_noop as _

from tournament.bridge.release_places import LivePlaces, live_places, places_of
from tournament.bridge.standings_decision import decision_value
from tournament.enums import Answer, DecisionOf
from tournament.errors import Refused
from tournament.models import AuditHead, LotsAnnouncement, Proposal, Stage, TieDecision
from tournament.services import lots
from tournament.services.qualification import Decided, ids_of, pass_decision, record_tie, row_of, tie_changed
from tournament.services.second_person import Second


@transaction.atomic
def decide_reserve_tie(
    stage: Stage, *, by: AbstractUser, second: Second | None = None, now: datetime | None = None, **given: Any
) -> TieDecision | Proposal:
    """Record in which order the sharers of a reserve place are called; `given` as services.qualification.Decided.

    1. The audit head is the lock. 2. The sharers must wait as they were shown, for as many places (412); a decision
    already made is replaced for exactly its own entrants and places. 3. The method's own conditions. 4. Nobody who has
    accepted may lose the place (409). 5. As for the line: harmless twice, row and audit entry.
    """
    decided = Decided(**given)
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    live, standing = sharing_a_place(stage, decided.tied, decided.places)
    passed = pass_decision(stage, decided)
    made = row_of(stage, decided, by, reserve=True, now=now)
    after = places_of(live.release, live.entrants, live.answers, (made, *live.decisions)) if live.release else None
    kept = {holder.id for holder in after.holders} if after else set()
    if {holder.id for holder in live.places.holders if holder.answer == Answer.ACCEPTED} - kept:
        raise Refused("place_accepted", _("A reserve who would lose the place by this has accepted it already."))
    return record_tie(made, decided, standing, passed, second)


def sharing_a_place(stage: Stage, tied: Collection[int], places: int) -> tuple[LivePlaces, TieDecision | None]:
    """The places, with the decision in force for exactly these, where they wait for one or have one."""
    live = live_places(stage)
    standing = standing_for(live, tied, places)
    undecided = live.places.undecided
    numbers = {live.entrants[id].number for id in undecided.ids} if undecided else set()
    shown = undecided is not None and set(tied) == numbers and places == undecided.places
    if not shown and standing is None:
        raise tie_changed(stage, live)
    return live, standing


@transaction.atomic
def announce_reserve_lots(
    stage: Stage, *, by: AbstractUser, second: Second | None = None, now: datetime | None = None, **given: Any
) -> LotsAnnouncement | Proposal:
    """Announce lots for the sharers of a reserve place; `given` as services.lots.LotsGiven."""
    asked = lots.LotsGiven(**given)
    AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
    sharing_a_place(stage, asked.tied, asked.places)
    return lots.announce(stage, DecisionOf.RESERVE, ids_of(asked.tied), asked, by=by, second=second, now=now)


def standing_for(live: LivePlaces, tied: Collection[int], places: int) -> TieDecision | None:
    """The newest decision for these very sharers and places, while they still share a reserve place."""
    newest = next(iter(live.decisions), None)
    if newest is None or newest.tied != sorted(tied) or newest.places != places:
        return None
    return newest if holds(live, newest) else None


def holds(live: LivePlaces, decision: TieDecision) -> bool:
    """Whether all of its tied still share one reserve place of the current release."""
    if live.release is None:
        return False
    tied = set(decision_value(decision).tied)
    places = {f"{line['number']:04d}": (line["reserve"] or [None])[0] for line in live.release.content["ranking"]}
    return len({places.get(id) for id in tied}) == 1 and None not in {places.get(id) for id in tied}
