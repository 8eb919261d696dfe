"""Where each sentence stands, and what is asked there: read from templates and Python, without a database.

`names` of a place are those of the conditions around the sentence and of the values in it. What a name is made from is
followed back through the code by name (`Carried`), a few steps: a view's key, a local, a property, a function.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from django.template import Origin, Template, engines
from django.template.base import FilterExpression, Node, NodeList, Variable, VariableNode
from django.template.defaulttags import ForNode, IfNode, WithNode
from django.template.loader_tags import IncludeNode
from django.template.smartif import TokenBase
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

from tests.core.translatable import (
    MANY,
    ONE,
    ROOT,
    WITH_CONTEXT,
    context_of,
    in_context,
    literal,
    marked_texts,
    sentence_of,
)

TEMPLATES = ROOT / "templates"
Names = frozenset[str]
NONE: Names = frozenset()


@dataclass(frozen=True, slots=True)
class Place:
    """One sentence where it stands: `where` for people, the names that are asked around it, the keys it stands under
    in a table. `is_asked`: a condition of the template is around it."""

    key: str
    where: str
    names: Names
    keys: Names = NONE
    is_asked: bool = False


# --- Templates ------------------------------------------------------------------------------------------
def walk(text: str, where: str) -> "Walk":
    return Walk(where, Template(text, Origin(where), where, engines["django"].engine))


def names_in(value: Any) -> Names:
    """Every dotted part of every variable in an expression, a condition or a node's own arguments."""
    found: set[str] = set()
    if isinstance(value, Variable):
        found |= set(value.lookups or ())
    elif isinstance(value, FilterExpression):
        found |= names_in(value.var)
        for function, arguments in value.filters:
            found.add(getattr(function, "__name__", ""))
            found |= {name for is_variable, one in arguments if is_variable for name in names_in(one)}
    elif isinstance(value, TokenBase):
        found |= names_in(vars(value))
    elif isinstance(value, dict):
        found |= {name for one in value.values() for name in names_in(one)}
    elif isinstance(value, list | tuple):
        found |= {name for one in value for name in names_in(one)}
    return frozenset(found)


class Walk:
    """All sentences of one template, with the names asked around each. `bound`: what {% with %} and {% for %} call
    otherwise."""

    def __init__(self, where: str, compiled: Template) -> None:
        self.where = where
        self.places: list[Place] = []
        self.includes: list[tuple[str, Names]] = []
        self._in(compiled.nodelist, NONE, {})

    def _in(self, nodes: Iterable[Any], around: Names, bound: dict[str, Names]) -> None:
        names, given = around, dict(bound)
        found = list(nodes)
        for place, node in enumerate(found):
            self._one(node, names, given, self._of(beside(found, place), given))
            if isinstance(node, TranslateNode | BlockTranslateNode) and node.asvar:
                given[node.asvar] = NONE
            elif target := getattr(node, "target_var", None) or getattr(node, "asvar", None):
                given[target] = self._of(own(node), given)

    def _of(self, value: Any, bound: dict[str, Names]) -> Names:
        """Its names, with what those were bound to."""
        found = names_in(value)
        return found.union(*(bound[name] for name in found if name in bound))

    def _one(self, node: Any, around: Names, bound: dict[str, Names], beside: Names) -> None:
        """`beside`: of the value that stands right behind a label."""
        if isinstance(node, IfNode):
            asked = around
            for condition, nodes in node.conditions_nodelists:
                asked |= self._of(condition, bound) if condition else NONE
                self._in(nodes, asked, bound)
            return
        if isinstance(node, ForNode):
            asked = around | self._of(node.sequence, bound)
            inner = bound | {name: self._of(node.sequence, bound) for name in node.loopvars}
            self._in(node.nodelist_loop, asked, inner)
            self._in(node.nodelist_empty, asked, bound)
            return
        if isinstance(node, WithNode):
            made = {name: self._of(one, bound) for name, one in node.extra_context.items()}
            self._in(node.nodelist, around, bound | made)
            return
        if isinstance(node, IncludeNode):
            given = {name: self._of(one, bound) for name, one in node.extra_context.items()}
            self._say(node.extra_context, around, bound)
            if isinstance(node.template.var, str):
                self.includes.append((node.template.var, around.union(*given.values()) if given else around))
            return
        if isinstance(node, TranslateNode):
            self._put(in_context(context_of(node), literal(node.filter_expression)), around, beside)
        elif isinstance(node, BlockTranslateNode):
            inside = self._of([node.extra_context, node.countervar and node.counter], bound)
            said = {
                token.contents.split("|")[0] for token in node.singular + node.plural if token.token_type.name == "VAR"
            }
            inside |= frozenset(said).union(*(bound[name] for name in said if name in bound))
            self._put(in_context(context_of(node), sentence_of(node)), around, inside | beside)
        elif isinstance(node, Node):
            asked = around | self._of(own(node), bound)
            self._say(own(node), asked, bound)
            for nodes in nodelists(node):
                self._in(nodes, asked, bound)

    def _say(self, values: Any, around: Names, bound: dict[str, Names]) -> None:
        """Sentences that are handed to a tag as _("...")."""
        for one in expressions(values):
            for text in marked_texts(one):
                self._put(text, around, self._of(one, bound))

    def _put(self, key: str, around: Names, inside: Names = NONE) -> None:
        self.places.append(Place(key, self.where, around | inside, is_asked=bool(around)))


