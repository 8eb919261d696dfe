"""The final's release: what blocks it, what it freezes, and that it stands beside the preliminary's."""

import hashlib
import json
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.core.finals import add_final, final_played, final_stage, freeze, play_round, preliminary_played, seat_round
from tests.sheets.sheets import GAMES
from tests.squeezed import squeezed
from tests.stages import podiums
from tests.stages.deciding import draw_lots
from tournament.core.enums import CertificateKind, DecisionOf, SessionState, StageKind, TieMethod
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.core.names import public_name
from tournament.entrants.models.people import Entrant, Family, Person
from tournament.publication.domain.consent import mask_names_of
from tournament.publication.exports.podium import read_podium
from tournament.publication.exports.released import read_release
from tournament.publication.services.certificates import certificates_of
from tournament.publication.services.files import public_numbers, write_public_files
from tournament.publication.services.release import judge_release, release_results, withdraw_release
from tournament.releases.models import Release
from tournament.stages.domain.podium import live_podium
from tournament.stages.services.decisions import decide_tie

pytestmark = pytest.mark.django_db
EVENING = datetime.fromisoformat("2026-04-11T18:00:00+08:00")


@pytest.fixture
def final(first_session: Session, organiser: User) -> Stage:
    """Twelve finalists, two rounds, every sheet stamped, nothing level on the podium."""
    return final_played(first_session, organiser, rounds=2)


@pytest.fixture
def publish(organiser: User, django_capture_on_commit_callbacks: Any) -> Any:
    """A function: release a stage, and let the commit's work be done."""

    def publish(stage: Stage, **given: Any) -> Release:
        with django_capture_on_commit_callbacks(execute=True):
            return release_results(stage, by=organiser, **{"now": EVENING, **given})

    return publish


def preliminary_of(final: Stage) -> Stage:
    return Stage.objects.get(event=final.event, kind=StageKind.PRELIMINARY)


def blocks(stage: Stage) -> list[tuple[str, dict[str, Any]]]:
    return [(block.code, block.facts) for block in judge_release(stage, EVENING).blocks]


def status(path: str) -> int:
    return Client().get(f"/p/hk-2026/{path}").status_code


def page(path: str) -> str:
    return squeezed(Client().get(f"/p/hk-2026/{path}").content.decode())


def level_final(session: Session, organiser: User) -> Stage:
    """One round of eight, two tables with the same results: every rank is shared by two."""
    preliminary = preliminary_played(session, organiser)
    final = add_final(preliminary.event)
    freeze(final, organiser, range(1, 9))
    played = final.sessions.get()
    seat_round(played, organiser)
    play_round(played, organiser, results=[GAMES, GAMES])
    return final


def decide(final: Stage, judge: User) -> None:
    """Every contest of the podium by choice, the first as they are listed."""
    while contests := live_podium(final).podium.contests:
        contest = contests[0]
        decide_tie(
            final,
            of=DecisionOf.PODIUM,
            tied=contest.ids,
            places=contest.places,
            order=contest.ids[: contest.places],
            method=TieMethod.PICK,
            reason="As agreed.",
            witnesses="Ms Lam",
            by=judge,
        )


def test_a_final_that_is_played_is_free_to_be_released(final: Stage) -> None:
    assert blocks(final) == []


def test_a_round_without_a_session_blocks(final: Stage) -> None:
    Stage.objects.filter(pk=final.pk).update(rounds=3)
    final.refresh_from_db()
    assert blocks(final) == [("rounds_missing", {"planned": 2, "rounds": 3})]


def test_a_round_that_was_declared_void_blocks(final: Stage) -> None:
    Session.objects.filter(pk=final.sessions.last().pk).update(state=SessionState.VOID)
    assert blocks(final) == [("rounds_missing", {"planned": 1, "rounds": 2})]


def test_a_round_without_seats_blocks_though_nobody_is_entered_for_it(first_session: Session, organiser: User) -> None:
    final = add_final(preliminary_played(first_session, organiser).event)
    freeze(final, organiser)
    assert [code for code, _facts in blocks(final)] == ["session_not_drawn", "nothing_to_release"]


def test_a_final_without_a_date_has_nothing_to_release(first_session: Session, organiser: User) -> None:
    event = preliminary_played(first_session, organiser).event
    final = final_stage(event, ruleset="hk-2026", rounds=3)
    assert [code for code, _facts in blocks(final)] == ["rounds_missing", "nothing_to_release"]


