"""A stage before the last on its pages: added, refused, changed, its hours by hand, its rules; locked once begun."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.core.finals import add_final, freeze, preliminary_played
from tests.seated import enter
from tests.setup.views.test_setup import typed, words
from tests.sheets.tables import settle
from tests.squeezed import squeezed
from tournament.audit.models import AuditEntry
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Person
from tournament.ranking.domain.qualifying import QUALIFYING, TopPlaces
from tournament.setup.queries import sessions_of_later_stage
from tournament.setup.services.later_stage import StagePlan, plan_of_stage, set_up_stage
from tournament.setup.services.stage_address import first_words_of_event_addresses

ENGLISH, CHINESE = {"HTTP_ACCEPT_LANGUAGE": "en"}, {"HTTP_ACCEPT_LANGUAGE": "zh-HK"}
DESK = "/desk/hk-2026/"
NEW, SET_UP = f"{DESK}stages/new/", f"{DESK}setup/"
SETUP, HOURS, RULES = (f"{DESK}semi-final/{page}/" for page in ("setup", "sessions", "rules"))
SEMI = {
    "kind": "semi-final", "name_zh": "準決賽", "name_en": "Semi-final", "advance": "16", "ruleset": "same",
    "sessions": "2", "when": "dated", "day": "2026-04-09", "first": "10:00", "every": "90", "seating": "15",
    "play": "30", "end": "90", "tables": "15", "revision": "1",
}  # fmt: skip
PLAN = StagePlan("hk-2026", 1, (), "semi-final", "top_places", 16, "準決賽", "Semi-final")


@pytest.fixture
def desk(signed_in: Any, organiser: User) -> Client:
    """A browser of the organiser's."""
    return signed_in(organiser)


def codes(event: Event) -> list[str]:
    """The sessions of the semi-final."""
    return [session.code for session in sessions_of_later_stage(event, "semi-final")]


def kinds(event: Event) -> list[str]:
    """The event's stages in the order in which they are played."""
    return list(event.stages.order_by("order").values_list("kind", flat=True))


# Added


def test_a_semi_final_is_set_up_on_one_page_and_stands_before_the_final(desk: Client, event: Event) -> None:
    add_final(event)
    assert NEW in squeezed(desk.get(SET_UP).content.decode())
    answer = desk.post(NEW, SEMI, follow=True, **ENGLISH)
    assert answer.redirect_chain == [(SET_UP, 302)]
    assert "The stage is saved." in words(answer)
    assert (kinds(event), codes(event)) == (["preliminary", "semi-final", "final"], ["0409-1", "0409-2"])
    assert plan_of_stage(event, "semi-final").own == PLAN.own | {"rounds": 2}
    assert event.stages.get(kind="semi-final").feeds.kind == "final"
    assert AuditEntry.objects.latest("seq").reason == (
        "semi-final; stage_name_zh: - > 準決賽; stage_name_en: - > Semi-final; advance: - > 16; qualifying: - > "
        "top_places; rounds: - > 2; sessions: - > 2026-04-09 10:00, 2026-04-09 11:30; base: - > hk-2026"
    )


def test_the_set_up_has_its_plan_in_words_and_the_way_to_each_of_its_pages(desk: Client, event: Event) -> None:
    desk.post(NEW, SEMI)
    page = desk.get(SET_UP, **ENGLISH)
    assert "Semi-final 2 rounds, each with a new draw·16 advance·" in words(page)
    own = [reverse(name, args=["hk-2026", "semi-final"]) for name in ("standings", "qualification", "places")]
    for address in (SETUP, HOURS, RULES, f"{DESK}semi-final/finalists/", *own):
        assert f'href="{address}"' in squeezed(page.content.decode())
    assert "name in English: - → Semi-final; How many advance (R37): - → 16" in words(page)


def test_with_its_date_to_be_announced_only_the_plan_is_read(desk: Client, event: Event) -> None:
    assert desk.post(NEW, SEMI | {"when": "open", "ruleset": "school", "day": "x"}).status_code == 302
    assert (codes(event), event.stages.get(kind="semi-final").ruleset) == ([], "school")
    assert "Give the date" in words(desk.get(HOURS, **ENGLISH))
    assert f'href="{HOURS}"' not in squeezed(desk.get(SET_UP).content.decode())


