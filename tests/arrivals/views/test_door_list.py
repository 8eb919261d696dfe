"""The door list on paper: everybody once, by name or by table, in both languages, with what to ask for."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.entrants.models.people import Entrant, Person
from tournament.tables.models import Table


def listed(client: Any, session: Session, query: str = "", language: str = "en") -> Any:
    address = reverse("door_list", args=["hk-2026", session.number]) + query
    return client.get(address, headers={"Accept-Language": language})


def test_everybody_who_may_come_is_listed_once_by_name_or_by_table(
    tables: list[Table], first_session: Session, clerk: User, signed_in: Any
) -> None:
    Person.objects.filter(entrant__number=311).update(name_en="AU Yeung")
    Entrant.objects.filter(number=302).update(status=EntrantStatus.WITHDRAWN)
    client = signed_in(clerk)
    by_name = [line.one.entrant.number for line in listed(client, first_session).context["lines"]]
    by_table = [line.one.entrant.number for line in listed(client, first_session, "?by=table").context["lines"]]
    assert by_table == [301, *range(303, 312)]
    assert (by_name[0], sorted(by_name)) == (311, by_table)


@pytest.mark.parametrize("language", ["en", "zh-hant"])
def test_its_heads_stand_in_both_languages_whoever_prints_it(
    tables: list[Table], first_session: Session, clerk: User, signed_in: Any, language: str
) -> None:
    answer = listed(signed_in(clerk), first_session, language=language)
    text = squeezed(answer.content.decode())
    assert ("報到名單 Door list" in text, "姓名 Name" in text) == (True, True)
    assert answer.context["lines"][0].asks == "監護人同意書 consent · 費用 fee"


def test_the_log_has_that_it_was_opened_and_an_empty_session_says_so(
    event: Event, clerk: User, auditor: User, signed_in: Any
) -> None:
    session = Session.objects.get(stage__event=event, number=2)
    assert "Nobody is expected at this session yet" in squeezed(listed(signed_in(clerk), session).content.decode())
    said = AuditEntry.objects.filter(action="export_personal_data").values_list("actor__username", "reason")
    assert list(said) == [("clerk", f"door list: 0, {session.code}")]
    assert listed(signed_in(auditor), session).status_code == 403
