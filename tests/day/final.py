"""The final of a whole event, step by step: from the released cut to the winners' page, through pages and API."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from itertools import combinations
from typing import Any

from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from scoring.game import ENDED_BY_RUMMIKUB, score_game
from scoring.ruleset import Ruleset
from tests import rescorer
from tests.browser import assert_no_wider
from tests.day.final_games import Stars, as_rescored, lines_of, play_final, published, unranked_of
from tests.day.hall import PHONE, Hall
from tournament.core.enums import SheetForm, StageKind
from tournament.core.models.stage import Session
from tournament.demo.day import DemoDay, seats_by_table
from tournament.demo.desk import CHECKED_AGAINST_SHEET, typed_demo_sheet
from tournament.demo.line import PlayedTable, TableKey
from tournament.entrants.models.final import Finalist, Invitation
from tournament.entrants.models.people import Entrant, Family
from tournament.events.domain import ruleset_of_stage
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services.invitations import place_link_token
from tournament.ranking.models.tie_break import TieBreak
from tournament.releases.models import Release
from tournament.sheets.domain import scoresheets as bridge
from tournament.sheets.queries import scoresheets as queries

ROUNDS = 3
FINAL_DAY = "2026-04-18"
SEEDS = (20260418, 20260419, 20260420)
# Which of the 120, counted from the best, cannot come: three, or more where the reserves called for three would share a
# place with others. The last says so at the desk, the others by their link.
DECLINED = (4, 59, 117, 30, 75, 90)

Tables = Mapping[TableKey, PlayedTable]


def preliminary_is_as_rescored(release: Release, day: DemoDay) -> None:
    """Every line, everyone without one, and who advances: those certainly in, then the drawn lots."""
    found = rescorer.rescore(as_rescored(day.tables), 120)
    assert (lines_of(release), unranked_of(release)) == (found["ranking"], published(found["unranked"]))
    left, tied = found["unresolved"]
    advancing = {f"{line['number']:04d}" for line in release.content["ranking"] if line["advancing"]}
    assert set(found["advancing"]) <= advancing <= {*found["advancing"], *tied}
    assert len(advancing) == 120 == len(found["advancing"]) + left


# --- From the cut to the list -----------------------------------------------------------------------------
def set_up_final(hall: Hall, *, when: str) -> None:
    """The organiser: three rounds, on a day or to be announced."""
    hall.event.refresh_from_db()
    day = {"day": FINAL_DAY, "first": "10:00", "every": 75, "seating": 10, "play": 15, "end": 75, "tables": 30}
    given = {"revision": hall.event.revision, "ruleset": "same", "sessions": ROUNDS, "when": when, **day}
    answer = hall.client("organiser").post(reverse("change_final", args=[hall.event.slug]), given)
    assert answer.status_code == 302, answer.content.decode()


def invite(hall: Hall) -> None:
    """A link for everyone who holds a place."""
    answer = hall.client("organiser").post(reverse("make_links", args=[hall.event.slug, StageKind.FINAL]))
    assert answer.status_code == 302


def answer_by_link(number: int, answer: str) -> None:
    """Somebody follows the link of the letter and answers."""
    invitation = Invitation.objects.get(entrant__number=number, revoked_at=None)
    address, phone = reverse("place", args=[place_link_token(invitation)]), Client()
    assert phone.get(address).status_code == 200
    assert phone.post(address, {"answer": answer, "seen": 0}).status_code == 302


def everybody_answers(hall: Hall) -> list[int]:
    """All accept but a few, whose places go to the next reserves in order; the finalists, best first."""
    release = Release.objects.get()
    ranking = release.content["ranking"]
    holders = [line["number"] for line in ranking if line["advancing"]]
    reserves = sorted((line["reserve"][0], line["number"]) for line in ranking if line["reserve"])
    several = next(count for count in range(3, len(DECLINED) + 1) if reserves[count][0] == count + 1)
    declined = [holders[place] for place in DECLINED[:several]]
    called = [number for _place, number in reserves[:several]]
    invite(hall)
    for number in declined[:-1]:
        answer_by_link(number, "declined")
    desk = {"answer": "declined", "reason": "來電表示當日不在香港", "seen": 0}
    address = reverse("record_answer", args=[hall.event.slug, StageKind.PRELIMINARY, declined[-1]])
    answer = hall.client("organiser").post(address, desk)
    assert answer.status_code == 302, answer.content.decode()
    assert sorted(int(one.id) for one in live_places(hall.stage).places.holders if one.by == "called") == sorted(called)
    invite(hall)
    finalists = [number for number in holders if number not in declined] + called
    for number in finalists:
        answer_by_link(number, "accepted")
    return finalists


def read_link_on_a_phone(hall: Hall, number: int) -> None:
    """One of them opens the link again on a phone: the place is theirs, nothing is wider than the window."""
    invitation = Invitation.objects.get(entrant__number=number, revoked_at=None)
    phone = hall.window(viewport=PHONE, locale="zh-HK", has_touch=True)
    phone.goto(hall.url + reverse("place", args=[place_link_token(invitation)]))
    expect(phone.locator("main")).to_contain_text(f"{number:04d}")
    assert_no_wider(phone, PHONE["width"])


def join_families(hall: Hall, day: DemoDay) -> Stars:
    """Before a tile is drawn two pairs declare themselves who had forgotten to: as the day will have it, finalists."""
    ahead = rescorer.rescore(as_rescored(day.tables), 120)["advancing"]
    able = [int(id) for place, id in enumerate(ahead) if place not in DECLINED]
    people = Entrant.objects.filter(event=hall.event, number__in=able, family=None).select_related("person")
    ordered = sorted(people, key=lambda one: able.index(one.number))
    children = [one for one in ordered if date(2009, 6, 1) < one.person.birth_date < date(2018, 1, 1)][:2]
    parents = [one for one in ordered if one.person.birth_date < date(1995, 1, 1)][:2]
    clerk = hall.api("clerk")
    for child, parent in zip(children, parents, strict=True):
        body = {"role": "child", "other": parent.number, "reason": "漏報親子組合"}
        clerk.post(f"entrants/{child.number}/family/", body, seen=child.revision)
    return Stars((children[0].number, children[1].number), (parents[0].number, parents[1].number))


def freeze(hall: Hall, finalists: Sequence[int]) -> None:
    """The list is fixed for seating."""
    organiser = hall.signed_in("organiser")
    organiser.goto(hall.desk("final/finalists/"))
    with organiser.expect_navigation():
        organiser.locator("form[action$='final/finalists/freeze/'] button").click()
    assert sorted(Finalist.objects.values_list("entrant__number", flat=True)) == sorted(finalists)


# --- The rounds -------------------------------------------------------------------------------------------
def draw_rounds(hall: Hall, finalists: Sequence[int]) -> None:
    """Every round from its seed: nobody meets anybody twice, no letter comes twice, pairs stay apart."""
    organiser, met, letters = hall.api("organiser"), Counter[frozenset[int]](), Counter[tuple[int, str]]()
    families = [frozenset(one.members.values_list("number", flat=True)) for one in Family.objects.all()]
    for session, seed in zip(hall.final.sessions.order_by("number"), SEEDS, strict=True):
        drawn = organiser.post(f"sessions/{session.number}/seating/draw/", {"seed": seed}, seen=0)
        organiser.post(f"sessions/{session.number}/seating/confirm/", seen=drawn["revision"])
        seats = [seat for table in drawn["tables"] for seat in table["seats"]]
        assert sorted(seat["entrant"] for seat in seats) == sorted(finalists)
        letters.update((seat["entrant"], seat["letter"]) for seat in seats)
        for table in drawn["tables"]:
            met.update(map(frozenset, combinations([seat["entrant"] for seat in table["seats"]], 2)))
    assert (met.total(), max(met.values()), max(letters.values())) == (3 * 30 * 6, 1, 1)
    assert [pair for pair in families if met[pair]] == []


def play_rounds(hall: Hall, stars: Stars) -> Tables:
    """Every sheet by the API, and after each round the ranking as the re-scorer has it."""
    final, ruleset = hall.final, ruleset_of_stage(hall.final)
    seats = seats_by_table(final)
    rounds = list(final.sessions.select_related("stage__event").order_by("number"))
    missing = somebody_else(seats, stars, rounds[1].number)
    absent = {session.number: (missing,) for session in rounds[1:]}
    tables = play_final(ruleset, 1, seats, stars, absent)
    for place, session in enumerate(rounds, start=1):
        if place == 2:
            body = {"status": "withdrawn", "reason": "第一輪後離場，未再入座"}
            seen = Entrant.objects.get(number=missing).revision
            hall.api("organiser").post(f"entrants/{missing}/absence/", body, seen=seen)
        type_round(hall, session, tables)
        ranking_is_as_rescored(hall, tables, [one.number for one in rounds[:place]])
    return tables


def somebody_else(seats: Mapping[TableKey, Mapping[str, int]], stars: Stars, session: int) -> int:
    """Who sits with none of the stars from this round on."""
    known = {*stars.children, *stars.parents}
    later = [set(sitting.values()) for (number, _table), sitting in seats.items() if number >= session]
    near = {entrant for sitting in later if sitting & known for entrant in sitting}
    return min(entrant for sitting in later for entrant in sitting if entrant not in near)


def type_round(hall: Hall, session: Session, tables: Tables) -> None:
    """A clerk's program types, another account's certifies, the organiser stamps the round on its page."""
    clerk, other = hall.api("clerk"), hall.api("clerk2")
    ruleset = ruleset_of_stage(session.stage)
    for table in session.tables.select_related("session__stage__event", "session__draw").order_by("number"):
        sheet = typed_demo_sheet(tables[session.number, table.number])
        seats = queries.seats_as_judged(table)
        check = bridge.check_typed_sheet(ruleset, SheetForm.PAPER, bridge.clean_typed(sheet), seats)
        body = {
            "form": "paper",
            "typed": sheet,
            "confirmations": bridge.confirm_all_unusual(check, CHECKED_AGAINST_SHEET),
        }
        path = f"sessions/{session.number}/scoresheets/{table.number}/"
        made = clerk.post(f"{path}submit/", body, seen=0)
        signed = {"signatures": dict.fromkeys(bridge.signing_letters(seats), "")}
        other.post(f"{path}certify/", signed, seen=made["revision"])
    organiser = hall.client("organiser")
    answer = organiser.post(reverse("stamp_scoresheets", args=[hall.event.slug, session.number]))
    assert answer.status_code == 302


def ranking_is_as_rescored(hall: Hall, tables: Tables, played: Sequence[int]) -> None:
    """What the API answers after these rounds, against the independent re-scorer."""
    found = rescored(tables, played)
    told = hall.api("auditor").get("final/standings/")
    lines = [
        (
            f"{one['number']:04d}",
            one["rank"],
            one["tied"],
            one["wins"],
            Fraction(one["points"]),
            Fraction(one["average"]),
            one["tiles"],
        )
        for one in told["ranking"]
    ]
    unranked = {f"{one['number']:04d}": one["because"] for one in told["unranked"]}
    assert (lines, unranked) == (found["ranking"], found["unranked"])


def rescored(tables: Tables, played: Sequence[int]) -> dict[str, Any]:
    rounds = [as_rescored({key: table for key, table in tables.items() if key[0] == session}) for session in played]
    return rescorer.rescore_rounds(rounds, ROUNDS)


# --- Podium, award, release -------------------------------------------------------------------------------
def decide_podium(hall: Hall, tables: Tables, stars: Stars) -> None:
    """The two children share the first place; the chief judge types the game they played for it, the organiser
    compares it with the paper and agrees."""
    found = rescored(tables, [one.number for one in hall.final.sessions.order_by("number")])
    pair = sorted(f"{child:04d}" for child in stars.children)
    alone, tied = rescorer.podium(found["ranking"])
    assert (sorted(alone), tied) == ([3], [(1, pair)])
    judge = hall.signed_in("judge")
    judge.goto(hall.desk("final/podium/"))
    judge.locator("a[href*='/play-off/podium/']").first.click()
    winner, loser = f"{stars.children[1]:04d}", f"{stars.children[0]:04d}"
    judge.locator("[name=games-0-ended_by]").select_option("rummikub")
    for letter, player, cells in (("A", winner, ("1", "+9", "0")), ("B", loser, ("0", "-9", "2"))):
        judge.locator(f"[name=games-0-{letter}-entrant]").select_option(str(int(player)))
        for name, text in zip(("win", "points", "tiles"), cells, strict=True):
            judge.locator(f"[name=games-0-{letter}-{name}]").fill(text)
    judge.locator("textarea[name=reason]").fill("三輪成績完全相同，加賽一局")
    judge.locator("form:has(textarea[name=reason]) button.primary").click()
    judge.wait_for_url("**/decisions/*/")
    assert not TieBreak.objects.filter(stage=hall.final).exists()
    organiser = hall.signed_in("organiser")
    organiser.goto(judge.url)
    organiser.locator("[name=compared]").check()
    organiser.locator("form:has([name=compared]) button[type=submit]").click()
    organiser.wait_for_url("**/proposals/")
    assert TieBreak.objects.get(stage=hall.final).order == [winner, loser]


def release_final(hall: Hall, tables: Tables, stars: Stars) -> Release:
    """The organiser releases; the ranking, podium and award of the release are the re-scorer's."""
    found = rescored(tables, [one.number for one in hall.final.sessions.order_by("number")])
    organiser = hall.signed_in("organiser")
    organiser.goto(hall.desk("releases/"))
    form = organiser.locator("form:has(input[name=count])")
    form.locator("input[name=count]").fill(str(len(found["ranking"])))
    form.locator("button[type=submit]").click()
    organiser.wait_for_url("**/releases/*/")
    made = Release.objects.order_by("number").last()
    assert made is not None
    assert (lines_of(made), unranked_of(made)) == (found["ranking"], published(found["unranked"]))
    first, second = stars.children[1], stars.children[0]
    alone, _tied = rescorer.podium(found["ranking"])
    holders = {one["place"]: (one["number"], one["decided"]) for one in made.content["podium"]["holders"]}
    assert holders == {1: (first, True), 2: (second, True), 3: (int(alone[3]), False)}
    award_is_as_rescored(made, found, stars)
    return made


