"""Tampering with who was mailed what (reliability 3.9), in the world that `make_conduct` leaves behind."""

from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from tests.reliability.tamper_kinds import kind
from tournament.enums import BounceKind, DeliveryState, MailingState
from tournament.models import Delivery, Entrant, Mailing


def of(state: MailingState) -> Mailing:
    """The mailing in this state."""
    return Mailing.objects.get(state=state)


def change(state: MailingState, /, **values: object) -> str:
    """Change the mailing in this state."""
    row = of(state)
    Mailing.objects.filter(pk=row.pk).update(**values)
    return f"mailing {row.pk}"


def change_first(state: MailingState, outcome: DeliveryState, /, **values: object) -> str:
    """Change its first delivery of this outcome."""
    row = Delivery.objects.filter(mailing=of(state), state=outcome).order_by("pk")[0]
    Delivery.objects.filter(pk=row.pk).update(**values)
    return f"mailing {row.mailing_id}"


@kind(conduct=True)
def say_that_a_mail_was_sent_which_was_not() -> str:
    values = {"state": DeliveryState.SENT, "sent_at": timezone.now(), "digest": "0" * 64}
    return change_first(MailingState.DONE, DeliveryState.FAILED, **values)


@kind(conduct=True)
def say_that_a_mail_was_not_sent_which_was() -> str:
    return change_first(MailingState.DONE, DeliveryState.SENT, state=DeliveryState.FAILED)


@kind(conduct=True)
def say_that_another_text_was_sent() -> str:
    return change_first(MailingState.DONE, DeliveryState.SENT, digest="0" * 64)


@kind(conduct=True)
def say_that_a_mail_was_sent_earlier() -> str:
    return change_first(MailingState.DONE, DeliveryState.SENT, sent_at=timezone.now() - timedelta(hours=2))


def change_report(bounced: bool, /, **values: object) -> str:
    """Change what was reported of the first sent mail that came back, or of one that did not."""
    sent = Delivery.objects.filter(mailing=of(MailingState.DONE), state=DeliveryState.SENT).select_related("entrant")
    row = (sent.exclude(bounce="") if bounced else sent.filter(bounce="")).order_by("pk")[0]
    Delivery.objects.filter(pk=row.pk).update(**values)
    return f"mailing {row.mailing_id} entrant {row.entrant.number:04d}"


@kind(conduct=True)
def say_that_a_mail_did_not_come_back_which_did() -> str:
    return change_report(True, bounce="", bounced_at=None, bounce_code="")


@kind(conduct=True)
def say_that_a_mail_that_came_back_was_only_late() -> str:
    return change_report(True, bounce=BounceKind.SOFT)


@kind(conduct=True)
def say_that_a_mail_came_back_later() -> str:
    return change_report(True, bounced_at=timezone.now() + timedelta(hours=1))


@kind(conduct=True)
def say_that_a_mail_came_back_which_did_not() -> str:
    return change_report(False, bounce=BounceKind.HARD, bounced_at=timezone.now(), bounce_code="5.1.1")


@kind(conduct=True)
def give_a_mail_to_another() -> str:
    other = Entrant.objects.exclude(deliveries__isnull=False).order_by("pk")[0]
    return change_first(MailingState.DONE, DeliveryState.SENT, entrant=other)


@kind(conduct=True)
def mail_other_facts() -> str:
    return change_first(MailingState.PAUSED, DeliveryState.WAITING, facts={"table": 99})


@kind(conduct=True)
def say_that_another_was_told_by_the_same_mail() -> str:
    return change_first(MailingState.PAUSED, DeliveryState.WAITING, also=[9999])


@kind(conduct=True)
def leave_somebody_out_of_a_mailing() -> str:
    row = Delivery.objects.filter(mailing=of(MailingState.PAUSED)).order_by("pk")[0]
    Delivery.objects.filter(pk=row.pk).delete()
    return f"mailing {row.mailing_id}"


@kind(conduct=True)
def go_on_with_a_mailing_in_silence() -> str:
    return change(MailingState.PAUSED, state=MailingState.SENDING)


@kind(conduct=True)
def say_that_a_stopped_mailing_was_done() -> str:
    return change(MailingState.STOPPED, state=MailingState.DONE)


@kind(conduct=True)
def say_that_a_mailing_ended_with_its_subject() -> str:
    return change(MailingState.STOPPED, ended={"code": "notice_replaced", "of": "1", "by": "3"})


@kind(conduct=True)
def say_that_a_mailing_has_not_ended() -> str:
    return change(MailingState.DONE, state=MailingState.SENDING, finished_at=None)


@kind(conduct=True)
def change_when_a_mailing_ended() -> str:
    return change(MailingState.DONE, finished_at=timezone.now())


@kind(conduct=True)
def say_that_somebody_else_mailed() -> str:
    row = of(MailingState.DONE)
    return change(MailingState.DONE, asked_by=User.objects.exclude(pk=row.asked_by_id).order_by("pk")[0])


@kind(conduct=True)
def say_that_fewer_were_mailed() -> str:
    return change(MailingState.DONE, count=2)


@kind(conduct=True)
def delete_a_mailing() -> str:
    row = of(MailingState.PAUSED)
    Delivery.objects.filter(mailing=row).delete()
    Mailing.objects.filter(pk=row.pk).delete()
    return f"mailing {row.pk}"
