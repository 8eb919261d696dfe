"""Every act of the API about a session, its seats, entrants, sheets, papers and times."""

from typing import Any

from tests.sheets.correcting import confirmed
from tests.sheets.services.test_scoresheets_second import other_paper, texts
from tests.sheets.session_lives import Act, Send, World, acts_of, after
from tests.sheets.session_steps import (
    SIGNED,
    certified,
    change_proposed,
    corrected,
    correction_proposed,
    disputed,
    drawn,
    grown_up,
    handed,
    joined,
    last_of,
    let_stand,
    one_elsewhere,
    own_change,
    own_disputed,
    replay_proposed,
    swapped,
    three_more,
    typed_otherwise,
    typed_twice,
    void_proposed,
    with_addresses,
    with_guardian,
    withdrawn,
)
from tests.sheets.tables import paper
from tournament.accounts.models import Proposal

ONE, NUMBER = "sessions/1/", "entrants/301/"
SHEET, ROOM = f"{ONE}scoresheets/1/", f"{ONE}seating/"
WHY = {"reason": "typhoon"}
TIMES = {"check_in_at": "12:00", "seating_at": "12:30", "play_at": "12:45", "ends_at": "13:45"}
NEW_TIMES = {name: f"2096-03-30T{hour}:00+08:00" for name, hour in TIMES.items()}
TYPED = {"form": "paper", "typed": paper()}


# --- The day and the seats ------------------------------------------------------------------------------
def at_session(act: str, **body: Any) -> Send:
    return lambda world: world.send(f"{ONE}{act}/", body)


def in_room(act: str, **body: Any) -> Send:
    return lambda world: world.send(f"{ROOM}{act}/", body, world.draw)


def agreed(act: str) -> Send:
    return lambda world: world.send(f"proposals/{last_of(Proposal)}/{act}/")


THE_DAY: dict[str, Act | Send] = {
    "hold": at_session("hold", **WHY),
    "unhold": at_session("unhold"),
    "postpone": at_session("postpone", **WHY),
    "bring back": at_session("bring-back"),
    "let stand": at_session("let-stand", **WHY),
    "replay": at_session("replay", **WHY),
    "agree to a replay": after(handed, certified, replay_proposed, then=agreed("session")),
    "undecide": at_session("undecide"),
    "undecide what stands": after(let_stand, then=at_session("undecide")),
    "new times": lambda world: world.send(
        "stopped-sessions/times/", {"sessions": [{"session": 1, **NEW_TIMES}], **WHY}
    ),
}
SEATS: dict[str, Act | Send] = {
    "draw": in_room("draw"),
    "confirm": after(drawn, then=in_room("confirm")),
    "swap": in_room("swap", first=301, second=302),
    "move": in_room("move", entrant=301, table=1, letter="B"),
    "undo": after(swapped, then=in_room("undo")),
    "open a table": after(three_more, then=in_room("open", entrants=[305, 306, 307])),
    "free": after(withdrawn, then=in_room("free", entrant=301)),
    "dissolve": in_room("dissolve", table=1),
    "late": after(three_more, then=in_room("late", entrant=305)),
    "referee": in_room("referee", table=1, referee="referee"),
    "print": at_session("prints"),
    "mail the seats": after(
        with_addresses, then=lambda world: world.send("mail/seats/1/", {"confirmed": 4, "seen": 0})
    ),
}


# --- Entrants -------------------------------------------------------------------------------------------
def of_entrant(act: str, **body: Any) -> Send:
    return lambda world: world.send(f"{NUMBER}{act}/", body, world.entrant)


ENTRANTS: dict[str, Act | Send] = {
    "no-show": of_entrant("absence", status="forfeited", reason="ill"),
    "withdraw": of_entrant("absence", status="withdrawn", reason="ill"),
    "disqualify": of_entrant("absence", status="disqualified", reason="cheated"),
    "readmit": after(withdrawn, then=of_entrant("readmit", reason="is well")),
    "other session": after(with_guardian, then=of_entrant("move", session=2, **WHY)),
    "into the session": after(
        one_elsewhere, then=lambda world: world.send("entrants/401/move/", {"session": 1, **WHY}, 1)
    ),
    "school": of_entrant("change", school="Kwun Tong School", **WHY),
    "join a family": after(grown_up, then=of_entrant("family", role="child", other=302, **WHY)),
    "part a family": after(joined, then=of_entrant("part", **WHY)),
    "agree to a name": after(change_proposed, then=agreed("person")),
    "no to a name": after(
        change_proposed,
        then=lambda world: world.send(f"proposals/{last_of(Proposal)}/refuse/", {"reason": "no such name"}),
    ),
    "take back a name": after(own_change, then=agreed("withdraw")),
}


# --- Sheets ---------------------------------------------------------------------------------------------
def of_sheet(act: str, **body: Any) -> Send:
    return lambda world: world.send(f"{SHEET}{act}", body, world.newest)


def reasons(world: World) -> dict[str, str]:
    """For all that is unusual about the paper's values."""
    return confirmed(world.table, paper()) if world.has_table else {}


def saved(world: World) -> None:
    """A draft of the paper's values."""
    world.program.change(SHEET, TYPED, seen=world.sheet, method="PUT")


def own_handed(world: World) -> None:
    """Handed on by who takes it back."""
    world.program.change(f"{SHEET}submit/", {**TYPED, "confirmations": reasons(world)}, seen=world.sheet)


SHEETS: dict[str, Act | Send] = {
    "save": lambda world: world.send(SHEET, TYPED, world.sheet, "PUT"),
    "submit": lambda world: world.send(f"{SHEET}submit/", {**TYPED, "confirmations": reasons(world)}, world.sheet),
    "ready": after(
        saved, then=lambda world: world.send(f"{SHEET}ready/", {"confirmations": reasons(world)}, world.sheet)
    ),
    "reopen": after(own_handed, then=of_sheet("reopen/")),
    "type again": after(
        typed_twice,
        handed,
        then=lambda world: world.send(f"{SHEET}again/", {"typed": paper(), "done": True}, 0, "PUT"),
    ),
    "third look": after(
        typed_twice, handed, typed_otherwise, then=of_sheet("again/settle/", choices=texts(other_paper()))
    ),
    "certify": after(handed, then=of_sheet("certify/", signatures=SIGNED)),
    "send back": after(handed, then=of_sheet("reject/", **WHY)),
    "dispute": after(handed, then=of_sheet("dispute/", **WHY)),
    "its values stand": after(handed, disputed, then=of_sheet("dispute/decide/", decision="it stands")),
    "other values": after(
        handed, disputed, then=of_sheet("dispute/decide/", decision="as on the paper", typed=other_paper())
    ),
    "take a dispute back": after(handed, own_disputed, then=of_sheet("dispute/withdraw/", **WHY)),
    "propose void": of_sheet("void/", **WHY),
    "agree to void": after(void_proposed, then=of_sheet("void/approve/")),
    "correct": after(handed, certified, then=lambda world: world.send(f"{SHEET}correction/", WHY)),
    "propose a correction": after(handed, certified, corrected, then=of_sheet("correction/propose/", crossing=[])),
    "agree to a correction": after(
        handed, certified, corrected, correction_proposed, then=of_sheet("correction/approve/", crossing=[])
    ),
    "give a correction up": after(handed, certified, corrected, then=of_sheet("correction/give-up/", **WHY)),
    "stamp": after(handed, certified, then=lambda world: world.send(f"{SHEET}stamp/", {}, world.sheet)),
}

BY_API = acts_of({**THE_DAY, **SEATS, **ENTRANTS, **SHEETS})
