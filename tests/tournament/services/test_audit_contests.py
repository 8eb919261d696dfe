"""Decisions between equals of the podium and of the award are held to the log by both verifiers, part by part."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from tests.guards_lifted import lifted
from tests.reliability.false_alarms import SCRIPT, Undone
from tests.tournament.deciding import decide, game
from tests.tournament.podiums import LEADERS, level_final
from tournament.models import ContestDecision, Session
from tournament.services.audit_export import export
from tournament.services.audit_verification import verify
from tournament.services.podium import decide_contest

pytestmark = pytest.mark.django_db
GAME = game((1, 0, "-12", 3), (2, 1, "+30", 0), (3, 0, "-18", 5))
CHANGED: dict[str, Any] = {
    "of": "award",
    "tied": ["0002", "0003"],
    "places": 2,
    "order": ["0003", "0002", "0001"],
    "play_off": [],
    "method": "pick",
    "reason": "another",
    "seed": "another",
}


def findings(folder: Path) -> tuple[list[str], list[str]]:
    """What either verifier finds wrong with contests; the sheets of these tests are rows without a log."""
    export(folder / "evidence")
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(folder / "evidence")]
    said = subprocess.run(command, capture_output=True, text=True).stderr.splitlines()
    first = [one.thing for one in verify(files=False).findings if "contest" in one.code]
    return first, [line for line in said if "contest" in line]


def changes() -> dict[str, Callable[[], object]]:
    """What somebody who owns the database might do with the one decision."""
    rows = ContestDecision.objects.all()
    found: dict[str, Callable[[], object]] = {
        name: lambda name=name, value=value: rows.update(**{name: value}) for name, value in CHANGED.items()
    }
    made = rows.get()
    others = User.objects.exclude(pk__in=(made.by_id, made.agreed_by_id))
    found["by"] = lambda: rows.update(by=others.create(username="stranger"))
    found["agreed_by"] = lambda: rows.update(agreed_by=None)
    found["delete"] = lambda: rows.delete()
    found["insert"] = lambda: ContestDecision.objects.bulk_create([copy_of(made)])
    return found


def copy_of(made: ContestDecision) -> ContestDecision:
    """The same row once more."""
    values = {field.attname: getattr(made, field.attname) for field in made._meta.concrete_fields}
    return ContestDecision(**values | {"id": None})


def test_a_decision_of_a_contest_is_clean_until_any_part_of_it_is_altered(
    first_session: Session, organiser: User, chief_judge: User, tmp_path: Path
) -> None:
    final = level_final(first_session, organiser)
    played = {"method": "play_off", "games": [GAME], "reason": "0002 went out"}
    decide(final, "podium", chief_judge, second=organiser, tied=LEADERS, places=3, **played)
    assert findings(tmp_path) == ([], [])
    unseen = []
    for name, change in changes().items():
        try:
            with transaction.atomic():
                with lifted():
                    change()
                first, second = findings(tmp_path)
                unseen += [name] if first != ["stage final"] or len(second) != 1 else []
                raise Undone
        except Undone:
            pass
    assert unseen == []


def test_a_contest_decided_by_another_than_the_chief_judge_is_found(
    first_session: Session, organiser: User, tmp_path: Path
) -> None:
    final = level_final(first_session, organiser)
    order = {"method": "pick", "order": ["0001"], "reason": "the runs"}
    decide_contest(final, of="podium", by=organiser, tied=LEADERS, places=3, **order)
    first, second = findings(tmp_path)
    assert (first, len(second)) == (["stage final"], 1)
