"""What happened at the tables and with the tablets against the log: warnings, incidents, calls, clocks, codes, tablets,
held items.

A fact is who, when and a digest of what the row says; the act's entry has the same three. An entry without a digest was
written before rows were held to it: it still says who and when, and its row is compared with nothing.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from tournament.enums import ClockKind
from tournament.models import ClockEvent, Event, Incident, JudgeCall, NoteEnd, Warning
from tournament.queries import audit as queries
from tournament.services import clock, conduct, conduct_notes, devices, devices_bodies, devices_held, postponing_times
from tournament.services.audit import digest_of, instant
from tournament.services.audit_chain import Chain

KIND_OF = {
    "warn_entrant": "warning",
    "record_incident": "incident",
    **dict.fromkeys(("confirm_mark", "dismiss_mark", "withdraw_note"), "note_end"),
    **dict.fromkeys(("call_judge", "take_call", "answer_call"), "call"),
    **dict.fromkeys(("start_session", "suspend_session", "resume_session", "close_session"), "clock"),
    **dict.fromkeys(("reopen_session", "take_back_start", "pause_table", "unpause_table", "give_overtime"), "clock"),
    **dict.fromkeys(("hold_session", "unhold_session", "postpone_session", "bring_back_session"), "clock"),
    **dict.fromkeys(("let_session_stand", "replay_session", "undecide_session"), "clock"),
    "set_session_times": "times",
    "make_pairing": "pairing",
    **dict.fromkeys(("pair_tablet", "go_on_tablet", "take_over_tables", "revoke_tablet"), "tablet"),
    **dict.fromkeys(("hold_item", "enter_held_item", "set_aside_held_item"), "held_item"),
}
USED = digest_of(["used"])


class Fact(NamedTuple):
    """One act as a row or an entry has it; `at` in microseconds."""

    kind: str
    thing: str
    by: int | None
    at: str
    digest: str


def check_conduct(chain: Chain, using: str) -> None:
    """Each row has its entries and each entry its row, with the same who, when and what."""
    kept, said = grouped(facts(chain.event, using)), grouped(facts_said(chain))
    old = {one[:4] for one in facts_said(chain) if not one.digest}
    for kind, thing in sorted(kept.keys() | said.keys()):
        now = [one for one in kept.get((kind, thing), []) if one[:4] not in old]
        then = [one for one in said.get((kind, thing), []) if one.digest]
        if now != then:
            how = "altered" if now and then else "missing" if then else "without_an_entry"
            chain.find(f"{kind}_{how}", thing, told(then), told(now))


def grouped(found: Iterator[Fact]) -> dict[tuple[str, str], list[Fact]]:
    """By kind and thing, in an order that is the same for rows and entries."""
    groups: dict[tuple[str, str], list[Fact]] = defaultdict(list)
    for one in found:
        groups[one.kind, one.thing].append(one)
    return {key: sorted(group, key=lambda one: (one.at, str(one.by), one.digest)) for key, group in groups.items()}


def told(found: list[Fact]) -> list[tuple[int | None, str, str]]:
    """As a finding shows them."""
    return [(one.by, one.at, one.digest[:16]) for one in found]


def records(event: Event, using: str) -> Iterator[tuple[str, str, list[list[Any]]]]:
    """For the evidence: kind, thing, and its facts without either."""
    for (kind, thing), found in sorted(grouped(facts(event, using)).items()):
        yield kind, thing, [list(one[2:]) for one in found]


# --- What the log says ----------------------------------------------------------------------------------
def facts_said(chain: Chain) -> Iterator[Fact]:
    """Every act of these kinds; a code is used by the pairing that names its tables."""
    for action, kind in KIND_OF.items():
        for act in chain.by_action[action]:
            yield Fact(kind, act.thing, act.actor, act.at, act.digest)
    for act in chain.by_action["pair_tablet"]:
        yield Fact("pairing", act.reason, act.actor, act.at, act.digest and USED)
    for act in chain.by_action["set_session_times"]:
        yield Fact("clock", act.thing, act.actor, act.at, new_times_digest(act.reason))


def new_times_digest(reason: str) -> str:
    """Of the clock's row that goes with a session's new times."""
    return clock.digest_of(ClockEvent(kind=ClockKind.NEW_TIMES, reason=reason))


# --- What the rows say ----------------------------------------------------------------------------------
def facts(event: Event, using: str) -> Iterator[Fact]:
    """Every row of these kinds, with each act that it keeps."""
    for of_kind in (warnings, incidents, calls, note_ends, clocks, times, pairings, tablets, held_items):
        yield from of_kind(event, using)


def warnings(event: Event, using: str) -> Iterator[Fact]:
    """Each is an act."""
    numbers = dict(event.entrants.using(using).values_list("pk", "number"))
    for row in queries.at_tables(Warning, event, using):
        thing = f"entrant {numbers.get(row.entrant_id, 0):04d}"
        yield Fact("warning", thing, row.by_id, instant(row.at), conduct.warning_digest(row))


def incidents(event: Event, using: str) -> Iterator[Fact]:
    """Each is an act."""
    for row in queries.at_tables(Incident, event, using):
        yield Fact("incident", conduct.thing(row.table), row.by_id, instant(row.at), conduct.incident_digest(row))


def calls(event: Event, using: str) -> Iterator[Fact]:
    """Raised, taken, answered."""
    for row in queries.at_tables(JudgeCall, event, using):
        thing = conduct.call_thing(row)
        yield Fact("call", thing, row.raised_by_id, instant(row.raised_at), conduct.call_digest(row))
        if row.taken_at:
            yield Fact("call", thing, row.taken_by_id, instant(row.taken_at), conduct.TAKEN_DIGEST)
        if row.answered_at or row.answer:
            at = instant(row.answered_at) if row.answered_at else ""
            yield Fact("call", thing, row.answered_by_id, at, digest_of([row.answer]))


def note_ends(event: Event, using: str) -> Iterator[Fact]:
    """Each is an act."""
    for row in queries.at_tables(NoteEnd, event, using):
        yield Fact(
            "note_end", conduct_notes.thing_of_end(row), row.by_id, instant(row.at), conduct_notes.digest_of(row)
        )


def clocks(event: Event, using: str) -> Iterator[Fact]:
    """Each is an act."""
    for row in queries.clock_of(event, using):
        yield Fact("clock", clock.thing_of(row), row.by_id, instant(row.at), clock.digest_of(row))


def times(event: Event, using: str) -> Iterator[Fact]:
    """Each move of a session to new times is an act."""
    for row in queries.moves_of(event, using):
        yield Fact("times", f"session {row.session.code}", row.by_id, instant(row.at), postponing_times.digest_of(row))


def pairings(event: Event, using: str) -> Iterator[Fact]:
    """Made, used."""
    for row in queries.pairings_of(event, using):
        thing = devices.thing_of(row.session, row.tables)
        yield Fact("pairing", thing, row.made_by_id, instant(row.made_at), devices.pairing_digest(row))
        if row.used_at:
            yield Fact("pairing", thing, row.made_by_id, instant(row.used_at), USED)


def tablets(event: Event, using: str) -> Iterator[Fact]:
    """Bound to its tables, ended."""
    for row in queries.tablets_of(event, using):
        thing, numbers = f"tablet {row.number}", [served.table.number for served in row.device_tables.all()]
        yield Fact("tablet", thing, row.paired_by_id, instant(row.paired_at), devices.tablet_digest(row, numbers))
        if row.revoked_at:
            digest = devices.end_digest(row.revoked_reason)
            yield Fact("tablet", thing, row.revoked_by_id, instant(row.revoked_at), digest)


def held_items(event: Event, using: str) -> Iterator[Fact]:
    """Held, settled."""
    for row in queries.held_of(event, using):
        thing = devices_held.thing_of(row)
        yield Fact("held_item", thing, None, instant(row.received_at), devices_bodies.digest_of(row))
        if row.outcome or row.settled_at:
            at = instant(row.settled_at) if row.settled_at else ""
            digest = devices_held.settled_digest(row.outcome, row.settled_reason)
            yield Fact("held_item", thing, row.settled_by_id, at, digest)
