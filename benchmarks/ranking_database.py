"""Ranking 1,200 entrants out of the database, against one SQL statement with a window function that finds the same
ranks.

    python benchmarks/ranking_database.py [--rounds N]
    python -m scripts.postgres_cluster python benchmarks/ranking_database.py        on PostgreSQL

Twelve sessions of 25 sheets are made in a database of its own. Both are timed in turn in one run, on the same rows;
their ranks must be equal. The figure is the ratio of the medians: at most 10, aim 2.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
os.environ.setdefault("VAR_DIR", tempfile.mkdtemp(prefix="ranking-"))

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.db import connection  # noqa: E402
from django.test.runner import DiscoverRunner  # noqa: E402

from tests.conftest import event_data  # noqa: E402
from tests.sheets.sheets import play_event  # noqa: E402
from tournament.core.models.stage import Stage  # noqa: E402
from tournament.ranking.domain.standings import live_ranking, rank_stage  # noqa: E402
from tournament.setup.services.setup import create_event  # noqa: E402

LIMIT, AIM = 10.0, 2.0
STATEMENT = """
WITH played AS (
    SELECT line.entrant_id, SUM(line.win) AS wins, SUM(line.points_twelfths) AS points, SUM(line.tiles) AS tiles,
           SUM(CASE WHEN line."left" THEN 1 ELSE 0 END) AS left_early
    FROM tournament_line AS line
    JOIN tournament_game AS game ON game.id = line.game_id
    JOIN tournament_scoresheet AS sheet ON sheet.id = game.scoresheet_id
    JOIN tournament_officialsheet AS official ON official.scoresheet_id = sheet.id
    JOIN tournament_table AS place ON place.id = official.table_id
    JOIN tournament_session AS session ON session.id = place.session_id
    WHERE session.stage_id = %s AND session.state <> 'void' AND sheet.state IN ('signed', 'certified')
      AND game.ended_by <> 'not_played'
    GROUP BY line.entrant_id
)
SELECT entrant.number, RANK() OVER (ORDER BY played.wins DESC, played.points DESC, played.tiles) AS place
FROM played JOIN tournament_entrant AS entrant ON entrant.id = played.entrant_id
WHERE entrant.status = 'ok' AND played.left_early = 0
ORDER BY place, entrant.number
"""


def ranks_by_statement(stage: Stage) -> list[tuple[int, int]]:
    """Number and rank, by the database alone."""
    with connection.cursor() as cursor:
        cursor.execute(STATEMENT, [stage.pk])
        return [(number, place) for number, place in cursor.fetchall()]


def ranks_by_rules(stage: Stage) -> list[tuple[int, int]]:
    """Number and rank, by the rules from the rows."""
    return [(int(standing.id), standing.rank) for standing in rank_stage(stage).standings]


def in_turn(rounds: int, *acts: Callable[[], Any]) -> list[float]:
    """The median of each act in milliseconds, run in turn; the first round is not counted."""
    times: list[list[float]] = [[] for _act in acts]
    for turn in range(rounds + 1):
        for place, act in enumerate(acts):
            begun = time.perf_counter()
            act()
            if turn:
                times[place].append(1000 * (time.perf_counter() - begun))
    return [statistics.median(measured) for measured in times]


def measure(rounds: int) -> bool:
    """Print the figures; whether the ranks agree and the limit is kept."""
    event = create_event(event_data())
    stage = event.stages.get(kind="preliminary")
    play_event(list(stage.sessions.all()), User.objects.create(username="organiser"))
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    rules, statement = ranks_by_rules(stage), ranks_by_statement(stage)
    print(f"{connection.vendor}: {len(rules)} entrants, ranks equal: {rules == statement}")
    ours, sql, page = in_turn(
        rounds, lambda: ranks_by_rules(stage), lambda: ranks_by_statement(stage), lambda: live_ranking(stage)
    )
    print(f"by the rules {ours:.1f} ms, one statement {sql:.1f} ms, with names and the line {page:.1f} ms")
    print(f"ratio {ours / sql:.2f} (at most {LIMIT:.0f}, aim {AIM:.0f})")
    return rules == statement and len(rules) == 1200 and ours / sql <= LIMIT


def main() -> int:
    """A database of its own, removed afterwards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    runner = DiscoverRunner(verbosity=0, interactive=False)
    databases = runner.setup_databases()
    try:
        return 0 if measure(rounds) else 1
    finally:
        runner.teardown_databases(databases)


if __name__ == "__main__":
    sys.exit(main())
