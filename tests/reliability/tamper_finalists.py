"""Tampering with private links, answers that came by them, and the list of finalists (reliability 3.9).

They are found in the world that `make_conduct` leaves behind.
"""

from django.utils import timezone

from tests.reliability.tamper_kinds import kind
from tournament.models import Entrant, Finalist, Invitation, PlaceAnswer, Stage

LIST = "stage final"


def first_link(**values: object) -> str:
    """Change the first link in force."""
    row = Invitation.objects.filter(revoked_at=None).order_by("pk")[0]
    Invitation.objects.filter(pk=row.pk).update(**values)
    return f"entrant {row.entrant}"


def final() -> Stage:
    """The stage whose list is fixed."""
    return Stage.objects.get(frozen_at__isnull=False)


@kind(conduct=True)
def change_what_a_link_is_made_from() -> str:
    return first_link(nonce="of somebody who knows it")


@kind(conduct=True)
def revoke_a_link_in_silence() -> str:
    return first_link(revoked_at=timezone.now())


@kind(conduct=True)
def put_a_revoked_link_in_force_again() -> str:
    row = Invitation.objects.exclude(revoked_at=None).order_by("pk")[0]
    Invitation.objects.filter(entrant=row.entrant_id, revoked_at=None).update(revoked_at=timezone.now())
    Invitation.objects.filter(pk=row.pk).update(revoked_at=None)
    return f"entrant {row.entrant}"


@kind(conduct=True)
def give_a_link_to_another() -> str:
    other = Entrant.objects.exclude(invitations__isnull=False).order_by("pk")[0]
    first_link(entrant=other)
    return f"entrant {other}"


@kind(conduct=True)
def delete_a_link() -> str:
    row = Invitation.objects.filter(answers=None).order_by("pk")[0]
    Invitation.objects.filter(pk=row.pk).delete()
    return f"entrant {row.entrant}"


@kind(conduct=True)
def say_that_an_answer_came_at_the_desk() -> str:
    row = PlaceAnswer.objects.exclude(invitation=None).order_by("pk")[0]
    by = row.invitation.made_by if row.invitation else None
    PlaceAnswer.objects.filter(pk=row.pk).update(invitation=None, by=by)
    return f"entrant {row.entrant}"


@kind(conduct=True)
def put_somebody_else_on_the_list() -> str:
    row = Finalist.objects.order_by("pk")[0]
    other = Entrant.objects.filter(event=row.entrant.event_id, finalist=None).order_by("pk")[0]
    Finalist.objects.filter(pk=row.pk).update(entrant=other)
    return LIST


@kind(conduct=True)
def play_the_final_in_other_rounds() -> str:
    """Its averages would divide by another number."""
    stage = final()
    Stage.objects.filter(pk=stage.pk).update(rounds=stage.rounds + 1)
    return f"event {stage.event.slug}"


@kind(conduct=True)
def give_the_final_other_rules() -> str:
    stage = final()
    Stage.objects.filter(pk=stage.pk).update(ruleset="school")
    return f"event {stage.event.slug}"


@kind(conduct=True)
def change_a_finalist_s_rank() -> str:
    Finalist.objects.filter(pk=Finalist.objects.order_by("pk")[0].pk).update(rank=99)
    return LIST


@kind(conduct=True)
def take_everybody_off_the_list() -> str:
    Finalist.objects.filter(stage=final()).delete()
    return LIST


@kind(conduct=True)
def open_the_list_in_silence() -> str:
    stage = final()
    Finalist.objects.filter(stage=stage).delete()
    Stage.objects.filter(pk=stage.pk).update(frozen_at=None, frozen_by=None)
    return LIST


@kind(conduct=True)
def change_when_the_list_was_fixed() -> str:
    Stage.objects.filter(pk=final().pk).update(frozen_at=timezone.now())
    return LIST
