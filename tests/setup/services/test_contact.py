"""How families reach the organiser is a fact of the event, said wherever families read, and needed before new dates are
told."""

import io
from typing import Any

import pypdfium2
import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.utils import translation

from tests.finalists.invited import holders, invited
from tests.mail.noticed import drafted
from tests.messages.mailed import begin, enter, send_all
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.enums import NoticeKind
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.finalists.services.invitations import make_place_links, place_link_token
from tournament.mail.services import notices
from tournament.messages.models import Notice
from tournament.publication.services.files import write_public_files
from tournament.setup.services import changes
from tournament.setup.services.setup import copy_event, create_event, event_as_data, event_setup_digest

pytestmark = [pytest.mark.django_db, pytest.mark.fault("X19")]
CONTACT = "2345 6789 · cup@example.org"


def with_contact(event: Event, by: User) -> Event:
    kept = {name: getattr(event, name) for name in changes.EVENT_FACT_FIELDS}
    facts = {**kept, "contact": CONTACT}
    return changes.change_event(event, revision=event.revision, facts=facts, by=by)


def publish(draft: Notice, by: User) -> Notice:
    return notices.publish_notice(draft, revision=draft.revision, confirmed=None, mail=False, by=by)


def test_it_is_written_at_the_set_up_once_and_in_the_log(event: Event, organiser: User) -> None:
    changed = with_contact(event, organiser)
    assert (with_contact(changed, organiser).revision, changed.contact) == (changed.revision, CONTACT)
    assert AuditEntry.objects.get(action="change_event").reason == f"contact: - > {CONTACT}"


def test_an_event_without_one_reads_as_before_there_were_any(event: Event, organiser: User) -> None:
    before = event_setup_digest(event)
    assert "contact" not in event_as_data(event)
    changed = with_contact(event, organiser)
    assert (event_as_data(changed)["contact"], event_setup_digest(changed) != before) == (CONTACT, True)


def test_a_copy_has_it_too(event: Event, organiser: User) -> None:
    changed = with_contact(event, organiser)
    facts = {"slug": "another", "name_zh": "盃", "name_en": "Cup", "first_day": changed.results_at.date()}
    assert copy_event(changed, by=organiser, **facts).contact == CONTACT
    assert create_event({**event_as_data(changed), "slug": "third"}).contact == CONTACT


def test_new_dates_are_not_told_while_nobody_could_answer(event: Event, organiser: User, signed_in: Any) -> None:
    draft = drafted(event, organiser, kind=NoticeKind.NEW_DATE)
    with pytest.raises(Refused) as refused, translation.override("en"):
        publish(draft, organiser)
    with translation.override("en"):
        assert (refused.value.code, refused.value.status, str(refused.value)) == (
            "contact_missing",
            409,
            "This notice asks families to get in touch, and the event has no contact. Write a telephone, e-mail or "
            "address in the set-up first. Nothing was published.",
        )
    assert Notice.objects.filter(number=None).count() == 1
    client = signed_in(organiser)
    page = f"/desk/hk-2026/notices/{draft.pk}/publish/"
    assert "前往賽事設定填寫" in squeezed(client.get(page).content.decode())
    said = client.post(page, {"revision": "1"})
    assert (said.status_code, "通告未有發出" in squeezed(said.content.decode())) == (409, True)
    with_contact(event, organiser)
    assert "前往賽事設定填寫" not in squeezed(client.get(page).content.decode())
    assert publish(Notice.objects.get(), organiser).number == 1


def test_other_notices_are_told_all_the_same(event: Event, organiser: User) -> None:
    assert publish(drafted(event, organiser, kind=NoticeKind.STOPPED), organiser).number == 1


def test_it_stands_on_public_pages_the_sheet_for_the_door_and_in_the_program_s_answer(
    event: Event, organiser: User, signed_in: Any, settings: Any
) -> None:
    with_contact(event, organiser)
    told = publish(drafted(event, organiser), organiser)
    write_public_files(Event.objects.get())
    files = [
        path.read_text()
        for path in (settings.PUBLIC_ROOT / "hk-2026").rglob("files/*")
        if path.read_bytes()[:15] == b"<!doctype html>"
    ]
    pages = [text for text in files if "notices" in text]
    assert (len(pages) > 3, [text for text in pages if CONTACT not in text]) == (True, [])
    client = signed_in(organiser)
    sheet = client.get(f"/desk/hk-2026/notices/{told.pk}/notice.pdf")
    with pypdfium2.PdfDocument(io.BytesIO(sheet.content)) as document:
        assert f"聯絡 Contact: {CONTACT}" in document[0].get_textpage().get_text_bounded()
    assert CONTACT in squeezed(client.get("/desk/hk-2026/setup/").content.decode())


def test_it_stands_in_the_foot_of_every_mail(event: Event, organiser: User) -> None:
    enter(event, 2)
    with_contact(event, organiser)
    begin(Event.objects.get(), organiser)
    send_all()
    assert [(f"聯絡大會：{CONTACT}" in one.body, f"Contact: {CONTACT}" in one.body) for one in mail.outbox] == [
        (False, True),
        (True, False),
    ]


def test_a_private_link_s_page_has_it(first_session: Session, organiser: User) -> None:
    stage = invited(first_session, organiser)[0]
    link = {one.entrant.number: one for one in make_place_links(stage, by=organiser)}[holders(stage)[0]]
    page = f"/place/{place_link_token(link)}/"
    assert "聯絡大會" not in squeezed(Client().get(page).content.decode())
    with_contact(stage.event, organiser)
    assert f"聯絡大會：{CONTACT}" in squeezed(Client().get(page).content.decode())
