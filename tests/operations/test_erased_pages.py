"""After an erasure every page, file and answer that shows an entrant shows the number, and none fails or has a name."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.test import override_settings
from django.urls import reverse

from tests.api.caller import Caller
from tests.core.test_permissions_matrix import MATRIX, ask, client_of, links_of, programs, values
from tests.day.page_world import CONTESTED, IN_THE_MIDDLE, Seen, make_pages
from tests.reliability import privacy
from tests.squeezed import squeezed
from tournament.core.models.event import Event
from tournament.entrants.models.people import Entrant, Person
from tournament.operations.services import erasure
from tournament.operations.services.erasure_scope import ErasureScope
from tournament.sheets.models.conduct import JudgeCall

# Erased whole: lists that wait, drafts of notices, private links.
GONE = {
    **dict.fromkeys(("import_preview", "import_progress", "notice", "notice_preview", "change_notice"), (404,)),
    **dict.fromkeys(("not_found", "publish_notice", "api_notice", "api_notice_recipients", "place"), (404,)),
}
PLAIN = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}


@pytest.fixture(scope="module")
def pages(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[list[Seen], Path]]:
    """Three events with everything on their pages; made once, taken back after the module."""
    folder = tmp_path_factory.mktemp("var")
    with django_db_blocker.unblock(), transaction.atomic():
        with override_settings(**privacy.settings_of(folder), STORAGES={**settings.STORAGES, "staticfiles": PLAIN}):
            made = make_pages(folder)
        yield made, folder
        transaction.set_rollback(True)


@pytest.fixture
def erased(pages: tuple[list[Seen], Path], db: None, settings: Any) -> list[Seen]:
    """Everybody of all three is erased, as far as no later test knows."""
    for name, value in privacy.settings_of(pages[1]).items():
        setattr(settings, name, value)
    people = Person.objects.values_list("name_zh", "name_en")
    settings.GIVEN = given_at(Event.objects.get(slug="hk-2026"))
    settings.NAMES = {zh.encode() for zh, _en in people if len(zh) > 2}
    for event in Event.objects.filter(rehearsal=False).exclude(entrants=None).distinct():
        erasure.run_erasures(ErasureScope(event), reason="x", by=None)
    return pages[0]


def given_at(event: Event) -> dict[str, Any]:
    """An object of this event for each parameter; `values` knows a world of one event with a call."""
    others = JudgeCall.objects.exclude(table__session__stage__event=event)
    with transaction.atomic():
        others.delete()
        given = values(event)
        transaction.set_rollback(True)
    return given


@pytest.mark.long
@pytest.mark.once
def test_no_page_of_the_desk_fails_or_names_anybody(erased: list[Seen], settings: Any) -> None:
    clients, wrong = {}, []
    for seen in erased:
        who = "anonymous" if seen.who == "everybody" else seen.who
        client = clients.setdefault(who, client_of(who))
        for language in ("zh-hant", "en"):
            client.cookies["django_language"] = language
            answer = client.get(seen.in_language(language))
            if answer.status_code not in (200, 302, *GONE.get(seen.name, ())):
                wrong.append(f"{seen}: {answer.status_code}")
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            wrong += [f"{seen}: {name.decode()}" for name in settings.NAMES if name in body]
    assert wrong == []
    assert len(erased) > 60


@pytest.mark.long
@pytest.mark.once
def test_no_file_and_no_answer_of_the_api_fails_or_names_anybody(erased: list[Seen], settings: Any) -> None:
    event = Event.objects.get(slug="hk-2026")
    given, organiser = settings.GIVEN, client_of("organiser")
    asked = [(name, own) for name, own in programs() if "GET" in MATRIX[name]]
    program = Caller(User.objects.get(username="organiser"))
    wrong = []
    for name, own in asked:
        answer = program.get(reverse(name, kwargs={key: given[key] for key in own}))
        if answer.status_code not in (200, *GONE.get(name, ())):
            wrong.append(f"{name}: {answer.status_code}")
        wrong += [f"{name}: {one.decode()}" for one in settings.NAMES if one in answer.content]
    for address, answer in links_of(organiser).items():
        if answer.status_code >= 400:
            wrong.append(f"{address}: {answer.status_code}")
    for name in ("entrants_xlsx", "entrants_csv"):
        wrong += [name] if ask(organiser, "GET", reverse(name, args=[event.slug])).status_code != 200 else []
    assert wrong == []
    assert len(asked) > 10


@pytest.mark.once
def test_a_search_finds_an_erased_entrant_by_number_and_by_no_name(erased: list[Seen]) -> None:
    client = client_of("organiser")
    found = [
        squeezed(client.get(f"/desk/hk-2026/entrants/?q={text}").content.decode())
        for text in ("0007", "erased", "已刪除")
    ]
    assert ["/entrants/7/" in page for page in found] == [True, False, False]
    assert Entrant.objects.filter(event__slug__in=(IN_THE_MIDDLE, CONTESTED)).exists()
