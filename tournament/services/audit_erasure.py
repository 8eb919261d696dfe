"""Erasures against the log: what was erased is told apart from what somebody removed by the entry that began it."""

from typing import Any

from tournament.bridge.release_names import ERASED, nameless_digest
from tournament.models import Event, Release
from tournament.queries import audit as queries
from tournament.services.audit import instant
from tournament.services.audit_chain import Act, Chain
from tournament.services.erasure_scope import Scope, digest_of

BEGIN, FINISH = "erase_personal_data", "finish_erasure"
Facts = dict[str, list[Any]]


def erasures(event: Event, using: str) -> Facts:
    """Of the event and of each entrant every erasure: by whom, when, why; when it was finished, and its digest."""
    found: Facts = {}
    for row in queries.erasures_of(event, using):
        finished = [instant(row.finished_at), digest_of(row)] if row.finished_at else ["", ""]
        thing = Scope(event, row.entrant).thing
        found.setdefault(thing, []).append([row.by_id, instant(row.begun_at), row.reason, *finished])
    return found


def erasures_said(chain: Chain) -> Facts:
    """The same: at an event one is finished before the next begins."""
    found: Facts = {}
    for act in sorted(act for action in (BEGIN, FINISH) for act in chain.by_action[action]):
        told = found.setdefault(act.thing, [])
        if act.action == BEGIN:
            told.append([act.actor, act.at, act.reason, "", ""])
        elif told:
            told[-1][3:] = [act.at, act.digest]
    return found


def is_erased(chain: Chain, number: int) -> bool:
    """Whether the log knows of an erasure of this entrant, or of the whole event."""
    things = {act.thing for act in chain.by_action[BEGIN]}
    return bool(things & {f"entrant {number:04d}", f"event {chain.event.slug}"})


def check_blanks(chain: Chain, using: str) -> None:
    """What is blank as if it were erased, at an event whose log knows of no erasure."""
    if chain.by_action[BEGIN]:
        return
    for thing in queries.blanks_of(chain.event, using):
        chain.find("blank_without_an_erasure", thing)


def content_said(chain: Chain, release: Release, act: Act | None) -> str:
    """The digest that a release's content has by the log: its own, or the one after names were erased from it."""
    thing = f"release {release.number}"
    erased = [one for one in chain.by_action["erase_names"] if one.thing == thing]
    before = release.digest
    for one in erased:
        if one.digest_before != before:
            chain.find("erasures_of_a_release_do_not_follow", thing, one.digest_before[:16], before[:16])
        before = one.digest
    figures = nameless_digest(release.content)
    if act and act.digest_before and act.digest_before != figures:
        chain.find("release_figures", thing, act.digest_before[:16], figures[:16])
    if not erased and ERASED in release.content:
        chain.find("names_erased_without_an_entry", thing)
    return before
