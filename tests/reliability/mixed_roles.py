"""Roles over two events: people with chance roles here and there, at every address of the one event.

The control looks roles up as the download of backups once did: any role anywhere opens what some role elsewhere may.
"""

import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.db import transaction
from django.test import override_settings

from tests.accounts.test_roles_over_two_events import wrong_answers
from tests.conftest import account
from tests.core.test_permissions_matrix import make_world
from tests.reliability.figures import Figure
from tournament.api import viewsets
from tournament.core import permissions
from tournament.core.enums import Role
from tournament.core.models.event import Event, Membership

# Addresses with both methods, but for those that no role opens: what one person is asked at the least.
A_PERSON = 400
TITLE = "answers at one event that do not follow from the roles at it"


def figure(people: int, seed: int, database: str, *, control: bool = False) -> Figure:
    """So many people, each at every address; or the control."""
    tried, wrong = 0, list[str]()
    with tempfile.TemporaryDirectory(prefix="roles-") as folder, settings_of(Path(folder)):
        world = make_world(Path(folder))
        for one in range(people):
            with transaction.atomic(), careless() if control else nullcontext():
                asked, told = run(world, seed + one)
                transaction.set_rollback(True)
            tried, wrong = tried + asked, wrong + told
    made = Figure("roles", TITLE, database, tried, len(wrong), people * A_PERSON, seed)
    made.facts = {"people": people, "first": wrong[:5]}
    return made


def settings_of(folder: Path) -> override_settings:
    """Files of its own, passwords hashed fast, and the test client's host."""
    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    files = {"VAR_DIR": folder, "PUBLIC_ROOT": folder / "public"}
    return override_settings(**files, PASSWORD_HASHERS=hashers, ALLOWED_HOSTS=["testserver"])


def run(world: Event, seed: int) -> tuple[int, list[str]]:
    """Somebody with some roles at the other event and two at most, or none, at the one that is asked."""
    chance = random.Random(seed)
    there = chance.sample(list(Role), chance.randint(1, len(Role)))
    return ask_everywhere(world, f"mixed_{seed}", chance.sample(list(Role), chance.randint(0, 2)), there)


def ask_everywhere(world: Event, name: str, here: Sequence[Role], there: Sequence[Role]) -> tuple[int, list[str]]:
    """How many answers this account is given, and each that its roles `here` do not explain."""
    for event, roles in ((world, here), (Event.objects.get(slug="other-2026"), there)):
        for role in roles:
            account(event, role, name)
    tried, wrong = wrong_answers(world, name, here)
    return tried, [f"{one} ({', '.join(here) or 'nothing'} here)" for one in wrong]


def roles_anywhere(user: Any, slug: str) -> list[Membership]:
    """The control's look-up: the event by one condition, the roles by another that need not meet in one row."""
    held = permissions_held(user, slug)
    everywhere = Membership.objects.filter(user=user).values_list("role", flat=True)
    for membership in held[:1]:
        held = [membership]
        for role in everywhere:
            more = Membership(event=membership.event, user=user, role=role)
            more.has_final, more.initial = membership.has_final, membership.initial
            held.append(more)
    return held


permissions_held = permissions.memberships_in_effect


@contextmanager
def careless() -> Iterator[None]:
    with (
        patch.object(permissions, "memberships_in_effect", roles_anywhere),
        patch.object(viewsets, "memberships_in_effect", roles_anywhere),
    ):
        yield
