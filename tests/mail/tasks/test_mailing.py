"""Mail as a task: run twice, by two workers, without a broker, with a broker that is not there."""

import time
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command

from tests.messages.mailed import begin, enter
from tests.reliability.server import free_port
from tournament.celery import app
from tournament.core.enums import MailingState
from tournament.core.models.event import Event
from tournament.core.models.job import Worker
from tournament.core.services import jobs
from tournament.mail.tasks import send_mail
from tournament.messages.models import Mailing
from tournament.operations.tasks.due import wake_workers


@pytest.fixture
def mailing(event: Event, organiser: User) -> Mailing:
    enter(event, 6)
    return begin(event, organiser)


def test_the_task_run_twice_sends_each_mail_once(mailing: Mailing) -> None:
    send_mail()
    send_mail()
    mailing.refresh_from_db()
    assert (len(mail.outbox), mailing.state) == (6, MailingState.DONE)


def test_without_a_broker_the_worker_sends(mailing: Mailing) -> None:
    call_command("work", "--once")
    mailing.refresh_from_db()
    assert (len(mail.outbox), mailing.state, Worker.objects.count()) == (6, MailingState.DONE, 0)


@pytest.mark.django_db(transaction=True)
def test_a_dead_broker_is_no_hindrance_to_whoever_saves(event: Event, organiser: User, settings: Any) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    enter(event, 2)
    began = time.monotonic()
    assert (begin(event, organiser).state, time.monotonic() - began < 5) == (MailingState.SENDING, True)
    send_mail()
    assert len(mail.outbox) == 2


def test_a_sweep_says_that_a_worker_is_there(event: Event) -> None:
    wake_workers()
    assert jobs.is_worker_alive_now()


def test_what_waits_is_never_put_off_by_the_broker() -> None:
    conf = app.conf
    longest = max(conf.task_time_limit, *(entry["schedule"] for entry in conf.beat_schedule.values()))
    assert conf.broker_transport_options["visibility_timeout"] > longest
    assert (conf.task_acks_late, conf.task_ignore_result, conf.worker_prefetch_multiplier) == (False, True, 1)
    assert {entry["task"] for entry in conf.beat_schedule.values()} <= set(app.tasks)
