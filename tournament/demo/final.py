"""The final of the made-up tournament: three rounds, whose finalists were invited, and its winners."""

from datetime import date, time
from functools import partial
from typing import Any

from scoring.ruleset import Ruleset
from tournament.core.enums import Answer, DecisionOf
from tournament.core.models.event import Event
from tournament.core.models.stage import Session, Stage
from tournament.demo import lots
from tournament.demo.day import DemoDay, play_one, practising_numbers, seats_by_table
from tournament.demo.desk import DemoPeople, finish_session
from tournament.events.domain import advancing_places_of_stage, ruleset_of_stage
from tournament.events.queries import final_of
from tournament.finalists.domain.release_places import live_places
from tournament.finalists.services import finalists, invitations, release_places
from tournament.publication.services import release
from tournament.seating.services import print, seating
from tournament.setup.services import later_stage
from tournament.setup.services.plan import SEATS_PER_TABLE, DayPace, plan_day
from tournament.stages.domain.podium import live_podium
from tournament.stages.services.decisions import announce_tie_lots, decide_tie

DEMO_FINAL_ROUNDS = 3
DEMO_FINAL_DAY = date(2026, 4, 18)
DEMO_FINAL_PACE = DayPace(count=DEMO_FINAL_ROUNDS, first=time(10), every=105, seating=15, play=30, end=90)
# Of those who hold a place: every so many answers at the desk, all others by the private link; these decline.
AT_THE_DESK = 6
DECLINING_ENTRANTS = {4: "當日要應考鋼琴試", 23: "已與家人外遊", 61: "未能安排大人陪同"}


def prepare_final(preliminary: Stage, seed: int, people: DemoPeople) -> Stage:
    """Set up, everybody invited and answered, reserves called, the list fixed, the first round seated."""
    event = Event.objects.get(pk=preliminary.event_id)
    tables = -(-(advancing_places_of_stage(preliminary) or SEATS_PER_TABLE) // SEATS_PER_TABLE)
    plan = later_stage.StagePlan(
        preliminary.ruleset, DEMO_FINAL_ROUNDS, tuple(plan_day(DEMO_FINAL_DAY, DEMO_FINAL_PACE, table_count=tables))
    )
    later_stage.set_up_stage(event, revision=event.revision, plan=plan, by=people.organiser)
    answer_places(preliminary, people)
    final = demo_final_of(event)
    seen = finalists.finalists_seen_digest(live_places(preliminary))
    finalists.freeze_finalists(final, seen=seen, by=people.organiser)
    seat_round(final_sessions_of(final)[0], seed, people)
    return final


def demo_final_of(event: Event) -> Stage:
    """The final that was set up."""
    final = final_of(event)
    assert final is not None
    return final


def final_sessions_of(final: Stage) -> list[Session]:
    return list(Session.objects.filter(stage=final).select_related("stage__event").order_by("number"))


def answer_places(preliminary: Stage, people: DemoPeople) -> None:
    """Links for all who hold a place; three decline at the desk; who is called in their place has a link and answers
    as well."""
    for links in range(2):
        made = {link.entrant_id: link for link in invitations.make_place_links(preliminary, by=people.organiser)}
        live = live_places(preliminary)
        holders = [one.id for one in live.places.holders if one.answer is None]
        for place, id in enumerate(holders, start=1):
            row = live.entrants[id]
            if not links and place in DECLINING_ENTRANTS:
                said: dict[str, Any] = {"answer": Answer.DECLINED, "reason": DECLINING_ENTRANTS[place]}
                release_places.record_place_answer(preliminary, number=row.number, by=people.organiser, **said)
            elif place % AT_THE_DESK == 0:
                said = {"answer": Answer.ACCEPTED}
                release_places.record_place_answer(preliminary, number=row.number, by=people.organiser, **said)
            else:
                invitations.answer_by_link(made[row.id], answer=Answer.ACCEPTED, seen=0)


def seat_round(session: Session, seed: int, people: DemoPeople) -> None:
    """Drawn, confirmed, its papers printed."""
    drawn = seating.draw_session(session, seed=seating.seed_of_session(seed, session), by=people.organiser)
    seating.confirm_session_draw(session, revision=drawn.revision, by=people.organiser)
    print.print_session(session, by=people.organiser)


def finish_final(event: Event, seed: int, people: DemoPeople) -> None:
    """Every round played, the next one drawn after it; what equals contest decided by lots; all of it released."""
    final = demo_final_of(event)
    ruleset = ruleset_of_stage(final)
    for place, session in enumerate(final_sessions_of(final)):
        if place:
            seat_round(session, seed, people)
        finish_session(session, ruleset, play_round(session, ruleset, seed), people)
    decide_demo_tie_breaks(final, people)
    release.release_results(final, by=people.organiser)


def play_round(session: Session, ruleset: Ruleset, seed: int) -> DemoDay:
    """A round in which everybody comes and stays: whoever left one would be ranked in none."""
    seats = {key: sitting for key, sitting in seats_by_table(session.stage).items() if key[0] == session.number}
    practised = practising_numbers(session.stage.event)
    tables = {key: play_one(ruleset, seed, key, sitting, practised) for key, sitting in seats.items()}
    return DemoDay(tables, {session.number: ()})


def decide_demo_tie_breaks(final: Stage, people: DemoPeople) -> None:
    """Lots before witnesses, where the rules leave a place of the podium or the award open."""
    for of in (DecisionOf.PODIUM, DecisionOf.AWARD):
        for contest in live_podium(final).place_of(of).contests:
            acts = (partial(act, final, of=of) for act in (announce_tie_lots, decide_tie))
            lots.draw_demo_lots(*acts, tied=list(contest.ids), places=contest.places, by=people.judge)