def test_several_are_played_in_the_order_in_which_they_are_set_up(desk: Client, event: Event) -> None:
    add_final(event)
    desk.post(NEW, SEMI | {"kind": "quarter-final", "when": "open"})
    assert 'It comes after "Semi-final"' in words(desk.get(NEW, **ENGLISH))
    desk.post(NEW, SEMI | {"revision": "2"})
    assert kinds(event) == ["preliminary", "quarter-final", "semi-final", "final"]


def test_a_tables_first_guess_seats_as_many_as_advance_from_the_stage_before(desk: Client, event: Event) -> None:
    Stage.objects.update(advance=60)
    assert 'value="15"' in str(desk.get(NEW).context["form"]["tables"])
    desk.post(NEW, SEMI)
    assert 'value="4"' in str(desk.get(f"{DESK}final/setup/").context["form"]["tables"])


def test_the_form_sent_twice_adds_one_stage(desk: Client, event: Event) -> None:
    answers = [desk.post(NEW, SEMI | {"request_key": "one key"}) for _ in range(2)]
    assert [answer["Location"] for answer in answers] == [SET_UP, SET_UP]
    assert (kinds(event), Event.objects.get().revision) == (["preliminary", "semi-final"], 2)


def test_how_one_advances_is_asked_where_there_is_more_than_one_way(
    desk: Client, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "qualifying" not in desk.get(NEW).context["form"].fields
    monkeypatch.setitem(QUALIFYING, "top_of_tables", TopPlaces())
    choices = desk.get(NEW).context["form"].fields["qualifying"].choices
    assert [name for name, _words in choices] == ["top_places", "top_of_tables"]
    assert desk.post(NEW, SEMI | {"qualifying": ""}).status_code == 400
    assert desk.post(NEW, SEMI | {"qualifying": "top_of_tables"}).status_code == 302
    assert event.stages.get(kind="semi-final").qualifying == "top_of_tables"


# Refused


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"kind": ""}, "kind"),
        ({"kind": "Semi final"}, "kind"),
        ({"kind": "a-long-semi-final"}, "kind"),
        ({"kind": "preliminary"}, "kind"),
        ({"kind": "setup"}, "kind"),
        ({"name_zh": ""}, "name_zh"),
        ({"name_en": "x" * 41}, "name_en"),
        ({"advance": ""}, "advance"),
        ({"advance": "0"}, "advance"),
        ({"sessions": "7"}, "sessions"),
        ({"ruleset": "chess"}, "ruleset"),
        ({"day": ""}, "day"),
        ({"every": "60"}, "every"),
    ],
)
def test_what_is_wrong_is_told_at_its_field_and_the_rest_is_kept(
    desk: Client, event: Event, changes: dict[str, str], field: str
) -> None:
    answer = desk.post(NEW, SEMI | changes, **ENGLISH)
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, [field])
    assert kinds(event) == ["preliminary"]
    kept = {name: value for name, value in (SEMI | changes).items() if name != field}
    assert kept.items() <= typed(answer).items()


@pytest.mark.parametrize("word", ["setup", "mailings", "releases", "stages", "final", "queue"])
def test_no_stage_has_the_address_of_other_pages(desk: Client, event: Event, word: str) -> None:
    assert word in first_words_of_event_addresses()
    answer = desk.post(NEW, SEMI | {"kind": word}, **ENGLISH)
    said = f"The address {word} belongs to other pages of the event. Choose another word."
    assert (answer.context["form"].errors["kind"], kinds(event)) == ([said], ["preliminary"])


def test_no_two_stages_have_one_address(desk: Client, event: Event) -> None:
    desk.post(NEW, SEMI)
    answer = desk.post(NEW, SEMI | {"revision": "2", "name_en": "Another"}, **ENGLISH)
    assert "The address semi-final is that of a stage which is set up already. Choose another." in words(answer)
    assert event.stages.get(kind="semi-final").name_en == "Semi-final"


