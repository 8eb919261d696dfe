"""The final as it was set up against the log: its rules, rounds and hours."""

from typing import Any

from tournament.models import Event
from tournament.queries import audit as queries
from tournament.services.audit_chain import Chain
from tournament.services.setup import plan_digest

Facts = dict[str, list[Any]]


def final_plan(event: Event, using: str) -> Facts:
    """The digest of the final's plan, where the log has one."""
    found = queries.final_set_up(event, using)
    return {f"event {event.slug}": [[plan_digest(*found)]]} if found else {}


def final_plan_said(chain: Chain) -> Facts:
    """The same: the last that was written."""
    acts = chain.by_action["set_up_final"]
    return {acts[-1].thing: [[acts[-1].digest]]} if acts else {}
