"""What must be answered to each act at a sheet, and what stands then: D1 as a plain function."""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tournament.core.acts import ACTS

LETTERS = "ABCD"
STATES = ("none", "open", "draft", "ready", "disputed", "signed", "certified", "void")
WRITABLE = ("none", "open", "draft")
LOCKED = ("signed", "certified")
# Everybody who asks. A tablet whose time is over is another person than it was.
TABLETS = ("tablet", "other table's tablet", "revoked tablet", "expired tablet")
ROLES = ("organiser", "chief_judge", "clerk", "second_clerk", "auditor", "referee")
OUTSIDE = ("stranger", "nobody")
AT_TABLETS = ("save", "ready", "reopen", "sign", "package", "dispute", "take dispute back")
# Of these nobody is asked which revision they have seen.
UNVERSIONED = ("withdraw", "take dispute back")
# What each press is, of the acts that the log may have: who may, and from which states, is read from their table.
AT_THE_DESK = {
    "type": "save_scoresheet",
    "hand on": "ready_scoresheet",
    "take back": "reopen_scoresheet",
    "raise dispute": "dispute_scoresheet",
    "decide": "decide_dispute",
    "recall dispute": "withdraw_dispute",
    "certify": "certify_scoresheet",
    "reject": "reject_scoresheet",
    "propose void": "propose_void",
    "approve void": "void_scoresheet",
    "stamp": "stamp_scoresheet",
}
AT_A_TABLET = {
    "save": "save_scoresheet",
    "ready": "ready_scoresheet",
    "reopen": "reopen_scoresheet",
    "sign": "sign_scoresheet",
    "dispute": "dispute_scoresheet",
    "take dispute back": "withdraw_dispute",
}


def people_of(act: str) -> frozenset[str]:
    """Those who ask here and have a role whose act it is; two clerks have the same."""
    return frozenset(who for who in ROLES if who.removeprefix("second_") in ACTS[act].roles)


# What the desk's addresses offer, and to whom.
MAY = {press: people_of(act) for press, act in AT_THE_DESK.items()} | {
    "publish": people_of("release"),
    "withdraw": people_of("withdraw_release"),
}
# Of a sheet that was never entered nothing is handed on.
NOTHING_ENTERED = frozenset({("open", "ready"), ("open", "hand on")})
# Every move of 4.1: the state it starts from, and the press.
TRANSITIONS = frozenset(
    {
        *((str(state), press) for press, act in (AT_THE_DESK | AT_A_TABLET).items() for state in ACTS[act].leads_from),
        *(("none", press) for press in ("save", "type", "propose void")),
        *((state, "package") for state in (*WRITABLE, "ready")),
        *((state, act) for state in ("signed", "certified", "void") for act in ("publish", "withdraw")),
    }
    - NOTHING_ENTERED
)
DONE = (200, 201)


class Cell(NamedTuple):
    """One kind of request: from which state, what, by whom, having seen what stands or something older."""

    state: str
    act: str
    who: str
    stale: bool


def all_cells() -> frozenset[Cell]:
    """Every one: each act by each person in each state, stale where that is asked at all."""
    tablets = [(act, who) for act in AT_TABLETS for who in (*TABLETS, "nobody")]
    desk = [(act, who) for act in MAY for who in (*ROLES, *OUTSIDE)]
    return frozenset(
        Cell(state, act, who, stale)
        for state in STATES
        for act, who in (*tablets, *desk)
        for stale in (False, True)
        if not stale or (is_let_in(act, who) and act not in UNVERSIONED)
    )


def is_let_in(act: str, who: str) -> bool:
    """Whether it is for the sheet to say what comes of it."""
    return who in MAY[act] if act in MAY else who == "tablet"


