"""What the database itself refuses, whoever asks (D4): one list, the same on both databases.

A rule is a condition over OLD and NEW in the SQL that SQLite and PostgreSQL share. A locked sheet and all that hangs
on it never change; what records an act is only ever added to; the audit head moves by one entry; a sheet locks only
with every signature there.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import cast

from django.db import models

from tournament.audit.triggers.trigger_sql import (
    AUDIT_ENTRY_TABLE,
    AUDIT_HEAD_TABLE,
    CORRECTION_TABLE,
    DELIVERY_TABLE,
    DOUBLE_ENTRY_TABLE,
    DRAWING_TABLE,
    ERASURE_TABLE,
    GAME_TABLE,
    LINE_TABLE,
    LOCKED_STATES_SQL,
    NOTICE_TABLE,
    OFFICIAL_SHEET_TABLE,
    PROPOSAL_TABLE,
    RELEASE_TABLE,
    SCAN_TABLE,
    SEAT_TABLE,
    SHEET_TABLE,
    SIGNATURE_TABLE,
    TURN_TABLE,
    erasing_sql,
    event_of_session_sql,
    event_of_signature_sql,
    event_of_stage_sql,
    exists_sql,
    is_locked_at_table_sql,
    is_locked_by_game_sql,
    is_locked_by_line_sql,
    is_locked_by_signature_sql,
    is_locked_sql,
)
from tournament.core.acts import SHEET_TRANSITIONS
from tournament.core.models.evidence import declared, recorded_models

INSERT, UPDATE, DELETE = "INSERT", "UPDATE", "DELETE"
RELEASE_WITHDRAWAL_COLUMNS = frozenset({"withdrawn_by_id", "withdrawn_at", "withdrawn_reason"})
# Those with rules of their own, beside what the models declare.
TABLES_WITH_OWN_RULES = (
    *(SHEET_TABLE, GAME_TABLE, LINE_TABLE, SIGNATURE_TABLE, DRAWING_TABLE, SEAT_TABLE, OFFICIAL_SHEET_TABLE),
    *(DOUBLE_ENTRY_TABLE, AUDIT_ENTRY_TABLE, AUDIT_HEAD_TABLE, RELEASE_TABLE, NOTICE_TABLE, DELIVERY_TABLE),
    *(PROPOSAL_TABLE, ERASURE_TABLE, TURN_TABLE),
)


@cache
def tables_with_triggers() -> tuple[str, ...]:
    """Every table with a rule; known once the models are loaded."""
    declaring = (*append_only_models(), *closing_models())
    return (*TABLES_WITH_OWN_RULES, *(model._meta.db_table for model in declaring))


def append_only_models() -> list[type[models.Model]]:
    """The models whose rows are added, never changed."""
    return [model for model in recorded_models() if declared(model).append_only]


def closing_models() -> list[type[models.Model]]:
    """The models of what two people agree, or one decides or undoes: open while no field of `closed_by` is set."""
    return [model for model in recorded_models() if declared(model).closed_by]


def same_row_sql(model: type[models.Model]) -> str:
    """Whether `kept` has the key of NEW, or what else of it is unique."""
    unique = [field.column for field in model._meta.concrete_fields if field.unique]
    same = [f"kept.{column} = NEW.{column}" for column in unique]
    for constraint in model._meta.constraints:
        if isinstance(constraint, models.UniqueConstraint):
            parts = [f"kept.{column} = NEW.{column}" for column in columns_of(model, constraint.fields)]
            for column in columns_of(model, empty_fields(constraint)):
                parts += [f"kept.{column} IS NULL", f"NEW.{column} IS NULL"]
            same.append(f"({' AND '.join(parts)})")
    return " OR ".join(same)


def columns_of(model: type[models.Model], names: Iterable[str]) -> list[str]:
    """The columns of these fields."""
    columns = {field.name: str(field.column) for field in model._meta.concrete_fields}
    return [columns[name] for name in names]


def empty_fields(constraint: models.UniqueConstraint) -> list[str]:
    """The fields that are empty in the rows of a conditional constraint; no other condition is read."""
    found = []
    children = constraint.condition.children if constraint.condition else []
    for lookup, wanted in cast(list[tuple[str, object]], children):
        name, _underscores, kind = lookup.rpartition("__")
        if (kind, wanted) != ("isnull", True):
            raise ValueError(f"{constraint.name}: {lookup} is no condition that a trigger can have")
        found.append(name)
    return found


@dataclass(frozen=True, slots=True)
class TriggerRule:
    """One refusal: on this table, for this operation, when the condition holds, because of this."""

    table: str
    operation: str
    refused_when: str
    because: str


def all_trigger_rules(release_columns: Sequence[str], *, erasures: bool = True) -> list[TriggerRule]:
    """Every rule; `release_columns` are the columns that the release table has; `erasures`: their table is made."""
    listed = [*lasting_rules(release_columns), *erasure_rules()]
    if erasures:
        return listed
    # Before the migration that makes the table nothing is ever erased.
    return [
        replace(rule, refused_when=ERASURE_CONDITION_PATTERN.sub("FALSE", rule.refused_when))
        for rule in listed
        if rule.table != ERASURE_TABLE
    ]


def lasting_rules(release_columns: Sequence[str]) -> list[TriggerRule]:
    """What holds fast, but for what an open erasure takes."""
    return [
        *sheet_rules(),
        *child_rules(),
        *agreement_rules(),
        *record_rules(),
        *chain_rules(),
        *release_rules(release_columns),
        *published_rules(),
        *proposal_rules(),
    ]


# A drawing that loses its strokes and its salt, and nothing else, while its event's personal data is being erased.
BLANKED_SQL = (
    "(length(NEW.strokes) = 0 AND NEW.salt = '' AND NEW.signature_id = OLD.signature_id AND NEW.digest = OLD.digest"
    " AND NEW.claimed_at IS NOT DISTINCT FROM OLD.claimed_at"
    f" AND {erasing_sql(event_of_signature_sql('OLD.signature_id'))})"
)
# What `erasing_sql` says, whichever event it asks about.
ERASURE_CONDITION_PATTERN = re.compile(
    rf"EXISTS \(SELECT 1 FROM {ERASURE_TABLE} AS going WHERE .*? AND going\.finished_at IS NULL\)"  # noqa: S608
)


def sheet_rules() -> Iterator[TriggerRule]:
    """R41: locked for ever; before that only the moves of D1, and locked only with every signature."""
    same = "(kept.id = NEW.id OR (kept.table_id = NEW.table_id AND kept.version = NEW.version))"
    moves = " OR ".join(f"(OLD.state = '{a}' AND NEW.state = '{b}')" for a, b in SHEET_TRANSITIONS)
    locks = f"NEW.state IN {LOCKED_STATES_SQL}"
    yield TriggerRule(SHEET_TABLE, INSERT, locks, "a scoresheet locks by a move from ready, with its signatures")
    yield TriggerRule(
        SHEET_TABLE,
        INSERT,
        exists_sql(SHEET_TABLE, f"{same} AND kept.state IN {LOCKED_STATES_SQL}"),
        "a locked scoresheet is not replaced",
    )
    yield TriggerRule(SHEET_TABLE, UPDATE, f"OLD.state IN {LOCKED_STATES_SQL}", "a locked scoresheet never changes")
    identity = "NEW.id <> OLD.id OR NEW.table_id <> OLD.table_id OR NEW.version <> OLD.version"
    yield TriggerRule(SHEET_TABLE, UPDATE, identity, "a scoresheet stays at its table and keeps its version")
    yield TriggerRule(SHEET_TABLE, UPDATE, "NEW.revision < OLD.revision", "a revision never falls")
    yield TriggerRule(SHEET_TABLE, UPDATE, f"NEW.state <> OLD.state AND NOT ({moves})", "not a move of a scoresheet")
    yield TriggerRule(
        SHEET_TABLE, UPDATE, f"{locks} AND (NEW.digest = '' OR NEW.locked_at IS NULL)", "locked without a digest"
    )
    signed = exists_sql(
        SIGNATURE_TABLE,
        "kept.scoresheet_id = NEW.id AND kept.letter = seat.letter AND kept.entrant_id = seat.entrant_id"
        " AND kept.digest = NEW.digest AND kept.superseded_at IS NULL"
        " AND (kept.present OR kept.chief_judge_id IS NOT NULL)",
    )
    unsigned = (
        "EXISTS (SELECT 1 FROM tournament_seat AS seat JOIN tournament_entrant AS entrant"  # noqa: S608
        " ON entrant.id = seat.entrant_id WHERE seat.table_id = NEW.table_id AND entrant.status = 'ok'"
        f" AND NOT {signed})"
    )
    yield TriggerRule(
        SHEET_TABLE, UPDATE, f"{locks} AND {unsigned}", "locked before every seat has signed these values"
    )
    foreign = exists_sql(
        SIGNATURE_TABLE, "kept.scoresheet_id = NEW.id AND kept.superseded_at IS NULL AND kept.digest <> NEW.digest"
    )
    yield TriggerRule(SHEET_TABLE, UPDATE, f"{locks} AND {foreign}", "locked with a signature of other values")
    undrawn = (
        f"EXISTS (SELECT 1 FROM {SIGNATURE_TABLE} AS signed WHERE signed.scoresheet_id = NEW.id AND signed.present"  # noqa: S608
        f" AND signed.superseded_at IS NULL AND NOT {exists_sql(DRAWING_TABLE, 'kept.signature_id = signed.id')})"
    )
    yield TriggerRule(SHEET_TABLE, UPDATE, f"NEW.state = 'signed' AND {undrawn}", "signed without a drawn signature")
    agreed = exists_sql(
        CORRECTION_TABLE,
        "kept.scoresheet_id = NEW.id AND kept.proposed_digest = NEW.digest AND kept.abandoned_at IS NULL"
        " AND kept.approved_by_id IS NOT NULL AND kept.approved_by_id <> kept.proposed_by_id",
    )
    yield TriggerRule(
        SHEET_TABLE, UPDATE, f"{locks} AND NEW.version > 1 AND NOT {agreed}", "a correction takes two accounts"
    )
    yield TriggerRule(SHEET_TABLE, DELETE, f"OLD.state IN {LOCKED_STATES_SQL}", "a locked scoresheet is not deleted")


def child_rules() -> Iterator[TriggerRule]:
    """Nothing is changed in, taken from or added to a locked sheet: games, lines, turns, signatures, its seats."""
    children = (
        (GAME_TABLE, is_locked_sql("{row}.scoresheet_id"), "scoresheet_id"),
        (SIGNATURE_TABLE, is_locked_sql("{row}.scoresheet_id"), "scoresheet_id"),
        (LINE_TABLE, is_locked_by_game_sql("{row}.game_id"), "game_id"),
        (TURN_TABLE, is_locked_by_line_sql("{row}.line_id"), "line_id"),
        (DRAWING_TABLE, is_locked_by_signature_sql("{row}.signature_id"), "signature_id"),
        (SEAT_TABLE, is_locked_at_table_sql("{row}.table_id"), "table_id"),
        (DOUBLE_ENTRY_TABLE, is_locked_sql("{row}.scoresheet_id"), "scoresheet_id"),
    )
    for table, condition, parent in children:
        new, old = condition.replace("{row}", "NEW"), condition.replace("{row}", "OLD")
        replaced = condition.replace("{row}", "kept")
        yield TriggerRule(table, INSERT, new, "nothing is added to a locked scoresheet")
        yield TriggerRule(
            table, INSERT, exists_sql(table, f"kept.id = NEW.id AND {replaced}"), "a locked row is not replaced"
        )
        lasting = f"({old}) AND NOT {BLANKED_SQL}" if table == DRAWING_TABLE else old
        yield TriggerRule(
            table, UPDATE, f"NEW.id <> OLD.id OR ({lasting})", "a part of a locked scoresheet never changes"
        )
        yield TriggerRule(
            table, UPDATE, f"NEW.{parent} <> OLD.{parent} AND {new}", "nothing moves to a locked scoresheet"
        )
        yield TriggerRule(table, DELETE, old, "nothing is taken from a locked scoresheet")
    wrong = exists_sql(
        SHEET_TABLE,
        f"kept.id = NEW.scoresheet_id AND kept.table_id = NEW.table_id AND kept.state IN {LOCKED_STATES_SQL}",
    )
    there = "kept.id = NEW.id OR kept.table_id = NEW.table_id OR kept.scoresheet_id = NEW.scoresheet_id"
    for operation in (INSERT, UPDATE):
        yield TriggerRule(
            OFFICIAL_SHEET_TABLE, operation, f"NOT {wrong}", "only a locked scoresheet of the table counts"
        )
    yield TriggerRule(
        OFFICIAL_SHEET_TABLE, INSERT, exists_sql(OFFICIAL_SHEET_TABLE, there), "the table has a version that counts"
    )
    yield TriggerRule(
        OFFICIAL_SHEET_TABLE, UPDATE, "NEW.id <> OLD.id OR NEW.table_id <> OLD.table_id", "it stays at its table"
    )
    yield TriggerRule(OFFICIAL_SHEET_TABLE, DELETE, "TRUE", "the version that counts is swapped, never removed")


def agreement_rules() -> Iterator[TriggerRule]:
    """What was agreed, decided or undone stays so: a correction, a dispute, a voiding, an arrival."""
    for model in closing_models():
        table = model._meta.db_table
        closed = " OR ".join(f"OLD.{column} IS NOT NULL" for column in columns_of(model, declared(model).closed_by))
        yield TriggerRule(table, INSERT, exists_sql(table, same_row_sql(model)), "an agreement is not replaced")
        # What it belongs to is the first step of the way to its event.
        [owner] = columns_of(model, [declared(model).event.partition("__")[0]])
        moved = f"NEW.id <> OLD.id OR NEW.{owner} <> OLD.{owner}"
        yield TriggerRule(table, UPDATE, f"{moved} OR {closed}", "what was agreed or decided never changes")
        yield TriggerRule(table, DELETE, "TRUE", "an agreement is not deleted")


def record_rules() -> Iterator[TriggerRule]:
    """Stamps, audit entries, rulings and decisions are added, never changed."""
    entry = "kept.id = NEW.id OR (kept.event_id = NEW.event_id AND kept.seq = NEW.seq)"
    tables = {model._meta.db_table: same_row_sql(model) for model in append_only_models()}
    for table, same in {AUDIT_ENTRY_TABLE: entry, **tables}.items():
        yield TriggerRule(table, INSERT, exists_sql(table, same), "a record is not replaced")
        yield TriggerRule(table, UPDATE, "TRUE", "a record is added to, never changed")
        lasting = f"NOT {erasing_sql(event_of_session_sql('OLD.session_id'))}" if table == SCAN_TABLE else "TRUE"
        yield TriggerRule(table, DELETE, lasting, "a record is not deleted")
    unlocked = f"NOT {is_locked_sql('NEW.scoresheet_id')}"
    yield TriggerRule("tournament_stamp", INSERT, unlocked, "only a locked scoresheet is stamped")


def chain_rules() -> Iterator[TriggerRule]:
    """4.3: an entry follows the head, and the head moves to that entry and nowhere else."""
    follows = exists_sql(
        AUDIT_HEAD_TABLE, "kept.event_id = NEW.event_id AND kept.seq = NEW.seq - 1 AND kept.hash = NEW.prev"
    )
    yield TriggerRule(AUDIT_ENTRY_TABLE, INSERT, f"NOT {follows}", "an entry follows the head of its chain")
    yield TriggerRule(
        AUDIT_HEAD_TABLE,
        INSERT,
        f"NEW.seq <> 0 OR {exists_sql(AUDIT_HEAD_TABLE, 'kept.event_id = NEW.event_id')}",
        "a chain begins once",
    )
    entry = exists_sql(
        AUDIT_ENTRY_TABLE, "kept.event_id = NEW.event_id AND kept.seq = NEW.seq AND kept.hash = NEW.hash"
    )
    moved = "NEW.id <> OLD.id OR NEW.event_id <> OLD.event_id OR NEW.seq <> OLD.seq + 1"
    yield TriggerRule(AUDIT_HEAD_TABLE, UPDATE, f"{moved} OR NOT {entry}", "the head moves to the next entry")
    yield TriggerRule(AUDIT_HEAD_TABLE, DELETE, "TRUE", "a chain keeps its head")


def release_rules(columns: Sequence[str]) -> Iterator[TriggerRule]:
    """A release never changes; it may be withdrawn, once."""
    kept = [column for column in columns if column not in RELEASE_WITHDRAWAL_COLUMNS and column != "content"]
    changed = " OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in kept)
    same = "kept.id = NEW.id OR (kept.stage_id = NEW.stage_id AND kept.number = NEW.number)"
    yield TriggerRule(RELEASE_TABLE, INSERT, exists_sql(RELEASE_TABLE, same), "a release is not replaced")
    unnamed = f"NEW.content IS DISTINCT FROM OLD.content AND NOT {erasing_sql(event_of_stage_sql('OLD.stage_id'))}"
    twice = " OR ".join(f"NEW.{name} IS DISTINCT FROM OLD.{name}" for name in sorted(RELEASE_WITHDRAWAL_COLUMNS))
    again = f"({unnamed}) OR (OLD.withdrawn_at IS NOT NULL AND ({twice})) OR {changed}"
    yield TriggerRule(RELEASE_TABLE, UPDATE, again, "a release is withdrawn once, never changed")
    yield TriggerRule(RELEASE_TABLE, DELETE, "TRUE", "a release is not deleted")


def published_rules() -> Iterator[TriggerRule]:
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
    yield TriggerRule(NOTICE_TABLE, INSERT, exists_sql(NOTICE_TABLE, "kept.id = NEW.id"), "a notice is not replaced")
    yield TriggerRule(NOTICE_TABLE, UPDATE, again, "a published notice never changes")
    yield TriggerRule(NOTICE_TABLE, DELETE, "OLD.published_at IS NOT NULL", "a published notice is not deleted")
    unsent = "OLD.state = 'sent' AND (NEW.state <> 'sent' OR NEW.entrant_id <> OLD.entrant_id)"
    yield TriggerRule(
        DELIVERY_TABLE, INSERT, exists_sql(DELIVERY_TABLE, "kept.id = NEW.id"), "a delivery is not replaced"
    )
    yield TriggerRule(DELIVERY_TABLE, UPDATE, unsent, "a mail that was sent stays sent")
    yield TriggerRule(DELIVERY_TABLE, DELETE, "TRUE", "a delivery is not deleted")


def proposal_rules() -> Iterator[TriggerRule]:
    """What one proposed stays as proposed until it is closed, by another where it was agreed to; then for good."""
    kept = ("id", "event_id", "act", "subject", "digest", "seen", "reason", "proposed_by_id", "proposed_at")
    changed = " OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in kept)
    yield TriggerRule(
        PROPOSAL_TABLE,
        INSERT,
        f"NEW.outcome <> '' OR {exists_sql(PROPOSAL_TABLE, 'kept.id = NEW.id')}",
        "a proposal begins open",
    )
    yield TriggerRule(PROPOSAL_TABLE, UPDATE, f"OLD.outcome <> '' OR {changed}", "a closed proposal never changes")
    yield TriggerRule(PROPOSAL_TABLE, DELETE, "TRUE", "a proposal is not deleted")


def erasure_rules() -> Iterator[TriggerRule]:
    """An erasure begins with its entry in the log, is finished once, and stays."""
    entry = exists_sql(
        AUDIT_ENTRY_TABLE,
        "kept.event_id = NEW.event_id AND kept.seq = NEW.audit_seq AND kept.action = 'erase_personal_data'",
    )
    there = "kept.id = NEW.id OR (kept.event_id = NEW.event_id AND kept.audit_seq = NEW.audit_seq)"
    yield TriggerRule(
        ERASURE_TABLE, INSERT, f"NEW.finished_at IS NOT NULL OR NOT {entry}", "an erasure begins with its entry"
    )
    yield TriggerRule(ERASURE_TABLE, INSERT, exists_sql(ERASURE_TABLE, there), "an erasure is not replaced")
    said = ("id", "event_id", "entrant_id", "audit_seq", "reason", "by_id", "begun_at")
    changed = " OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in said)
    yield TriggerRule(ERASURE_TABLE, UPDATE, f"OLD.finished_at IS NOT NULL OR {changed}", "an erasure is finished once")
    yield TriggerRule(ERASURE_TABLE, DELETE, "TRUE", "an erasure is not deleted")
