"""A day of play under the sky: the journal as `scoring.signals` reads it, the rule's proposal, what was decided."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.utils import timezone

from scoring.feed_observation import ObservedPeriod, observation_gaps
from scoring.signals import Observation, SignalSpan, read_signal_spans, signals_in_force
from scoring.weather import SignalEvidence, is_stop_signal
from scoring.weather_proposal import WeatherProposal, propose_weather_decision
from tournament.core.enums import LifeStage, SessionState, WeatherOutcome, WeatherSource
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.sheets.queries.session_life import STAGES_BEFORE_BEGIN, SessionLife, session_lives_of
from tournament.weather.domain.plan import DEADLINE_LEAD_TIME, first_check_in_of_day
from tournament.weather.models import WeatherDecision, WeatherReading, WeatherSignal
from tournament.weather.queries import weather as queries
from tournament.weather.queries.feed import good_readings

# The feed is read from so long before the deadline on.
FEED_WATCH_BEFORE = timedelta(hours=6)


def journal_observations(journal: Iterable[WeatherSignal]) -> list[Observation]:
    """The lines of the journal as the rules read them."""
    return [
        Observation(
            number=row.number,
            family=row.family,
            code=row.code,
            action=row.action,
            issued=row.issued_at,
            updated=row.updated_at,
            ended=row.ended_at,
            seen=row.seen_at,
            by_hand=row.source == WeatherSource.HAND,
            about=row.about.number if row.about else None,
            withdraws=row.withdraws,
            expires=row.expires_at,
        )
        for row in journal
    ]


# --- A day ----------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class LiveDay:
    """All that is known of a day of play at `now`; without sessions only what was decided of it."""

    event: Event
    day: date
    now: datetime
    sessions: Sequence[Session]
    lives: Mapping[int, SessionLife]
    first_check_in: datetime | None
    stretches: Sequence[SignalSpan]
    journal: Sequence[WeatherSignal]
    reading: WeatherReading | None
    good: WeatherReading | None
    proposal: WeatherProposal | None
    decisions: Sequence[WeatherDecision]
    # From the deadline to the first check-in: when nobody looked, so that a signal may have come and gone unseen.
    blind: Sequence[tuple[datetime, datetime]] = ()

    @property
    def deadline(self) -> datetime | None:
        """Two hours before the first check-in."""
        return self.first_check_in - DEADLINE_LEAD_TIME if self.first_check_in else None

    @property
    def ends_at(self) -> datetime | None:
        """When the last session of the day ends by the plan."""
        return max((one.ends_at for one in self.sessions), default=None)

    @property
    def phase(self) -> str:
        """`none` without sessions; `far`, `before` the deadline, `deciding` until the first check-in, `playing`,
        `over`."""
        if self.first_check_in is None or self.deadline is None or self.ends_at is None:
            return "none"
        if self.now < self.deadline:
            return "far" if self.now < self.deadline - FEED_WATCH_BEFORE else "before"
        if self.now < self.first_check_in:
            return "deciding"
        return "playing" if self.now < self.ends_at or self.unfinished else "over"

    @property
    def unfinished(self) -> bool:
        """Whether a session of today is still played, or is held back."""
        lasting = (SessionState.PLAYING, SessionState.SUSPENDED)
        return self.day == timezone.localdate(self.now) and any(one.state in lasting for one in self.sessions)

    @property
    def tables(self) -> int:
        """How many tables have people, over the day's sessions."""
        return sum(self.lives[one.pk].tables for one in self.sessions)

    @property
    def sheets(self) -> int:
        """Of how many of them a sheet was begun: the only thing that says that somebody played."""
        return sum(self.lives[one.pk].sheets for one in self.sessions)

    @property
    def may_be_recorded_late(self) -> bool:
        """Whether the day has begun and nobody has recorded any decision of it."""
        return self.phase in ("playing", "over") and not self.decisions

    @property
    def decision(self) -> WeatherDecision | None:
        """The newest that holds. A day called off that has sessions to play again waits for another."""
        newest = self.decisions[0] if self.decisions else None
        if newest and newest.outcome == WeatherOutcome.CANCEL and self.not_begun:
            return None
        return newest

    @property
    def called_off(self) -> bool:
        """Whether that decision is that nothing is played."""
        return self.decision is not None and self.decision.outcome == WeatherOutcome.CANCEL

    @property
    def in_force(self) -> Sequence[SignalSpan]:
        """Every signal that is in force now. What may stop play is so even where it has vanished without an end;
        what does not stop it is no more told once the feed lists it no more."""
        known = signals_in_force(self.stretches, self.now)
        return tuple(one for one in known if is_stop_signal(one.signal.code) or one.vanished is None)

    @property
    def stops(self) -> Sequence[SignalSpan]:
        """Those of them that stop play."""
        return [one for one in self.in_force if is_stop_signal(one.signal.code)]

    @property
    def others(self) -> Sequence[SignalSpan]:
        """Those of them that do not."""
        return [one for one in self.in_force if not is_stop_signal(one.signal.code)]

    @property
    def vanished(self) -> Sequence[SignalSpan]:
        """Stop signals that the feed lists no more though nothing says that they ended."""
        return [one for one in self.stops if one.vanished]

    @property
    def because(self) -> Sequence[SignalEvidence]:
        """How each signal that reaches into this day weighs."""
        if self.proposal is None or self.ends_at is None:
            return []
        begins = timezone.make_aware(datetime.combine(self.day, time.min))
        return [
            one
            for one in self.proposal.verdict.because
            if one.signal.issued <= self.ends_at and (one.signal.cancelled is None or one.signal.cancelled >= begins)
        ]

    @property
    def weighed(self) -> Sequence[SignalEvidence]:
        """The same, what stops play first."""
        return sorted(self.because, key=lambda one: not is_stop_signal(one.signal.code))

    # Sessions, by what a stop signal means for them.
    @property
    def not_begun(self) -> Sequence[Session]:
        return [one for one in self.sessions if self.lives[one.pk].stage in STAGES_BEFORE_BEGIN]

    @property
    def still_to_come(self) -> Sequence[Session]:
        """Those of them whose hour is yet to come."""
        return [one for one in self.not_begun if self.now < one.play_at]

    @property
    def unrecorded(self) -> Sequence[Session]:
        """Those of them whose hour has come: they may be played, though nobody pressed their clock and no sheet came
        in. A person says which."""
        return [one for one in self.not_begun if one.play_at <= self.now]

    @property
    def held_back(self) -> Sequence[Session]:
        """To be let go on once the signal has ended."""
        return [one for one in self.sessions if self.lives[one.pk].stage == LifeStage.HELD]

    @property
    def running(self) -> Sequence[Session]:
        """Being played, by the clock or by the sheets that come in: whoever is in charge is alerted."""
        return [one for one in self.sessions if one.state == SessionState.PLAYING or self.is_untimed(one)]

    def is_untimed(self, session: Session) -> bool:
        """Whether its sheets come in while nobody has pressed its clock."""
        life = self.lives[session.pk]
        return life.stage == LifeStage.BEGUN and not life.is_timed

    @property
    def stopped(self) -> Sequence[Session]:
        """Suspended while they were played."""
        return [one for one in self.sessions if self.lives[one.pk].stage == LifeStage.BROKEN_OFF]

    @property
    def postponed(self) -> Sequence[Session]:
        """Put off, their old times still standing in the plan."""
        return [one for one in self.sessions if one.state == SessionState.POSTPONED]