def award_is_as_rescored(made: Release, found: dict[str, Any], stars: Stars) -> None:
    """Every family with both in the final; level in wins, parted by the average."""
    declared = [
        {"id": one.code, **{who.family_role: f"{who.number:04d}" for who in one.members.all()}}
        for one in Family.objects.prefetch_related("members")
    ]
    complete = [one for one in declared if {"child", "parent"} <= set(one)]
    pairs = {(int(one["child"]), int(one["parent"])): one["id"] for one in complete}
    table, _out = rescorer.best_pair(complete, found["results"], found["ranking"])
    award = made.content["award"]
    told = [
        (
            pairs[one["child"], one["parent"]],
            one["rank"],
            one["wins"],
            Fraction(one["points_twelfths"], 12),
            one["tiles"],
        )
        for one in award["families"]
    ]
    assert told == table
    assert [one["wins"] for one in award["families"][:2]] == [9, 9]
    winner = (award["winner"]["child"]["number"], award["winner"]["parent"]["number"], award["winner"]["decided"])
    assert winner == (stars.children[0], stars.parents[0], False)


def winners_on_a_phone(hall: Hall, made: Release) -> None:
    """Both languages: podium and family, nothing wider than the phone, no cookie; the wall beside it."""
    phone = hall.window(viewport=PHONE, locale="zh-HK", has_touch=True)
    numbers = [f"{one['number']:04d}" for one in made.content["podium"]["holders"]]
    for path in ("", "en/"):
        phone.goto(f"{hall.url}/p/{hall.event.slug}/{path}")
        for number in numbers:
            expect(phone.locator("main")).to_contain_text(number)
        assert_no_wider(phone, PHONE["width"])
    assert phone.goto(f"{hall.url}/p/{hall.event.slug}/wall/").status == 200
    assert phone.context.cookies() == []


