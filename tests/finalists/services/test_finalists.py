"""The list of finalists: those who accepted, fixed for seating, opened again only while no draw of the final stands."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import override

from tests.core.finals import seat_round
from tests.finalists.invited import answered, holders, invited
from tests.recorded import altered_rows
from tournament.audit.models import AuditEntry
from tournament.core.enums import EntrantStatus
from tournament.core.errors import BadInput, Refused, StaleVersion
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.final import Finalist
from tournament.entrants.models.people import Entrant
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services import finalists as services
from tournament.finalists.services import invitations
from tournament.finalists.services.release_places import record_place_answer, set_answers_until
from tournament.ranking.domain.standings import live_ranking
from tournament.releases.models import PlaceAnswer
from tournament.tables.models import Draw

pytestmark = pytest.mark.django_db


@pytest.fixture
def stages(first_session: Session, organiser: User) -> tuple[Stage, Stage]:
    """Preliminary and final; four advance."""
    return invited(first_session, organiser)


@pytest.fixture
def accepted(stages: tuple[Stage, Stage], organiser: User) -> list[int]:
    numbers = holders(stages[0])
    for number in numbers:
        answered(stages[0], organiser, number)
    return numbers


def freeze(stages: tuple[Stage, Stage], by: User, **given: Any) -> Stage:
    return services.freeze_finalists(
        stages[1], seen=services.finalists_seen_digest(live_places(stages[0])), by=by, **given
    )


def exchange(stages: tuple[Stage, Stage], **given: Any) -> Stage:
    """As a page that was opened just now sends it."""
    seen = services.finalists_seen_digest(live_places(stages[0]), listed())
    return services.exchange_finalist(stages[1], **{"seen": seen, **given})


def thaw(stages: tuple[Stage, Stage], **given: Any) -> Stage:
    seen = services.finalists_seen_digest(live_places(stages[0]), listed())
    return services.thaw_finalists(stages[1], **{"seen": seen, **given})


def listed() -> list[int]:
    return list(Finalist.objects.order_by("rank", "entrant__number").values_list("entrant__number", flat=True))


def refusal(act: Any) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def test_the_list_is_who_has_accepted_with_the_ranks_that_were_released(
    stages: tuple[Stage, Stage], organiser: User, accepted: list[int]
) -> None:
    final = freeze(stages, organiser)
    ranks = {line["number"]: line["rank"] for line in live_places(stages[0]).release.content["ranking"]}
    rows = list(Finalist.objects.values_list("stage", "entrant__number", "rank"))
    assert rows == [(final.pk, number, ranks[number]) for number in accepted]
    assert (final.frozen_by, AuditEntry.objects.get(action="freeze_finalists").details) == (organiser, {"finalists": 4})
    assert altered_rows() == []


def test_frozen_twice_is_frozen_once(stages: tuple[Stage, Stage], organiser: User, accepted: list[int]) -> None:
    first = freeze(stages, organiser)
    assert freeze(stages, organiser).frozen_at == first.frozen_at
    assert (Finalist.objects.count(), AuditEntry.objects.filter(action="freeze_finalists").count()) == (4, 1)


def test_who_has_not_answered_is_struck_only_by_a_word_and_for_a_reason(
    stages: tuple[Stage, Stage], organiser: User
) -> None:
    first, *rest = holders(stages[0])
    answered(stages[0], organiser, first)
    assert refusal(lambda: freeze(stages, organiser)) == "unanswered"
    with pytest.raises(BadInput):
        freeze(stages, organiser, strike=True)
    assert (PlaceAnswer.objects.count(), Finalist.objects.count()) == (1, 0)
    freeze(stages, organiser, strike=True, reason="No answer by 12 April.")
    struck = PlaceAnswer.objects.filter(answer="struck").values_list("entrant__number", "reason", "by")
    assert sorted(struck) == sorted((number, "No answer by 12 April.", organiser.pk) for number in rest)
    assert (listed(), altered_rows()) == ([first], [])


def test_nobody_is_struck_while_answers_are_taken(stages: tuple[Stage, Stage], organiser: User) -> None:
    answered(stages[0], organiser, holders(stages[0])[0])
    until = timezone.now() + timedelta(days=1)
    set_answers_until(stages[0], until=until, seen=None, by=organiser)
    stages[0].refresh_from_db()
    given = {"strike": True, "reason": "Late."}
    assert refusal(lambda: freeze(stages, organiser, **given)) == "answers_open"
    freeze(stages, organiser, **given, now=until)
    assert len(listed()) == 1


def test_a_list_without_anybody_is_refused(stages: tuple[Stage, Stage], organiser: User) -> None:
    assert refusal(lambda: freeze(stages, organiser, strike=True, reason="Late.")) == "nobody_accepted"


def test_an_answer_that_the_page_has_not_seen_stops_the_freezing(
    stages: tuple[Stage, Stage], organiser: User, accepted: list[int]
) -> None:
    seen = services.finalists_seen_digest(live_places(stages[0]))
    answered(stages[0], organiser, accepted[0], "declined")
    assert refusal(lambda: services.freeze_finalists(stages[1], seen=seen, by=organiser)) == "places_changed"
    assert Finalist.objects.count() == 0


def test_once_fixed_no_finalist_answers_by_link_or_at_the_desk(
    stages: tuple[Stage, Stage], organiser: User, accepted: list[int]
) -> None:
    links = {one.entrant.number: one for one in invitations.make_place_links(stages[0], by=organiser)}
    freeze(stages, organiser)
    seen = live_places(stages[0]).answers[f"{accepted[0]:04d}"].pk
    by_link = {"answer": "declined", "seen": seen}
    assert refusal(lambda: invitations.answer_by_link(links[accepted[0]], **by_link)) == "list_frozen"
    assert refusal(lambda: answered(stages[0], organiser, accepted[0], "declined")) == "list_frozen"


def test_thawed_the_answers_still_count_and_the_list_can_be_fixed_again(
    stages: tuple[Stage, Stage], organiser: User, accepted: list[int]
) -> None:
    freeze(stages, organiser)
    with pytest.raises(BadInput):
        thaw(stages, reason=" ", by=organiser)
    thawed = thaw(stages, reason="One fell ill.", by=organiser)
    assert (thawed.frozen_at, listed(), thaw(stages, reason="x", by=organiser).frozen_at) == (
        None,
        [],
        None,
    )
    assert altered_rows() == []
    freeze(stages, organiser)
    assert (listed(), altered_rows()) == (accepted, [])


def test_a_confirmed_draw_of_the_final_keeps_the_list(
    stages: tuple[Stage, Stage], organiser: User, accepted: list[int]
) -> None:
    freeze(stages, organiser)
    session = stages[1].sessions.get()
    seat_round(session, organiser)
    reason = {"reason": "One fell ill.", "by": organiser}
    assert refusal(lambda: thaw(stages, **reason)) == "final_drawn"
    assert refusal(lambda: exchange(stages, number=accepted[0], **reason)) == "final_drawn"
    Draw.objects.filter(session=session).update(confirmed_at=None, confirmed_by=None)
    assert thaw(stages, **reason).frozen_at is None


def test_a_finalist_is_exchanged_for_the_next_reserve_in_one_act(
    stages: tuple[Stage, Stage], organiser: User, accepted: list[int]
) -> None:
    freeze(stages, organiser)
    waiting = [int(id) for id in live_places(stages[0]).places.waiting]
    change = {"number": accepted[1], "reason": "Broke a leg.", "by": organiser}
    assert refusal(lambda: exchange(stages, reserve=waiting[1], **change)) == "reserve_not_next"
    assert listed() == accepted
    exchange(stages, reserve=waiting[0], **change)
    after = [accepted[0], *accepted[2:], waiting[0]]
    assert (listed(), altered_rows()) == (after, [])
    assert refusal(lambda: exchange(stages, reserve=waiting[0], **change)) == "not_listed"
    change["number"] = None
    assert refusal(lambda: exchange(stages, reserve=waiting[0], **change)) == "reserve_listed"
    assert refusal(lambda: exchange(stages, **change)) == "nobody_named"
    acts = AuditEntry.objects.filter(action__in=("record_answer", "thaw_finalists", "freeze_finalists")).order_by("seq")
    assert [act.action for act in acts][4:] == [
        "freeze_finalists",
        "record_answer",
        "record_answer",
        "thaw_finalists",
        "freeze_finalists",
    ]


def test_an_exchange_prepared_on_an_older_list_is_refused_with_what_the_other_did(
    stages: tuple[Stage, Stage], organiser: User, second_organiser: User, accepted: list[int]
) -> None:
    freeze(stages, organiser)
    reserve = int(live_places(stages[0]).places.waiting[0])
    seen = services.finalists_seen_digest(live_places(stages[0]), listed())
    first = {"number": accepted[1], "reserve": reserve, "reason": "Broke a leg.", "by": second_organiser}
    services.exchange_finalist(stages[1], seen=seen, **first)
    after = listed()
    with pytest.raises(StaleVersion) as refused, override("en"):
        services.exchange_finalist(
            stages[1], seen=seen, number=accepted[2], reserve=reserve, reason="Ill.", by=organiser
        )
    facts = refused.value.facts
    assert (facts["who"], facts["what"]) == (
        "second_organiser",
        f"{accepted[1]:04d} declined; {reserve:04d} accepted",
    )
    assert (listed(), len(after)) == (after, len(accepted))


def test_opening_that_was_prepared_on_an_older_list_is_refused_with_what_the_other_did(
    stages: tuple[Stage, Stage], organiser: User, second_organiser: User, accepted: list[int]
) -> None:
    freeze(stages, organiser)
    seen = services.finalists_seen_digest(live_places(stages[0]), listed())
    exchange(stages, number=accepted[1], reason="Broke a leg.", by=second_organiser)
    with pytest.raises(StaleVersion) as refused, override("en"):
        thaw(stages, seen=seen, reason="One fell ill.", by=organiser)
    facts = refused.value.facts
    assert (facts["who"], facts["what"]) == ("second_organiser", f"{accepted[1]:04d} declined")
    assert listed() == [number for number in accepted if number != accepted[1]]
    assert thaw(stages, reason="One fell ill.", by=organiser).frozen_at is None


def test_a_place_given_up_may_stay_empty_and_be_filled_later_in_the_true_order(
    stages: tuple[Stage, Stage], organiser: User, accepted: list[int]
) -> None:
    freeze(stages, organiser)
    exchange(stages, number=accepted[0], reason="Broke a leg.", by=organiser)
    assert listed() == accepted[1:]
    first, second = (int(id) for id in (holders(stages[0])[-1], live_places(stages[0]).places.waiting[0]))
    record_place_answer(stages[0], number=first, answer="declined", reason="abroad", by=organiser)
    exchange(stages, reserve=second, reason="The next but one.", by=organiser)
    assert (listed(), altered_rows()) == ([*accepted[1:], second], [])


def test_a_finalist_who_is_recorded_as_gone_is_first_readmitted(
    stages: tuple[Stage, Stage], organiser: User, accepted: list[int]
) -> None:
    freeze(stages, organiser)
    ranks = [one.rank for one in live_ranking(stages[0]).ranked]
    Entrant.objects.filter(number=accepted[0]).update(status=EntrantStatus.WITHDRAWN)
    assert [one.rank for one in live_ranking(stages[0]).ranked] == ranks
    reason = {"reason": "Broke a leg.", "by": organiser}
    assert refusal(lambda: exchange(stages, number=accepted[0], **reason)) == "finalist_gone"
    assert refusal(lambda: thaw(stages, **reason)) == "finalist_gone"


def test_an_open_list_has_nobody_to_exchange(stages: tuple[Stage, Stage], organiser: User) -> None:
    change = {"number": 1, "reason": "Broke a leg.", "by": organiser}
    assert refusal(lambda: services.exchange_finalist(stages[1], seen="", **change)) == "not_frozen"


def test_a_list_that_was_altered_behind_the_log_is_found(
    stages: tuple[Stage, Stage], organiser: User, accepted: list[int]
) -> None:
    freeze(stages, organiser)
    row = Finalist.objects.order_by("rank").first()
    Finalist.objects.filter(pk=row.pk).update(rank=99)
    assert altered_rows() == [f"finalist {row.pk} rank"]
    rows = list(Finalist.objects.order_by("pk").values_list("pk", flat=True))
    Finalist.objects.all().delete()
    Stage.objects.filter(pk=stages[1].pk).update(frozen_at=None)
    assert altered_rows() == [f"stage {stages[1].pk} frozen_at", *(f"finalist {pk}" for pk in rows)]
