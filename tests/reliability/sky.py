"""Generated days against an oracle written from the rules alone (R50-R56): no day is played under a stop signal."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from random import Random

from scoring.signals import Observation, SignalSpan, read_signal_spans, signals_in_force
from scoring.weather_proposal import WeatherProposal, propose_weather_decision
from tests.reliability.figures import Figure
from tests.reliability.sky_days import CHECK_IN, LATEST, LINE, Day, make_day, moment
from tests.reliability.sky_oracle import MUST, MUST_NOT, Known, is_stop, lists_stop

Rows = Sequence[tuple[datetime, datetime]]
Merge = Callable[[Sequence[Observation], Rows], tuple[SignalSpan, ...]]
TITLE = "days called against the rules: played under a signal that stops it, or called off under a sky that was clear"


def careless(journal: Sequence[Observation], _rows: Rows) -> tuple[SignalSpan, ...]:
    """The control: whatever the feed lists later of a code that a person stated is taken for the same signal, and
    no look of our own is asked."""
    stated = {(line.family, line.code): line.number for line in reversed(journal) if line.by_hand}
    kept = [
        line for line in journal if line.by_hand or stated.get((line.family, line.code), line.number) >= line.number
    ]
    return read_signal_spans(kept)


def figure(count: int, seed: int, *, control: bool = False) -> Figure:
    """So many days, each judged before the line, between it and the first check-in, and at the end."""
    dice = Random(seed)
    merge: Merge = careless if control else read_signal_spans
    wrong: list[str] = []
    bound: Counter[str] = Counter()
    for place in range(count):
        day = make_day(dice)
        for now in (LINE - dice.randint(1, 120), dice.randint(LINE, CHECK_IN - 1), dice.randint(CHECK_IN, LATEST)):
            if faults := judged(day, now, merge, bound):
                wrong.append(f"day {place} at {now}: {', '.join(faults)}")
                break
    made = Figure("sky", TITLE, "none", count, len(wrong), count, seed)
    made.facts = {"moments": 3 * count, **dict(sorted(bound.items())), "first": wrong[:5]}
    return made


def judged(day: Day, now: int, merge: Merge, bound: Counter[str]) -> list[str]:
    """What a proposal at a moment breaks; `bound` counts how often each rule bound."""
    known = Known(day, now)
    journal = [line for line, said in zip(day.journal, day.lines, strict=True) if said.seen <= now]
    rows = [(first, min(last, moment(now))) for first, last in day.rows if first <= moment(now)]
    read = merge(journal, rows)
    look = known.last_look
    proposal = propose_weather_decision(moment(CHECK_IN), read, None if look is None else moment(look), moment(now))
    found = []
    binding = [name for name, rule in (MUST_NOT | MUST).items() if rule(known)]
    bound.update(binding)
    for name in binding:
        if (is_go(proposal) and name in MUST_NOT) or (proposal.outcome != "go" and name in MUST):
            found.append(name)
    if "listed now" in binding and not shown(known, read, now):
        found.append("listed now and not shown")
    return found


def is_go(proposal: WeatherProposal) -> bool:
    """Whether it says that the day is played, or would be."""
    return "go" in (proposal.outcome, proposal.verdict.decision, proposal.verdict.otherwise)


def shown(known: Known, read: Sequence[SignalSpan], now: int) -> bool:
    """Whether a stop signal of a family that lists one is shown as in force."""
    look = known.last_look
    assert look is not None
    listing = {family for family in known.day.listings if lists_stop(known.day.listed(family, look))}
    return any(one.family in listing and is_stop(one.signal.code) for one in signals_in_force(read, moment(now)))
