"""Private links of those who hold a place: the one of each that is in force, and who has one."""

from datetime import datetime

from django.db.models import QuerySet

from tournament.core.enums import MailingKind
from tournament.core.models.stage import Stage
from tournament.entrants.models.final import Finalist, Invitation, LinkTry
from tournament.entrants.models.people import Entrant, Person
from tournament.messages.queries.mailings import deliveries_taken


def invitations_of(stage: Stage) -> QuerySet[Invitation]:
    """Every link that was ever made for the stage that was won, in order."""
    return Invitation.objects.filter(stage=stage).select_related("stage", "entrant", "made_by").order_by("id")


def links_in_force(stage: Stage) -> dict[int, Invitation]:
    """The link in force of each entrant, by number."""
    return {one.entrant.number: one for one in invitations_of(stage).filter(revoked_at=None)}


def numbers_mailed(stage: Stage) -> frozenset[int]:
    """Whose mail with the link in force a mail server has taken, without those that came back; two queries."""
    links = links_in_force(stage)
    about = {"mailing__event": stage.event_id, "mailing__kind": MailingKind.PLACES}
    sent = deliveries_taken().filter(**about, mailing__subject=f"stage {stage.kind}")
    return frozenset(
        number
        for first, also, at in sent.values_list("entrant__number", "also", "sent_at")
        for number in (first, *also)
        if number in links and at is not None and at >= links[number].made_at
    )


def invitation_by_id(id: int) -> Invitation | None:
    """The link with this id, revoked or not, with all that its page needs."""
    found = Invitation.objects.filter(pk=id)
    return found.select_related("stage__event", "entrant__person", "entrant__event").first()


def link_tries_since(source: str, since: datetime) -> list[datetime]:
    """When links that nobody made were tried from one place, the oldest first."""
    return list(LinkTry.objects.filter(source=source, at__gt=since).order_by("at").values_list("at", flat=True))


def people_with_links(stage: Stage) -> dict[int, Person]:
    """Everyone who has a link in force, by number: names, language and e-mail for the letters."""
    linked = Entrant.objects.filter(invitations__stage=stage, invitations__revoked_at=None).select_related("person")
    return {entrant.number: entrant.person for entrant in linked}


def frozen_list(final: Stage | None) -> dict[int, Finalist]:
    """The fixed list by number, in the order of the ranks; empty while it is open, or without a final."""
    if final is None or final.frozen_at is None:
        return {}
    rows = Finalist.objects.filter(stage=final).select_related("entrant").order_by("rank", "entrant__number")
    return {row.entrant.number: row for row in rows}
