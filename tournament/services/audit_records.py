"""What was agreed, decided, typed again, printed and answered, against the log: each record by its own name.

`facts` is what the rows say, a list of plain facts a thing; `said` is the same as the log has it. The evidence carries
the first, so that an outsider compares it with the second.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

from tournament.models import Correction, Dispute, Event, SecondTyping, Voiding
from tournament.queries import audit as queries
from tournament.queries.scoresheets import thing as thing_of
from tournament.services.audit import digest_of, instant
from tournament.services.audit_acts import LOCKS
from tournament.services.audit_chain import Act, Chain
from tournament.services.audit_erasure import erasures, erasures_said
from tournament.services.audit_finalists import finalists, finalists_said, links, links_said
from tournament.services.audit_mailings import bounces, bounces_said, mailings, mailings_said
from tournament.services.audit_notices import notices, notices_said
from tournament.services.audit_postponing import sessions, sessions_said
from tournament.services.audit_setup import final_plan, final_plan_said
from tournament.services.audit_weather import days, days_said, looks, looks_said, signals, signals_said
from tournament.services.lots import ANNOUNCE, announcement_digest, announcement_line
from tournament.services.podium import contest_digest, contest_line
from tournament.services.release_places import digest_of as answer_digest
from tournament.services.seating_print import digest_of as papers_digest

Facts = dict[str, list[Any]]
LONGEST_REASON = 500


def check_records(chain: Chain, using: str) -> None:
    """Every kind of record, then who was allowed to make it, then the revisions of what has no rows of its own."""
    for kind, (facts, said) in KINDS.items():
        compare(chain, kind, facts(chain.event, using), said(chain))
    check_two_sides(chain)
    check_judges(chain)
    for thing, revision in queries.revisions_of(chain.event, using).items():
        last = chain.moved.get(thing)
        if revision != (last.after if last else 1):
            chain.find("revision", thing, last.after if last else 1, revision)


def compare(chain: Chain, kind: str, facts: Facts, said: Facts) -> None:
    """A thing whose facts are not those in the log, or that only one of the two knows."""
    for thing in sorted(facts.keys() | said.keys()):
        if facts.get(thing) != said.get(thing):
            how = "missing" if thing not in facts else "altered" if thing in said else "without_an_entry"
            chain.find(f"{kind}_{how}", thing, said.get(thing, ""), facts.get(thing, ""))


def moment(at: Any) -> str:
    """An optional moment as the log has it."""
    return instant(at) if at else ""


def named(row: Any) -> str:
    """The scoresheet that a row stands beside."""
    return thing_of(row.scoresheet.table, row.scoresheet.version)


def acts_of(chain: Chain, *actions: str) -> Iterable[tuple[str, list[Act]]]:
    """The things that have had such acts, with those acts."""
    for thing in chain.by_sheet:
        if acts := [act for act in chain.by_sheet[thing] if act.action in actions]:
            yield thing, acts


# --- Corrections ----------------------------------------------------------------------------------------
def corrections(event: Event, using: str) -> Facts:
    """Reason and superseded version; begun, proposed, approved, given up: by whom, when, and for which values."""
    superseded = queries.superseded_by(event, using)
    return {
        named(row): [
            [superseded[row.pk], row.reason],
            [row.begun_by_id, moment(row.begun_at)],
            [row.proposed_by_id, moment(row.proposed_at), row.proposed_digest],
            [row.approved_by_id, moment(row.approved_at)],
            [row.given_up_by_id, moment(row.given_up_at), row.given_up_reason],
        ]
        for row in queries.beside_sheets(Correction, event, using)
    }


def corrections_said(chain: Chain) -> Facts:
    """The same: the last proposal is the one that holds."""
    locks = [act for action in LOCKS for act in chain.by_action[action]]
    found: Facts = {}
    for thing, acts in acts_of(chain, "begin_correction"):
        begun, table = acts[0], thing.rpartition(" v")[0]
        before = [act for act in locks if act.thing.rpartition(" v")[0] == table and act.seq < begun.seq]
        version = int(max(before).thing.rpartition(" v")[2]) if before else 0
        last = {act.action: act for act in chain.by_sheet[thing]}
        proposed, approved = last.get("propose_correction"), last.get("approve_correction")
        given_up = last.get("give_up_correction")
        found[thing] = [
            [version, begun.reason],
            [begun.actor, begun.at],
            [proposed.actor, proposed.at, proposed.digest] if proposed else [None, "", ""],
            [approved.actor, approved.at] if approved else [None, ""],
            [given_up.actor, given_up.at, given_up.reason] if given_up else [None, "", ""],
        ]
    return found


# --- Disputes and void sheets ---------------------------------------------------------------------------
def disputes(event: Event, using: str) -> Facts:
    """Each of a sheet: raised by whom, when, why; decided by whom, when, how."""
    found: Facts = defaultdict(list)
    for row in queries.beside_sheets(Dispute, event, using):
        decided = f"{row.outcome}: {row.decision}"[:LONGEST_REASON] if row.decided_at else ""
        raised = [row.raised_by_id, moment(row.raised_at), row.reason]
        found[named(row)].append([*raised, row.decided_by_id, moment(row.decided_at), decided])
    return found


def disputes_said(chain: Chain) -> Facts:
    """The same: a decision, or its being taken back, is of the dispute before it."""
    found: Facts = {}
    for thing, acts in acts_of(chain, "dispute_scoresheet", "decide_dispute", "withdraw_dispute"):
        found[thing] = []
        for act in acts:
            if act.action == "dispute_scoresheet" or not found[thing]:
                found[thing].append([act.actor, act.at, act.reason, None, "", ""])
            else:
                found[thing][-1][3:] = [act.actor, act.at, act.reason]
    return found


def voidings(event: Event, using: str) -> Facts:
    """Proposed by whom, when, why; approved by whom, when."""
    return {
        named(row): [
            [row.proposed_by_id, moment(row.proposed_at), row.reason],
            [row.approved_by_id, moment(row.approved_at)],
        ]
        for row in queries.beside_sheets(Voiding, event, using)
    }


def voidings_said(chain: Chain) -> Facts:
    """The same: a new proposal replaces an older."""
    found: Facts = {}
    for thing, acts in acts_of(chain, "propose_void", "void_scoresheet"):
        last = {act.action: act for act in acts}
        proposed, approved = last.get("propose_void"), last.get("void_scoresheet")
        found[thing] = [
            [proposed.actor, proposed.at, proposed.reason] if proposed else [None, "", ""],
            [approved.actor, approved.at] if approved else [None, ""],
        ]
    return found


# --- Second typings -------------------------------------------------------------------------------------
def second_typings(event: Event, using: str) -> Facts:
    """By whom, which texts, how often kept, whether done; the third look: by whom, which choices, for which values."""
    return {
        named(row): [
            [row.typed_by_id, digest_of([row.form, row.typed]), row.revision, row.done],
            [row.settled_by_id, digest_of(row.choices), row.settled_digest] if row.settled_at else [None, "", ""],
        ]
        for row in queries.beside_sheets(SecondTyping, event, using)
    }


def second_typings_said(chain: Chain) -> Facts:
    """The same: a third look that changed values is followed by the act that handed them on."""
    found: Facts = {}
    for thing, acts in acts_of(chain, "save_second_typing", "type_scoresheet_again"):
        last, settled = acts[-1], [None, "", ""]
        every = chain.by_sheet[thing]
        for act, after in zip(every, [*every[1:], every[-1]], strict=True):
            if act.action in ("uphold_first_typing", "settle_second_typing"):
                values = act if act.action == "uphold_first_typing" else after
                settled = [act.actor, act.reason, values.digest]
        found[thing] = [[last.actor, last.digest, len(acts), last.action == "type_scoresheet_again"], settled]
    return found


# --- Papers and answers ---------------------------------------------------------------------------------
def prints(event: Event, using: str) -> Facts:
    """Of each session every printing: when, by whom, which papers."""
    found: Facts = defaultdict(list)
    rows = queries.prints_of(event, using)
    for (at, _session), papers in groupby(rows, lambda row: (row.printed_at, row.session_id)):
        made = list(papers)
        thing = f"session {made[0].session.code}"
        found[thing].append([moment(at), sorted({paper.printed_by_id for paper in made}), papers_digest(made)])
    return {thing: sorted(printed) for thing, printed in found.items()}


def prints_said(chain: Chain) -> Facts:
    """The same."""
    found: Facts = defaultdict(list)
    for act in chain.by_action["print_scoresheets"]:
        found[act.thing].append([act.at, [act.actor], act.digest])
    return {thing: sorted(printed) for thing, printed in found.items()}


def answers(event: Event, using: str) -> Facts:
    """Of each entrant every answer about the place: by whom, when, what."""
    found: Facts = defaultdict(list)
    for row in queries.answers_of(event, using):
        said = f"{row.answer}. {row.reason}".strip()[:LONGEST_REASON]
        found[f"entrant {row.entrant}"].append([row.by_id, moment(row.at), said, answer_digest(row)])
    return found


def answers_said(chain: Chain) -> Facts:
    """The same."""
    found: Facts = defaultdict(list)
    for act in chain.by_action["record_answer"]:
        found[act.thing].append([act.actor, act.at, act.reason, act.digest])
    return found


def contests(event: Event, using: str) -> Facts:
    """Of each final every decision between equals: by whom, when, which."""
    found: Facts = defaultdict(list)
    for row in queries.contests_of(event, using):
        facts = [row.by_id, moment(row.at), contest_line(row), contest_digest(row)]
        found[f"stage {row.stage.kind}"].append(facts)
    return found


def contests_said(chain: Chain) -> Facts:
    """The same."""
    found: Facts = defaultdict(list)
    for act in chain.by_action["decide_contest"]:
        found[act.thing].append([act.actor, act.at, act.reason, act.digest])
    return found


def announcements(event: Event, using: str) -> Facts:
    """Of each stage every draw that was announced: by whom, when, from what, after which head of the log."""
    found: Facts = defaultdict(list)
    for row in queries.announcements_of(event, using):
        facts = [row.by_id, moment(row.at), announcement_line(row), announcement_digest(row)]
        found[f"stage {row.stage.kind}"].append([*facts, row.head_seq, row.head_hash])
    return found


def announcements_said(chain: Chain) -> Facts:
    """The same; the head is that of the entry before."""
    found: Facts = defaultdict(list)
    for act in chain.by_action[ANNOUNCE]:
        facts = [act.actor, act.at, act.reason, act.digest]
        found[act.thing].append([*facts, act.seq - 1, chain.hashes[act.seq - 1]])
    return found


# What the findings call each kind, the rows of it, and what the log says of them.
KINDS: dict[str, tuple[Callable[[Event, str], Facts], Callable[[Chain], Facts]]] = {
    "correction": (corrections, corrections_said),
    "dispute": (disputes, disputes_said),
    "voiding": (voidings, voidings_said),
    "second_typing": (second_typings, second_typings_said),
    "print": (prints, prints_said),
    "answer": (answers, answers_said),
    "contest": (contests, contests_said),
    "announcement": (announcements, announcements_said),
    "link": (links, links_said),
    "finalists": (finalists, finalists_said),
    "final": (final_plan, final_plan_said),
    "signal": (signals, signals_said),
    "look": (looks, looks_said),
    "weather": (days, days_said),
    "session": (sessions, sessions_said),
    "notice": (notices, notices_said),
    "mailing": (mailings, mailings_said),
    "bounce": (bounces, bounces_said),
    "erasure": (erasures, erasures_said),
}
JUDGED = {"decide_dispute": "dispute", "decide_contest": "contest", ANNOUNCE: "announcement"}
PROPOSED = {"approve_correction": "propose_correction", "void_scoresheet": "propose_void"}


# --- Who may --------------------------------------------------------------------------------------------
def check_two_sides(chain: Chain) -> None:
    """A correction and a void sheet take two accounts, the chief judge's and an organiser's, as they were then."""
    for action, proposal in PROPOSED.items():
        for act in chain.by_action[action]:
            before = [one for one in chain.by_sheet[act.thing] if one.action == proposal and one.seq < act.seq]
            proposer = before[-1].actor if before else None
            one, other = (chain.roles_at(account, act.seq) for account in (act.actor, proposer))
            sides = any("chief_judge" in a and "organiser" in b for a, b in ((one, other), (other, one)))
            if proposer == act.actor or not sides:
                found = f"accounts {proposer} and {act.actor}"
                chain.find(f"{action}_without_two_sides", act.thing, "chief judge and organiser", found)


def check_judges(chain: Chain) -> None:
    """R39, R40, R46: a dispute is decided by the chief judge, and so is a place that equals contest."""
    for action, kind in JUDGED.items():
        for act in chain.by_action[action]:
            if "chief_judge" not in chain.roles_at(act.actor, act.seq):
                chain.find(f"{kind}_decided_by_another", act.thing, "chief judge", f"account {act.actor}")
