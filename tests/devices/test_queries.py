"""What of an event's tablets the other rooms ask for."""

from django.contrib.auth.models import User

from tests.sheets.tables import settle
from tests.tablets.tablet_caller import Tablet
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device
from tournament.devices.queries import tablets_with_waiting_items
from tournament.tables.models import Table


def test_what_a_tablet_said_before_it_went_on_holds_no_release_up(
    tablet: Tablet, event: Event, organiser: User, referee: User
) -> None:
    later, before = Session.objects.get(stage__event=event, number=2), tablet.device
    settle(later, organiser, [4], first=401)
    Table.objects.filter(session=later).update(referee=referee)
    tablet.get(X_Waiting="1")
    assert tablets_with_waiting_items(later.stage) == [before.number]
    assert tablet.post("next/", X_Waiting="0").status_code == 200
    Device.objects.filter(pk=before.pk).update(waiting=1)  # its last word came late
    assert tablets_with_waiting_items(later.stage) == []
