"""Long work as rows: one claims it, a dead worker's job is taken over, and what is lost is not written."""

import threading
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from tournament.core.enums import JobKind, JobState
from tournament.core.models.event import Event
from tournament.core.models.job import Job, Worker
from tournament.core.queries.jobs import has_live_worker, latest_job
from tournament.core.services import jobs
from tournament.core.services.jobs import ClaimLost

KIND = JobKind.IMPORT_ENTRANTS


def asked(event: Event, by: User, subject: str = "entrant file 1") -> Job:
    return jobs.enqueue_job(event, KIND, subject, payload={"file": 1, "seen": ""}, total=10, by=by)


def claimed(worker: str) -> Job:
    """The next job, which is there."""
    job = jobs.claim_job(worker)
    assert job is not None
    return job


def stale() -> None:
    """The worker gave no sign of life for too long."""
    Job.objects.update(beat_at=timezone.now() - jobs.JOB_STALE_AFTER - timedelta(seconds=1))


def test_the_same_work_is_asked_for_once_while_it_is_open(event: Event, organiser: User, clerk: User) -> None:
    first, again, other = asked(event, organiser), asked(event, clerk), asked(event, clerk, "entrant file 2")
    assert (again.pk, other.pk == first.pk, Job.objects.count()) == (first.pk, False, 2)
    jobs.finish_job(claimed("a"), JobState.DONE, "", {})
    assert asked(event, clerk).pk != first.pk


def test_jobs_are_claimed_one_after_another_and_each_once(event: Event, organiser: User) -> None:
    wanted = [asked(event, organiser, f"entrant file {number}").pk for number in (1, 2)]
    assert [claimed("a").pk, claimed("b").pk, jobs.claim_job("c")] == [*wanted, None]


def test_a_dead_workers_job_is_taken_over_and_it_writes_no_more(event: Event, organiser: User) -> None:
    asked(event, organiser)
    dead = claimed("a")
    assert jobs.claim_job("b") is None
    stale()
    living = claimed("b")
    assert living.pk == dead.pk
    with pytest.raises(ClaimLost):
        jobs.report_job_progress(dead, 5, 10)
    assert jobs.finish_job(dead, JobState.BROKEN, "x", {}) is False
    jobs.report_job_progress(living, 7, 10)
    assert jobs.finish_job(living, JobState.DONE, "x", {"made": 3, "name": KIND}) is True
    kept = Job.objects.get()
    assert (kept.state, kept.done, kept.facts) == (JobState.DONE, 7, {"made": 3, "name": "import_entrants"})


def test_a_worker_that_tells_how_far_it_is_keeps_its_job(event: Event, organiser: User) -> None:
    asked(event, organiser)
    job = claimed("a")
    stale()
    jobs.report_job_progress(job, 1, 10)
    assert jobs.claim_job("b") is None


def test_only_what_nobody_has_claimed_is_taken_back(event: Event, organiser: User) -> None:
    job = asked(event, organiser)
    assert jobs.withdraw_unclaimed_job(event, KIND, job.subject) is True
    asked(event, organiser)
    claimed("a")
    assert (jobs.withdraw_unclaimed_job(event, KIND, job.subject), Job.objects.count()) == (False, 1)
    assert latest_job(event, KIND, job.subject) == Job.objects.get()


def test_a_worker_is_there_as_long_as_it_says_so(db: None) -> None:
    now = timezone.now()
    jobs.record_worker_heartbeat("a")
    jobs.record_worker_heartbeat("a")
    assert (Worker.objects.count(), has_live_worker(now), has_live_worker(now + timedelta(minutes=1))) == (
        1,
        True,
        False,
    )
    jobs.record_worker_exit("a")
    assert jobs.is_worker_alive_now() is False


@pytest.mark.django_db(transaction=True)
def test_eight_workers_at_once_claim_each_job_once(event: Event, organiser: User) -> None:
    wanted = sorted(asked(event, organiser, f"entrant file {number}").pk for number in range(6))
    found: list[int] = []
    start = threading.Barrier(8)

    def run(name: str) -> None:
        start.wait()
        try:
            while job := jobs.claim_job(name):
                found.append(job.pk)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(str(number),)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == wanted
