"""The final's pages: set up on one, changed, its hours by hand, its rules; locked once begun; how far it has come."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.core.finals import add_final, final_played, freeze, preliminary_played, seat_round
from tests.setup.views.test_setup import typed, words
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tests.stages.podiums import level_final
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant
from tournament.events.queries import final_of
from tournament.publication.services.release import release_results
from tournament.setup.queries import sessions_of_first_stage, sessions_of_later_stage
from tournament.setup.services.later_stage import StagePlan, plan_of_stage, set_up_stage
from tournament.stages.domain.podium import live_podium
from tournament.stages.services.decisions import decide_tie

ENGLISH, CHINESE = {"HTTP_ACCEPT_LANGUAGE": "en"}, {"HTTP_ACCEPT_LANGUAGE": "zh-HK"}
FINAL = "/desk/hk-2026/final/"
SETUP, RULES, HOURS = f"{FINAL}setup/", f"{FINAL}rules/", f"{FINAL}sessions/"
THREE = {
    "ruleset": "same", "sessions": "3", "when": "dated", "day": "2026-04-18", "first": "10:00", "every": "90",
    "seating": "15", "play": "30", "end": "90", "tables": "30", "revision": "1",
}  # fmt: skip


@pytest.fixture
def desk(signed_in: Any, organiser: User) -> Client:
    """A browser of the organiser's."""
    return signed_in(organiser)


def codes(event: Event) -> list[str]:
    return [session.code for session in sessions_of_later_stage(event)]


def test_without_a_final_the_page_says_so_and_has_the_way_to_set_it_up(
    desk: Client, event: Event, signed_in: Any, auditor: User
) -> None:
    assert SETUP in squeezed(desk.get(FINAL).content.decode())
    read = signed_in(auditor).get(FINAL, **ENGLISH)
    assert "An organiser sets it up" in words(read)
    assert SETUP not in squeezed(read.content.decode())
    assert f'href="{FINAL}"' not in squeezed(desk.get("/desk/hk-2026/").content.decode())


def test_a_final_of_three_rounds_is_set_up_on_one_page(desk: Client, event: Event) -> None:
    answer = desk.post(SETUP, THREE, follow=True, **ENGLISH)
    assert answer.redirect_chain == [(FINAL, 302)]
    assert "3 rounds, each with a new draw" in words(answer)
    assert (final_of(event).ruleset, codes(event)) == ("hk-2026", ["0418-1", "0418-2", "0418-3"])
    assert f'href="{FINAL}"' in squeezed(desk.get("/desk/hk-2026/").content.decode())


def test_with_its_date_to_be_announced_nothing_of_the_day_is_read(desk: Client, event: Event) -> None:
    given = THREE | {"when": "open", "ruleset": "school", "first": "x", "tables": ""}
    assert desk.post(SETUP, given).status_code == 302
    assert plan_of_stage(event) == StagePlan("school", 3)
    assert "date to be announced" in words(desk.get(FINAL, **ENGLISH))
    assert "Give the date" in words(desk.get(HOURS, **ENGLISH))


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"sessions": "7"}, "sessions"),
        ({"ruleset": "chess"}, "ruleset"),
        ({"when": ""}, "when"),
        ({"day": ""}, "day"),
        ({"first": "25:00"}, "first"),
        ({"every": ""}, "every"),
        ({"every": "60"}, "every"),
        ({"first": "20:00"}, "sessions"),
        ({"play": "95"}, "end"),
        ({"tables": "0"}, "tables"),
    ],
)
def test_what_is_wrong_is_told_at_its_field(desk: Client, event: Event, changes: dict[str, str], field: str) -> None:
    answer = desk.post(SETUP, THREE | changes, **ENGLISH)
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, [field])
    assert final_of(event) is None


def test_one_session_needs_no_distance_to_a_next(desk: Client, event: Event) -> None:
    assert desk.post(SETUP, THREE | {"sessions": "1", "every": ""}).status_code == 302
    assert codes(event) == ["0418-1"]


