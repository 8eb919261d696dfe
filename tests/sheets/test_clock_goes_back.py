"""A server's clock is set back while people work: the log counts, it does not sort by time."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import User

from tests.sheets.sheets import add_entrants
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant
from tournament.operations.services.audit_verification import verify_events
from tournament.sheets.services import registration

pytestmark = pytest.mark.django_db


@pytest.mark.fault("K2")
def test_a_clock_that_goes_back_breaks_neither_the_order_nor_the_chain_of_the_log(
    first_session: Session, organiser: User
) -> None:
    add_entrants(first_session, [1, 2])
    morning, seen = datetime(2026, 3, 28, 1, 0, tzinfo=UTC), AuditEntry.objects.count()
    for number, at in ((1, morning), (2, morning - timedelta(seconds=37))):
        with time_machine.travel(at, tick=False):
            entrant = Entrant.objects.get(number=number)
            registration.record_absence(entrant, status=EntrantStatus.WITHDRAWN, reason="ill", by=organiser)
    entries = list(AuditEntry.objects.order_by("seq").values_list("subject", "at"))[seen:]
    assert entries == [("entrant 0001", morning), ("entrant 0002", morning - timedelta(seconds=37))]
    assert verify_events(files=False).findings == []
