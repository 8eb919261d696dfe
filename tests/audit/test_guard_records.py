"""What the guards of records, agreements, releases, notices, mails, proposals and erasures refuse, column by column."""

from typing import Any

import pytest
from django.db import models

from tests.audit.loose_tables import LooseTables
from tournament.audit.triggers.trigger_rules import append_only_models, closing_models
from tournament.core.models.evidence import declared

APPEND_ONLY = {model._meta.db_table.removeprefix("tournament_"): model for model in append_only_models()}
CLOSING = {model._meta.db_table.removeprefix("tournament_"): model for model in closing_models()}
REPLACED, CHANGED, DELETED = (
    "a record is not replaced",
    "a record is added to, never changed",
    "a record is not deleted",
)


def unique_columns(model: type[models.Model]) -> list[list[str]]:
    """What of a row is once in its table, but its key."""
    columns = {field.name: str(field.column) for field in model._meta.concrete_fields}
    single = [[str(field.column)] for field in model._meta.concrete_fields if field.unique and not field.primary_key]
    listed = [one for one in model._meta.constraints if isinstance(one, models.UniqueConstraint)]
    return [*single, *([columns[name] for name in one.fields] for one in listed)]


def row_of(model: type[models.Model], start: int) -> dict[str, Any]:
    """A row with a number of its own in each column, none in those that may be empty."""
    listed = [field for field in model._meta.concrete_fields if not field.primary_key]
    return {str(field.column): None if field.null else start + at for at, field in enumerate(listed)}


@pytest.mark.parametrize("table", APPEND_ONLY)
def test_a_record_is_added_and_never_replaced_changed_or_deleted(table: str) -> None:
    row, other = row_of(APPEND_ONLY[table], 100), row_of(APPEND_ONLY[table], 200)
    locked = {"scoresheet": [{"id": number, "state": "signed"} for number in (100, 200)]}
    tables = LooseTables({**locked, table: [{"id": 1, **row}]})
    assert tables.insert(table, id=1, **other) == REPLACED
    assert tables.insert(table, id=9, **other) == ""
    for columns in unique_columns(APPEND_ONLY[table]):
        assert tables.insert(table, id=9, **other | {column: row[column] for column in columns}) == REPLACED
        for column in columns if len(columns) > 1 else ():
            same = {one: row[one] for one in columns if one != column}
            assert tables.insert(table, id=9, **other | same | {column: 999}) == ""
    assert [tables.update(table, **{column: 999}) for column in row] == [CHANGED] * len(row)
    assert tables.delete(table) == DELETED


@pytest.mark.parametrize(("event", "finished_at", "said"), [(1, None, ""), (2, None, DELETED), (1, "then", DELETED)])
def test_a_scan_is_deleted_only_while_its_event_s_personal_data_is_erased(
    event: int, finished_at: Any, said: str
) -> None:
    rows = {
        **{"scan": [{"id": 1, "session_id": 1}], "session": [{"id": 1, "stage_id": 1}]},
        **{"stage": [{"id": 1, "event_id": 1}]},
        **{"erasure": [{"id": 1, "event_id": event, "finished_at": finished_at}]},
    }
    assert LooseTables(rows).delete("scan") == said


def test_only_a_locked_sheet_is_stamped() -> None:
    tables = LooseTables(
        {
            "scoresheet": [{"id": 1, "state": "ready"}, {"id": 2, "state": "signed"}, {"id": 3, "state": "certified"}],
            "stamp": [],
        }
    )
    said = [tables.insert("stamp", id=9, scoresheet_id=number) for number in (1, 2, 3)]
    assert said == ["only a locked scoresheet is stamped", "", ""]


@pytest.mark.parametrize("table", CLOSING)
def test_an_agreement_is_open_until_it_is_closed_and_then_never_changes(table: str) -> None:
    model, never = CLOSING[table], "what was agreed or decided never changes"
    row, other = row_of(model, 100), row_of(model, 200)
    closing = [str(model._meta.get_field(name).column) for name in declared(model).closed_by]
    owner = str(model._meta.get_field(declared(model).event.partition("__")[0]).column)
    free = next(column for column in row if column not in (owner, *closing))
    tables = LooseTables({table: [{"id": 1, **row}]})
    assert [tables.insert(table, id=1, **other), tables.insert(table, id=9, **other)] == [
        "an agreement is not replaced",
        "",
    ]
    for columns in unique_columns(model):
        assert tables.insert(table, id=9, **other | {column: row[column] for column in columns}) == (
            "an agreement is not replaced"
        )
    assert [tables.update(table, id=9), tables.update(table, **{owner: 9})] == [never] * 2
    assert [tables.update(table, **{column: 9}) for column in (*closing, free)] == [""] * (len(closing) + 1)
    for column in closing:
        closed = LooseTables({table: [{"id": 1, **row, column: "then"}]})
        assert [closed.update(table, **{free: 9}), closed.update(table, **{column: None})] == [never] * 2
    assert tables.delete(table) == "an agreement is not deleted"


