"""Each way to decide a tie, of the line and of a reserve place, is held to the log by both verifiers."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tests.reliability import tampering
from tests.reliability.false_alarms import SCRIPT, Undone
from tests.tournament.deciding import announce, decide, game
from tests.tournament.sheets import mirrored_tables
from tournament.models import Event, Session, Stage, TieDecision
from tournament.services.audit_export import export
from tournament.services.audit_verification import verify
from tournament.services.release import release
from tournament.services.release_places import record_answer

pytestmark = pytest.mark.django_db
GAME = game((6, 1, "+12", 0), (2, 0, "-12", 5))
PLAY_OFF = {"method": "play_off", "admitted": [6], "order": [6, 2], "games": [GAME], "reason": "0006 won the game"}
LOTS = {"method": "lots", "value": "24123.5", "witnesses": "two parents", "reason": "no time for a game"}
KINDS = (
    "change_the_order_of_a_decision",
    "change_the_play_off_of_a_decision",
    "change_the_seed_of_a_decision",
    "take_a_decision_for_another_place",
    "take_the_second_person_from_a_decision",
    "delete_a_decision",
    "insert_a_decision",
)


def tie_of_the_line(stage: Stage, judge: User, organiser: User, decided: dict[str, Any]) -> None:
    """0002 and 0006 for one place."""
    decide_equals(stage, "line", judge, organiser, tied=[2, 6], **decided)


def tie_of_reserves(stage: Stage, judge: User, organiser: User, decided: dict[str, Any]) -> None:
    """0003 and 0007 for the place that 0005 has left."""
    Stage.objects.filter(pk=stage.pk).update(advance=4)
    Event.objects.update(results_at=timezone.now())
    stage = Stage.objects.select_related("event").get(pk=stage.pk)
    release(stage, by=organiser)
    record_answer(stage, number=5, answer="declined", reason="away", by=organiser)
    decide_equals(stage, "reserve", judge, organiser, tied=[3, 7], **decided)


def decide_equals(stage: Stage, of: str, judge: User, organiser: User, *, tied: list[int], **decided: Any) -> None:
    """For one place; lots are announced first, and the organiser agrees to a play-off."""
    if decided["method"] == "lots":
        announce(stage, of, judge, tied=tied, places=1)
    decide(stage, of, judge, second=organiser, tied=tied, places=1, **decided)


def findings(folder: Path) -> tuple[list[str], list[str]]:
    """What either verifier finds wrong with decisions; the sheets of these tests are rows without a log."""
    export(folder / "evidence")
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(folder / "evidence")]
    said = subprocess.run(command, capture_output=True, text=True).stderr.splitlines()
    first = [one.thing for one in verify(files=False).findings if "decision" in one.code]
    return first, [line for line in said if "the decision" in line]


@pytest.mark.parametrize(
    ("decides", "decided"),
    [
        (tie_of_the_line, PLAY_OFF),
        (tie_of_the_line, LOTS),
        (tie_of_reserves, LOTS),
        (tie_of_reserves, {"method": "pick", "order": [7], "reason": "0007 had the longer run"}),
    ],
)
def test_a_decision_is_clean_until_any_part_of_it_is_altered(
    decides: Callable[..., None],
    decided: dict[str, Any],
    first_session: Session,
    organiser: User,
    chief_judge: User,
    tmp_path: Path,
) -> None:
    mirrored_tables(first_session, organiser)
    decides(first_session.stage, chief_judge, organiser, decided)
    assert (TieDecision.objects.count(), findings(tmp_path)) == (1, ([], []))
    unseen = []
    for kind in KINDS:
        try:
            with transaction.atomic():
                thing = tampering.do(kind)
                first, second = findings(tmp_path)
                unseen += [kind] if not all(any(thing in one for one in said) for said in (first, second)) else []
                raise Undone
        except Undone:
            pass
    assert unseen == []
