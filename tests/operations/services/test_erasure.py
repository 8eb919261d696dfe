"""Personal data erased: whose, what is left, that it cannot be misused, and that a run which broke off is completed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import override_settings
from django.utils import timezone

from tests.guards_lifted import lifted, settle_constraints
from tests.reliability import privacy
from tests.reliability.tampering import by_script
from tournament.audit.models import AuditEntry
from tournament.audit.services import append_audit_entry
from tournament.core.enums import StageKind
from tournament.core.errors import BadInput, Locked, Refused
from tournament.core.models.event import Event
from tournament.core.names import ERASED_NAMES
from tournament.entrants.models.people import Entrant, Person
from tournament.operations.models import Erasure
from tournament.operations.services import erasure, erasure_kinds
from tournament.operations.services.audit_verification import verify_events
from tournament.operations.services.erasure_files import folder_of
from tournament.operations.services.erasure_scope import ErasureScope
from tournament.publication.domain import release
from tournament.publication.domain.names import has_name_left, person_parts_in
from tournament.registration.services import changes
from tournament.releases.models import Release
from tournament.sheets.models.scan import Scan
from tournament.sheets.models.signing import Drawing

FIGURES = ("number", "rank", "wins", "points_twelfths", "average", "tiles", "games", "advancing")


@pytest.fixture(scope="module")
def made(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Event, Event, Path]]:
    """An event that is over and one in the middle, with personal data of every kind; taken back after the module."""
    folder = tmp_path_factory.mktemp("var")
    with django_db_blocker.unblock(), transaction.atomic():
        with override_settings(**privacy.settings_of(folder)):
            events, _planted = privacy.plant(folder / "fixtures")
        yield (*sorted(events, key=lambda event: event.slug), folder)
        transaction.set_rollback(True)


@pytest.fixture
def event(made: tuple[Event, Event, Path], db: None, settings: Any) -> Event:
    """The one that is over; what a test erases is taken back, files apart."""
    for name, value in privacy.settings_of(made[2]).items():
        setattr(settings, name, value)
    return Event.objects.get(pk=made[0].pk)


@pytest.fixture
def middle(event: Event) -> Event:
    """The one with a tablet."""
    return Event.objects.get(slug=privacy.OTHER)


def scope_of(event: Event, number: int) -> ErasureScope:
    return ErasureScope(event, Entrant.objects.select_related("person").get(event=event, number=number))


def names(event: Event) -> set[str]:
    return set(Person.objects.filter(entrant__event=event).values_list("name_zh", flat=True))


def figures(row: Release) -> list[list[Any]]:
    """What a release says beside names."""
    return [[line[name] for name in FIGURES] for line in row.content["ranking"]]


def champions(event: Event) -> list[dict[str, Any]]:
    """Whom the final's release names in full."""
    row = Release.objects.filter(stage__event=event, stage__kind=StageKind.FINAL).order_by("-number")[0]
    return list(row.content["podium"]["holders"])


@pytest.mark.fault("Y9")
def test_by_its_date_everybody_is_erased_and_results_stay_by_number(event: Event) -> None:
    before = {row.pk: figures(row) for row in Release.objects.filter(stage__event=event)}
    erasure.erase_event_data(event, by=None)
    after = list(Release.objects.filter(stage__event=event))
    assert names(event) == {ERASED_NAMES[0]}
    assert [person for row in after for person in person_parts_in(row.content) if has_name_left(person)] == []
    assert {line["name"] for row in after for line in row.content["ranking"]} == {""}
    assert {row.pk: figures(row) for row in after} == before
    assert (verify_events(slug=event.slug).findings, by_script([])) == ([], (0, ""))


def test_before_its_date_and_without_one_nothing_is_erased(event: Event) -> None:
    event.retention_on = timezone.localdate()
    with pytest.raises(Refused) as refused:
        erasure.erase_event_data(event, by=None)
    event.retention_on = None
    with pytest.raises(Refused) as unset:
        erasure.erase_event_data(event, by=None)
    assert (refused.value.code, unset.value.code) == ("retention_not_over", "no_retention_date")
    assert not Erasure.objects.exists()