# --- The chain ------------------------------------------------------------------------------------------
HEADS = [{"id": 1, "event_id": 1, "seq": 5, "hash": "h5"}, {"id": 2, "event_id": 2, "seq": 0, "hash": "h0"}]


def chain(**entry: Any) -> LooseTables:
    """Two events' heads and the entry that follows the first."""
    return LooseTables({"audithead": HEADS, "auditentry": [{"id": 6, "event_id": 1, "seq": 6, "hash": "h6"} | entry]})


def test_an_entry_follows_the_head_of_its_own_chain_and_stays() -> None:
    tables = LooseTables({"audithead": HEADS, "auditentry": [{"id": 5, "event_id": 1, "seq": 5, "hash": "h5"}]})
    entry = {"id": 9, "event_id": 1, "seq": 6, "prev": "h5"}
    assert tables.insert("auditentry", **entry) == ""
    for changed in ({"event_id": 2}, {"seq": 7}, {"prev": "h0"}):
        assert tables.insert("auditentry", **entry | changed) == "an entry follows the head of its chain"
    assert tables.insert("auditentry", **entry | {"id": 5}) == REPLACED
    assert chain().insert("auditentry", **entry) == REPLACED
    assert [chain(event_id=2).insert("auditentry", **entry), chain(seq=7).insert("auditentry", **entry)] == ["", ""]
    assert [tables.update("auditentry", 5, reason="x"), tables.delete("auditentry", 5)] == [CHANGED, DELETED]


def test_the_head_begins_once_moves_to_the_next_entry_and_stays() -> None:
    said, moves = "the head moves to the next entry", {"seq": 6, "hash": "h6"}
    assert chain().update("audithead", **moves) == ""
    for changed in ({"id": 9}, {"event_id": 2}, {"seq": 7}, {"seq": 5}, {"hash": "x"}):
        assert chain().update("audithead", **moves | changed) == said
    assert [chain(**one).update("audithead", **moves) for one in ({"event_id": 2}, {"seq": 7}, {"hash": "x"})] == [
        said
    ] * 3
    moved = {"id": 7, "event_id": 1, "seq": 7, "hash": "h7"}
    assert chain(**moved).update("audithead", seq=7, hash="h7") == said
    assert chain(event_id=3, seq=6).update("audithead", event_id=3, **moves) == said
    assert chain().update("audithead", id=9, **moves) == said
    assert [chain().insert("audithead", id=9, event_id=one, seq=seq) for one, seq in ((3, 0), (3, 1), (1, 0))] == [
        *("", "a chain begins once", "a chain begins once"),
    ]
    assert chain().delete("audithead") == "a chain keeps its head"


# --- What was published ---------------------------------------------------------------------------------
WITHDRAWAL = {"withdrawn_by_id": 9, "withdrawn_at": "now", "withdrawn_reason": "x"}
ONCE = "a release is withdrawn once, never changed"


def released(event: int = 2, **more: Any) -> LooseTables:
    columns = ("stage_id", "number", "digest", "content", "sheets", "people", "audit_seq", "audit_hash")
    row: dict[str, Any] = dict.fromkeys((*columns, "released_by_id", "released_at"), 1)
    erasure = {"id": 1, "event_id": event, "finished_at": more.pop("finished_at", None)}
    withdrawn = dict.fromkeys(WITHDRAWAL) | more
    return LooseTables(
        {"release": [{"id": 1, **row, **withdrawn}], "stage": [{"id": 1, "event_id": 1}], "erasure": [erasure]}
    )


def test_a_release_is_withdrawn_once_and_never_changes_but_for_the_names_that_an_erasure_takes() -> None:
    columns = ("id", "stage_id", "number", "digest", "content", "sheets", "people", "audit_seq", "audit_hash")
    for column in (*columns, "released_by_id", "released_at"):
        assert released().update("release", **{column: 2}) == ONCE
    assert released().update("release", **WITHDRAWAL) == ""
    for column in WITHDRAWAL:
        assert released(withdrawn_at="then").update("release", **{column: "other"}) == ONCE
    taken = [released(1), released(2), released(1, finished_at="then")]
    assert [one.update("release", content=2) for one in taken] == ["", ONCE, ONCE]
    assert released(1).update("release", content=2, digest=2) == ONCE
    kept = [(1, 9, 9), (9, 1, 1), (9, 1, 2), (9, 2, 1)]
    said = [released().insert("release", id=key, stage_id=stage, number=number) for key, stage, number in kept]
    assert said == ["a release is not replaced", "a release is not replaced", "", ""]
    assert released().delete("release") == "a release is not deleted"


