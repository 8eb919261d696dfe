"""Mailings against the log: what the rows say, and the same as the log has it."""

from typing import Any

from tournament.enums import MailingState
from tournament.models import Event
from tournament.queries import audit as queries
from tournament.services.audit import digest_of, instant
from tournament.services.audit_chain import Chain
from tournament.services.bounces import bounce_digest
from tournament.services.bounces import thing_of as mail_of
from tournament.services.mailings import outcome_digest, start_digest, thing_of

Facts = dict[str, list[Any]]

ACTS = (
    "start_mailing",
    "pause_mailing",
    "resume_mailing",
    "stop_mailing",
    "end_mailing",
    "retry_mailing",
    "finish_mailing",
)
GOES_ON = {"pause_mailing": MailingState.PAUSED, "resume_mailing": MailingState.SENDING}


NOTHING = ["", ""]


def mailings(event: Event, using: str) -> Facts:
    """Of each mailing: by whom, when and what was mailed to whom; its state; what ended its subject; of one that
    is over when, and each outcome."""
    found: Facts = {}
    for row in queries.mailings_of(event, using):
        ended = [instant(row.finished_at), outcome_digest(row, using)] if row.finished_at else NOTHING
        begun = [row.asked_by_id, instant(row.asked_at), start_digest(row, using)]
        found[thing_of(row)] = [begun, row.state, digest_of(row.ended) if row.ended else "", ended]
    return found


def mailings_said(chain: Chain) -> Facts:
    """The same: every act in its order. One that is tried again has not ended; paused, it stays so."""
    found: Facts = {}
    for act in sorted(act for action in ACTS for act in chain.by_action[action]):
        if act.action == "start_mailing":
            found[act.thing] = [[act.actor, act.at, act.digest], MailingState.SENDING.value, "", NOTHING]
        fact = found.setdefault(act.thing, [[None, "", ""], "", "", NOTHING])
        if act.action in GOES_ON:
            fact[1] = GOES_ON[act.action].value
        elif act.action == "stop_mailing":
            fact[1] = MailingState.STOPPED.value
        elif act.action == "end_mailing":
            fact[1:3] = [MailingState.STOPPED.value, act.digest]
        elif act.action == "retry_mailing":
            paused = fact[1] == MailingState.PAUSED
            fact[1], fact[3] = (MailingState.PAUSED if paused else MailingState.SENDING).value, NOTHING
        elif act.action == "finish_mailing":
            stopped = fact[1] == MailingState.STOPPED
            fact[1], fact[3] = (MailingState.STOPPED if stopped else MailingState.DONE).value, [act.at, act.digest]
    return found


def bounces(event: Event, using: str) -> Facts:
    """Of each mail of which something was reported after it was taken: what and when."""
    return {mail_of(row): [bounce_digest(row)] for row in queries.bounces_of(event, using)}


def bounces_said(chain: Chain) -> Facts:
    """The same: the last word of each."""
    return {act.thing: [act.digest] for act in chain.by_action["record_bounce"]}
