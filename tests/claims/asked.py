"""Whether a sentence that says how the world is asks its ground where it stands (docs/claims.md, gate 2).

Asked is the ground where its last name, or a name that carries it (carried.toml), is in a condition around the sentence
or a value in it; in Python, where the function that makes the sentence refers to it. Three more ways there are: a label
of the ground's own choices; a sentence under a code that the ground's module gives; a whole page that only the function
chooses which asks. What a script says stands under a key that the script has.
"""

import ast
import importlib
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.claims.registered import ROOT, STATE, Claim, register
from tests.claims.standing_places import (
    NONE,
    Function,
    Made,
    Names,
    Place,
    functions,
    in_python,
    in_templates,
    referred,
    trees,
    words_in,
)
from tests.claims.standing_scripts import in_scripts

CARRIED = Path(__file__).resolve().parent / "carried.toml"
MADE = Made()
# So many tags before a sentence are looked at for the mark of its element.
MARKED = 3


@cache
def carried() -> dict[str, list[str]]:
    """By ground: the names under which pages have its answer."""
    return tomllib.loads(CARRIED.read_text(encoding="utf-8"))


@cache
def places() -> dict[str, list[Place]]:
    """By sentence: where it stands."""
    found: dict[str, list[Place]] = {}
    for place in (*in_templates(), *in_python(), *in_scripts()):
        found.setdefault(place.key, []).append(place)
    return found


def names_of(ground: str) -> set[str]:
    """The ground's own last name, and those that carry it."""
    return {ground.rpartition(".")[2], *carried().get(ground, ())}


def grounds_of(claim: Claim) -> list[str]:
    """A sentence that is said of several things has several."""
    return claim.ground.split(", ")


def is_asked(claim: Claim, place: Place) -> bool:
    """Whether one of its grounds is asked where the sentence stands."""
    return names_an_act(place) or any(asks(ground, place) for ground in grounds_of(claim))


@cache
def asks(ground: str, place: Place) -> bool:
    if "/" in ground:
        return in_script(ground, place)
    names = names_of(ground)
    if names & place.names or labels(ground) & place.names or codes(ground) & place.keys or names & chosen_by(place):
        return True
    return any(re.search(rf"\.{name}\b", script(path)) for path in scripts_with(place) for name in names)


def names_an_act(place: Place) -> bool:
    """A line of the log, or of what a tablet has: it names what was done, chosen by the act alone."""
    of_acts = place.where.startswith("tournament/core/acts/") or {"acts", "noteActs", "itemActs"} & place.keys
    return of_acts or bool({"ACTS", "TABLET_ACT_WORDS"} & place.names)


def scripts_with(place: Place) -> list[str]:
    """The script that says the sentence, and those that have the key under which it is said or handed to them."""
    if place.where.endswith(".js"):
        return [place.where, *(path for path in scripts() if in_script(path, place))]
    if not place.where.startswith("tournament/tablets/"):
        return []
    return [path for path in scripts() if in_script(path, place)]


@cache
def scripts() -> list[str]:
    """All of the program's own."""
    return [str(path.relative_to(ROOT)) for path in sorted((ROOT / "tournament/static/js").rglob("*.js"))]


@cache
def module_of(ground: str) -> Path:
    """The file that has it."""
    parts = ground.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        return Path(str(found.__file__))
    raise LookupError(ground)


@cache
def codes(ground: str) -> Names:
    """The codes that the ground's module gives: its constants and the words in its functions."""
    tree = trees().get(module_of(ground))
    if tree is None or ".models." in ground:
        return NONE
    found: set[str] = set()
    for one in ast.walk(tree):
        if isinstance(one, Function):
            found |= {name for name in referred(one) if name.isupper()}
            found |= words_in(one)
        elif isinstance(one, ast.Assign):
            found |= words_in(one.value) if isinstance(one.value, ast.Constant) else NONE
    return frozenset(found)


@cache
def labels(ground: str) -> Names:
    """The classes of choices that the ground's definition names: of a field its choices, of a property its answers."""
    owner, own = ground.split(".")[-2:]
    parts = [part for one in classes().get(owner, ()) for part in one.body if own in defined_by(part)]
    return frozenset().union(*(referred(part) & choices() for part in parts))


@cache
def classes() -> dict[str, list[ast.ClassDef]]:
    """Of the whole program, by name."""
    found: dict[str, list[ast.ClassDef]] = {}
    for tree in trees().values():
        for one in ast.walk(tree):
            if isinstance(one, ast.ClassDef):
                found.setdefault(one.name, []).append(one)
    return found


def defined_by(part: ast.stmt) -> set[str]:
    """What a line of a class defines: a method, a field."""
    if isinstance(part, Function):
        return {part.name}
    return {one.id for one in getattr(part, "targets", ()) if isinstance(one, ast.Name)}


def gives(made_by: set[str], name: str) -> bool:
    """Whether a function of these gives its answer under this key."""
    return any(name in one.words for one in functions() if one.name in made_by)


@cache
def choices() -> Names:
    tree = trees()[ROOT / "tournament" / "core" / "enums.py"]
    return frozenset(one.name for one in tree.body if isinstance(one, ast.ClassDef))


def chosen_by(place: Place) -> Names:
    """For a page that asks nothing itself: what the functions ask that choose it, and who calls them."""
    if place.is_asked or not place.where.startswith("templates/"):
        return NONE
    name = place.where.removeprefix("templates/").removesuffix(".html")
    called = {name, f"{name}.html", Path(name).name}
    makers = {one.name for one in functions() if called & one.words}
    return frozenset().union(*(one.names for one in functions() if makers & one.names))


@cache
def script(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def in_script(path: str, place: Place) -> bool:
    """Whether the script has the key under which the sentence is handed to it."""
    if path == place.where:
        return True
    keys = place.keys or elements(place)
    return any(re.search(rf"\b{re.escape(key)}\b", script(path)) for key in keys)


@cache
def elements(place: Place) -> Names:
    """Of a sentence in a template: what marks the elements before it for a script, data-… and id."""
    if not place.where.startswith("templates/"):
        return NONE
    text = (ROOT / place.where).read_text(encoding="utf-8")
    # A long sentence stands on several lines.
    words = place.key.rpartition("|")[2].split("%(")[0].split()
    sentence = re.search(r"\s+".join(map(re.escape, words)), text)
    before = text[: sentence.start() if sentence else 0]
    found: set[str] = set()
    for tag in re.findall(r"<\w+[^<>]*>", before)[-MARKED:]:
        for name, value in re.findall(r'\b(data-[\w-]+|id)(?:="([\w-]*)")?', tag):
            found |= {name, value} - {"id", ""}
    return frozenset(found)


def unasked() -> Iterator[tuple[Claim, Place | None]]:
    """Each sentence whose ground is not asked where it stands; without a place where it stands nowhere."""
    for claim in register():
        if claim.kind == STATE:
            found = places().get(claim.key, [])
            if not found:
                yield claim, None
            yield from ((claim, place) for place in found if not is_asked(claim, place))
