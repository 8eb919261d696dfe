"""Every text that a person typed and the public can read passes the gate: found by planting, held as a list."""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import DatabaseError, models, transaction

from tests.guards_lifted import lifted
from tests.mail.noticed import drafted
from tests.publication.services.test_release_final import decide
from tests.sheets.sheets import mirrored_tables
from tests.sheets.test_word_table import WordTable
from tests.stages import podiums
from tournament.core.enums import DecisionOf, TieMethod
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.mail.services import notices
from tournament.messages.services.published_text import PUBLISHED_FIELD_LABELS
from tournament.publication.services.files import write_public_files
from tournament.publication.services.release import release_results
from tournament.stages.services.decisions import decide_tie

pytestmark = pytest.mark.django_db
EVENING = datetime.fromisoformat("2026-04-11T18:00:00+08:00")
# Field of the row: under which name its text passes services.published_text.
GATED = {
    "Event.name_zh": "name_zh",
    "Event.name_en": "name_en",
    "Event.venue_zh": "venue_zh",
    "Event.venue_en": "venue_en",
    "Event.contact": "contact",
    "Stage.name_zh": "stage_name_zh",
    "Stage.name_en": "stage_name_en",
    "Notice.title_zh": "title_zh",
    "Notice.title_en": "title_en",
    "Notice.body_zh": "body_zh",
    "Notice.body_en": "body_en",
    "TieBreak.reason": "reason",
    "Turn.own": "own",
    "Turn.rearranged": "rearranged",
}
OF_TURNS = {"Turn.own", "Turn.rearranged"}
# The seed of lots: made by the program, of a public value that passes the gate.
SEEDS = {"TieBreak.seed"}
# Figures and words of the program, not of people; names are masked (tests of tournament/core/names.py).
NOT_TYPED = re.compile(
    r"digest|hash|slug|claim|nonce|code_|token|_key$|^key$|username|password|^kind$|^qualifying$|^codename$"
)
NAMES = {"Person.name_zh", "Person.name_en"}


def typed_fields() -> Iterator[tuple[type[models.Model], models.Field]]:
    """Every field of the program's tables that a person may fill with words."""
    for model in apps.get_app_config("tournament").get_models():
        for field in model._meta.concrete_fields:
            text = isinstance(field, models.CharField | models.TextField) and not field.choices
            if text and not NOT_TYPED.search(field.name) and f"{model.__name__}.{field.name}" not in NAMES:
                yield model, field


def plant(without: str = "") -> dict[str, str]:
    """A word of its own into each of them in every row that is there; by word the field."""
    planted = {}
    for place, (model, field) in enumerate(typed_fields()):
        word = f"ztq{chr(97 + place // 26)}{chr(97 + place % 26)}x"
        if f"{model.__name__}.{field.name}" == without:
            continue
        for row in model.objects.all():
            try:
                with transaction.atomic():
                    model.objects.filter(pk=row.pk).update(**{field.name: word})
            except DatabaseError:
                continue
            planted[word] = f"{model.__name__}.{field.name}"
    return planted


def public_text(root: Path) -> str:
    """All that the public's files say, PDFs as their text."""
    said = []
    for path in root.rglob("files/*"):
        body = path.read_bytes()
        if body.startswith(b"%PDF"):
            said += [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(body)]
        elif not body.startswith(b"\x1f\x8b"):
            said.append(body.decode("utf-8", "replace"))
    return "\n".join(said)


def published_fields(planted: dict[str, str], root: Path) -> set[str]:
    """The fields whose word stands in what the public reads."""
    words = set(re.findall(r"ztq[a-z]{2}x", public_text(root)))
    return {planted[word] for word in words}


def publish_all(stage: Stage, by: User) -> None:
    """A notice, the release, and their files."""
    for draft in stage.event.notices.all():
        notices.publish_notice(draft, revision=draft.revision, confirmed=None, mail=False, by=by)
    release_results(stage, by=by, now=EVENING)
    write_public_files(Event.objects.get(pk=stage.event_id))


def test_every_typed_text_that_a_release_of_a_preliminary_and_a_notice_publish_passes_the_gate(
    first_session: Session, organiser: User, chief_judge: User, settings: Any
) -> None:
    mirrored_tables(first_session, organiser, advance=3)
    stage = first_session.stage
    drafted(stage.event, organiser)
    decide_tie(
        stage,
        of="line",
        tied=["0002", "0006"],
        places=1,
        method="pick",
        admitted=["0006"],
        reason="As agreed.",
        by=chief_judge,
    )
    with lifted():
        planted = plant()
    publish_all(Stage.objects.get(pk=stage.pk), organiser)
    found = published_fields(planted, settings.PUBLIC_ROOT)
    assert found - SEEDS == set(GATED) - OF_TURNS
    assert set(GATED.values()) <= set(PUBLISHED_FIELD_LABELS)


def test_every_typed_text_that_a_release_of_a_final_publishes_passes_the_gate(
    first_session: Session, organiser: User, chief_judge: User, settings: Any
) -> None:
    final = podiums.level_final(first_session, organiser)
    podiums.make_families_level(final.event)
    decide(final, chief_judge)
    order = {"method": TieMethod.PICK, "order": ["F1"], "reason": "By the runs."}
    decide_tie(final, of=DecisionOf.AWARD, tied=["F1", "F2"], places=1, by=chief_judge, **order)
    with lifted():
        planted = plant(without="Family.code")  # the decision of the award is about these codes
    publish_all(Stage.objects.get(pk=final.pk), organiser)
    found = published_fields(planted, settings.PUBLIC_ROOT)
    assert found - SEEDS == {
        "Event.name_zh",
        "Event.name_en",
        "Event.venue_zh",
        "Event.venue_en",
        "Event.contact",
        "Stage.name_zh",
        "Stage.name_en",
        "TieBreak.reason",
    }


def test_every_typed_text_that_a_release_of_sheets_of_turns_publishes_passes_the_gate(settings: Any, db: None) -> None:
    at = WordTable()
    at.certify()
    with lifted():
        planted = plant()
    publish_all(Stage.objects.get(pk=at.session.stage_id), at.organiser)
    found = published_fields(planted, settings.PUBLIC_ROOT)
    assert found == {field for field in GATED if field.startswith(("Event.", "Stage."))} | OF_TURNS
