"""The journal of signals, looks by hand and the days' decisions against the log: what the rows say, and the same as the
log has it."""

from collections import defaultdict
from typing import Any

from tournament.models import Event
from tournament.queries import audit as queries
from tournament.services.audit import instant
from tournament.services.audit_chain import Chain
from tournament.services.weather import LOOKS, look_digest, signal_digest
from tournament.services.weather import thing_of as line_of
from tournament.services.weather_decisions import digest_of, thing_of

Facts = dict[str, list[Any]]


def signals(event: Event, using: str) -> Facts:
    """Of each line: by whom, nobody for the feed; when, the note, and what it says."""
    return {
        line_of(row): [[row.by_id, instant(row.seen_at), row.note, signal_digest(row)]]
        for row in queries.signals_of(event, using)
    }


def signals_said(chain: Chain) -> Facts:
    """The same."""
    return _said(chain, "observe_signal", "enter_signal")


def looks(event: Event, using: str) -> Facts:
    """Every look by hand, in order: by whom, the note, and what it says; when it was said the log alone knows."""
    found = [[row.by_id, row.note, look_digest(row)] for row in queries.looks_by_hand(event, using)]
    return {LOOKS: found} if found else {}


def looks_said(chain: Chain) -> Facts:
    """The same."""
    found = [[act.actor, act.reason, act.digest] for act in chain.by_action["look_by_hand"]]
    return {LOOKS: found} if found else {}


def days(event: Event, using: str) -> Facts:
    """Of each day every decision, in order: by whom, when, why, and which with what evidence."""
    found: Facts = defaultdict(list)
    for row in queries.weather_decisions(event, using):
        found[thing_of(row)].append([row.by_id, instant(row.at), row.reason, digest_of(row)])
    return found


def days_said(chain: Chain) -> Facts:
    """The same."""
    return _said(chain, "decide_weather")


def _said(chain: Chain, *actions: str) -> Facts:
    found: Facts = defaultdict(list)
    for act in sorted(act for action in actions for act in chain.by_action[action]):
        found[act.thing].append([act.actor, act.at, act.reason, act.digest])
    return found
