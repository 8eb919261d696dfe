"""Names in texts that people typed: every typed column is known, and each says whether an erasure may change it."""

from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import models
from django.utils import timezone, translation

from tests.publication.test_published_fields import NAMES, typed_fields
from tests.reliability.tampering import by_script
from tests.sheets.tables import paper, settle
from tournament.api import services
from tournament.api.models import ApiToken
from tournament.core.enums import IncidentKind
from tournament.core.models.event import Event
from tournament.core.models.job import Job
from tournament.core.models.stage import Session
from tournament.devices.services.acting import ActingAccount
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant
from tournament.operations.services import erasure, erasure_kinds, erasure_texts
from tournament.operations.services.audit_verification import verify_events
from tournament.operations.services.erasure_scope import ErasureScope
from tournament.ranking.models.tie_break import TieBreak
from tournament.sheets.models.conduct import JudgeCall
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.services import scoresheets
from tournament.tables.models import Table
from tournament.tablets.services import conduct

pytestmark = pytest.mark.django_db
# Column: the kind that erases it.
OF_A_KIND = {
    **dict.fromkeys(("Person.phone", "Person.email", "Person.school", "Person.guardian", "Person.salt"), "people"),
    **dict.fromkeys(("Person.former_names", "Entrant.fee"), "people"),
    **dict.fromkeys(("EntrantFile.name", "EntrantFile.rows", "EntrantFile.decisions"), "lists"),
    **dict.fromkeys(("PrintedContent.salt", "PrintedContent.content"), "papers"),
    **dict.fromkeys(("Delivery.address", "Delivery.answer", "Delivery.bounce_words"), "mails"),
    "Drawing.salt": "drawings",
    "QuarantinedSubmission.body": "held_items",
    "Proposal.payload": "proposals",
    "RequestKey.answer": "answers",
    "Release.content": "releases",
}
# The log, of which the dry run names every entry, and why somebody was erased, which is refused with a name in it.
TOLD_APART = {"AuditEntry.reason", "Erasure.reason"}
# What the program writes, figures and references.
NOT_OF_PEOPLE = {
    *("AuditEntry.payload", "AuditEntry.details", "AuditHead.salt"),
    *("AuditEntry.prev", "AuditEntry.action", "AuditEntry.subject", "RequestKey.scope", "RequestKey.fingerprint"),
    *(
        "QuarantinedSubmission.act",
        "QuarantinedSubmission.refusal",
        "ClockEvent.letter",
        "Line.rack",
        "LinkTry.source",
        "EntrantFile.encoding",
    ),
    *(
        "Job.subject",
        "Job.sentence",
        "Job.payload",
        "Worker.name",
        "Mailing.subject",
        "Mailing.trouble",
        "Mailing.ended",
    ),
    *("Delivery.bounce_code", "BounceReading.trouble"),
    *("Delivery.message_id", "Delivery.also", "Delivery.facts", "Proposal.act", "Proposal.subject", "Proposal.seen"),
    *("Scan.sha256", "Signature.letter", "WeatherReading.why", "WeatherSignal.family", "WeatherSignal.code"),
    *("WeatherSignal.action", "WeatherDecision.evidence", "SessionMove.before", "SessionMove.after", "Stage.ruleset"),
    *("Stage.name_zh", "Stage.name_en"),
    *(
        "Forfeiture.numbers",
        "Draw.could_not",
        "Draw.last_move",
        "SheetPrint.seats",
        "Pairing.tables",
        "Scoresheet.typed",
    ),
    *("Scoresheet.values_by", "Erasure.counts", "TieBreak.tied", "TieBreak.order"),
    *("TieBreak.play_off", "LotsAnnouncement.tied", "Notice.sessions", "TieBreak.tied"),
    *("TieBreak.admitted", "TieBreak.order", "TieBreak.play_off", "Release.sheets", "Release.people"),
    *("DoubleEntry.typed", "DoubleEntry.choices", "Epoch.mark", "Unlock.locked"),
    # Letters of the box alone: the rules read them.
    *("Turn.own", "Turn.rearranged"),
}