def test_a_final_before_the_preliminary_has_ended_is_refused_and_what_was_typed_is_kept(
    desk: Client, event: Event
) -> None:
    answer = desk.post(SETUP, THREE | {"day": "2026-04-06"}, **ENGLISH)
    assert (answer.status_code, final_of(event)) == (400, None)
    assert "A stage comes after the one before it, whose last session ends on 2026-04-07" in words(answer)
    assert 'value="2026-04-06"' in squeezed(answer.content.decode())


def test_what_the_pages_show_sent_back_changes_nothing(desk: Client, event: Event, organiser: User) -> None:
    desk.post(SETUP, THREE)
    before = plan_of_stage(event)
    for page in (SETUP, RULES, HOURS):
        sent = typed(desk.get(page), RULES if page == RULES else "")
        assert desk.post(page, sent).status_code == 302
    event.refresh_from_db()
    assert (plan_of_stage(event), event.revision) == (before, 2)


def test_hours_set_by_hand_stay_until_the_pace_is_touched(desk: Client, event: Event) -> None:
    desk.post(SETUP, THREE)
    last = sessions_of_later_stage(event)[2].pk
    sent = typed(desk.get(HOURS)) | {f"s{last}-day": "2026-04-19"}
    assert desk.post(HOURS, sent).status_code == 302
    assert codes(event) == ["0418-1", "0418-2", "0419-1"]
    page = desk.get(SETUP, **ENGLISH)
    assert "Its hours were set by hand." in words(page)
    assert desk.post(SETUP, typed(page)).status_code == 302
    assert codes(event) == ["0418-1", "0418-2", "0419-1"]
    assert desk.post(SETUP, typed(page) | {"first": "11:00"}).status_code == 302
    assert codes(event) == ["0418-1", "0418-2", "0418-3"]


def test_a_round_that_begins_too_early_is_told_at_its_row(desk: Client, event: Event) -> None:
    desk.post(SETUP, THREE)
    second = sessions_of_later_stage(event)[1].pk
    sent = typed(desk.get(HOURS)) | {f"s{second}-check_in": "11:00", f"s{second}-seating": "11:10"}
    answer = desk.post(HOURS, sent, **ENGLISH)
    assert answer.status_code == 400
    assert "a round begins once the one before has ended" in words(answer)


def test_the_final_has_rules_of_its_own(desk: Client, event: Event) -> None:
    desk.post(SETUP, THREE)
    sent = typed(desk.get(RULES), RULES) | {"minutes": "90"}
    assert "advance" not in sent
    assert desk.post(RULES, sent, follow=True).redirect_chain == [(FINAL, 302)]
    assert final_of(event).ruleset == {"base": "hk-2026", "minutes": 90}
    assert event.stages.get(kind="preliminary").ruleset == "hk-2026"


def test_two_organisers_at_one_page_both_plans_are_shown_and_the_typed_one_is_kept(
    desk: Client, event: Event, second_organiser: User
) -> None:
    set_up_stage(event, revision=1, plan=StagePlan("hk-2026", 2), by=second_organiser)
    answer = desk.post(SETUP, THREE, **ENGLISH)
    assert answer.status_code == 412
    assert ("How it is played (R38)", "2 rounds, each with a new draw", "3 rounds, each with a new draw") in [
        tuple(map(str, each)) for each in answer.context["differences"]
    ]
    assert desk.post(SETUP, typed(answer)).status_code == 302
    assert len(codes(event)) == 3


def test_once_begun_the_pages_say_what_stays_and_what_may_move(desk: Client, event: Event, organiser: User) -> None:
    desk.post(SETUP, THREE)
    settle(sessions_of_later_stage(event)[0], organiser)
    assert "Seats of the final are confirmed, or a scoresheet was begun: rounds and rules stay as they are." in words(
        desk.get(SETUP, **ENGLISH)
    )
    assert "Seats are confirmed, or a scoresheet was begun" in words(desk.get(RULES, **ENGLISH))
    assert desk.post(SETUP, THREE | {"sessions": "2", "revision": "2"}).status_code == 423
    last = sessions_of_later_stage(event)[2].pk
    assert desk.post(HOURS, typed(desk.get(HOURS)) | {f"s{last}-ends": "15:00"}).status_code == 302


