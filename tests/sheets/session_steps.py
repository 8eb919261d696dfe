"""What was done just before an act: a sheet handed on, disputed, locked, an entrant withdrawn. Refused where a stage
does not allow it; what no act of the desk could make any more is made from rows."""

import secrets
from datetime import date
from typing import Any

from tests.entrant_lists import csv_of
from tests.sheets.correcting import crossing, handed_on
from tests.sheets.services.test_scoresheets_second import other_paper
from tests.sheets.session_lives import Step, World
from tests.sheets.sheets import add_entrants
from tests.sheets.tables import paper
from tests.tablets.tablet_caller import give_tables
from tournament.accounts.models import Proposal
from tournament.arrivals.services import check_in, forfeits
from tournament.core.entrant_columns import COLUMN_BY_KEY
from tournament.core.enums import EntrantStatus, FamilyRole
from tournament.core.models.stage import Session
from tournament.devices.services.acting import ActingAccount
from tournament.entrants.exports.file import entrant_file_row
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant, Family, Person
from tournament.registration.services import changes, importing
from tournament.scoresheets import queries as corrections_query
from tournament.scoresheets.services import corrections
from tournament.seating.services import seating
from tournament.sheets.models.conduct import Incident, JudgeCall
from tournament.sheets.services import clock, double_entry, signing, signing_disputes
from tournament.tables.models import Seat
from tournament.weather.services import postponing_replay

SIGNED = dict.fromkeys("ABCD", "")


def by_other(world: World) -> dict[str, Any]:
    """Who the other is, with a key of its own."""
    return {"by": world.people.other, "request_key": secrets.token_hex(8)}


# --- The clock ------------------------------------------------------------------------------------------
def started(world: World) -> None:
    clock.move_session(world.session, "start", **by_other(world))


def closed(world: World) -> None:
    clock.move_session(world.session, "close", reason="the hall closes", **by_other(world))


def let_stand(world: World) -> None:
    postponing_replay.keep_session_results(world.session, reason="typhoon", by=world.people.other)


# --- Sheets ---------------------------------------------------------------------------------------------
def handed(world: World) -> None:
    """Typed as on the paper, and waiting for a second person."""
    handed_on(world.table, paper(), world.people.typist, world.sheet)


def disputed(world: World) -> None:
    signing_disputes.raise_dispute(world.table, revision=world.sheet, reason="no", **by_other(world))


def own_disputed(world: World) -> None:
    """By who takes it back."""
    given = {"by": world.people.desk, "request_key": secrets.token_hex(8)}
    signing_disputes.raise_dispute(world.table, revision=world.sheet, reason="no", **given)


def void_proposed(world: World) -> None:
    signing_disputes.propose_void(world.table, revision=world.sheet, reason="lost", **by_other(world))


def certified(world: World) -> None:
    signing.certify_scoresheet(world.table, revision=world.sheet, signatures=SIGNED, **by_other(world))


def typed_twice(world: World) -> None:
    """Each sheet is typed a second time."""
    double_entry.set_double_entry_percent(world.session.stage, percent=100, by=world.people.other)


def typed_otherwise(world: World) -> None:
    """By another account, who has read the paper otherwise."""
    double_entry.save_second_entry(world.table, revision=0, typed=other_paper(), done=True, **by_other(world))


def corrected(world: World) -> None:
    """A new version of the locked sheet, typed otherwise and handed on."""
    begun = corrections.begin_correction(world.table, reason="a slip", **by_other(world))
    handed_on(world.table, other_paper(), world.people.typist, begun.revision)


def correction_proposed(world: World) -> None:
    found = corrections_query.correction_in_hand(world.table)
    if found is not None:
        seen = {"revision": found.scoresheet.revision, "crossing": crossing(world.table, found.scoresheet)}
        corrections.propose_correction(world.table, **seen, **by_other(world))


# --- Seats and entrants ---------------------------------------------------------------------------------
def drawn(world: World) -> None:
    seating.draw_session(world.session, seed=1, by=world.people.other)


