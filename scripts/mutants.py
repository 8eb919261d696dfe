"""Mutants of Python functions by the syntax tree: one place changed a mutant, put into functions that are loaded.

Only what stands in a function is changed: its code object is replaced wherever the function lives, so that nothing is
imported again and no file is written.
"""

import ast
import copy
import gc
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import _lru_cache_wrapper, partial
from pathlib import Path
from types import CodeType, FunctionType

Change = Callable[[ast.AST], ast.AST | None]
CodeKey = tuple[str, int]

FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
OTHER_FUNCTION = {"min": "max", "max": "min", "any": "all", "all": "any"}
# Texts that only people read: whether they are right is no business of a rule's test.
WORDS = frozenset({"_", "gettext", "gettext_noop", "pgettext"})


@dataclass(frozen=True)
class Mutant:
    """`put` makes this process the mutant; `name` is the same as long as the function's own text is."""

    area: str
    kind: str
    where: str
    change: str
    put: Callable[[], None]
    reach: tuple[str, CodeKey] | None = None

    @property
    def name(self) -> str:
        return f"{self.where} | {self.kind} | {self.change}"

    @property
    def subject(self) -> str:
        """A word that the names of its tests may have."""
        return self.where.split(" ")[0].removeprefix("tournament_")


def flip_compare(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.Compare):
        return None
    node.ops[0] = FLIPPED[type(node.ops[0])]()
    return node


def swap_and_or(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.BoolOp):
        return None
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    return node


def drop_operand(node: ast.AST) -> ast.AST | None:
    """The last condition of several."""
    if not isinstance(node, ast.BoolOp):
        return None
    return node.values[0] if len(node.values) == 2 else ast.BoolOp(node.op, node.values[:-1])


def drop_not(node: ast.AST) -> ast.AST | None:
    return node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else None


def other_operator(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.BinOp | ast.AugAssign) or type(node.op) not in OPERATORS:
        return None
    node.op = OPERATORS[type(node.op)]()
    return node


def other_number(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.Constant) or type(node.value) is not int:
        return None
    return ast.Constant(node.value + 1)


def never_fires(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.If):
        return None
    node.test = ast.Constant(False)
    return node


def drop_filter(node: ast.AST) -> ast.AST | None:
    """The last condition of a comprehension."""
    if not isinstance(node, ast.comprehension) or not node.ifs:
        return None
    node.ifs.pop()
    return node


def drop_keyword(node: ast.AST) -> ast.AST | None:
    """The last condition of a query."""
    asks = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    if not asks or node.func.attr not in ("filter", "exclude", "get") or not node.keywords:  # type: ignore[attr-defined]
        return None
    node.keywords.pop()  # type: ignore[attr-defined]
    return node


def swap_arguments(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.Call) or len(node.args) < 2 or ast.dump(node.args[0]) == ast.dump(node.args[1]):
        return None
    if isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
        return None  # the same in either order
    node.args[0], node.args[1] = node.args[1], node.args[0]
    return node


def other_function(node: ast.AST) -> ast.AST | None:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in OTHER_FUNCTION:
        return None
    node.func.id = OTHER_FUNCTION[node.func.id]
    return node


