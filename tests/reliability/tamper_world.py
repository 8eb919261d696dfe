"""An event with a row, and where there can be two, of every recorded model, all of it in the log."""

from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, models, transaction
from django.utils import timezone

from tests.entrant_lists import csv_of, sound_row
from tests.reliability import histories
from tests.reliability.tampers import NOBODY, others
from tournament.accounts.services import accounts
from tournament.api import services as tokens
from tournament.arrivals.models import Arrival, DoorCheck, Forfeiture
from tournament.audit import services as audit
from tournament.core.enums import (
    DecisionOf,
    DoorCheckKind,
    GameEnd,
    Role,
    ScanKind,
    SheetForm,
    SheetState,
    TableCallKind,
    TieMethod,
)
from tournament.core.models.event import Event
from tournament.core.models.evidence import recorded_models, rows_of
from tournament.core.models.stage import Session, Stage
from tournament.core.queries import roles
from tournament.devices.models.device import Device, Unlock
from tournament.devices.services import pins
from tournament.entrants.models.people import Entrant, Family
from tournament.hall.models import Announcement, TableCall
from tournament.operations.services import erasure
from tournament.operations.services.erasure_scope import ErasureScope
from tournament.ranking.models.lots import LotsAnnouncement
from tournament.ranking.models.tie_break import TieBreak
from tournament.registration.services import importing
from tournament.releases.models import Release
from tournament.sheets.models.scan import Scan
from tournament.sheets.models.scoresheet import Game, Line, Scoresheet, Turn
from tournament.tables.models import Table


def make_world() -> Event:
    """Every record of conduct, accounts with what belongs to them, lists that wait, an erasure; and of what takes a
    whole tournament to come about a row that is only written and recorded. The last act leaves nothing but its entry.
    """
    event = histories.make_conduct()
    organiser = User.objects.get(username="organiser")
    for number in (1, 2):
        tokens.make_token(organiser, name=f"program {number}")
        accounts.add_account(event, username=f"new{number}", name="", roles=[Role.REFEREE], by=organiser)
        importing.read_file(event, name=f"{number}.csv", content=csv_of([sound_row(number)]), by=organiser)
    for referee in User.objects.filter(memberships__event=event, memberships__role=Role.REFEREE).order_by("pk")[:2]:
        if roles.roles_at(event, referee) & pins.ROLES_WITH_PIN:
            pins.set_pin(event, referee, pin="4729", by=organiser)
    with transaction.atomic():
        write_directly(event, organiser)
        double(event)
        audit.append_audit_entry(event, organiser, "seed_event", f"event {event.slug}")
    for entrant in Entrant.objects.filter(event=event, seats=None).order_by("pk")[:2]:
        erasure.erase_entrant_data(ErasureScope(event, entrant), reason="asked for it", by=organiser)
    with transaction.atomic():
        audit.append_audit_entry(event, organiser, "write_public_files", f"event {event.slug}")
    return event


def write_directly(event: Event, by: User) -> None:
    """Decisions, a draw that was announced, families, pictures of papers, tablets that were opened."""
    now, stage = timezone.now(), Stage.objects.filter(event=event).order_by("pk")[0]
    session, device = Session.objects.filter(stage=stage)[0], Device.objects.filter(event=event)[0]
    decided: dict[str, Any] = {
        "places": 1,
        "method": TieMethod.LOTS,
        "reason": "drawn",
        "seed": "7",
        "by": by,
        "at": now,
    }
    lots: dict[str, Any] = {"public_value": "the index", "known_from": now, "head_seq": 1, "head_hash": "0" * 64}
    for number in (1, 2):
        Family.objects.create(event=event, code=f"F{number}")
        Forfeiture.objects.create(session=session, numbers=[number], by=by, at=now)
        Scan.objects.create(
            session=session, table_number=number, sha256=f"{number}" * 64, kind=ScanKind.JPEG, size=1, by=by, at=now
        )
        Unlock.objects.create(device=device, referee=by, at=now, locked=[[1, number]])
        ids = ["0001", "0002"]
        TieBreak.objects.create(
            stage=stage, of=DecisionOf.LINE, tied=ids, admitted=ids[number - 1 : number], order=ids, **decided
        )
        LotsAnnouncement.objects.create(
            stage=stage, of=DecisionOf.LINE, tied=["0001"], places=number, by=by, at=now, **lots
        )
    lay_words(session)
    Announcement.objects.create(event=event, text_zh="請安靜", text_en="Quiet, please", until=now, by=by, at=now)
    table = Table.objects.filter(session=session).order_by("pk")[0]
    TableCall.objects.create(table=table, kind=TableCallKind.WAIT, by=by, at=now)
    at_the_door(session, by)


def at_the_door(session: Session, by: User) -> None:
    """Two who came, one of whom it was undone, and what was seen of them."""
    now = timezone.now()
    for entrant in Entrant.objects.filter(event=session.stage.event).order_by("pk")[:2]:
        Arrival.objects.create(session=session, entrant=entrant, by=by, at=now, claimed_at=now)
        DoorCheck.objects.create(entrant=entrant, kind=DoorCheckKind.AGE, by=by, at=now)
    undone = Arrival.objects.filter(session=session).order_by("pk")[1:]
    Arrival.objects.filter(pk__in=list(undone.values_list("pk", flat=True))).update(undone_at=now, undone_by=by)


def lay_words(session: Session) -> None:
    """Two turns of one line, on a sheet whose values nobody has handed in."""
    table = Table.objects.create(session=session, number=99)
    entrant = Entrant.objects.filter(event=session.stage.event).order_by("pk")[0]
    sheet = Scoresheet.objects.create(table=table, state=SheetState.DRAFT, form=SheetForm.TURNS)
    game = Game.objects.create(scoresheet=sheet, number=1, ended_by=GameEnd.RUMMIKUB)
    line = Line.objects.create(game=game, letter="A", entrant=entrant, win=1, points_twelfths=168, tiles=0)
    Turn.objects.create(line=line, number=1, own="PLANET", points=6)
    Turn.objects.create(line=line, number=2, rearranged="CHIP LAP", emptied=True, points=8)


def double(event: Event) -> None:
    """A second row of what has one, alike but for what must differ; a release is of its entry alone."""
    for model in recorded_models():
        rows = list(rows_of(model, event.pk)[:2])
        if len(rows) == 1 and model not in (Event, Release):
            [row] = rows
            for name in must_differ(model):
                field = model._meta.get_field(name)
                found = others(field, getattr(row, field.attname), model, row.pk, event.pk)
                setattr(row, field.attname, next((value for value in found if value != NOBODY), None))
            for field in model._meta.concrete_fields:
                if isinstance(field, models.DateTimeField) and getattr(row, field.attname):
                    setattr(row, field.attname, getattr(row, field.attname) + timedelta(seconds=1))
            row.pk, row._state.adding = None, True
            try:
                with transaction.atomic():
                    row.save()
            except IntegrityError:
                continue


def must_differ(model: type[models.Model]) -> set[str]:
    """A field of each of its unique constraints."""
    constraints = [each for each in model._meta.constraints if isinstance(each, models.UniqueConstraint)]
    alone = {field.name for field in model._meta.concrete_fields if field.unique and not field.primary_key}
    return alone | {each.fields[-1] for each in constraints}
