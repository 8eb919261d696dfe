"""A release: what blocks it, that it freezes one exact content, that it happens once, that it can be taken back."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from tests.guards_lifted import lifted
from tests.sheets.sheets import add_entrants, draw, mirrored_tables
from tests.squeezed import squeezed
from tests.stages.deciding import draw_lots
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus, SessionState, SheetState
from tournament.core.errors import BadInput, Refused
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant, Person
from tournament.operations.queries.overview import figures_of_stage
from tournament.publication.domain.release import canonical_digest
from tournament.publication.exports.ranking_pdf import numbers_without_printable_name
from tournament.publication.exports.released import read_release
from tournament.publication.services.release import judge_release, release_results, withdraw_release
from tournament.ranking.domain.standings import certainty_by_number, live_ranking
from tournament.releases.models import Release
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.models.signing import OfficialSheet, Stamp
from tournament.stages.services.decisions import decide_tie

pytestmark = pytest.mark.django_db
ANNOUNCED = datetime.fromisoformat("2026-04-09T00:00:00+08:00")


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    """Two tables, all stamped, four of eight advance, nothing in the way."""
    mirrored_tables(first_session, organiser, advance=4)
    return first_session.stage


def blocks(stage: Stage, now: datetime = ANNOUNCED) -> list[str]:
    return [block.code for block in judge_release(stage, now).blocks]


def publish(stage: Stage, by: User, **given: Any) -> Release:
    return release_results(stage, by=by, **{"now": ANNOUNCED, **given})


def test_nothing_stands_in_the_way_when_all_is_stamped_and_the_hour_has_come(stage: Stage) -> None:
    assert blocks(stage) == []


def test_the_embargo_is_kept_to_the_announced_moment(stage: Stage, organiser: User) -> None:
    assert blocks(stage, ANNOUNCED - timedelta(seconds=1)) == ["embargo"]
    assert blocks(stage, ANNOUNCED - timedelta(microseconds=1)) == ["embargo"]
    with pytest.raises(Refused) as refused:
        publish(stage, organiser, now=ANNOUNCED - timedelta(microseconds=1))
    assert refused.value.code == "release_blocked"
    assert not Release.objects.exists()
    assert publish(stage, organiser, now=ANNOUNCED).number == 1


def test_a_session_with_entrants_and_no_draw_blocks(stage: Stage) -> None:
    add_entrants(stage.sessions.get(number=2), [20])
    assert blocks(stage) == ["session_not_drawn"]


def test_a_session_whose_entrants_all_stay_away_does_not_block(stage: Stage) -> None:
    add_entrants(stage.sessions.get(number=2), [20], status=EntrantStatus.FORFEITED)
    assert blocks(stage) == []


def test_of_a_void_session_nothing_is_waited_for_but_what_becomes_of_its_entrants(stage: Stage) -> None:
    second = stage.sessions.get(number=2)
    add_entrants(second, [20])
    Session.objects.filter(pk=second.pk).update(state=SessionState.VOID)
    (block,) = judge_release(stage, ANNOUNCED).blocks
    assert (block.code, block.facts) == ("entrants_unplayed", {"numbers": [20]})
    Entrant.objects.filter(number=20).update(status=EntrantStatus.WITHDRAWN)
    assert blocks(stage) == []


def test_who_was_recorded_absent_and_takes_part_again_without_a_game_blocks_everywhere_alike(
    stage: Stage, organiser: User, signed_in: Any
) -> None:
    stage.sessions.exclude(number=1).delete()
    add_entrants(stage.sessions.get(number=1), [20], status=EntrantStatus.FORFEITED)
    assert blocks(stage) == []
    Entrant.objects.filter(number=20).update(status=EntrantStatus.OK)
    live = live_ranking(stage)
    states = {one.state for one in certainty_by_number(live).values()}
    assert (blocks(stage), live.unplayed, "not_yet_played" in states) == (["entrants_unplayed"], {20}, True)
    figures = figures_of_stage(stage.event, stage)
    assert (figures.sheets_are_in, figures.is_finished, list(figures.unplayed)) == (True, False, [20])
    waiting = [one["sentence"] for one in signed_in(organiser).get("/desk/hk-2026/").context["waiting"]]
    assert "1 名參賽者仍在參賽而沒有賽果：0020。" in waiting
    page = squeezed(signed_in(organiser).get("/desk/hk-2026/preliminary/qualification/").content.decode())
    assert ">已定<" not in page


def test_a_table_without_a_sheet_blocks_and_is_named(stage: Stage, organiser: User) -> None:
    second = stage.sessions.get(number=2)
    draw(second, [add_entrants(second, range(20, 24))], organiser)
    (block,) = judge_release(stage, ANNOUNCED).blocks
    assert (block.code, block.tables) == ("sheets_missing", ((2, "0328-2", 1, "open"),))


def test_a_table_at_which_nobody_plays_is_not_waited_for(stage: Stage, organiser: User) -> None:
    second = stage.sessions.get(number=2)
    draw(second, [add_entrants(second, range(20, 24), status=EntrantStatus.FORFEITED)], organiser)
    assert blocks(stage) == []


@pytest.mark.parametrize("state", [SheetState.DRAFT, SheetState.READY, SheetState.DISPUTED])
def test_a_sheet_that_is_not_locked_blocks(stage: Stage, organiser: User, state: str) -> None:
    second = stage.sessions.get(number=2)
    (table,) = draw(second, [add_entrants(second, range(20, 24))], organiser)
    Scoresheet.objects.create(table=table, state=state)
    (block,) = judge_release(stage, ANNOUNCED).blocks
    assert (block.code, block.tables) == ("sheets_not_locked", ((2, "0328-2", 1, state),))


def test_a_void_sheet_has_been_decided_and_does_not_block(stage: Stage, organiser: User) -> None:
    second = stage.sessions.get(number=2)
    (table,) = draw(second, [add_entrants(second, range(20, 24))], organiser)
    Scoresheet.objects.create(table=table, state=SheetState.VOID)
    assert blocks(stage) == []


def test_a_locked_sheet_without_its_stamp_blocks(stage: Stage) -> None:
    with lifted():
        Stamp.objects.filter(scoresheet__table__number=2).delete()
    (block,) = judge_release(stage, ANNOUNCED).blocks
    assert (block.code, block.tables) == ("sheets_not_stamped", ((1, "0328-1", 2, "unstamped"),))


def test_a_tie_across_the_line_blocks_until_it_is_decided(stage: Stage, organiser: User, chief_judge: User) -> None:
    Stage.objects.filter(pk=stage.pk).update(advance=3)
    stage.refresh_from_db()
    assert blocks(stage) == ["tie_unresolved"]
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
    assert blocks(stage) == []


def test_with_no_result_there_is_nothing_to_release(first_session: Session) -> None:
    assert blocks(first_session.stage) == ["nothing_to_release"]


def test_every_reason_is_told_at_once(stage: Stage, organiser: User) -> None:
    add_entrants(stage.sessions.get(number=3), [30])
    second = stage.sessions.get(number=2)
    tables = draw(second, [add_entrants(second, range(20, 24)), add_entrants(second, range(24, 28))], organiser)
    Scoresheet.objects.create(table=tables[1], state=SheetState.READY)
    with lifted():
        Stamp.objects.filter(scoresheet__table__number=2).delete()
    Stage.objects.filter(pk=stage.pk).update(advance=3)
    stage.refresh_from_db()
    expected = [
        "embargo",
        "session_not_drawn",
        "sheets_missing",
        "sheets_not_locked",
        "sheets_not_stamped",
        "tie_unresolved",
    ]
    assert blocks(stage, ANNOUNCED - timedelta(hours=1)) == expected
    with pytest.raises(Refused) as refused:
        publish(stage, organiser, now=ANNOUNCED - timedelta(hours=1))
    assert [block.code for block in refused.value.about] == expected


def test_the_content_is_public_facts_alone_and_exact(stage: Stage, organiser: User) -> None:
    Entrant.objects.filter(number=8).update(status=EntrantStatus.DISQUALIFIED)
    content = publish(stage, organiser).content
    assert content["ranking"][0] == {
        "number": 1,
        "name": "李*小",
        "rank": 1,
        "tied": True,
        "wins": 3,
        "points_twelfths": 870,
        "average": "145/6",
        "tiles": 5,
        "table_size": 4,
        "advancing": True,
        "reserve": None,
        "games": [[1, 360, 0], [1, 360, 0], [1, 150, 5]],
    }
    assert [(line["number"], line["rank"], line["advancing"], line["reserve"]) for line in content["ranking"]] == [
        (1, 1, True, None),
        (5, 1, True, None),
        (2, 3, True, None),
        (6, 3, True, None),
        (3, 5, False, [1, True]),
        (7, 5, False, [1, True]),
        (4, 7, False, [3, False]),
    ]
    assert content["unranked"] == [{"number": 8, "because": "no_rank"}]
    assert {
        key: content[key] for key in ("number", "released_at", "order", "games", "places", "advancing", "decision")
    } == {
        "number": 1,
        "released_at": "2026-04-09T00:00:00+08:00",
        "order": ["wins", "average", "tiles"],
        "games": 3,
        "places": 4,
        "advancing": 4,
        "decision": None,
    }


def test_the_digest_is_that_of_the_canonical_content() -> None:
    assert canonical_digest({"b": 1, "a": ["陳*文", "−"], "c": None}) == (
        "faba29da190f85415ff810d12a099cac79ca6a9393b835daf92e0b14275a60a8"
    )


def test_a_release_keeps_its_digest_its_sheets_and_the_audit_head_it_was_read_at(stage: Stage, organiser: User) -> None:
    before = AuditEntry.objects.filter(event=stage.event).order_by("seq").last()
    made = publish(stage, organiser)
    made.refresh_from_db()
    counted = OfficialSheet.objects.select_related("scoresheet", "table").order_by("table__number")
    assert made.digest == canonical_digest(made.content)
    assert made.sheets == [["0328-1", sheet.table.number, 1, sheet.scoresheet.digest] for sheet in counted]
    assert (made.audit_seq, made.audit_hash) == (before.seq, before.hash)
    entry = AuditEntry.objects.get(action="release")
    assert (entry.actor, entry.subject, entry.digest_after) == (organiser, "release 1", made.digest)


def test_the_decision_is_published_by_role_without_witnesses(stage: Stage, organiser: User, chief_judge: User) -> None:
    Stage.objects.filter(pk=stage.pk).update(advance=3)
    stage.refresh_from_db()
    decided = draw_lots(stage, "line", chief_judge, tied=["0002", "0006"], places=1, witnesses="Ms Lam")
    assert publish(stage, organiser).content["decision"] == {
        "tied": ["0002", "0006"],
        "places": 1,
        "admitted": decided.admitted,
        "order": decided.order,
        "play_off": [],
        "method": "lots",
        "reason": "Lots.",
        "seed": decided.seed,
        "by": "chief_judge",
        "agreed": False,
        "at": decided.at.astimezone(ANNOUNCED.tzinfo).isoformat(timespec="seconds"),
    }


def test_a_second_release_that_would_say_the_same_is_refused(stage: Stage, organiser: User) -> None:
    publish(stage, organiser)
    with pytest.raises(Refused) as refused:
        publish(stage, organiser, now=ANNOUNCED + timedelta(minutes=5))
    assert (refused.value.code, refused.value.status) == ("already_released", 409)
    assert Release.objects.count() == 1


def test_a_number_that_somebody_else_has_taken_is_refused(stage: Stage, organiser: User) -> None:
    publish(stage, organiser, number=1)
    Entrant.objects.filter(number=8).update(status=EntrantStatus.WITHDRAWN)
    with pytest.raises(Refused) as refused:
        publish(stage, organiser, number=1)
    assert refused.value.code == "already_released"
    assert publish(stage, organiser, number=2).number == 2


def test_a_name_that_no_font_can_print_stops_nobodys_release(stage: Stage, organiser: User) -> None:
    Person.objects.filter(entrant__number=3).update(name_zh="\U00020000大文🐰")
    made = publish(stage, organiser)
    assert {line["number"]: line["name"] for line in made.content["ranking"]}[3] == "\U00020000*文"
    assert numbers_without_printable_name(read_release(made.content, made.digest)) == [3]


def test_both_names_in_one_cell_are_released_as_one_mask(stage: Stage, organiser: User) -> None:
    Person.objects.filter(entrant__number=3).update(name_zh="", name_en="陳大文 CHAN Tai Man")
    Person.objects.filter(entrant__number=2).update(name_zh="陳　文")
    made = publish(stage, organiser)
    names = {line["number"]: line["name"] for line in made.content["ranking"]}
    assert (names[3], names[2]) == ("陳*文", "陳*")
    assert "陳大文" not in json.dumps(made.content, ensure_ascii=False)


def test_a_release_is_withdrawn_once_with_its_reason(stage: Stage, organiser: User) -> None:
    made = publish(stage, organiser)
    withdraw_release(made, reason="A sheet was typed wrongly.", by=organiser)
    first = made.withdrawn_at
    withdraw_release(made, reason="Again.", by=organiser)
    assert (made.withdrawn_at, made.withdrawn_reason, made.withdrawn_by) == (
        first,
        "A sheet was typed wrongly.",
        organiser,
    )
    assert AuditEntry.objects.filter(action="withdraw_release").count() == 1


def test_a_withdrawal_needs_a_reason(stage: Stage, organiser: User) -> None:
    made = publish(stage, organiser)
    with pytest.raises(BadInput):
        withdraw_release(made, reason=" ", by=organiser)


def test_after_a_withdrawal_the_same_may_be_released_under_a_new_number(stage: Stage, organiser: User) -> None:
    withdraw_release(publish(stage, organiser), reason="Too early.", by=organiser)
    assert publish(stage, organiser).number == 2


def test_judging_asks_as_many_queries_for_one_table_as_for_many(
    stage: Stage, organiser: User, django_assert_max_num_queries: Any
) -> None:
    second = stage.sessions.get(number=2)
    entrants = add_entrants(second, range(20, 60))
    draw(second, [entrants[4 * k : 4 * k + 4] for k in range(10)], organiser)
    stage = Stage.objects.select_related("event").get(pk=stage.pk)
    with django_assert_max_num_queries(17):
        judge_release(stage, ANNOUNCED)
