"""Every act of the desk's pages about a session, its seats, entrants, sheets, papers and times."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from tests.sheets.correcting import confirmed, handed_on
from tests.sheets.services.test_scoresheets_second import other_paper, texts
from tests.sheets.session_lives import Act, Send, World, acts_of, after
from tests.sheets.session_steps import (
    called,
    came,
    certified,
    change_proposed,
    closed,
    corrected,
    correction_proposed,
    disputed,
    drawn,
    forfeited,
    grown_up,
    handed,
    joined,
    last_of,
    let_stand,
    list_read,
    noted,
    one_elsewhere,
    own_change,
    own_disputed,
    replay_proposed,
    started,
    swapped,
    three_more,
    typed_otherwise,
    typed_twice,
    void_proposed,
    with_addresses,
    with_guardian,
    with_referee,
    withdrawn,
)
from tests.sheets.tables import paper
from tournament.accounts.models import Proposal
from tournament.core.models.stage import Session
from tournament.entrants.models.importing import EntrantFile
from tournament.registration.services import importing_preview
from tournament.sheets.domain.fields import fields_of_typed_sheet
from tournament.sheets.models.conduct import Incident, JudgeCall
from tournament.sheets.models.dispute import Dispute

WHY = {"reason": "typhoon"}
NEW_DAY = "2096-03-30"
PDF = b"%PDF-1.4 %%EOF"
SIGNED = {f"signed-{letter}": "on" for letter in "ABCD"}
ABSENT = {"reason": "not there"}


# --- The clock, the day, the plan -----------------------------------------------------------------------
def times(world: World) -> str:
    key = world.session.pk
    hours = {"check_in": "12:00", "seating": "12:30", "play": "12:45", "ends": "13:45"}
    row = {f"s{key}-take": "on", **{f"s{key}-{name}": hour for name, hour in hours.items()}}
    return world.post("new_times", world.session.original_date, day=NEW_DAY, **WHY, **row)


def one_table_more(world: World) -> str:
    """As a page sends it that was opened before anything was locked."""
    form = world.page.get(reverse("change_sessions", args=["hk-2026"])).context["form"]
    sent = {bound.html_name: bound.value() for one in form.forms if one.row for bound in one}
    cells = {name: f"{value:%H:%M}" if hasattr(value, "hour") else str(value) for name, value in sent.items() if value}
    mine = {f"s{world.session.pk}-{name}": value for name, value in form_cells(world.session).items()}
    return world.post("change_sessions", revision=world.event.revision, **{**cells, **mine})


def form_cells(session: Session) -> dict[str, str]:
    hours = {"check_in": "check_in_at", "seating": "seating_at", "play": "play_at", "ends": "ends_at"}
    cells = {name: f"{timezone.localtime(getattr(session, field)):%H:%M}" for name, field in hours.items()}
    return {"day": f"{session.original_date}", **cells, "tables": str(session.table_count + 1), "capacity": "100"}


def one_day_more(world: World) -> str:
    pace = {"sessions": "2", "first": "12:00", "every": "105", "seating": "30", "play": "45", "end": "105"}
    return world.post("add_day", day="2026-04-07", tables="25", revision=world.event.revision, **pace)


def filled(world: World, name: str, *args: Any, **changed: Any) -> str:
    """The page's form as it is shown, sent with these changes."""
    form = world.page.get(reverse(name, args=["hk-2026", *args])).context["form"]
    sent = {bound.html_name: bound.value() for bound in form if bound.value() not in (None, False)}
    cells = {name: f"{value:%H:%M}" if hasattr(value, "hour") else value for name, value in sent.items()}
    return world.post(name, *args, **{**cells, **changed})


def imported(world: World) -> str:
    """The newest list, as its preview shows it."""
    kept = EntrantFile.objects.order_by("-pk").first()
    seen = importing_preview.build_preview(kept).digest if kept else ""
    return world.post("import_preview", last_of(EntrantFile), act="import", seen=seen)


def press(kind: str) -> Send:
    return lambda world: world.post("session_clock", 1, do=kind, reason="the day's plan")


def decided(do: str) -> Send:
    return lambda world: world.post("postponed", session="1", do=do, **WHY)


def day_held_back(world: World) -> str:
    """Every session of the day that has not begun: whether this one is among them."""
    world.asked.add("hold_sessions")
    with world.tried():
        before = world.session.state
        world.page.post(
            reverse("hold_sessions", args=["hk-2026", world.session.original_date]),
            {"do": "hold", "session": world.session.number},
        )
        after_it = Session.objects.get(pk=world.session.pk).state
        return f"{before} > {after_it}"


