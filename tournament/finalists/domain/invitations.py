"""What one private link opens now: what its holder may answer, or why not (R37)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scoring.final_places import HELD_AS_RESERVE
from tournament.core.enums import ABANDONING_ANSWERS, Answer, EntrantStatus
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Invitation
from tournament.entrants.queries.finalists import next_stage
from tournament.events.queries import rounds_with_times
from tournament.finalists.domain.release_places import LivePlaces, holders_displaced_by, holds_place, live_places
from tournament.ranking.domain.standings import ranking_entrant_id
from tournament.releases.models import PlaceAnswer, Release


class LinkState(StrEnum):
    """How a link's page stands.

    `nothing`: no release stands; `gone`: no longer in the running, or holds no place by the newest release; `taken`:
    gave it up and a reserve has it; `offered`: gave it up and a reserve was told that it may be theirs; `listed`,
    `unlisted`: the list is frozen, with or without its holder; `left`: was on it, and does not take part any more;
    `closed`: the last moment is over; else `asked`, `accepted`, `declined` or `struck`, and the answer may change.
    """

    NOTHING = "nothing"
    GONE = "gone"
    TAKEN = "taken"
    OFFERED = "offered"
    LISTED = "listed"
    UNLISTED = "unlisted"
    LEFT = "left"
    CLOSED = "closed"
    ASKED = "asked"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    STRUCK = "struck"


class PlaceEndedReason(StrEnum):
    """Why a place that was accepted is not held any more: a newer `release`; what is `recorded` of the holder at the
    desk; or what was decided or answered of others since."""

    RELEASE = "release"
    RECORDED = "recorded"
    OTHERS = "others"


@dataclass(frozen=True, slots=True)
class InvitationPage:
    """`answer`: the newest, by link or at the desk. `rank`: as released, with whether it is shared; `called`: holds the
    place as a reserve. `rounds`: the sessions of the final in order, none while its date is to be announced.
    `why_ended` of a place that was accepted; None for another. `release`: the one that counts now."""

    state: LinkState
    answer: PlaceAnswer | None
    rank: tuple[int, bool] | None
    called: bool
    final: Stage | None
    rounds: tuple[Session, ...]
    why_ended: PlaceEndedReason | None = None
    release: Release | None = None

    @property
    def open(self) -> bool:
        """Whether it may be answered now."""
        return self.state in (LinkState.ASKED, LinkState.ACCEPTED, LinkState.DECLINED, LinkState.STRUCK)

    @property
    def seen(self) -> int:
        """What an answer says that its maker saw."""
        return self.answer.pk if self.answer else 0


def invitation_page(invitation: Invitation, now: datetime) -> InvitationPage:
    """What this link opens at this moment."""
    stage, id = invitation.stage, ranking_entrant_id(invitation.entrant.number)
    live, final = live_places(stage), next_stage(stage)
    lines = live.release.content["ranking"] if live.release else []
    line = next((one for one in lines if one["number"] == invitation.entrant.number), None)
    state = _invitation_link_state(invitation, live, final, now)
    return InvitationPage(
        state=state,
        answer=live.answers.get(id),
        rank=(line["rank"], bool(line["tied"])) if line else None,
        called=any(one.id == id and one.by == HELD_AS_RESERVE for one in live.places.holders),
        final=final,
        rounds=tuple(rounds_with_times(final)) if final else (),
        why_ended=_place_ended_reason(invitation, live) if state in ENDED_LINK_STATES else None,
        release=live.release,
    )


ENDED_LINK_STATES = frozenset({LinkState.GONE, LinkState.UNLISTED, LinkState.LEFT})


def _place_ended_reason(invitation: Invitation, live: LivePlaces) -> PlaceEndedReason | None:
    """What came after an acceptance; None where none was given."""
    answer = live.answers.get(ranking_entrant_id(invitation.entrant.number))
    if answer is None or answer.answer != Answer.ACCEPTED:
        return None
    if invitation.entrant.status != EntrantStatus.OK:
        return PlaceEndedReason.RECORDED
    newer = live.release is not None and live.release.number != answer.release
    return PlaceEndedReason.RELEASE if newer else PlaceEndedReason.OTHERS


def _invitation_link_state(invitation: Invitation, live: LivePlaces, final: Stage | None, now: datetime) -> LinkState:
    """The first that holds, in the order in which a holder would want to know."""
    id = ranking_entrant_id(invitation.entrant.number)
    answer = live.answers.get(id)
    if final is not None and final.frozen_at is not None:
        if not final.finalists.filter(entrant=invitation.entrant_id).exists():
            return LinkState.UNLISTED
        return LinkState.LISTED if invitation.entrant.status == EntrantStatus.OK else LinkState.LEFT
    if live.release is None:
        return LinkState.NOTHING
    row = live.entrants.get(id)
    if row is None or row.status != EntrantStatus.OK:
        return LinkState.GONE
    holds = holds_place(live, id)
    given_up = answer is not None and answer.answer in ABANDONING_ANSWERS
    if not holds and not given_up:
        return LinkState.GONE
    if invitation.stage.answers_until and now >= invitation.stage.answers_until:
        return LinkState.CLOSED
    if given_up:
        lost = holders_displaced_by(live, _acceptance_if_taken_now(invitation, live, now), id)
        if lost is None or any(one.answer for one in lost):
            return LinkState.TAKEN
        if lost:
            return LinkState.OFFERED
    return LinkState(answer.answer) if answer else LinkState.ASKED


def _acceptance_if_taken_now(invitation: Invitation, live: LivePlaces, now: datetime) -> PlaceAnswer:
    """What would be written if the holder took the place back."""
    release = live.release.number if live.release else 0
    facts = {"stage": invitation.stage, "entrant": invitation.entrant, "release": release}
    return PlaceAnswer(**facts, answer=Answer.ACCEPTED, invitation=invitation, at=now)
