"""Three stages, 240 to 60 to 16: a semi-final is set up on pages, without code of its own (R37, R38)."""

import random
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from tests.core.finals import arranged
from tests.sheets.sheets import Result, add_entrants, draw, invented_games, lock_sheets
from tests.squeezed import squeezed
from tests.stages.deciding import decide
from tournament.core.enums import Answer, DecisionOf
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.entrants.models.people import Entrant
from tournament.entrants.queries.finalists import next_stage, previous_stage
from tournament.events.queries import final_of
from tournament.events.templatetags.rounds import session_title
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services import finalists
from tournament.finalists.services.release_places import record_place_answer
from tournament.mail.domain.recipients import result_facts, stage_name_facts
from tournament.mail.exports.mail_words import results_mail_words
from tournament.publication.services.files import write_public_files
from tournament.publication.services.release import release_results
from tournament.ranking.domain.standings import ranking_entrant_id
from tournament.releases.models import Release
from tournament.stages.domain.podium import live_podium
from tournament.stages.domain.qualification import live_qualification

pytestmark = pytest.mark.django_db
PLAYERS, SEMI_FINALISTS, FINALISTS = 240, 60, 16
DESK = "/desk/hk-2026/"
PACE = {"ruleset": "same", "sessions": "1", "when": "dated", "every": "", "seating": "30", "play": "45", "end": "105"}
SEMI = {"kind": "semi-final", "advance": FINALISTS, "name_zh": "準決賽", "name_en": "Semi-final"}


@pytest.fixture
def event(first_session: Session) -> Event:
    """The first stage has one session, and sixty of it advance."""
    stage = first_session.stage
    stage.sessions.exclude(pk=first_session.pk).delete()
    Stage.objects.filter(pk=stage.pk).update(advance=SEMI_FINALISTS)
    Event.objects.update(results_at=timezone.now())
    return Event.objects.get()


@pytest.fixture
def desk(signed_in: Any, organiser: User) -> Client:
    """A browser of the organiser's."""
    return signed_in(organiser)


def set_up(desk: Client, page: str, days: int, tables: int, **given: Any) -> Any:
    """A stage of one session so many days after the first, sent from its page."""
    start = timezone.localtime(Session.objects.get(stage__order=1).check_in_at) + timedelta(days=days)
    moment = {"day": start.date().isoformat(), "first": f"{start:%H:%M}", "tables": tables}
    return desk.post(f"{DESK}{page}/", {**PACE, **moment, **given, "revision": Event.objects.get().revision})


def set_up_both(desk: Client) -> tuple[Stage, Stage]:
    """The final first, then the semi-final before it, each on a day of its own."""
    answers = set_up(desk, "final/setup", 14, 4), set_up(desk, "stages/new", 7, 15, **SEMI)
    assert [answer["Location"] for answer in answers] == [f"{DESK}final/", f"{DESK}setup/"]
    event = Event.objects.get()
    return event.stages.get(kind="semi-final"), event.stages.get(kind="final")


