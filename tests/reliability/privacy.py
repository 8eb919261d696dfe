"""Q20: personal values planted through the product's own doors, an erasure, and a search for what is left of them.

A value is looked for as text and as JSON writes it, in every row and in every file, gzipped and mailed ones opened.
"""

import gzip
import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from openpyxl import Workbook

from tests.conftest import event_data
from tests.mail.noticed import drafted
from tests.recorded import recorded
from tests.reliability.privacy_names import Names, Planted
from tests.sheets.drawing import packed, strokes, tablet
from tests.sheets.tables import paper, settle
from tests.small_event import HEADS, workbook
from tests.small_event import event_data as small_event_data
from tournament.accounts.services import accounts, proposals
from tournament.api import services as tokens
from tournament.audit import services as audit
from tournament.core.enums import BounceKind, FamilyRole, MailingKind, QuarantineReason, Role, StageKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.demo.stages import seed_event
from tournament.devices.models.device import QuarantinedSubmission
from tournament.devices.services.acting import ActingAccount
from tournament.entrants.models.final import Invitation
from tournament.entrants.models.people import Entrant, Family, Person
from tournament.mail.domain.recipients import recipients_of_results
from tournament.mail.services import bounces, mailings_sending
from tournament.messages.models import Delivery
from tournament.messages.services import mailings
from tournament.operations.services import erasure, subject_copy
from tournament.operations.services.erasure_scope import ErasureScope
from tournament.publication.services.files import write_public_files
from tournament.registration.services import changes, importing
from tournament.releases.models import Release
from tournament.setup.services import setup
from tournament.sheets.models.signing import Drawing
from tournament.sheets.services import scans
from tournament.tables.models import Table
from tournament.tablets.services import conduct, held
from tournament.tablets.services.held import OutboxItem

CONTACTS = ("phone", "email", "school", "guardian")
MORE_HEADS = ("電話", "電郵", "學校", "監護人")
PEOPLE = 30
# Of this one a call and its answer tell, which the log has as well: they stay, and the dry run says so.
NAMED_FOR_GOOD = 308
CHANGED = 5
WAITING = 3
FOLDERS = ("mail", "public", "scans", "subjects")
OTHER = "other-2026"
LONG_AGO = date(2020, 1, 1)


# --- Planted --------------------------------------------------------------------------------------------
def plant(folder: Path, seed: int = 1) -> tuple[list[Event], list[Planted]]:
    """Two events, one released and one in the middle; every value with its door."""
    names = Names(seed)
    planted = list(listed(folder, names))
    event = seed_event("awarded", 2, folder)
    accounts.create_account(event, "planter", "long enough for a test", "planter", [Role.ORGANISER])
    by = User.objects.get(username="planter")
    write_public_files(event)
    planted += [*changed(event, names, by), *proposed(event, names, by), *waiting(event, names, by)]
    planted += [*linked(event), *drafts(event, names, by), *scanned(event, names, by), *mailed(event, names, by)]
    asked = Entrant.objects.select_related("person", "event", "session", "family").get(event=event, number=2)
    subject_copy.write_subject_copy(asked, subject_copy.default_path(asked), by=by)
    other = setup.create_event(event_data() | {"slug": OTHER})
    planted += at_a_tablet(other, names)
    with transaction.atomic():
        for each in (event, other):
            Event.objects.filter(pk=each.pk).update(retention_on=LONG_AGO)
            audit.append_audit_entry(each, by, "change_event", f"event {each.slug}")
    return list(Event.objects.order_by("slug")), planted


