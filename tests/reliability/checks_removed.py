"""The checks of both verifiers, taken away one at a time: without it some tampering is no longer found (Q15).

A check is what leads to a finding: the statement that writes it down, each of the conditions of which one is enough,
and each act that takes two people or the chief judge. Every one gets a switch, put into the running functions. A check
without which all is still found either does nothing or lacks its tampering.
"""

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, NamedTuple

from tests.reliability.rewriting import Changed, give_back, give_code, source_of
from tests.reliability.tampering import SECOND, Case
from tournament.operations.services import audit_chain, audit_digests, audit_replay, audit_verification

FIRST = (audit_chain, audit_digests, audit_replay, audit_verification)
# What findings are written into, and by what.
LISTS = {"findings", "found", "incomplete"}
DOES, WEIGHS = "_check_does", "_check_weighs"
# Before the first migration there is nothing that could be altered.
NOT_OF_TAMPERING = "There is no table yet."
# Acts and states that a check is about, one by one.
MEMBERS: tuple[tuple[ModuleType, str], ...] = (
    (audit_replay, "TWO_SIDES"),
    (audit_replay, "ACTS_OF_JUDGED_ROWS"),
    (audit_digests, "VALUED"),
    (SECOND, "PROPOSING_ACT"),
    (SECOND, "JUDGED"),
)


class Check(NamedTuple):
    """One check: whose it is (0 the program's verifier, 1 the script), where it stands, what it says."""

    verifier: int
    number: int
    where: str
    text: str
    member: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.text} {self.member}".strip()


@dataclass
class Switches:
    """Every check by its number; at most one is off. `hit`: those that have led to something since it was emptied."""

    checks: list[Check] = field(default_factory=list)
    off: int | None = None
    hit: set[int] = field(default_factory=set)

    def add(self, verifier: int, where: str, text: str, member: str = "") -> int:
        """A new check; its number."""
        self.checks.append(Check(verifier, len(self.checks), where, text[:120], member))
        return len(self.checks) - 1

    def does(self, number: int) -> bool:
        """Whether the statement of this check is carried out."""
        self.hit.add(number)
        return number != self.off

    def weighs(self, number: int, value: Any, without: bool) -> Any:
        """One of several conditions; where it is off, as if it had not been written."""
        if bool(value) is not without:
            self.hit.add(number)
        return without if number == self.off else value

    def asked_by(self, case: Case) -> Iterator[int]:
        """The acts and states that this tampering is about."""
        for check in self.checks:
            if check.member and any(name.endswith(check.member) for name in case.said):
                yield check.number

    @contextmanager
    def without(self, check: Check) -> Iterator[None]:
        self.off = check.number
        try:
            yield
        finally:
            self.off = None