@dataclass(frozen=True)
class Sheet:
    """A sheet as the model has it; `values` is the form and the number of what was entered, `set_by` whose they are."""

    state: str = "none"
    revision: int = 0
    values: tuple[str, int] | None = None
    typed_by: str = ""
    set_by: frozenset[str] = field(default_factory=frozenset)
    signed: frozenset[str] = field(default_factory=frozenset)
    raised_by: str = ""
    proposed_by: str = ""
    stamped: bool = False
    held: int = 0
    releases: int = 0
    published: bool = False

    @property
    def shown(self) -> str:
        """As it is answered: what is not begun is not received."""
        return "open" if self.state == "none" else self.state


class Want(NamedTuple):
    """The answer, what stands after it, how many entries the log has gained."""

    status: int
    after: Sheet
    entries: int = 0


class Ask(NamedTuple):
    """What is asked: `values` entered, the `letter` that signs, its digest `wrong`, `reasons` for who has not."""

    who: str
    act: str
    stale: bool = False
    values: tuple[str, int] | None = None
    letter: str = ""
    wrong: bool = False
    reasons: bool = False


def expected(sheet: Sheet, ask: Ask) -> Want:
    """What this person is answered: who they are, their right, then what the sheet says."""
    who, act = ask.who, ask.act
    if who in ("nobody", "revoked tablet", "expired tablet"):
        return Want(401, sheet)
    if who in ("stranger", "other table's tablet"):
        return Want(404, sheet)
    if not is_let_in(act, who):
        return Want(403, sheet)
    if act in ("save", "type"):
        by = "referee" if act == "save" else who
        set_by = sheet.set_by | {by}
        return moved(sheet, ask, WRITABLE, state="draft", values=ask.values, typed_by=by, set_by=set_by)
    if act in ("ready", "hand on"):
        if sheet.state == "none" or (sheet.state == "open" and not ask.stale):
            return Want(409, sheet)
        return moved(sheet, ask, ("open", "draft"), state="ready")
    if act in ("dispute", "raise dispute"):
        return moved(sheet, ask, ("draft", "ready"), state="disputed", raised_by="referee" if act == "dispute" else who)
    return {
        "reopen": lambda sheet, ask: moved(sheet, ask, ("ready",), state="draft"),
        "take back": takes_back,
        "reject": rejects,
        "sign": signs,
        "package": packs,
        "decide": decides,
        "recall dispute": recalls,
        "take dispute back": recalls,
        "certify": certifies,
        "propose void": proposes,
        "approve void": approves,
        "stamp": stamps,
        "publish": publishes,
        "withdraw": withdraws,
    }[act](sheet, ask)


def moved(sheet: Sheet, ask: Ask, before: tuple[str, ...], **after: object) -> Want:
    """From one of these states, as its author has seen it, to another; what was signed counts while it is ready."""
    if sheet.state in LOCKED:
        return Want(423, sheet)
    if sheet.state not in before:
        return Want(409, sheet)
    if ask.stale:
        return Want(412, sheet)
    return Want(200, replace(sheet, revision=sheet.revision + 1, signed=frozenset(), **after), 1)  # type: ignore[arg-type]


def takes_back(sheet: Sheet, ask: Ask) -> Want:
    done = moved(sheet, ask, ("ready",), state="draft")
    return Want(403, sheet) if done.status == 200 and sheet.typed_by != ask.who else done


def rejects(sheet: Sheet, ask: Ask) -> Want:
    """Anybody but who typed it."""
    done = moved(sheet, ask, ("ready",), state="draft")
    return Want(403, sheet) if done.status == 200 and sheet.typed_by == ask.who else done


def signs(sheet: Sheet, ask: Ask) -> Want:
    """One seat; with the last one locked."""
    waits = moved(sheet, ask, ("ready",), state="ready")
    if waits.status != 200:
        return Want(waits.status, sheet)
    if ask.wrong:
        return Want(412, sheet)
    if ask.letter in sheet.signed:
        return Want(409, sheet)
    signed = sheet.signed | {ask.letter}
    if len(signed) < len(LETTERS):
        return Want(200, replace(sheet, signed=signed), 1)
    return Want(200, replace(sheet, signed=signed, state="signed", revision=sheet.revision + 1), 2)


