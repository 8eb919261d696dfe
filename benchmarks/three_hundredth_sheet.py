"""The 300th scoresheet costs what the first does: the same queries, and at most 1.2 times the time.

    python benchmarks/three_hundredth_sheet.py [rounds]

A round is a fresh database with 300 drawn tables of four; every sheet is handed on, certified and stamped through the
services. Compared are the medians of a round's first and last ten sheets; the figure is the median of the rounds. Runs
on the database that DATABASE_URL names (SQLite without), in its test database. Ends with 1 where the bound is passed.
"""

import os
import statistics
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any

from tournament.accounts.services import accounts
from tournament.core.models.event import Event

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")

import json  # noqa: E402

import django  # noqa: E402

django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.db import connection  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from django.utils import timezone  # noqa: E402

from tournament.core.enums import Role, SheetForm  # noqa: E402
from tournament.core.models.stage import Session  # noqa: E402
from tournament.entrants.models.people import Entrant, Person  # noqa: E402
from tournament.setup.services import setup  # noqa: E402
from tournament.sheets.domain.scoresheets import empty_typed_sheet  # noqa: E402
from tournament.sheets.queries import scoresheets as queries  # noqa: E402
from tournament.sheets.services import scoresheets, signing  # noqa: E402
from tournament.tables.models import Draw, Seat, Table  # noqa: E402

TABLES, SAMPLE, BOUND = 25, 10, 1.2
ROWS = (
    ("rummikub", ("0", "-14", "3"), ("0", "-21", "5"), ("0", "-9", "2"), ("1", "44", "0")),
    ("pool", ("0", "11.5", "3"), ("1", "11.5", "1"), ("0", "-12", "2"), ("0", "-11", "4")),
    ("time", ("0", "10 2/3", "2"), ("0", "-32", "9"), ("1", "10 2/3", "1"), ("1", "10 2/3", "1")),
)
TOTALS = (("0", "8 1/6", "8"), ("1", "-41.5", "15"), ("1", "-10 1/3", "5"), ("2", "43 2/3", "5"))


def typed() -> dict[str, Any]:
    """The sheet that is typed each time."""
    sheet = empty_typed_sheet(len(ROWS))
    for game, (ended_by, *seats) in zip(sheet["games"], ROWS, strict=True):
        game["ended_by"] = ended_by
        for letter, cells in zip("ABCD", seats, strict=True):
            game["seats"][letter].update(zip(("win", "points", "tiles"), cells, strict=True))
    for letter, cells in zip("ABCD", TOTALS, strict=True):
        sheet["totals"][letter] = dict(zip(("wins", "points", "tiles"), cells, strict=True))
    return sheet


def fresh() -> tuple[list[tuple[int, int]], list[User]]:
    """The event, 1,200 seated entrants and three accounts in an empty database; the tables by session and number."""
    event = setup.create_event(json.loads((ROOT / "fixtures" / "event.json").read_text()))
    roles = {"typist": Role.CLERK, "checker": Role.CLERK, "organiser": Role.ORGANISER}
    users = [accounts.create_account(event, name, "unused-password", name, [role]) for name, role in roles.items()]
    now, number, places = timezone.now(), 0, []
    for session in Session.objects.filter(stage__event=event).order_by("number"):
        Draw.objects.create(
            session=session, seed=1, drawn_by=users[2], drawn_at=now, confirmed_by=users[2], confirmed_at=now
        )
        for table_number in range(1, TABLES + 1):
            table = Table.objects.create(session=session, number=table_number)
            places.append((session.number, table_number))
            for letter in "ABCD":
                number += 1
                person = Person.objects.create(name_en=f"P{number}", name_key=f"p{number}", birth_date=date(2015, 5, 5))
                entrant = Entrant.objects.create(event=event, number=number, person=person, session=session)
                Seat.objects.create(table=table, session=session, letter=letter, entrant=entrant)
    return places, users


def one_sheet(event: Event, place: tuple[int, int], users: list[User]) -> None:
    """From the paper to the stamp."""
    table = queries.find_table_of_event(event, *place)
    assert table is not None
    key = "{}-{}".format(*place)
    sheet = scoresheets.submit_scoresheet(
        table,
        revision=0,
        form=SheetForm.PAPER,
        typed=typed(),
        confirmations={},
        by=users[0],
        request_key=f"submit-{key}",
    )
    signed = dict.fromkeys("ABCD", "")
    sheet = signing.certify_scoresheet(
        table, revision=sheet.revision, signatures=signed, by=users[1], request_key=f"certify-{key}"
    )
    signing.stamp_sheet(sheet, by=users[2])


def one_round() -> tuple[list[float], tuple[int, int]]:
    """Milliseconds of each of the 300 sheets, and the queries of the second and the last."""
    places, users = fresh()
    event = Event.objects.get()
    times, counts = [], []
    for number, place in enumerate(places, start=1):
        if number in (2, len(places)):
            with CaptureQueriesContext(connection) as captured:
                one_sheet(event, place, users)
            counts.append(len(captured))
            continue
        begun = time.perf_counter()
        one_sheet(event, place, users)
        times.append((time.perf_counter() - begun) * 1000)
    return times, (counts[0], counts[1])


def main() -> int:
    """Print the figures; 1 where the queries differ or the ratio is over the bound."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    name = connection.settings_dict["NAME"]
    ratios, same = [], True
    for number in range(1, rounds + 1):
        connection.creation.create_test_db(verbosity=0, autoclobber=True)
        try:
            times, (early, late) = one_round()
        finally:
            connection.creation.destroy_test_db(name, verbosity=0)
        first, last = statistics.median(times[:SAMPLE]), statistics.median(times[-SAMPLE:])
        ratios.append(last / first)
        same = same and early == late
        found = f"first {first:.1f} ms, 300th {last:.1f} ms, ratio {last / first:.2f}; queries {early}, {late}"
        print(f"round {number}: {found}")
    ratio = statistics.median(ratios)
    print(f"{connection.vendor}: ratio {ratio:.2f} (bound {BOUND}), queries {'equal' if same else 'NOT EQUAL'}")
    return 0 if same and ratio <= BOUND else 1


if __name__ == "__main__":
    sys.exit(main())
