"""Every word that a service writes into the log is known to the verifier, and the verifier knows no word besides."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tournament.services.audit_acts import KNOWN

ROOT = Path(__file__).resolve().parents[2] / "tournament"
FOLDERS = ("services", "demo", "api", "management", "tasks", "views")
# Through these an act's word goes on to the log; the others hand theirs to `audit.record` itself.
RECORDERS = frozenset({"record", "record_unmoved", "stepped", "switch", "Move", "swap"})
# The names under which a word waits for that.
HOLDERS = frozenset({"act", "action", "ACTIONS", "SEEDED"})


def names_of(target: ast.expr) -> str:
    """`b` of `a.b`, `b` of `b`."""
    return target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")


def words_in(node: ast.AST) -> Iterator[str]:
    """Each text in it that has the form of an act: words by underscores."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and is_word(part.value):
            yield part.value


def is_word(text: str) -> bool:
    """`save_scoresheet`, or the one act that is a single word."""
    return text == "release" or (text.islower() and "_" in text and text.replace("_", "").isalpha())


def recorded() -> set[str]:
    """Every word that a recorder is given or a holder holds."""
    found: set[str] = set()
    for path in (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and names_of(node.func) in RECORDERS:
                given = [*node.args, *(each.value for each in node.keywords if each.arg in HOLDERS)]
                found.update(word for each in given if not isinstance(each, ast.Call) for word in words_in(each))
            if isinstance(node, ast.Assign) and any(names_of(target) in HOLDERS for target in node.targets):
                found.update(words_in(node.value))
    return found


def test_the_verifier_knows_every_act_that_is_ever_recorded() -> None:
    assert recorded() - KNOWN - NO_ACTS == set()


def test_the_verifier_knows_no_act_that_nothing_records() -> None:
    assert KNOWN - recorded() == set()


# What those calls are given beside the act.
NO_ACTS = frozenset({"record_absence", "request_key"})
