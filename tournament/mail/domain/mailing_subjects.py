"""Whether what a mailing is about is still so: a release that stands, a notice that counts, a session's seats and
times, the places of the final.

The one answer for all who ask: the worker before each mail, whoever tries failures again, every act that ends a word.
"""

from collections.abc import Mapping
from typing import Any

from tournament.core.enums import MailingKind, SessionState
from tournament.core.models.stage import Session, Stage
from tournament.entrants.queries.finalists import next_stage
from tournament.mail.domain.recipients import recipients_of_places, session_mail_facts
from tournament.messages.domain.mail_subjects import (
    ENDED_LIST_FIXED,
    ENDED_PLACE_CHANGED,
    ENDED_PLACES_TIMES,
    ENDED_RELEASE_REPLACED,
    ENDED_RELEASE_WITHDRAWN,
    ENDED_SEAT_CHANGED,
    ENDED_SEATS_OPEN,
    ENDED_SESSION_GONE,
    ENDED_SESSION_OVER,
    ENDED_SESSION_POSTPONED,
    ENDED_SESSION_TIMES,
    EndedSubject,
    MailSubject,
    register_subject,
)
from tournament.messages.models import Delivery, Mailing
from tournament.messages.queries.mailing_counts import sessions_by_code
from tournament.releases.models import Release
from tournament.releases.queries import current_release
from tournament.sheets.queries.session_life import session_life_of
from tournament.tables.queries.seating import current_draw_of, seat_in_session


def ended_seats_of_mailing(mailing: Mailing) -> EndedSubject | None:
    """The session waits for new times, has others than were mailed, is over, or its seats are open again."""
    code, session = mailing.subject.partition(" ")[2], session_of_mailing(mailing)
    if session is None:
        return EndedSubject(ENDED_SESSION_GONE, of=code)
    if session.state == SessionState.POSTPONED:
        return EndedSubject(ENDED_SESSION_POSTPONED, of=code)
    if session_life_of(session).is_past:
        return EndedSubject(ENDED_SESSION_OVER, of=code)
    draw = current_draw_of(session)
    if draw is None or draw.confirmed_at is None:
        return EndedSubject(ENDED_SEATS_OPEN, of=code)
    return (
        EndedSubject(ENDED_SESSION_TIMES, of=code)
        if differs_from_mailed_fact(facts_of_first_mail(mailing), session_mail_facts(session))
        else None
    )


def ended_places_of_mailing(mailing: Mailing) -> EndedSubject | None:
    """The release that gave the places stands no more, the list is fixed, or moments that were mailed are others."""
    stage = stage_of_mailing(mailing)
    given = Release.objects.filter(stage=stage, released_at__lte=mailing.asked_at).order_by("-number").first()
    current = current_release(stage)
    if current is None or given is None:
        return EndedSubject(ENDED_RELEASE_WITHDRAWN, of=str(given.number) if given else "")
    if current != given:
        return EndedSubject(ENDED_RELEASE_REPLACED, of=str(given.number), by=str(current.number))
    final = next_stage(stage)
    if final is not None and final.frozen_at is not None and final.frozen_at > mailing.asked_at:
        return EndedSubject(ENDED_LIST_FIXED)
    told, now = facts_of_first_mail(mailing), next(iter(place_facts_by_entrant(mailing).values()), {})
    moments: dict[str, Any] = {name: now[name] for name in ("until", "check_ins") if name in now}
    return EndedSubject(ENDED_PLACES_TIMES) if differs_from_mailed_fact(told, moments) else None


def changed_seat(delivery: Delivery) -> EndedSubject | None:
    """The seat that this mail names is another now, or free."""
    session = session_of_mailing(delivery.mailing)
    seat = seat_in_session(session, delivery.entrant) if session else None
    now = {"table": seat.table.number, "letter": seat.letter} if seat else {"table": None, "letter": None}
    return EndedSubject(ENDED_SEAT_CHANGED) if differs_from_mailed_fact(delivery.facts, now) else None


def changed_place(delivery: Delivery) -> EndedSubject | None:
    """The place that this mail names is another now, or given up."""
    return (
        EndedSubject(ENDED_PLACE_CHANGED)
        if delivery.facts != place_facts_by_entrant(delivery.mailing).get(delivery.entrant_id)
        else None
    )


def changed_places(mailing: Mailing, deliveries: list[Delivery]) -> list[Delivery]:
    """Those of these mails whose place is another now, or none."""
    now = place_facts_by_entrant(mailing)
    return [one for one in deliveries if one.facts != now.get(one.entrant_id)]


def session_of_mailing(mailing: Mailing) -> Session | None:
    """The session whose seats are mailed; None: it was taken out of the plan or stands under another code."""
    return sessions_by_code(mailing.event).get(mailing.subject.partition(" ")[2])


def stage_of_mailing(mailing: Mailing) -> Stage:
    """The stage whose places are mailed."""
    kind = mailing.subject.partition(" ")[2]
    return Stage.objects.select_related("event").get(event=mailing.event_id, kind=kind)


def facts_of_first_mail(mailing: Mailing) -> Mapping[str, Any]:
    """What all of it are told, as its first mail has it."""
    return mailing.deliveries.order_by("id").values_list("facts", flat=True).first() or {}


def place_facts_by_entrant(mailing: Mailing) -> dict[int, dict[str, Any]]:
    """What each holder of a place would be told now, by the entrant's key."""
    return {one.entrant_id: one.facts for one in recipients_of_places(stage_of_mailing(mailing)).found}


def differs_from_mailed_fact(told: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether something that was told is another now."""
    return any(name in told and told[name] != value for name, value in now.items())


register_subject(MailingKind.SEATS, MailSubject(ended_seats_of_mailing, own=changed_seat))
register_subject(MailingKind.PLACES, MailSubject(ended_places_of_mailing, own=changed_place, changed=changed_places))
