"""Q6: one request sent sixteen times at once. Q7: sixteen writers who have all seen the same revision.

Threads with a connection each, so that the database itself is what decides.
"""

import threading
import time
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from django.db import connection

from tests.reliability import naive
from tests.reliability.figures import Figure
from tests.reliability.world import World, typed
from tournament.audit.models import AuditEntry
from tournament.core.errors import StaleVersion
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.services import scoresheets
from tournament.tables.models import Table

Save = Callable[..., Scoresheet]
COPIES = 16
FORM = "paper"


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Every call in its own thread, let go together: what each answers, or the exception it raised."""
    barrier = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            barrier.wait()
            return call()
        except Exception as problem:
            return problem
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def revision_of(table: Table) -> int:
    """The revision that stands now; 0 where the sheet is not begun."""
    return Scoresheet.objects.filter(table=table).values_list("revision", flat=True).first() or 0


def same_request(save: Save, table: Table, by: Any, rounds: int) -> int:
    """Rounds in which the copies of one request did not have exactly one effect, or not all the same answer."""
    bad = 0
    for turn in range(rounds):
        seen, key = revision_of(table), str(uuid.uuid4())
        request = {"revision": seen, "form": FORM, "typed": typed(turn + 10), "by": by, "request_key": key}
        answers = at_once([partial(save, table, **request)] * COPIES)
        well_answered = all(isinstance(answer, Scoresheet) for answer in answers)
        effects = AuditEntry.objects.filter(request_key=key).count()
        bad += not (well_answered and effects == 1 and revision_of(table) == seen + 1)
    return bad


def same_revision(save: Save, table: Table, writers: Sequence[Any], rounds: int) -> int:
    """Rounds in which not exactly one writer won, or not all others were told, or the winner's figures do not stand."""
    bad = 0
    for turn in range(rounds):
        seen = revision_of(table)
        texts = [typed(1000 * (turn + 1) + writer) for writer in range(COPIES)]
        requests = [
            {"typed": text, "by": writers[place % len(writers)], "request_key": str(uuid.uuid4())}
            for place, text in enumerate(texts)
        ]
        answers = at_once([partial(save, table, revision=seen, form=FORM, **request) for request in requests])
        won = [place for place, answer in enumerate(answers) if isinstance(answer, Scoresheet)]
        told = [answer for answer in answers if isinstance(answer, StaleVersion)]
        stands = Scoresheet.objects.get(table=table)
        bad += not (
            len(won) == 1
            and len(told) == COPIES - 1
            and stands.revision == seen + 1
            and points_of_a(stands.typed) == points_of_a(texts[won[0]])
        )
    return bad


def points_of_a(sheet: Any) -> str:
    """The cell that tells one writer's sheet from another's."""
    return str(sheet["games"][0]["seats"]["A"]["points"])


def figures(world: World, rounds: int, control_rounds: int) -> list[Figure]:
    """Both races on the database at hand, each beside its control on a table of its own."""
    made = []
    vendor = connection.vendor
    clerk = world.clerks[0]
    for id, title, race in (
        ("Q6", "the same request sixteen times: one effect, sixteen equal answers",
         lambda save, table, n: same_request(save, table, clerk, n)),
        ("Q7", "sixteen writers, one revision: one winner, fifteen told",
         lambda save, table, n: same_revision(save, table, world.clerks, n)),
    ):  # fmt: skip
        started = time.monotonic()
        place = 2 * len(made)
        bad = race(scoresheets.save_scoresheet, world.tables[place], rounds)
        control = race(naive.save, world.tables[place + 1], control_rounds)
        made.append(
            Figure(id, title, vendor, rounds, bad, rounds, control_n=control_rounds, control_failures=control,
                   seconds=time.monotonic() - started)
        )  # fmt: skip
    return made
