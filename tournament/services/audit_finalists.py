"""Private links and the list of finalists against the log: what the rows say, and the same as the log has it."""

from collections import defaultdict
from typing import Any

from tournament.models import Event
from tournament.queries import audit as queries
from tournament.services.audit import instant
from tournament.services.audit_chain import Chain
from tournament.services.finalists import digest_of as list_digest
from tournament.services.release_places import link_digest

Facts = dict[str, list[Any]]


def links(event: Event, using: str) -> Facts:
    """Of each entrant every link: by whom, when, what it is made from, and when it was revoked."""
    found: Facts = defaultdict(list)
    for row in queries.links_of(event, using):
        revoked = instant(row.revoked_at) if row.revoked_at else ""
        found[f"entrant {row.entrant}"].append([row.made_by_id, instant(row.made_at), link_digest(row), revoked])
    return found


def links_said(chain: Chain) -> Facts:
    """The same."""
    found: Facts = defaultdict(list)
    acts = sorted(act for action in ("make_link", "revoke_link") for act in chain.by_action[action])
    for act in acts:
        if act.action == "make_link":
            found[act.thing].append([act.actor, act.at, act.digest, ""])
        for link in found[act.thing]:
            if act.action == "revoke_link" and link[2] == act.digest:
                link[3] = act.at
    return found


def finalists(event: Event, using: str) -> Facts:
    """Of a final whose list is fixed: by whom, when, and the digest of ranks and numbers."""
    found: Facts = {}
    for stage, listed in queries.frozen_lists(event, using):
        frozen = instant(stage.frozen_at) if stage.frozen_at else ""
        found[f"stage {stage.kind}"] = [[stage.frozen_by_id, frozen, list_digest(listed)]]
    return found


def finalists_said(chain: Chain) -> Facts:
    """The same: the last of freezing and thawing."""
    found: Facts = {}
    acts = sorted(act for action in ("freeze_finalists", "thaw_finalists") for act in chain.by_action[action])
    for act in acts:
        found[act.thing] = [[act.actor, act.at, act.digest]] if act.action == "freeze_finalists" else []
    return {thing: facts for thing, facts in found.items() if facts}
