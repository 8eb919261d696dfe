"""What people do to an event that makes sentences untrue: one act each, by the services that pages call.

An act that has nothing to act upon returns at once; one that the stage refuses raises `Refused`. Both are harmless.
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from random import Random

from django.contrib.auth.models import User
from django.utils import timezone

from tests.tournament.correcting import crossing, handed_on, typed_anew
from tests.tournament.mails import mail_results
from tests.tournament.noticed import told
from tests.tournament.tables import paper
from tournament.bridge.qualification import live_cut
from tournament.bridge.release_places import live_places
from tournament.enums import Answer, EntrantStatus, HeldBecause, NoticeKind, SheetForm, SheetState, StageKind
from tournament.models import (
    Device,
    DeviceTable,
    Entrant,
    Event,
    Invitation,
    Mailing,
    Notice,
    Person,
    Proposal,
    Release,
    Scoresheet,
    Seat,
    Session,
    Stage,
    Table,
)
from tournament.queries.finalists import final_of
from tournament.queries.release import current_release
from tournament.services import (
    clock,
    corrections,
    devices_held,
    finalists,
    invitations,
    mailings,
    notices,
    postponing,
    postponing_replay,
    postponing_second,
    postponing_times,
    qualification,
    registration,
    registration_changes,
    release,
    release_places,
    scoresheets,
    seating,
    seating_print,
    seating_room,
    signing,
    signing_disputes,
    weather,
)
from tournament.services.devices_held import Item
from tournament.services.registration_second import agree

WHY = "as the desk saw it"


class World:
    """An event at a stage of its day, who acts there, and chance."""

    def __init__(self, event: Event, random: Random, numbers: list[int]) -> None:
        self.event, self.random, self.numbers = event, random, numbers
        names = {"organiser": "organiser", "clerk": "clerk", "second": "clerk2", "judge": "judge"}
        self.by = {who: User.objects.get(username=name) for who, name in names.items()}

    @property
    def preliminary(self) -> Stage:
        return Stage.objects.select_related("event").get(event=self.event, kind=StageKind.PRELIMINARY)

    @property
    def final(self) -> Stage | None:
        return final_of(self.event)

    @property
    def organiser(self) -> User:
        return self.by["organiser"]

    @property
    def judge(self) -> User:
        return self.by["judge"]

    @property
    def key(self) -> str:
        return secrets.token_hex(8)

    def entrant(self, *statuses: str) -> Entrant | None:
        """Of those whose pages are read, with one of these statuses; else of all."""
        rows = Entrant.objects.filter(event=self.event, status__in=statuses).select_related("person", "session")
        near = list(rows.filter(number__in=self.numbers).order_by("number")) or list(rows.order_by("number"))
        return self.random.choice(near) if near else None

    def session(self, *, final: bool = False) -> Session:
        """The first or second of its stage, or the one in hand."""
        kind = StageKind.FINAL if final and self.final else StageKind.PRELIMINARY
        rows = list(Session.objects.filter(stage__event=self.event, stage__kind=kind).order_by("number"))
        return self.random.choice(rows[:2] + rows[7:9])

    def table(self, *states: SheetState) -> Table | None:
        """One whose newest sheet is in one of these states."""
        sheets = Scoresheet.objects.filter(table__session__stage__event=self.event).order_by("table_id", "version")
        newest = {one.table_id: one.state for one in sheets}
        keys = [pk for pk, state in newest.items() if state in states]
        rows = list(Table.objects.select_related("session__stage__event").filter(pk__in=keys).order_by("pk"))
        return self.random.choice(rows) if rows else None

    def sheet(self, table: Table) -> Scoresheet:
        return Scoresheet.objects.filter(table=table).order_by("-version")[0]


Act = Callable[[World], object]


# --- People ---------------------------------------------------------------------------------------------
def absent(status: EntrantStatus) -> Act:
    def act(world: World) -> None:
        by = world.judge if status == EntrantStatus.DISQUALIFIED else world.organiser
        if found := world.entrant(EntrantStatus.OK):
            registration.record_absence(found, status=status, reason=WHY, by=by)

    return act


def readmit(world: World) -> None:
    others = [status for status in EntrantStatus.values if status != EntrantStatus.OK]
    if found := world.entrant(*others):
        registration.readmit(found, reason=WHY, by=world.judge)


def rename(world: World) -> None:
    """By one, and by a second person where it takes two."""
    if found := world.entrant(EntrantStatus.OK):
        change(world, found, {"name_zh": "歐陽大文"})


def withdraw_consent(world: World) -> None:
    rows = Entrant.objects.filter(event=world.event, person__consent_name=True, number__in=world.numbers)
    if found := rows.select_related("person", "session").order_by("number").first():
        change(world, found, {"consent_name": "N"})


def change(world: World, entrant: Entrant, cells: dict[str, str]) -> None:
    asked: list[Proposal] = []
    about = {"revision": entrant.revision, "cells": cells, "reason": WHY}
    registration_changes.change_person(entrant, **about, by=world.organiser, waits=asked, accept_name=True)
    for one in asked:
        agree(world.event, one.pk, by=world.judge)


# --- Sheets ---------------------------------------------------------------------------------------------
def draft(world: World) -> None:
    if table := world.table(SheetState.OPEN, SheetState.DRAFT):
        given = {"form": SheetForm.PAPER, "typed": paper(), "by": world.by["clerk"], "request_key": world.key}
        scoresheets.save(table, revision=world.sheet(table).revision, **given)


def hand_on(world: World) -> None:
    if table := world.table(SheetState.OPEN, SheetState.DRAFT):
        handed_on(table, paper(), world.by["clerk"], world.sheet(table).revision)


def certify(world: World) -> None:
    if table := world.table(SheetState.READY):
        signed = dict.fromkeys([seat.letter for seat in table.seats.all()], "")
        about = {"revision": world.sheet(table).revision, "signatures": signed, "request_key": world.key}
        signing.certify(table, **about, by=world.by["second"])


def stamp(world: World) -> None:
    if table := world.table(SheetState.CERTIFIED, SheetState.SIGNED):
        signing.stamp_session(table.session, by=world.organiser)


def dispute(world: World) -> None:
    if table := world.table(SheetState.DRAFT, SheetState.READY):
        about = {"revision": world.sheet(table).revision, "reason": WHY, "request_key": world.key}
        signing_disputes.raise_dispute(table, **about, by=world.by["clerk"])


def void_sheet(world: World) -> None:
    if table := world.table(SheetState.DRAFT, SheetState.READY):
        about = {"revision": world.sheet(table).revision, "request_key": world.key}
        signing_disputes.propose_void(table, **about, reason=WHY, by=world.judge)
        about = {"revision": world.sheet(table).revision, "request_key": world.key}
        signing_disputes.approve_void(table, **about, by=world.organiser)


def begin_correction(world: World) -> None:
    if table := world.table(SheetState.CERTIFIED, SheetState.SIGNED):
        corrections.begin(table, reason=WHY, by=world.organiser, request_key=world.key)


def correct(world: World) -> None:
    """Typed anew, proposed by an organiser, approved by the chief judge; not stamped yet."""
    if table := world.table(SheetState.CERTIFIED, SheetState.SIGNED):
        sheet = typed_anew(table, world.organiser, world.by["clerk"])
        about = {"revision": sheet.revision, "crossing": crossing(table, sheet)}
        corrections.propose(table, **about, by=world.organiser, request_key=world.key)
        about["revision"] = world.sheet(table).revision
        corrections.approve(table, **about, by=world.judge, request_key=world.key, heading_seen=True)


# --- Seats, papers, tablets -----------------------------------------------------------------------------
def draw_all(world: World) -> None:
    seating.draw_all(world.preliminary, seed=world.random.randrange(10**6), by=world.organiser)


def confirm_all(world: World) -> None:
    seating.confirm_all(world.preliminary, by=world.organiser)


def print_all(world: World) -> None:
    seating_print.print_stage(world.preliminary, by=world.organiser)


def swap_seats(world: World) -> None:
    session = world.session()
    seats = list(Seat.objects.filter(session=session).select_related("entrant").order_by("table__number", "letter"))
    if len(seats) > 4:
        about = {"first": seats[0].entrant.number, "second": seats[-1].entrant.number}
        seating.swap(session, revision=session.draw.revision, **about, by=world.organiser)


def free_seat(world: World) -> None:
    session = world.session()
    if seat := Seat.objects.filter(session=session).select_related("entrant").order_by("pk").first():
        about = {"revision": session.draw.revision, "entrant": seat.entrant.number}
        seating_room.free_seat(session, **about, by=world.organiser)


def bring_late(world: World) -> None:
    """A tablet brings what the server cannot take any more."""
    table = Table.objects.select_related("session__stage__event").filter(session__stage__event=world.event).first()
    if table:
        by, now = world.judge, timezone.now()
        paired = {"referee": by, "paired_by": by, "digest": secrets.token_hex(8), "paired_at": now, "expires_at": now}
        device = Device.objects.create(event=world.event, session=table.session, number=77, **paired)
        DeviceTable.objects.create(device=device, table=table)
        body = {"referee": by.pk, "made_at": now.isoformat(), "typed": paper()}
        item = Item(key=world.key, act="save", table=table.number, session=table.session.number, revision=0, body=body)
        devices_held.hold(device, [item], HeldBecause.LATE)


# --- The clock and the day ------------------------------------------------------------------------------
def clock_moves(*kinds: str) -> Act:
    def act(world: World) -> None:
        session = world.session(final=True)
        for kind in kinds:
            clock.move_session(session, kind, by=world.organiser, request_key=world.key, reason=WHY)
            session.refresh_from_db()

    return act


def hold(world: World) -> None:
    postponing.hold([world.session()], reason=WHY, by=world.organiser)


def postpone(world: World) -> None:
    postponing.postpone([world.session()], reason=WHY, by=world.organiser)


def new_times(world: World) -> None:
    session = world.session()
    moved = [moment + timedelta(days=400) for moment in (session.check_in_at, session.seating_at, session.play_at)]
    wanted = postponing_times.NewTimes(session.pk, *moved, session.ends_at + timedelta(days=400))
    postponing_times.set_times(world.event, [wanted], reason=WHY, by=world.organiser)


def replay(world: World) -> None:
    """Broken off, void and played anew; by two where results are in."""
    session = world.session()
    for kind in ("start", "suspend"):
        with suppress(Exception):
            clock.move_session(session, kind, by=world.organiser, request_key=world.key, reason=WHY)
    session.refresh_from_db()
    if not postponing_second.takes_two(session):
        postponing_replay.replay(session, reason=WHY, by=world.organiser)
        return
    seen = postponing_second.seen_of(session)
    asked = postponing_second.propose(session, "replay_session", seen=seen, reason=WHY, by=world.organiser)
    postponing_replay.agree(world.event, asked.pk, by=world.judge)


def see_signal(world: World) -> None:
    now = timezone.now()
    weather.enter_signal(world.event, code="WRAINB", issued_at=now, by=world.organiser, request_key=world.key)


# --- What is published ----------------------------------------------------------------------------------
def stage_to_release(world: World) -> Stage:
    return world.final if world.final and current_release(world.preliminary) else world.preliminary


def publish(world: World) -> None:
    release.release(stage_to_release(world), by=world.organiser)


def publish_again(world: World) -> None:
    release.release(world.preliminary, by=world.organiser)


def withdraw(world: World) -> None:
    if found := Release.objects.filter(stage__event=world.event, withdrawn_at=None).order_by("-number").first():
        release.withdraw(found, reason=WHY, by=world.organiser)


def decide_line(world: World) -> None:
    cut = live_cut(world.preliminary)
    if cut.tie:
        tied = [one.number for one in cut.tie]
        given = {"tied": tied, "places": cut.tie_places, "order": tied[: cut.tie_places], "reason": WHY}
        qualification.decide_tie(world.preliminary, by=world.judge, method="pick", **given)


def tell(world: World) -> None:
    told(world.event, world.organiser)


def correct_notice(world: World) -> None:
    if found := Notice.objects.filter(event=world.event, number__isnull=False).order_by("-number").first():
        told(world.event, world.organiser, corrects=found, kind=NoticeKind.STOPPED)


def lower_banner(world: World) -> None:
    if found := Notice.objects.filter(event=world.event, banner=True, banner_down_at=None, number__isnull=False).last():
        notices.take_down_banner(found, by=world.organiser)


def mail(world: World) -> None:
    if Release.objects.filter(stage=world.preliminary).exists():
        mail_results(world.event, world.organiser)


def stop_mail(world: World) -> None:
    if found := Mailing.objects.filter(event=world.event).order_by("-pk").first():
        mailings.stop(found, by=world.organiser)


# --- Places in the final --------------------------------------------------------------------------------
def make_links(world: World) -> None:
    invitations.make_links(world.preliminary, by=world.organiser)


def answer(said: Answer) -> Act:
    def act(world: World) -> None:
        rows = Invitation.objects.filter(entrant__event=world.event, revoked_at=None).order_by("entrant__number")
        if link := rows.filter(entrant__number__in=world.numbers).first() or rows.first():
            seen = link.entrant.place_answers.order_by("-at", "-pk").values_list("pk", flat=True).first() or 0
            invitations.answer_by_link(link, answer=said, seen=seen)

    return act


def decline_at_desk(world: World) -> None:
    holders = [one.id for one in live_places(world.preliminary).places.holders]
    if holders:
        number = live_places(world.preliminary).entrants[holders[0]].number
        about = {"number": number, "answer": Answer.DECLINED, "reason": WHY}
        release_places.record_answer(world.preliminary, **about, by=world.organiser)


def fix_list(world: World) -> None:
    if world.final:
        about = {"seen": finalists.seen_of(live_places(world.preliminary)), "strike": True, "reason": WHY}
        finalists.freeze(world.final, **about, by=world.organiser)


def open_list(world: World) -> None:
    if world.final:
        listed = list(world.final.finalists.values_list("entrant__number", flat=True))
        seen = finalists.seen_of(live_places(world.preliminary), listed)
        finalists.thaw(world.final, seen=seen, reason=WHY, by=world.organiser)


def revoke_link(world: World) -> None:
    rows = Invitation.objects.filter(entrant__event=world.event, revoked_at=None).order_by("entrant__number")
    if found := rows.select_related("entrant").first():
        about = {"number": found.entrant.number, "reason": WHY}
        invitations.revoke_link(world.preliminary, **about, by=world.organiser)


def erase_consents(world: World) -> None:
    """As an import of a newer list: nobody agrees any more."""
    Person.objects.filter(entrant__event=world.event, entrant__number__in=world.numbers).update(consent_name=False)


ACTS: dict[str, Act] = {
    "nothing": lambda world: None,
    "somebody withdraws": absent(EntrantStatus.WITHDRAWN),
    "somebody did not come": absent(EntrantStatus.FORFEITED),
    "somebody is disqualified": absent(EntrantStatus.DISQUALIFIED),
    "somebody is readmitted": readmit,
    "somebody is renamed": rename,
    "a consent is withdrawn": withdraw_consent,
    "a sheet is a draft": draft,
    "a sheet is handed on": hand_on,
    "a sheet is certified": certify,
    "a session is stamped": stamp,
    "a sheet is disputed": dispute,
    "a sheet is void": void_sheet,
    "a correction is begun": begin_correction,
    "a sheet is corrected": correct,
    "seats are drawn": draw_all,
    "seats are confirmed": confirm_all,
    "papers are printed": print_all,
    "seats are swapped": swap_seats,
    "a seat is freed": free_seat,
    "a tablet brings something late": bring_late,
    "a session is started": clock_moves("start"),
    "a session is broken off": clock_moves("start", "suspend"),
    "a session is closed": clock_moves("start", "close"),
    "a session is held back": hold,
    "a session is postponed": postpone,
    "a session has new times": new_times,
    "a session is void and replayed": replay,
    "black rain is entered": see_signal,
    "results are released": publish,
    "results are released again": publish_again,
    "a release is withdrawn": withdraw,
    "the tie across the line is decided": decide_line,
    "a notice is published": tell,
    "a notice is corrected": correct_notice,
    "the banner is taken down": lower_banner,
    "results are mailed": mail,
    "a mailing is stopped": stop_mail,
    "links are made": make_links,
    "a link accepts": answer(Answer.ACCEPTED),
    "a link declines": answer(Answer.DECLINED),
    "a place is given up at the desk": decline_at_desk,
    "the list of finalists is fixed": fix_list,
    "the list of finalists is opened": open_list,
    "a link is taken back": revoke_link,
    "consents are gone": erase_consents,
}
