"""The table of acts: nothing is recorded that it has not, it has nothing that no code records, and it is whole."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tournament.audit import services
from tournament.audit.models import AuditEntry
from tournament.core.acts import ACTS, LOCKS, SHEET_TRANSITIONS, STATUSES
from tournament.core.acts.rights import RIGHTS
from tournament.core.acts.subjects import SUBJECTS
from tournament.core.enums import EntrantStatus, SessionState, SheetState
from tournament.core.models.event import Event

ROOT = Path(__file__).resolve().parents[2] / "tournament"
LAYERS = frozenset({"services", "demo", "api", "management", "tasks", "views"})
# Through these an act's name goes on to the log; the others hand theirs to `audit.record` itself.
RECORDERS = frozenset(
    {
        "append_audit_entry",
        "append_door_entry",
        "append_press_entry",
        "record_bounce",
        "record_conduct_entry",
        "record_end_sign_ins",
        "record_proposal_entry",
        "record_session_acts",
        "record_session_times",
        "record_sheet_entry",
        "record_table_clock_act",
        "record_token_act",
        "record_unmoved",
        "record_update_during_play",
        "set_account_active",
        "save_setup_revision",
        "ClockTransition",
        "SeatMove",
        "mark_submission_resolved",
        "update_entrant_if_unchanged",
        "update_entrant_status",
        "update_mailing_state",
        "update_session_if_unchanged",
        "update_sheet_if_unchanged",
        "exchange_two_seats",
    }
)
# The variables in which a name waits for that.
HOLDERS = frozenset(
    {
        "act",
        "action",
        "DECIDE_TIE_ACT",
        "DECIDE_TIE_BREAK_ACT",
        "ENTRANT_STATUS_ACTS",
        "NOTE_OUTCOME_ACTS",
        "PROPOSAL_OUTCOME_ACTS",
        "SEEDED_ACT",
        "SESSION_CLOCK_ACTS",
    }
)
# What those calls are given beside the act.
NO_ACTS = frozenset({"record_absence", "request_key"})
STATES = {"scoresheet": SheetState, "entrant": EntrantStatus, "session": SessionState}


def last_name_of(target: ast.expr) -> str:
    """`b` of `a.b`, `b` of `b`."""
    return target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")


def names_in(node: ast.AST) -> Iterator[str]:
    """Each text in it that has the form of an act's name: words by underscores."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and is_name(part.value):
            yield part.value


def is_name(text: str) -> bool:
    """`save_scoresheet`, or the one act that is a single word."""
    return text == "release" or (text.islower() and "_" in text and text.replace("_", "").isalpha())


def recorded() -> set[str]:
    """Every name that a recorder is given or a holder holds."""
    found: set[str] = set()
    for path in sorted(ROOT.rglob("*.py")):
        if not LAYERS & {part.removesuffix(".py") for part in path.relative_to(ROOT).parts}:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and last_name_of(node.func) in RECORDERS:
                given = [*node.args, *(each.value for each in node.keywords if each.arg in HOLDERS)]
                found.update(name for each in given if not isinstance(each, ast.Call) for name in names_in(each))
            if isinstance(node, ast.Assign) and any(last_name_of(target) in HOLDERS for target in node.targets):
                found.update(names_in(node.value))
    return found


def test_every_act_that_is_recorded_is_in_the_table() -> None:
    assert recorded() - ACTS.keys() - NO_ACTS == set()


def test_the_table_has_no_act_that_nothing_records() -> None:
    assert ACTS.keys() - recorded() == set()


def test_the_log_takes_no_act_that_is_not_in_the_table(event: Event) -> None:
    with pytest.raises(RuntimeError):
        services.append_audit_entry(event, None, "erase_everything", f"event {event.slug}")
    assert not AuditEntry.objects.filter(action="erase_everything").exists()


def test_the_log_takes_an_act_only_on_its_kind_of_subject(event: Event) -> None:
    with pytest.raises(RuntimeError):
        services.append_audit_entry(event, None, "stamp_scoresheet", "entrant 0302")
    assert not AuditEntry.objects.filter(action="stamp_scoresheet").exists()


def test_every_act_names_a_right_subjects_and_states_that_exist() -> None:
    for act in ACTS.values():
        kinds = (act.subject,) if isinstance(act.subject, str) else act.subject
        assert act.right == "" or act.right in RIGHTS, act.name
        assert set(kinds) <= {*SUBJECTS, ""}, act.name
        states = {*act.leads_from, *([act.leads_to] if act.leads_to else [])}
        assert not states or states <= set(STATES[kinds[0]]), act.name


def test_every_right_that_is_not_one_to_read_opens_an_act() -> None:
    opened = {act.right for act in ACTS.values()}
    assert {right for right in RIGHTS if not right.startswith("see_")} - opened == ONLY_ASKED


# Rights that are asked inside an act which another right opens.
ONLY_ASKED = frozenset({"certify_without_signature", "agree_decision"})


def test_no_act_leads_out_of_a_scoresheet_that_is_locked_or_void() -> None:
    assert {one for one, _other in SHEET_TRANSITIONS} == {"open", "draft", "ready", "disputed"}
    assert set(LOCKS) == {"lock_scoresheet", "certify_scoresheet", "approve_correction"}


def test_every_status_of_an_entrant_has_its_one_act() -> None:
    assert sorted(STATUSES.values()) == sorted(EntrantStatus)