def live_day(event: Event, day: date, now: datetime) -> LiveDay | None:
    """The day as it stands at `now`; None for a day that has neither sessions nor a decision."""
    rows = queries.all_sessions(event)
    found = queries.sessions_by_day(rows).get(day, [])
    decisions = [one for one in queries.weather_decisions_newest_first(event) if one.day == day]
    if not found and not decisions:
        return None
    journal = queries.journal_of(event)
    looks = good_readings(event)
    good = next((row for row in reversed(looks) if row.last_at <= now), None)
    read = read_signal_spans(
        journal_observations(journal),
        [(row.first_at, row.last_at) for row in looks if row.source == WeatherSource.FEED],
    )
    lives = session_lives_of(found)
    first = first_check_in_of_day(event, day, rows, lives, decisions)
    return LiveDay(
        event=event,
        day=day,
        now=now,
        sessions=found,
        lives=lives,
        first_check_in=first,
        stretches=read,
        journal=journal,
        reading=queries.last_reading(event, now),
        good=good,
        proposal=propose_weather_decision(first, read, good.last_at if good else None, now) if first else None,
        decisions=decisions,
        blind=observation_gaps_of_day(looks, first, now) if first else (),
    )


def observation_gaps_of_day(
    looks: Sequence[WeatherReading], first: datetime, now: datetime
) -> Sequence[tuple[datetime, datetime]]:
    """Between the deadline and the first check-in, as far as that is past."""
    since, until = first - DEADLINE_LEAD_TIME, min(first, now)
    if until < since:
        return ()
    rows = [row for row in looks if row.first_at <= until and row.last_at >= since]
    return observation_gaps(
        [ObservedPeriod(row.first_at, row.last_at, row.source == WeatherSource.HAND) for row in rows], since, until
    )