def swapped(world: World) -> None:
    seating.exchange_two_seats(world.session, revision=world.draw, first=301, second=302, by=world.people.other)


def three_more(world: World) -> None:
    """Entered for the session and without a seat in it."""
    add_entrants(world.session, range(305, 308))


def withdrawn(world: World) -> None:
    Entrant.objects.filter(number=301).update(status=EntrantStatus.WITHDRAWN)


def came(world: World) -> None:
    check_in.check_in(world.session, [301], acting=ActingAccount(world.people.other, ""))


def forfeited(world: World) -> None:
    forfeits.forfeit_absent(world.session, [301, 302], acting=ActingAccount(world.people.other, ""))


def grown_up(world: World) -> None:
    """0302 could be the parent of 0301."""
    Person.objects.filter(entrant__number=302).update(birth_date=date(1980, 1, 1))


def joined(world: World) -> None:
    grown_up(world)
    family = Family.objects.create(event=world.event, code="F1")
    for number, role in ((301, FamilyRole.CHILD), (302, FamilyRole.PARENT)):
        Entrant.objects.filter(number=number).update(family=family, family_role=role)


def with_guardian(world: World) -> None:
    """A child of whom everything is there that another session asks for."""
    Person.objects.filter(entrant__number=301).update(consent_guardian=True, guardian="CHAN")


def one_elsewhere(world: World) -> None:
    """0401, of the second session, of whom everything is there that another asks for."""
    add_entrants(Session.objects.get(stage=world.session.stage, number=2), [401])
    Person.objects.filter(entrant__number=401).update(consent_guardian=True, guardian="CHAN")


def with_referee(world: World) -> None:
    """The table is the referee's, who has a PIN."""
    give_tables(world.session, world.people.referee, (1,))


def with_addresses(world: World) -> None:
    for one in Person.objects.filter(entrant__session=world.session):
        Person.objects.filter(pk=one.pk).update(email=f"parent{one.pk}@example.org")


# --- What waits for somebody ----------------------------------------------------------------------------
def noted(world: World) -> None:
    """A table's note that somebody did not come to the first game."""
    seat = Seat.objects.filter(session=world.session, entrant__number=301).first()
    if seat is not None:
        given = {"game": 1, "kind": "absent", "letter": seat.letter, "by": world.people.referee}
        Incident.objects.create(table=seat.table, at=world.session.play_at, **given)


def called(world: World) -> None:
    """The table asks for the chief judge."""
    JudgeCall.objects.create(
        table=world.table, reason="a rack", raised_by=world.people.referee, raised_at=world.session.play_at
    )


def change_proposed(world: World) -> None:
    """Of a name: behind a locked sheet it waits for a second person."""
    person = {"revision": world.entrant, "cells": {"name_en": "CHAN Siu Man"}, "reason": "asked"}
    changes.change_person(world.person, **person, by=world.people.other, waits=[])


def own_change(world: World) -> None:
    """The same, by who takes it back."""
    person = {"revision": world.entrant, "cells": {"name_en": "CHAN Siu Man"}, "reason": "asked"}
    changes.change_person(world.person, **person, by=world.people.desk, waits=[])


def list_read(**changed: str) -> Step:
    """A list of 0301 as it stands, with these cells changed, read and shown."""

    def read(world: World) -> None:
        row = {**dict(zip(COLUMN_BY_KEY, entrant_file_row(world.person), strict=True)), **changed}
        importing.read_file(world.event, name="list.csv", content=csv_of([row]), by=world.people.desk)

    return read


def replay_proposed(world: World) -> None:
    postponing_replay.replay_session(world.session, reason="typhoon", by=world.people.other)


def last_of(model: type[EntrantFile | Incident | JudgeCall | Proposal]) -> int:
    """The newest row's key; 1 where there is none, which is nobody's."""
    return model.objects.order_by("-pk").values_list("pk", flat=True).first() or 1
