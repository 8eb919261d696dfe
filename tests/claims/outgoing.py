"""What leaves the house at one moment: the mails that wait, as they would be sent, and the public files of releases.

A file is read as whom it ranks in which order, so that its forms can be held to one another and to the API.
"""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping

import pypdfium2
from django.test import Client
from openpyxl import load_workbook

from tests.claims.pages import Read, bytes_of
from tournament.core.enums import DeliveryState, Language
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.mail.services.mail_texts import message_of
from tournament.messages.models import Delivery
from tournament.releases.models import Release

NUMBER_COLUMN = 2


def outgoing_of(event: Event, numbers: list[int]) -> Iterator[Read]:
    """The mails of these entrants that no server has taken, and the files of every release."""
    yield from _mails(event, numbers)
    yield from _files(event)


def _mails(event: Event, numbers: list[int]) -> Iterator[Read]:
    rows = Delivery.objects.filter(mailing__event=event, state=DeliveryState.WAITING, entrant__number__in=numbers)
    for row in rows.select_related("mailing__event", "mailing__notice", "entrant__person").order_by("pk"):
        row.language = Language.ENGLISH
        try:
            yield Read(f"mail/{row.pk}", " ".join(str(message_of(row).body).split()))
        except Refused:
            continue


def _files(event: Event) -> Iterator[Read]:
    """One that is refused is read as nothing."""
    client = Client()
    for number in Release.objects.filter(stage__event=event).order_by("number").values_list("number", flat=True):
        for name, numbers in FORMS.items():
            answer = client.get(f"/p/{event.slug}/{number}/{name}")
            yield Read(
                f"file/{number}/{name}", " ".join(numbers(bytes_of(answer))) if answer.status_code == 200 else ""
            )


# --- The numbers in the order of a file -----------------------------------------------------------------
def in_csv(content: bytes) -> list[str]:
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    heads = rows.index([]) + 1
    return [row[NUMBER_COLUMN] for row in rows[heads + 1 :]]


def in_xlsx(content: bytes) -> list[str]:
    rows = load_workbook(io.BytesIO(content), read_only=True).worksheets[0].iter_rows(min_row=2, values_only=True)
    return [str(row[NUMBER_COLUMN]) for row in rows]


def in_json(content: bytes) -> list[str]:
    told = json.loads(content)
    return [f"{one['number']:04d}" for one in (*told["ranking"], *told["unranked"])]


def in_pdf(content: bytes) -> list[str]:
    """Only that it is a document of at least a page: its text has no order."""
    return ["pages"] if len(pypdfium2.PdfDocument(content)) else []


FORMS: Mapping[str, Callable[[bytes], list[str]]] = {
    "ranking.csv": in_csv,
    "ranking.xlsx": in_xlsx,
    "ranking.json": in_json,
    "ranking.pdf": in_pdf,
}
