"""Unreleased figures are nowhere in public (Q14): sentinels, and two worlds that must look
alike."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client

from tests.guards_lifted import lifted
from tests.sheets.sheets import GAMES, add_entrants, draw, lock_sheets, mirrored_tables
from tests.stages.deciding import draw_lots
from tournament.core.enums import EntrantStatus, SheetState
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant, Person
from tournament.publication.services.files import write_public_files
from tournament.publication.services.release import release_results
from tournament.sheets.models.scoresheet import Line, Scoresheet
from tournament.sheets.models.signing import Stamp

pytestmark = pytest.mark.django_db
ANNOUNCED = datetime.fromisoformat("2026-04-09T00:00:00+08:00")
FILES = ("", "en/", "ranking.xlsx", "ranking.csv", "ranking.pdf", "ranking.json", "current.json", "nothing")
FOLDERS = ("/p/", "/p/hk-2026/", "/p/hk-2026/1/", "/p/hk-2026/2/", "/p/other/")
DOORS = (
    "/",
    "/robots.txt",
    "/sitemap.xml",
    "/favicon.ico",
    "/sign-in/",
    "/desk/",
    "/desk/hk-2026/",
    "/desk/hk-2026/preliminary/ranking/",
    "/desk/hk-2026/preliminary/qualification/",
    "/desk/hk-2026/releases/",
    "/desk/hk-2026/releases/1/",
    "/desk/hk-2026/entrants/",
    "/desk/hk-2026/scoresheets/1/1/",
    "/desk/hk-2026/scoresheets/scoresheets.pdf",
    "/desk/other/preliminary/ranking/",
    "/static/img/joker.svg",
    "/media/",
    "/api/schema/",
)
TOKEN = re.compile(rb'(name="csrfmiddlewaretoken" value=")[^"]*')


def addresses(root: Path) -> list[str]:
    """Every address that any manifest names, those that one might try, and the doors of the desk."""
    named = {path for manifest in root.rglob("manifest.json") for path in json.loads(manifest.read_bytes())["paths"]}
    tried = {folder + name for folder in FOLDERS for name in FILES}
    return sorted({path for path in named if path.startswith("/")} | tried | set(DOORS))


def answers(root: Path) -> dict[tuple[str, str, str], tuple[int, tuple[tuple[str, str], ...], bytes]]:
    """What a visitor gets for each method and address at one moment: status, heads, body; tokens of forms aside."""
    with time_machine.travel(ANNOUNCED, tick=False):
        return dict(asked(addresses(root)))


def asked(paths: list[str]) -> Iterator[tuple[tuple[str, str, str], tuple[int, tuple[tuple[str, str], ...], bytes]]]:
    """Each address by each method."""
    for path in paths:
        for method, encoding in (("GET", ""), ("GET", "gzip"), ("HEAD", ""), ("OPTIONS", ""), ("POST", "")):
            answer = Client().generic(method, path, headers={"accept-encoding": encoding})
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            yield (
                (method, encoding, path),
                (answer.status_code, tuple(sorted(answer.headers.items())), TOKEN.sub(rb"\1", body)),
            )


def texts(root: Path) -> Iterator[str]:
    """All that can be read in any answer: heads, bodies, the parts of a workbook, the text of a PDF."""
    for (_method, encoding, path), (_status, heads, body) in answers(root).items():
        yield f"{path} {heads}"
        if encoding:
            continue
        yield body.decode("utf-8", "replace")
        if body.startswith(b"PK"):
            with zipfile.ZipFile(io.BytesIO(body)) as parts:
                yield from (parts.read(name).decode("utf-8", "replace") for name in parts.namelist())
        if body.startswith(b"%PDF"):
            document = pypdfium2.PdfDocument(body)
            yield from (page.get_textpage().get_text_range() for page in document)


def found_in_public(root: Path, sentinels: list[str]) -> list[str]:
    """The sentinels that a visitor can read anywhere."""
    whole = "\n".join(texts(root))
    return [sentinel for sentinel in sentinels if sentinel in whole]


def give_sentinels() -> list[str]:
    """Names, phones and addresses that stand nowhere else."""
    for person in Person.objects.all():
        mark = f"{person.pk:03d}"
        person.name_zh, person.name_en = f"秘{chr(0x4E00 + person.pk % 20_000)}密", f"SECRET Zq{mark}x Wy{mark}v"
        person.phone, person.email, person.school = f"+8529{mark}7777", f"zq{mark}@secret.example", f"Zqschool{mark}"
        person.save()
    return [
        text
        for person in Person.objects.all()
        for text in (person.name_zh, person.name_en.split()[1], person.phone, person.email, person.school)
    ]


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    mirrored_tables(first_session, organiser, advance=3)
    return first_session.stage


def more_results(stage: Stage, by: User) -> None:
    """Another session: drawn, two sheets locked, one of them stamped, a draft, an absence, other totals."""
    session = stage.sessions.get(number=2)
    entrants = add_entrants(session, range(8701, 8713))
    tables = draw(session, [entrants[:4], entrants[4:8], entrants[8:]], by)
    sheets = lock_sheets(tables[:2], [GAMES, GAMES], by)
    with lifted():
        Stamp.objects.filter(scoresheet=sheets[0]).delete()
        Line.objects.filter(entrant__number=8701, game__number=1).update(points_twelfths=94_212, tiles=87)
    Scoresheet.objects.create(table=tables[2], state=SheetState.DISPUTED, typed={"games": [{"points": "8791"}]})
    Entrant.objects.filter(number=8712).update(status=EntrantStatus.WITHDRAWN)


def test_before_a_release_no_name_number_or_figure_can_be_read(
    event: Event, stage: Stage, organiser: User, settings: Any
) -> None:
    more_results(stage, organiser)
    sentinels = give_sentinels()
    write_public_files(event)
    figures = ["8701", "8712", "7851", "145/6", "72 1/2", "8791", "0328-2"]
    assert found_in_public(settings.PUBLIC_ROOT, [*sentinels, *figures]) == []


@pytest.mark.long
def test_a_release_shows_masked_names_and_numbers_and_nothing_more_of_a_person(
    event: Event,
    stage: Stage,
    organiser: User,
    chief_judge: User,
    settings: Any,
    django_capture_on_commit_callbacks: Any,
) -> None:
    sentinels = give_sentinels()
    for account, name in ((organiser, "Zqorganiser"), (chief_judge, "Zqjudge")):
        account.username = account.first_name = name
        account.save()
    facts = {"tied": ["0002", "0006"], "places": 1, "witnesses": "Zqwitness Lam", "reason": "As agreed by both."}
    draw_lots(stage, "line", chief_judge, **facts)
    with django_capture_on_commit_callbacks(execute=True):
        release_results(stage, by=organiser, now=ANNOUNCED)
    assert found_in_public(settings.PUBLIC_ROOT, [*sentinels, "SECRET", "Zqwitness", "Zqorganiser", "Zqjudge"]) == []
    assert found_in_public(settings.PUBLIC_ROOT, ["秘*密", "0006", "145/6", "As agreed by both."]) == [
        "秘*密",
        "0006",
        "145/6",
        "As agreed by both.",
    ]


@pytest.mark.long
@pytest.mark.parametrize("released", [False, True])
def test_two_worlds_with_the_same_releases_look_alike_to_a_visitor(
    event: Event, stage: Stage, organiser: User, settings: Any, released: bool, django_capture_on_commit_callbacks: Any
) -> None:
    Stage.objects.filter(pk=stage.pk).update(advance=4)
    stage.refresh_from_db()
    write_public_files(event)
    unreleased = answers(settings.PUBLIC_ROOT)
    if released:
        with django_capture_on_commit_callbacks(execute=True):
            release_results(stage, by=organiser, now=ANNOUNCED)
    before = answers(settings.PUBLIC_ROOT)
    assert (before != unreleased) is released  # the comparison sees what it must see
    more_results(stage, organiser)
    give_sentinels()
    with lifted():
        Stamp.objects.filter(scoresheet__table__number=1).delete()
    write_public_files(event, anew=True)
    after = answers(settings.PUBLIC_ROOT)
    assert [key for key in before if before[key] != after.get(key)] == []
    assert before.keys() == after.keys()


@pytest.mark.long
def test_what_an_official_has_looked_at_does_not_reach_the_next_visitor(
    event: Event, stage: Stage, organiser: User, settings: Any, signed_in: Any
) -> None:
    write_public_files(event)
    before = answers(settings.PUBLIC_ROOT)
    staff = signed_in(organiser)
    warm = [staff.get(path) for path in addresses(settings.PUBLIC_ROOT)]
    assert [answer.status_code for answer in warm if b"CHAN Tai1 Man" in b"".join(answer)] != []
    assert answers(settings.PUBLIC_ROOT) == before
