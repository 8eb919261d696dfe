"""What the database itself refuses, whoever asks (reliability 4.4): one list, the same on both databases.

A rule is a condition over OLD and NEW in the SQL that SQLite and PostgreSQL share. A locked sheet and all that hangs
on it never change; what records an act is only ever added to; the audit head moves by one entry; a sheet locks only
with every signature there.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

INSERT, UPDATE, DELETE = "INSERT", "UPDATE", "DELETE"
LOCKED = "('signed', 'certified')"
# 4.1: from each state to those that may follow. Nothing follows a locked one or a void one.
TRANSITIONS = (
    ("open", "draft"),
    ("open", "ready"),
    ("open", "void"),
    ("draft", "ready"),
    ("draft", "disputed"),
    ("draft", "void"),
    ("ready", "draft"),
    ("ready", "disputed"),
    ("ready", "signed"),
    ("ready", "certified"),
    ("ready", "void"),
    ("disputed", "draft"),
    ("disputed", "ready"),
    ("disputed", "void"),
)
WITHDRAWAL = frozenset({"withdrawn_by_id", "withdrawn_at", "withdrawn_reason"})
# Rows that record an act: added, never changed; with what else is unique in them beside the id.
APPEND_ONLY = {
    "tournament_stamp": ("scoresheet_id",),
    "tournament_auditentry": ("event_id", "seq"),
    "tournament_ruling": (),
    "tournament_tiedecision": (),
    "tournament_contestdecision": (),
    "tournament_lotsannouncement": (),
    "tournament_placeanswer": (),
    "tournament_sheetprint": ("session_id", "table_number", "number"),
    "tournament_scan": (),
    "tournament_clockevent": (),
    "tournament_incident": (),
    "tournament_warning": ("entrant_id", "number"),
    "tournament_noteend": ("kind", "note"),
    "tournament_unlock": (),
    "tournament_weathersignal": ("event_id", "number"),
    "tournament_weatherdecision": ("event_id", "number"),
    "tournament_sessionmove": (),
}
SHEET, GAME, LINE, SIGNATURE = "tournament_scoresheet", "tournament_game", "tournament_line", "tournament_signature"
DRAWING = "tournament_drawing"
SEAT, OFFICIAL, RELEASE = "tournament_seat", "tournament_officialsheet", "tournament_release"
SCAN, ERASURE = "tournament_scan", "tournament_erasure"
ENTRY, HEAD = "tournament_auditentry", "tournament_audithead"
CORRECTION, DISPUTE, VOIDING = "tournament_correction", "tournament_dispute", "tournament_voiding"
SECOND = "tournament_secondtyping"
NOTICE, DELIVERY = "tournament_notice", "tournament_delivery"
PROPOSAL = "tournament_proposal"
TABLES = (
    *(SHEET, GAME, LINE, SIGNATURE, DRAWING, SEAT, OFFICIAL, SECOND),
    *(CORRECTION, DISPUTE, VOIDING, *APPEND_ONLY, HEAD, RELEASE),
    *(NOTICE, DELIVERY, PROPOSAL, ERASURE),
)
# What two people agreed or one decided: open while this condition does not hold, then closed for ever; with what is
# unique beside the id.
AGREEMENTS = {
    CORRECTION: (
        "OLD.approved_at IS NOT NULL OR OLD.given_up_at IS NOT NULL",
        "kept.scoresheet_id = NEW.scoresheet_id",
    ),
    DISPUTE: (
        "OLD.decided_at IS NOT NULL",
        "kept.scoresheet_id = NEW.scoresheet_id AND kept.decided_at IS NULL AND NEW.decided_at IS NULL",
    ),
    VOIDING: ("OLD.approved_at IS NOT NULL", "kept.scoresheet_id = NEW.scoresheet_id"),
}


@dataclass(frozen=True, slots=True)
class Rule:
    """One refusal: on this table, for this operation, when the condition holds, because of this."""

    table: str
    operation: str
    refused_when: str
    because: str


def rules(release_columns: Sequence[str], *, erasures: bool = True) -> list[Rule]:
    """Every rule; `release_columns` are the columns that the release table has; `erasures`: their table is made."""
    listed = [*lasting_rules(release_columns), *erasure_rules()]
    if erasures:
        return listed
    # Before the migration that makes the table nothing is ever erased.
    return [
        replace(rule, refused_when=NEVER.sub("FALSE", rule.refused_when)) for rule in listed if rule.table != ERASURE
    ]


def lasting_rules(release_columns: Sequence[str]) -> list[Rule]:
    """What holds fast, but for what an open erasure takes."""
    return [
        *sheet_rules(),
        *child_rules(),
        *agreement_rules(),
        *record_rules(),
        *chain_rules(),
        *release_rules(release_columns),
        *told_rules(),
        *proposal_rules(),
    ]


def rows(table: str, condition: str) -> str:
    """Whether there is such a row, which stands as `kept`."""
    return f"EXISTS (SELECT 1 FROM {table} AS kept WHERE {condition})"  # noqa: S608


def erasing(event: str) -> str:
    """Whether personal data of this event is being erased at the moment."""
    return f"EXISTS (SELECT 1 FROM {ERASURE} AS going WHERE going.event_id = {event} AND going.finished_at IS NULL)"  # noqa: S608


def event_of_stage(stage: str) -> str:
    """The event of the stage with this id."""
    return f"(SELECT stage.event_id FROM tournament_stage AS stage WHERE stage.id = {stage})"  # noqa: S608


def event_of_session(session: str) -> str:
    """The event of the session with this id."""
    return event_of_stage(f"(SELECT held.stage_id FROM tournament_session AS held WHERE held.id = {session})")  # noqa: S608


def event_of_signature(signature: str) -> str:
    """The event of the signature with this id."""
    joined = (
        f"{SIGNATURE} AS signed JOIN {SHEET} AS sheet ON sheet.id = signed.scoresheet_id"
        " JOIN tournament_table AS seated ON seated.id = sheet.table_id"
    )
    return event_of_session(f"(SELECT seated.session_id FROM {joined} WHERE signed.id = {signature})")  # noqa: S608


def locked(sheet: str) -> str:
    """Whether the sheet with this id is locked."""
    return f"EXISTS (SELECT 1 FROM {SHEET} AS sheet WHERE sheet.id = {sheet} AND sheet.state IN {LOCKED})"  # noqa: S608


def locked_by_game(game: str) -> str:
    """Whether the game with this id belongs to a locked sheet."""
    joined = f"{GAME} AS game JOIN {SHEET} AS sheet ON sheet.id = game.scoresheet_id"
    return f"EXISTS (SELECT 1 FROM {joined} WHERE game.id = {game} AND sheet.state IN {LOCKED})"  # noqa: S608


def locked_by_signature(signature: str) -> str:
    """Whether the signature with this id belongs to a locked sheet."""
    joined = f"{SIGNATURE} AS signature JOIN {SHEET} AS sheet ON sheet.id = signature.scoresheet_id"
    return f"EXISTS (SELECT 1 FROM {joined} WHERE signature.id = {signature} AND sheet.state IN {LOCKED})"  # noqa: S608


def locked_at(table: str) -> str:
    """Whether the table with this id has a locked sheet."""
    return f"EXISTS (SELECT 1 FROM {SHEET} AS sheet WHERE sheet.table_id = {table} AND sheet.state IN {LOCKED})"  # noqa: S608


# A drawing that loses its strokes and its salt, and nothing else, while its event's personal data is being erased.
BLANKED = (
    "(length(NEW.strokes) = 0 AND NEW.salt = '' AND NEW.signature_id = OLD.signature_id AND NEW.digest = OLD.digest"
    f" AND NEW.claimed_at IS NOT DISTINCT FROM OLD.claimed_at AND {erasing(event_of_signature('OLD.signature_id'))})"
)
# What `erasing` says, whichever event it asks about.
NEVER = re.compile(rf"EXISTS \(SELECT 1 FROM {ERASURE} AS going WHERE .*? AND going\.finished_at IS NULL\)")  # noqa: S608


def sheet_rules() -> Iterator[Rule]:
    """R41: locked for ever; before that only the moves of 4.1, and locked only with every signature."""
    same = "(kept.id = NEW.id OR (kept.table_id = NEW.table_id AND kept.version = NEW.version))"
    moves = " OR ".join(f"(OLD.state = '{a}' AND NEW.state = '{b}')" for a, b in TRANSITIONS)
    locks = f"NEW.state IN {LOCKED}"
    yield Rule(SHEET, INSERT, locks, "a scoresheet locks by a move from ready, with its signatures")
    yield Rule(SHEET, INSERT, rows(SHEET, f"{same} AND kept.state IN {LOCKED}"), "a locked scoresheet is not replaced")
    yield Rule(SHEET, UPDATE, f"OLD.state IN {LOCKED}", "a locked scoresheet never changes")
    identity = "NEW.id <> OLD.id OR NEW.table_id <> OLD.table_id OR NEW.version <> OLD.version"
    yield Rule(SHEET, UPDATE, identity, "a scoresheet stays at its table and keeps its version")
    yield Rule(SHEET, UPDATE, "NEW.revision < OLD.revision", "a revision never falls")
    yield Rule(SHEET, UPDATE, f"NEW.state <> OLD.state AND NOT ({moves})", "not a move of a scoresheet")
    yield Rule(SHEET, UPDATE, f"{locks} AND (NEW.digest = '' OR NEW.locked_at IS NULL)", "locked without a digest")
    signed = rows(
        SIGNATURE,
        "kept.scoresheet_id = NEW.id AND kept.letter = seat.letter AND kept.entrant_id = seat.entrant_id"
        " AND kept.digest = NEW.digest AND kept.superseded_at IS NULL"
        " AND (kept.present OR kept.chief_judge_id IS NOT NULL)",
    )
    unsigned = (
        "EXISTS (SELECT 1 FROM tournament_seat AS seat JOIN tournament_entrant AS entrant"  # noqa: S608
        " ON entrant.id = seat.entrant_id WHERE seat.table_id = NEW.table_id AND entrant.status = 'ok'"
        f" AND NOT {signed})"
    )
    yield Rule(SHEET, UPDATE, f"{locks} AND {unsigned}", "locked before every seat has signed these values")
    foreign = rows(
        SIGNATURE, "kept.scoresheet_id = NEW.id AND kept.superseded_at IS NULL AND kept.digest <> NEW.digest"
    )
    yield Rule(SHEET, UPDATE, f"{locks} AND {foreign}", "locked with a signature of other values")
    undrawn = (
        f"EXISTS (SELECT 1 FROM {SIGNATURE} AS signed WHERE signed.scoresheet_id = NEW.id AND signed.present"  # noqa: S608
        f" AND signed.superseded_at IS NULL AND NOT {rows(DRAWING, 'kept.signature_id = signed.id')})"
    )
    yield Rule(SHEET, UPDATE, f"NEW.state = 'signed' AND {undrawn}", "signed without a drawn signature")
    agreed = rows(
        CORRECTION,
        "kept.scoresheet_id = NEW.id AND kept.proposed_digest = NEW.digest AND kept.given_up_at IS NULL"
        " AND kept.approved_by_id IS NOT NULL AND kept.approved_by_id <> kept.proposed_by_id",
    )
    yield Rule(SHEET, UPDATE, f"{locks} AND NEW.version > 1 AND NOT {agreed}", "a correction takes two accounts")
    yield Rule(SHEET, DELETE, f"OLD.state IN {LOCKED}", "a locked scoresheet is not deleted")


def child_rules() -> Iterator[Rule]:
    """Nothing is changed in, taken from or added to a locked sheet: games, lines, signatures, the seats it was for."""
    children = (
        (GAME, locked("{row}.scoresheet_id"), "scoresheet_id"),
        (SIGNATURE, locked("{row}.scoresheet_id"), "scoresheet_id"),
        (LINE, locked_by_game("{row}.game_id"), "game_id"),
        (DRAWING, locked_by_signature("{row}.signature_id"), "signature_id"),
        (SEAT, locked_at("{row}.table_id"), "table_id"),
        (SECOND, locked("{row}.scoresheet_id"), "scoresheet_id"),
    )
    for table, condition, parent in children:
        new, old = condition.replace("{row}", "NEW"), condition.replace("{row}", "OLD")
        replaced = condition.replace("{row}", "kept")
        yield Rule(table, INSERT, new, "nothing is added to a locked scoresheet")
        yield Rule(table, INSERT, rows(table, f"kept.id = NEW.id AND {replaced}"), "a locked row is not replaced")
        lasting = f"({old}) AND NOT {BLANKED}" if table == DRAWING else old
        yield Rule(table, UPDATE, f"NEW.id <> OLD.id OR ({lasting})", "a part of a locked scoresheet never changes")
        yield Rule(table, UPDATE, f"NEW.{parent} <> OLD.{parent} AND {new}", "nothing moves to a locked scoresheet")
        yield Rule(table, DELETE, old, "nothing is taken from a locked scoresheet")
    wrong = rows(SHEET, f"kept.id = NEW.scoresheet_id AND kept.table_id = NEW.table_id AND kept.state IN {LOCKED}")
    there = "kept.id = NEW.id OR kept.table_id = NEW.table_id OR kept.scoresheet_id = NEW.scoresheet_id"
    for operation in (INSERT, UPDATE):
        yield Rule(OFFICIAL, operation, f"NOT {wrong}", "only a locked scoresheet of the table counts")
    yield Rule(OFFICIAL, INSERT, rows(OFFICIAL, there), "the table has a version that counts")
    yield Rule(OFFICIAL, UPDATE, "NEW.id <> OLD.id OR NEW.table_id <> OLD.table_id", "it stays at its table")
    yield Rule(OFFICIAL, DELETE, "TRUE", "the version that counts is swapped, never removed")


def agreement_rules() -> Iterator[Rule]:
    """What was agreed or decided stays so: a correction, a dispute, a voiding."""
    for table, (closed, unique) in AGREEMENTS.items():
        yield Rule(table, INSERT, rows(table, f"kept.id = NEW.id OR ({unique})"), "an agreement is not replaced")
        moved = "NEW.id <> OLD.id OR NEW.scoresheet_id <> OLD.scoresheet_id"
        yield Rule(table, UPDATE, f"{moved} OR {closed}", "what was agreed or decided never changes")
        yield Rule(table, DELETE, "TRUE", "an agreement is not deleted")


def record_rules() -> Iterator[Rule]:
    """Stamps, audit entries, rulings and decisions are added, never changed."""
    for table, unique in APPEND_ONLY.items():
        same = " AND ".join(f"kept.{name} = NEW.{name}" for name in unique)
        there = f"kept.id = NEW.id OR ({same})" if same else "kept.id = NEW.id"
        yield Rule(table, INSERT, rows(table, there), "a record is not replaced")
        yield Rule(table, UPDATE, "TRUE", "a record is added to, never changed")
        lasting = f"NOT {erasing(event_of_session('OLD.session_id'))}" if table == SCAN else "TRUE"
        yield Rule(table, DELETE, lasting, "a record is not deleted")
    unlocked = f"NOT {locked('NEW.scoresheet_id')}"
    yield Rule("tournament_stamp", INSERT, unlocked, "only a locked scoresheet is stamped")


def chain_rules() -> Iterator[Rule]:
    """4.3: an entry follows the head, and the head moves to that entry and nowhere else."""
    follows = rows(HEAD, "kept.event_id = NEW.event_id AND kept.seq = NEW.seq - 1 AND kept.hash = NEW.prev")
    yield Rule(ENTRY, INSERT, f"NOT {follows}", "an entry follows the head of its chain")
    yield Rule(HEAD, INSERT, f"NEW.seq <> 0 OR {rows(HEAD, 'kept.event_id = NEW.event_id')}", "a chain begins once")
    entry = rows(ENTRY, "kept.event_id = NEW.event_id AND kept.seq = NEW.seq AND kept.hash = NEW.hash")
    moved = "NEW.id <> OLD.id OR NEW.event_id <> OLD.event_id OR NEW.seq <> OLD.seq + 1"
    yield Rule(HEAD, UPDATE, f"{moved} OR NOT {entry}", "the head moves to the next entry")
    yield Rule(HEAD, DELETE, "TRUE", "a chain keeps its head")


def release_rules(columns: Sequence[str]) -> Iterator[Rule]:
    """A release never changes; it may be withdrawn, once."""
    kept = [column for column in columns if column not in WITHDRAWAL and column != "content"]
    changed = " OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in kept)
    same = "kept.id = NEW.id OR (kept.stage_id = NEW.stage_id AND kept.number = NEW.number)"
    yield Rule(RELEASE, INSERT, rows(RELEASE, same), "a release is not replaced")
    unnamed = f"NEW.content IS DISTINCT FROM OLD.content AND NOT {erasing(event_of_stage('OLD.stage_id'))}"
    twice = " OR ".join(f"NEW.{name} IS DISTINCT FROM OLD.{name}" for name in sorted(WITHDRAWAL))
    again = f"({unnamed}) OR (OLD.withdrawn_at IS NOT NULL AND ({twice})) OR {changed}"
    yield Rule(RELEASE, UPDATE, again, "a release is withdrawn once, never changed")
    yield Rule(RELEASE, DELETE, "TRUE", "a release is not deleted")


def told_rules() -> Iterator[Rule]:
    """What was published stays as it was told, but for its banner, which comes down once; a sent mail was sent."""
    texts = ("title_zh", "title_en", "body_zh", "body_en")
    said = (
        "number",
        "kind",
        "day",
        "sessions",
        *texts,
        "banner",
        "tone",
        "corrects_id",
        "readers_of_id",
        "published_by_id",
    )
    kept = ("id", "event_id", *said, "published_at", "digest")
    changed = " OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in kept)
    again = f"OLD.published_at IS NOT NULL AND (OLD.banner_down_at IS NOT NULL OR {changed})"
    yield Rule(NOTICE, INSERT, rows(NOTICE, "kept.id = NEW.id"), "a notice is not replaced")
    yield Rule(NOTICE, UPDATE, again, "a published notice never changes")
    yield Rule(NOTICE, DELETE, "OLD.published_at IS NOT NULL", "a published notice is not deleted")
    unsent = "OLD.state = 'sent' AND (NEW.state <> 'sent' OR NEW.entrant_id <> OLD.entrant_id)"
    yield Rule(DELIVERY, INSERT, rows(DELIVERY, "kept.id = NEW.id"), "a delivery is not replaced")
    yield Rule(DELIVERY, UPDATE, unsent, "a mail that was sent stays sent")
    yield Rule(DELIVERY, DELETE, "TRUE", "a delivery is not deleted")


def proposal_rules() -> Iterator[Rule]:
    """What one proposed stays as proposed until it is closed, by another where it was agreed to; then for good."""
    kept = ("id", "event_id", "act", "subject", "digest", "seen", "reason", "proposed_by_id", "proposed_at")
    changed = " OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in kept)
    yield Rule(PROPOSAL, INSERT, f"NEW.outcome <> '' OR {rows(PROPOSAL, 'kept.id = NEW.id')}", "a proposal begins open")
    yield Rule(PROPOSAL, UPDATE, f"OLD.outcome <> '' OR {changed}", "a closed proposal never changes")
    yield Rule(PROPOSAL, DELETE, "TRUE", "a proposal is not deleted")


def erasure_rules() -> Iterator[Rule]:
    """An erasure begins with its entry in the log, is finished once, and stays."""
    entry = rows(
        ENTRY, "kept.event_id = NEW.event_id AND kept.seq = NEW.audit_seq AND kept.action = 'erase_personal_data'"
    )
    there = "kept.id = NEW.id OR (kept.event_id = NEW.event_id AND kept.audit_seq = NEW.audit_seq)"
    yield Rule(ERASURE, INSERT, f"NEW.finished_at IS NOT NULL OR NOT {entry}", "an erasure begins with its entry")
    yield Rule(ERASURE, INSERT, rows(ERASURE, there), "an erasure is not replaced")
    said = ("id", "event_id", "entrant_id", "audit_seq", "reason", "by_id", "begun_at")
    changed = " OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in said)
    yield Rule(ERASURE, UPDATE, f"OLD.finished_at IS NOT NULL OR {changed}", "an erasure is finished once")
    yield Rule(ERASURE, DELETE, "TRUE", "an erasure is not deleted")
