"""Published notices against the log: what the rows say, and the same as the log has it."""

from typing import Any

from tournament.models import Event
from tournament.queries import audit as queries
from tournament.services.audit import instant
from tournament.services.audit_chain import Chain
from tournament.services.notices import digest_of

Facts = dict[str, list[Any]]


def notices(event: Event, using: str) -> Facts:
    """Of each notice: by whom and when it was published, its digest kept and made anew; whose banner came down when."""
    found: Facts = {}
    for row in queries.published_notices(event, using):
        down = [row.banner_down_by_id, instant(row.banner_down_at)] if row.banner_down_at else [None, ""]
        told = [row.published_by_id, instant(row.published_at) if row.published_at else "", row.digest, digest_of(row)]
        found[f"notice {row.number}"] = [told, down]
    return found


def notices_said(chain: Chain) -> Facts:
    """The same."""
    found: Facts = {
        act.thing: [[act.actor, act.at, act.digest, act.digest], [None, ""]]
        for act in chain.by_action["publish_notice"]
    }
    for act in chain.by_action["take_down_banner"]:
        found.setdefault(act.thing, [[None, "", "", ""], [None, ""]])[1] = [act.actor, act.at]
    return found
