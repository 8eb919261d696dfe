"""The final of the made-up tournament: three rounds, whose finalists were invited, and its winners."""

from datetime import date, time
from functools import partial

from scoring.ruleset import Ruleset
from tournament.bridge.podium import live_podium
from tournament.bridge.release_places import live_places
from tournament.bridge.rulesets import places_of, ruleset_of
from tournament.demo import lots
from tournament.demo.day import Day, play_one, practising, seats_by_table
from tournament.demo.desk import People, finish_session
from tournament.enums import Answer, ContestOf
from tournament.models import Event, Session, Stage
from tournament.queries.finalists import final_of
from tournament.services import (
    finalists,
    invitations,
    podium,
    release,
    release_places,
    seating,
    seating_print,
    setup_final,
)
from tournament.services.setup_plan import SEATS, Pace, plan_day

ROUNDS = 3
DAY = date(2026, 4, 18)
PACE = Pace(count=ROUNDS, first=time(10), every=105, seating=15, play=30, end=90)
# Of those who hold a place: every so many answers at the desk, all others by the private link; these decline.
AT_THE_DESK = 6
DECLINING = {4: "當日要應考鋼琴試", 23: "已與家人外遊", 61: "未能安排大人陪同"}


def prepare_final(preliminary: Stage, seed: int, people: People) -> Stage:
    """Set up, everybody invited and answered, reserves called, the list fixed, the first round seated."""
    event = Event.objects.get(pk=preliminary.event_id)
    tables = -(-(places_of(preliminary) or SEATS) // SEATS)
    plan = setup_final.FinalPlan(preliminary.ruleset, ROUNDS, tuple(plan_day(DAY, PACE, table_count=tables)))
    setup_final.set_up_final(event, revision=event.revision, plan=plan, by=people.organiser)
    answer_places(preliminary, people)
    final = standing_final(event)
    seen = finalists.seen_of(live_places(preliminary))
    finalists.freeze(final, seen=seen, by=people.organiser)
    seat_round(rounds_of(final)[0], seed, people)
    return final


def standing_final(event: Event) -> Stage:
    """The final that was set up."""
    final = final_of(event)
    assert final is not None
    return final


def rounds_of(final: Stage) -> list[Session]:
    """Its sessions in order."""
    return list(Session.objects.filter(stage=final).select_related("stage__event").order_by("number"))


def answer_places(preliminary: Stage, people: People) -> None:
    """Links for all who hold a place; three decline at the desk; who is called in their place has a link and answers
    as well."""
    for links in range(2):
        made = {link.entrant_id: link for link in invitations.make_links(preliminary, by=people.organiser)}
        live = live_places(preliminary)
        holders = [one.id for one in live.places.holders if one.answer is None]
        for place, id in enumerate(holders, start=1):
            row = live.entrants[id]
            if not links and place in DECLINING:
                said = {"answer": Answer.DECLINED, "reason": DECLINING[place]}
                release_places.record_answer(preliminary, number=row.number, by=people.organiser, **said)
            elif place % AT_THE_DESK == 0:
                said = {"answer": Answer.ACCEPTED}
                release_places.record_answer(preliminary, number=row.number, by=people.organiser, **said)
            else:
                invitations.answer_by_link(made[row.id], answer=Answer.ACCEPTED, seen=0)


def seat_round(session: Session, seed: int, people: People) -> None:
    """Drawn, confirmed, its papers printed."""
    drawn = seating.draw_session(session, seed=seating.seed_of_session(seed, session), by=people.organiser)
    seating.confirm(session, revision=drawn.revision, by=people.organiser)
    seating_print.print_session(session, by=people.organiser)


def finish_final(event: Event, seed: int, people: People) -> None:
    """Every round played, the next one drawn after it; what equals contest decided by lots; all of it released."""
    final = standing_final(event)
    ruleset = ruleset_of(final)
    for place, session in enumerate(rounds_of(final)):
        if place:
            seat_round(session, seed, people)
        finish_session(session, ruleset, play_round(session, ruleset, seed), people)
    decide_contests(final, people)
    release.release(final, by=people.organiser)


def play_round(session: Session, ruleset: Ruleset, seed: int) -> Day:
    """A round in which everybody comes and stays: whoever left one would be ranked in none."""
    seats = {key: sitting for key, sitting in seats_by_table(session.stage).items() if key[0] == session.number}
    practised = practising(session.stage.event)
    tables = {key: play_one(ruleset, seed, key, sitting, practised) for key, sitting in seats.items()}
    return Day(tables, {session.number: ()})


def decide_contests(final: Stage, people: People) -> None:
    """Lots before witnesses, where the rules leave a place of the podium or the award open."""
    for of in (ContestOf.PODIUM, ContestOf.AWARD):
        for contest in live_podium(final).place_of(of).contests:
            acts = (partial(act, final, of=of) for act in (podium.announce_contest_lots, podium.decide_contest))
            lots.draw(*acts, tied=list(contest.ids), places=contest.places, by=people.judge)
