"""A person's decision whether a day is played, with the evidence that was before them (rules.md, Weather).

Until the deadline the day is pending and only an override is possible; from the deadline on the system proposes and a
person confirms or overrides; from the first check-in on nothing changes the day's decision. What was decided in time
and not recorded then may be recorded later, once, with the hour at which it was decided and why so late.
"""

from datetime import date, datetime, timedelta

from django.contrib.auth.models import AbstractUser
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.bridge.scoresheets import is_storable
from tournament.bridge.weather import LiveDay, evidence_of, iso, live_day, proposed_of, seen_at
from tournament.enums import WeatherOutcome
from tournament.errors import BadInput, Missing, Refused
from tournament.models import AuditHead, Event, Session, WeatherDecision
from tournament.services import audit, postponing
from tournament.services.acting import Acting
from tournament.services.audit import instant

NO_DAY = _("There is no day of play on this date.")
NO_OUTCOME = _("Choose whether the day is played or called off.")
REASON = _("Say why in at most 500 characters: this is not what the rule says.")
CHANGED = _("The sky or the decision has changed since your page was made. Nothing was decided. Look again below.")
OVER = _("The first check-in was at %(at)s. From then on nothing changes the day's decision. Nothing was decided.")
LATE = _("Say in at most 500 characters how it was decided and told, and why it is recorded only now.")
WHEN = _("Give the hour at which it was decided: on that day, before the first check-in at %(at)s.")
NOT_LATE = _("The day can still be decided here. An earlier hour is given only for what is recorded late.")
NO_SESSIONS = _("This day has no sessions any more, so there is nothing to decide.")
DECIDED = _("That is what stands decided already. Nothing was done.")
BY_DECISION = _("Weather decision %(number)s")
LONGEST_REASON = 500
EARLIEST = timedelta(days=1)


def decide(
    event: Event,
    day: date,
    *,
    outcome: str,
    reason: str,
    seen: str,
    by: AbstractUser,
    request_key: str,
    decided_at: datetime | None = None,
    now: datetime | None = None,
) -> WeatherDecision:
    """Decide a day, harmless when sent twice; `seen` is `seen_digest` of what the page showed.

    1. the day's sessions are locked, then the log's head; 2. what the page showed is what is known now; before the
    first check-in; 3. a reason wherever it is not the proposal; 4. the row with its evidence; 5. called off: the
    sessions that have not begun are postponed; as planned: those that are postponed are brought back; 6. the audit
    entry. With `decided_at`, from the first check-in on, the first decision of a day that nobody recorded in time: a
    reason always, and nothing is brought back. Refused: BadInput `outcome_missing`, `reason_missing`, `decided_when`;
    `weather_changed`, `day_begun`, `decided_already`.
    """
    if outcome not in WeatherOutcome.values:
        raise BadInput("outcome_missing", NO_OUTCOME)
    why = reason.strip()
    if len(why) > LONGEST_REASON or not is_storable(why):
        raise BadInput("reason_missing", REASON)

    def do() -> int:
        return _decide(event, day, WeatherOutcome(outcome), why, seen, decided_at, by, now or timezone.now())

    payload = [event.pk, day.isoformat(), outcome, why, seen, instant(decided_at) if decided_at else ""]
    return WeatherDecision.objects.get(pk=Acting(by, request_key).once("decide_weather", payload, do))


def _decide(
    event: Event,
    day: date,
    outcome: WeatherOutcome,
    why: str,
    seen: str,
    decided_at: datetime | None,
    by: AbstractUser,
    now: datetime,
) -> int:
    list(Session.objects.select_for_update(no_key=True).filter(stage__event=event).order_by("pk"))
    AuditHead.objects.select_for_update(no_key=True).get(event=event)
    live = live_day(event, day, now)
    if live is None:
        raise Missing("no_such_day", NO_DAY)
    if live.first_check_in is None:
        raise Refused("no_sessions", NO_SESSIONS, about=live)
    _in_time(live, decided_at, why)
    if seen != seen_digest(live):
        raise Refused("weather_changed", CHANGED, about=live)
    if live.decision and live.decision.outcome == outcome:
        raise Refused("decided_already", DECIDED, about=live)
    proposed = proposed_of(live)
    if outcome != proposed and not why:
        raise BadInput("reason_missing", REASON)
    row = WeatherDecision.objects.create(
        event=event,
        number=event.weather_decisions.count() + 1,
        day=day,
        outcome=outcome,
        proposed=proposed,
        evidence={**evidence_of(live), **seen_at(live), **({"decided_at": iso(decided_at)} if decided_at else {})},
        reason=why,
        by=by,
        at=now,
    )
    audit.record(event, by, "decide_weather", thing_of(row), digest=("", digest_of(row)), reason=why, at=now)
    move_sessions(live, row, now)
    return int(row.pk)


def _in_time(live: LiveDay, decided_at: datetime | None, why: str) -> None:
    """Before the first check-in; or recorded late, as it was decided before it."""
    first = live.first_check_in
    assert first is not None
    said = f"{timezone.localtime(first):%H:%M}"
    if live.now < first:
        if decided_at:
            raise BadInput("decided_when", NOT_LATE)
        return
    if decided_at is None or not live.may_be_recorded_late:
        raise Refused("day_begun", OVER, about=live, at=said)
    if not first - EARLIEST <= decided_at < first:
        raise BadInput("decided_when", WHEN, at=said)
    if not why:
        raise BadInput("reason_missing", LATE)


def move_sessions(live: LiveDay, row: WeatherDecision, now: datetime) -> None:
    """What follows for the day's sessions; the clock's rows say by which decision."""
    reason = gettext(BY_DECISION) % {"number": row.number}
    if row.outcome == WeatherOutcome.CANCEL:
        due = [*live.not_begun, *live.held_back]
        if due:
            postponing.postpone(due, reason=reason, by=row.by, now=now)
    elif live.postponed and not row.recorded_late:
        postponing.bring_back(live.postponed, reason=reason, by=row.by, now=now)


def seen_digest(live: LiveDay) -> str:
    """Of what a page shows for the decision: another signal, another time or another proposal gives another."""
    return audit.digest_of(evidence_of(live))


def thing_of(row: WeatherDecision) -> str:
    """How the audit log names the day."""
    return f"weather {row.day.isoformat()}"


def digest_of(row: WeatherDecision) -> str:
    """Of what a row says beside who, when and why: the log holds it to that (reliability 4.3)."""
    return audit.digest_of([row.number, row.outcome, row.proposed, row.evidence])
