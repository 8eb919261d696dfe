"""A day of play under the sky: the journal as `scoring.signals` reads it, the rule's proposal, what was decided."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.utils import timezone

from scoring.looks import Look, blind
from scoring.proposal import Proposal, propose
from scoring.signals import Observation, Stretch, in_force, stretches
from scoring.weather import Evidence, is_stop
from tournament.bridge.weather_plan import DEADLINE, first_check_in
from tournament.enums import LifeStage, SessionState, WeatherOutcome, WeatherSource
from tournament.models import Event, Session, WeatherDecision, WeatherReading, WeatherSignal
from tournament.queries import weather as queries
from tournament.queries.session_life import NOT_BEGUN, Life, lives_of
from tournament.queries.weather_feed import good_looks

# The feed is read from so long before the deadline on.
READ_FROM = timedelta(hours=6)


def observations(journal: Iterable[WeatherSignal]) -> list[Observation]:
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
    lives: Mapping[int, Life]
    first_check_in: datetime | None
    stretches: Sequence[Stretch]
    journal: Sequence[WeatherSignal]
    reading: WeatherReading | None
    good: WeatherReading | None
    proposal: Proposal | None
    decisions: Sequence[WeatherDecision]
    # From the deadline to the first check-in: when nobody looked, so that a signal may have come and gone unseen.
    blind: Sequence[tuple[datetime, datetime]] = ()

    @property
    def deadline(self) -> datetime | None:
        """Two hours before the first check-in."""
        return self.first_check_in - DEADLINE if self.first_check_in else None

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
            return "far" if self.now < self.deadline - READ_FROM else "before"
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
    def in_force(self) -> Sequence[Stretch]:
        """Every signal that is in force now. What may stop play is so even where it has vanished without an end;
        what does not stop it is no more told once the feed lists it no more."""
        known = in_force(self.stretches, self.now)
        return tuple(one for one in known if is_stop(one.signal.code) or one.vanished is None)

    @property
    def stops(self) -> Sequence[Stretch]:
        """Those of them that stop play."""
        return [one for one in self.in_force if is_stop(one.signal.code)]

    @property
    def others(self) -> Sequence[Stretch]:
        """Those of them that do not."""
        return [one for one in self.in_force if not is_stop(one.signal.code)]

    @property
    def vanished(self) -> Sequence[Stretch]:
        """Stop signals that the feed lists no more though nothing says that they ended."""
        return [one for one in self.stops if one.vanished]

    @property
    def because(self) -> Sequence[Evidence]:
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
    def weighed(self) -> Sequence[Evidence]:
        """The same, what stops play first."""
        return sorted(self.because, key=lambda one: not is_stop(one.signal.code))

    # Sessions, by what a stop signal means for them.
    @property
    def not_begun(self) -> Sequence[Session]:
        """To be held back."""
        return [one for one in self.sessions if self.lives[one.pk].stage in NOT_BEGUN]

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
    decisions = [one for one in queries.decisions_of(event) if one.day == day]
    if not found and not decisions:
        return None
    journal = queries.journal_of(event)
    looks = good_looks(event)
    good = next((row for row in reversed(looks) if row.last_at <= now), None)
    read = stretches(
        observations(journal), [(row.first_at, row.last_at) for row in looks if row.source == WeatherSource.FEED]
    )
    lives = lives_of(found)
    first = first_check_in(event, day, rows, lives, decisions)
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
        proposal=propose(first, read, good.last_at if good else None, now) if first else None,
        decisions=decisions,
        blind=blind_of(looks, first, now) if first else (),
    )


def blind_of(looks: Sequence[WeatherReading], first: datetime, now: datetime) -> Sequence[tuple[datetime, datetime]]:
    """Between the deadline and the first check-in, as far as that is past."""
    since, until = first - DEADLINE, min(first, now)
    if until < since:
        return ()
    rows = [row for row in looks if row.first_at <= until and row.last_at >= since]
    return blind([Look(row.first_at, row.last_at, row.source == WeatherSource.HAND) for row in rows], since, until)


def days_of(event: Event) -> list[date]:
    """Every day of play, and every day that was decided on though its sessions have moved since, in order."""
    decided = {one.day for one in queries.decisions_of(event)}
    return sorted(decided | set(queries.sessions_by_day(queries.all_sessions(event))))


def day_to_show(days: Sequence[date], today: date) -> date | None:
    """Today's day of play, else the next, else the last."""
    return next((day for day in days if day >= today), days[-1] if days else None)


# --- What a decision keeps ------------------------------------------------------------------------------
def evidence_of(live: LiveDay) -> dict[str, Any]:
    """All that the page shows for the decision, as plain data that is frozen with it; moments as ISO 8601."""
    proposal = live.proposal
    return {
        "first_check_in": iso(live.first_check_in),
        "deadline": iso(live.deadline),
        "phase": live.phase,
        "sessions": [one.code for one in live.sessions],
        "signals": [signal_facts(live, one) for one in live.because],
        "proposed": proposed_of(live),
        "otherwise": (proposal.outcome or "") if proposal else "",
        "known": proposal.known if proposal else "unknown",
        "feed": [live.reading.state, live.reading.why] if live.reading else None,
        "decision": live.decisions[0].number if live.decisions else None,
    }


def seen_at(live: LiveDay) -> dict[str, Any]:
    """Beside the evidence: the moment, the looks that it rests on, the sessions' states. They move on without it."""
    good, reading = live.good, live.reading
    return {
        "now": iso(live.now),
        "known_until": iso(good.last_at) if good else None,
        "known_by": good.source if good else "",
        "blind": [[iso(since), iso(until)] for since, until in live.blind],
        "feed_at": iso(reading.last_at) if reading else None,
        "payload": reading.digest if reading else "",
        "states": {one.code: one.state for one in live.sessions},
    }


def proposed_of(live: LiveDay) -> str:
    """What the system proposes from the deadline on; nothing before it, and nothing where a person must look."""
    if live.proposal is None or live.phase in ("far", "before"):
        return ""
    return live.proposal.outcome or ""


def contradicted(live: LiveDay) -> bool:
    """Whether the rule says another thing now than is decided, and than it said when that was decided."""
    proposed, made = proposed_of(live), live.decision
    return bool(live.phase == "deciding" and made and proposed and proposed not in (made.outcome, made.proposed))


def signal_facts(live: LiveDay, one: Evidence) -> dict[str, Any]:
    """A signal, its place in the journal and how it weighed."""
    stretch = live.stretches[one.place]
    return {
        "code": one.signal.code,
        "family": stretch.family,
        "issued": iso(one.signal.issued),
        "ended": iso(one.signal.cancelled),
        "vanished": iso(stretch.vanished),
        "by_hand": stretch.by_hand,
        "lines": [stretch.begun_by, stretch.ended_by],
        "why": one.why,
    }


def iso(at: datetime | None) -> str | None:
    """A moment in the zone of the hall."""
    return timezone.localtime(at).isoformat() if at else None