THE_DAY: dict[str, Act | Send] = {
    "hold the day back": day_held_back,
    "start": press("start"),
    "take the start back": after(started, then=press("take_back")),
    "suspend": after(started, then=press("suspend")),
    "resume": press("resume"),
    "close": after(started, then=press("close")),
    "reopen": after(started, closed, then=press("reopen")),
    "unhold": decided("unhold"),
    "postpone": decided("postpone"),
    "bring back": decided("bring_back"),
    "let stand": decided("let_stand"),
    "replay": decided("replay"),
    "agree to a replay": after(
        handed, certified, replay_proposed, then=lambda world: world.post("proposed_replay", last_of(Proposal))
    ),
    "undecide": decided("undecide"),
    "undecide what stands": after(let_stand, then=decided("undecide")),
    "new times": times,
    "tables of the session": one_table_more,
    "one day more": one_day_more,
    "rules": lambda world: filled(world, "change_rules", joker_value="25"),
    "several pairs": lambda world: filled(world, "change_event", several_pairs="1"),
    "venue": lambda world: filled(world, "change_event", venue_en="Another hall"),
}

# --- Seats and papers -----------------------------------------------------------------------------------
SEATS: dict[str, Act | Send] = {
    "draw all": lambda world: world.post("draw_all_seats", redraw="on"),
    "confirm all": after(drawn, then=lambda world: world.post("confirm_all_seats")),
    "draw": lambda world: world.post("draw_session_seats", 1, revision=world.draw, again="on"),
    "confirm": after(drawn, then=lambda world: world.post("confirm_session_seats", 1, revision=world.draw)),
    "swap": lambda world: world.post("swap_seats", 1, revision=world.draw, first="301", second="302"),
    "move": lambda world: world.post(
        "move_seat", 1, revision=world.draw, entrant="301", table="1", letter="B", all_the_same="on"
    ),
    "undo": after(swapped, then=lambda world: world.post("undo_move", 1, revision=world.draw)),
    "open a table": after(
        three_more, then=lambda world: world.post("open_table", 1, revision=world.draw, entrants="305 306 307")
    ),
    "free": after(withdrawn, then=lambda world: world.post("free_seat", 1, revision=world.draw, entrant="301")),
    "dissolve": lambda world: world.post("dissolve_table", 1, revision=world.draw, table="1"),
    "referee": lambda world: world.post("assign_referee", 1, revision=world.draw, table="1", referee="referee"),
    "print": lambda world: world.post("print_session_scoresheets", 1),
    "print one": lambda world: world.post("print_scoresheet", 1, 1),
    "print all": lambda world: world.post("print_all_scoresheets"),
    "mail the seats": after(with_addresses, then=lambda world: world.post("mail_seats", 1, count="4", seen="0")),
    "codes for tablets": after(with_referee, then=lambda world: world.post("print_pairings", 1)),
    "a code for one tablet": after(
        with_referee, then=lambda world: world.post("pair_tablets", 1, referee=str(world.people.referee.pk), table="1")
    ),
}

# --- Entrants -------------------------------------------------------------------------------------------
ENTRANTS: dict[str, Act | Send] = {
    "no-show": lambda world: world.post("record_absence", 301, status="forfeited", seen="ok", **ABSENT),
    "withdraw": lambda world: world.post("record_absence", 301, status="withdrawn", seen="ok", **ABSENT),
    "disqualify": lambda world: world.post("record_absence", 301, status="disqualified", seen="ok", **ABSENT),
    "readmit": after(withdrawn, then=lambda world: world.post("readmit", 301, seen="withdrawn", reason="is well")),
    "other session": after(
        with_guardian,
        then=lambda world: world.post("move_entrant", 301, revision=world.entrant, session="2", reason="ill"),
    ),
    "into the session": after(
        one_elsewhere,
        then=lambda world: world.post("move_entrant", 401, revision=1, session="1", reason="asked"),
    ),
    "school": lambda world: filled(world, "change_entrant", 301, school="Kwun Tong School", reason="asked"),
    "join a family": after(
        grown_up,
        then=lambda world: world.post(
            "join_family", 301, revision=world.entrant, role="child", other="302", reason="asked"
        ),
    ),
    "part a family": after(
        joined, then=lambda world: world.post("part_family", 301, revision=world.entrant, reason="asked")
    ),
    "agree to a name": after(change_proposed, then=lambda world: world.post("proposed_change", last_of(Proposal))),
    "no to a name": after(
        change_proposed, then=lambda world: world.post("refuse_proposal", last_of(Proposal), reason="no such name")
    ),
    "take back a name": after(own_change, then=lambda world: world.post("withdraw_proposal", last_of(Proposal))),
    "a list with a school": after(list_read(school="Kwun Tong School"), then=imported),
    "a list with another session": after(with_guardian, list_read(session="2"), then=imported),
    "erase": lambda world: world.post("erase_entrant", 301, confirm="0301", reason="a parent asked"),
    "check in": lambda world: world.post("check_in", 1, numbers="301 302"),
    "undo a check-in": after(
        came, then=lambda world: world.post("undo_check_in", 1, number="301", reason="the sister")
    ),
    "look at an age": lambda world: world.post("door_check", 1, number="301", kind="age"),
    "take a consent": lambda world: world.post("door_check", 1, number="301", kind="consent"),
    "forfeits": lambda world: world.post("forfeit_absent", 1, numbers="301 302"),
    "take forfeits back": after(forfeited, then=lambda world: world.post("revert_forfeits", 1)),
    "a table's note": after(noted, then=lambda world: world.post("confirm_mark", last_of(Incident))),
    "no to a table's note": after(
        noted, then=lambda world: world.post("dismiss_mark", last_of(Incident), reason="came late")
    ),
    "take a call": after(called, then=lambda world: world.post("take_call", last_of(JudgeCall))),
    "answer a call": after(
        called, then=lambda world: world.post("answer_call", last_of(JudgeCall), answer="it stands")
    ),
}


