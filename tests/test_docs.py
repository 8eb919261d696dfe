"""The law inside: what code, tests and pages cite stands in docs/, and each fault names what shows it.

A clause is cited by a letter and a number: `R37` is one of docs/rules.md, any other letter one of docs/reliability.md.
It is looked for in comments, in docstrings, in the sources of the rules' worked cases, in `fault` marks and, in
brackets, in what pages say.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import polib
import pytest

import tournament
from scripts.doc_tests import NODE, RELIABILITY_DOCUMENT, places, updated

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
CODE = ("scoring", "tournament", "scripts", "benchmarks", "tests")
LEFT_OUT = frozenset({"vendor", "migrations", "data", "__pycache__"})
CITED = re.compile(r"(?<![\w/.#&'\"%+=-])([A-Z])(\d{1,2})(?:[-/]\1?(\d{1,2}))?(?![\w:%.]*\w)")
# A rack or a set in words, `R5 B6 K7`: tiles, which look like clauses.
TILES = re.compile(r"\b(?:[RBKO]\d{1,2}|J[DCM]?)(?: (?:[RBKO]\d{1,2}|J[DCM]?))+\b")
# What else looks like one, in comments and docstrings: a size of paper, and families in made-up events.
NO_CLAUSES = frozenset({"A4"})
FIGURE_OR_DRILL = re.compile(r"\b(?:figure|drill) ([QH]\d+)\b")
OLD_FORMS = re.compile(
    r"\b(?:rules|reliability|design|look|twist|stack)(?:\.md)? \d"
    r"|(?<!docs/)\b(?:rules|reliability|twist|design|look|stack|house|scoring-cli)\.md\b|\.\./shared"
)
# As the formatter leaves them: a line of its own, or two spaces behind the code.
COMMENT = re.compile(r"(?:^\s*|  )# (.*)$")
HEADINGS = ["## Context", "## Choice", "## Consequences", "## Alternatives"]


def python_notes(path: Path) -> Iterator[tuple[int, str]]:
    """Comments and docstrings of a Python file, with their lines."""
    text = path.read_text(encoding="utf-8")
    for line, one in enumerate(text.splitlines(), start=1):
        if match := COMMENT.search(one):
            yield line, match[1]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def script_notes(path: Path) -> Iterator[tuple[int, str]]:
    """Comments of a script or a style sheet."""
    text = path.read_text(encoding="utf-8")
    for match in re.finditer(r"/\*.*?\*/|(?<=\s)//[^\n]*", text, re.DOTALL):
        yield text.count("\n", 0, match.start()) + 1, match[0]


def shown_notes(path: Path) -> Iterator[tuple[int, str]]:
    """What a template or a catalogue has in brackets as a clause, and a template's comments."""
    for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        yield from ((line, match[0]) for match in re.finditer(r"\([A-Z]\d{1,2}\)|\{#.*?#\}", text))


def case_notes(path: Path) -> Iterator[tuple[int, str]]:
    """What a worked case of the rules rests on."""
    for match in re.finditer(r'"(?:source|clause)": "([^"]*)"', path.read_text(encoding="utf-8")):
        yield 0, match[1]


READERS = {".py": python_notes, ".js": script_notes, ".css": script_notes, ".html": shown_notes, ".po": shown_notes}


@cache
def notes() -> list[tuple[str, int, str]]:
    """File, line and text of everything that may cite a clause."""
    return list(read_notes())


def read_notes() -> Iterator[tuple[str, int, str]]:
    """The same, file by file."""
    for folder in (*CODE, "templates"):
        for path in sorted((ROOT / folder).rglob("*")):
            if not LEFT_OUT & set(path.parts) and path.suffix in READERS:
                yield from ((str(path.relative_to(ROOT)), line, text) for line, text in READERS[path.suffix](path))
    for path in sorted((ROOT / "tests" / "scoring" / "cases").glob("*.json")):
        yield from ((str(path.relative_to(ROOT)), line, text) for line, text in case_notes(path))


