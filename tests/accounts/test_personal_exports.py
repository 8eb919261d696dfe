"""Personal data that leaves: every address that answers with a file, or tells a program of many people, leaves an entry
of the log, or says why not."""

import json

import pytest
from django.http import HttpResponse
from django.urls import reverse

from tests.core.test_permissions_matrix import MATRIX, addresses, client_of, made, parts_of, values, world
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.entrants.models.people import Person

__all__ = ["made", "world"]

# A file that leaves without an entry, and why it may.
NO_PERSONAL_DATA = {
    "import_template": "the empty list with an invented example",
    "notice_pdf": "a notice names nobody: it went through the gate of published words",
}
OF_ONE_TABLE = {
    "scoresheet_pdf": "one table alone; printing is a POST of its own, with an entry that names the print",
}
AT_A_TABLE = 4
EXCEPTIONS = {**NO_PERSONAL_DATA, **OF_ONE_TABLE}


def entries(event: Event) -> int:
    """How long the log is."""
    return AuditEntry.objects.filter(event=event).count()


def is_file(response: HttpResponse) -> bool:
    """Whether the answer is something to keep: a table, a document, a picture, an attachment."""
    kind = response.get("Content-Type", "").partition(";")[0]
    page = kind in ("text/html", "application/json", "text/event-stream", "application/problem+json")
    return response.status_code == 200 and ("Content-Disposition" in response or not page)


def names_many(response: HttpResponse, event: Event) -> bool:
    """Whether a program is told the full names, or the private links, of more people than sit at one table."""
    if response.status_code != 200 or response.get("Content-Type") != "application/json":
        return False
    text = json.dumps(response.json(), ensure_ascii=False)
    people = Person.objects.filter(entrant__event=event).values_list("name_zh", "name_en")
    named = [names for names in people if any(name and name in text for name in names)]
    return len(named) > AT_A_TABLE or text.count("/place/") > AT_A_TABLE


@pytest.mark.long
def test_every_file_and_every_list_that_leaves_has_an_entry_of_the_log_or_a_reason(world: Event) -> None:
    client, given = client_of("organiser"), values(world)
    leaving, silent = set(), set()
    for name, parameters in addresses():
        if "event" not in parameters or "GET" not in MATRIX[name] or "organiser" not in MATRIX[name]["GET"].split():
            continue
        before = entries(world)
        response = client.get(reverse(name, kwargs=parts_of(name, parameters, given)))
        if is_file(response) or names_many(response, world):
            leaving.add(name)
            if entries(world) == before:
                silent.add(name)
    assert silent - set(EXCEPTIONS) == set()
    assert {
        "entrants_xlsx",
        "entrants_csv",
        "entrant_file_faults",
        "invitation_letters",
        "invitation_list",
        "scan",
        "all_scoresheets_pdf",
        "api_entrants",
        "api_links",
    } <= leaving


def test_an_export_says_what_of_how_many_and_by_whom(world: Event) -> None:
    client_of("organiser").get(f"/desk/{world.slug}/entrants/entrants.csv")
    last = AuditEntry.objects.filter(event=world).latest("seq")
    said = (last.actor.username, last.action, last.subject, last.reason)
    people = world.entrants.count()
    assert said == ("organiser", "export_personal_data", f"event {world.slug}", f"entrants.csv: {people}")
