"""`manage.py migrate` leaves the tables alone while a session is open, unless somebody insists and says why."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tournament.audit.models import AuditEntry
from tournament.core.enums import SessionState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.operations.services.audit_verification import verify_events

pytestmark = pytest.mark.fault("G1")
# One step, recorded as not taken; where it is allowed, `fake` records it again.
AGAIN = ("axes", "0010_accessattemptexpiration")


@pytest.fixture
def behind(event: Event) -> Iterator[None]:
    """A database of an earlier version, as far as it knows: one step of the plan is before it."""
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied(*AGAIN)
    yield
    recorder.record_applied(*AGAIN)


def refusal(**options: object) -> tuple[int, str]:
    """With what the command ended."""
    with pytest.raises(CommandError) as raised:
        call_command("migrate", verbosity=0, interactive=False, **options)
    return raised.value.returncode, str(raised.value)


def opened(session: Session, state: SessionState) -> None:
    """As its clock would leave it."""
    Session.objects.filter(pk=session.pk).update(state=state)


@pytest.mark.parametrize("state", [SessionState.PLAYING, SessionState.ENTERING, SessionState.CHECKING])
def test_while_a_session_is_open_the_tables_stay_and_the_word_says_what_to_do(
    behind: None, first_session: Session, state: SessionState
) -> None:
    opened(first_session, state)
    status, said = refusal()
    assert (status, AGAIN in MigrationRecorder(connection).applied_migrations()) == (3, False)
    assert f"Sessions are open: hk-2026 {first_session.code}." in said
    assert '--force --reason "WHY"' in said and "尚有場次未結束" in said


def test_to_insist_takes_a_reason_and_the_log_has_it(behind: None, first_session: Session, organiser: User) -> None:
    opened(first_session, SessionState.PLAYING)
    status, said = refusal(force=True, reason="  ")
    assert (status, "Say why it cannot wait" in said) == (3, True)
    call_command("migrate", verbosity=0, interactive=False, fake=True, force=True, reason="scores were lost")
    entry = AuditEntry.objects.get(action="migrate_in_play")
    assert (entry.actor, entry.reason) == (None, f"{first_session.code}: scores were lost")
    assert verify_events(files=False).findings == []


@pytest.mark.parametrize("state", [SessionState.PLANNED, SessionState.SUSPENDED, SessionState.CLOSED])
def test_between_sessions_it_is_as_ever(behind: None, first_session: Session, state: SessionState) -> None:
    opened(first_session, state)
    call_command("migrate", verbosity=0, interactive=False, fake=True)
    assert AGAIN in MigrationRecorder(connection).applied_migrations()
    assert not AuditEntry.objects.filter(action="migrate_in_play").exists()


def test_with_nothing_to_change_a_server_starts_again_in_the_middle_of_a_session(first_session: Session) -> None:
    opened(first_session, SessionState.PLAYING)
    call_command("migrate", verbosity=0, interactive=False)
    assert not AuditEntry.objects.filter(action="migrate_in_play").exists()
