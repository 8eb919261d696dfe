"""An import as a job: its progress is seen while it runs, a kill changes nothing, and no list is imported twice."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from tests.entrant_lists import FIXTURES, csv_of, sound_row
from tests.reliability.databases import database_url
from tournament.audit.models import AuditEntry
from tournament.core.enums import JobState
from tournament.core.models.event import Event
from tournament.core.models.job import Job, Worker
from tournament.core.services import jobs
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant, Person
from tournament.operations.tasks.working import work_one
from tournament.registration.services import importing, importing_preview

ROOT = Path(__file__).resolve().parents[3]


def waiting_job(event: Event, by: User, content: bytes) -> EntrantFile:
    """A list whose import waits for a worker."""
    kept = importing.read_file(event, name="list.csv", content=content, by=by)
    importing.import_later(kept, by=by, seen=importing_preview.build_preview(kept).digest)
    return kept


def test_the_organisers_list_is_imported_by_a_worker(event: Event, organiser: User) -> None:
    waiting_job(event, organiser, (FIXTURES / "entrants.csv").read_bytes())
    call_command("work", "--once")
    job = Job.objects.get()
    assert (job.state, job.sentence % job.facts, Entrant.objects.count()) == (
        JobState.DONE,
        "Imported: 1200 made, 0 changed, 0 unchanged.",
        1200,
    )
    assert (AuditEntry.objects.get(action="import_entrants").actor, Worker.objects.count()) == (organiser, 0)


def test_progress_is_told_while_the_rows_are_read(
    event: Event, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting_job(event, organiser, (FIXTURES / "entrants.csv").read_bytes())
    told: list[tuple[int, int]] = []
    tell = jobs.report_job_progress
    monkeypatch.setattr(
        jobs, "report_job_progress", lambda job, done, total: (told.append((done, total)), tell(job, done, total))
    )
    work_one("a")
    assert told == [(done, 1600) for done in range(0, 1201, 100)]


def test_a_list_with_faults_is_refused_with_its_sentence(event: Event, organiser: User) -> None:
    waiting_job(event, organiser, csv_of([sound_row(1, session="")]))
    work_one("a")
    job = Job.objects.get()
    assert (job.state, job.sentence % job.facts) == (
        JobState.REFUSED,
        "Nothing was imported: 1 to mend, 0 to decide.",
    )
    assert Entrant.objects.count() == 0


def test_changes_that_were_not_seen_are_refused(event: Event, organiser: User) -> None:
    first = importing.read_file(event, name="a", content=csv_of([sound_row(1)]), by=organiser)
    importing.import_file(first, by=organiser)
    waiting_job(event, organiser, csv_of([sound_row(1, school="B")]))
    Entrant.objects.update(revision=5)
    work_one("a")
    assert (Job.objects.get().state, Person.objects.get().school) == (JobState.REFUSED, "")


def test_a_file_put_aside_meanwhile_is_refused(event: Event, organiser: User) -> None:
    kept = waiting_job(event, organiser, csv_of([sound_row(1)]))
    importing.discard_preview(kept, by=organiser)
    work_one("a")
    assert Job.objects.get().state == JobState.REFUSED


def test_a_fault_of_ours_ends_the_job_and_changes_nothing(
    event: Event, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting_job(event, organiser, csv_of([sound_row(1)]))

    def fail(*args: Any, **kwargs: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(importing, "import_file", fail)
    work_one("a")
    assert (Job.objects.get().state, Entrant.objects.count()) == (JobState.BROKEN, 0)


def test_two_workers_that_both_believe_to_have_it_import_it_once(event: Event, organiser: User) -> None:
    kept = waiting_job(event, organiser, csv_of([sound_row(1), sound_row(2)]))
    importing.import_file(kept, by=organiser)
    work_one("b")
    job = Job.objects.get()
    assert (job.state, Entrant.objects.count(), AuditEntry.objects.filter(action="import_entrants").count()) == (
        JobState.DONE,
        2,
        1,
    )


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_in_the_middle_leaves_all_or_nothing_and_another_ends_it(event: Event, organiser: User) -> None:
    waiting_job(event, organiser, (FIXTURES / "entrants.csv").read_bytes())
    environment = {**os.environ, "DATABASE_URL": database_url()}
    worker = subprocess.Popen([sys.executable, "manage.py", "work"], cwd=ROOT, env=environment)
    until = time.monotonic() + 30
    while time.monotonic() < until and not Job.objects.filter(state=JobState.RUNNING, done__gt=0).exists():
        time.sleep(0.01)
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    assert (Job.objects.get().state, Entrant.objects.count()) == (JobState.RUNNING, 0)
    Job.objects.update(beat_at="2026-01-01T00:00Z")
    work_one("b")
    assert (Job.objects.get().state, Entrant.objects.count()) == (JobState.DONE, 1200)
