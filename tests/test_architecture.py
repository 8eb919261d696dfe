"""The house holds by reading its own imports: layers, stages, a pure `scoring`, short files, no hiding places.

One test a rule; each answers with every breach, by file and line, and an empty list is the only right answer.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Each layer imports only itself and what stands before it. Layers on one line stand beside each other.
LAYERS = (
    ("enums", "quantities", "names", "contacts", "moments", "folder"),
    ("errors",),
    ("storage",),
    ("models",),
    ("guards",),
    ("queries",),
    ("bridge",),
    ("readers",),
    ("adapters",),
    ("exports",),
    ("services",),
    ("forms", "templatetags"),
    ("tasks",),
    ("form_keys",),
    ("permissions",),
    ("api",),
    ("views", "management", "admin", "demo"),
    ("urls",),
)
HEIGHT = {layer: height for height, layers in enumerate(LAYERS) for layer in layers}
# Not layers: what Django is told by, and the doors around every request.
AROUND = frozenset(
    {"settings", "wsgi", "asgi", "celery", "apps", "checks", "words", "migrations", "staff", "public", "logs", "marker"}
)

STAGES = (
    "setup",
    "importing",
    "registration",
    "seating",
    "checkin",
    "scoresheets",
    "signing",
    "results",
    "standings",
    "qualification",
    "podium",
    "corrections",  # after the cut, which shows what a new version of a sheet would move; before what is released
    "awards",
    "release",
)
STAGE_HEIGHT = {stage: height for height, stage in enumerate(STAGES)}
STAGED = ("queries", "bridge", "readers", "exports", "services", "forms", "tasks", "api", "views")

# May import anything of the standard library but this: no clock, no dice, no world outside.
CLOCKS = frozenset({"time", "datetime", "zoneinfo"})
DICE = frozenset({"random", "secrets", "uuid"})
OUTSIDE = frozenset({"os", "pathlib", "socket", "subprocess", "urllib", "http", "sqlite3", "locale", "gettext"})
IMPURE = CLOCKS | DICE | OUTSIDE
# Dates and times that are handed in are values; `test_scoring_reads_no_clock` sees that none is asked for.
READS_DATES = frozenset({"eligibility", "weather", "signals", "proposal", "looks", "clock", "shell"})

HIDING_PLACES = frozenset({"util", "utils", "helper", "helpers", "common", "misc", "shared", "tools", "lib"})
LONGEST = 400
# An outsider runs it alone, without the program: it stays one file (reliability 4.3).
ONE_FILE_ALONE = "scripts/verify_audit.py"
KEPT = ("scoring", "tournament", "tests", "scripts", "benchmarks", "templates", "fixtures", "deploy")


@cache
def tree(path: Path) -> ast.Module:
    """A file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def python_files(*folders: str) -> list[Path]:
    """Every Python file of these folders but the generated migrations."""
    found = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in found if "migrations" not in path.parts]


def module_of(path: Path) -> str:
    """`tournament/services/audit.py` is `tournament.services.audit`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_module(name: str) -> bool:
    """Whether the dotted name is a file or a package here."""
    place = ROOT.joinpath(*name.split("."))
    return place.with_suffix(".py").exists() or (place / "__init__.py").exists()


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Line and dotted name of each import; `from package import module` counts as the module."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} a relative import"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield node.lineno, inner if is_module(inner) else str(node.module)


def said(path: Path, line: int, what: str) -> str:
    """A breach, as one reads it."""
    return f"{path.relative_to(ROOT)}:{line} {what}"


def layer_of(module: str) -> str | None:
    """The second word of `tournament.services.audit`."""
    parts = module.split(".")
    return parts[1] if parts[0] == "tournament" and len(parts) > 1 else None


def stage_of(module: str) -> str | None:
    """`importing` of `tournament.services.importing` and of `tournament.services.importing_rows`."""
    parts = module.split(".")
    if len(parts) < 3 or parts[0] != "tournament" or parts[1] not in STAGED:
        return None
    return next((stage for stage in STAGES if parts[2] == stage or parts[2].startswith(f"{stage}_")), None)


def test_every_module_of_tournament_has_its_layer() -> None:
    names = {layer_of(module_of(path)) for path in python_files("tournament")} - {None}
    assert names - set(HEIGHT) - AROUND == set()


def test_a_layer_imports_only_what_stands_before_it() -> None:
    breaches = []
    for path in python_files("tournament"):
        here = layer_of(module_of(path))
        if here not in HEIGHT:
            continue
        for line, name in imports_of(path):
            there = layer_of(name)
            if there is None:
                continue
            if there in AROUND or (there != here and HEIGHT[there] > HEIGHT[here]):
                breaches.append(said(path, line, f"{here} imports {name}"))
    assert breaches == []


def test_only_the_bridge_and_later_layers_import_scoring() -> None:
    breaches = [
        said(path, line, f"imports {name}")
        for path in python_files("tournament")
        if HEIGHT.get(layer_of(module_of(path)) or "", 0) < HEIGHT["bridge"]
        for line, name in imports_of(path)
        if name.split(".")[0] == "scoring"
    ]
    assert breaches == []


def test_a_stage_never_imports_a_later_stage() -> None:
    breaches = []
    for path in python_files("tournament"):
        here = stage_of(module_of(path))
        for line, name in imports_of(path):
            there = stage_of(name)
            if here and there and STAGE_HEIGHT[there] > STAGE_HEIGHT[here]:
                breaches.append(said(path, line, f"{here} imports {name}"))
    assert breaches == []


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


def test_no_import_stands_inside_a_function() -> None:
    breaches = [
        said(path, inner.lineno, f"inside {node.name}")
        for path in python_files("scoring", "tournament", "tests", "scripts", "benchmarks")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]
    assert breaches == []


def test_no_signal_runs_between_our_own_modules() -> None:
    breaches = [
        said(path, line, f"imports {name}")
        for path in python_files("tournament")
        for line, name in imports_of(path)
        if name.startswith(("django.dispatch", "django.db.models.signals")) and path.stem != "apps"
    ]
    assert breaches == []


def test_no_lock_on_a_row_keeps_others_from_referring_to_it() -> None:
    """A foreign key of an audit entry asks for the event's key: a lock on that as well ends in a deadlock."""
    breaches = [
        said(path, call.lineno, "select_for_update without no_key=True")
        for path in python_files("tournament")
        for call in ast.walk(tree(path))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "select_for_update"
        if not any(given.arg == "no_key" for given in call.keywords)
    ]
    assert breaches == []


