"""After sixty moves at random the room, the list, the papers and the pages still say one and the same.

Moved, swapped, undone, late, dissolved, withdrawn, printed: seeded, so that a failure can be repeated.
"""

import random
import re
from collections import Counter
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from scoring.ruleset import PRESETS
from tests.conftest import account
from tests.core.finals import add_final, freeze, preliminary_played
from tests.seated import enter, seats
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus, Role
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.seating.services import moves, plans, room, seating
from tournament.seating.services import print as papers
from tournament.sheets.exports.papers import printed_sheets_of_tables
from tournament.tables import domain as bridge
from tournament.tables.models import Draw
from tournament.tables.queries import seating as queries

MOVES = 60
BEGIN = 30


class Hall:
    """A session under random acts through the services alone."""

    def __init__(self, session: Session, by: User, seed: int) -> None:
        self.session, self.by = session, by
        self.chance = random.Random(seed)
        self.next_number = BEGIN + 1
        self.done: Counter[str] = Counter()

    def revision(self) -> int:
        return Draw.objects.get(session=self.session).revision

    def act(self) -> None:
        """One act; a refusal is an answer too, and changes nothing."""
        name = self.chance.choice(["swap", "move", "move", "late", "late", "dissolve", "withdraw", "undo", "paper"])
        before = seats(self.session)
        try:
            getattr(self, name)()
            self.done[name] += 1
        except Refused:
            self.done[f"{name} refused"] += 1
            assert seats(self.session) == before

    def one(self) -> int:
        return self.chance.choice(sorted(seats(self.session).values()))

    def place(self) -> tuple[int, str]:
        tables = list(self.session.tables.values_list("number", flat=True))
        return self.chance.choice(tables), self.chance.choice("ABCD")

    def swap(self) -> None:
        seating.exchange_two_seats(
            self.session, revision=self.revision(), first=self.one(), second=self.one(), by=self.by
        )

    def move(self) -> None:
        room.move_seat_to(self.session, revision=self.revision(), entrant=self.one(), place=self.place(), by=self.by)

    def late(self) -> None:
        if not moves.read_seating_room(self.session).late():
            enter(self.session, 1, first=self.next_number, schools={self.next_number: f"S{self.next_number % 4}"})
            self.next_number += 1
        number = moves.read_seating_room(self.session).late()[0]
        try:
            foreseen = moves.preview_plan(self.session, plans.to_best_seat(number))
            place = foreseen.move.places[number]
            assert place is not None
            room.move_seat_to(self.session, revision=self.revision(), entrant=number, place=place, by=self.by)
        except Refused:
            foreseen = moves.preview_plan(self.session, plans.table_for(number))
            entrants = list(foreseen.move.places)
            room.open_extra_table(self.session, revision=self.revision(), entrants=entrants, by=self.by)

    def dissolve(self) -> None:
        room.dissolve_seated_table(self.session, revision=self.revision(), table=self.place()[0], by=self.by)

    def withdraw(self) -> None:
        number = self.one()
        Entrant.objects.filter(number=number).update(status=EntrantStatus.WITHDRAWN)
        if self.chance.random() < 0.5:
            room.free_entrant_seat(self.session, revision=self.revision(), entrant=number, by=self.by)

    def undo(self) -> None:
        room.undo_last_seat_move(self.session, revision=self.revision(), by=self.by)

    def paper(self) -> None:
        papers.print_session(self.session, by=self.by)


class Finals(Hall):
    """A round of a final: who comes late is one who had withdrawn and comes after all."""

    def late(self) -> None:
        if not moves.read_seating_room(self.session).late():
            gone = Entrant.objects.exclude(status=EntrantStatus.OK).exclude(qualified=None)
            back = self.chance.choice([*gone.values_list("pk", flat=True), 0])
            Entrant.objects.filter(pk=back).update(status=EntrantStatus.OK)
        if not moves.read_seating_room(self.session).late():
            return self.swap()
        return super().late()


def must_hold(session: Session, event: Event) -> None:
    """Nobody twice, nobody lost; tables of three or four; the draw knows what is not kept."""
    held = seats(session)
    assert len(set(held.values())) == len(held)
    now = moves.read_seating_room(session)
    playing = {entrant.number for entrant in queries.entrants_to_seat(session)}
    assert set(now.late()) | {number for number in held.values() if now.plays(number)} == playing
    gone = {number for number in held.values() if not now.plays(number)}
    for table in now.tables:
        players = len(now.players(table))
        seated = sum(place[0] == table for place in now.places.values())
        # Fewer than three play only where somebody has withdrawn: the room says so, and the table can be dissolved.
        assert 3 <= players <= 4 or (players < 3 and not session_is_full(session))
        assert 1 <= seated <= 4
    draw = Draw.objects.get(session=session)
    arrangement = bridge.tables_from_places(now.places)
    assert draw.could_not == bridge.review_tables(now.basis, arrangement)
    assert gone <= set(Entrant.objects.exclude(status=EntrantStatus.OK).values_list("number", flat=True))