@pytest.mark.fault("Y11")
def test_a_champion_with_consent_is_erased_on_request_from_every_page_and_nobody_else_is(event: Event) -> None:
    champion, others = champions(event)[0], names(event)
    assert (champion["name_zh"], "*" in champion["name_zh"]) == (champion["name_zh"], False)
    done = erasure.erase_entrant_data(scope_of(event, champion["number"]), reason="a parent asked", by=None)
    assert [one.counts["people"] for one in done.erasures] == [1]
    assert others - names(event) == {champion["name_zh"]}
    left = scope_of(event, champion["number"]).entrant.person
    assert (left.birth_date, left.salt, left.former_names, left.phone, left.school) == (None, "", [], "", "")
    assert (champions(event)[0]["name_zh"], champions(event)[0]["name_en"]) == ERASED_NAMES
    assert all(has_name_left(one) for one in champions(event)[1:])
    pages = [path.read_bytes() for path in folder_of(event).glob("files/*")]
    assert not [page for page in pages if champion["name_zh"].encode() in page]
    assert [page for page in pages if "已刪除個人資料".encode() in page]
    assert (verify_events(slug=event.slug).findings, by_script([])) == ([], (0, ""))


def test_one_person_takes_a_reason_and_nothing_unsettled_at_the_table(event: Event, middle: Event) -> None:
    with pytest.raises(BadInput):
        erasure.erase_entrant_data(scope_of(event, 1), reason=" ", by=None)
    named = f"{scope_of(event, 1).entrant.person.name_zh} asked"
    with pytest.raises(BadInput) as refused_name:
        erasure.erase_entrant_data(scope_of(event, 1), reason=named, by=None)
    assert refused_name.value.code == "reason_names_person"
    with pytest.raises(Refused) as refused:
        erasure.erase_entrant_data(scope_of(middle, 301), reason="asked", by=None)
    assert refused.value.code == "held_items_open"


def test_run_twice_it_does_nothing_and_writes_nothing(middle: Event) -> None:
    first = erasure.erase_event_data(middle, by=None)
    entries = AuditEntry.objects.count()
    again = erasure.erase_event_data(middle, by=None)
    assert ([bool(done.erasures) for done in (first, again)], AuditEntry.objects.count()) == ([True, False], entries)


class Cut(Exception):
    """The power, between two steps."""


@pytest.mark.parametrize("step", range(len(erasure_kinds.ERASURE_KINDS) + 1))
def test_one_that_broke_off_anywhere_is_completed_by_the_next_run(middle: Event, step: int) -> None:
    def cut(done: int, total: int) -> None:
        if done == step:
            raise Cut

    with pytest.raises(Cut):
        erasure.erase_event_data(middle, by=None, tell=cut)
    assert verify_events(slug=middle.slug).findings == []
    done = erasure.erase_event_data(middle, by=None)
    [row] = Erasure.objects.filter(event=middle)
    assert ([one.pk for one in done.erasures], row.counts["people"]) == ([row.pk], 8)
    assert (row.finished_at is not None, row.counts["drawings"], names(middle)) == (True, 4, {ERASED_NAMES[0]})
    assert verify_events(slug=middle.slug).findings == []


@pytest.mark.fault("T1")
def test_the_guards_let_go_only_while_an_erasure_is_open_and_it_begins_with_its_entry(middle: Event) -> None:
    drawn = Drawing.objects.filter(signature__entrant__event=middle)
    acts = (
        lambda: Scan.objects.all().delete(),
        lambda: drawn.update(strokes=b"", salt=""),
        lambda: Release.objects.update(content={}),
        lambda: Erasure.objects.create(event=middle, audit_seq=1, reason="x", begun_at=timezone.now()),
    )
    refused = 0
    for act in acts:
        with pytest.raises(IntegrityError), transaction.atomic():
            act()
        refused += 1
    assert refused == len(acts)
    erasure.begin_erasure(ErasureScope(middle), "x", None)
    for less in ({"strokes": b""}, {"salt": ""}, {"strokes": b"", "salt": "", "digest": "0" * 64}):
        with pytest.raises(IntegrityError), transaction.atomic():
            drawn.update(**less)
    with pytest.raises(IntegrityError), transaction.atomic():
        Scan.objects.all().delete()  # of another event
    assert drawn.update(strokes=b"", salt="") == 4
    row = erasure.open_erasure(middle)
    assert row is not None
    erasure.finish_erasure(row, ErasureScope(middle))
    for act in (lambda: Erasure.objects.all().delete(), lambda: Erasure.objects.update(finished_at=None)):
        with pytest.raises(IntegrityError), transaction.atomic():
            act()


