"""A sheet from the paper to its second person: what is kept, what is refused, and who was first."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from scoring.ruleset import PRESETS
from tests.sheets.tables import changed, paper, record_status, settle
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus, SheetForm, SheetState
from tournament.core.errors import BadInput, Forbidden, KeyReused, Locked, Refused, StaleVersion
from tournament.core.models.request_key import RequestKey
from tournament.core.models.stage import Session
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.models.scoresheet import Game, Line, Scoresheet
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.services import scoresheets, signing
from tournament.tables.models import Table

RULES = PRESETS["hk-2026"]


@pytest.fixture
def table(first_session: Session, organiser: User) -> Table:
    """A table of four whose session is drawn, fetched as a page fetches it."""
    settle(first_session, organiser)
    found = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert found is not None
    return found


def reasons(table: Table, typed: Any, form: str = SheetForm.PAPER) -> dict[str, str]:
    """A reason for all that is unusual about this sheet."""
    check = bridge.check_typed_sheet(RULES, form, bridge.clean_typed(typed), queries.seats_as_judged(table))
    return bridge.confirm_all_unusual(check, "as on the paper")


def submit(table: Table, by: User, typed: Any = None, revision: int = 0, key: str = "k1") -> Scoresheet:
    typed = typed or paper()
    return scoresheets.submit_scoresheet(
        table,
        revision=revision,
        form=SheetForm.PAPER,
        typed=typed,
        confirmations=reasons(table, typed),
        by=by,
        request_key=key,
    )


def save(table: Table, by: User, typed: Any = None, revision: int = 0, key: str = "k1") -> Scoresheet:
    return scoresheets.save_scoresheet(
        table, revision=revision, form=SheetForm.PAPER, typed=typed or paper(), by=by, request_key=key
    )


def actions() -> list[tuple[str, str, int | None, int | None]]:
    """The audit log but for the setting up."""
    entries = AuditEntry.objects.filter(subject__startswith="scoresheet").order_by("seq")
    return [(entry.action, entry.subject, entry.revision_before, entry.revision_after) for entry in entries]


# --- Save -----------------------------------------------------------------------------------------------
def test_a_draft_keeps_every_text_as_it_was_typed_faults_and_all(table: Table, clerk: User) -> None:
    typed = changed(paper(), 2, "C", points="－２１", tiles="two?")
    sheet = save(table, clerk, typed)
    assert (sheet.state, sheet.version, sheet.revision, sheet.typed_by) == (SheetState.DRAFT, 1, 1, clerk)
    assert sheet.typed == typed
    assert Game.objects.count() == 0
    assert actions() == [("save_scoresheet", "scoresheet 0328-1-01 v1", 0, 1)]


def test_a_key_that_comes_twice_saves_once_and_answers_the_same(table: Table, clerk: User) -> None:
    first, second = save(table, clerk), save(table, clerk)
    assert (first.pk, first.revision) == (second.pk, second.revision)
    assert len(actions()) == 1


def test_a_key_that_comes_back_with_other_figures_is_refused(table: Table, clerk: User) -> None:
    save(table, clerk)
    with pytest.raises(KeyReused) as refused:
        save(table, clerk, changed(paper(), 1, "A", tiles="4"))
    assert (refused.value.status, refused.value.code) == (422, "key_reused")


def test_a_key_is_its_account_s_own(table: Table, clerk: User, second_clerk: User) -> None:
    save(table, clerk, key="the same")
    save(table, second_clerk, revision=1, key="the same")
    assert Scoresheet.objects.get().revision == 2


def test_an_older_revision_is_refused_with_what_stands_now(table: Table, clerk: User, second_clerk: User) -> None:
    save(table, clerk)
    theirs = save(table, second_clerk, changed(paper(), 1, "A", tiles="4"), revision=1, key="k2")
    with pytest.raises(StaleVersion) as refused:
        save(table, clerk, changed(paper(), 1, "A", tiles="5"), revision=1, key="k3")
    assert (refused.value.status, refused.value.current.pk) == (412, theirs.pk)
    assert refused.value.current.typed["games"][0]["seats"]["A"]["tiles"] == "4"
    assert not RequestKey.objects.filter(key="k3").exists()


def test_who_begins_a_sheet_that_somebody_has_begun_is_refused(table: Table, clerk: User, second_clerk: User) -> None:
    save(table, clerk)
    with pytest.raises(StaleVersion):
        save(table, second_clerk, key="k2")
    assert Scoresheet.objects.get().typed_by == clerk


def test_no_sheet_is_taken_from_a_session_whose_draw_is_not_confirmed(first_session: Session, clerk: User) -> None:
    settle(first_session, clerk, confirmed=False)
    table = queries.find_table_of_event(first_session.stage.event, 1, 1)
    assert table is not None
    with pytest.raises(Refused) as refused:
        save(table, clerk)
    assert (refused.value.status, refused.value.code) == (409, "draw_not_confirmed")


@pytest.mark.parametrize(
    ("typed", "where"),
    [
        ({"games": [], "totals": {}, "state": "certified"}, "sheet"),
        ({"games": [{"ended_by": "won"}], "totals": {}}, "games[0].ended_by"),
        ({"games": [{"seats": {"E": {}}}], "totals": {}}, "games[0].seats"),
        ({"games": [{"seats": {"A": {"points": 1.5}}}], "totals": {}}, "games[0].seats.A.points"),
        ({"games": [{"seats": {"A": {"points": None}}}], "totals": {}}, "games[0].seats.A.points"),
        ({"games": [{"seats": {"A": {"opened": 1}}}], "totals": {}}, "games[0].seats.A.opened"),
        ({"games": [{"seats": {"A": {"points": "9" * 61}}}], "totals": {}}, "games[0].seats.A.points"),
        ({"games": [{"seats": {"A": {"points": "1\x00"}}}], "totals": {}}, "games[0].seats.A.points"),
        ({"games": [{"seats": {"A": {"points": "\ud800"}}}], "totals": {}}, "games[0].seats.A.points"),
        ({"games": [{}] * 13, "totals": {}}, "games"),
    ],
)
@pytest.mark.fault("V4", "V10")
def test_what_no_page_sends_is_refused_by_its_place(table: Table, clerk: User, typed: Any, where: str) -> None:
    with pytest.raises(BadInput) as refused:
        save(table, clerk, typed)
    assert (refused.value.status, dict(refused.value.facts)) == (400, {"where": where})


def test_a_request_without_a_key_is_refused(table: Table, clerk: User) -> None:
    with pytest.raises(BadInput) as refused:
        save(table, clerk, key="")
    assert refused.value.code == "request_key_missing"


# --- Ready ----------------------------------------------------------------------------------------------
def test_a_sheet_without_fault_becomes_games_and_lines_in_twelfths(table: Table, clerk: User) -> None:
    sheet = submit(table, clerk)
    assert (sheet.state, sheet.revision) == (SheetState.READY, 2)
    assert [(game.number, game.ended_by) for game in Game.objects.order_by("number")] == [
        (1, "rummikub"),
        (2, "pool"),
        (3, "time"),
    ]
    lines = Line.objects.order_by("game__number", "letter")
    assert [(line.letter, line.win, line.points_twelfths, line.tiles) for line in lines] == [
        ("A", 0, -168, 3),
        ("B", 0, -252, 5),
        ("C", 0, -108, 2),
        ("D", 1, 528, 0),
        ("A", 0, 138, 3),
        ("B", 1, 138, 1),
        ("C", 0, -144, 2),
        ("D", 0, -132, 4),
        ("A", 0, 128, 2),
        ("B", 0, -384, 9),
        ("C", 1, 128, 1),
        ("D", 1, 128, 1),
    ]
    assert sheet.digest == bridge.sheet_rows_digest(table, sheet, queries.seats_as_judged(table))
    assert [action for action, *_rest in actions()] == ["save_scoresheet", "ready_scoresheet"]


@pytest.mark.fault("V1")
def test_a_sheet_with_faults_is_refused_and_kept_as_a_draft(table: Table, clerk: User) -> None:
    typed = changed(paper(), 2, "C", points="-21")
    with pytest.raises(Refused) as refused:
        submit(table, clerk, typed)
    assert (refused.value.status, refused.value.code) == (409, "scoresheet_has_faults")
    assert dict(refused.value.facts) == {"mend": 1, "look": 0}
    assert refused.value.sentence.startswith("Saved as a draft.")
    kept = Scoresheet.objects.get()
    assert (kept.state, kept.revision, kept.typed, kept.digest) == (SheetState.DRAFT, 1, typed, "")
    assert Game.objects.count() == 0


def test_a_refused_submission_that_is_sent_again_is_refused_again_and_saves_nothing_new(
    table: Table, clerk: User
) -> None:
    typed = changed(paper(), 2, "C", points="-21")
    for _time in range(2):
        with pytest.raises(Refused):
            submit(table, clerk, typed)
    assert (Scoresheet.objects.get().revision, len(actions())) == (1, 1)


@pytest.mark.fault("V7")
def test_what_is_unusual_waits_for_a_reason_and_the_reason_is_kept(table: Table, clerk: User) -> None:
    sheet = save(table, clerk)
    with pytest.raises(Refused) as refused:
        scoresheets.hand_in_scoresheet(table, revision=sheet.revision, confirmations={}, by=clerk, request_key="k2")
    assert dict(refused.value.facts) == {"mend": 0, "look": 2}
    assert refused.value.sentence.startswith("Not handed on; the draft stays as it was saved before.")
    notes = reasons(table, paper())
    done = scoresheets.hand_in_scoresheet(
        table, revision=sheet.revision, confirmations=notes, by=clerk, request_key="k3"
    )
    assert (done.state, done.confirmations) == (SheetState.READY, notes)


def test_a_reason_for_one_figure_does_not_pass_another(table: Table, clerk: User) -> None:
    notes = reasons(table, paper())
    typed = changed(changed(paper(), 3, "A", points="10.66"), 3, "D", points="10.66")
    with pytest.raises(Refused) as refused:
        scoresheets.submit_scoresheet(
            table,
            revision=0,
            form=SheetForm.PAPER,
            typed=typed,
            confirmations=notes,
            by=clerk,
            request_key="k1",
        )
    assert refused.value.facts["look"] == 2


def test_a_no_show_s_seat_counts_as_empty_and_a_leaver_s_finished_games_stand(table: Table, clerk: User) -> None:
    record_status(table, "D", EntrantStatus.FORFEITED)
    record_status(table, "C", EntrantStatus.WITHDRAWN)
    typed = paper(
        [
            ("rummikub", "1 +30 0", "0 -21 5", "0 -9 2"),
            ("rummikub", "0 -10 3", "1 +40 0", "0 -30 4"),
            ("rummikub", "1 +5 0", "0 -5 1"),
        ],
        ["2 25 3", "1 14 6"],
    )
    typed = changed(changed(typed, 2, "C", left=True), 3, "C", absent=True)
    assert submit(table, clerk, typed).state == SheetState.READY
    lines = Line.objects.order_by("game__number", "letter")
    assert [
        (line.game.number, line.letter, line.points_twelfths, line.left) for line in lines.select_related("game")
    ] == [
        (1, "A", 360, False),
        (1, "B", -252, False),
        (1, "C", -108, False),
        (2, "A", -120, False),
        (2, "B", 480, False),
        (2, "C", -360, True),
        (3, "A", 60, False),
        (3, "B", -60, False),
    ]


def test_a_game_not_played_is_kept_without_lines(table: Table, clerk: User) -> None:
    typed = paper(
        [("rummikub", "0 -14 3", "0 -21 5", "0 -9 2", "1 +44 0"), ("not_played",), ("not_played",)],
        ["0 -14 3", "0 -21 5", "0 -9 2", "1 44 0"],
    )
    assert submit(table, clerk, typed).state == SheetState.READY
    assert [(game.ended_by, game.lines.count()) for game in Game.objects.order_by("number")] == [
        ("rummikub", 4),
        ("not_played", 0),
        ("not_played", 0),
    ]


def test_the_canonical_values_hold_integers_only_and_name_the_sheet_and_its_people(table: Table, clerk: User) -> None:
    sheet = submit(table, clerk)
    seats = queries.seats_as_judged(table)
    rows = bridge.stored_game_rows(sheet.games.all())
    values = json.loads(
        bridge.canonical_sheet_text(table, 1, seats, rows, sheet.confirmations), parse_float=pytest.fail
    )
    assert {name: values[name] for name in ("canon_version", "event", "stage", "session", "table", "version")} == {
        "canon_version": 1,
        "event": table.session.stage.event.slug,
        "stage": "preliminary",
        "session": 1,
        "table": 1,
        "version": 1,
    }
    assert values["seats"] == {"A": 301, "B": 302, "C": 303, "D": 304}
    assert values["games"][2]["lines"]["A"]["points_twelfths"] == 128


# --- Taken back, and locked -----------------------------------------------------------------------------
def test_the_typist_takes_a_sheet_back_with_every_text_and_hands_it_on_again(table: Table, clerk: User) -> None:
    ready = submit(table, clerk)
    draft = scoresheets.reopen_scoresheet(table, revision=2, by=clerk, request_key="k2")
    assert (draft.state, draft.revision, draft.digest, draft.typed) == (SheetState.DRAFT, 3, "", paper())
    assert (Game.objects.count(), Line.objects.count()) == (0, 0)
    again = submit(table, clerk, revision=3, key="k3")
    assert (again.state, again.digest) == (SheetState.READY, ready.digest)


def test_nobody_but_the_typist_takes_it_back(table: Table, clerk: User, second_clerk: User) -> None:
    submit(table, clerk)
    with pytest.raises(Forbidden) as refused:
        scoresheets.reopen_scoresheet(table, revision=2, by=second_clerk, request_key="k2")
    assert refused.value.status == 403


def test_a_sheet_that_waits_for_its_second_person_is_not_overwritten(table: Table, clerk: User) -> None:
    submit(table, clerk)
    with pytest.raises(Refused) as refused:
        save(table, clerk, revision=2, key="k2")
    assert (refused.value.status, refused.value.code) == (409, "scoresheet_ready")


def test_a_locked_sheet_answers_423_to_everybody_and_every_act(table: Table, clerk: User, second_clerk: User) -> None:
    submit(table, clerk)
    signed = dict.fromkeys("ABCD", "")
    signing.certify_scoresheet(table, revision=2, signatures=signed, by=second_clerk, request_key="k2")
    kept = Scoresheet.objects.values().get()
    acts = [
        lambda: save(table, clerk, revision=3, key="k3"),
        lambda: submit(table, clerk, revision=3, key="k4"),
        lambda: scoresheets.hand_in_scoresheet(table, revision=3, confirmations={}, by=clerk, request_key="k5"),
        lambda: scoresheets.reopen_scoresheet(table, revision=3, by=clerk, request_key="k6"),
        lambda: signing.certify_scoresheet(table, revision=3, signatures=signed, by=second_clerk, request_key="k7"),
        lambda: signing.reject_scoresheet(table, revision=3, reason="why", by=second_clerk, request_key="k8"),
    ]
    for act in acts:
        with pytest.raises(Locked) as refused:
            act()
        assert refused.value.status == 423
    assert Scoresheet.objects.values().get() == kept