def listed(folder: Path, names: Names) -> Iterator[Planted]:
    """The list that the event is seeded with: of the first so many people every column has a value of its own."""
    data = small_event_data()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "event.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    book = workbook(data)
    sheet = book.active
    for place, head in enumerate(MORE_HEADS, start=len(HEADS) + 1):
        sheet.cell(1, place, head)
    for row in range(2, PEOPLE + 2):
        zh, en, contacts = names.chinese(), f"{names.word()} {names.word()}", names.contacts()
        for place, text in enumerate((zh, en), start=2):
            sheet.cell(row, place, text)
        for place, text in enumerate(contacts, start=len(HEADS) + 1):
            sheet.cell(row, place, text)
        yield from (Planted(text, "list") for text in (zh, *en.split(), *contacts))
    book.save(folder / "entrants.xlsx")


def changed(event: Event, names: Names, by: User) -> Iterator[Planted]:
    """Contact data corrected at the desk; what stood there before was planted by the list."""
    for entrant in Entrant.objects.filter(event=event, number__lte=CHANGED).select_related(
        "person", "session", "family"
    ):
        phone, email, *_others = names.contacts()
        changes.change_person(
            entrant, revision=entrant.revision, cells={"phone": phone, "email": email}, reason="asked", by=by
        )
        yield from (Planted(text, "correction") for text in (phone, email))


def proposed(event: Event, names: Names, by: User) -> Iterator[Planted]:
    """A change that waits for a second person."""
    name = names.chinese()
    payload = {"name_zh": name}
    proposals.open_new_proposal(
        event, act="change_entrant", subject="entrant 0009", payload=payload, seen="1", reason="x", by=by
    )
    yield Planted(name, "proposal")


def waiting(event: Event, names: Names, by: User) -> Iterator[Planted]:
    """A list that nobody imported."""
    heads = ("中文姓名", "英文姓名", "出生日期", "場次", "電話", "電郵")
    book = Workbook()
    book.active.append(heads)
    for _ in range(WAITING):
        phone, email, *_others = names.contacts()
        row = (names.chinese(), names.word(), "2012-03-04", "1", phone, email)
        book.active.append(row)
        yield from (Planted(text, "preview") for text in (row[0], row[1], phone, email))
    file = Path(settings.VAR_DIR) / "list.xlsx"
    book.save(file)
    name = names.word()
    importing.read_file(event, name=f"{name}.xlsx", content=file.read_bytes(), by=by)
    file.unlink()
    yield Planted(name, "preview's name")


def linked(event: Event) -> Iterator[Planted]:
    """What the private links are made from."""
    nonces = Invitation.objects.filter(stage__event=event).values_list("nonce", flat=True)
    yield from (Planted(nonce, "private link") for nonce in nonces)


def drafts(event: Event, names: Names, by: User) -> Iterator[Planted]:
    """A notice that nobody published."""
    for _ in range(3):
        name = names.chinese()
        drafted(event, by, body_zh=f"請{name}聯絡大會。")
        yield Planted(name, "draft")


def scanned(event: Event, names: Names, by: User) -> Iterator[Planted]:
    """Scans with what is written on the paper."""
    for table in Table.objects.filter(session__stage__event=event).order_by("pk")[:3]:
        word = names.word(20)
        content = f"%PDF-1.4 {word} %%EOF".encode()
        scans.attach_scan_to_table(table, content=content, by=by, request_key=f"scan-{table.pk}")
        yield Planted(word, "scan")


def mailed(event: Event, names: Names, by: User) -> Iterator[Planted]:
    """Mails as files: what they say is planted by their addresses, which are the list's; and what came back."""
    release = Release.objects.filter(stage__event=event, stage__kind=StageKind.PRELIMINARY).order_by("-number")[0]
    found = recipients_of_results(release).found
    subject = f"release {release.number}"
    mailings.start_mailing(event, MailingKind.RESULTS, subject, found, confirmed=len(found), by=by, rate=1000)
    while mailings_sending.send_some("planter", 5):
        pass
    for row in Delivery.objects.filter(mailing__subject=subject).select_related("mailing").order_by("pk")[:3]:
        name = names.word(20)
        bounces.record_bounce(
            row, BounceKind.HARD, code="5.1.1", words=f"550 {name} <{row.address}> has no mailbox here"
        )
        yield Planted(name, "report of a mail")