def test_a_semi_final_after_the_final_is_refused_and_what_was_typed_is_kept(desk: Client, event: Event) -> None:
    add_final(event)
    answer = desk.post(NEW, SEMI | {"day": "2026-06-30"}, **ENGLISH)
    assert (answer.status_code, kinds(event)) == (400, ["preliminary", "final"])
    assert "The next stage begins on" in words(answer)
    assert 'value="2026-06-30"' in squeezed(answer.content.decode()) and 'value="Semi-final"' in squeezed(
        answer.content.decode()
    )


def test_a_name_that_names_somebody_is_refused_when_it_is_given_and_when_it_is_changed(
    desk: Client, event: Event, first_session: Session
) -> None:
    enter(first_session, 1)
    Person.objects.update(name_zh="陳大文", name_en="Chan Tai Man")
    answer = desk.post(NEW, SEMI | {"name_en": "Chan Tai Man"}, **ENGLISH)
    assert (answer.status_code, kinds(event)) == (400, ["preliminary"])
    assert "it gives somebody away" in words(answer)
    desk.post(NEW, SEMI)
    changed = desk.post(SETUP, typed(desk.get(SETUP)) | {"name_zh": "陳大文"}, **ENGLISH)
    assert (changed.status_code, event.stages.get(kind="semi-final").name_zh) == (400, "準決賽")


def test_once_the_list_of_the_final_is_fixed_no_stage_is_added(
    desk: Client, event: Event, first_session: Session, organiser: User
) -> None:
    preliminary_played(first_session, organiser)
    freeze(add_final(event), organiser)
    assert NEW not in squeezed(desk.get(SET_UP).content.decode())
    page = desk.get(NEW, **ENGLISH)
    assert "The list of the last stage is fixed: no stage can come before it any more." in words(page)
    answer = desk.post(NEW, SEMI | {"revision": str(Event.objects.get().revision)}, **ENGLISH)
    assert (answer.status_code, answer.context["refusal"].code) == (409, "later_begun")
    assert 'value="Semi-final"' in squeezed(answer.content.decode())


def test_a_clerk_sets_up_no_stage(event: Event, signed_in: Any, clerk: User) -> None:
    assert [signed_in(clerk).post(page, SEMI).status_code for page in (NEW, f"{DESK}nothing/setup/")] == [403, 403]


# Two organisers at one page


