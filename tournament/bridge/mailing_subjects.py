"""Whether what a mailing is about is still so: a release that stands, a notice that counts, a session's seats and
times, the places of the final.

The one answer for all who ask: the worker before each mail, whoever tries failures again, every act that ends a word.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tournament.bridge.recipients import for_places, session_facts
from tournament.enums import MailingKind, SessionState
from tournament.models import Delivery, Mailing, Notice, Release, Session, Stage
from tournament.queries.finalists import final_of
from tournament.queries.mailings_shown import sessions_by_code
from tournament.queries.notices_replaced import newest_word
from tournament.queries.release import current_release
from tournament.queries.seating import draw_of, seat_in
from tournament.queries.session_life import life_of

RELEASE_WITHDRAWN = "release_withdrawn"
RELEASE_REPLACED = "release_replaced"
NOTICE_REPLACED = "notice_replaced"
SESSION_GONE = "session_gone"
SESSION_POSTPONED = "session_postponed"
SESSION_OVER = "session_over"
SESSION_TIMES = "session_times"
SEATS_OPEN = "seats_open"
PLACES_TIMES = "places_times"
LIST_FIXED = "list_fixed"
LIST_OPENED = "list_opened"
SEAT_CHANGED = "seat_changed"
PLACE_CHANGED = "place_changed"
# What was said was so until its time had come.
PASSED = frozenset({SESSION_OVER, LIST_FIXED})


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a word does not count any more: a stable code, what it was about (`of`), and what counts instead (`by`)."""

    code: str
    of: str = ""
    by: str = ""

    def as_data(self) -> dict[str, str]:
        """As a row keeps it."""
        return asdict(self)


def why_out_of_force(subject: Mailing | Delivery | Release | Notice) -> Ended | None:
    """Why this is in force no more, whatever it is; None while it is."""
    if isinstance(subject, Mailing):
        return why_ended(subject)
    if isinstance(subject, Delivery):
        return why_outdated(subject)
    return ended_with(subject) if isinstance(subject, Release) else replaced_notice(subject)


def why_ended(mailing: Mailing) -> Ended | None:
    """Why nothing more is mailed about this; None while it is in force. Some few queries."""
    return SUBJECTS[MailingKind(mailing.kind)](mailing)


def why_outdated(delivery: Delivery) -> Ended | None:
    """Why this one's own mail would say what is not so any more: another seat, no place; None while it is right."""
    if delivery.mailing.kind == MailingKind.SEATS:
        session = session_of(delivery.mailing)
        seat = seat_in(session, delivery.entrant) if session else None
        now = {"table": seat.table.number, "letter": seat.letter} if seat else {"table": None, "letter": None}
        return Ended(SEAT_CHANGED) if differs(delivery.facts, now) else None
    if delivery.mailing.kind == MailingKind.PLACES:
        return Ended(PLACE_CHANGED) if delivery.facts != places_now(delivery.mailing).get(delivery.entrant_id) else None
    return None


def outdated(mailing: Mailing, deliveries: list[Delivery]) -> list[Delivery]:
    """Those of a mailing of places whose place is another now, or none; of the others none is looked for."""
    if mailing.kind != MailingKind.PLACES or not deliveries:
        return []
    now = places_now(mailing)
    return [one for one in deliveries if one.facts != now.get(one.entrant_id)]


# --- By kind --------------------------------------------------------------------------------------------
def ended_notice(mailing: Mailing) -> Ended | None:
    """Another notice counts instead."""
    return replaced_notice(mailing.notice) if mailing.notice else None


def replaced_notice(notice: Notice) -> Ended | None:
    """The same of a notice itself."""
    newest = newest_word(notice)
    return Ended(NOTICE_REPLACED, of=str(notice.number), by=str(newest)) if newest else None


def ended_release(mailing: Mailing) -> Ended | None:
    """Withdrawn, or replaced by a newer one of its stage."""
    number = mailing.subject.partition(" ")[2]
    rows = Release.objects.filter(stage__event=mailing.event_id, number=int(number))
    found = rows.defer("content", "people", "sheets").first()
    return ended_with(found) if found else Ended(RELEASE_WITHDRAWN, of=number)


def ended_with(release: Release) -> Ended | None:
    """The same of a release itself."""
    number = str(release.number)
    newer = Release.objects.filter(stage=release.stage_id, number__gt=release.number).order_by("-number")
    if release.withdrawn_at is not None:
        return Ended(RELEASE_WITHDRAWN, of=number)
    by = newer.values_list("number", flat=True).first()
    return Ended(RELEASE_REPLACED, of=number, by=str(by)) if by else None


def ended_seats(mailing: Mailing) -> Ended | None:
    """The session waits for new times, has others than were mailed, is over, or its seats are open again."""
    code, session = mailing.subject.partition(" ")[2], session_of(mailing)
    if session is None:
        return Ended(SESSION_GONE, of=code)
    if session.state == SessionState.POSTPONED:
        return Ended(SESSION_POSTPONED, of=code)
    if session.state in (SessionState.VOID, SessionState.CLOSED) or life_of(session).is_over:
        return Ended(SESSION_OVER, of=code)
    draw = draw_of(session)
    if draw is None or draw.confirmed_at is None:
        return Ended(SEATS_OPEN, of=code)
    return Ended(SESSION_TIMES, of=code) if differs(facts_mailed(mailing), session_facts(session)) else None


def ended_places(mailing: Mailing) -> Ended | None:
    """The release that gave the places stands no more, the list is fixed, or moments that were mailed are others."""
    stage = stage_of(mailing)
    given = Release.objects.filter(stage=stage, released_at__lte=mailing.asked_at).order_by("-number").first()
    current = current_release(stage)
    if current is None or given is None:
        return Ended(RELEASE_WITHDRAWN, of=str(given.number) if given else "")
    if current != given:
        return Ended(RELEASE_REPLACED, of=str(given.number), by=str(current.number))
    final = final_of(stage.event)
    if final is not None and final.frozen_at is not None and final.frozen_at > mailing.asked_at:
        return Ended(LIST_FIXED)
    told, now = facts_mailed(mailing), next(iter(places_now(mailing).values()), {})
    moments = {name: now[name] for name in ("until", "check_ins") if name in now}
    return Ended(PLACES_TIMES) if differs(told, moments) else None


SUBJECTS = {
    MailingKind.NOTICE: ended_notice,
    MailingKind.RESULTS: ended_release,
    MailingKind.SEATS: ended_seats,
    MailingKind.PLACES: ended_places,
}


# --- Parts ----------------------------------------------------------------------------------------------
def session_of(mailing: Mailing) -> Session | None:
    """The session whose seats are mailed; None: it was taken out of the plan or stands under another code."""
    return sessions_by_code(mailing.event).get(mailing.subject.partition(" ")[2])


def stage_of(mailing: Mailing) -> Stage:
    """The stage whose places are mailed."""
    kind = mailing.subject.partition(" ")[2]
    return Stage.objects.select_related("event").get(event=mailing.event_id, kind=kind)


def facts_mailed(mailing: Mailing) -> Mapping[str, Any]:
    """What all of it are told, as its first mail has it."""
    return mailing.deliveries.order_by("id").values_list("facts", flat=True).first() or {}


def places_now(mailing: Mailing) -> dict[int, dict[str, Any]]:
    """What each holder of a place would be told now, by the entrant's key."""
    return {one.entrant_id: one.facts for one in for_places(stage_of(mailing)).found}


def differs(told: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether something that was told is another now."""
    return any(name in told and told[name] != value for name, value in now.items())
