"""The house holds by reading its own imports: rooms, layers, a pure `scoring`, short files, no hiding places.

One test a rule; each answers with every breach, by file and line, and an empty list is the only right answer.
"""

import ast
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.source_tree import ROOT, imports_of, is_module, module_of, python_files, said, tree

# Each room imports only rooms before it, and of them only what they offer.
ROOMS = (
    "core",
    "audit",
    "api",
    "events",
    "entrants",
    "releases",
    "tables",
    "devices",
    "accounts",
    "messages",
    "sheets",
    "tablets",
    "log",
    "seating",
    "ranking",
    "stages",
    "scoresheets",
    "publication",
    "timer",
    "finalists",
    "registration",
    "arrivals",
    "setup",
    "weather",
    "hall",
    "mail",
    "operations",
    "demo",
)
# Inside the rooms each layer imports only itself and what stands before it. Layers on one line stand beside each other.
# What is in no layer (a room's plain values: `core.names`, `demo.day`) stands before all of them.
LAYERS = (
    ("models",),
    ("triggers",),
    ("queries",),
    ("domain",),
    ("readers",),
    ("adapters",),
    ("exports",),
    ("services",),
    ("forms", "templatetags"),
    ("tasks",),
    ("form_keys",),
    ("permissions",),
    ("api",),
    ("views",),
    ("urls",),
)
IMPORT_LINE = re.compile(
    r"^from ((?:tournament|tests|scripts|scoring)[.\w]*) import (\w+(?: as \w+)?(?:, *\w+(?: as \w+)?)*)", re.M
)
HEIGHT = {layer: height for height, layers in enumerate(LAYERS) for layer in layers}
# In no room: what Django is told by, and commands.
AROUND = frozenset(
    {"api_urls", "apps", "celery", "checks", "management", "migrations", "models", "settings", "urls", "wsgi"}
)
# The doors around every request know pages; the demo plays through all layers.
ABOVE_LAYERS = ("tournament.operations.staff_middleware", "tournament.demo.")


HIDING_PLACES = frozenset({"util", "utils", "helper", "helpers", "common", "misc", "shared", "tools", "lib"})
LONGEST = 400
# An outsider runs it alone, without the program: it stays one file (D3).
ONE_FILE_ALONE = "scripts/verify_audit.py"
KEPT = ("scoring", "tournament", "tests", "scripts", "benchmarks", "templates", "fixtures", "deploy")


def room_of(module: str) -> str | None:
    """`audit` of `tournament.audit.services`; None outside `tournament`."""
    parts = module.split(".")
    return parts[1] if parts[0] == "tournament" and len(parts) > 1 else None


def layer_of(module: str) -> str | None:
    """`services` of `tournament.audit.services` and of what is in that folder; the room `api` is one layer itself."""
    parts = module.split(".")
    if parts[0] != "tournament" or len(parts) < 3:
        return None
    return parts[2] if parts[2] in HEIGHT else "api" if parts[1] == "api" else None


def height_of(module: str) -> int:
    """What a module may import is not higher than this."""
    if module.startswith(ABOVE_LAYERS):
        return len(LAYERS)
    return HEIGHT.get(layer_of(module) or "", -1)


@cache
def offers_of(room: str) -> frozenset[str]:
    """The modules that a room offers to later ones, by their dotted names."""
    (offers,) = [
        ast.literal_eval(node.value)
        for node in tree(ROOT / "tournament" / room / "__init__.py").body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "OFFERS"
    ]
    return frozenset(f"tournament.{room}.{name}" for name in offers)


def imports_between_rooms() -> Iterator[tuple[Path, int, str, str]]:
    """File, line, importing module and imported module, wherever a room's module or one around it names a room's."""
    for path in python_files("tournament"):
        here = module_of(path)
        for line, name in imports_of(path):
            if room_of(name) in ROOMS and room_of(name) != room_of(here):
                yield path, line, here, name


def test_every_module_of_tournament_has_its_room() -> None:
    names = {room_of(module_of(path)) for path in python_files("tournament")} - {None}
    assert names - AROUND == set(ROOMS)


def test_a_room_imports_only_rooms_before_it() -> None:
    breaches = [
        said(path, line, f"{here} imports {name}")
        for path, line, here, name in imports_between_rooms()
        if room_of(here) in ROOMS and ROOMS.index(str(room_of(name))) > ROOMS.index(str(room_of(here)))
    ]
    assert breaches == []