def at_a_tablet(event: Event, names: Names) -> list[Planted]:
    """Signatures that were drawn, and what a tablet brought late."""
    people = [
        accounts.create_account(event, f"p{role.value}", "long enough for a test", role.value, [role]) for role in Role
    ]
    by = people[0]
    session = Session.objects.get(stage__event=event, number=1)
    tables = settle(session, by, [4, 4])
    with recorded(event):
        for person in Person.objects.filter(entrant__event=event):
            person.name_zh, person.name_en = names.chinese(), f"{names.word()} {names.word()}"
            person.save()
    device = tablet(tables[0], by, by)
    packed(tables[0], device, by)
    said = names.chinese()
    signed = [{"letter": one, "strokes": strokes(50 + "ABCD".index(one))} for one in "ABCD"]
    body = {"referee": by.pk, "made_at": "2026-03-28T03:00:00Z", "reason": said, "signatures": signed}
    held.quarantine_items(device, [OutboxItem("late-1", "package", 1, 1, 0, body)], QuarantineReason.LATE)
    drawn = [bytes(one.strokes) for one in Drawing.objects.filter(signature__entrant__event=event)]
    sealed = [bytes(one.sealed or b"") for one in QuarantinedSubmission.objects.filter(event=event)]
    typed = [*told_of(tables[1], by), *family(event, names)]
    known = Entrant.objects.filter(event=event).exclude(number=NAMED_FOR_GOOD)
    rows = Person.objects.filter(entrant__in=known).values_list("name_zh", "name_en")
    texts = [text for zh, en in rows for text in (zh, *en.split())]
    return [
        *(Planted(text, "row") for text in texts),
        *(Planted(one, "signature") for one in drawn),
        *(Planted(one, "held item") for one in [said, *sealed]),
        *typed,
    ]


def told_of(table: Table, by: User) -> Iterator[Planted]:
    """Texts that name who sits there: a scoresheet's remark by the API, which keeps its answer, and a token's name;
    of one also a call and its answer, which are never looked for, since they stay."""
    first, second, *_others, last = [seat.entrant.person for seat in table.seats.select_related("entrant__person")]
    _row, text = tokens.make_token(by, name=f"{second.name_zh} 平板")
    body = {"form": "paper", "typed": paper(), "confirmations": {"missing": f"{first.name_zh}遲到"}}
    address = f"/api/v1/events/{OTHER}/sessions/1/scoresheets/{table.number}/"
    headers = {"Authorization": f"Bearer {text}", "Idempotency-Key": "planted", "If-Match": '"v0"'}
    client = Client(SERVER_NAME="localhost", raise_request_exception=True)
    answer = client.generic("PUT", address, json.dumps(body), content_type="application/json", headers=headers)
    assert answer.status_code == 200, answer.content
    call = conduct.call_judge(table, reason=f"{last.name_zh}離枱", letter="D", acting=ActingAccount(by, "call"))
    conduct.answer_judge_call(call, answer=f"警告{last.name_zh}", by=by, request_key="answered")
    yield Planted(first.name_zh, "remark and answer of the API")
    yield Planted(second.name_zh, "token")


def family(event: Event, names: Names) -> Iterator[Planted]:
    """A code that is a name."""
    with recorded(event):
        made = Family.objects.create(event=event, code=f"{names.chinese()}家")
        for number, role in ((301, FamilyRole.PARENT), (302, FamilyRole.CHILD)):
            Entrant.objects.filter(event=event, number=number).update(family=made, family_role=role)
    yield Planted(made.code, "family")


def stays_by_design(events: Sequence[Event]) -> int:
    """What the dry run tells of that stays: entries of the log that name somebody, and the rows held to them."""
    plans = [erasure.plan_erasure(ErasureScope(event)) for event in events]
    return sum(len(plan.entries) + sum(len(one.things) for one in plan.texts) for plan in plans)


