"""A small event with a final, made from rows: twelve who played one preliminary session, two families among them.

0001 and 0002 are the family F1, 0004 and 0005 the family F2, the parent first; 0001 to 0006 may be named in full.
"""

import random
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db.models import Max
from django.utils import timezone

from tests.sheets.sheets import Result, add_entrants, draw, invented_games, lock_sheets
from tournament.core.enums import EntrantStatus, FamilyRole, StageKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Finalist
from tournament.entrants.models.people import Entrant, Family, Person
from tournament.ranking.domain.standings import live_ranking
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Table

PLAYERS = 12
FAMILIES = {"F1": (1, 2), "F2": (4, 5)}
CONSENTING = 6
FINAL_DAY = date(2026, 4, 11)
HONG_KONG = ZoneInfo("Asia/Hong_Kong")
Results = Sequence[Sequence[Sequence[Result]]]


def preliminary_played(session: Session, by: User, *, players: int = PLAYERS, stamped: bool = True) -> Stage:
    """Its stage: so many entrants at tables of four in this one session, every sheet locked; nothing is released."""
    entrants = add_entrants(session, range(1, players + 1))
    for code, (parent, child) in FAMILIES.items():
        family = Family.objects.create(event=session.stage.event, code=code)
        for number, role in ((parent, FamilyRole.PARENT), (child, FamilyRole.CHILD)):
            Entrant.objects.filter(pk=entrants[number - 1].pk).update(family=family, family_role=role)
        Person.objects.filter(entrant=entrants[parent - 1]).update(birth_date=date(1980, 1, 1))
    Person.objects.filter(entrant__in=entrants[:CONSENTING]).update(consent_name=True)
    tables = draw(session, arranged(entrants, 0), by)
    lock_sheets(tables, invented(tables, seed=1), by, stamped=stamped)
    return session.stage


def final_stage(event: Event, **values: Any) -> Stage:
    """The row of a final that the event's first stage feeds."""
    final = Stage.objects.create(event=event, kind=StageKind.FINAL, order=2, **values)
    Stage.objects.filter(event=event, order=1).update(feeds=final)
    return final


def add_final(event: Event, *, rounds: int = 1, tables: int = 3, ruleset: str = "hk-2026") -> Stage:
    """A final of one session, or of so many rounds, numbered after all others; nobody plays it yet."""
    final = final_stage(event, ruleset=ruleset, rounds=rounds)
    last = Session.objects.filter(stage__event=event).aggregate(last=Max("number"))["last"] or 0
    morning = datetime.combine(FINAL_DAY, datetime.min.time(), HONG_KONG).replace(hour=10)
    for number in range(1, rounds + 1):
        check_in = morning + timedelta(minutes=105 * (number - 1))
        Session.objects.create(
            stage=final,
            number=last + number,
            number_of_day=number,
            original_date=FINAL_DAY,
            check_in_at=check_in,
            seating_at=check_in + timedelta(minutes=30),
            play_at=check_in + timedelta(minutes=45),
            ends_at=check_in + timedelta(minutes=105),
            table_count=tables,
            capacity=4 * tables,
        )
    return final


def freeze(final: Stage, by: User, numbers: Iterable[int] | None = None) -> list[Finalist]:
    """These entrants (left out: everyone who is ranked) as the frozen list, with their ranks in the preliminary."""
    preliminary = Stage.objects.get(event=final.event, kind=StageKind.PRELIMINARY)
    ranks = {ranked.number: ranked.rank for ranked in live_ranking(preliminary).ranked}
    chosen = Entrant.objects.filter(event=final.event, number__in=ranks if numbers is None else list(numbers))
    final.frozen_at, final.frozen_by = timezone.now(), by
    final.save(update_fields=["frozen_at", "frozen_by"])
    return Finalist.objects.bulk_create(
        Finalist(stage=final, entrant=entrant, rank=ranks[entrant.number]) for entrant in chosen.order_by("number")
    )


def seat_round(session: Session, by: User) -> list[Table]:
    """A confirmed draw of one session of the final: tables of four, no family at one, letters turned on each round."""
    before = Session.objects.filter(stage=session.stage, number__lt=session.number).count()
    playing = Entrant.objects.filter(qualified__stage=session.stage, status=EntrantStatus.OK).order_by("number")
    return draw(session, arranged(list(playing), before), by)


def play_round(
    session: Session, by: User, *, results: Results | None = None, seed: int = 1, stamped: bool = True
) -> list[Scoresheet]:
    """Every sheet of a drawn session locked with these results by table, else with invented ones."""
    tables = list(session.tables.order_by("number"))
    return lock_sheets(tables, results or invented(tables, seed=seed + session.number), by, stamped=stamped)


def final_played(session: Session, by: User, *, rounds: int = 1, stamped: bool = True) -> Stage:
    """The whole way: preliminary played in this session, list frozen, every round of the final drawn and played."""
    preliminary = preliminary_played(session, by)
    final = add_final(preliminary.event, rounds=rounds)
    freeze(final, by)
    for one in final.sessions.order_by("number"):
        seat_round(one, by)
        play_round(one, by, stamped=stamped)
    return final


def arranged(entrants: Sequence[Entrant], turn: int) -> list[list[Entrant]]:
    """Tables of four out of a multiple of four: one from each quarter, whose members so never meet."""
    count = len(entrants) // 4
    quarters = [entrants[count * quarter : count * quarter + count] for quarter in range(4)]
    tables = [[quarters[q][(table - turn * q) % count] for q in range(4)] for table in range(count)]
    return [[table[(letter - turn) % 4] for letter in range(4)] for table in tables]


def invented(tables: Sequence[Table], *, seed: int) -> list[list[list[Result]]]:
    """Results for these tables by chance, the same for the same seed."""
    chance = random.Random(seed)
    return [invented_games(chance, table.seats.count()) for table in tables]