def data_fields() -> set[str]:
    """Every column of the program's tables that holds data with texts in it."""
    return {
        f"{model.__name__}.{field.name}"
        for model in apps.get_app_config("tournament").get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, models.JSONField)
    }


def test_every_column_that_a_person_may_fill_is_erased_renamed_or_told() -> None:
    typed = {f"{model.__name__}.{field.name}" for model, field in typed_fields()} - NAMES
    known = [*map(str, erasure_texts.PERSONAL_TEXT_COLUMNS), *OF_A_KIND, *TOLD_APART, *NOT_OF_PEOPLE]
    assert sorted(known) == sorted(typed | data_fields())
    assert set(OF_A_KIND.values()) <= {kind.name for kind in erasure_kinds.ERASURE_KINDS}


# --- A table at which much was said of one -----------------------------------------------------------------
@pytest.fixture
def table(first_session: Session, organiser: User) -> Table:
    """Two tables, 0301 to 0304 and 0305 to 0308, of whom two are called alike but for one character."""
    first, _second = settle(first_session, organiser, [4, 4])
    for number, name_zh, name_en, phone in (
        (301, "韓堯舜", "HON Xylo Wexford", "+85261234567"),
        (302, "何禹", "HO Quill Brixton", ""),
        (303, "何禹湯", "HO Jorvik Tansy", ""),
    ):
        person = Entrant.objects.get(number=number).person
        person.name_zh, person.name_en, person.phone = name_zh, name_en, phone
        person.save()
    return first


@pytest.fixture
def said(table: Table, referee: User, organiser: User) -> Table:
    """Of 0301 in every way in which a text is kept."""
    event = table.session.stage.event
    conduct.warn_entrant(table, letter="A", game=1, reason="韓　堯舜 spoke", acting=ActingAccount(referee, "w"))
    told: dict[str, Any] = {"kind": IncidentKind.EXPOSED_TILE, "game": 1, "letter": "B"}
    conduct.record_incident(table, **told, note="pushed by wexford xylo hon", acting=ActingAccount(referee, "i"))
    call = conduct.call_judge(table, reason="韓堯舜 left", acting=ActingAccount(referee, "c"))
    conduct.answer_judge_call(call, answer="6123 4567 was called", by=organiser, request_key="a")
    notes = {"missing": "韓堯舜不在，問 Hon, Xylo Wexford；致電 6123-4567", "other": "何禹湯"}
    scoresheets.save_scoresheet(
        table, revision=0, form="paper", typed=paper(), by=organiser, request_key="s", confirmations=notes
    )
    services.make_token(organiser, name="韓堯舜 laptop")
    now = call.raised_at
    Job.objects.create(event=event, kind="import", subject="x", facts={"who": "韓堯舜", "n": 1}, created_at=now)
    kept = {"event": event, "uploaded_by": organiser, "uploaded_at": now, "imported_at": now, "rows": []}
    EntrantFile.objects.create(name="list.csv", kind="csv", heads=["No", "韓堯舜"], sheet_name="韓堯舜", **kept)
    return table


def scope_of(number: int) -> ErasureScope:
    found = Entrant.objects.select_related("person", "event").get(number=number)
    return ErasureScope(found.event, found)


def test_the_number_stands_where_a_text_named_somebody_and_the_row_may_change(said: Table) -> None:
    assert erasure.plan_erasure(scope_of(301)).counts["texts"] == 5
    [done] = erasure.erase_entrant_data(scope_of(301), reason="asked", by=None).erasures
    assert done.counts["texts"] == 5
    assert Scoresheet.objects.get().confirmations == {"missing": "0301不在，問 0301；致電 0301", "other": "何禹湯"}
    assert ApiToken.objects.get().name == "0301 laptop"
    assert Job.objects.get().facts == {"who": "0301", "n": 1}
    assert (EntrantFile.objects.get().heads, EntrantFile.objects.get().sheet_name) == (["No", "0301"], "0301")
    assert (verify_events(files=False).findings, by_script([])) == ([], (0, ""))