def drop_line(node: ast.AST) -> ast.AST | None:
    """A statement that does something: a call, a yield, a raise, a change in place, the end of a loop's turn."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return None  # a docstring
    dropped = ast.Expr | ast.Raise | ast.AugAssign | ast.Continue | ast.Break
    return ast.Pass() if isinstance(node, dropped) else None


KINDS: dict[str, tuple[type[ast.AST], Change]] = {
    "flip compare": (ast.Compare, flip_compare),
    "swap and, or": (ast.BoolOp, swap_and_or),
    "drop operand": (ast.BoolOp, drop_operand),
    "drop not": (ast.UnaryOp, drop_not),
    "other operator": (ast.BinOp, other_operator),
    "other step": (ast.AugAssign, other_operator),
    "other number": (ast.Constant, other_number),
    "never fires": (ast.If, never_fires),
    "drop filter": (ast.comprehension, drop_filter),
    "drop keyword": (ast.Call, drop_keyword),
    "swap arguments": (ast.Call, swap_arguments),
    "other function": (ast.Call, other_function),
    "drop line": (ast.stmt, drop_line),
}


class NotPut(Exception):
    """The mutant is left out: its function is not loaded, or has other variables around it than the mutant needs."""


class Place(ast.NodeTransformer):
    """Change the node with this number, counted in the order of the walk."""

    def __init__(self, number: int, change: Change) -> None:
        self.number, self.change = number, change

    def visit(self, node: ast.AST) -> ast.AST | None:
        self.number -= 1
        return self.change(node) if self.number < 0 <= self.number + 1 else self.generic_visit(node)


def functions_of(tree: ast.AST, above: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions and methods of a module with their names; what is nested in one belongs to it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield above + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions_of(node, f"{above}{node.name}.")


def is_said_only(node: ast.AST) -> bool:
    """Annotations, messages and assertions, which decide nothing."""
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in WORDS
    return named or isinstance(node, ast.arg | ast.Assert)


def visited(node: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """The nodes in the order of `Place`, and whether each may be changed."""
    waiting = [(node, True)]
    while waiting:
        one, free = waiting.pop()
        yield one, free
        inside = free and not is_said_only(one)
        fixed = {id(one.annotation)} if isinstance(one, ast.AnnAssign) else set()
        if isinstance(one, ast.FunctionDef):
            fixed = {id(each) for each in (*one.decorator_list, one.args, one.returns) if each}
        waiting += [(each, inside and id(each) not in fixed) for each in reversed(list(ast.iter_child_nodes(one)))]


def codes_of(code: CodeType) -> Iterator[CodeType]:
    yield code
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from codes_of(each)


def code_key(code: CodeType) -> CodeKey:
    return code.co_qualname, code.co_firstlineno


def put_code(file: str, codes: dict[CodeKey, CodeType]) -> None:
    """Give every living function its mutated code, and forget what was cached. NotPut where none is alive."""
    gc.unfreeze()  # conftest has frozen what the imports left: it would not be listed
    found = 0
    for one in gc.get_objects():
        # By its type: to ask a lazy object of Django what it is would make it.
        if type(one) is FunctionType and one.__code__.co_filename == file and code_key(one.__code__) in codes:
            one.__code__ = codes[code_key(one.__code__)]
            found += 1
        elif type(one) is _lru_cache_wrapper:
            one.cache_clear()
    if not found:
        raise NotPut(file)


def python_mutants(area: str, root: Path, path: Path) -> list[Mutant]:
    """Every mutant of one file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    made, seen = [], Counter[str]()
    for function, node in functions_of(tree):
        reach = (str(path), (function, first_line(node)))
        for number, (place, free) in enumerate(visited(node)):
            for kind, (wanted, change) in KINDS.items() if free and place is not node else ():
                changed = change(copy.deepcopy(place)) if isinstance(place, wanted) else None
                if changed is None:
                    continue
                where, words = f"{path.relative_to(root)} {function}", f"{said(place)} -> {said(changed)}"
                seen[f"{where} {kind} {words}"] += 1
                again = seen[f"{where} {kind} {words}"]
                words += f" (place {again})" if again > 1 else ""
                put = partial(put_changed, path, function, number, change)
                made.append(Mutant(area, kind, where, words, put, reach))
    return made


def first_line(node: ast.FunctionDef) -> int:
    """As code objects have it: that of the first decorator."""
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def said(node: ast.AST) -> str:
    """The first line of a node's text."""
    return " ".join(ast.unparse(node).strip().splitlines()[0].split())[:110]


def put_changed(path: Path, function: str, number: int, change: Change) -> None:
    """Compile the file with this node changed, and put the function's code, and what is nested in it, in place."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    node = dict(functions_of(tree))[function]
    codes: dict[CodeKey, CodeType] = {}
    for whole in (tree, changed_tree(tree, node, number, change)):
        code = compile(ast.fix_missing_locations(whole), str(path), "exec")
        lines = range(first_line(node), (node.end_lineno or node.lineno) + 1)
        own = {code_key(one): one for one in codes_of(code) if one.co_firstlineno in lines and one.co_name[0] != "<"}
        if any(own[key].co_freevars != one.co_freevars for key, one in codes.items() if key in own):
            raise NotPut(function)
        codes = own
    put_code(str(path), codes)


def changed_tree(tree: ast.Module, node: ast.FunctionDef, number: int, change: Change) -> ast.Module:
    """A copy of the module with the node of this number in the function changed."""
    at = next(place for place, (one, _free) in enumerate(visited(tree)) if one is node)
    changed = Place(at + number, change).visit(copy.deepcopy(tree))
    assert isinstance(changed, ast.Module)
    return changed


def spread(mutants: Sequence[Mutant], count: int, chance: random.Random) -> list[Mutant]:
    """So many at random, as evenly over the kinds as there are enough of them."""
    by_kind: dict[str, list[Mutant]] = {}
    for one in chance.sample(mutants, len(mutants)):
        by_kind.setdefault(one.kind, []).append(one)
    turns = [one for turn in range(len(mutants)) for own in by_kind.values() for one in own[turn : turn + 1]]
    return turns[:count]
