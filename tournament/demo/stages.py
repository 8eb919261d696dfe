"""Brings the made-up tournament to a stage of its day, act by act through the services that pages call."""

import json
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from scoring.ruleset import Ruleset
from tournament.bridge import scoresheets as bridge
from tournament.bridge.qualification import live_cut
from tournament.bridge.rulesets import places_of, ruleset_of
from tournament.demo import lots
from tournament.demo.accounts import ACCOUNTS
from tournament.demo.day import WITHDRAWN_BEFORE, WITHDRAWN_REASON, Day, play_day
from tournament.demo.desk import People, certify_sheet, finish_session, record_absences, submit_sheet, tables_of, typed
from tournament.demo.final import finish_final, prepare_final
from tournament.demo.line import PlayedTable
from tournament.demo.weather import prepare_morning
from tournament.enums import EntrantStatus, SheetForm, StageKind
from tournament.errors import Refused
from tournament.models import AuditEntry, Entrant, Event, Session, Stage, Table
from tournament.queries import scoresheets as queries
from tournament.services import (
    accounts,
    audit,
    importing,
    qualification,
    registration,
    release,
    scoresheets,
    seating,
    seating_print,
    setup,
    signing,
)

STAGES = ("imported", "seated", "weather", "playing", "results", "released", "final", "awarded")
SEEDED = "seed_event"

# `playing`: sessions before this one are stamped, this one is being typed, up to these table numbers.
SESSION_IN_HAND = 7
STAMPED_UP_TO, CERTIFIED_UP_TO, READY_UP_TO, DRAFT_UP_TO = 8, 11, 15, 18


def seeded(event: Event) -> tuple[str, int] | None:
    """The stage and the seed that this event was seeded with; None where it is nobody's demo."""
    entry = AuditEntry.objects.filter(event=event, action=SEEDED).first()
    if entry is None:
        return None
    stage, seed = entry.reason.split()
    return stage, int(seed)


@transaction.atomic
def seed_event(stage: str, seed: int, fixtures: Path | None = None) -> Event:
    """The whole way to `stage` in one transaction: an interrupted seed leaves nothing behind.

    1. the event and its accounts; 2. entrants from fixtures/entrants.xlsx; 3. seats drawn and confirmed; 4. sheets
    typed, certified and stamped; 5. the tie decided and the ranking released.
    """
    folder = fixtures or settings.BASE_DIR / "fixtures"
    event = setup.create_event(json.loads((folder / "event.json").read_text(encoding="utf-8")))
    if AuditEntry.objects.filter(event=event).count() > 1:
        raise Refused("event_not_empty", "This event exists already; a demo needs an empty database.")
    people = make_accounts(event)
    audit.record(event, None, SEEDED, f"event {event.slug}", reason=f"{stage} {seed}")
    reached = STAGES.index(stage)
    import_entrants(event, folder / "entrants.xlsx", people)
    preliminary = Stage.objects.get(event=event, kind=StageKind.PRELIMINARY)
    if reached >= STAGES.index("seated"):
        seat_everyone(preliminary, seed, people)
    if stage == "weather":
        prepare_morning(preliminary, people)
    if reached >= STAGES.index("playing"):
        play_sessions(preliminary, seed, people, whole=stage != "playing")
    if reached >= STAGES.index("released"):
        release_ranking(preliminary, people)
    if reached >= STAGES.index("final"):
        prepare_final(preliminary, seed, people)
    if reached >= STAGES.index("awarded"):
        finish_final(event, seed, people)
    return event


def make_accounts(event: Event) -> People:
    """Every sign-in of the demo."""
    made = {
        account.username: setup.create_account(event, account.username, account.password, account.name, [account.role])
        for account in ACCOUNTS
    }
    for account in ACCOUNTS:
        if account.pin:
            accounts.set_pin(event, made[account.username], pin=account.pin, by=made["organiser"])
    return People(made["organiser"], made["clerk"], made["clerk2"], made["judge"])


def import_entrants(event: Event, workbook: Path, people: People) -> None:
    """The organiser's workbook: preview, the boundary birthdays decided, imported."""
    file = importing.read_file(event, name=workbook.name, content=workbook.read_bytes(), by=people.clerk)
    for question in importing.preview(file).to_decide:
        importing.decide(file, row=question.row, accept=True, reason="生日當日比賽，主辦機構接納", by=people.organiser)
    importing.import_file(file, by=people.organiser)


def seat_everyone(stage: Stage, seed: int, people: People) -> None:
    """Three write that they cannot come; then all sessions are drawn and confirmed."""
    for number in WITHDRAWN_BEFORE:
        entrant = Entrant.objects.filter(session__stage=stage, session__number=number).order_by("number")[3]
        registration.record_absence(entrant, status=EntrantStatus.WITHDRAWN, reason=WITHDRAWN_REASON, by=people.clerk)
    seating.draw_all(stage, seed=seed, by=people.organiser)
    for _session, refusal in seating.confirm_all(stage, by=people.organiser).left:
        raise refusal
    seating_print.print_stage(stage, by=people.organiser)


def play_sessions(stage: Stage, seed: int, people: People, whole: bool) -> None:
    """Type the sheets of every session, or of those before the one in hand and of that one a part."""
    ruleset = ruleset_of(stage)
    day = play_day(stage, ruleset, seed, places_of(stage) or 0)
    for session in Session.objects.filter(stage=stage).order_by("number"):
        if whole or session.number < SESSION_IN_HAND:
            finish_session(session, ruleset, day, people)
        elif session.number == SESSION_IN_HAND:
            begin_session(session, ruleset, day, people)


def begin_session(session: Session, ruleset: Ruleset, day: Day, people: People) -> None:
    """A session in the middle: sheets stamped, certified, to be checked, half typed, and not received."""
    record_absences(session, day, people)
    for key, table in tables_of(session):
        played = day.tables[key]
        if table.number <= READY_UP_TO:
            revision = submit_sheet(table, ruleset, played, people)
            if table.number <= CERTIFIED_UP_TO:
                certify_sheet(table, revision, people)
            if table.number <= STAMPED_UP_TO:
                signing.stamp(queries.current_sheet(table), by=people.organiser)
        elif table.number <= DRAFT_UP_TO:
            save_half(table, played, people)


def save_half(table: Table, played: PlayedTable, people: People) -> None:
    """A sheet that a clerk has put aside after the second game, with a slip in it."""
    whole = typed(played)
    nothing = bridge.empty_typed(len(whole["games"]))
    scoresheets.save(
        table,
        revision=0,
        form=SheetForm.PAPER,
        typed={"games": [*with_slip(whole["games"][:2]), *nothing["games"][2:]], "totals": {}},
        by=people.clerk,
        request_key=f"seed-save-{queries.serial(table)}",
    )


def with_slip(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same with the digits of one cell of points exchanged, as happens."""
    cells = [seat for seat in games[-1]["seats"].values() if len(set(seat.get("points", ""))) == 3]
    for seat in cells[:1]:
        seat["points"] = seat["points"][0] + seat["points"][:0:-1]
    return games


def release_ranking(stage: Stage, people: People) -> None:
    """The tie decided by lots before witnesses, and the release at ten on the announced day."""
    cut = live_cut(stage)
    acts = (partial(act, stage) for act in (qualification.announce_line_lots, qualification.decide_tie))
    lots.draw(*acts, tied=[entrant.number for entrant in cut.tie], places=cut.tie_places, by=people.judge)
    release.release(stage, by=people.organiser)
