"""Tampering with corrections, disputes, void sheets, second typings, papers and answers (reliability 3.9).

They are found in the world that `make_conduct` leaves behind: each of these records once, by the real services.
"""

from django.contrib.auth.models import User

from tests.reliability.tamper_kinds import kind, name
from tournament.models import (
    Correction,
    Dispute,
    Draw,
    Entrant,
    PlaceAnswer,
    PrintedContent,
    SecondTyping,
    SheetPrint,
    Voiding,
)


def another(account: User) -> User:
    """Some account that is not this one."""
    return User.objects.exclude(pk=account.pk).order_by("pk")[0]


@kind(conduct=True)
def change_a_correction_s_reason() -> str:
    row = Correction.objects.order_by("pk")[0]
    Correction.objects.filter(pk=row.pk).update(reason="another")
    return name(row.scoresheet)


@kind(conduct=True)
def change_who_approved_a_correction() -> str:
    row = Correction.objects.exclude(approved_by=None).order_by("pk")[0]
    other = User.objects.exclude(pk__in=[row.approved_by_id, row.proposed_by_id]).order_by("pk")[0]
    Correction.objects.filter(pk=row.pk).update(approved_by=other)
    return name(row.scoresheet)


@kind(conduct=True)
def change_when_a_correction_was_proposed() -> str:
    row = Correction.objects.exclude(approved_by=None).order_by("pk")[0]
    Correction.objects.filter(pk=row.pk).update(proposed_at=row.begun_at)
    return name(row.scoresheet)


@kind(conduct=True)
def delete_a_correction() -> str:
    row = Correction.objects.order_by("pk")[0]
    sheet = name(row.scoresheet)
    Correction.objects.filter(pk=row.pk).delete()
    return sheet


@kind(conduct=True)
def change_a_dispute_s_reason() -> str:
    row = Dispute.objects.order_by("pk")[0]
    Dispute.objects.filter(pk=row.pk).update(reason="another")
    return name(row.scoresheet)


@kind(conduct=True)
def change_a_dispute_s_outcome() -> str:
    row = Dispute.objects.exclude(decided_at=None).order_by("pk")[0]
    Dispute.objects.filter(pk=row.pk).update(outcome="upheld" if row.outcome == "values" else "values")
    return name(row.scoresheet)


@kind(conduct=True)
def change_who_decided_a_dispute() -> str:
    row = Dispute.objects.exclude(decided_at=None).order_by("pk")[0]
    Dispute.objects.filter(pk=row.pk).update(decided_by=another(row.decided_by))
    return name(row.scoresheet)


@kind(conduct=True)
def delete_a_dispute() -> str:
    row = Dispute.objects.order_by("pk")[0]
    Dispute.objects.filter(pk=row.pk).delete()
    return name(row.scoresheet)


def taken_back() -> Dispute:
    """The dispute that somebody has taken back."""
    return Dispute.objects.filter(outcome="recalled").order_by("pk")[0]


def change_what_was_taken_back(**values: object) -> str:
    """Change its row in silence."""
    row = taken_back()
    Dispute.objects.filter(pk=row.pk).update(**values)
    return name(row.scoresheet)


@kind(conduct=True)
def change_why_a_dispute_was_taken_back() -> str:
    return change_what_was_taken_back(decision="another")


@kind(conduct=True)
def change_why_a_dispute_that_was_taken_back_was_raised() -> str:
    return change_what_was_taken_back(reason="another")


@kind(conduct=True)
def change_who_took_a_dispute_back() -> str:
    return change_what_was_taken_back(decided_by=another(taken_back().raised_by))


@kind(conduct=True)
def make_a_decision_of_what_was_taken_back() -> str:
    return change_what_was_taken_back(outcome="upheld")


@kind(conduct=True)
def put_back_a_dispute_that_was_taken_back() -> str:
    return change_what_was_taken_back(outcome="", decision="", decided_by=None, decided_at=None)


@kind(conduct=True)
def delete_a_dispute_that_was_taken_back() -> str:
    row = taken_back()
    Dispute.objects.filter(pk=row.pk).delete()
    return name(row.scoresheet)


@kind(conduct=True)
def take_a_decided_dispute_back_in_silence() -> str:
    row = Dispute.objects.filter(outcome__in=["upheld", "values"]).order_by("pk")[0]
    Dispute.objects.filter(pk=row.pk).update(outcome="recalled")
    return name(row.scoresheet)


@kind(conduct=True)
def change_a_voiding_s_reason() -> str:
    row = Voiding.objects.order_by("pk")[0]
    Voiding.objects.filter(pk=row.pk).update(reason="another")
    return name(row.scoresheet)


@kind(conduct=True)
def delete_a_voiding() -> str:
    row = Voiding.objects.order_by("pk")[0]
    Voiding.objects.filter(pk=row.pk).delete()
    return name(row.scoresheet)


@kind(conduct=True)
def change_a_second_typing() -> str:
    row = SecondTyping.objects.order_by("pk")[0]
    row.typed["games"][0]["starter"] = "D"
    SecondTyping.objects.filter(pk=row.pk).update(typed=row.typed)
    return name(row.scoresheet)


@kind(conduct=True)
def change_who_typed_again() -> str:
    row = SecondTyping.objects.order_by("pk")[0]
    SecondTyping.objects.filter(pk=row.pk).update(typed_by=another(row.typed_by))
    return name(row.scoresheet)


@kind(conduct=True)
def change_what_a_third_look_chose() -> str:
    row = SecondTyping.objects.exclude(settled_at=None).order_by("pk")[0]
    SecondTyping.objects.filter(pk=row.pk).update(choices={**row.choices, "games-0-A-win": "7"})
    return name(row.scoresheet)


@kind(conduct=True)
def change_the_seats_on_a_paper() -> str:
    row = SheetPrint.objects.order_by("pk")[0]
    SheetPrint.objects.filter(pk=row.pk).update(seats={**row.seats, "A": 9999})
    return f"session {row.session.code}"


@kind(conduct=True)
def delete_a_paper() -> str:
    row = SheetPrint.objects.order_by("pk")[0]
    PrintedContent.objects.filter(print=row).delete()
    SheetPrint.objects.filter(pk=row.pk).delete()
    return f"session {row.session.code}"


@kind(conduct=True)
def change_an_answer() -> str:
    row = PlaceAnswer.objects.order_by("pk")[0]
    PlaceAnswer.objects.filter(pk=row.pk).update(answer="declined" if row.answer == "accepted" else "accepted")
    return f"entrant {row.entrant}"


@kind(conduct=True)
def delete_an_answer() -> str:
    row = PlaceAnswer.objects.order_by("pk")[0]
    PlaceAnswer.objects.filter(pk=row.pk).delete()
    return f"entrant {row.entrant}"


@kind(conduct=True)
def change_an_entry_s_revision() -> str:
    entrant = Entrant.objects.order_by("-number")[0]
    Entrant.objects.filter(pk=entrant.pk).update(revision=entrant.revision + 1)
    return f"entrant {entrant}"


@kind(conduct=True)
def change_a_draw_s_revision() -> str:
    draw = Draw.objects.order_by("pk")[0]
    Draw.objects.filter(pk=draw.pk).update(revision=draw.revision + 1)
    return f"session {draw.session.code}"
