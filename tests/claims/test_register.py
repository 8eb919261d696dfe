"""Every message that asserts something is in the register, with what it rests on (docs/claims.md says how)."""

import re
from collections import Counter

import pytest

from tests.claims.registered import KINDS, OFFER, PROMISE, ROOT, STATE, files, is_a_test, is_there, messages, register
from tests.claims.registered import stronger as stronger_rows

# Words of certainty, and what in the English would say as much.
SURER = {
    "確定": r"confirm|certain|settle|\bfix|decid|really|\byes\b",
    "即時": r"\bat once|\blive\b|immediately|that second",
    "一切": r"everything|nothing|\ball\b",
    "所有人": r"everybody|everyone|\ball\b|nobody",
    "已通知": r"\btold\b|reminded|notified",
    "保留至": r"until",
    "不會再": r"no longer|not .*(again|any more)|never|no more",
}


def test_every_message_that_asserts_is_in_the_register_once() -> None:
    rows = Counter(claim.key for claim in register())
    wrong = [
        f"{one.key!r}: {rows[one.key]} rows. Say in a file of tests/claims/register of which kind it is and what it"
        " rests on, once; docs/claims.md explains the kinds"
        for one in messages().values()
        if one.asserts and rows[one.key] != 1
    ]
    assert wrong == [], "\n".join(wrong)


def test_no_row_is_about_a_message_that_nothing_says_or_that_asserts_nothing() -> None:
    known = {key: one for key, one in messages().items() if one.asserts}
    wrong = [
        f"tests/claims/register/{claim.file}.toml: {claim.key!r}: no message that asserts. Take the row out, or write"
        " it as the message is written now"
        for claim in register()
        if claim.key not in known
    ]
    assert wrong == [], "\n".join(wrong)


def test_each_kind_names_what_it_rests_on_and_that_is_in_the_code() -> None:
    wrong = []
    for claim in register():
        names = {STATE: claim.ground, PROMISE: claim.executor}.get(claim.kind, "")
        for named in [one for one in names.split(", ") if names and not is_there(one)]:
            wrong.append(f"{claim.file}.toml: {claim.key!r}: {claim.kind} rests on {named!r}, which is not there")
        if claim.kind == OFFER and not claim.until:
            wrong.append(f"{claim.file}.toml: {claim.key!r}: say what ends the offer")
        if claim.kind == PROMISE and not is_a_test(claim.test):
            wrong.append(f"{claim.file}.toml: {claim.key!r}: no such test: {claim.test!r}")
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("tournament.ranking.queries.standings.numbers_without_games", True),
        ("tournament.ranking.queries.open_stages.StillOpen.is_finished", True),
        ("tournament.core.models.stage.Stage.frozen_at", True),
        ("tournament/static/js/queue.js", True),
        ("tournament.ranking.queries.standings", False),
        ("tournament.ranking.queries.standings.nobody_waits", False),
        ("tournament.core.models.stage.Stage.fixed", False),
        ("tournament/static/js/never.js", False),
    ],
)
def test_a_ground_is_a_name_in_a_module_a_field_or_a_script(name: str, there: bool) -> None:
    assert is_there(name) is there


def test_a_file_of_the_register_has_only_kinds() -> None:
    assert {name for rows in files().values() for name in rows} <= {*KINDS, "stronger"}


def surer_in_chinese() -> dict[str, str]:
    """By key: the words of certainty for which the English has nothing."""
    found = {}
    for key, one in messages().items():
        words = [
            word for word, english in SURER.items() if word in one.chinese and not re.search(english, one.english, re.I)
        ]
        if words:
            found[key] = " ".join(words)
    return found


def test_no_chinese_sentence_is_surer_than_its_english_unless_the_register_says_why() -> None:
    found, why = surer_in_chinese(), stronger_rows()
    without = [f"{key!r}: {words}" for key, words in found.items() if not why.get(key)]
    assert (without, sorted(set(why) - set(found))) == ([], [])


def test_the_figures_of_the_document_are_those_of_the_register() -> None:
    kinds = Counter(claim.kind for claim in register())
    lines = [f"| {kind} | {kinds[kind]} |" for kind in KINDS] + [f"| all | {kinds.total()} |"]
    text = (ROOT / "docs" / "claims.md").read_text(encoding="utf-8")
    assert [line for line in lines if line not in text] == []
