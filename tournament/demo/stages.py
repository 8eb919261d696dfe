"""Brings the made-up tournament to a stage of its day, act by act through the services that pages call."""

import json
from functools import partial
from pathlib import Path
from typing import Any

from django.db import transaction

from scoring.ruleset import Ruleset
from tournament.accounts.services import accounts
from tournament.audit import services
from tournament.audit.models import AuditEntry
from tournament.core.enums import DecisionOf, EntrantStatus
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.demo import lots
from tournament.demo.accounts import DEMO_ACCOUNTS
from tournament.demo.day import WITHDRAWN_BEFORE, WITHDRAWN_REASON, DemoDay, play_day
from tournament.demo.desk import (
    DemoPeople,
    certify_sheet,
    demo_tables_of,
    finish_session,
    record_absences,
    submit_sheet,
    typed_demo_sheet,
)
from tournament.demo.events import (
    DEFAULT_DEMO_EVENT,
    DEMO_STAGES_OF_ONE_STAGE,
    demo_fixtures,
    ends_with_first_stage,
)
from tournament.demo.final import decide_demo_tie_breaks, finish_final, prepare_final, seat_round
from tournament.demo.line import PlayedTable
from tournament.demo.weather import prepare_morning
from tournament.devices.services import pins
from tournament.entrants.models.people import Entrant
from tournament.events.domain import advancing_places_of_stage, ruleset_of_stage
from tournament.events.queries import rounds_in_order
from tournament.publication.services import release
from tournament.ranking.domain.standings import ranking_entrant_id
from tournament.registration.services import importing, importing_preview
from tournament.seating.services import print, seating
from tournament.setup.services import setup
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import registration, scoresheets, signing
from tournament.stages.domain.qualification import live_qualification
from tournament.stages.services.decisions import announce_tie_lots, decide_tie
from tournament.tables.models import Table

DEMO_STAGES = ("imported", "seated", "weather", "playing", "results", "released", "final", "awarded")
SEEDED_ACT = "seed_event"

# `playing`: sessions before this one, or before the last, are stamped, this one is being typed: stamped, certified,
# ready and drafted up to these of so many tables, in a smaller hall in proportion.
SESSION_IN_HAND = 7
SESSION_IN_HAND_LIMITS, HALL_TABLES = (8, 11, 15, 18), 25


def seeded_stage(event: Event) -> tuple[str, int] | None:
    """The stage and the seed that this event was seeded with; None where it is nobody's demo."""
    entry = AuditEntry.objects.filter(event=event, action=SEEDED_ACT).first()
    if entry is None:
        return None
    return entry.details["stage"], entry.details["seed"]


@transaction.atomic
def seed_event(stage: str, seed: int, fixtures: Path | None = None) -> Event:
    """The whole way to `stage` in one transaction: an interrupted seed leaves nothing behind.

    1. the event and its accounts; 2. entrants from fixtures/entrants.xlsx; 3. seats drawn and confirmed; 4. sheets
    typed, certified and stamped; 5. the tie decided and the ranking released.
    """
    folder = fixtures or demo_fixtures(DEFAULT_DEMO_EVENT)
    if ends_with_first_stage(folder) and stage not in DEMO_STAGES_OF_ONE_STAGE:
        known = ", ".join(DEMO_STAGES_OF_ONE_STAGE)
        raise Refused("no_such_stage", f"This event ends with its first stage: there is no {stage}, but {known}.")
    event = setup.create_event(json.loads((folder / "event.json").read_text(encoding="utf-8")))
    if AuditEntry.objects.filter(event=event).count() > 1:
        raise Refused("event_not_empty", "This event exists already; a demo is played once.")
    people = make_accounts(event)
    services.append_audit_entry(event, None, SEEDED_ACT, f"event {event.slug}", details={"stage": stage, "seed": seed})
    reached = DEMO_STAGES.index(stage)
    import_demo_entrants(event, folder / "entrants.xlsx", people)
    preliminary = Stage.objects.get(event=event, order=1)
    if reached >= DEMO_STAGES.index("seated"):
        seat_everyone(preliminary, seed, people)
    if stage == "weather":
        prepare_morning(preliminary, people)
    if reached >= DEMO_STAGES.index("playing"):
        play_sessions(preliminary, seed, people, whole=stage != "playing")
    if reached >= DEMO_STAGES.index("released"):
        release_ranking(preliminary, people)
    if reached >= DEMO_STAGES.index("final"):
        prepare_final(preliminary, seed, people)
    if reached >= DEMO_STAGES.index("awarded"):
        finish_final(event, seed, people)
    return event


