"""Reads about what stands in a sheet's way: its disputes, and whether it is proposed to be void."""

from tournament.models import Dispute, Scoresheet, Voiding


def disputes_of(sheet: Scoresheet) -> list[Dispute]:
    """Every dispute of a version, oldest first, with who raised and who decided it."""
    return list(Dispute.objects.filter(scoresheet=sheet).select_related("raised_by", "decided_by").order_by("id"))


def voiding_of(sheet: Scoresheet) -> Voiding | None:
    """Whether the version is, or is proposed to be, void."""
    return Voiding.objects.filter(scoresheet=sheet).select_related("proposed_by", "approved_by").first()