def test_a_room_imports_only_what_another_offers() -> None:
    breaches = [
        said(path, line, f"{here} imports {name}")
        for path, line, here, name in imports_between_rooms()
        if name not in offers_of(str(room_of(name)))
    ]
    assert breaches == []


def test_a_room_offers_only_what_is_used() -> None:
    used = {name for _path, _line, _here, name in imports_between_rooms()}
    assert [name for room in ROOMS for name in sorted(offers_of(room) - used)] == []


def test_a_room_says_what_it_owns_what_it_offers_and_what_it_must_never_do() -> None:
    silent = []
    for room in ROOMS:
        text = str(ast.get_docstring(tree(ROOT / "tournament" / room / "__init__.py")))
        silent += [f"{room}: {start}" for start in ("Owns: ", "Offers: ", "It must never ") if f"\n{start}" not in text]
    assert silent == []


def test_no_room_imports_what_stands_around_the_rooms() -> None:
    breaches = [
        said(path, line, f"imports {name}")
        for path in python_files("tournament")
        if room_of(module_of(path)) in ROOMS
        for line, name in imports_of(path)
        if room_of(name) in AROUND
    ]
    assert breaches == []


def test_a_layer_imports_only_what_stands_before_it() -> None:
    breaches = [
        said(path, line, f"{module_of(path)} imports {name}")
        for path in python_files("tournament")
        if room_of(module_of(path)) in ROOMS
        for line, name in imports_of(path)
        if height_of(name) > height_of(module_of(path))
    ]
    assert breaches == []


def test_only_the_domain_and_later_layers_import_scoring() -> None:
    breaches = [
        said(path, line, f"imports {name}")
        for path in python_files("tournament")
        if room_of(module_of(path)) in ROOMS and height_of(module_of(path)) < HEIGHT["domain"]
        for line, name in imports_of(path)
        if name.split(".")[0] == "scoring"
    ]
    assert breaches == []


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


def test_a_program_in_a_string_imports_what_there_is() -> None:
    """What a test or a script runs in a process of its own is seen by no tool that renames."""
    found = [
        said(path, line, f"imports {name}")
        for path in python_files("tests", "scripts", "tournament", "benchmarks")
        if path.name != "test_house_figures.py"
        for line, name in imports_in_strings(path)
        if not is_name(name)
    ]
    assert found == []


def imports_in_strings(path: Path) -> Iterator[tuple[int, str]]:
    """Each `from tournament… import …` at the beginning of a line in a string: line and dotted name."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for module, names in IMPORT_LINE.findall(node.value):
                for name in names.split(","):
                    yield node.lineno, f"{module}.{name.split()[0]}"


def is_name(dotted: str) -> bool:
    """Whether it is a module of ours, or a name at the top of one."""
    module, _, name = dotted.rpartition(".")
    if is_module(dotted):
        return True
    return is_module(module) and name in vars(importlib.import_module(module))


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
        for path in python_files("tournament", "scoring")
        if layer_of(module_of(path)) == "services" or module_of(path).startswith("scoring")
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
        if module_of(path) in {"tournament.core.names", "tournament.core.contact_masks"}:
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
FOLDED_FROM = frozenset(
    {
        "script_of",
        "expand_character",
        "expand_text",
        "visible_pieces",
        "visible_text",
        "VARIANT_CHARACTERS",
        "COMPATIBILITY_RANGES",
    }
)


def test_a_name_is_folded_elsewhere_only_where_the_module_of_names_says_so() -> None:
    folding, asking = set(), set()
    for path in python_files("tournament"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ImportFrom) and node.module == "tournament.core.names":
                folding |= {module_of(path) for alias in node.names if alias.name in FOLDED_FROM}
        asking |= {
            module_of(path) for _line, name in imports_of(path) if name == "tournament.entrants.readers.text_letters"
        }
    assert folding == {"tournament.core.exports.pdf_fonts", "tournament.entrants.readers.text_letters"}
    assert asking == {
        "tournament.entrants.readers.school_names",
        "tournament.messages.readers.personal_candidates",
        "tournament.messages.readers.personal_text",
    }
    told = str(ast.get_docstring(tree(ROOT / "tournament" / "core" / "names.py")))
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