NOTICE = ("number", "kind", "day", "sessions", "title_zh", "title_en", "body_zh", "body_en", "banner", "tone")
KEPT_OF_NOTICE = (
    "id",
    "event_id",
    *NOTICE,
    "corrects_id",
    "readers_of_id",
    "published_by_id",
    "published_at",
    "digest",
)


def notice(**more: Any) -> LooseTables:
    row = dict.fromkeys(KEPT_OF_NOTICE, 1) | {"revision": 1, "banner_down_at": None}
    return LooseTables({"notice": [row | more]})


def test_a_published_notice_stays_as_it_was_told_and_its_banner_comes_down_once() -> None:
    never = "a published notice never changes"
    assert [notice().update("notice", **{column: 2}) for column in KEPT_OF_NOTICE] == [never] * len(KEPT_OF_NOTICE)
    assert [notice().update("notice", banner_down_at=2), notice().update("notice", published_at=None)] == ["", never]
    assert notice(banner_down_at=1).update("notice", banner_down_at=2) == never
    draft = notice(published_at=None)
    assert [draft.update("notice", **{column: 2}) for column in KEPT_OF_NOTICE] == [""] * len(KEPT_OF_NOTICE)
    assert [draft.delete("notice"), notice().delete("notice")] == ["", "a published notice is not deleted"]
    assert [notice().insert("notice", id=number) for number in (1, 9)] == ["a notice is not replaced", ""]


def test_a_mail_that_was_sent_stays_sent_to_whom_it_went() -> None:
    stays, changes = "a mail that was sent stays sent", ({"state": "waiting"}, {"entrant_id": 2}, {"bounce": "x"})
    tables = {
        state: LooseTables({"delivery": [{"id": 1, "state": state, "entrant_id": 1}]}) for state in ("sent", "failed")
    }
    assert [tables["sent"].update("delivery", **one) for one in changes] == [stays, stays, ""]
    assert [tables["failed"].update("delivery", **one) for one in changes] == [""] * 3
    assert [tables["sent"].insert("delivery", id=number) for number in (1, 9)] == ["a delivery is not replaced", ""]
    assert [one.delete("delivery") for one in tables.values()] == ["a delivery is not deleted"] * 2


# --- What two agree on, what is erased ------------------------------------------------------------------
PROPOSED = ("id", "event_id", "act", "subject", "digest", "seen", "reason", "proposed_by_id", "proposed_at")


def test_a_proposal_stays_as_proposed_begins_open_and_is_closed_once() -> None:
    never, begins = "a closed proposal never changes", "a proposal begins open"
    row = dict.fromkeys(PROPOSED, 1) | {"outcome": ""}
    tables, closed = LooseTables({"proposal": [row]}), LooseTables({"proposal": [row | {"outcome": "refused"}]})
    assert [tables.update("proposal", **{column: 2}) for column in PROPOSED] == [never] * len(PROPOSED)
    assert [one.update("proposal", outcome="approved", payload="{}") for one in (tables, closed)] == ["", never]
    assert [one.update("proposal", payload="{}") for one in (tables, closed)] == ["", never]
    given = [(9, ""), (9, "approved"), (1, "")]
    assert [tables.insert("proposal", id=key, outcome=one) for key, one in given] == ["", begins, begins]
    assert tables.delete("proposal") == "a proposal is not deleted"


def test_an_erasure_begins_with_its_entry_is_finished_once_and_stays() -> None:
    entry = {"id": 1, "event_id": 1, "seq": 5, "action": "erase_personal_data"}
    columns = ("id", "event_id", "entrant_id", "audit_seq", "reason", "by_id", "begun_at")
    row = dict.fromkeys(columns, 1) | {"finished_at": None}
    tables = LooseTables({"auditentry": [entry], "erasure": [row]})
    begins = {"id": 9, "event_id": 1, "audit_seq": 5, "finished_at": None}
    assert tables.insert("erasure", **begins) == ""
    for changed in ({"event_id": 2}, {"audit_seq": 6}, {"finished_at": "now"}):
        assert tables.insert("erasure", **begins | changed) == "an erasure begins with its entry"
    other = LooseTables({"auditentry": [entry | {"action": "make_backup"}], "erasure": []})
    assert other.insert("erasure", **begins) == "an erasure begins with its entry"
    again = LooseTables({"auditentry": [entry], "erasure": [row | {"audit_seq": 5}, row | {"id": 2, "event_id": 2}]})
    assert [again.insert("erasure", **begins), tables.insert("erasure", **begins | {"id": 1})] == [
        "an erasure is not replaced",
    ] * 2
    once = "an erasure is finished once"
    assert [tables.update("erasure", **{column: 2}) for column in columns] == [once] * len(columns)
    assert tables.update("erasure", finished_at="now", counts="{}") == ""
    finished = LooseTables({"erasure": [row | {"finished_at": "then"}]})
    assert [finished.update("erasure", counts="{}"), finished.delete("erasure")] == [once, "an erasure is not deleted"]