def clauses_of(text: str) -> set[str]:
    """The clauses that a text cites; of a range both ends and all between."""
    found = set()
    for letter, first, last in CITED.findall(TILES.sub("", text)):
        found |= {f"{letter}{number}" for number in range(int(first), int(last or first) + 1)}
    return found - NO_CLAUSES


@cache
def clauses() -> frozenset[str]:
    """Every clause that docs/rules.md and docs/reliability.md have."""
    rules, reliability = ((DOCS / name).read_text(encoding="utf-8") for name in ("rules.md", "reliability.md"))
    found = re.findall(r"\*\*([RMS]\d+)\*\*|^- \*\*(H\d+)\*\*", rules + reliability, re.MULTILINE)
    found += [(one, "") for one in re.findall(r"^(?:\| |### )([A-Z]\d+) ", reliability, re.MULTILINE)]
    return frozenset(one or other for one, other in found)


@cache
def faults() -> dict[str, str]:
    """The rows of the faults in docs/reliability.md: id and the cell of tests and drills."""
    chapter = RELIABILITY_DOCUMENT.read_text(encoding="utf-8").partition("\n## 2. ")[2].partition("\n## 3. ")[0]
    rows = [row.strip("| ").split(" | ") for row in chapter.splitlines() if re.match(r"\| [A-Z]\d+ \|", row)]
    return {row[0]: row[-1] for row in rows}