def test_two_organisers_add_one_address_both_stages_are_shown_and_the_typed_one_is_kept(
    desk: Client, event: Event, second_organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = "tournament.setup.forms.later_stage.NewStageForm.clean_kind"
    monkeypatch.setattr(checked, lambda form: form.cleaned_data["kind"])
    set_up_stage(event, revision=1, plan=PLAN, by=second_organiser)
    answer = desk.post(NEW, SEMI | {"advance": "20"}, **ENGLISH)
    assert answer.status_code == 412
    assert ("How many advance (R37)", 16, "20") in [tuple(each) for each in answer.context["differences"]]
    assert "Choose another address, or change that stage on its own page." in words(answer)
    assert typed(answer)["advance"] == "20"
    assert desk.post(NEW, typed(answer) | {"kind": "round-two", "when": "open"}).status_code == 302


def test_something_else_changed_meanwhile_is_said_and_saving_again_adds_the_stage(
    desk: Client, event: Event, second_organiser: User
) -> None:
    set_up_stage(event, revision=1, plan=StagePlan("hk-2026", 1), by=second_organiser)
    answer = desk.post(NEW, SEMI, **ENGLISH)
    assert (answer.status_code, answer.context["differences"]) == (412, [])
    assert desk.post(NEW, typed(answer)).status_code == 302
    assert kinds(event) == ["preliminary", "semi-final", "final"]


def test_two_organisers_change_one_stage_both_plans_are_shown(
    desk: Client, event: Event, organiser: User, second_organiser: User
) -> None:
    set_up_stage(event, revision=1, plan=PLAN, by=organiser)
    sent = typed(desk.get(SETUP)) | {"advance": "20"}
    other = StagePlan(**PLAN.own | {"advance": 12}, kind="semi-final")
    set_up_stage(event, revision=2, plan=other, by=second_organiser)
    answer = desk.post(SETUP, sent, **ENGLISH)
    assert answer.status_code == 412
    assert answer.context["differences"] == [("How many advance (R37)", 12, "20")]
    assert "Saving again puts what you typed in its place." in words(answer)
    assert desk.post(SETUP, typed(answer)).status_code == 302
    assert event.stages.get(kind="semi-final").advance == 20


# Changed


def test_what_the_pages_show_sent_back_changes_nothing(desk: Client, event: Event) -> None:
    desk.post(NEW, SEMI)
    before = plan_of_stage(event, "semi-final")
    for page in (SETUP, RULES, HOURS):
        assert desk.post(page, typed(desk.get(page), RULES if page == RULES else "")).status_code == 302
    assert (plan_of_stage(event, "semi-final"), Event.objects.get().revision) == (before, 2)


def test_names_number_and_rounds_change_and_the_address_stays(desk: Client, event: Event) -> None:
    desk.post(NEW, SEMI)
    sent = typed(desk.get(SETUP))
    assert "kind" not in sent
    changed = sent | {"kind": "other", "name_en": "Semis", "advance": "12", "sessions": "1", "every": ""}
    assert desk.post(SETUP, changed, follow=True).redirect_chain == [(SET_UP, 302)]
    stage = event.stages.get(order=2)
    assert (stage.kind, stage.name_en, stage.advance, codes(event)) == ("semi-final", "Semis", 12, ["0409-1"])
    assert AuditEntry.objects.latest("seq").reason == (
        "semi-final; stage_name_en: Semi-final > Semis; advance: 16 > 12; rounds: 2 > 1; "
        "sessions: 2026-04-09 10:00, 2026-04-09 11:30 > 2026-04-09 10:00"
    )


def test_hours_set_by_hand_stay_until_the_pace_is_touched(desk: Client, event: Event) -> None:
    desk.post(NEW, SEMI)
    last = sessions_of_later_stage(event, "semi-final")[1].pk
    sent = typed(desk.get(HOURS)) | {f"s{last}-day": "2026-04-10"}
    assert desk.post(HOURS, sent)["Location"] == SET_UP
    assert codes(event) == ["0409-1", "0410-1"]
    page = desk.get(SETUP, **ENGLISH)
    assert "Its hours were set by hand." in words(page) and f'href="{HOURS}"' in squeezed(page.content.decode())
    desk.post(SETUP, typed(page) | {"advance": "20"})
    assert (codes(event), event.stages.get(order=2).advance) == (["0409-1", "0410-1"], 20)
    desk.post(SETUP, typed(desk.get(SETUP)) | {"first": "11:00"})
    assert codes(event) == ["0409-1", "0409-2"]


def test_a_round_after_the_final_is_told_at_its_row(desk: Client, event: Event) -> None:
    final = add_final(event).sessions.get()
    desk.post(NEW, SEMI)
    last = sessions_of_later_stage(event, "semi-final")[1].pk
    late = timezone.localtime(final.check_in_at) + timedelta(days=1)
    answer = desk.post(HOURS, typed(desk.get(HOURS)) | {f"s{last}-day": f"{late:%Y-%m-%d}"}, **ENGLISH)
    assert (answer.status_code, codes(event)) == (400, ["0409-1", "0409-2"])
    assert "The next stage begins on" in words(answer)


def test_the_stage_has_rules_of_its_own(desk: Client, event: Event) -> None:
    add_final(event)
    desk.post(NEW, SEMI)
    assert "These are other rules than this stage has now." in words(desk.get(f"{RULES}?base=school", **ENGLISH))
    sent = typed(desk.get(RULES), RULES) | {"minutes": "90"}
    assert "advance" not in sent
    assert desk.post(RULES, sent, follow=True).redirect_chain == [(SET_UP, 302)]
    rules = {stage.kind: stage.ruleset for stage in event.stages.all()}
    assert rules == {"preliminary": "hk-2026", "semi-final": {"base": "hk-2026", "minutes": 90}, "final": "hk-2026"}


def test_once_begun_the_pages_say_what_stays_and_what_may_move(desk: Client, event: Event, organiser: User) -> None:
    desk.post(NEW, SEMI)
    sent = typed(desk.get(SETUP))
    settle(sessions_of_later_stage(event, "semi-final")[0], organiser)
    begun = "Seats of this stage are confirmed, or a scoresheet was begun: its names, its rules and rounds"
    assert begun in words(desk.get(SETUP, **ENGLISH))
    assert "Seats are confirmed, or a scoresheet was begun" in words(desk.get(RULES, **ENGLISH))
    for changes in ({"sessions": "1"}, {"name_zh": "另名"}, {"advance": "12"}):
        assert desk.post(SETUP, sent | changes).status_code == 423
    last = sessions_of_later_stage(event, "semi-final")[1].pk
    assert desk.post(HOURS, typed(desk.get(HOURS)) | {f"s{last}-ends": "15:00"}).status_code == 302


# Addresses


def test_pages_of_the_event_and_of_the_final_keep_their_addresses(desk: Client, event: Event) -> None:
    final = add_final(event)
    desk.post(NEW, SEMI)
    names = {f"{DESK}{page}/": desk.get(f"{DESK}{page}/").resolver_match.url_name for page in (
        "setup/sessions", "setup/rules", "final/setup", "final/sessions", "final/rules", "semi-final/rules"
    )}  # fmt: skip
    assert list(names.values()) == [
        "change_sessions", "change_rules", "change_final", "change_final_sessions", "change_final_rules",
        "change_stage_rules",
    ]  # fmt: skip
    assert reverse("change_stage", args=["hk-2026", final.kind]) == reverse("change_final", args=["hk-2026"])


def test_the_first_stage_is_set_up_with_the_event_and_another_is_not_found(desk: Client, event: Event) -> None:
    pages = {"setup": "setup/", "sessions": "setup/sessions/", "rules": "setup/rules/"}
    led = [desk.get(f"{DESK}preliminary/{page}/")["Location"] for page in pages]
    assert led == [f"{DESK}{to}" for to in pages.values()]
    assert [desk.get(f"{DESK}nothing/{page}/").status_code for page in pages] == [404, 404, 404]


@pytest.mark.parametrize("page", [NEW, SETUP, HOURS, RULES, SET_UP])
def test_every_page_stands_in_both_languages(desk: Client, event: Event, page: str) -> None:
    desk.post(NEW, SEMI)
    chinese, english = (desk.get(page, **language) for language in (CHINESE, ENGLISH))
    assert (chinese.status_code, english.status_code) == (200, 200)
    assert "Semi-final" in words(english) or page == NEW
    assert "stage" not in words(chinese).split("跳到本頁")[-1]


# The overview


def test_the_overview_leads_who_may_see_ranks_to_the_pages_of_a_stage_between(
    desk: Client, event: Event, signed_in: Any, clerk: User
) -> None:
    add_final(event)
    assert "Stages before the final" not in words(desk.get(DESK, **ENGLISH))
    desk.post(NEW, SEMI)
    page = desk.get(DESK, **ENGLISH)
    assert "Semi-final Who plays it Ranking Cut Places in the next stage" in words(page)
    for address in ("finalists", "ranking", "qualification", "places"):
        assert f'href="{DESK}semi-final/{address}/"' in squeezed(page.content.decode())
    assert "semi-final" not in squeezed(signed_in(clerk).get(DESK).content.decode())


def test_an_event_without_such_a_stage_asks_no_more_for_it(
    desk: Client, event: Event, django_assert_num_queries: Any
) -> None:
    add_final(event)
    desk.get(DESK)
    with CaptureQueriesContext(connection) as queries:
        desk.get(DESK)
    without = len(queries)
    desk.post(NEW, SEMI | {"when": "open"})
    with django_assert_num_queries(without + 1):
        desk.get(DESK)
