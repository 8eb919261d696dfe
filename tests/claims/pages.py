"""What people read of an event, as plain text: pages of the desk, of the public and behind private links."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple

from django.contrib.auth.models import User
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import reverse

from tournament.core.enums import Role, StageKind
from tournament.core.models.event import Event, Membership
from tournament.core.models.stage import Session
from tournament.entrants.models.final import Invitation
from tournament.finalists.services import invitations
from tournament.messages.models import Mailing, Notice
from tournament.releases.models import Release

SILENT = frozenset({"script", "style", "template", "noscript", "dialog"})
# Elements without an end.
VOID = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})


class Read(NamedTuple):
    """A page as text; its address without what comes behind `/desk/<event>/` or `/p/<event>/`."""

    name: str
    text: str


class _Text(HTMLParser):
    """The words that are shown: nothing of scripts, templates and what is hidden."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            above = bool(self._open) and self._open[-1][1]
            self._open.append((tag, above or tag in SILENT or "hidden" in dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            if self._open.pop()[0] == tag:
                return

    def handle_data(self, data: str) -> None:
        if not (self._open and self._open[-1][1]):
            self.words.append(data)


def text_of(html: str) -> str:
    """What a reader sees, its spaces made one."""
    parser = _Text()
    parser.feed(html)
    return re.sub(r"\s+", " ", " ".join(parser.words)).strip()


def pages_of(event: Event, numbers: list[int], touched: Session | None = None) -> Iterator[Read]:
    """Every page that claims something of the event, for those who may do most; `numbers`: entrants whose own pages
    are read too, `touched`: a session whose pages are."""
    yield from _desk(event, numbers, touched)
    yield from _links(event, numbers)
    yield from _public(event)
    yield from _api(event)


def _client(event: Event, role: Role) -> Client:
    user = User.objects.get(pk=Membership.objects.filter(event=event, role=role).order_by("pk")[0].user_id)
    client = Client()
    client.force_login(user)
    client.cookies["django_language"] = "en"
    return client


OF_STAGE = {
    **dict.fromkeys(("standings", "standing", "qualification", "places"), StageKind.PRELIMINARY),
    **dict.fromkeys(("finalists", "podium", "award", "final_standings"), StageKind.FINAL),
}


def _desk(event: Event, numbers: list[int], touched: Session | None) -> Iterator[Read]:
    clients = {role: _client(event, role) for role in (Role.ORGANISER, Role.CHIEF_JUDGE)}
    for role, name, arguments in _addresses(event, numbers, touched):
        answer = clients[role].get(_address(event, name, arguments))
        if answer.status_code == 200:
            yield Read("/".join([name, *map(str, arguments)]), text_of(answer.content.decode()))


def _address(event: Event, name: str, arguments: list[object]) -> str:
    """Of a page of a stage with that stage's name."""
    stage = [OF_STAGE[name]] if name in OF_STAGE else []
    return reverse(name.removeprefix("final_"), args=[event.slug, *stage, *arguments])


def _addresses(event: Event, numbers: list[int], touched: Session | None) -> Iterator[tuple[Role, str, list[object]]]:
    plain = "overview releases standings qualification places seating scoresheets weather mailings notices backup"
    for name in (
        *plain.split(),
        "finalists",
        "podium",
        "award",
        "final_standings",
        "held_items",
        "accounts",
        "telephone_list",
    ):
        yield Role.ORGANISER, name, []
    yield Role.CHIEF_JUDGE, "judge_queue", []
    sessions = list(Session.objects.filter(stage__event=event).order_by("number"))
    own = [touched] if touched and touched not in sessions[:2] else []
    for one in sessions[:2] + [one for one in sessions if one.number > 12 and one not in own][:2] + own:
        yield Role.ORGANISER, "session_seating", [one.number]
        yield Role.ORGANISER, "session_scoresheets", [one.number]
        yield Role.ORGANISER, "session_clock", [one.number]
        for table in one.tables.order_by("number")[:2]:
            yield Role.ORGANISER, "scoresheet", [one.number, table.number]
    for number in numbers:
        yield Role.ORGANISER, "entrant", [number]
        yield Role.ORGANISER, "standing", [number]
    for day in sorted({one.original_date for one in sessions})[:1]:
        yield Role.ORGANISER, "weather_day", [day]
    for mailing in Mailing.objects.filter(event=event).order_by("pk"):
        yield Role.ORGANISER, "mailing", [mailing.pk]
    for notice in Notice.objects.filter(event=event).order_by("pk"):
        yield Role.ORGANISER, "notice", [notice.pk]
    for release in Release.objects.filter(stage__event=event).order_by("number"):
        yield Role.ORGANISER, "release_page", [release.number]


def _links(event: Event, numbers: list[int]) -> Iterator[Read]:
    """The private pages of these."""
    client = Client(headers={"Accept-Language": "en"})
    client.cookies["django_language"] = "en"
    rows = Invitation.objects.filter(entrant__event=event, entrant__number__in=numbers, revoked_at=None)
    for one in rows.select_related("entrant").order_by("entrant__number"):
        answer = client.get(reverse("place", args=[invitations.place_link_token(one)]))
        if answer.status_code == 200:
            yield Read(f"place/{one.entrant.number}", text_of(answer.content.decode()))


def _public(event: Event) -> Iterator[Read]:
    """The English pages for everybody; of the entrants' own pages, some thousand in a real event, the ranking says the
    same."""
    client = Client()
    releases = Release.objects.filter(stage__event=event).order_by("number").values_list("number", flat=True)
    told = Notice.objects.filter(event=event, number__isnull=False).order_by("number").values_list("number", flat=True)
    folders = ["", "notices/", *(f"notices/{number}/" for number in told)]
    for number in releases:
        folders += [f"{number}/", f"{number}/winners/", f"{number}/changes/"]
    for folder in folders:
        answer = client.get(f"/p/{event.slug}/{folder}en/")
        yield Read(f"public/{folder}", text_of(content_of(answer)))
    answer = client.get(f"/p/{event.slug}/current.json")
    if answer.status_code == 200:
        yield Read("public/current.json", content_of(answer))


def _api(event: Event) -> Iterator[Read]:
    """What programs are answered, as JSON."""
    client = _client(event, Role.ORGANISER)
    for address in ("releases/", "standings/"):
        answer = client.get(f"/api/v1/events/{event.slug}/{address}")
        if answer.status_code == 200:
            yield Read(f"api/{address}", content_of(answer))


def content_of(answer: HttpResponseBase) -> str:
    """Of a page, as text."""
    return bytes_of(answer).decode()


def bytes_of(answer: HttpResponseBase) -> bytes:
    """Of an answer that is sent whole or in pieces."""
    content = b"".join(answer) if answer.streaming else answer.content  # type: ignore[attr-defined]
    return bytes(content)