def test_equals_on_the_podium_block_until_each_place_is_decided(
    first_session: Session, organiser: User, chief_judge: User
) -> None:
    final = level_final(first_session, organiser)
    assert blocks(final) == [
        ("podium_unresolved", {"tied": 2, "place": 1}),
        ("podium_unresolved", {"tied": 2, "place": 3}),
    ]
    decide(final, chief_judge)
    assert blocks(final) == []


def test_the_podium_is_frozen_with_full_names_where_consent_is_given(final: Stage, publish: Any) -> None:
    Person.objects.update(consent_name=False)
    first = live_podium(final).podium.holders[0]
    Person.objects.filter(entrant__number=int(first.id)).update(consent_name=True)
    content = publish(final).content
    people = {entrant.number: entrant.person for entrant in Entrant.objects.select_related("person")}
    holders = [
        {name: value for name, value in one.items() if name not in ("place", "decided")}
        for one in content["podium"]["holders"]
    ]
    ids = [int(holder.id) for holder in live_podium(final).podium.holders]
    assert holders == [
        {"number": ids[0], "name_zh": people[ids[0]].name_zh, "name_en": people[ids[0]].name_en},
        *({"number": id, "name": public_name(people[id].name_zh, people[id].name_en)} for id in ids[1:]),
    ]
    assert {line["name"] for line in content["ranking"]} == {
        public_name(person.name_zh, person.name_en) for person in people.values()
    }


def test_the_award_is_frozen_with_every_unit_by_number_and_no_code(final: Stage, publish: Any) -> None:
    content = publish(final).content
    live = live_podium(final)
    best = live.families[live.award.winner or ""]
    assert {role: content["award"]["winner"][role]["number"] for role in ("child", "parent")} == {
        member.role: member.number for member in best.members
    }
    assert [(unit["child"], unit["parent"], unit["rank"], unit["wins"]) for unit in content["award"]["families"]] == [
        (*(member.number for member in live.families[one.id].members), one.rank, one.wins)
        for one in live.award.standings
    ]
    assert '"F1"' not in json.dumps(content)


def test_rounds_games_and_their_numbers_are_frozen_over_all_rounds(final: Stage, publish: Any) -> None:
    content = publish(final).content
    figures = {key: content[key] for key in ("canon", "stage", "rounds", "games", "places", "advancing")}
    assert figures == {"canon": 1, "stage": "final", "rounds": 2, "games": 6, "places": 0, "advancing": 0}
    assert {len(line["games"]) for line in content["ranking"]} == {6}
    for line in content["ranking"]:
        assert sum(game[1] for game in line["games"]) == line["points_twelfths"]


def test_decisions_of_the_podium_are_published_by_role_without_witnesses(
    first_session: Session, organiser: User, chief_judge: User, publish: Any
) -> None:
    final = level_final(first_session, organiser)
    decide(final, chief_judge)
    content = publish(final).content
    assert [one["decided"] for one in content["podium"]["holders"]] == [True, True, True]
    assert [one["number"] for one in content["podium"]["holders"]] == [
        int(holder.id) for holder in live_podium(final).podium.holders
    ]
    assert {(one["by"], one["method"], one["reason"]) for one in content["podium"]["decisions"]} == {
        ("chief_judge", "pick", "As agreed.")
    }
    assert "Ms Lam" not in json.dumps(content)
    # Within a shared rank the podium's order is the list's.
    assert [line["number"] for line in content["ranking"][:3]] == [
        one["number"] for one in content["podium"]["holders"]
    ]


def test_level_families_block_and_their_lots_can_be_drawn_again_from_what_is_published(
    first_session: Session, organiser: User, chief_judge: User, publish: Any
) -> None:
    final = level_final(first_session, organiser)
    # 0001 and 0002 have the same results, so have 0003 and 0004: two families that nothing parts.
    Entrant.objects.update(family=None, family_role="")
    for code, parent, child in (("F1", 1, 3), ("F2", 4, 2)):
        family = Family.objects.get(code=code)
        Entrant.objects.filter(number=parent).update(family=family, family_role="parent")
        Entrant.objects.filter(number=child).update(family=family, family_role="child")
    decide(final, chief_judge)
    assert blocks(final) == [("award_unresolved", {"tied": 2})]
    made = draw_lots(final, DecisionOf.AWARD, chief_judge, tied=["F1", "F2"], places=1)
    award = publish(final).content["award"]
    drawn = sorted(("1", "2"), key=lambda text: hashlib.sha256(f"{made.seed}\n{text}".encode()).digest())
    public = {"1": "0003+0001", "2": "0002+0004"}
    (decision,) = award["decisions"]
    assert (decision["tied"], decision["drawn_as"]) == ([public["1"], public["2"]], ["1", "2"])
    assert decision["order"] == [public[text] for text in drawn]
    assert (award["winner"]["decided"], f"{award['winner']['child']['number']:04d}") == (True, public[drawn[0]][:4])
    assert "抽籤所用代號：0003+0001 = 1、0002+0004 = 2。" in page("")


