"""Every kind of request that the random lives have not met: a world is led to the state, and it is asked there.

Refusals share a world, since they change nothing; what may be done has a world of its own.
"""

import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from tests.reliability.lifecycle_acts import Life
from tests.reliability.lifecycle_model import Cell
from tests.reliability.lifecycle_world import House

# Who does what nobody is named for.
BY = {
    "save": "tablet",
    "ready": "tablet",
    "reopen": "tablet",
    "sign": "tablet",
    "package": "tablet",
    "dispute": "tablet",
    "take back": "clerk",
    "reject": "clerk",
    "certify": "clerk",
    "raise dispute": "clerk",
    "recall dispute": "chief_judge",
    "take dispute back": "tablet",
    "type": "clerk",
    "hand on": "clerk",
    "decide": "chief_judge",
    "propose void": "organiser",
    "approve void": "chief_judge",
    "stamp": "organiser",
    "publish": "organiser",
    "withdraw": "organiser",
}
ENDED = ("revoked tablet", "expired tablet")
OTHER = {"organiser": "chief_judge", "chief_judge": "organiser"}


def entered(life: Life) -> None:
    life.do("save", "tablet")


def waiting(life: Life) -> None:
    entered(life)
    life.do("ready", "tablet")


def typed(life: Life) -> None:
    """Waiting, by its typist's own hand."""
    life.do("type", BY["take back"])
    life.do("hand on", BY["take back"])


def disputed(life: Life) -> None:
    waiting(life)
    life.do("dispute", "tablet")


def opened(life: Life) -> None:
    life.do("propose void", "organiser")


def voided(life: Life) -> None:
    opened(life)
    life.do("approve void", "chief_judge")


def signed(life: Life) -> None:
    life.do("package", "tablet")


def certified(life: Life) -> None:
    waiting(life)
    life.do("certify", "clerk")


def nothing(life: Life) -> None:
    """Leads nowhere: the table has no sheet yet."""


LED: Mapping[str, Callable[[Life], None]] = {
    "none": nothing,
    "open": opened,
    "draft": entered,
    "ready": waiting,
    "disputed": disputed,
    "signed": signed,
    "certified": certified,
    "void": voided,
}


def parts(cells: Iterable[Cell], count: int) -> list[list[Cell]]:
    """By state, so that each state's refusals share a world; as even as that comes."""
    dealt: list[list[Cell]] = [[] for _part in range(count)]
    for _state, own in by_state(cells).items():
        min(dealt, key=len).extend(own)
    return dealt


def by_state(cells: Iterable[Cell]) -> dict[str, list[Cell]]:
    """The cells of each state; the state with most cells first."""
    found: dict[str, list[Cell]] = {}
    for cell in sorted(cells):
        found.setdefault(cell.state, []).append(cell)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def run(house: House, met: Counter[tuple[Cell, int]], cells: Iterable[Cell]) -> str:
    """All of them; "" or the first violation."""
    try:
        for state, own in by_state(cells).items():
            sweep(house, met, state, own)
    except AssertionError:
        return traceback.format_exc()[-3000:]
    return ""


def sweep(house: House, met: Counter[tuple[Cell, int]], state: str, cells: list[Cell]) -> None:
    """One state's: what changes nothing together, with its living tablet and with each that is cut off."""

    def led(ended: str = "") -> Life:
        life = Life(house.new_world(), met)
        LED[state](life)
        if ended:
            life.cut_off(ended.split()[0])
        return life

    moving = [cell for cell in cells if not cell.who]
    for ended in ("", *ENDED):
        own = [cell for cell in cells if cell.who and (cell.who if cell.who in ENDED else "") == ended]
        life = led(ended) if own else None
        for cell in own:
            assert life is not None
            if life.changes(cell.act, cell.who, cell.stale) or (cell.act == "approve void" and cell.who in OTHER):
                moving.append(cell)
            else:
                life.do(cell.act, "tablet" if ended else cell.who, stale=cell.stale)
        if life:
            life.end()
    for cell in moving:
        life = Life(house.new_world(), met)
        (typed if cell.act == "take back" else LED[state])(life)
        make_way(life, cell)
        life.do(cell.act, cell.who or BY[cell.act], stale=cell.stale)
        life.end()


def make_way(life: Life, cell: Cell) -> None:
    """What has to be done beforehand, so that it can be done."""
    who = cell.who or BY[cell.act]
    proposed = life.model.proposed_by or life.model.state in ("none", "void")
    if cell.act == "approve void" and not proposed:
        life.do("propose void", OTHER[who])
    if cell.act in ("publish", "withdraw") and life.model.state in ("signed", "certified", "void"):
        if life.model.state != "void":
            life.do("stamp", "organiser")
        if cell.act == "withdraw":
            life.do("publish", "organiser")
