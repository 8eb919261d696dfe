"""Who gets a mail of seats, results or places, and the facts that each one's text is made from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext_noop as _

from tournament.core.enums import MailingKind, SessionState
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.finalists import next_stage
from tournament.events.domain import ruleset_of_stage
from tournament.events.queries import round_of
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.queries import links_in_force
from tournament.messages.domain.told import recipients_not_yet_mailed
from tournament.messages.models import Notice
from tournament.messages.queries.bounces import tried_in_vain
from tournament.messages.queries.mailing_counts import last_mailed_by_number
from tournament.messages.queries.notices_replaced import newest_number_counting_instead
from tournament.messages.queries.recipients import Recipients, for_notice, recipients_of
from tournament.releases.models import Release
from tournament.sheets.queries.session_life import session_life_of
from tournament.tables.queries.seating import current_draw_of, seats_of_session, takes_part_in_session

SEATS_NOT_CONFIRMED = _("The seats of this session are not confirmed yet. Confirm them first; then they can be mailed.")
SESSION_WITHOUT_TIMES = _("This session is postponed. Give it its new times first; then its seats can be mailed.")
SESSION_OVER_OR_VOID = _("This session is over or void, so that nobody needs to know a seat in it.")
NOTICE_IS_DRAFT = _("This notice is a draft. Publish it first: it is mailed with it.")
NOTICE_NO_LONGER_COUNTS = _("Notice %(number)s counts no more: notice %(newest)s replaces it. Mail that one.")
RELEASE_NOT_IN_FORCE = _("This release was withdrawn or replaced. Mail the results of the newest one.")


@dataclass(frozen=True)
class MailingPlan:
    """What is to be mailed: who gets it is gathered when it is looked at, which may be refused with a sentence."""

    kind: MailingKind
    subject: str
    gather: Callable[[], Recipients]
    notice: Notice | None = None


def notice_plan(notice: Notice) -> MailingPlan:
    """A published notice that counts."""
    return MailingPlan(
        MailingKind.NOTICE, f"notice {notice.number}", lambda: recipients_of_notice_in_force(notice), notice
    )


def seats_plan(session: Session) -> MailingPlan:
    """The seats of a session with how the timer is used."""
    return MailingPlan(MailingKind.SEATS, f"session {session.code}", lambda: recipients_of_seats(session))


def results_plan(release: Release) -> MailingPlan:
    """The results of a release that stands."""
    return MailingPlan(MailingKind.RESULTS, f"release {release.number}", lambda: recipients_of_results(release))


def places_plan(stage: Stage) -> MailingPlan:
    """The private links of those who hold a place of the final."""
    return MailingPlan(MailingKind.PLACES, f"stage {stage.kind}", lambda: recipients_of_places(stage))


def recipients_left_to_mail(event: Event, plan: MailingPlan, found: Recipients) -> Recipients:
    """Those who have not got it, without those to whom it was mailed at an address that takes no mail: to be
    telephoned, not tried again."""
    untold = recipients_not_yet_mailed(found, last_mailed_by_number(event, plan.kind, plan.subject))
    vain = tried_in_vain(event, plan.kind, plan.subject)
    left = tuple(one for one in untold.found if (one.number, one.address.casefold()) not in vain)
    return replace(untold, found=left)


def recipients_of_notice_in_force(notice: Notice) -> Recipients:
    """Everyone whom the notice is about; refused while it is a draft, and once another counts instead."""
    if notice.number is None:
        raise Refused("not_published", NOTICE_IS_DRAFT)
    if newest := newest_number_counting_instead(notice):
        raise Refused("notice_replaced", NOTICE_NO_LONGER_COUNTS, number=notice.number, newest=newest)
    return for_notice(notice)


def recipients_of_seats(session: Session) -> Recipients:
    """Everyone with a seat who takes part, one mail each: where, when, and how the timer is used (R16).

    Refused while the seats are not confirmed, the session waits for new times, or is over.
    """
    if session.state == SessionState.POSTPONED:
        raise Refused("session_postponed", SESSION_WITHOUT_TIMES)
    if session_life_of(session).is_past:
        raise Refused("session_over", SESSION_OVER_OR_VOID)
    draw = current_draw_of(session)
    if draw is None or draw.confirmed_at is None:
        raise Refused("seats_not_confirmed", SEATS_NOT_CONFIRMED)
    of_all = session_mail_facts(session)
    seats = [seat for seat in seats_of_session(session) if takes_part_in_session(seat.entrant, session)]
    facts = {seat.entrant.number: {**of_all, "table": seat.table.number, "letter": seat.letter} for seat in seats}
    return recipients_of(sorted((seat.entrant for seat in seats), key=lambda one: one.number), facts)


def session_mail_facts(session: Session) -> dict[str, Any]:
    """What all of a session are told. Moments as ISO 8601; the rules of a turn as the stage's ruleset has them, null
    where it has none."""
    rules, round = ruleset_of_stage(session.stage), round_of(session)
    return {
        "stage": session.stage.kind,
        **stage_name_facts("stage_name", session.stage),
        "number_of_day": session.name_of_day[0],
        "replay": session.is_replay,
        "round": round.number if round else None,
        "original_date": session.original_date.isoformat(),
        "check_in_at": session.check_in_at.isoformat(),
        "seating_at": session.seating_at.isoformat(),
        "play_at": session.play_at.isoformat(),
        "ends_at": session.ends_at.isoformat(),
        "turn_seconds": rules.turn_seconds,
        "overtime_tiles": rules.overtime_tiles,
        "games": rules.games,
        "minutes": rules.minutes,
    }


def stage_name_facts(key: str, stage: Stage | None) -> dict[str, Any]:
    """The names of a stage that has its own, in both languages; nothing for the first and the final."""
    return {key: {"zh": stage.name_zh, "en": stage.name_en}} if stage is not None and stage.name_zh else {}


def recipients_of_results(release: Release) -> Recipients:
    """Everyone ranked in a release that stands, one mail each, with the figures as they were released."""
    newest = Release.objects.filter(stage=release.stage_id).order_by("-number").values_list("number", flat=True).first()
    if release.withdrawn_at or newest != release.number:
        raise Refused("release_not_standing", RELEASE_NOT_IN_FORCE)
    content = release.content
    following = stage_name_facts("next_stage_name", next_stage(release.stage))
    facts = {line["number"]: {**result_facts(content, line), **following} for line in content["ranking"]}
    return recipients_of(_entrants_by_number(release.stage, facts), facts)


def result_facts(content: Mapping[str, Any], line: Mapping[str, Any]) -> dict[str, Any]:
    """One line of the frozen content. `average` as "31/3" or null; `games` as there: [win, twelfths, tiles] or null for
    one not played; `through` null where nobody advances from this stage."""
    has_line = content.get("podium") is None
    return {
        "release": content["number"],
        "stage": content["stage"],
        **({"stage_name": content["stage_name"]} if "stage_name" in content else {}),
        "ranked": len(content["ranking"]),
        "rounds": content.get("rounds", 1),
        **{name: line[name] for name in ("rank", "tied", "wins", "points_twelfths", "average", "tiles")},
        "order": content["order"],
        "games": line.get("games", []),
        "through": bool(line["advancing"]) if has_line else None,
        "reserve": line["reserve"] if has_line else None,
    }


def recipients_of_places(stage: Stage) -> Recipients:
    """Everyone who holds a place of the next stage and has a link in force; the link itself stands in no fact."""
    live, links = live_places(stage), links_in_force(stage)
    held = [live.entrants[one.id].number for one in live.places.holders]
    lines = {line["number"]: line for line in live.release.content["ranking"]} if live.release else {}
    final = next_stage(stage)
    rounds = final.sessions.exclude(state=SessionState.VOID).order_by("number") if final else []
    of_all = {
        "until": stage.answers_until.isoformat() if stage.answers_until else None,
        "check_ins": [one.check_in_at.isoformat() for one in rounds if one.state != SessionState.POSTPONED],
    }
    facts = {
        number: {
            **of_all,
            "rank": lines[number]["rank"],
            "tied": bool(lines[number]["tied"]),
            "called": not lines[number]["advancing"],
        }
        for number in held
        if number in links
    }
    return recipients_of(_entrants_by_number(stage, facts), facts)


def _entrants_by_number(stage: Stage, facts: Mapping[int, Any]) -> list[Entrant]:
    """The entrants of these numbers with their persons, by number; one query."""
    chosen = Entrant.objects.filter(event=stage.event_id, number__in=list(facts))
    return list(chosen.select_related("person").order_by("number"))