def test_who_belongs_to_whom_is_told_of_the_winner_and_of_those_who_agreed(final: Stage, publish: Any) -> None:
    live = live_podium(final)
    won = live.award_place.holders[0].id
    lost = next(code for code in live.families if code != won and len(live.families[code].members) == 2)
    Person.objects.filter(entrant__number=live.families[lost].members[0].number).update(consent_name=False)
    Person.objects.filter(entrant__family__code=won).update(consent_name=False)
    award = publish(final).content["award"]
    numbers = {(unit["child"], unit["parent"]) for unit in award["families"]}
    winner = (award["winner"]["child"]["number"], award["winner"]["parent"]["number"])
    assert (numbers, award["others"]) == ({winner}, len(live.award.standings) - 1)


def test_a_family_that_is_not_told_is_tied_without_its_numbers(
    first_session: Session, organiser: User, chief_judge: User, publish: Any
) -> None:
    final = podiums.level_final(first_session, organiser)
    podiums.make_families_level(final.event)
    decide(final, chief_judge)
    Person.objects.update(consent_name=False)
    order = {"method": TieMethod.PICK, "order": ["F1"], "reason": "By the runs."}
    decide_tie(final, of=DecisionOf.AWARD, tied=["F1", "F2"], places=1, by=chief_judge, **order)
    (decision,) = publish(final).content["award"]["decisions"]
    assert (decision["tied"], decision["order"]) == (["0001+0005", ""], ["0001+0005"])
    assert "親子組 0001+0005、另一個不公開的親子組 各項成績完全相同。" in page("")


def decided_larger_family(first_session: Session, organiser: User, chief_judge: User) -> Stage:
    """A final whose award went to 0006 of one family of several pairs; 0005 was level."""
    final = podiums.level_final(first_session, organiser)
    podiums.make_larger_family(final.event)
    decide(final, chief_judge)
    given = {"method": TieMethod.PICK, "order": ["F1/0006"], "reason": "By the runs."}
    decide_tie(final, of=DecisionOf.AWARD, tied=["F1/0005", "F1/0006"], places=1, by=chief_judge, **given)
    return final


def test_of_a_larger_family_only_the_winning_pair_and_those_who_agreed_are_told(
    first_session: Session, organiser: User, chief_judge: User, publish: Any
) -> None:
    final = decided_larger_family(first_session, organiser, chief_judge)
    made = publish(final)
    award = made.content["award"]
    assert ([(one["child"], one["parent"], one["rank"]) for one in award["families"]], award["others"]) == (
        [(5, 1, 1), (6, 1, 1)],
        1,
    )
    assert [award["winner"][role]["number"] for role in ("child", "parent")] == [6, 1]
    assert (award["decisions"][0]["tied"], '"F1' in json.dumps(made.content)) == (["0005+0001", "0006+0001"], False)
    podium = read_podium(read_release(made.content, made.digest))
    assert podium and podium.award and podium.award.unit
    assert (podium.award.unit.child, podium.award.unit.parent) == (6, 1)
    (given_to,) = certificates_of(made, CertificateKind.AWARD)
    assert [one.number for one in given_to.people] == [6, 1]


def test_a_parent_who_takes_consent_back_is_told_as_parent_of_the_winner_alone(
    first_session: Session, organiser: User, chief_judge: User, publish: Any
) -> None:
    final = decided_larger_family(first_session, organiser, chief_judge)
    made = publish(final)
    shown = mask_names_of(made.content, {1})["award"]
    assert ([(one["child"], one["parent"]) for one in shown["families"]], shown["others"]) == ([(6, 1)], 2)
    assert (shown["decisions"][0]["tied"], "name_en" in shown["winner"]["parent"]) == (["", "0006+0001"], False)


def test_numbers_run_over_the_event_and_each_stage_has_its_current_release(final: Stage, publish: Any) -> None:
    assert (publish(preliminary_of(final)).number, publish(final).number) == (1, 2)
    assert public_numbers(Event.objects.get()) == {"preliminary": 1, "final": 2}
    assert "取代" not in page("1/")