# --- Looked for -----------------------------------------------------------------------------------------
def forms(text: str | bytes) -> tuple[bytes, ...]:
    """As it may stand in a file: as it is, and as JSON escapes it."""
    if isinstance(text, bytes):
        return (text,)
    return tuple({text.encode(), json.dumps(text)[1:-1].encode()})


def found_in(parts: Sequence[bytes], planted: Sequence[Planted]) -> set[Planted]:
    """Which of them stand in any of these."""
    whole = b"\0".join(parts)
    return {one for one in planted if any(form in whole for form in forms(one.text))}


def rows() -> list[bytes]:
    """Every cell of every table."""
    parts = []
    for model in apps.get_models():
        for values in model._base_manager.values_list():
            parts += [cell(value) for value in values if value not in (None, "", b"")]
    return parts


def cell(value: Any) -> bytes:
    if isinstance(value, (bytes, memoryview)):
        return bytes(value)
    return json.dumps(value, ensure_ascii=False, default=str).encode()


def files(folder: Path) -> list[bytes]:
    """Every file below the folder; gzipped ones and mails opened as well."""
    parts = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            body = path.read_bytes()
            parts += [path.name.encode(), body, *opened(path, body)]
    return parts


def opened(path: Path, body: bytes) -> Iterator[bytes]:
    """What is inside; a pack is many gzipped pages, one behind another."""
    if path.suffix == ".eml":
        message = message_from_bytes(body, policy=policy.default)
        yield str(message["To"]).encode()
        yield from (part.get_payload(decode=True) or b"" for part in message.walk() if not part.is_multipart())
    elif body[:2] == b"\x1f\x8b":
        yield gzip.decompress(body)


# --- Erased ---------------------------------------------------------------------------------------------
def erase_all(events: Sequence[Event]) -> None:
    """Every event by its date."""
    for event in events:
        erasure.erase_event_data(event, by=None)


def forgetting(name: str) -> Any:
    """Whoever erases forgets one kind."""
    return contextmanager(_forgetting)(name)


def _forgetting(name: str) -> Iterator[None]:
    whole = erasure.ERASURE_KINDS
    erasure.ERASURE_KINDS = tuple(kind for kind in whole if kind.name != name)
    try:
        yield
    finally:
        erasure.ERASURE_KINDS = whole


class Undone(Exception):
    """What was done to see what an eraser forgets is taken back."""


def forgotten(events: Sequence[Event], planted: Sequence[Planted], name: str) -> set[Planted]:
    """What is left where this kind is forgotten; rows and files are as before afterwards."""
    folder = Path(settings.VAR_DIR)
    kept = folder.with_name(folder.name + "-kept")
    shutil.copytree(folder, kept, ignore=shutil.ignore_patterns("*.sqlite3*"))
    left: set[Planted] = set()
    try:
        with transaction.atomic(), forgetting(name):
            erase_all(events)
            left = found_in([*rows(), *files_beside(folder)], planted)
            raise Undone
    except Undone:
        pass
    finally:
        put_back(kept, folder)
    return left


def files_beside(folder: Path) -> list[bytes]:
    """The files that are not the database's."""
    return [part for name in FOLDERS if (folder / name).is_dir() for part in files(folder / name)]


def put_back(kept: Path, folder: Path) -> None:
    """The folder's files as they were."""
    for path in kept.iterdir():
        if path.is_dir():
            shutil.rmtree(folder / path.name, ignore_errors=True)
            shutil.copytree(path, folder / path.name)
    shutil.rmtree(kept)


def settings_of(var: Path) -> dict[str, Any]:
    """An installation in a folder of its own, whose mails are files."""
    return {
        "VAR_DIR": var,
        "PUBLIC_ROOT": var / "public",
        "EMAIL_BACKEND": "tournament.mail.adapters.mail_files.MailFileBackend",
        "EMAIL_FILE_PATH": str(var / "mail"),
        "SITE_URL": "https://tournament.example",
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
    }
