"""What must be answered to each act at a sheet, and what stands then: reliability 4.1 as a plain function."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from hypothesis import strategies as st

LETTERS = "ABCD"
# Mostly not: what is refused for one reason hides what is refused for another.
CERTAIN = st.sampled_from((False, False, False, True))
WRITABLE = ("none", "open", "draft")
LOCKED = ("signed", "certified")
# Every move of 4.1 that somebody can make here: the state it starts from, and the act.
TRANSITIONS = frozenset(
    {
        *((state, "save") for state in WRITABLE),
        *((state, "package") for state in (*WRITABLE, "ready")),
        *((state, "dispute") for state in ("draft", "ready")),
        *((state, "propose void") for state in (*WRITABLE, "ready", "disputed")),
        *((state, "approve void") for state in ("open", "draft", "ready", "disputed")),
        *(("draft", "ready"), ("ready", "reopen"), ("ready", "reject"), ("ready", "sign"), ("ready", "certify")),
        *(("disputed", "decide"), ("signed", "stamp"), ("certified", "stamp")),
    }
)
MAY = {
    "dispute": {"organiser", "clerk", "chief_judge"},
    "decide": {"chief_judge"},
    "certify": {"organiser", "clerk", "chief_judge"},
    "reject": {"organiser", "clerk", "chief_judge"},
    "propose void": {"organiser", "chief_judge"},
    "approve void": {"organiser", "chief_judge"},
    "stamp": {"organiser"},
}


@dataclass(frozen=True)
class Sheet:
    """A sheet as the model has it; `variant` is what was entered."""

    state: str = "none"
    revision: int = 0
    variant: int | None = None
    signed: frozenset[str] = field(default_factory=frozenset)
    proposed_by: str = ""
    stamped: bool = False

    @property
    def shown(self) -> str:
        """As it is answered: what is not begun is not received."""
        return "open" if self.state == "none" else self.state


class Want(NamedTuple):
    """The answer, what stands after it, how many entries the log has gained, whether an item is held."""

    status: int
    after: Sheet
    entries: int = 0
    held: bool = False


def expected(
    sheet: Sheet,
    who: str,
    act: str,
    *,
    stale: bool,
    ended: str,
    variant: int | None = None,
    letter: str = "",
    wrong: bool = False,
    reasons: bool = False,
) -> Want:
    """What this person is answered."""
    if who == "tablet" and ended:
        return Want(401, sheet)
    if who == "other table's tablet":
        return Want(404, sheet)
    if who != "tablet" and who not in MAY[act]:
        return Want(403, sheet)
    if act == "save":
        return moved(sheet, stale, WRITABLE, "draft", variant=variant)
    if act == "ready":
        if sheet.state in ("none", "open"):
            return Want(409 if sheet.state == "none" or not stale else 412, sheet)
        return moved(sheet, stale, ("draft",), "ready")
    if act in ("reopen", "reject"):
        return moved(sheet, stale, ("ready",), "draft")
    if act == "dispute":
        return moved(sheet, stale, ("draft", "ready"), "disputed")
    if act == "decide":
        if sheet.state != "disputed":
            return Want(409, sheet)
        return moved(sheet, stale, ("disputed",), "ready", variant=variant)
    if act == "sign":
        return signs(sheet, stale, letter, wrong)
    if act == "package":
        return packs(sheet, stale, variant)
    if act == "certify":
        return certifies(sheet, who, stale, reasons)
    return {"propose void": proposes, "approve void": approves, "stamp": stamps}[act](sheet, who, stale)


def moved(sheet: Sheet, stale: bool, before: tuple[str, ...], after: str, variant: int | None = None) -> Want:
    """From one of these states, as its author has seen it, to another; what was signed counts while it is ready."""
    if sheet.state in LOCKED:
        return Want(423, sheet)
    if sheet.state not in before:
        return Want(409, sheet)
    if stale:
        return Want(412, sheet)
    kept = sheet.variant if variant is None else variant
    return Want(200, replace(sheet, state=after, revision=sheet.revision + 1, variant=kept, signed=frozenset()), 1)


def signs(sheet: Sheet, stale: bool, letter: str, wrong: bool) -> Want:
    """One seat; with the last one locked."""
    waits = moved(sheet, stale, ("ready",), "ready")
    if waits.status != 200:
        return Want(waits.status, sheet)
    if wrong:
        return Want(412, sheet)
    if letter in sheet.signed:
        return Want(409, sheet)
    signed = sheet.signed | {letter}
    if len(signed) < len(LETTERS):
        return Want(200, replace(sheet, signed=signed), 1)
    return Want(200, replace(sheet, signed=signed, state="signed", revision=sheet.revision + 1), 2)


def packs(sheet: Sheet, stale: bool, variant: int | None) -> Want:
    """Everything at once, or held."""
    everybody = frozenset(LETTERS)
    if sheet.state in WRITABLE and not stale:
        after = replace(sheet, state="signed", revision=sheet.revision + 3, variant=variant, signed=everybody)
        return Want(200, after, 7)
    if sheet.state == "ready" and not stale and sheet.variant == variant:
        if sheet.signed:
            return Want(409, sheet)
        return Want(200, replace(sheet, state="signed", revision=sheet.revision + 1, signed=everybody), 5)
    return Want(409, sheet, 0, True)


def certifies(sheet: Sheet, who: str, stale: bool, reasons: bool) -> Want:
    """The second person: ticks as on paper where nothing was drawn; reasons only by the chief judge."""
    waits = moved(sheet, stale, ("ready",), "certified")
    if waits.status != 200:
        return Want(waits.status, sheet)
    if not reasons and sheet.signed:
        return Want(409, sheet)
    if reasons and who != "chief_judge":
        return Want(403, sheet)
    signed = sheet.signed if reasons else frozenset(LETTERS)
    return Want(200, replace(waits.after, signed=signed), 1)


def proposes(sheet: Sheet, who: str, stale: bool) -> Want:
    """The first of two; a sheet that has not come is opened by it."""
    if sheet.state in LOCKED:
        return Want(423, sheet)
    if sheet.state == "void":
        return Want(409, sheet)
    if stale:
        return Want(412, sheet)
    if sheet.state == "none":
        return Want(200, replace(sheet, state="open", revision=1, proposed_by=who), 2)
    return Want(200, replace(sheet, proposed_by=who), 1)


def approves(sheet: Sheet, who: str, stale: bool) -> Want:
    """The other of the two."""
    if not sheet.proposed_by:
        return Want(409, sheet)
    if sheet.proposed_by == who:
        return Want(403, sheet)
    return moved(sheet, stale, ("open", "draft", "ready", "disputed"), "void")


def stamps(sheet: Sheet, who: str, stale: bool) -> Want:
    """What is locked; twice is harmless."""
    if sheet.state == "none":
        return Want(409, sheet)
    if stale:
        return Want(412, sheet)
    if sheet.state not in LOCKED:
        return Want(409, sheet)
    return Want(200, replace(sheet, stamped=True), 0 if sheet.stamped else 1)