def paired(tables: int, alone: int, seed: int) -> list[list[list[Result]]]:
    """Results of which every two tables have the same, but for so many at the beginning that have their own."""
    chance = random.Random(seed)
    results = [invented_games(chance, 4) for _table in range(alone)]
    for _pair in range((tables - alone) // 2):
        results += [invented_games(chance, 4)] * 2
    return results


def play(session: Session, playing: Iterable[Entrant], by: User, *, alone: int, seed: int) -> None:
    """Seats confirmed, and every sheet of the session certified and stamped."""
    tables = draw(session, arranged(list(playing), 0), by)
    lock_sheets(tables, paired(len(tables), alone, seed), by)


def page(path: str) -> str:
    """A public page of the event."""
    return squeezed(Client().get(f"/p/hk-2026/{path}").content.decode())


def decide_line(stage: Stage, judge: User) -> list[int]:
    """The chief judge parts those tied across the cut-off; whom it lets in."""
    cut = live_qualification(stage)
    ids = [ranking_entrant_id(one.number) for one in cut.tie]
    given = {"places": cut.tie_places, "method": "pick", "order": ids, "reason": "The longer run."}
    return list(map(int, decide(stage, DecisionOf.LINE, judge, tied=ids, **given).admitted))


def mailed_words(stage: Stage, following: Stage) -> tuple[str, str]:
    """The title of the first one's mail about the stage's release, and what it says of going on."""
    content = Release.objects.get(stage=stage).content
    facts = result_facts(content, content["ranking"][0]) | stage_name_facts("next_stage_name", following)
    title, parts = results_mail_words(facts, url="/")
    return title, str(parts[1].text)


def everybody_accepts(stage: Stage, by: User) -> Stage:
    """All who hold a place take it, and the list of the next stage is fixed."""
    for holder in live_places(stage).places.holders:
        record_place_answer(stage, number=int(holder.id), answer=Answer.ACCEPTED, by=by)
    following = next_stage(stage)
    assert following is not None
    return finalists.freeze_finalists(following, seen=finalists.finalists_seen_digest(live_places(stage)), by=by)


def on_list(stage: Stage) -> list[Entrant]:
    """Who plays a later stage."""
    return list(Entrant.objects.filter(qualified__stage=stage).order_by("number"))


def test_a_stage_between_is_put_before_the_last_and_feeds_it(event: Event, desk: Client) -> None:
    semi, final = set_up_both(desk)
    first = event.stages.get(order=1)
    assert [(one.kind, one.order) for one in event.stages.order_by("order")] == [
        ("preliminary", 1),
        ("semi-final", 2),
        ("final", 3),
    ]
    assert (next_stage(first), next_stage(semi), next_stage(final)) == (semi, final, None)
    assert (previous_stage(semi), previous_stage(final), final_of(event)) == (first, semi, final)
    assert (semi.is_first, semi.is_last, final.is_last) == (False, False, True)
    assert list(semi.sessions.values_list("number", flat=True)) == [2]


def opened(client: Client, *pages: str) -> list[int]:
    """What the desk answers at these addresses of the event."""
    return [client.get(f"{DESK}{one}/").status_code for one in pages]


def test_two_hundred_and_forty_play_sixty_go_on_sixteen_reach_the_final_and_each_stage_is_released(
    event: Event, organiser: User, chief_judge: User, desk: Client
) -> None:
    semi, final = set_up_both(desk)
    first = Stage.objects.select_related("event").get(order=1)
    play(first.sessions.get(), add_entrants(first.sessions.get(), range(1, PLAYERS + 1)), organiser, alone=2, seed=2)
    assert decide_line(first, chief_judge)
    release_results(first, by=organiser)

    semi = everybody_accepts(first, organiser)
    assert len(on_list(semi)) == SEMI_FINALISTS
    play(semi.sessions.get(), on_list(semi), organiser, alone=1, seed=1)
    assert decide_line(semi, chief_judge)
    number = on_list(semi)[0].number
    pages = ("semi-final/ranking", f"semi-final/ranking/{number}", "semi-final/qualification", "semi-final/finalists")
    assert opened(desk, *pages) == [200] * 4
    released = release_results(semi, by=organiser)
    assert (released.content["places"], released.content["podium"]) == (FINALISTS, None)
    assert released.content["stage_name"] == {"zh": "準決賽", "en": "Semi-final"}
    assert mailed_words(first, semi) == ("你的初賽成績", "你已晉級準決賽。")
    assert mailed_words(semi, final) == ("你的準決賽成績", "你已晉級決賽。")
    assert session_title(semi.sessions.get()).startswith("準決賽·")
    paper = desk.get(f"/desk/hk-2026/scoresheets/{semi.sessions.get().number}/scoresheets.pdf")
    assert (paper.status_code, paper["Content-Type"]) == (200, "application/pdf")

    assert opened(desk, "semi-final/places", "final/finalists", "releases", "seating") == [200] * 4
    final = everybody_accepts(semi, organiser)
    assert len(on_list(final)) == FINALISTS
    late = set_up(desk, "stages/new", 10, 4, **SEMI | {"kind": "late"})
    assert (late.status_code, late.context["refusal"].code) == (409, "later_begun")
    play(final.sessions.get(), on_list(final), organiser, alone=0, seed=1)
    for contest in live_podium(final).podium.contests:
        given = {"places": contest.places, "method": "pick", "order": list(contest.ids), "reason": "By the runs."}
        decide(final, DecisionOf.PODIUM, chief_judge, tied=list(contest.ids), **given)
    assert {one.of for one in final.tie_breaks.all()} == {DecisionOf.PODIUM}
    content = release_results(final, by=organiser).content
    assert [one["place"] for one in content["podium"]["holders"]] == [1, 2, 3]

    assert opened(desk, "final/ranking", "final/podium", "final/award", "final") == [200] * 4
    counts = [len(one.content["ranking"]) for one in Release.objects.order_by("number")]
    assert counts == [PLAYERS, SEMI_FINALISTS, FINALISTS]
    write_public_files(event)
    assert ("初賽排名" in page("1/"), "準決賽排名" in page("2/"), "決賽排名" in page("3/")) == (True, True, True)
    assert "冠軍" in page("") and "冠軍" in page("wall/")
