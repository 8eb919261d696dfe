"""Tampering with what was told to all (reliability 3.9), in the world that `make_conduct` leaves behind."""

from datetime import timedelta

from django.utils import timezone

from tests.reliability.tamper_kinds import kind
from tournament.models import Delivery, Mailing, Notice
from tournament.services.notices import digest_of


def told(number: int) -> Notice:
    """A published notice."""
    return Notice.objects.select_related("corrects").get(number=number)


def change(number: int, **values: object) -> str:
    """Change what was published."""
    Notice.objects.filter(number=number).update(**values)
    return f"notice {number}"


@kind(conduct=True)
def let_a_notice_say_something_else() -> str:
    return change(3, body_zh="比賽如常舉行。")


@kind(conduct=True)
def let_a_notice_say_something_else_with_its_digest_made_anew() -> str:
    change(3, title_en="28 March: played as planned")
    return change(3, digest=digest_of(told(3)))


@kind(conduct=True)
def tell_a_notice_to_fewer_sessions() -> str:
    return change(1, sessions=[4])


@kind(conduct=True)
def let_a_stop_look_like_information() -> str:
    return change(3, tone="info")


@kind(conduct=True)
def say_that_a_notice_was_published_earlier() -> str:
    row = told(3)
    return change(3, published_at=(row.published_at or timezone.now()) - timedelta(minutes=5))


@kind(conduct=True)
def say_that_another_published_a_notice() -> str:
    other = Notice.objects.exclude(made_by=None)[0].made_by
    stranger = type(other).objects.exclude(pk=other.pk).order_by("pk")[0]
    return change(3, published_by=stranger)


@kind(conduct=True)
def unlink_a_correction() -> str:
    return change(2, corrects=None)


@kind(conduct=True)
def take_a_banner_down_in_silence() -> str:
    row = told(3)
    return change(3, banner_down_at=timezone.now(), banner_down_by=row.published_by)


@kind(conduct=True)
def put_a_banner_up_again() -> str:
    return change(2, banner_down_at=None, banner_down_by=None)


@kind(conduct=True)
def delete_a_notice() -> str:
    row = told(3)
    Delivery.objects.filter(mailing__notice=row).delete()
    Mailing.objects.filter(notice=row).delete()
    Notice.objects.filter(corrects=row).update(corrects=None)
    Notice.objects.filter(pk=row.pk).delete()
    return "notice 3"


@kind(conduct=True)
def put_in_a_notice_that_nobody_published() -> str:
    row = told(3)
    row.pk, row.number = None, 4
    row.save(force_insert=True)
    return "notice 4"