# --- Sheets ---------------------------------------------------------------------------------------------
def typed(world: World, do: str) -> str:
    """The paper's values, each that is unusual ticked."""
    ticks = {}
    if world.has_table:
        ticks = {f"tick-{key}": "on" for key in confirmed(world.table, paper())}
    return world.post(
        "scoresheet", 1, 1, do=do, revision=world.sheet, form="paper", **fields_of_typed_sheet(paper()), **ticks
    )


def own_handed(world: World) -> None:
    """Handed on by who takes it back."""
    handed_on(world.table, paper(), world.people.desk, world.sheet)


def at_dispute(do: str, **sent: str) -> Send:
    return lambda world: world.post("dispute", 1, 1, do=do, revision=world.sheet, reason="no", **sent)


def at_correction(do: str, **sent: str) -> Send:
    return lambda world: world.post("correction", 1, 1, do=do, revision=world.newest, reason="a slip", **sent)


def scan(world: World) -> str:
    return world.post("attach_scan", 1, 1, scan=SimpleUploadedFile("paper.pdf", PDF))


SHEETS: dict[str, Act | Send] = {
    "type": lambda world: typed(world, "save"),
    "hand on": lambda world: typed(world, "submit"),
    "take back": after(
        own_handed, then=lambda world: world.post("scoresheet", 1, 1, do="reopen", revision=world.sheet)
    ),
    "scan": scan,
    "type again": after(
        typed_twice,
        handed,
        then=lambda world: world.post(
            "type_scoresheet_again", 1, 1, do="submit", revision=0, **fields_of_typed_sheet(paper())
        ),
    ),
    "third look": after(
        typed_twice,
        handed,
        typed_otherwise,
        then=lambda world: world.post("type_scoresheet_again", 1, 1, revision=world.sheet, **texts(other_paper())),
    ),
    "certify": after(
        handed, then=lambda world: world.post("check_scoresheet", 1, 1, do="certify", revision=world.sheet, **SIGNED)
    ),
    "send back": after(
        handed, then=lambda world: world.post("check_scoresheet", 1, 1, do="reject", revision=world.sheet, reason="no")
    ),
    "dispute": after(handed, then=at_dispute("raise")),
    "its values stand": after(handed, disputed, then=at_dispute("uphold")),
    "other values": after(handed, disputed, then=at_dispute("decide", **fields_of_typed_sheet(other_paper()))),
    "take a dispute back": after(
        handed, own_disputed, then=lambda world: at_dispute("withdraw", dispute=str(last_of(Dispute)))(world)
    ),
    "propose void": at_dispute("propose_void"),
    "agree to void": after(void_proposed, then=at_dispute("approve_void")),
    "correct": after(handed, certified, then=at_correction("begin")),
    "propose a correction": after(handed, certified, corrected, then=at_correction("propose")),
    "agree to a correction": after(handed, certified, corrected, correction_proposed, then=at_correction("approve")),
    "send a correction back": after(handed, certified, corrected, then=at_correction("send_back")),
    "give a correction up": after(handed, certified, corrected, then=at_correction("give_up")),
    "stamp one": after(handed, certified, then=lambda world: world.post("stamp_scoresheet", 1, 1)),
    "stamp": after(handed, certified, then=lambda world: world.post("stamp_scoresheets", 1)),
}

BY_PAGE = acts_of({**THE_DAY, **SEATS, **ENTRANTS, **SHEETS})
