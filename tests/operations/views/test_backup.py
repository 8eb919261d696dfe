"""Who takes a backup away: it holds every event, so only who is an organiser of all of them; nobody else sees names."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.conftest import account, event_data
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.enums import Role
from tournament.core.models.event import Event
from tournament.setup.services import setup

NAME = "rummikub-2026-03-28.backup"
OWN, OTHER = "own-2026", "hk-2026"
LOW = [role for role in Role if role != Role.ORGANISER]


@pytest.fixture
def kept(event: Event, settings: Any, tmp_path: Path) -> str:
    """A backup of two events, of which `trudy` made one."""
    settings.VAR_DIR = tmp_path
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / NAME).write_bytes(b"everybody's data")
    setup.create_event(event_data() | {"slug": OWN})
    account(event, Role.ORGANISER)
    return NAME


def trudy(*roles: tuple[str, Role]) -> User:
    """One account with these roles, by event."""
    for slug, role in roles:
        user = account(Event.objects.get(slug=slug), role, "trudy")
    return user


@pytest.mark.parametrize("low", [(), *((role,) for role in LOW), tuple(LOW)])
def test_an_organiser_of_one_event_takes_no_backup_away_whatever_else_they_are(
    kept: str, signed_in: Any, low: tuple[Role, ...]
) -> None:
    client = signed_in(trudy((OWN, Role.ORGANISER), *((OTHER, role) for role in low)))
    assert client.post(f"/desk/{OWN}/backup/", {"name": kept}).status_code == 409
    page = squeezed(client.get(f"/desk/{OWN}/backup/").content.decode())
    assert kept not in page
    assert client.post(f"/desk/{OTHER}/backup/", {"name": kept}).status_code == (403 if low else 404)


def test_who_is_an_organiser_of_all_events_takes_it_away(kept: str, signed_in: Any) -> None:
    client = signed_in(trudy((OWN, Role.ORGANISER), (OTHER, Role.ORGANISER)))
    assert kept in squeezed(client.get(f"/desk/{OWN}/backup/").content.decode())
    answer = client.post(f"/desk/{OWN}/backup/", {"name": kept})
    assert (answer.status_code, b"".join(answer.streaming_content)) == (200, b"everybody's data")
    told = AuditEntry.objects.filter(action="export_personal_data").order_by("event__slug")
    assert list(told.values_list("event__slug", "actor__username", "reason")) == [
        (OTHER, "trudy", f"backup: 0, {kept}"),
        (OWN, "trudy", f"backup: 0, {kept}"),
    ]