def session_is_full(session: Session) -> bool:
    return len(queries.entrants_to_seat(session)) == len(queries.entrants_of_seating_session(session))


def on_papers(session: Session) -> dict[str, int]:
    """Who sits where by the values that the printed sheets are drawn from."""
    tables = queries.tables_to_print(session.stage, session.number)
    sheets = printed_sheets_of_tables(
        tables, queries.newest_prints([session]), PRESETS["hk-2026"], lambda table, number: f"/{table.number}/{number}"
    )
    return {f"{sheet.table}{letter}": seat.number for sheet in sheets for letter, seat in sheet.seats.items()}


def on_the_list(page: str) -> dict[str, int]:
    """Who sits where by the list for the wall."""
    rows = re.findall(r'<span class="no">(\d{4})</span>.*?<b class="nb">table (\d+) ([A-D])</b>', page, re.DOTALL)
    return {f"{table}{letter}": int(number) for number, table, letter in rows}


def in_the_room(page: str) -> dict[str, int]:
    """Who sits where by the room's page."""
    rows = re.findall(r'data-place="(\w+)" data-entrant="(\d{4})"', page)
    return {place: int(number) for place, number in rows}


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_after_sixty_random_moves_every_sheet_list_and_page_equals_the_seating(
    event: Event, first_session: Session, organiser: User, signed_in: Any, seed: int
) -> None:
    account(event, Role.REFEREE, "ada")
    schools = {number: f"S{number % 4}" for number in range(1, BEGIN + 1)}
    enter(first_session, BEGIN, families={1: "F1", 2: "F1", 3: "F2", 4: "F2"}, schools=schools)
    seating.draw_session(first_session, seed=seed, by=organiser)
    seating.confirm_session_draw(first_session, revision=1, by=organiser)
    papers.print_session(first_session, by=organiser)
    desk = signed_in(organiser)
    desk.cookies["django_language"] = "en"
    hall = Hall(first_session, organiser, seed)

    for _ in range(MOVES):
        hall.act()
        must_hold(first_session, event)
    if queries.papers_of_stage(first_session.stage).to_print:
        papers.print_session(first_session, by=organiser)

    held = seats(first_session)
    assert on_papers(first_session) == held
    assert on_the_list(squeezed(desk.get(reverse("seating_list", args=["hk-2026", 1])).content.decode())) == held
    assert in_the_room(squeezed(desk.get(reverse("session_seating", args=["hk-2026", 1])).content.decode())) == held
    for table in first_session.tables.values_list("number", flat=True):
        newest = queries.newest_prints([first_session])[first_session.pk, table]
        judged = [queries.judge_paper(first_session, table, number).state for number in range(1, newest.number + 1)]
        assert judged == ["replaced"] * (newest.number - 1) + ["current"]
    entries = AuditEntry.objects.filter(subject="session 0328-1", revision_after__isnull=False).order_by("seq")
    revisions = [one.revision_after for one in entries if one.revision_before != one.revision_after]
    assert revisions == list(range(1, hall.revision() + 1))
    assert sum(hall.done.values()) == MOVES
    assert {"swap", "move", "late", "withdraw", "undo", "paper"} <= set(hall.done)


@pytest.mark.parametrize("seed", [1, 2])
def test_after_random_moves_in_both_rounds_of_a_final_each_draw_knows_what_it_does_not_keep(
    first_session: Session, organiser: User, seed: int
) -> None:
    preliminary = preliminary_played(first_session, organiser, players=20)
    final = add_final(preliminary.event, rounds=2, tables=7)
    freeze(final, organiser)
    halls = []
    for session in final.sessions.select_related("stage__event").order_by("number"):
        seating.draw_session(session, seed=seed, by=organiser)
        seating.confirm_session_draw(session, revision=1, by=organiser)
        halls.append(Finals(session, organiser, seed))
    for number in range(MOVES // 2):
        halls[number % 2].act()
        for hall in halls:
            must_hold(hall.session, preliminary.event)