def test_a_preliminary_session_added_moves_the_final_s_numbers_on(desk: Client, event: Event) -> None:
    desk.post(SETUP, THREE)
    day = {"day": "2026-04-08", "sessions": "1", "first": "12:00", "every": "105", "seating": "30", "play": "45"}
    desk.post("/desk/hk-2026/setup/day/", day | {"end": "105", "tables": "25", "revision": "2"})
    assert [session.number for session in sessions_of_later_stage(event)] == [14, 15, 16]


@pytest.mark.parametrize("dated", [True, False])
def test_every_page_stands_in_both_languages(desk: Client, event: Event, dated: bool) -> None:
    for _ in range(2):
        for page in (FINAL, SETUP):
            chinese, english = (desk.get(page, **language) for language in (CHINESE, ENGLISH))
            assert (chinese.status_code, english.status_code) == (200, 200)
            assert "Final" not in words(chinese).split("跳到本頁")[-1]
        desk.post(SETUP, THREE | ({} if dated else {"when": "open"}))
    for page in (RULES, HOURS):
        assert [desk.get(page, **language).status_code for language in (CHINESE, ENGLISH)] == [200, 200]


def test_without_a_final_its_rules_and_hours_lead_to_where_it_is_set_up(desk: Client, event: Event) -> None:
    assert [desk.get(page)["Location"] for page in (RULES, HOURS)] == [FINAL, FINAL]


# How far it has come


def waiting(client: Client, page: str = FINAL) -> list[str]:
    """What waits for a person, as the page says it."""
    return [each["sentence"] for each in client.get(page, **ENGLISH).context["waiting"]]


def test_what_the_final_waits_for_is_said_from_its_list_to_the_next_round(
    desk: Client, event: Event, first_session: Session, organiser: User
) -> None:
    preliminary_played(first_session, organiser)
    final = add_final(event, rounds=2)
    assert waiting(desk) == []
    freeze(final, organiser)
    assert waiting(desk) == ["Round 1 of the final has no seats drawn."]
    Entrant.objects.filter(event=event, number=3).update(status="withdrawn")
    assert "All are taking part." in words(desk.get("/desk/hk-2026/", **ENGLISH))
    assert [session.taken for session in sessions_of_first_stage(event)][:2] == [12, 0]
    Entrant.objects.filter(event=event, number=3).update(status="ok")
    first, _second = sessions_of_later_stage(event)
    seat_round(first, organiser)
    assert waiting(desk) == []
    page = words(desk.get(FINAL, **ENGLISH))
    assert "12 play the final" in page
    assert "1 of 2 sessions confirmed" in page


def test_a_contested_podium_waits_for_the_chief_judge_and_then_the_release_for_an_organiser(
    desk: Client, first_session: Session, organiser: User, chief_judge: User
) -> None:
    final = level_final(first_session, organiser)
    sentence = "1 place of the podium or the award is contested by equals."
    assert waiting(desk)[-1] == sentence
    assert sentence in waiting(desk, "/desk/hk-2026/")
    contest = live_podium(final).podium.contests[0]
    given = {"tied": contest.ids, "places": contest.places, "method": "pick", "reason": "seen by all"}
    decide_tie(final, of="podium", order=contest.ids, by=chief_judge, **given)
    assert waiting(desk) == ["The final is official; nothing of it is released."]


def test_after_the_last_moment_for_answers_the_list_waits_to_be_fixed(
    desk: Client, event: Event, first_session: Session, organiser: User
) -> None:
    preliminary = preliminary_played(first_session, organiser)
    add_final(event)
    Stage.objects.filter(pk=preliminary.pk).update(advance=4, answers_until=timezone.now())
    Session.objects.filter(stage=preliminary).exclude(pk=first_session.pk).delete()
    release_results(Stage.objects.select_related("event").get(pk=preliminary.pk), by=organiser)
    assert waiting(desk) == ["The last moment for answers has passed; the list of finalists is not fixed."]


def test_the_overview_has_both_stages_in_a_fixed_number_of_queries(
    desk: Client, event: Event, first_session: Session, organiser: User, django_assert_max_num_queries: Any
) -> None:
    final_played(first_session, organiser, rounds=2)
    with django_assert_max_num_queries(51):
        one = words(desk.get("/desk/hk-2026/", **ENGLISH))
    assert "6 of 6 scoresheets counted" in one
    assert "Podium and award settled" in one