def test_no_file_is_a_hiding_place() -> None:
    files = [path for folder in KEPT for path in (ROOT / folder).rglob("*") if path.is_file()]
    assert [str(path.relative_to(ROOT)) for path in files if path.stem in HIDING_PLACES and path.suffix == ".py"] == []


def test_no_file_is_longer_than_400_lines() -> None:
    long = {}
    for folder in KEPT:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".py", ".js", ".html", ".css"} and not {"vendor", "migrations"} & set(path.parts):
                lines = len(path.read_text(encoding="utf-8").splitlines())
                if lines > LONGEST and str(path.relative_to(ROOT)) != ONE_FILE_ALONE:
                    long[str(path.relative_to(ROOT))] = lines
    assert long == {}


def test_every_public_function_of_a_service_says_what_it_does() -> None:
    silent = [
        said(path, node.lineno, node.name)
        for path in python_files("tournament/services", "scoring")
        for node in tree(path).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and ast.get_docstring(node) is None
    ]
    assert silent == []


def test_only_the_module_of_names_masks_or_folds_a_name() -> None:
    fields, ways = {"name_zh", "name_en", "name_key"}, {"strip", "split", "casefold", "lower", "upper", "replace"}
    breaches = []
    for path in python_files("tournament"):
        if module_of(path) in {"tournament.names", "tournament.contacts"}:
            continue
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Constant) and node.value == "***":
                breaches.append(said(path, node.lineno, "hides by itself"))
            if isinstance(node, ast.ImportFrom):
                masks = [alias.name for alias in node.names if alias.name in ("mask_chinese", "mask_english")]
                breaches += [said(path, node.lineno, f"{name} instead of public_name") for name in masks]
            method = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else None
            if method and method.attr in ways and getattr(method.value, "attr", "") in fields:
                breaches.append(said(path, node.lineno, ast.unparse(method)))
    assert breaches == []


# What a name is folded from. The module of names says in its docstring who else may do so, and for what.
FOLDED_FROM = frozenset({"script_of", "spelt_out", "spelt_out_all", "pieces", "visible", "VARIANTS", "COMPATIBILITY"})


def test_a_name_is_folded_elsewhere_only_where_the_module_of_names_says_so() -> None:
    folding, asking = set(), set()
    for path in python_files("tournament"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ImportFrom) and node.module == "tournament.names":
                folding |= {module_of(path) for alias in node.names if alias.name in FOLDED_FROM}
        asking |= {module_of(path) for _line, name in imports_of(path) if name == "tournament.readers.letters"}
    assert folding == {"tournament.exports.pdf_fonts", "tournament.readers.letters"}
    gate = ("personal_candidates", "personal_text", "school_names")
    assert asking == {f"tournament.readers.{name}" for name in gate}
    told = str(ast.get_docstring(tree(ROOT / "tournament" / "names.py")))
    allowed = {name.removeprefix("tournament.") for name in folding | asking}
    assert [name for name in sorted(allowed) if name not in told] == []


def test_nothing_is_left_for_later_or_left_out() -> None:
    words = ("TO" + "DO", "FIX" + "ME", "pytest.mark." + "skip", "pytest." + "skip(", "pytest.mark." + "xfail")
    breaches = [
        said(path, number, word)
        for path in python_files("scoring", "tournament", "tests", "scripts", "benchmarks")
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        for word in words
        if word in text
    ]
    assert breaches == []
