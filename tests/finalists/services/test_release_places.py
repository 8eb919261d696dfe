"""Answers about places: who declines is replaced in the true order, nothing twice, nothing after the last moment."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.recorded import altered_rows
from tests.sheets.sheets import mirrored_tables
from tests.stages.deciding import draw_lots
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus
from tournament.core.errors import Refused, StaleVersion
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services.release_places import record_place_answer, set_answers_until
from tournament.publication.domain.release import frozen_decision
from tournament.publication.exports.released import read_release
from tournament.publication.services.release import release_results, withdraw_release
from tournament.ranking.models.tie_break import TieBreak
from tournament.releases.models import PlaceAnswer, Release
from tournament.stages.domain.qualification import live_qualification
from tournament.stages.services.decisions import agree_decision, decide_tie

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    """0001, 0005, 0002, 0006 advance; the reserves are 0003 and 0007 (1=), then 0004 and 0008 (3=)."""
    mirrored_tables(first_session, organiser, advance=4)
    Event.objects.update(results_at=timezone.now())
    first_session.stage.event.refresh_from_db()
    release_results(first_session.stage, by=organiser)
    return first_session.stage


def answer(stage: Stage, by: User, number: int, said: str = "declined", **given: Any) -> PlaceAnswer:
    return record_place_answer(stage, number=number, answer=said, by=by, **{"reason": "Abroad that day.", **given})


def holders(stage: Stage) -> str:
    return " ".join(holder.id for holder in live_places(stage).places.holders)


def test_two_who_decline_are_replaced_by_the_two_who_are_next(stage: Stage, organiser: User) -> None:
    answer(stage, organiser, 5)
    assert (holders(stage), live_places(stage).places.undecided.ids) == ("0001 0002 0006", ("0003", "0007"))
    answer(stage, organiser, 6)
    assert holders(stage) == "0001 0002 0003 0007"


def decide(stage: Stage, by: User, **given: Any) -> TieBreak:
    """The chief judge calls 0007 before 0003, unless told otherwise."""
    facts = {
        "tied": ["0003", "0007"],
        "places": 1,
        "method": "pick",
        "order": ["0007"],
        "reason": "0007 had the longer run.",
    }
    return decide_tie(stage, of="reserve", by=by, **{**facts, **given})


def test_reserves_who_share_a_place_are_called_in_the_order_decided(
    stage: Stage, organiser: User, chief_judge: User
) -> None:
    answer(stage, organiser, 5)
    made = decide(stage, chief_judge)
    assert (holders(stage), live_places(stage).places.waiting) == ("0001 0002 0006 0007", ("0003", "0004", "0008"))
    assert (made.admitted, made.order, made.of) == (["0007"], ["0007"], "reserve")
    entry = AuditEntry.objects.get(action="decide_tie")
    said = "reserve pick: 0007 of 0003 0007 for 1 places. 0007 had the longer run."
    assert (entry.subject, entry.reason, entry.actor) == ("stage preliminary", said, chief_judge)
    assert altered_rows() == []


def test_the_call_holds_when_a_second_place_is_free_and_goes_on_when_the_called_declines(
    stage: Stage, organiser: User, chief_judge: User
) -> None:
    answer(stage, organiser, 5)
    decide(stage, chief_judge)
    first = answer(stage, organiser, 7, "accepted")
    answer(stage, organiser, 6)
    assert holders(stage) == "0001 0002 0007 0003"
    answer(stage, organiser, 7, seen=first.pk)
    assert (holders(stage), live_places(stage).places.undecided.ids) == ("0001 0002 0003", ("0004", "0008"))


def test_a_decision_of_reserves_settles_no_line_and_is_not_lapsed(
    stage: Stage, organiser: User, chief_judge: User
) -> None:
    answer(stage, organiser, 5)
    made = decide(stage, chief_judge)
    cut = live_qualification(stage)
    assert (cut.decision, cut.lapsed, cut.reserved) == (None, (), (made,))
    Stage.objects.filter(pk=stage.pk).update(advance=5)
    across = live_qualification(Stage.objects.get(pk=stage.pk))
    assert ([one.number for one in across.tie], across.decision, across.lapsed) == ([3, 7], None, ())


@pytest.mark.fault("X11")
@pytest.mark.parametrize("method", ["pick", "lots"])
def test_an_order_decided_for_the_line_holds_one_place_lower_while_exactly_these_are_level(
    method: str, stage: Stage, organiser: User, chief_judge: User
) -> None:
    Stage.objects.filter(pk=stage.pk).update(advance=5)
    stage.refresh_from_db()
    made = decided_for_the_line(stage, chief_judge, method)
    first = int(made.admitted[0])
    other = 10 - first
    assert [one.number for one in live_qualification(stage).advancing][-1] == first
    Stage.objects.filter(pk=stage.pk).update(advance=4)
    stage.refresh_from_db()
    cut = live_qualification(stage)
    assert [(one.number, place, shared) for one, place, shared in cut.reserves] == [
        (first, 1, False),
        (other, 2, False),
        (4, 3, True),
        (8, 3, True),
    ]
    assert (cut.decision, cut.lapsed, cut.reserved, cut.reserved_in_force) == (None, (), (made,), (made,))
    content = release_results(stage, by=organiser).content
    assert [line["reserve"] for line in content["ranking"] if line["number"] == first] == [[1, False]]
    assert content["reserve_decisions"] == [frozen_decision(made)]
    assert (len(read_release(content, "").reserve_words), altered_rows()) == (1, [])
    answer(stage, organiser, 5)
    assert holders(stage) == f"0001 0002 0006 {first:04d}"


def decided_for_the_line(stage: Stage, by: User, method: str) -> TieBreak:
    """0003 and 0007 for the fifth place."""
    if method == "lots":
        return draw_lots(stage, "line", by, tied=["0003", "0007"], places=1)
    facts = {
        "tied": ["0003", "0007"],
        "places": 1,
        "method": "pick",
        "admitted": ["0007"],
        "reason": "0007 had the longer run.",
    }
    made = decide_tie(stage, of="line", by=by, **facts)
    assert isinstance(made, TieBreak)
    return made


@pytest.mark.fault("X11")
def test_a_line_decision_orders_no_reserves_beside_whom_another_is_level(
    stage: Stage, organiser: User, chief_judge: User
) -> None:
    TieBreak.objects.create(
        stage=stage,
        of="line",
        tied=["0003", "0004"],
        places=1,
        admitted=["0004"],
        order=["0004"],
        method="pick",
        reason="Other days.",
        by=chief_judge,
        at=timezone.now(),
    )
    cut = live_qualification(stage)
    assert [(one.number, place, shared) for one, place, shared in cut.reserves][:2] == [(3, 1, True), (7, 1, True)]
    assert (len(cut.lapsed), cut.reserved) == (1, ())


def test_a_later_release_has_the_order_of_the_reserves_in_its_frozen_content(
    stage: Stage, organiser: User, chief_judge: User
) -> None:
    answer(stage, organiser, 5)
    made = decide(stage, chief_judge)
    content = release_results(stage, by=organiser).content
    assert [line["number"] for line in content["ranking"] if line["reserve"]] == [7, 3, 4, 8]
    assert [line["reserve"] for line in content["ranking"] if line["reserve"]] == [
        [1, False],
        [2, False],
        [3, True],
        [3, True],
    ]
    assert content["reserve_decisions"] == [frozen_decision(made)]
    assert (holders(stage), altered_rows()) == ("0001 0002 0006 0007", [])


def test_the_decision_of_a_reserve_place_is_harmless_twice_and_replaced_only_as_seen(
    stage: Stage, organiser: User, chief_judge: User
) -> None:
    answer(stage, organiser, 5)
    first = decide(stage, chief_judge)
    assert decide(stage, chief_judge) == first
    with pytest.raises(Refused) as refused:
        decide(stage, chief_judge, order=["0003"])
    assert refused.value.code == "already_decided"
    waiting = decide(stage, chief_judge, order=["0003"], replaces=first.pk)
    assert holders(stage) == "0001 0002 0006 0007"
    agree_decision(stage.event, waiting.pk, by=organiser)
    assert holders(stage) == "0001 0002 0006 0003"


def test_who_has_accepted_does_not_lose_the_place_by_another_decision(
    stage: Stage, organiser: User, chief_judge: User
) -> None:
    answer(stage, organiser, 5)
    first = decide(stage, chief_judge)
    answer(stage, organiser, 7, "accepted")
    with pytest.raises(Refused) as refused:
        decide(stage, chief_judge, order=["0003"], replaces=first.pk)
    assert (refused.value.code, holders(stage)) == ("place_accepted", "0001 0002 0006 0007")


def test_a_tie_of_reserves_that_blocks_no_call_is_not_decided(stage: Stage, chief_judge: User) -> None:
    with pytest.raises(StaleVersion) as refused:
        decide(stage, chief_judge)
    assert (refused.value.code, TieBreak.objects.count()) == ("tie_changed", 0)


def test_who_withdraws_or_is_disqualified_counts_as_declined(stage: Stage, organiser: User) -> None:
    Entrant.objects.filter(number=1).update(status=EntrantStatus.DISQUALIFIED)
    Entrant.objects.filter(number=3).update(status=EntrantStatus.WITHDRAWN)
    assert holders(stage) == "0005 0002 0006 0007"


def test_when_nobody_is_left_places_stay_empty(stage: Stage, organiser: User) -> None:
    Entrant.objects.filter(number__in=[3, 4, 7, 8]).update(status=EntrantStatus.WITHDRAWN)
    answer(stage, organiser, 1)
    assert (holders(stage), live_places(stage).places.empty) == ("0005 0002 0006", 1)


def test_an_answer_is_recorded_once_with_who_and_why(stage: Stage, organiser: User) -> None:
    made = answer(stage, organiser, 1)
    assert (answer(stage, organiser, 1), made.release, made.by) == (made, 1, organiser)
    entry = AuditEntry.objects.get(action="record_answer")
    assert (entry.subject, entry.details, entry.reason) == ("entrant 0001", {"answer": "declined"}, "Abroad that day.")


def test_an_answer_is_given_upon_what_its_maker_has_seen(stage: Stage, organiser: User) -> None:
    first = answer(stage, organiser, 1, "accepted", reason="")
    with pytest.raises(StaleVersion):
        answer(stage, organiser, 1)
    assert answer(stage, organiser, 1, seen=first.pk).answer == "declined"


def test_a_place_is_taken_back_only_while_no_reserve_has_accepted_it(stage: Stage, organiser: User) -> None:
    first, second = answer(stage, organiser, 5), answer(stage, organiser, 6)
    again = answer(stage, organiser, 6, "accepted", seen=second.pk)
    second = answer(stage, organiser, 6, seen=again.pk)
    answer(stage, organiser, 3, "accepted")
    with pytest.raises(Refused) as refused:
        answer(stage, organiser, 5, "accepted", seen=first.pk)
    assert refused.value.code == "place_taken"
    assert holders(stage) == "0001 0002 0003 0007"


@pytest.mark.parametrize(
    ("number", "given", "code"),
    [(1, {"reason": " "}, "reason_missing"), (4, {}, "no_place"), (99, {}, "no_place")],
)
def test_what_cannot_be_answered_is_refused(
    stage: Stage, organiser: User, number: int, given: dict[str, Any], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        answer(stage, organiser, number, **given)
    assert (refused.value.code, PlaceAnswer.objects.count()) == (code, 0)


def test_from_the_last_moment_on_no_answer_is_taken(stage: Stage, organiser: User) -> None:
    until = timezone.now() + timedelta(hours=1)
    set_answers_until(stage, until=until, seen=None, by=organiser)
    with pytest.raises(Refused) as refused:
        answer(stage, organiser, 1, now=until)
    assert refused.value.code == "answers_closed"
    assert answer(stage, organiser, 1, now=until - timedelta(microseconds=1))


def test_the_last_moment_is_set_upon_what_its_maker_has_seen_and_once(stage: Stage, organiser: User) -> None:
    until = timezone.now() + timedelta(hours=1)
    set_answers_until(stage, until=until, seen=None, by=organiser)
    set_answers_until(stage, until=until, seen=None, by=organiser)
    with pytest.raises(StaleVersion):
        set_answers_until(stage, until=None, seen=None, by=organiser)
    assert AuditEntry.objects.filter(action="set_answers_until").count() == 1


def test_without_a_current_release_there_are_no_places(stage: Stage, organiser: User) -> None:
    withdraw_release(Release.objects.get(), reason="Wrong.", by=organiser)
    assert holders(stage) == ""
    with pytest.raises(Refused):
        answer(stage, organiser, 1)


def test_the_database_itself_refuses_to_change_an_answer(stage: Stage, organiser: User) -> None:
    made = answer(stage, organiser, 1)
    with pytest.raises(IntegrityError), transaction.atomic():
        PlaceAnswer.objects.filter(pk=made.pk).update(reason="Other.")