def make_accounts(event: Event) -> DemoPeople:
    """Every sign-in of the demo."""
    made = {
        account.username: accounts.create_account(
            event, account.username, account.password, account.name, [account.role]
        )
        for account in DEMO_ACCOUNTS
    }
    for account in DEMO_ACCOUNTS:
        if account.pin:
            pins.set_pin(event, made[account.username], pin=account.pin, by=made["organiser"])
    return DemoPeople(made["organiser"], made["clerk"], made["clerk2"], made["judge"])


def import_demo_entrants(event: Event, workbook: Path, people: DemoPeople) -> None:
    """The organiser's workbook: preview, the boundary birthdays decided, imported."""
    file = importing.read_file(event, name=workbook.name, content=workbook.read_bytes(), by=people.clerk)
    for question in importing_preview.build_preview(file).to_decide:
        importing.answer_row_question(
            file, row=question.row, accept=True, reason="生日當日比賽，主辦機構接納", by=people.organiser
        )
    importing.import_file(file, by=people.organiser)


def seat_everyone(stage: Stage, seed: int, people: DemoPeople) -> None:
    """Some write that they cannot come; then all sessions are drawn and confirmed, rounds one after the other."""
    if stage.has_rounds_for_all:
        for session in rounds_in_order(stage):
            seat_round(session, seed, people)
        return
    for session in Session.objects.filter(stage=stage, number__in=WITHDRAWN_BEFORE).order_by("number"):
        entrant = Entrant.objects.filter(session=session).order_by("number")[3]
        registration.record_absence(entrant, status=EntrantStatus.WITHDRAWN, reason=WITHDRAWN_REASON, by=people.clerk)
    seating.draw_all(stage, seed=seed, by=people.organiser)
    for _session, refusal in seating.confirm_stage_draws(stage, by=people.organiser).left:
        raise refusal
    print.print_stage(stage, by=people.organiser)


def play_sessions(stage: Stage, seed: int, people: DemoPeople, whole: bool) -> None:
    """Type the sheets of every session, or of those before the one in hand and of that one a part."""
    ruleset = ruleset_of_stage(stage)
    day = play_day(stage, ruleset, seed, advancing_places_of_stage(stage) or 0)
    sessions = list(Session.objects.filter(stage=stage).order_by("number"))
    in_hand = min(SESSION_IN_HAND, len(sessions))
    for session in sessions:
        if whole or session.number < in_hand:
            finish_session(session, ruleset, day, people)
        elif session.number == in_hand:
            begin_demo_session(session, ruleset, day, people)


def begin_demo_session(session: Session, ruleset: Ruleset, day: DemoDay, people: DemoPeople) -> None:
    """A session in the middle: sheets stamped, certified, to be checked, half typed, and not received."""
    record_absences(session, day, people)
    tables = demo_tables_of(session)
    stamped, certified, ready, draft = (limit * len(tables) // HALL_TABLES for limit in SESSION_IN_HAND_LIMITS)
    for key, table in tables:
        played = day.tables[key]
        if table.number <= ready:
            revision = submit_sheet(table, ruleset, played, people)
            if table.number <= certified:
                certify_sheet(table, revision, people)
            if table.number <= stamped:
                signing.stamp_sheet(queries.versions_in_hand(table)[0], by=people.organiser)
        elif table.number <= draft:
            save_half(table, played, people)


def save_half(table: Table, played: PlayedTable, people: DemoPeople) -> None:
    """A sheet that a clerk has put aside after the second game, with a slip in it."""
    whole = typed_demo_sheet(played)
    nothing = bridge.empty_typed_sheet(len(whole["games"]))
    scoresheets.save_scoresheet(
        table,
        revision=0,
        form=bridge.sheet_forms(ruleset_of_stage(table.session.stage))[0],
        typed={"games": [*with_slip(whole["games"][:2]), *nothing["games"][2:]], "totals": {}},
        by=people.clerk,
        request_key=f"seed-save-{queries.sheet_serial(table)}",
    )


def with_slip(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same with the digits of one cell of points exchanged, as happens."""
    cells = [seat for seat in games[-1]["seats"].values() if len(set(seat.get("points", ""))) == 3]
    for seat in cells[:1]:
        seat["points"] = seat["points"][0] + seat["points"][:0:-1]
    return games


def release_ranking(stage: Stage, people: DemoPeople) -> None:
    """The tie, where one lies across the line or on the podium, decided by lots before witnesses; and the release."""
    if stage.is_last:
        decide_demo_tie_breaks(stage, people)
        release.release_results(stage, by=people.organiser)
        return
    cut = live_qualification(stage)
    if cut.tie:
        tied = [ranking_entrant_id(entrant.number) for entrant in cut.tie]
        acts = (partial(act, stage, of=DecisionOf.LINE) for act in (announce_tie_lots, decide_tie))
        lots.draw_demo_lots(*acts, tied=tied, places=cut.tie_places, by=people.judge)
    release.release_results(stage, by=people.organiser)
