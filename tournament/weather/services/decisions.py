"""A person's decision whether a day is played, with the evidence that was before them (R50-R55).

Until the deadline the day is pending and only an override is possible; from the deadline on the system proposes and a
person confirms or overrides; from the first check-in on nothing changes the day's decision. What was decided in time
and not recorded then may be recorded later, once, with the hour at which it was decided and why so late.
"""

from datetime import date, datetime, timedelta

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.audit.models import AuditHead
from tournament.core import canonical
from tournament.core.canonical import instant
from tournament.core.enums import WeatherOutcome
from tournament.core.errors import BadInput, NotFoundRefused, Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.devices.services.acting import ActingAccount
from tournament.sheets.domain.scoresheets import is_storable
from tournament.weather.domain.weather import (
    LiveDay,
    decision_evidence,
    evidence_circumstances,
    hall_iso_text,
    live_day,
    proposed_outcome,
)
from tournament.weather.models import WeatherDecision
from tournament.weather.services import postponing

WEATHER_DAY_UNKNOWN = _("There is no day of play on this date.")
NO_OUTCOME = _("Choose whether the day is played or called off.")
WEATHER_REASON_MISSING = _("Say why in at most 500 characters: this is not what the rule says.")
WEATHER_CHANGED = _(
    "The sky or the decision has changed since your page was made. Nothing was decided. Look again below."
)
WEATHER_DAY_STARTED = _(
    "The first check-in was at %(at)s. From then on nothing changes the day's decision. Nothing was decided."
)
LATE_DECISION_REASON_MISSING = _(
    "Say in at most 500 characters how it was decided and told, and why it is recorded only now."
)
LATE_DECISION_TIME_INVALID = _(
    "Give the hour at which it was decided: on that day, before the first check-in at %(at)s."
)
NOT_LATE = _("The day can still be decided here. An earlier hour is given only for what is recorded late.")
NO_SESSIONS = _("This day has no sessions any more, so there is nothing to decide.")
WEATHER_ALREADY_DECIDED = _("That is what stands decided already. Nothing was done.")
BY_DECISION = _("Weather decision %(number)s")
WEATHER_REASON_MAX_LENGTH = 500
WEATHER_DECISION_EARLIEST = timedelta(days=1)


def decide_weather_day(
    event: Event,
    day: date,
    *,
    outcome: str,
    reason: str,
    seen: str,
    by: User,
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
    if len(why) > WEATHER_REASON_MAX_LENGTH or not is_storable(why):
        raise BadInput("reason_missing", WEATHER_REASON_MISSING)

    def do() -> int:
        return write_weather_decision(
            event, day, WeatherOutcome(outcome), why, seen, decided_at, by, now or timezone.now()
        )

    payload = [event.pk, day.isoformat(), outcome, why, seen, instant(decided_at) if decided_at else ""]
    return WeatherDecision.objects.get(pk=ActingAccount(by, request_key).once("decide_weather", payload, do))


def write_weather_decision(
    event: Event,
    day: date,
    outcome: WeatherOutcome,
    why: str,
    seen: str,
    decided_at: datetime | None,
    by: User,
    now: datetime,
) -> int:
    """Write a day's decision with the evidence it was made on, and the entry. Returns its key."""
    list(Session.objects.select_for_update(no_key=True).filter(stage__event=event).order_by("pk"))
    AuditHead.objects.select_for_update(no_key=True).get(event=event)
    live = live_day(event, day, now)
    if live is None:
        raise NotFoundRefused("no_such_day", WEATHER_DAY_UNKNOWN)
    if live.first_check_in is None:
        raise Refused("no_sessions", NO_SESSIONS, about=live)
    _in_time(live, decided_at, why)
    if seen != seen_digest(live):
        raise Refused("weather_changed", WEATHER_CHANGED, about=live)
    if live.decision and live.decision.outcome == outcome:
        raise Refused("decided_already", WEATHER_ALREADY_DECIDED, about=live)
    proposed = proposed_outcome(live)
    if outcome != proposed and not why:
        raise BadInput("reason_missing", WEATHER_REASON_MISSING)
    row = WeatherDecision.objects.create(
        event=event,
        number=event.weather_decisions.count() + 1,
        day=day,
        outcome=outcome,
        proposed=proposed,
        evidence={
            **decision_evidence(live),
            **evidence_circumstances(live),
            **({"decided_at": hall_iso_text(decided_at)} if decided_at else {}),
        },
        reason=why,
        by=by,
        at=now,
    )
    services.append_audit_entry(
        event,
        by,
        "decide_weather",
        weather_day_subject_ref(row),
        digest=("", weather_decision_digest(row)),
        reason=why,
        at=now,
    )
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
        raise Refused("day_begun", WEATHER_DAY_STARTED, about=live, at=said)
    if not first - WEATHER_DECISION_EARLIEST <= decided_at < first:
        raise BadInput("decided_when", LATE_DECISION_TIME_INVALID, at=said)
    if not why:
        raise BadInput("reason_missing", LATE_DECISION_REASON_MISSING)


def move_sessions(live: LiveDay, row: WeatherDecision, now: datetime) -> None:
    """What follows for the day's sessions; the clock's rows say by which decision."""
    reason = gettext(BY_DECISION) % {"number": row.number}
    if row.outcome == WeatherOutcome.CANCEL:
        due = [*live.not_begun, *live.held_back]
        if due:
            postponing.postpone_sessions(due, reason=reason, by=row.by, now=now)
    elif live.postponed and not row.recorded_late:
        postponing.bring_back_sessions(live.postponed, reason=reason, by=row.by, now=now)


def seen_digest(live: LiveDay) -> str:
    """Of what a page shows for the decision: another signal, another time or another proposal gives another."""
    return canonical.digest_of(decision_evidence(live))


def weather_day_subject_ref(row: WeatherDecision) -> str:
    """How the audit log names the day."""
    return f"weather {row.day.isoformat()}"


def weather_decision_digest(row: WeatherDecision) -> str:
    """Of what a row says beside who, when and why: the log holds it to that (D3)."""
    return canonical.digest_of([row.number, row.outcome, row.proposed, row.evidence])
