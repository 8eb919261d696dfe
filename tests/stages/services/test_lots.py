"""Lots whose seed is in nobody's hand: announced before the figure is known, drawn once, all of it published."""

import hashlib
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.guards_lifted import lifted
from tests.recorded import altered_rows
from tests.sheets.sheets import mirrored_tables
from tests.stages.deciding import announce, decide, draw_lots
from tournament.audit import services
from tournament.audit.models import AuditEntry, AuditHead
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.publication.services.release import release_results
from tournament.ranking.models.lots import LotsAnnouncement
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.domain.qualification import live_qualification
from tournament.stages.services.decisions import agree_decision
from tournament.stages.services.lots import value_text

pytestmark = pytest.mark.django_db
TIE = {"tied": ["0002", "0006"], "places": 1}
LOTS = {**TIE, "method": "lots", "witnesses": "two parents", "reason": "Lots."}


@pytest.fixture
def stage(first_session: Session, organiser: User) -> Stage:
    """0002 and 0006 share rank 3 in full, one place is left."""
    mirrored_tables(first_session, organiser)
    return first_session.stage


def refused(act: Any) -> str:
    with pytest.raises(Refused) as said:
        act()
    return said.value.code


def order_of(seed: str) -> list[int]:
    return sorted(["0002", "0006"], key=lambda id: hashlib.sha256(f"{seed}\n{id}".encode()).hexdigest())


def test_the_head_of_the_seed_is_that_of_the_announcement_whatever_is_written_after_it(
    stage: Stage, chief_judge: User
) -> None:
    head = AuditHead.objects.get(event=stage.event_id)
    made = announce(stage, "line", chief_judge, **TIE)
    entry = AuditEntry.objects.get(action="announce_lots")
    assert (made.head_seq, made.head_hash, entry.prev) == (head.seq, head.hash, head.hash)
    services.append_audit_entry(stage.event, chief_judge, "propose_act", "tried", reason="another head")
    drawn = decide(stage, "line", chief_judge, value="24,123.50", **LOTS)
    assert (drawn.seed, drawn.order) == (f"{head.hash} 24123.5", order_of(f"{head.hash} 24123.5"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("24,123.50", "24123.5"),
        ("２４１２３．５", "24123.5"),
        ("007", "7"),
        (" 3  12 24 ", "3 12 24"),
        ("-0.0", "0"),
        ("+5", "5"),
        ("100", "100"),
    ],
)
def test_one_figure_has_one_spelling(text: str, value: str) -> None:
    assert value_text(text) == value


@pytest.mark.parametrize("text", ["", "about 5", "5 points", "1,23", "9" * 40, "5a", "陳大文"])
def test_a_value_is_figures_alone(text: str) -> None:
    with pytest.raises(BadInput):
        value_text(text)


def test_a_figure_that_is_known_is_not_announced_and_one_that_is_not_out_is_not_taken(
    stage: Stage, chief_judge: User
) -> None:
    now = timezone.now()
    facts = {**TIE, "now": now}
    assert refused(lambda: announce(stage, "line", chief_judge, known_from=now, **facts)) == "value_known_already"
    assert refused(lambda: announce(stage, "line", chief_judge, public_value=" ", **facts)) == "public_value_missing"
    announce(stage, "line", chief_judge, known_from=now + timedelta(hours=1), **facts)
    assert refused(lambda: decide(stage, "line", chief_judge, value="5", **LOTS)) == "value_not_known_yet"


def test_lots_are_drawn_once_and_again_only_by_two_with_a_reason(
    stage: Stage, chief_judge: User, organiser: User
) -> None:
    first = draw_lots(stage, "line", chief_judge, **TIE)
    assert refused(lambda: decide(stage, "line", chief_judge, value="7", replaces=first.pk, **LOTS)) == (
        "lots_not_announced"
    )
    assert refused(lambda: announce(stage, "line", chief_judge, **TIE, public_value="other")) == "reason_missing"
    again = {**TIE, "public_value": "other", "reason": "The figure was read wrongly.", "now": timezone.now()}
    waiting = announce(stage, "line", chief_judge, **again)
    assert (LotsAnnouncement.objects.count(), live_qualification(stage).decision) == (1, first)
    second = agree_decision(stage.event, waiting.pk, by=organiser)
    assert (second.agreed_by, LotsAnnouncement.objects.count()) == (organiser, 2)
    later = timezone.now() + timedelta(hours=1)
    drawn = decide(stage, "line", chief_judge, value="7", replaces=first.pk, now=later, **LOTS)
    assert (live_qualification(stage).decision, drawn.seed) == (drawn, f"{second.head_hash} 7")


def test_whoever_dislikes_the_draw_to_come_does_not_choose_alone_instead(
    stage: Stage, chief_judge: User, organiser: User
) -> None:
    announce(stage, "line", chief_judge, **TIE)
    pick = {**TIE, "method": "pick", "admitted": ["0006"], "reason": "The longer run."}
    waiting = decide(stage, "line", chief_judge, **pick)
    assert (live_qualification(stage).decision, TieBreak.objects.count()) == (None, 0)
    agree_decision(stage.event, waiting.pk, by=organiser)
    assert live_qualification(stage).decision.admitted == ["0006"]


def test_the_same_announcement_sent_twice_is_one(stage: Stage, chief_judge: User) -> None:
    known = timezone.now() + timedelta(hours=2)
    made = [announce(stage, "line", chief_judge, known_from=known, **TIE) for _time in range(2)]
    assert made[0] == made[1] and AuditEntry.objects.filter(action="announce_lots").count() == 1


def test_every_draw_and_every_decision_that_was_replaced_is_published(
    stage: Stage, chief_judge: User, organiser: User
) -> None:
    first = draw_lots(stage, "line", chief_judge, **TIE)
    pick = {**TIE, "method": "pick", "admitted": ["0006"], "reason": "The figure was wrong.", "replaces": first.pk}
    decide(stage, "line", chief_judge, second=organiser, **pick)
    Event.objects.update(results_at=timezone.now())
    content = release_results(Stage.objects.select_related("event").get(pk=stage.pk), by=organiser).content
    (lots,), (earlier,) = content["lots"], content["earlier_decisions"]
    assert (lots["seed"], lots["order"]) == (first.seed, first.order)
    assert (earlier["method"], earlier["seed"], earlier["replaced"]["reason"]) == (
        "lots",
        first.seed,
        "The figure was wrong.",
    )
    assert (content["decision"]["method"], content["decision"]["agreed"]) == ("pick", True)


@pytest.mark.parametrize("changed", ["public_value", "head_hash", "reason", "places"])
def test_an_announcement_that_is_altered_is_found(stage: Stage, chief_judge: User, changed: str) -> None:
    made = announce(stage, "line", chief_judge, **TIE)
    assert altered_rows() == []
    other = {"public_value": "mine", "head_hash": "0" * 64, "reason": "x", "places": 2}[changed]
    with lifted():
        LotsAnnouncement.objects.filter(pk=made.pk).update(**{changed: other})
    assert altered_rows() == [f"lotsannouncement {made.pk} {changed}"]