def test_the_current_address_shows_the_winners_and_leads_to_both_rankings(final: Stage, publish: Any) -> None:
    publish(preliminary_of(final))
    publish(final)
    shown = page("")
    assert ["得獎者" in shown, 'href="/p/hk-2026/2/"' in shown, 'href="/p/hk-2026/1/"' in shown] == [True] * 3
    assert [status(path) for path in ("en/", "2/", "2/en/", "2/winners/", "2/winners/en/", "wall/", "1/")] == [200] * 7
    assert 'href="/p/hk-2026/2/winners/"' in page("1/")


def test_a_final_has_no_line_and_no_reserves(final: Stage, publish: Any) -> None:
    publish(final)
    shown = page("1/")
    assert [word for word in ("晉級線", "候補", 'id="line"') if word in shown] == []
    assert "決賽排名" in shown


def test_before_the_release_the_wall_says_that_the_winners_come(final: Stage, publish: Any) -> None:
    write_public_files(final.event)
    assert ("決賽結果尚未公佈" in page("wall/"), "冠軍" in page("wall/")) == (True, False)
    publish(preliminary_of(final))
    assert "決賽結果尚未公佈" in page("wall/")
    publish(final)
    assert ("決賽結果尚未公佈" in page("wall/"), "冠軍" in page("wall/")) == (False, True)


def test_nobody_is_named_in_full_before_the_final_is_released_nor_after_it_is_withdrawn(
    final: Stage, publish: Any, organiser: User, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    Person.objects.update(consent_name=True)
    first = live_podium(final).podium.holders[0]
    name = Entrant.objects.get(number=int(first.id)).person.name_en.encode()

    def named() -> bool:
        return any(name in path.read_bytes() for path in settings.PUBLIC_ROOT.rglob("*") if path.is_file())

    publish(preliminary_of(final))
    assert named() is False
    made = publish(final)
    assert named() is True
    with django_capture_on_commit_callbacks(execute=True):
        withdraw_release(made, reason="Secret", by=organiser)
    assert named() is False


def test_an_event_without_a_final_has_no_wall(first_session: Session, organiser: User, publish: Any) -> None:
    publish(preliminary_played(first_session, organiser), now=EVENING)
    assert status("wall/") == 404


def test_a_withdrawn_final_is_gone_everywhere_and_the_preliminary_stands(
    final: Stage, publish: Any, organiser: User, django_capture_on_commit_callbacks: Any
) -> None:
    publish(preliminary_of(final))
    made = publish(final)
    with django_capture_on_commit_callbacks(execute=True):
        withdraw_release(made, reason="Secret", by=organiser)
    assert [status(path) for path in ("2/", "2/winners/", "2/winners/en/", "2/ranking.pdf", "1/", "ranking.pdf")] == [
        410,
        410,
        410,
        410,
        200,
        404,
    ]
    assert ("第 2 號結果已撤回" in page(""), 'href="/p/hk-2026/1/"' in page("")) == (True, True)
    assert ("正在核對" in page("wall/"), "冠軍" in page("wall/")) == (True, False)
    assert public_numbers(Event.objects.get()) == {"preliminary": 1, "final": None}


def test_a_withdrawn_preliminary_leaves_the_winners_where_they_are(
    final: Stage, publish: Any, organiser: User, django_capture_on_commit_callbacks: Any
) -> None:
    made = publish(preliminary_of(final))
    publish(final)
    with django_capture_on_commit_callbacks(execute=True):
        withdraw_release(made, reason="Secret", by=organiser)
    assert ("得獎者" in page(""), 'href="/p/hk-2026/1/"' in page(""), status("1/")) == (True, False, 410)


def test_what_becomes_of_a_finalist_changes_nothing_of_the_preliminary(final: Stage, publish: Any) -> None:
    publish(preliminary_of(final))
    Entrant.objects.filter(number=3).update(status="disqualified")
    assert blocks(preliminary_of(final)) == [("already_released", {"number": 1})]
    assert [entry["number"] for entry in publish(final).content["unranked"]] == [3]


def test_a_correction_after_release_makes_a_new_one_that_replaces_the_final_alone(final: Stage, publish: Any) -> None:
    publish(preliminary_of(final))
    publish(final)
    Entrant.objects.filter(number=3).update(status="withdrawn")
    assert publish(final).number == 3
    said = ["取代" in page("1/"), "取代" in page("2/"), 'href="/p/hk-2026/3/winners/"' in page("2/winners/")]
    assert said == [False, True, True]
    assert status("3/changes/") == 200


def test_a_second_release_of_the_final_that_says_the_same_is_refused(final: Stage, publish: Any) -> None:
    publish(final)
    with pytest.raises(Refused) as refused:
        publish(final)
    assert refused.value.code == "already_released"
