"""`make figures`: what can be counted about the tree itself, as a table and as JSON.

    python scripts/house_figures.py [ROOT] [--json]

Runs on any checkout, of the layout by layers as of the one by rooms, with the standard library alone; only complexity
is asked of ruff, which is "not measured" where it is missing. Nothing here judges: the limits are in the tests.
"""

import argparse
import ast
import json
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

PRODUCT = ("scoring", "tournament", "scripts", "benchmarks")
NAMED = ("scoring", "tournament", "scripts")
TEXT = frozenset({".py", ".html", ".js", ".css", ".txt", ".svg", ".toml", ".po"})
NEVER = frozenset({"vendor", "migrations", "__pycache__", ".venv", ".git", "node_modules"})
MAX_COMPLEXITY = 20
FEW_WORDS = 5
# Names that Django, DRF, the command line or a convention of every room ask for; each module has its own by right.
CONVENTIONS = frozenset(
    {"urlpatterns", "app_name", "register", "Command", "Meta", "main", "application", "handler", "router", "logger",
     "OFFERS", "API_CHAPTER",
     "ROOT", "__all__", "__version__", "dependencies", "operations"}
)  # fmt: skip
# One directory name says which room of tests/ or templates/ belongs to which room of the product.
OUTSIDE_ROOMS = "(no room)"


@dataclass(frozen=True)
class Module:
    """One Python file: its dotted name and its syntax tree."""

    name: str
    path: Path

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text(encoding="utf-8"), str(self.path))

    @cached_property
    def lines(self) -> int:
        """As an editor counts them."""
        return len(self.path.read_text(encoding="utf-8").splitlines())


def kept(root: Path, folder: str) -> Iterator[Path]:
    """The files under a folder that people write: no vendored script, no generated migration."""
    base = root / folder
    for path in sorted(base.rglob("*")) if base.is_dir() else ():
        if path.is_file() and not NEVER & set(path.relative_to(root).parts):
            yield path


