"""Reads about what stands in a sheet's way: its disputes, and whether it is proposed to be void."""

from tournament.audit.models import AuditEntry
from tournament.sheets.models.dispute import Dispute, Voiding
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.tables.models import Table


def disputes_of(sheet: Scoresheet) -> list[Dispute]:
    """Every dispute of a version, oldest first, with who raised and who decided it."""
    return list(Dispute.objects.filter(scoresheet=sheet).select_related("raised_by", "decided_by").order_by("id"))


def voiding_of(sheet: Scoresheet) -> Voiding | None:
    """Whether the version is, or is proposed to be, void."""
    return Voiding.objects.filter(scoresheet=sheet).select_related("proposed_by", "approved_by").first()


def dispute_of_item(table: Table, key: str) -> int | None:
    """The dispute of a table that an item of a tablet's outbox raised, by the item's key."""
    entry = AuditEntry.objects.filter(
        event=table.session.stage.event, request_key=key, action="dispute_scoresheet"
    ).first()
    found = Dispute.objects.filter(scoresheet__table=table, raised_at=entry.at).first() if key and entry else None
    return found.pk if found else None
