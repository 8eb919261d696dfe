"""Tampering with signatures that were drawn on a tablet: strokes, drawings, whose they are, whether they count (3.9).

The strokes themselves are no part of the exported evidence; only this program, which has the key, can compare them.
"""

from django.contrib.auth.models import User
from django.db.models import F

from tests.reliability.tamper_kinds import kind, name
from tournament.models import Drawing, Signature
from tournament.services import drawings


def signed(letter: str, counts: bool = True) -> Signature:
    """A drawn signature of the sheet that was signed on a tablet."""
    rows = Signature.objects.filter(drawing__isnull=False, scoresheet__state="signed", superseded_at__isnull=counts)
    return (
        rows.select_related("drawing", "entrant", "scoresheet__table").filter(letter__gte=letter).order_by("letter")[0]
    )


def named(signature: Signature) -> str:
    return f"{name(signature.scoresheet)} signature {signature.letter}"


@kind(conduct=True, outside=True)
def change_the_strokes() -> str:
    signature = signed("A")
    whole = bytes(signature.drawing.strokes)
    Drawing.objects.filter(signature=signature).update(strokes=whole[:-1] + bytes([whole[-1] ^ 1]))
    return named(signature)


@kind(conduct=True, outside=True)
def put_another_s_strokes_under_a_signature() -> str:
    signature = signed("A")
    Drawing.objects.filter(signature=signature).update(strokes=signed("B").drawing.strokes)
    return named(signature)


@kind(conduct=True, outside=True)
def change_the_salt() -> str:
    signature = signed("A")
    Drawing.objects.filter(signature=signature).update(salt="0" * 32)
    return named(signature)


@kind(conduct=True)
def draw_a_signature_anew_with_the_key() -> str:
    signature = signed("C")
    Drawing.objects.filter(signature=signature).delete()
    drawings.keep(signature, [[(1, 1, 0, 0), (900, 500, 10, 0)]], None)
    return named(signature)


@kind(conduct=True)
def swap_two_drawings() -> str:
    one, other = signed("A"), signed("B")
    spare = Signature.objects.filter(drawing__isnull=True).order_by("pk")[0]
    mine, theirs = one.drawing.pk, other.drawing.pk
    for drawing, signature in ((mine, spare), (theirs, one), (mine, other)):
        Drawing.objects.filter(pk=drawing).update(signature=signature)
    return named(one)


@kind(conduct=True)
def delete_a_drawing() -> str:
    signature = signed("B")
    Drawing.objects.filter(signature=signature).delete()
    return named(signature)


@kind(conduct=True)
def move_a_drawn_signature_to_another_seat() -> str:
    signature = signed("D")
    Signature.objects.filter(pk=signature.pk).update(letter="X")
    return named(signature)


@kind(conduct=True)
def delete_a_drawn_signature() -> str:
    signature = signed("D")
    Drawing.objects.filter(signature=signature).delete()
    signature.delete()
    return named(signature)


@kind(conduct=True)
def delete_a_superseded_signature() -> str:
    signature = signed("A", counts=False)
    Drawing.objects.filter(signature=signature).delete()
    signature.delete()
    return named(signature)


@kind(conduct=True)
def let_a_superseded_signature_count() -> str:
    signature = signed("A", counts=False)
    Signature.objects.filter(scoresheet=signature.scoresheet, letter=signature.letter, superseded_at=None).update(
        superseded_at=F("recorded_at")
    )
    Signature.objects.filter(pk=signature.pk).update(superseded_at=None)
    return named(signature)


@kind(conduct=True)
def change_the_digest_that_was_signed() -> str:
    signature = signed("A")
    Signature.objects.filter(pk=signature.pk).update(digest="0" * 64)
    return named(signature)


@kind(conduct=True)
def change_who_recorded_a_drawn_signature() -> str:
    signature = signed("A")
    Signature.objects.filter(pk=signature.pk).update(recorded_by=User.objects.exclude(pk=signature.recorded_by_id)[0])
    return named(signature)
