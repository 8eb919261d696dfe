"""What the database refuses by itself, by plain SQL, on the database of this run; and that it says so at the desk."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, migrations, models, transaction
from django.db.migrations.state import ProjectState

from tests.guards_lifted import lift, settle_constraints
from tests.reliability import bypasses
from tests.sheets.sheets import GAMES, agree, mirrored_tables, type_sheets
from tournament.audit import services, triggers
from tournament.core.errors import Unavailable
from tournament.core.models.stage import Session
from tournament.scoresheets.models import Correction
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import Stamp


@pytest.fixture
def locked(first_session: Session, organiser: User) -> Scoresheet:
    made = mirrored_tables(first_session, organiser)[0]
    settle_constraints()
    return made


@pytest.mark.fault("T1")
def test_sql_that_touches_what_is_locked_or_recorded_is_refused_whoever_sends_it(locked: Scoresheet) -> None:
    tried, passed = bypasses.let_through()
    assert passed == []
    assert tried > 20


def test_a_sheet_locks_only_with_every_signature(locked: Scoresheet) -> None:
    newer = Scoresheet.objects.create(table=locked.table, version=2, state="ready", digest="2" * 64)
    with pytest.raises(IntegrityError), transaction.atomic():
        Scoresheet.objects.filter(pk=newer.pk).update(state="certified", locked_at=locked.locked_at)
    with pytest.raises(IntegrityError), transaction.atomic():
        Scoresheet.objects.create(table=locked.table, version=3, state="certified", digest="3" * 64)


def test_a_later_version_locks_only_when_two_accounts_have_agreed_to_its_values(
    locked: Scoresheet, organiser: User
) -> None:
    locked.refresh_from_db()
    [newer] = type_sheets([locked.table], [GAMES], organiser, version=2)
    locks = Scoresheet.objects.filter(pk=newer.pk)
    with pytest.raises(IntegrityError, match="takes two accounts"), transaction.atomic():
        locks.update(state="certified", locked_at=locked.locked_at)
    agree([newer], organiser)
    assert locks.update(state="certified", locked_at=locked.locked_at) == 1
    settle_constraints()
    for changed in ({"reason": "another"}, {"approved_at": None}):
        with pytest.raises(IntegrityError, match="never changes"), transaction.atomic():
            Correction.objects.filter(scoresheet=newer).update(**changed)


def test_an_error_that_is_no_guard_s_stays_what_it_is(locked: Scoresheet) -> None:
    with pytest.raises(IntegrityError) as error, transaction.atomic():
        Session.objects.filter(pk=locked.table.session_id).update(number=2)
    assert triggers.trigger_refusal_of(error.value) is None


@pytest.mark.fault("T8")
def test_without_guards_the_desk_reads_and_writes_nothing(
    locked: Scoresheet, organiser: User, signed_in: Any, event: Any
) -> None:
    stamp = f"/desk/{event.slug}/scoresheets/1/stamp/"
    with transaction.atomic():
        lift()
        triggers._databases_with_triggers.clear()
        client = signed_in(organiser)
        assert client.post(stamp).status_code == 503
        assert client.get(f"/desk/{event.slug}/").status_code == 200
        assert triggers.install_triggers() != []
    assert client.post(stamp).status_code == 302
    assert (triggers.trigger_faults(), triggers.install_triggers()) == ([], [])


@pytest.mark.fault("G2")
@pytest.mark.fault("T8")
@pytest.mark.django_db(transaction=True)
def test_a_migration_that_rebuilds_a_table_loses_its_guards_and_the_next_step_puts_them_back(db: None) -> None:
    operation = migrations.AddField("Game", "extra", models.CharField(max_length=5, default=""))
    state = ProjectState.from_apps(Scoresheet._meta.apps)
    after = state.clone()
    operation.state_forwards("tournament", after)
    triggers.prepare_triggers_for_migration()
    with connection.schema_editor() as editor:
        operation.database_forwards("tournament", editor, state, after)
    lost = triggers.trigger_faults()
    assert (lost != []) is (connection.vendor == "sqlite")
    assert sorted(triggers.install_triggers()) == lost
    with connection.schema_editor() as editor:
        operation.database_backwards("tournament", editor, after, state)
    triggers.install_triggers()
    assert triggers.trigger_faults() == []


@pytest.mark.django_db(transaction=True)
def test_on_the_way_back_sqlite_lets_go_of_its_guards_and_nothing_is_written_until_they_are_back(db: None) -> None:
    triggers.require_triggers()
    triggers.prepare_triggers_for_migration(backwards=True)
    if connection.vendor == "sqlite":
        assert triggers.count_installed_triggers()[0] == 0
        with pytest.raises(Unavailable):
            triggers.require_triggers()
    triggers.install_triggers()
    standing, wanted = triggers.count_installed_triggers()
    assert (standing, triggers.trigger_faults()) == (wanted, [])


def test_stamps_and_entries_are_still_added(locked: Scoresheet, organiser: User, event: Any) -> None:
    before = Stamp.objects.count()
    with transaction.atomic():
        services.append_audit_entry(event, organiser, "write_public_files", "event hk-2026")
    assert (
        Stamp.objects.get_or_create(scoresheet=locked, defaults={"by": organiser, "at": locked.locked_at})[1] is False
    )
    assert Stamp.objects.count() == before