def test_what_is_removed_without_an_erasure_is_found_by_both_verifiers(event: Event, middle: Event) -> None:
    settle_constraints()
    with lifted():
        Drawing.objects.filter(signature__entrant__event=middle, signature__letter="A").update(strokes=b"", salt="")
    things = {one.subject.rpartition(", ")[2] for one in verify_events(slug=middle.slug, files=False).findings}
    drawn = Drawing.objects.filter(signature__entrant__event=middle, signature__letter="A")
    assert things == {f"drawing {one.pk} {name}" for one in drawn for name in ("salt", "strokes")}
    row = Release.objects.filter(stage__event=event).first()
    assert row is not None
    line = row.content["ranking"][0]
    with lifted():
        Release.objects.filter(pk=row.pk).update(content={**row.content, "ranking": [{**line, "name": ""}]})
    [found] = verify_events(slug=event.slug, files=False).findings
    assert found.subject.rpartition(", ")[2] == f"release {row.pk} content"
    assert by_script([])[0] == 2


def test_figures_that_change_under_the_cover_of_an_erasure_are_found_by_both_verifiers(event: Event) -> None:
    """Whoever owns the database writes a wrong result together with an entry that says names were erased."""
    row = Release.objects.filter(stage__event=event).order_by("number")[0]
    wrong = {**row.content, "ranking": [{**line, "wins": 9} for line in row.content["ranking"]]}
    settle_constraints()
    with lifted():
        begun = erasure.begin_erasure(ErasureScope(event), "x", None)
        digest = (row.digest, release.canonical_digest(wrong))
        append_audit_entry(event, None, "erase_names", f"release {row.number}", digest=digest)
        Release.objects.filter(pk=row.pk).update(content=wrong)
        erasure.finish_erasure(begun, ErasureScope(event))
    assert "release_figures" in {one.code for one in verify_events(slug=event.slug, files=False).findings}
    assert "its figures are not those that were released" in by_script([])[1]


def test_who_was_erased_is_not_entered_again_by_a_page_that_was_open(event: Event) -> None:
    scope = scope_of(event, 3)
    erasure.erase_entrant_data(scope, reason="asked", by=None)
    by = User.objects.get(username="planter")
    with pytest.raises(Refused) as refused:
        changes.change_person(
            scope.entrant, revision=scope.entrant.revision, cells={"name_zh": "陳大文"}, reason="x", by=by
        )
    assert refused.value.code == "entrant_erased"
    assert not isinstance(refused.value, Locked)


def test_the_log_says_how_many_of_what_and_nothing_personal(event: Event) -> None:
    scope = scope_of(event, 2)
    values = scope.values
    erasure.erase_entrant_data(scope, reason="a parent asked", by=None)
    told = AuditEntry.objects.filter(event=event, action__in=("erase_personal_data", "finish_erasure")).order_by("seq")
    assert (told[0].subject, told[0].reason) == ("entrant 0002", "a parent asked")
    assert "people 1" in told[1].reason
    assert not [one for one in told if any(value in one.reason for value in values)]


def test_entries_that_name_somebody_are_named_in_the_dry_run_since_nobody_changes_them(event: Event) -> None:
    scope = scope_of(event, 2)
    said = f"{scope.entrant.person.name_zh} phoned"
    with transaction.atomic():
        entry = append_audit_entry(event, None, "change_notice", "notice draft 1", reason=said)
    assert erasure.plan_erasure(scope).entries == [entry.seq]


def test_what_names_somebody_in_another_layout_is_theirs_too(event: Event) -> None:
    scope = scope_of(event, 2)
    person, phone = scope.entrant.person, scope.entrant.person.phone[-8:]
    texts = [
        "\u3000".join(person.name_zh),
        " ".join(reversed(person.name_en.lower().split())),
        f"{phone[:4]} {phone[4:]}",
        f"+852-{phone}",
        person.email.upper(),
    ]
    assert [text for text in texts if not scope.is_named_in(f"家長來電：{text} 已退出")] == []
    assert not scope.is_named_in("0002 withdrew; 91234567")
    assert not ErasureScope(event, Entrant.objects.get(event=event, number=3)).is_named_in(texts[0])


def test_the_command_is_dry_until_told_and_says_what_it_cannot_reach(event: Event, capsys: Any) -> None:
    backups = Path(privacy.settings.VAR_DIR) / "backups"
    backups.mkdir(exist_ok=True)
    (backups / "rummikub-20260401-100000-0.backup").write_bytes(b"x")
    call_command("erase", event.slug)
    said = capsys.readouterr().out
    assert "Nothing was erased" in said
    assert "rummikub-20260401-100000-0.backup" in said
    assert not Erasure.objects.exists()
    call_command("erase", "--entrant", event.slug, "0004", "--reason", "asked", "--do")
    assert "people 1" in capsys.readouterr().out
    with pytest.raises(CommandError, match="Write down why"):
        call_command("erase", "--entrant", event.slug, "5", "--do")
    with pytest.raises(CommandError, match="There is no entrant 9999"):
        call_command("erase", "--entrant", event.slug, "9999", "--do")
