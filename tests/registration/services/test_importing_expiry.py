"""A preview is kept until the moment that its page says, whoever looks first; an imported list has none."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.entrant_lists import sound_row
from tests.registration.services.test_importing import handed_in
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant
from tournament.operations.services import retention
from tournament.registration.services import importing


def age(kept: EntrantFile, hours: float) -> None:
    """The preview as it would be so many hours later."""
    EntrantFile.objects.filter(pk=kept.pk).update(uploaded_at=kept.uploaded_at - timedelta(hours=hours))
    kept.refresh_from_db()


@pytest.mark.fault("X13")
def test_a_preview_is_gone_when_the_page_says_so_whoever_looks_first(event: Event, organiser: User) -> None:
    kept = handed_in(event, [sound_row(1)], organiser)
    age(kept, 23.9)
    assert (importing.expire_previews(), importing.is_expired(kept)) == (0, False)
    age(kept, 0.2)
    with pytest.raises(Refused) as gone:
        importing.import_file(kept, by=organiser)
    assert (gone.value.code, Entrant.objects.count()) == ("preview_gone", 0)
    assert (importing.expire_previews(), importing.expire_previews(), EntrantFile.objects.count()) == (1, 0, 0)
    assert AuditEntry.objects.filter(action="expire_preview").count() == 1


@pytest.mark.fault("X13")
def test_an_imported_file_does_not_expire(event: Event, organiser: User) -> None:
    kept = handed_in(event, [sound_row(1)], organiser)
    importing.import_file(kept, by=organiser)
    age(kept, 100)
    assert (importing.expire_previews(), EntrantFile.objects.count()) == (0, 1)


@pytest.mark.fault("X13")
def test_the_page_refuses_an_expired_preview_and_erases_it(event: Event, organiser: User, signed_in: Any) -> None:
    kept = handed_in(event, [sound_row(1, name_zh="龍小龍")], organiser)
    age(kept, 25)
    client, address = signed_in(organiser), f"/desk/{event.slug}/import/{kept.pk}/"
    assert client.get(f"{address}faults.csv").status_code == 404
    answer = client.get(address)
    assert (answer.status_code, "龍小龍" in squeezed(answer.content.decode())) == (410, False)
    assert not EntrantFile.objects.exists()


@pytest.mark.fault("X13")
def test_a_worker_erases_expired_previews(event: Event, organiser: User) -> None:
    age(handed_in(event, [sound_row(1)], organiser), 25)
    assert retention.check_retention_dates() == []
    assert not EntrantFile.objects.exists()