def marked() -> Iterator[tuple[str, str]]:
    """File and fault of each `fault` mark."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if ".fault(" in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "fault":
                yield from ((path.name, str(one.value)) for one in node.args if isinstance(one, ast.Constant))


def test_every_clause_that_is_cited_is_in_the_docs() -> None:
    cited = [(file, line, one) for file, line, text in notes() for one in clauses_of(text)]
    assert len(cited) > 300
    assert sorted(f"{file}:{line} {one}" for file, line, one in cited if one not in clauses()) == []


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("as the rule says (R37, R40)", {"R37", "R40"}),
        ("rack values (R23-R25) and R29/R30", {"R23", "R24", "R25", "R29", "R30"}),
        ("typed as R5 B6 K7 O8 J", set()),
        ("A4 across; sha-256 of U+202E; test_x.py::F9x; 12:45", set()),
        ("faults E1 to E3, fault N4.", {"E1", "E3", "N4"}),
    ],
)
def test_a_citation_is_told_from_a_tile_and_from_other_words(text: str, cited: set[str]) -> None:
    assert clauses_of(text) == cited


def test_nothing_is_cited_in_another_form_or_from_a_document_that_is_not_here() -> None:
    mine = str(Path(__file__).resolve().relative_to(ROOT))
    old = [f"{file}:{line} {text[:60]}" for file, line, text in notes() if file != mine and OLD_FORMS.search(text)]
    assert old == []


def test_no_clause_has_two_texts() -> None:
    rules = (DOCS / "rules.md").read_text(encoding="utf-8")
    reliability = RELIABILITY_DOCUMENT.read_text(encoding="utf-8")
    found = re.findall(r"^- \*\*(R\d+)\*\*", rules, re.MULTILINE)
    found += re.findall(r"^(?:\| |### )([A-Z]\d+) ", reliability, re.MULTILINE)
    assert sorted({one for one in found if found.count(one) > 1}) == []


def test_every_fault_names_a_test_or_a_drill_that_exists() -> None:
    there, without = places(), []
    for fault, shown_by in faults().items():
        nodes = NODE.findall(shown_by)
        others = FIGURE_OR_DRILL.findall(shown_by)
        if not nodes and not others:
            without.append(f"{fault}: names nothing")
        without += [f"{fault}: {name} is not in {path}" for path, name in nodes if path not in there.get(name, [])]
        without += [f"{fault}: {one} is not on the page" for one in others if one not in clauses()]
    assert len(faults()) > 150
    assert without == [], "python -m scripts.doc_tests finds tests that have moved"


def test_every_figure_is_a_file_that_exists() -> None:
    chapter = RELIABILITY_DOCUMENT.read_text(encoding="utf-8").partition("\n## 3. ")[2].partition("\n## 4. ")[0]
    named = re.findall(r"^\| (Q\d+) .*`([\w/]+\.py)` \|$", chapter, re.MULTILINE)
    assert len(named) > 20
    assert [f"{figure}: {path}" for figure, path in named if not (ROOT / path).is_file()] == []


def test_every_fault_that_a_test_bears_has_its_row() -> None:
    assert sorted({f"{file} {fault}" for file, fault in marked() if fault not in faults()}) == []


def test_a_test_that_has_moved_is_found_by_its_name() -> None:
    text = "| N1 | x | y | `tests/old/test_a.py::test_one`<br>`tests/old/test_b.py::test_gone` |"
    made, lost = updated(text, {"test_one": ["tests/new/test_a.py"]})
    assert "`tests/new/test_a.py::test_one`" in made
    assert lost == ["test_gone: no such test"]


def test_decisions_are_numbered_without_a_gap_and_say_context_choice_consequences_and_alternatives() -> None:
    pages = sorted((DOCS / "decisions").glob("[0-9]*.md"))
    index = (DOCS / "decisions" / "README.md").read_text(encoding="utf-8")
    assert [page.name[:4] for page in pages] == [f"{number:04}" for number in range(1, len(pages) + 1)]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert [line for line in text.splitlines() if line.startswith("## ")] == HEADINGS, page.name
        assert (text.startswith(f"# {page.name[:4]} "), f"({page.name})" in index) == (True, True), page.name


def test_every_link_of_a_document_leads_somewhere() -> None:
    pages = [*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
    dead = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert dead == []


def test_every_picture_is_shown_by_a_document() -> None:
    shown = {
        (page.parent / target).resolve()
        for page in (*DOCS.rglob("*.md"), ROOT / "README.md")
        for target in re.findall(r"!\[[^]]*\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
    }
    assert {path for path in (DOCS / "images").rglob("*") if path.is_file()} == shown


def terms() -> list[tuple[str, str, str, str]]:
    """Word, Chinese, context and message of each row of the glossary that names a message."""
    text = (DOCS / "glossary.md").read_text(encoding="utf-8").partition("\n## Words of the code")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| .* \| `(.+?)` \|$", text, re.MULTILINE)
    named = [(word, chinese, *message.replace("\\|", "|").rpartition("|")) for word, chinese, message in rows]
    return [(word, chinese, context, message) for word, chinese, context, _bar, message in named]


@cache
def translations() -> dict[tuple[str, str], str]:
    """Every message with its context: the Chinese, of a plural all forms."""
    return {
        (entry.msgctxt or "", entry.msgid): entry.msgstr or " ".join(entry.msgstr_plural.values())
        for path in sorted((ROOT / "tournament" / "locale" / "zh_Hant" / "LC_MESSAGES").glob("*.po"))
        for entry in polib.pofile(str(path), wrapwidth=0)
    }


def test_the_chinese_of_the_glossary_is_that_of_the_pages() -> None:
    other = [
        f"{word}: {chinese}, the pages say {translations().get((context, message), 'no such message')}"
        for word, chinese, context, message in terms()
        if chinese not in translations().get((context, message), "")
    ]
    assert len(terms()) > 50
    assert other == []


def test_no_message_has_a_word_that_the_glossary_forbids() -> None:
    text = (DOCS / "glossary.md").read_text(encoding="utf-8")
    forbidden = re.findall(r"([\u4e00-\u9fff]+) \(", re.findall(r"^Never in a message: (.*)$", text, re.MULTILINE)[0])
    assert len(forbidden) == 3
    found = [(word, chinese) for chinese in translations().values() for word in forbidden if word in chinese]
    assert found == []


def test_the_newest_version_of_the_changelog_is_that_of_the_program() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", text, re.MULTILINE)
    assert found[0] == ("Unreleased", "")
    assert found[1][0] == tournament.__version__
    assert all(day for _version, day in found[1:])