# --- A correction after the release -----------------------------------------------------------------------
def correct_a_sheet(hall: Hall, tables: Tables, stars: Stars) -> Tables:
    """Two losers of the last round's first game had each other's rack: two people agree on a new version."""
    ruleset = ruleset_of_stage(hall.final)
    last = hall.final.sessions.order_by("number").last()
    key = exchangeable(tables, stars, last.number)
    mended = exchanged(ruleset, tables[key])
    path = f"sessions/{key[0]}/scoresheets/{key[1]}/"
    organiser, judge, clerk = hall.api("organiser"), hall.api("judge"), hall.api("clerk")
    begun = organiser.post(f"{path}correction/", {"reason": "第 1 局兩個牌架對調了"})
    table = queries.find_table_of_event(hall.event, *key)
    assert table is not None
    sheet = typed_demo_sheet(mended)
    check = bridge.check_typed_sheet(
        ruleset, SheetForm.PAPER, bridge.clean_typed(sheet), queries.seats_as_judged(table)
    )
    body = {"form": "paper", "typed": sheet, "confirmations": bridge.confirm_all_unusual(check, CHECKED_AGAINST_SHEET)}
    clerk.post(f"{path}submit/", body, seen=begun["revision"])
    effect = organiser.get(f"{path}correction/")
    agreed = {"crossing": effect["effect"]["crossing"]}
    proposed = organiser.post(f"{path}correction/propose/", agreed, seen=effect["revision"])
    approved = judge.post(f"{path}correction/approve/", agreed, seen=proposed["revision"])
    organiser.post(f"{path}stamp/", seen=approved["revision"])
    return {**tables, key: mended}


