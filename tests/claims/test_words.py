"""Each of the eight words has one function, and whatever speaks to people asks it (docs/claims.md, part 4)."""

import ast
import re
from collections.abc import Iterator

from tests.claims.registered import ROOT, STATE, is_there, register
from tests.claims.standing_places import referred, trees
from tests.claims.words import CHOOSING, DECIDING, OTHERWISE, SAY, WORDS

BEHIND = {one: word for word, found in WORDS.items() for one in found.behind}
HOMES = {one.rpartition(".")[0] for found in WORDS.values() for one in (found.ask, *found.behind)}
# In a template these fields are moments to be shown; a condition asks the ground.
MOMENTS = re.compile(r"{%\s*(?:if|elif)\b[^%]*\b(?:release|current|newest|shown)\.(?:withdrawn_at|released_at)\b")


def used_by_what_speaks() -> Iterator[tuple[str, int, str]]:
    """File, line and whole name of each thing that is imported from a module, or read as `module.name`."""
    for path, tree in trees().items():
        module = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
        if not SAY & set(module.split(".")) or module in HOMES:
            continue
        aliases: dict[str, str] = {}
        for one in ast.walk(tree):
            if isinstance(one, ast.ImportFrom):
                for alias in one.names:
                    aliases[alias.asname or alias.name] = f"{one.module}.{alias.name}"
                    yield str(path.relative_to(ROOT)), one.lineno, f"{one.module}.{alias.name}"
        for one in ast.walk(tree):
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id in aliases:
                yield str(path.relative_to(ROOT)), one.lineno, f"{aliases[one.value.id]}.{one.attr}"


def test_each_word_has_one_function_and_what_stands_behind_it_is_there() -> None:
    named = [name for found in WORDS.values() for name in (found.ask, *found.behind)]
    assert [name for name in named if not is_there(name)] == []
    assert len({found.ask for found in WORDS.values()}) == len(WORDS) == 8


def test_whatever_speaks_asks_the_word_and_not_what_stands_behind_it() -> None:
    wrong = [
        f"{path}:{line} {name}: ask {WORDS[BEHIND[name]].ask}"
        for path, line, name in used_by_what_speaks()
        if name in BEHIND
    ]
    assert wrong == []


def test_every_word_is_asked_by_something_that_speaks() -> None:
    used = {name for _path, _line, name in used_by_what_speaks()}
    assert [word for word, found in WORDS.items() if found.ask not in used] == []


def queries_by(field: str, model: str) -> set[str]:
    """The files in which rows of this model are chosen by this field."""
    return {
        str(path.relative_to(ROOT))
        for path, tree in trees().items()
        for one in ast.walk(tree)
        if isinstance(one, ast.Call) and field in {keyword.arg for keyword in one.keywords}
        if isinstance(one.func, ast.Attribute) and one.func.attr in ("filter", "exclude")
        if model in referred(one.func)
    }


def test_nobody_chooses_the_rows_of_a_word_anew() -> None:
    found = {path for model, field in DECIDING.items() for path in queries_by(field, model)}
    assert found == CHOOSING | set(OTHERWISE)


def test_no_template_decides_by_a_moment_whether_a_release_is_in_force() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for found in MOMENTS.finditer(path.read_text(encoding="utf-8"))
    ]
    assert wrong == []


def test_a_row_of_the_register_about_a_word_rests_on_its_function_or_what_stands_behind_it() -> None:
    """By the sentence: `settled` and `backed up` are said of these things alone; others by their page's subject."""
    behind = {word: {found.ask, *found.behind} for word, found in WORDS.items()}
    rests = {claim.key: claim.ground for claim in register() if claim.kind == STATE}
    said = {
        "settled": "settled",
        "backed up": "backed up",
        "It counts in the live ranking. A release needs the stamp.": "counts",
        "All that tablets have brought was recorded or is settled.": "recorded",
        "Exactly this was handed over for everyone": "told",
        "release %(of)s was withdrawn": "in force",
    }
    assert {key: rests[key] in behind[word] for key, word in said.items()} == dict.fromkeys(said, True)