def modules(root: Path, *folders: str) -> list[Module]:
    """Every Python file of these folders, by dotted name; a package's `__init__` is the package."""
    found = []
    for folder in folders:
        for path in kept(root, folder):
            if path.suffix == ".py":
                parts = path.relative_to(root).with_suffix("").parts
                found.append(Module(".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return found


# --- Names that mean several things ---------------------------------------------------------------------


def top_level_names(module: Module) -> Iterator[str]:
    """Functions, classes and assigned names of a module's own body; private ones are nobody else's."""
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        else:
            names = []
        yield from (name for name in dict.fromkeys(names) if not name.startswith("_"))


def names_with_several_meanings(root: Path) -> dict[str, list[str]]:
    """Top-level names that more than one module defines, with these modules; conventions left out."""
    where = defaultdict(set)
    for module in modules(root, *NAMED):
        for name in top_level_names(module):
            where[name].add(module.name)
    several = {name: sorted(found) for name, found in where.items() if len(found) > 1 and name not in CONVENTIONS}
    return dict(sorted(several.items(), key=lambda item: (-len(item[1]), item[0])))


# --- Docstrings -----------------------------------------------------------------------------------------


def docstrings(root: Path, *folders: str) -> Iterator[str]:
    """Every docstring: of modules, classes and functions."""
    asked = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for module in modules(root, *folders):
        for node in ast.walk(module.tree):
            if isinstance(node, asked) and (text := ast.get_docstring(node)) is not None:
                yield text


def docstring_figures(root: Path, *folders: str) -> dict[str, int]:
    """How many there are, and how many say less than a sentence can."""
    found = list(docstrings(root, *folders))
    return {"all": len(found), "under_five_words": sum(len(text.split()) < FEW_WORDS for text in found)}


# --- Complexity -----------------------------------------------------------------------------------------


def complex_functions(root: Path) -> list[str] | None:
    """Functions of a McCabe complexity over 20, as ruff names them; None where there is no ruff."""
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
    if ruff is None:
        return None
    limit = f"lint.mccabe.max-complexity={MAX_COMPLEXITY}"
    command = [ruff, "check", "--isolated", "--no-cache", "--exit-zero", "--output-format=json", "--select=C901"]
    folders = [folder for folder in (*PRODUCT, "tests") if (root / folder).is_dir()]
    done = subprocess.run([*command, "--config", limit, *folders], cwd=root, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return sorted(
        f"{Path(one['filename']).relative_to(root.resolve())}:{one['location']['row']} {one['message']}"
        for one in found
    )


# --- Size by room or package ----------------------------------------------------------------------------


def rooms_of(root: Path) -> frozenset[str]:
    """The rooms, where the tree has them: folders of `tournament/` with layers of their own inside."""
    layers = {"models", "queries", "domain", "services", "views", "exports", "forms", "api", "urls"}
    if not (root / "tournament" / "events").is_dir():
        return frozenset()
    packages = [path for path in (root / "tournament").iterdir() if (path / "__init__.py").exists()]
    inside = {path.name: {each.stem for each in path.iterdir()} for path in packages}
    return frozenset(name for name, stems in inside.items() if stems & layers) | {"core", "demo"}


def room_of(path: Path, rooms: frozenset[str]) -> str:
    """`tournament/<room>/...`, `tests/<room>/...`, `templates/<room>/...`; by layers: the second part of the path."""
    parts = path.parts
    if parts[0] in ("scoring", "scripts", "benchmarks") or (parts[0] == "tests" and parts[1:2] == ("scoring",)):
        return parts[0] if parts[0] != "tests" else "scoring"
    inner = parts[2:] if parts[:2] in (("tests", "tournament"), ("tournament", "static")) else parts[1:]
    name = inner[0] if len(inner) > 1 else OUTSIDE_ROOMS
    return name if not rooms or name in rooms or parts[0] == "tests" else OUTSIDE_ROOMS


def sizes(root: Path) -> dict[str, dict[str, int]]:
    """Files and lines of each room (of each package, in the layout by layers), product and tests apart."""
    rooms = rooms_of(root)
    found: dict[str, dict[str, int]] = defaultdict(
        lambda: {"product_files": 0, "product_lines": 0, "test_files": 0, "test_lines": 0}
    )
    for folder in (*PRODUCT, "templates", "tests"):
        kind = "test" if folder == "tests" else "product"
        for path in kept(root, folder):
            if path.suffix not in TEXT or "data" in path.parts or path.suffix == ".po":
                continue
            row = found[room_of(path.relative_to(root), rooms)]
            row[f"{kind}_files"] += 1
            row[f"{kind}_lines"] += len(path.read_text(encoding="utf-8").splitlines())
    return dict(sorted(found.items()))


# --- Imports both ways ----------------------------------------------------------------------------------


def package_of(name: str) -> str | None:
    """`seating` of `tournament.seating.services.draw`; `services` in the layout by layers; not what lies beside."""
    parts = name.split(".")
    return parts[1] if parts[0] == "tournament" and len(parts) > 1 else None


def feature_of(name: str, folders: frozenset[str]) -> str | None:
    """`seating` of `tournament.services.seating_moves`: the first word of a module's name, in the layout by layers."""
    parts = name.split(".")
    if parts[0] != "tournament" or len(parts) < 3 or parts[1] not in folders:
        return None
    return parts[2].split("_")[0]


def imported(module: Module, known: frozenset[str]) -> Iterator[str]:
    """Dotted names that a module imports; `from package import module` is the module."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in known else node.module


def two_way_pairs(root: Path) -> list[str]:
    """Pairs that import each other: rooms; or, in the layout by layers, features by the first word of a module."""
    found = modules(root, "tournament")
    known, rooms = frozenset(module.name for module in found), rooms_of(root)
    folders = frozenset({"queries", "bridge", "readers", "exports", "services", "forms", "tasks", "api", "views"})

    def unit(name: str) -> str | None:
        if rooms:
            return package if (package := package_of(name)) in rooms else None
        return feature_of(name, folders)

    edges = {
        (here, there)
        for module in found
        if (here := unit(module.name))
        for name in imported(module, known)
        if (there := unit(name)) and there != here
    }
    return sorted(f"{here} {there}" for here, there in edges if here < there and (there, here) in edges)


def offered(found: list[Module], rooms: frozenset[str]) -> frozenset[str]:
    """Every module that a room's `__init__` names in OFFERS, by its dotted name."""
    return frozenset(
        f"{module.name}.{name}"
        for module in found
        if module.name.count(".") == 1 and package_of(module.name) in rooms
        for node in module.tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "OFFERS"
        for name in ast.literal_eval(node.value)
    )


def imports_past_init(root: Path) -> list[str]:
    """Imports of a module inside another room that this room's `__init__` does not offer; none without rooms."""
    found = modules(root, "tournament")
    known, rooms = frozenset(module.name for module in found), rooms_of(root)
    offers = offered(found, rooms)
    return sorted(
        f"{module.name} imports {name}"
        for module in found
        for name in imported(module, known)
        if (there := package_of(name)) in rooms and name.count(".") > 1 and package_of(module.name) in rooms - {there}
        if name not in offers
    )


# --- All of it ------------------------------------------------------------------------------------------


def figures(root: Path) -> dict[str, Any]:
    """Every figure with what it is made of."""
    size = sizes(root)
    several = names_with_several_meanings(root)
    complex_ones = complex_functions(root)
    pairs, past = two_way_pairs(root), imports_past_init(root)
    return {
        "names_with_several_meanings": {"count": len(several), "names": several, "left_out": sorted(CONVENTIONS)},
        "docstrings_product": docstring_figures(root, *PRODUCT),
        "docstrings_tests": docstring_figures(root, "tests"),
        "complexity_over_20": None if complex_ones is None else {"count": len(complex_ones), "where": complex_ones},
        "two_way_pairs": {"count": len(pairs), "of": "rooms" if rooms_of(root) else "features", "pairs": pairs},
        "imports_past_init": {"count": len(past), "where": past},
        "size": size,
        "total": {key: sum(row[key] for row in size.values()) for key in next(iter(size.values()))},
    }


def figures_table(found: dict[str, Any]) -> str:
    """The same for a person."""
    product, tests = found["docstrings_product"], found["docstrings_tests"]
    complexity = found["complexity_over_20"]
    rows = [
        ("names with several meanings", found["names_with_several_meanings"]["count"]),
        ("docstrings under five words, product", f"{product['under_five_words']} of {product['all']}"),
        ("docstrings under five words, tests", f"{tests['under_five_words']} of {tests['all']}"),
        ("functions of complexity over 20", "not measured" if complexity is None else complexity["count"]),
        (f"{found['two_way_pairs']['of']} that import each other", found["two_way_pairs"]["count"]),
        ("imports past a room's __init__", found["imports_past_init"]["count"]),
    ]
    lines = [f"{name:42} {value}" for name, value in rows]
    lines += ["", f"{'':18} {'product':>8} {'lines':>8} {'tests':>8} {'lines':>8}"]
    keys = ("product_files", "product_lines", "test_files", "test_lines")
    for name, row in (*found["size"].items(), ("in all", found["total"])):
        lines.append(f"{name:18} " + " ".join(f"{row[key]:8,}" for key in keys))
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Table, or with --json everything."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--json", action="store_true", help="every figure with the places it is made of")
    given = parser.parse_args(arguments)
    found = figures(given.root)
    print(json.dumps(found, indent=1, ensure_ascii=False) if given.json else figures_table(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