def beside(nodes: list[Any], place: int) -> list[FilterExpression]:
    """The value in bold right before or behind a sentence: `label <b>{{ value }}</b>`."""
    found = []
    for step, bold in ((-1, r"</b>\s*"), (1, r"\s*(?:<b[^>]*>|</dt>\s*<dd[^>]*>)")):
        text, value = (nodes[at] if 0 <= at < len(nodes) else None for at in (place + step, place + 2 * step))
        if isinstance(value, VariableNode) and re.fullmatch(bold, getattr(text, "s", "")):
            found.append(value.filter_expression)
    return found


def own(node: Node) -> dict[str, Any]:
    """What a tag was given, without what stands in it."""
    return {
        name: one
        for name, one in vars(node).items()
        if name not in ("origin", "token") and not isinstance(one, NodeList)
    }


def expressions(value: Any) -> Iterator[FilterExpression]:
    if isinstance(value, FilterExpression):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from expressions(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from expressions(one)
    elif isinstance(value, TokenBase):
        yield from expressions(vars(value))


def nodelists(node: Node) -> Iterator[NodeList]:
    """What stands in a tag, wherever it keeps it."""
    for one in vars(node).values():
        if isinstance(one, NodeList):
            yield one
        elif isinstance(one, dict):
            yield from (inner for inner in one.values() if isinstance(inner, NodeList))


def in_templates() -> Iterator[Place]:
    """Every sentence of every template; one of an included template once for each of the places that include it."""
    walks = {
        str(path.relative_to(TEMPLATES)): walk(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)))
        for path in sorted(TEMPLATES.rglob("*.html"))
    }
    callers: dict[str, list[tuple[str, Names]]] = defaultdict(list)
    for name, one in walks.items():
        for included, names in one.includes:
            callers[included].append((name, names))

    def around(name: str, seen: frozenset[str]) -> list[Names]:
        above = [(one, names) for one, names in callers[name] if one not in seen]
        return [names | outer for one, names in above for outer in around(one, seen | {name})] or [NONE]

    for name, one in walks.items():
        outside = set(around(name, frozenset()))
        for place in one.places:
            for outer in outside:
                yield replace(place, names=place.names | outer, is_asked=place.is_asked or bool(outer))


# --- Python ---------------------------------------------------------------------------------------------
Function = ast.FunctionDef | ast.AsyncFunctionDef


def referred(node: ast.AST | None) -> Names:
    """Every name and attribute in this, and what a query is filtered by."""
    found: set[str] = set()
    for one in ast.walk(node) if node else ():
        if isinstance(one, ast.Name):
            found.add(one.id)
        elif isinstance(one, ast.Attribute):
            found.add(one.attr)
        elif isinstance(one, ast.keyword) and one.arg:
            found |= set(one.arg.split("__"))
    return frozenset(found)


@cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "tournament").rglob("*.py"))}


def key_of(call: ast.AST) -> str:
    """The sentence of a call of gettext's family; empty for another."""
    if not isinstance(call, ast.Call) or not call.args:
        return ""
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    texts = [one.value for one in call.args[:2] if isinstance(one, ast.Constant)]
    if name in ONE | MANY and texts:
        return str(texts[0])
    return in_context(str(texts[0]), str(texts[1])) if name in WITH_CONTEXT and len(texts) == 2 else ""


def in_python() -> Iterator[Place]:
    """Every sentence of the code: of a function with all that it asks; of a constant once for each of its users."""
    for path, tree in trees().items():
        yield from _in_body(path, tree, NONE)


