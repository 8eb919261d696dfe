"""Personal data that leaves: each time an entry of the log says who took what, of how many people."""

from django.contrib.auth.models import User
from django.db import transaction

from tournament.audit import services
from tournament.core.models.event import Event


@transaction.atomic
def record_export(event: Event, by: User, what: str, *, people: int, among: str = "") -> None:
    """`what` is the kind of file, `among` which people were chosen; neither names anybody."""
    said = f"{what}: {people}" + (f", {among}" if among else "")
    services.append_audit_entry(event, by, "export_personal_data", f"event {event.slug}", reason=said)
