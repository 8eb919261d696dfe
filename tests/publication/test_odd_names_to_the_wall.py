"""Names as lists bring them, from the import to seats, papers, release, pages, letters and certificates.

Each is masked in one way wherever the public reads it (R71), and none of them stops anybody else's paper.
"""

import gzip
import json
import re
import unicodedata
from html import unescape
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.core.finals import add_final, freeze, invented, play_round, seat_round
from tests.entrant_lists import csv_of, sound_row
from tests.reliability.names import every_showing
from tests.sheets.sheets import lock_sheets
from tests.squeezed import squeezed
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.finalists.services import invitations
from tournament.publication.exports.released import read_release
from tournament.publication.services.release import release_results
from tournament.registration.services import importing, importing_preview
from tournament.releases.models import Release
from tournament.seating.services import seating

pytestmark = pytest.mark.django_db
# As they were typed, and what the public may read of each.
NAMES = {
    1: ("陳大文", "CHAN 🐰", "陳*文"),
    2: ("　李　明 ", "LEE\u00a0Ming", "李*"),
    3: ("", "張國榮 CHEUNG Kwok Wing", "張*榮"),
    4: ("\uf914國偉", "LOK Kwok Wai", "\uf914*偉"),
    5: ("黃\u00a0家\u00a0欣", "WONG\u00a0Ka\u00a0Yan", "黃*欣"),
    6: ("葛\U000e0100明", "KOT Ming", "葛*"),
    7: ("王\ufe00小\ufe00明", "WONG Siu Ming", "王*明"),
    8: ("", "HO\u3164Tai\u3164Man", "HO T*** M***"),
    9: ("", "Madonna", "M***"),
    10: ("", "ＦＵＬＬ\u3000Ｗｉｄｔｈ", "FULL W***"),
    11: ("", "CHAN Ngok 🐸", "CHAN N***"),
    12: ("歐陽·大文", "AU-YEUNG Tai Man", "歐***文"),
}
SURNAME, FILLER = len("CHAN"), "\u1160"
ADDRESSES = ("", "en/", "wall/", "1/", "1/en/", "2/", "2/en/", "2/winners/", "2/winners/en/")


@pytest.fixture
def played(first_session: Session, organiser: User) -> Stage:
    """The preliminary of these twelve, imported as an organiser answers, every sheet stamped."""
    event = first_session.stage.event
    rows = [sound_row(number, name_zh=zh, name_en=en) for number, (zh, en, _mask) in NAMES.items()]
    kept = importing.read_file(event, name="list.csv", content=csv_of(rows), by=organiser)
    importing.split_names(kept, row=4, by=organiser)
    for row in {fault.row for fault in importing_preview.build_preview(kept).to_decide}:
        importing.answer_row_question(kept, row=row, accept=True, reason="So on the document.", by=organiser)
    importing.import_file(kept, by=organiser)
    seating.draw_session(first_session, seed=1, by=organiser)
    seating.confirm_session_draw(first_session, revision=1, by=organiser)
    tables = list(first_session.tables.order_by("number"))
    lock_sheets(tables, invented(tables, seed=1), organiser, stamped=True)
    Stage.objects.filter(pk=first_session.stage_id).update(advance=4)
    Event.objects.update(results_at=timezone.now())
    return Stage.objects.get(pk=first_session.stage_id)


def text_of(pdf: bytes) -> str:
    """The text of every page."""
    return "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf))


def plain(text: str) -> str:
    """Letters and digits alone, in one form; a filler, which Unicode calls a letter, is none."""
    spelt = unicodedata.normalize("NFKC", text).casefold().replace(FILLER, "")
    return "".join(letter for letter in spelt if letter.isalnum())


def given_away(text: str) -> list[int]:
    """Whose whole name or given name a public text has, whatever the layout."""
    shown = plain(re.sub(r"<[^>]*>", " ", unescape(text)))
    found = []
    for number, (zh, en, _mask) in NAMES.items():
        chinese, english = plain("".join(re.findall(r"[^\x00-\x7f]", zh))), plain(en)
        given = (chinese, english if len(english) > SURNAME else "", chinese[1:] if len(chinese) > 2 else "")
        found += [number] if any(name and name in shown for name in given) else []
    return found


def public_texts() -> dict[str, str]:
    """Every text that is served: files, packed or not, and pages."""
    texts = {}
    for path in Path(settings.PUBLIC_ROOT).rglob("*"):
        body = path.read_bytes() if path.is_file() else b""
        body = gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body
        if not body.startswith((b"%PDF", b"PK")):
            read = body.decode()
            texts[str(path)] = str(json.loads(read)) if read.startswith("{") else read
    for address in ADDRESSES:
        texts[address] = squeezed(Client().get(f"/p/hk-2026/{address}", follow=True).content.decode())
    return texts


def shown_of(made: Release) -> set[tuple[int, str]]:
    """Number and name in every file of a release; on paper nothing where no font has it."""
    return {(number, name) for _file, number, name in every_showing(read_release(made.content, made.digest)) if name}


@pytest.mark.fault("X15")
def test_each_odd_name_is_masked_in_one_way_from_the_list_to_the_wall_and_stops_nobody(
    played: Stage, organiser: User, signed_in: Any, django_capture_on_commit_callbacks: Any
) -> None:
    desk, masks = signed_in(organiser), {(number, mask) for number, (_zh, _en, mask) in NAMES.items()}
    printed = text_of(desk.get(reverse("session_scoresheets_pdf", args=["hk-2026", 1])).content)
    assert [number for number in NAMES if f"{number:04d}" not in printed] == []
    with django_capture_on_commit_callbacks(execute=True):
        first = release_results(played, by=organiser)
    assert shown_of(first) == masks

    final = add_final(played.event)
    invitations.make_place_links(played, by=organiser)
    letters = text_of(desk.get(reverse("invitation_letters", args=["hk-2026", "final"])).content)
    freeze(final, organiser)
    (last,) = final.sessions.all()
    seat_round(last, organiser)
    play_round(last, organiser)
    with django_capture_on_commit_callbacks(execute=True):
        second = release_results(final, by=organiser)
    assert shown_of(second) == masks
    assert {(one["number"], one["name"]) for one in second.content["podium"]["holders"]} <= masks
    assert len(given_away(letters)) == played.advance
    certified = text_of(desk.post("/desk/hk-2026/final/certificates/", {"kind": "finalists"}).content)
    assert [number for number in NAMES if f"{number:04d}" not in certified] == []
    # On papers of their own names are whole; the two that no font has are there by number, and so stop nobody.
    assert given_away(certified) == [number for number in NAMES if number != 11]

    texts = public_texts()
    assert {name: found for name, text in texts.items() if (found := given_away(text))} == {}
    for holder in second.content["podium"]["holders"]:
        assert [address for address in ("", "wall/") if holder["name"] not in unescape(texts[address])] == []