def days_of_play_or_decision(event: Event) -> list[date]:
    """Every day of play, and every day that was decided on though its sessions have moved since, in order."""
    decided = {one.day for one in queries.weather_decisions_newest_first(event)}
    return sorted(decided | set(queries.sessions_by_day(queries.all_sessions(event))))


def day_to_show(days: Sequence[date], today: date) -> date | None:
    """Today's day of play, else the next, else the last."""
    return next((day for day in days if day >= today), days[-1] if days else None)


# --- What a decision keeps ------------------------------------------------------------------------------
def decision_evidence(live: LiveDay) -> dict[str, Any]:
    """All that the page shows for the decision, as plain data that is frozen with it; moments as ISO 8601."""
    proposal = live.proposal
    return {
        "first_check_in": hall_iso_text(live.first_check_in),
        "deadline": hall_iso_text(live.deadline),
        "phase": live.phase,
        "sessions": [one.code for one in live.sessions],
        "signals": [signal_evidence_facts(live, one) for one in live.because],
        "proposed": proposed_outcome(live),
        "otherwise": (proposal.outcome or "") if proposal else "",
        "known": proposal.known if proposal else "unknown",
        "feed": [live.reading.state, live.reading.why] if live.reading else None,
        "decision": live.decisions[0].number if live.decisions else None,
    }


def evidence_circumstances(live: LiveDay) -> dict[str, Any]:
    """Beside the evidence: the moment, the looks that it rests on, the sessions' states. They move on without it."""
    good, reading = live.good, live.reading
    return {
        "now": hall_iso_text(live.now),
        "known_until": hall_iso_text(good.last_at) if good else None,
        "known_by": good.source if good else "",
        "blind": [[hall_iso_text(since), hall_iso_text(until)] for since, until in live.blind],
        "feed_at": hall_iso_text(reading.last_at) if reading else None,
        "payload": reading.digest if reading else "",
        "states": {one.code: one.state for one in live.sessions},
    }


def proposed_outcome(live: LiveDay) -> str:
    """What the system proposes from the deadline on; nothing before it, and nothing where a person must look."""
    if live.proposal is None or live.phase in ("far", "before"):
        return ""
    return live.proposal.outcome or ""


def is_decision_contradicted(live: LiveDay) -> bool:
    """Whether the rule says another thing now than is decided, and than it said when that was decided."""
    proposed, made = proposed_outcome(live), live.decision
    return bool(live.phase == "deciding" and made and proposed and proposed not in (made.outcome, made.proposed))


def signal_evidence_facts(live: LiveDay, one: SignalEvidence) -> dict[str, Any]:
    """A signal, its place in the journal and how it weighed."""
    stretch = live.stretches[one.place]
    return {
        "code": one.signal.code,
        "family": stretch.family,
        "issued": hall_iso_text(one.signal.issued),
        "ended": hall_iso_text(one.signal.cancelled),
        "vanished": hall_iso_text(stretch.vanished),
        "by_hand": stretch.by_hand,
        "lines": [stretch.begun_by, stretch.ended_by],
        "why": one.why,
    }


def hall_iso_text(at: datetime | None) -> str | None:
    """A moment in the zone of the hall."""
    return timezone.localtime(at).isoformat() if at else None