def packs(sheet: Sheet, ask: Ask) -> Want:
    """Everything at once, or held."""
    everybody = frozenset(LETTERS)
    if sheet.state in WRITABLE and not ask.stale:
        after = {"state": "signed", "values": ask.values, "typed_by": "referee", "signed": everybody}
        return Want(200, replace(sheet, revision=sheet.revision + 3, **after), 7)  # type: ignore[arg-type]
    if sheet.state == "ready" and not ask.stale and sheet.values == ask.values:
        if sheet.signed:
            return Want(409, sheet)
        return Want(200, replace(sheet, state="signed", revision=sheet.revision + 1, signed=everybody), 5)
    return Want(409, replace(sheet, held=sheet.held + 1), 1)


def decides(sheet: Sheet, ask: Ask) -> Want:
    """The values stand, or others take their place; where there are none yet, others have to."""
    if sheet.state != "disputed":
        return Want(409, sheet)
    others = ask.values is not None and ask.values != sheet.values
    set_by = sheet.set_by | ({ask.who} if others else set())
    return moved(sheet, ask, ("disputed",), state="ready", values=ask.values or sheet.values, set_by=set_by)


def recalls(sheet: Sheet, ask: Ask) -> Want:
    """Whoever raised it, or the chief judge: a draft again, as it was entered."""
    if sheet.state != "disputed":
        return Want(409, sheet)
    done = moved(sheet, ask, ("disputed",), state="draft")
    by = "referee" if ask.act in AT_TABLETS else ask.who
    return Want(403, sheet) if done.status == 200 and by not in (sheet.raised_by, "chief_judge") else done


def certifies(sheet: Sheet, ask: Ask) -> Want:
    """The second person: ticks as on paper where nothing was drawn; reasons only by the chief judge."""
    waits = moved(sheet, ask, ("ready",), state="certified")
    if waits.status != 200:
        return Want(waits.status, sheet)
    if ask.who in sheet.set_by:
        return Want(403, sheet)
    if not ask.reasons and sheet.signed:
        return Want(409, sheet)
    if ask.reasons and ask.who != "chief_judge":
        return Want(403, sheet)
    return Want(200, replace(waits.after, signed=sheet.signed if ask.reasons else frozenset(LETTERS)), 1)


def proposes(sheet: Sheet, ask: Ask) -> Want:
    """The first of two; a sheet that has not come is opened by it."""
    if sheet.state in LOCKED:
        return Want(423, sheet)
    if sheet.state == "void":
        return Want(409, sheet)
    if ask.stale:
        return Want(412, sheet)
    if sheet.state == "none":
        return Want(200, replace(sheet, state="open", revision=1, proposed_by=ask.who), 2)
    return Want(200, replace(sheet, proposed_by=ask.who), 1)


def approves(sheet: Sheet, ask: Ask) -> Want:
    """The other of the two."""
    if not sheet.proposed_by:
        return Want(409, sheet)
    if sheet.proposed_by == ask.who:
        return Want(403, sheet)
    return moved(sheet, ask, ("open", "draft", "ready", "disputed"), state="void")


def stamps(sheet: Sheet, ask: Ask) -> Want:
    """What is locked; twice is harmless."""
    if sheet.state == "none":
        return Want(409, sheet)
    if ask.stale:
        return Want(412, sheet)
    if sheet.state not in LOCKED:
        return Want(409, sheet)
    return Want(200, replace(sheet, stamped=True), 0 if sheet.stamped else 1)


def publishes(sheet: Sheet, ask: Ask) -> Want:
    """With every table's sheet stamped or void, nothing held, and something new to say."""
    free = sheet.stamped or sheet.state == "void"
    if ask.stale or not free or sheet.held or sheet.published:
        return Want(409, sheet)
    return Want(201, replace(sheet, releases=sheet.releases + 1, published=True), 1)


def withdraws(sheet: Sheet, ask: Ask) -> Want:
    """The last release; withdrawn already it stays as it is."""
    if not sheet.releases:
        return Want(404, sheet)
    return Want(200, replace(sheet, published=False), 1 if sheet.published else 0)