def _in_body(path: Path, node: ast.AST, around: Names) -> Iterator[Place]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield from _said(path, child, around | referred(child) | {child.name})
        elif isinstance(child, ast.ClassDef):
            yield from _in_body(path, child, around | {child.name})
        else:
            yield from _of_constant(path, child, around)


def _said(path: Path, node: ast.AST, names: Names, keys: Names = NONE) -> Iterator[Place]:
    """`keys`: of the table; a text that stands in a dictionary is under its key too."""
    under = dict(_under(node))
    for one in ast.walk(node):
        if key := key_of(one):
            where = f"{path.relative_to(ROOT)}:{one.lineno}"  # type: ignore[attr-defined]
            yield Place(key, where, names, keys | under.get(id(one), NONE))


def _under(node: ast.AST, keys: Names = NONE) -> Iterator[tuple[int, Names]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.Dict) and child in node.values:
            key = node.keys[node.values.index(child)]
            own = {key.value} if isinstance(key, ast.Constant) else referred(key)
            yield id(child), keys | own
            yield from _under(child, keys | own)
        else:
            yield id(child), keys
            yield from _under(child, keys)


def _of_constant(path: Path, node: ast.AST, around: Names) -> Iterator[Place]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    bound = frozenset(one.id for one in targets if isinstance(one, ast.Name))
    if around:
        yield from _said(path, node, around | referred(node))
        return
    users = [names for name in bound for names in users_of(path, name)]
    for entry, keys in entries_of(node):
        for names in users or [NONE]:
            yield from _said(path, entry, names, keys)


def entries_of(node: ast.AST) -> Iterator[tuple[ast.AST, Names]]:
    """The values of a table, each with the names in its key; else the whole."""
    value = getattr(node, "value", None)
    if isinstance(value, ast.Dict):
        for key, one in zip(value.keys, value.values, strict=True):
            yield one, referred(key) | ({key.value} if isinstance(key, ast.Constant) else NONE)
    else:
        yield node, NONE


@dataclass(frozen=True, slots=True)
class Named:
    """A function: its file, its name, what it refers to, its literal texts."""

    path: Path
    name: str
    names: Names
    words: Names


@cache
def functions() -> list[Named]:
    """Of the whole program, inner ones too."""
    return [
        Named(path, one.name, referred(one) | {one.name}, words_in(one))
        for path, tree in trees().items()
        for one in ast.walk(tree)
        if isinstance(one, Function)
    ]


def words_in(node: ast.AST) -> Names:
    return frozenset(
        one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)
    )


@cache
def imported() -> dict[Path, set[tuple[str, str]]]:
    """By file: module and name of each import from somewhere."""
    return {
        path: {
            (str(one.module), alias.name)
            for one in ast.walk(tree)
            if isinstance(one, ast.ImportFrom)
            for alias in one.names
        }
        for path, tree in trees().items()
    }


@cache
def users_of(path: Path, name: str) -> list[Names]:
    """What the functions refer to that use a module's constant: in the module, and where it is imported from there."""
    module = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")
    package, _, last = module.rpartition(".")
    return [
        one.names
        for one in functions()
        if name in one.names and (one.path == path or {(module, name), (package, last)} & imported()[one.path])
    ]


class Made:
    """From which names another is made: a function from what it refers to, a key, keyword or local from its value."""

    @cached_property
    def of(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for tree in trees().values():
            for node in ast.walk(tree):
                if isinstance(node, Function):
                    found[node.name] |= referred(node)
                elif isinstance(node, ast.Dict):
                    for key, value in zip(node.keys, node.values, strict=True):
                        if isinstance(key, ast.Constant) and isinstance(key.value, str):
                            found[key.value] |= referred(value)
                elif isinstance(node, ast.Call):
                    for keyword in node.keywords:
                        if keyword.arg:
                            found[keyword.arg] |= referred(keyword.value)
                elif isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr):
                    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                        for name in targets_of(target):
                            found[name] |= referred(node.value)
        return found

    def reach(self, names: Names, steps: int) -> set[str]:
        reached, edge = set(names), set(names)
        for _step in range(steps):
            edge = {one for name in edge for one in self.of.get(name, ())} - reached
            reached |= edge
        return reached


def targets_of(target: ast.AST) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        yield str(target.slice.value)
    elif isinstance(target, ast.Tuple):
        for one in target.elts:
            yield from targets_of(one)