def exchangeable(tables: Tables, stars: Stars, session: int) -> TableKey:
    """A table of this round without a star, whose first game somebody won by going out with four there."""
    known = {*stars.children, *stars.parents}
    return next(
        key
        for key, table in sorted(tables.items())
        if key[0] == session
        and not known & set(table.entrants.values())
        and len(table.games[0].racks) == 4
        and table.games[0].ended_by == ENDED_BY_RUMMIKUB
    )


def exchanged(ruleset: Ruleset, table: PlayedTable) -> PlayedTable:
    """The first two losers of the first game with each other's rack."""
    game = table.games[0]
    losers = [rack for rack in game.racks if rack.tiles][:2]
    other = {one.seat: replace(two, seat=one.seat) for one, two in (losers, reversed(losers))}
    racks = tuple(other.get(rack.seat, rack) for rack in game.racks)
    score = score_game(ruleset, game.ended_by, racks)
    return replace(table, games=(replace(game, racks=racks, score=score), *table.games[1:]))


def replaced_in_public(hall: Hall, before: Release, after: Release) -> None:
    """The newer release of the final says what it changed, and the older one that it was replaced."""
    window = hall.window(viewport=PHONE, locale="zh-HK")
    window.goto(f"{hall.url}/p/{hall.event.slug}/{before.number}/")
    expect(window.locator(f"a[href*='/p/{hall.event.slug}/{after.number}/']").first).to_be_visible()
    changes = window.goto(f"{hall.url}/p/{hall.event.slug}/{after.number}/changes/")
    assert changes is not None
    assert changes.status == 200
    first = window.goto(f"{hall.url}/p/{hall.event.slug}/1/")
    assert first is not None
    assert first.status == 200
