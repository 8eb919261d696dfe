"""Who gets a mail of seats, results or places, and the facts that each one's text is made from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext_noop as _

from tournament.bridge.release_places import live_places
from tournament.bridge.rulesets import ruleset_of
from tournament.enums import MailingKind, SessionState, StageKind
from tournament.errors import Refused
from tournament.models import Entrant, Event, Notice, Release, Session, Stage
from tournament.queries.bounces import tried_in_vain
from tournament.queries.finalists import final_of, round_of
from tournament.queries.invitations import links_in_force
from tournament.queries.mailings_shown import Told, told_already
from tournament.queries.notices_replaced import newest_word
from tournament.queries.recipients import Recipient, Recipients, for_notice, recipients_of
from tournament.queries.seating import draw_of, seats_of, takes_part
from tournament.queries.session_life import life_of

NOT_CONFIRMED = _("The seats of this session are not confirmed yet. Confirm them first; then they can be mailed.")
NO_TIMES = _("This session is postponed. Give it its new times first; then its seats can be mailed.")
OVER = _("This session is over or void, so that nobody needs to know a seat in it.")
NOT_PUBLISHED = _("This notice is a draft. Publish it first: it is mailed with it.")
REPLACED = _("Notice %(number)s counts no more: notice %(newest)s replaces it. Mail that one.")
WITHDRAWN = _("This release was withdrawn or replaced. Mail the results of the newest one.")


@dataclass(frozen=True)
class Plan:
    """What is to be mailed: who gets it is gathered when it is looked at, which may be refused with a sentence."""

    kind: MailingKind
    subject: str
    gather: Callable[[], Recipients]
    notice: Notice | None = None


@dataclass(frozen=True)
class Reach:
    """Of how many mails that should have gone out the mail server has taken how many, to the addresses of now."""

    told: int
    of: int


def reach_of(notice: Notice) -> Reach:
    """Of a published notice: told against what should be told now."""
    found = for_notice(notice)
    told = told_already(notice.event, MailingKind.NOTICE, f"notice {notice.number}")
    return Reach(len(found.found) - len(not_told(found, told).found), len(found.found))


def notice_plan(notice: Notice) -> Plan:
    """A published notice that counts."""
    return Plan(MailingKind.NOTICE, f"notice {notice.number}", lambda: for_notice_in_force(notice), notice)


def seats_plan(session: Session) -> Plan:
    """The seats of a session with how the timer is used."""
    return Plan(MailingKind.SEATS, f"session {session.code}", lambda: for_seats(session))


def results_plan(release: Release) -> Plan:
    """The results of a release that stands."""
    return Plan(MailingKind.RESULTS, f"release {release.number}", lambda: for_results(release))


def places_plan(stage: Stage) -> Plan:
    """The private links of those who hold a place of the final."""
    return Plan(MailingKind.PLACES, f"stage {stage.kind}", lambda: for_places(stage))


def not_told(found: Recipients, told: Mapping[int, Told]) -> Recipients:
    """Those who have not got exactly this at the address that they have now: whom no mail reached, whose seat or times
    have changed since, whose address was mended."""
    return replace(found, found=tuple(one for one in found.found if not is_told(one, told)))


def left_to_mail(event: Event, plan: Plan, found: Recipients) -> Recipients:
    """Those who have not got it, without those to whom it was mailed at an address that takes no mail: to be
    telephoned, not tried again."""
    untold = not_told(found, told_already(event, plan.kind, plan.subject))
    vain = tried_in_vain(event, plan.kind, plan.subject)
    left = tuple(one for one in untold.found if (one.number, one.address.casefold()) not in vain)
    return replace(untold, found=left)


def is_told(one: Recipient, told: Mapping[int, Told]) -> bool:
    """Whether all whom this mail is for have it already."""
    now = (one.address.casefold(), one.facts)
    return all(told.get(number) == now for number in (one.number, *one.also))


def for_notice_in_force(notice: Notice) -> Recipients:
    """Everyone whom the notice is about; refused while it is a draft, and once another counts instead."""
    if notice.number is None:
        raise Refused("not_published", NOT_PUBLISHED)
    if newest := newest_word(notice):
        raise Refused("notice_replaced", REPLACED, number=notice.number, newest=newest)
    return for_notice(notice)


def for_seats(session: Session) -> Recipients:
    """Everyone with a seat who takes part, one mail each: where, when, and how the timer is used (003, 2.3).

    Refused while the seats are not confirmed, the session waits for new times, or is over.
    """
    if session.state == SessionState.POSTPONED:
        raise Refused("session_postponed", NO_TIMES)
    if session.state in (SessionState.VOID, SessionState.CLOSED) or life_of(session).is_over:
        raise Refused("session_over", OVER)
    draw = draw_of(session)
    if draw is None or draw.confirmed_at is None:
        raise Refused("seats_not_confirmed", NOT_CONFIRMED)
    of_all = session_facts(session)
    seats = [seat for seat in seats_of(session) if takes_part(seat.entrant, session)]
    facts = {seat.entrant.number: {**of_all, "table": seat.table.number, "letter": seat.letter} for seat in seats}
    return recipients_of(sorted((seat.entrant for seat in seats), key=lambda one: one.number), facts)


def session_facts(session: Session) -> dict[str, Any]:
    """What all of a session are told. Moments as ISO 8601; the rules of a turn as the stage's ruleset has them, null
    where it has none."""
    rules, round = ruleset_of(session.stage), round_of(session)
    return {
        "stage": session.stage.kind,
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


def for_results(release: Release) -> Recipients:
    """Everyone ranked in a release that stands, one mail each, with the figures as they were released."""
    newest = Release.objects.filter(stage=release.stage_id).order_by("-number").values_list("number", flat=True).first()
    if release.withdrawn_at or newest != release.number:
        raise Refused("release_not_standing", WITHDRAWN)
    content = release.content
    facts = {line["number"]: result_facts(content, line) for line in content["ranking"]}
    return recipients_of(_entrants(release.stage, facts), facts)


def result_facts(content: Mapping[str, Any], line: Mapping[str, Any]) -> dict[str, Any]:
    """One line of the frozen content. `average` as "31/3" or null; `games` as there: [win, twelfths, tiles] or null for
    one not played; `through` null where nobody advances from this stage."""
    has_line = content["stage"] != StageKind.FINAL
    return {
        "release": content["number"],
        "stage": content["stage"],
        "ranked": len(content["ranking"]),
        "rounds": content.get("rounds", 1),
        **{name: line[name] for name in ("rank", "tied", "wins", "points_twelfths", "average", "tiles")},
        "order": content["order"],
        "games": line.get("games", []),
        "through": bool(line["advancing"]) if has_line else None,
        "reserve": line["reserve"] if has_line else None,
    }


def for_places(stage: Stage) -> Recipients:
    """Everyone who holds a place of the next stage and has a link in force; the link itself stands in no fact."""
    live, links = live_places(stage), links_in_force(stage)
    held = [live.entrants[one.id].number for one in live.places.holders]
    lines = {line["number"]: line for line in live.release.content["ranking"]} if live.release else {}
    final = final_of(stage.event)
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
    return recipients_of(_entrants(stage, facts), facts)


def _entrants(stage: Stage, facts: Mapping[int, Any]) -> list[Entrant]:
    """The entrants of these numbers with their persons, by number; one query."""
    chosen = Entrant.objects.filter(event=stage.event_id, number__in=list(facts))
    return list(chosen.select_related("person").order_by("number"))
