"""No-shows, withdrawals, disqualifications: recorded with who, when and why, taken back, harmless when sent twice."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.api.caller import Caller, code
from tests.entrant_lists import csv_of, sound_row
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus, SheetState
from tournament.core.errors import BadInput, Forbidden, Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.entrants.models.people import Entrant, Ruling
from tournament.publication.queries.changed_people import people_changed
from tournament.registration.services import importing
from tournament.scoresheets.models import Correction
from tournament.sheets.models.scoresheet import Game, Line, Scoresheet
from tournament.sheets.models.signing import OfficialSheet
from tournament.sheets.services import registration
from tournament.tables.models import Table

ABSENT = (EntrantStatus.FORFEITED, EntrantStatus.WITHDRAWN, EntrantStatus.DISQUALIFIED)


def entered(event: Event, count: int, by: User) -> list[Entrant]:
    """So many entrants in the first session."""
    rows = [sound_row(number) for number in range(1, count + 1)]
    kept = importing.read_file(event, name="a.csv", content=csv_of(rows), by=by)
    importing.import_file(kept, by=by)
    return list(Entrant.objects.filter(event=event))


@pytest.fixture
def entrant(event: Event, organiser: User) -> Entrant:
    """One entrant who takes part."""
    return entered(event, 1, organiser)[0]


def locked_line(entrant: Entrant, **changed: Any) -> Scoresheet:
    """A certified sheet with one game of the entrant."""
    table = Table.objects.create(session=entrant.session, number=1)
    sheet = Scoresheet.objects.create(table=table, state=SheetState.READY, digest="1" * 64)
    game = Game.objects.create(scoresheet=sheet, number=1, ended_by="rummikub")
    Line.objects.create(game=game, letter="A", entrant=entrant, win=0, points_twelfths=-120, tiles=2, **changed)
    sheet.state, sheet.locked_at = SheetState.CERTIFIED, timezone.now()
    sheet.save(update_fields=["state", "locked_at"])
    OfficialSheet.objects.create(table=table, scoresheet=sheet)
    return sheet


@pytest.mark.parametrize(
    ("status", "action"),
    [
        (EntrantStatus.FORFEITED, "record_no_show"),
        (EntrantStatus.WITHDRAWN, "record_withdrawal"),
        (EntrantStatus.DISQUALIFIED, "disqualify_entrant"),
    ],
)
def test_an_absence_is_recorded_once_with_its_reason(
    entrant: Entrant, chief_judge: User, status: EntrantStatus, action: str
) -> None:
    for _ in range(2):
        registration.record_absence(entrant, status=status, reason=" 沒有到場 ", by=chief_judge)
    entrant.refresh_from_db()
    assert entrant.status == status
    assert list(Ruling.objects.values_list("kind", "reason", "by")) == [(status.value, "沒有到場", chief_judge.pk)]
    assert list(AuditEntry.objects.filter(subject="entrant 0001").values_list("action", "reason")) == [
        (action, "沒有到場")
    ]


def test_a_reason_and_a_real_absence_are_needed(entrant: Entrant, organiser: User) -> None:
    for status, reason in (
        (EntrantStatus.WITHDRAWN, "  "),
        (EntrantStatus.WITHDRAWN, "x" * 501),
        (EntrantStatus.OK, "x"),
    ):
        with pytest.raises(BadInput):
            registration.record_absence(entrant, status=status, reason=reason, by=organiser)
    assert Ruling.objects.count() == 0


def test_one_absence_does_not_silently_become_another(entrant: Entrant, organiser: User, chief_judge: User) -> None:
    registration.record_absence(entrant, status=EntrantStatus.WITHDRAWN, reason="x", by=organiser)
    with pytest.raises(Refused) as refused:
        registration.record_absence(entrant, status=EntrantStatus.FORFEITED, reason="x", by=organiser)
    assert refused.value.code == "already_absent"
    registration.record_absence(entrant, status=EntrantStatus.DISQUALIFIED, reason="違規", by=chief_judge)
    entrant.refresh_from_db()
    assert entrant.status == EntrantStatus.DISQUALIFIED


def test_what_somebody_else_recorded_meanwhile_is_not_overwritten(
    entrant: Entrant, organiser: User, clerk: User
) -> None:
    registration.record_absence(entrant, status=EntrantStatus.WITHDRAWN, reason="x", by=clerk)
    with pytest.raises(StaleVersion) as stale:
        registration.record_absence(
            entrant, status=EntrantStatus.DISQUALIFIED, reason="x", by=organiser, seen=EntrantStatus.OK
        )
    assert (stale.value.status, stale.value.current) == (412, EntrantStatus.WITHDRAWN)


def test_nobody_with_signed_games_is_a_no_show_and_the_sheet_stays(entrant: Entrant, organiser: User) -> None:
    sheet = locked_line(entrant)
    with pytest.raises(Refused) as refused:
        registration.record_absence(entrant, status=EntrantStatus.FORFEITED, reason="x", by=organiser)
    assert refused.value.code == "has_played"
    before = (Scoresheet.objects.values().get(), Line.objects.values().get())
    registration.record_absence(entrant, status=EntrantStatus.WITHDRAWN, reason="x", by=organiser)
    assert (Scoresheet.objects.values().get(), Line.objects.values().get()) == before
    assert sheet.locked


@pytest.mark.parametrize("status", ABSENT)
def test_an_absence_is_taken_back_once(entrant: Entrant, chief_judge: User, status: EntrantStatus) -> None:
    registration.record_absence(entrant, status=status, reason="x", by=chief_judge)
    for _ in range(2):
        registration.readmit_entrant(entrant, reason="到場了", by=chief_judge)
    entrant.refresh_from_db()
    assert entrant.status == EntrantStatus.OK
    assert list(Ruling.objects.values_list("kind", flat=True)) == ["readmitted", status.value]
    assert AuditEntry.objects.filter(action="readmit_entrant").count() == 1


def test_a_place_given_away_is_not_given_twice(event: Event, organiser: User) -> None:
    first = entered(event, 100, organiser)[0]
    registration.record_absence(first, status=EntrantStatus.WITHDRAWN, reason="x", by=organiser)
    kept = importing.read_file(event, name="b.csv", content=csv_of([sound_row(101)]), by=organiser)
    importing.import_file(kept, by=organiser)
    with pytest.raises(Refused) as refused:
        registration.readmit_entrant(first, reason="x", by=organiser)
    assert refused.value.code == "no_place_left"


def test_a_leaving_that_a_correction_has_struck_out_keeps_nobody_away(
    entrant: Entrant, organiser: User, chief_judge: User
) -> None:
    registration.record_absence(entrant, status=EntrantStatus.WITHDRAWN, reason="x", by=organiser)
    signed = locked_line(entrant, left=True)
    corrected = Scoresheet.objects.create(
        table=signed.table, version=2, state=SheetState.READY, digest="2" * 64, typed_by=organiser
    )
    game = Game.objects.create(scoresheet=corrected, number=1, ended_by="rummikub")
    Line.objects.create(game=game, letter="A", entrant=entrant, win=0, points_twelfths=-120, tiles=2)
    both = {"begun_by": organiser, "proposed_by": organiser, "approved_by": chief_judge}
    now = dict.fromkeys(("begun_at", "proposed_at", "approved_at"), timezone.now())
    Correction.objects.create(
        scoresheet=corrected, supersedes=signed, reason="x", proposed_digest=corrected.digest, **both, **now
    )
    corrected.state, corrected.locked_at, corrected.locked_by = SheetState.CERTIFIED, timezone.now(), chief_judge
    corrected.save(update_fields=["state", "locked_at", "locked_by"])
    OfficialSheet.objects.filter(scoresheet=signed).update(scoresheet=corrected)
    assert registration.readmit_entrant(entrant, reason="x", by=organiser).status == EntrantStatus.OK


def test_nobody_who_left_on_a_locked_sheet_comes_back(entrant: Entrant, organiser: User) -> None:
    registration.record_absence(entrant, status=EntrantStatus.WITHDRAWN, reason="x", by=organiser)
    locked_line(entrant, left=True)
    with pytest.raises(Refused) as refused:
        registration.readmit_entrant(entrant, reason="x", by=organiser)
    assert refused.value.code == "left_on_a_locked_sheet"


# --- A change of the ranking ----------------------------------------------------------------------------
def test_whose_games_are_on_a_locked_sheet_is_taken_out_or_back_by_an_organiser_or_the_chief_judge(
    entrant: Entrant, organiser: User, clerk: User, chief_judge: User, referee: User
) -> None:
    def refused(act: Callable[[], Any]) -> tuple[str, int]:
        with pytest.raises(Forbidden) as forbidden:
            act()
        return forbidden.value.code, forbidden.value.status

    def gone(by: User) -> Entrant:
        return registration.record_absence(entrant, status=EntrantStatus.WITHDRAWN, reason="x", by=by)

    locked_line(entrant)
    assert [refused(lambda by=by: gone(by)) for by in (clerk, referee)] == [("changes_the_ranking", 403)] * 2
    assert gone(chief_judge).status == EntrantStatus.WITHDRAWN
    assert refused(lambda: registration.readmit_entrant(entrant, reason="x", by=clerk)) == ("changes_the_ranking", 403)
    assert registration.readmit_entrant(entrant, reason="x", by=organiser).status == EntrantStatus.OK


def test_until_a_sheet_is_locked_a_clerk_records_who_did_not_come_and_who_came_after_all(
    entrant: Entrant, clerk: User
) -> None:
    registration.record_absence(entrant, status=EntrantStatus.FORFEITED, reason="not there", by=clerk)
    assert registration.readmit_entrant(entrant, reason="there", by=clerk).status == EntrantStatus.OK


def test_the_page_and_the_api_tell_a_clerk_who_records_it(entrant: Entrant, clerk: User, signed_in: Any) -> None:
    locked_line(entrant)
    page = squeezed(signed_in(clerk).get(f"/desk/hk-2026/entrants/{entrant.number}/").content.decode())
    assert ("須由大會人員或總評判記錄" in page, 'id="absence"' in page) == (True, False)
    sent = {"status": "withdrawn", "seen": "ok", "reason": "ill", "request_key": "k"}
    said = signed_in(clerk).post(f"/desk/hk-2026/entrants/{entrant.number}/absence/", sent)
    assert (said.status_code, "須由大會人員或總評判記錄" in squeezed(said.content.decode())) == (403, True)
    program = Caller(clerk)
    body = {"status": "withdrawn", "reason": "ill"}
    told = program.change(f"entrants/{entrant.number}/absence/", body, seen=entrant.revision)
    assert code(told) == (403, "changes_the_ranking")


def test_the_release_page_lists_a_status_that_changed_the_ranking_and_no_ordinary_no_show(
    event: Event, organiser: User, clerk: User, signed_in: Any
) -> None:
    entrant, other = entered(event, 2, organiser)
    locked_line(entrant)
    registration.record_absence(entrant, status=EntrantStatus.WITHDRAWN, reason="Went home", by=organiser)
    registration.record_absence(other, status=EntrantStatus.FORFEITED, reason="not there", by=clerk)
    registration.readmit_entrant(entrant, reason="Came back", by=organiser)
    told = [(one.number, one.columns, one.reason, one.entry.action) for one in people_changed(event, None)]
    assert told == [
        (entrant.number, ("status",), "Came back", "readmit_entrant"),
        (entrant.number, ("status",), "Went home", "record_withdrawal"),
    ]
    page = squeezed(signed_in(organiser).get("/desk/hk-2026/releases/").content.decode())
    assert all(words in page for words in ("Went home", "Came back", "記錄退出"))
