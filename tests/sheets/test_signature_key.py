"""The key of what was drawn: in no backup, kept elsewhere, brought back, and missed in words where it does not fit."""

import io
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from tests.sheets.drawing import packed, tablet
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.core.services import cipher
from tournament.management.commands.restore import missing_keys_text
from tournament.operations.services import backup, backup_keys
from tournament.sheets.models.signing import Signature
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import drawings

pytestmark = pytest.mark.django_db


@pytest.fixture
def signed(first_session: Session, organiser: User, referee: User, settings: Any, tmp_path: Path) -> Signature:
    """A drawn signature, enciphered with a key of its own folder."""
    settings.VAR_DIR = tmp_path
    settle(first_session, organiser)
    table = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert table is not None
    packed(table, tablet(table, referee, organiser), referee)
    return Signature.objects.select_related("drawing", "entrant").order_by("letter")[0]


def other_machine(settings: Any, tmp_path: Path) -> None:
    """From now on the program runs where no key lies."""
    settings.VAR_DIR = tmp_path / "other"
    settings.VAR_DIR.mkdir()


def key_command(monkeypatch: pytest.MonkeyPatch, *options: str, typed: str = "") -> list[str]:
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    call_command("signature_key", *options, stdout=out)
    return out.getvalue().splitlines()


@pytest.mark.fault("B6")
def test_a_backup_tells_the_mark_of_the_key_and_not_the_key(signed: Signature, tmp_path: Path) -> None:
    key = cipher.known_keys()[0]
    text = backup_keys.key_lines()[0]
    made = backup.create_backup()
    content = made.path.read_bytes()
    assert made.manifest["signature_keys"] == [cipher.key_mark(key)]
    assert (key in content, text.encode() in content) == (False, False)


def test_a_key_that_does_not_fit_is_missed_in_words_and_reads_everything_once_it_is_brought(
    signed: Signature, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = {"signature_keys": cipher.key_marks()}
    [sealed] = backup_keys.key_lines()
    other_machine(settings, tmp_path)
    missing = backup_keys.find_missing_keys(manifest)
    assert missing == backup_keys.MissingKeys(4, 0, manifest["signature_keys"], [])
    assert drawings.strokes_or_none(signed) is None
    fresh = cipher.key_mark(cipher.made_key())
    assert backup_keys.find_missing_keys(manifest) == missing._replace(here=[fresh])
    mark = manifest["signature_keys"][0]
    assert f"keys were {mark}; here: none. All else is restored." in missing_keys_text(missing)
    assert key_command(monkeypatch, "--add", typed=f" {sealed}\n") == [
        f"added: {mark}",
        f"{fresh}  enciphers",
        mark,
    ]
    assert backup_keys.find_missing_keys(manifest) is None
    assert drawings.strokes_or_none(signed) == drawings.read_strokes_of_signature(signed)


def test_the_key_is_made_shown_and_added_once(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.VAR_DIR = tmp_path
    [made] = key_command(monkeypatch)
    [shown] = key_command(monkeypatch, "--show")
    mark, key, does = shown.split()
    assert (made, does, key) == (f"{mark}  enciphers", "enciphers", backup_keys.key_lines()[0])
    assert key_command(monkeypatch, "--add", typed=key) == [f"added: {mark}", made]
    assert cipher.key_file().stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("typed", ["", "hello", "AAAA", "ü" * 44])
def test_what_is_no_key_is_refused_and_changes_nothing(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    settings.VAR_DIR = tmp_path
    with pytest.raises(CommandError) as refused:
        key_command(monkeypatch, "--add", typed=typed)
    assert (refused.value.returncode, cipher.key_marks()) == (3, [])


def test_where_nothing_was_drawn_no_key_is_missed(event: Event, settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    assert backup_keys.find_missing_keys({"signature_keys": ["12345678"]}) is None


def test_keys_of_the_environment_are_tried_in_their_order_and_none_is_added_to_them(
    signed: Signature, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [own] = backup_keys.key_lines()
    other_machine(settings, tmp_path)
    cipher.made_key()
    [first] = backup_keys.key_lines()
    monkeypatch.setenv("SIGNATURE_KEY", f"{first} {own}")
    assert (drawings.strokes_or_none(signed) is None, len(cipher.key_marks())) == (False, 2)
    with pytest.raises(CommandError):
        key_command(monkeypatch, "--add", typed=own)


def test_the_page_asks_until_somebody_says_that_the_key_is_kept_elsewhere(
    signed: Signature, event: Event, organiser: User, signed_in: Any
) -> None:
    page, client = f"/desk/{event.slug}/backup/", signed_in(organiser)
    [mark], english = cipher.key_marks(), {"Accept-Language": "en"}

    def says() -> list[bool]:
        text = squeezed(client.get(page, headers=english).content.decode())
        return [word in text for word in (mark, "not noted as kept elsewhere", "manage.py signature_key --show")]

    assert says() == [True, True, True]
    assert client.post(page, {"key": "00000000"}).status_code == 409
    assert client.post(page, {"key": mark}).status_code == 302
    assert says() == [True, False, True]
    entries = AuditEntry.objects.filter(action="keep_signature_key").values_list("actor", "subject")
    assert list(entries) == [(organiser.pk, f"key {mark}")]