class Switched(ast.NodeTransformer):
    """Puts a switch at each check of one file."""

    def __init__(self, switches: Switches, verifier: int, name: str) -> None:
        self.switches, self.verifier, self.name = switches, verifier, name
        self.finds = False

    def new(self, node: ast.AST) -> ast.Constant:
        line = getattr(node, "lineno", 0)
        return ast.Constant(self.switches.add(self.verifier, f"{self.name}:{line}", ast.unparse(node)))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function that answers with findings answers with none where its check is off."""
        before, self.finds = self.finds, isinstance(node.returns, ast.Name) and node.returns.id == "Finds"
        made = self.generic_visit(node)
        self.finds = before
        return made

    def visit_Return(self, node: ast.Return) -> ast.AST:
        if self.finds and node.value is not None:
            node.value = ast.IfExp(call(DOES, self.new(node)), node.value, ast.List([], ast.Load()))
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return self.switched(node) if writes_a_finding(node.value) else node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """The script's words for a file that is not whole."""
        unread = isinstance(node.exc, ast.Call) and last_name(node.exc.func) == "ValueError"
        return self.switched(node) if unread else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        return self.switched(node) if last_name(node.target) in LISTS else node

    def switched(self, node: ast.stmt) -> ast.AST:
        return ast.If(call(DOES, self.new(node)), [node], [])

    def visit_If(self, node: ast.If) -> ast.AST:
        node.test = self.weighed(node.test, told=True)
        return self.generic_visit(node)

    def weighed(self, test: ast.expr, told: bool) -> ast.expr:
        """Each condition that alone is enough for the whole; `told`: for its being so."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test.operand = self.weighed(test.operand, not told)
        elif isinstance(test, ast.BoolOp):
            test.values = [self.weighed(one, told) for one in test.values]
            if isinstance(test.op, ast.Or) is told:
                test.values = [call(WEIGHS, self.new(one), one, ast.Constant(not told)) for one in test.values]
        return test


def call(name: str, *given: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), list(given), [])


def last_name(node: ast.AST) -> str:
    """Of `a.b.c` the last, of a name itself."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def writes_a_finding(node: ast.expr) -> bool:
    """`chain.find(...)`, or something appended to a list of findings."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if NOT_OF_TAMPERING in ast.unparse(node):
        return False
    own = node.func.attr == "find" and last_name(node.func.value) in ("chain", "self")
    return own or (node.func.attr == "append" and last_name(node.func.value) in LISTS)


# --- Into the running functions -------------------------------------------------------------------------
@contextmanager
def switched() -> Iterator[Switches]:
    """Both verifiers with a switch at every check; then as they were."""
    switches, before = Switches(), Changed()
    for verifier, modules in enumerate((FIRST, (SECOND,))):
        for module in modules:
            before += put_switches(switches, verifier, module)
    for module, name in MEMBERS:
        add_members(switches, module, name)
    try:
        yield switches
    finally:
        give_back(before)


def put_switches(switches: Switches, verifier: int, module: ModuleType) -> Changed:
    """The functions of a file get other code, under which they are known to everybody as before."""
    path = source_of(module)
    tree = Switched(switches, verifier, path.name).visit(ast.parse(path.read_text(encoding="utf-8")))
    vars(module).update({DOES: switches.does, WEIGHS: switches.weighs})
    return give_code(module, compile(ast.fix_missing_locations(tree), str(path), "exec"))


def add_members(switches: Switches, module: ModuleType, name: str) -> None:
    """Each act or state that a check is about is a check of its own."""
    for member in sorted(getattr(module, name)):
        switches.add(int(module is SECOND), source_of(module).name, name, str(member))


@contextmanager
def taken_away(switches: Switches, check: Check) -> Iterator[None]:
    """Neither the switch nor the member."""
    if not check.member:
        with switches.without(check):
            yield
        return
    [owner] = [one for one, name in MEMBERS if name == check.text]
    whole = getattr(owner, check.text)
    setattr(owner, check.text, without_member(whole, check.member))
    try:
        yield
    finally:
        setattr(owner, check.text, whole)


def without_member(whole: Any, member: str) -> Any:
    """A tuple, set or mapping without one of its members."""
    if isinstance(whole, dict):
        return {one: value for one, value in whole.items() if one != member}
    return type(whole)(one for one in whole if str(one) != member)


# --- Tried ----------------------------------------------------------------------------------------------
def unnoticed(cases: Iterable[Case]) -> tuple[int, list[str]]:
    """How many checks there are, and those without which each of these tamperings is still found and named."""
    with switched() as switches:
        left = {check.number for check in switches.checks}
        for case in cases:
            switches.hit.clear()
            for verifier in (0, 1):
                case.findings(verifier)
            for number in sorted(left & (switches.hit | set(switches.asked_by(case)))):
                if is_missed(case, switches, switches.checks[number]):
                    left.discard(number)
            if not left:
                break
        return len(switches.checks), [str(switches.checks[number]) for number in sorted(left)]


def is_missed(case: Case, switches: Switches, check: Check) -> bool:
    """Whether its verifier, without this check, does not name what was done; one that breaks has not named it."""
    with taken_away(switches, check):
        try:
            return bool(case.missed(check.verifier))
        except Exception:
            return True