def test_what_the_log_has_too_is_told_and_left_so_that_both_verifiers_stay_clean(said: Table) -> None:
    plan = erasure.plan_erasure(scope_of(301))
    with translation.override("en"):
        named = {str(one.label): one.things for one in plan.texts}
    assert named == {
        "reasons of warnings": ["entrant 0301"],
        "notes of incidents": ["table 0328-1-01"],
        "calls of the judge and their answers": ["table 0328-1-01", "table 0328-1-01"],
    }
    assert len(plan.entries) == 4
    erasure.erase_entrant_data(scope_of(301), reason="asked", by=None)
    assert JudgeCall.objects.get().reason == "韓堯舜 left"
    assert (verify_events(files=False).findings, by_script([])) == ([], (0, ""))


def test_the_dry_run_names_each_text_that_stays_and_says_what_to_do(
    said: Table, chief_judge: User, capsys: pytest.CaptureFixture[str], settings: Any, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    event = said.session.stage.event
    decided = {"tied": ["0301", "0302"], "places": 1, "admitted": ["0301"], "method": "pick", "by": chief_judge}
    made = TieBreak.objects.create(stage=said.session.stage, reason="韓堯舜 arrived", at=timezone.now(), **decided)
    call_command("erase", "--entrant", event.slug, "0301")
    stays = [line.strip() for line in capsys.readouterr().out.splitlines() if "stays:" in line]
    staff = "Only staff read it: hand on no export of the log and no backup that has it."
    numbers = ", ".join(map(str, erasure.plan_erasure(scope_of(301)).entries))
    assert stays == [
        f"stays: 4 entries of the log whose reasons name them ({numbers}); nobody changes an entry. {staff}",
        f"stays: 1 reasons of warnings (entrant 0301); the log holds them. {staff}",
        f"stays: 1 notes of incidents (table 0328-1-01); the log holds them. {staff}",
        "stays: 2 calls of the judge and their answers (table 0328-1-01, table 0328-1-01); the log holds them. "
        + staff,
        f"stays: 1 decisions between equals: reasons, witnesses, lots (tie break {made.pk}); "
        "the log holds them. Public with a release: record the decision in force again without the name, then release "
        "again.",
    ]
    assert "韓堯舜" not in "".join(stays)


def test_a_name_within_anothers_longer_name_is_not_theirs(said: Table) -> None:
    assert scope_of(302).without_names("何禹與何禹湯同枱；何 禹離開") == "0302與何禹湯同枱；0302離開"
    erasure.erase_entrant_data(scope_of(302), reason="asked", by=None)
    assert Scoresheet.objects.get().confirmations["other"] == "何禹湯"


def test_a_guardian_who_is_only_called_mother_is_not_looked_for_in_texts(said: Table) -> None:
    person = scope_of(302).entrant.person
    person.guardian = "母親"
    person.save()
    assert not scope_of(302).is_named_in("母親來電")
    assert "母親" in scope_of(302).leaves


def test_of_a_whole_event_each_text_has_the_number_of_its_own_person(said: Table, event: Event) -> None:
    scoresheets.save_scoresheet(
        Table.objects.get(session=said.session, number=2),
        **{"revision": 0, "form": "paper", "typed": paper(), "by": User.objects.get(username="organiser")},
        request_key="second",
        confirmations={"a": "韓堯舜與何禹湯"},
    )
    erasure.run_erasures(ErasureScope(event), reason="x", by=None)
    assert Scoresheet.objects.get(table__number=2).confirmations == {"a": "0301與0303"}
    assert (verify_events(files=False).findings, by_script([])) == ([], (0, ""))
