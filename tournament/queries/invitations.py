"""Private links of those who hold a place: the one of each that is in force, and who has one."""

from datetime import datetime

from django.db.models import QuerySet

from tournament.models import Invitation, LinkTry, Stage


def invitations_of(stage: Stage) -> QuerySet[Invitation]:
    """Every link that was ever made for the stage that was won, in order."""
    return Invitation.objects.filter(stage=stage).select_related("stage", "entrant", "made_by").order_by("id")


def links_in_force(stage: Stage) -> dict[int, Invitation]:
    """The link in force of each entrant, by number."""
    return {one.entrant.number: one for one in invitations_of(stage).filter(revoked_at=None)}


def invitation_by_id(id: int) -> Invitation | None:
    """The link with this id, revoked or not, with all that its page needs."""
    found = Invitation.objects.filter(pk=id)
    return found.select_related("stage__event", "entrant__person", "entrant__event").first()


def tries_since(source: str, since: datetime) -> list[datetime]:
    """When links that nobody made were tried from one place, the oldest first."""
    return list(LinkTry.objects.filter(source=source, at__gt=since).order_by("at").values_list("at", flat=True))
