"""`scoring` is pure: the standard library alone, no clock, no dice, no float."""

import ast
import subprocess
import sys

from tests.source_tree import ROOT, imports_of, python_files, said, tree

# May import anything of the standard library but this: no clock, no dice, no world outside.
CLOCKS = frozenset({"time", "datetime", "zoneinfo"})
DICE = frozenset({"random", "secrets", "uuid"})
OUTSIDE = frozenset({"os", "pathlib", "socket", "subprocess", "urllib", "http", "sqlite3", "locale", "gettext"})
IMPURE = CLOCKS | DICE | OUTSIDE
# Dates and times that are handed in are values; `test_scoring_reads_no_clock` sees that none is asked for.
READS_DATES = frozenset(
    {"arrivals", "clock", "eligibility", "feed_observation", "shell", "signals", "weather", "weather_proposal"}
)


def test_scoring_imports_the_standard_library_and_itself_only() -> None:
    breaches = []
    for path in python_files("scoring"):
        allowed = {"datetime"} if {path.stem, path.parent.name} & READS_DATES else set()
        allowed |= {"os"} if path.stem == "__main__" else set()  # standard input and output, nothing else
        for line, name in imports_of(path):
            top = name.split(".")[0]
            foreign = top != "scoring" and top not in sys.stdlib_module_names
            impure = top in IMPURE - allowed
            if foreign or impure:
                breaches.append(said(path, line, f"imports {name}"))
    assert breaches == []


def test_scoring_reads_no_clock() -> None:
    clocks = {"now", "today", "utcnow"}
    breaches = [
        said(path, node.lineno, f"calls {node.func.attr}")
        for path in python_files("scoring")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in clocks
    ]
    assert breaches == []


def test_scoring_has_no_float() -> None:
    breaches = []
    for path in python_files("scoring"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
                breaches.append(said(path, node.lineno, f"the number {node.value}"))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float":
                breaches.append(said(path, node.lineno, f"calls {node.func.id}"))
            if (
                isinstance(node, ast.BinOp | ast.AugAssign)
                and isinstance(node.op, ast.Div)
                and not whole_division(node)
            ):
                breaches.append(said(path, node.lineno, "divides with /"))
    assert breaches == []


def whole_division(node: ast.BinOp | ast.AugAssign) -> bool:
    """Whether one side of the division is plainly a Fraction, so that the answer is exact."""
    sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.target, node.value]
    return any(
        isinstance(side, ast.Call) and isinstance(side.func, ast.Name) and side.func.id == "Fraction" for side in sides
    )


def test_scoring_runs_on_the_standard_library_alone() -> None:
    answer = subprocess.run(
        [sys.executable, "-I", "-S", "-c", "import runpy, sys; sys.path.insert(0, '.'); sys.argv[1:] = ['rulesets'];"
         "runpy.run_module('scoring', run_name='__main__')"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert (answer.returncode, answer.stderr, answer.stdout[:12]) == (0, "", '{"rulesets":')


def test_the_re_scorer_is_one_file_that_knows_nothing_of_the_rest() -> None:
    path = ROOT / "tests" / "rescorer.py"
    names = {name.split(".")[0] for _, name in imports_of(path)}
    assert names - sys.stdlib_module_names == set()
    assert "fractions" in names
