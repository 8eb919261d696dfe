"""What people do to an event that makes sentences untrue: one act each, by the services that pages call.

An act that has nothing to act upon returns at once; one that the stage refuses raises `Refused`. Both are harmless.
"""

import hashlib
import secrets
import tempfile
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from django.utils import timezone

from tests.claims.acts_published import (
    answer,
    correct_notice,
    decide_line,
    decline_at_desk,
    fix_list,
    lower_banner,
    mail,
    mail_comes_back,
    make_links,
    open_list,
    publish,
    publish_again,
    revoke_link,
    stop_mail,
    tell,
    withdraw,
)
from tests.claims.facts import BYTES
from tests.claims.world import WHY, Act, World
from tests.sheets.correcting import crossing, handed_on, typed_anew
from tests.sheets.tables import paper
from tournament.accounts.models import Proposal
from tournament.core.enums import Answer, EntrantStatus, QuarantineReason, SheetForm, SheetState
from tournament.core.services import cipher
from tournament.devices.models.device import Device, DeviceTable
from tournament.entrants.models.people import Entrant
from tournament.operations.services import backup, backup_engines
from tournament.registration.services import changes
from tournament.registration.services.second import agree_entrant_change
from tournament.scoresheets.services import corrections
from tournament.seating.services import print, room, seating
from tournament.sheets.services import clock, registration, scoresheets, signing, signing_disputes
from tournament.tables.models import Seat, Table
from tournament.tablets.services import held
from tournament.tablets.services.held import OutboxItem
from tournament.weather.services import postponing, postponing_replay, postponing_second, postponing_times, weather


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
        registration.readmit_entrant(found, reason=WHY, by=world.judge)


def rename(world: World) -> None:
    """By one, and by a second person where it takes two."""
    if found := world.entrant(EntrantStatus.OK):
        change(world, found, {"name_zh": "歐陽大文"})


def withdraw_consent(world: World) -> None:
    """Of the champion's, where there is one."""
    rows = Entrant.objects.filter(event=world.event, person__consent_name=True, number__in=world.numbers)
    found = {one.number: one for one in rows.select_related("person", "session")}
    for number in world.numbers:
        if number in found:
            change(world, found[number], {"consent_name": "N"})
            return


def change(world: World, entrant: Entrant, cells: dict[str, str]) -> None:
    asked: list[Proposal] = []
    about = {"revision": entrant.revision, "cells": cells, "reason": WHY}
    changes.change_person(entrant, **about, by=world.organiser, waits=asked, accept_name=True)
    for one in asked:
        agree_entrant_change(world.event, one.pk, by=world.judge)


# --- Sheets ---------------------------------------------------------------------------------------------
def draft(world: World) -> None:
    if table := world.table(SheetState.OPEN, SheetState.DRAFT):
        given = {"form": SheetForm.PAPER, "typed": paper(), "by": world.by["clerk"], "request_key": world.key}
        scoresheets.save_scoresheet(table, revision=world.revision(table), **given)


def hand_on(world: World) -> None:
    if table := world.table(SheetState.OPEN, SheetState.DRAFT):
        handed_on(table, paper(), world.by["clerk"], world.revision(table))


def certify(world: World) -> None:
    if table := world.table(SheetState.READY):
        signed = dict.fromkeys([seat.letter for seat in table.seats.all()], "")
        about = {"revision": world.revision(table), "signatures": signed, "request_key": world.key}
        signing.certify_scoresheet(table, **about, by=world.by["second"])


def stamp(world: World) -> None:
    if table := world.table(SheetState.CERTIFIED, SheetState.SIGNED):
        signing.stamp_session(table.session, by=world.organiser)


def dispute(world: World) -> None:
    if table := world.table(SheetState.DRAFT, SheetState.READY):
        about = {"revision": world.revision(table), "reason": WHY, "request_key": world.key}
        signing_disputes.raise_dispute(table, **about, by=world.by["clerk"])


def void_sheet(world: World) -> None:
    if table := world.table(SheetState.DRAFT, SheetState.READY):
        about = {"revision": world.revision(table), "request_key": world.key}
        signing_disputes.propose_void(table, **about, reason=WHY, by=world.judge)
        about = {"revision": world.revision(table), "request_key": world.key}
        signing_disputes.approve_void(table, **about, by=world.organiser)


def begin_correction(world: World) -> None:
    if table := world.table(SheetState.CERTIFIED, SheetState.SIGNED):
        corrections.begin_correction(table, reason=WHY, by=world.organiser, request_key=world.key)


def correct(world: World) -> None:
    """Typed anew, proposed by an organiser, approved by the chief judge; not stamped yet."""
    if table := world.table(SheetState.CERTIFIED, SheetState.SIGNED):
        sheet = typed_anew(table, world.organiser, world.by["clerk"])
        about = {"revision": sheet.revision, "crossing": crossing(table, sheet)}
        corrections.propose_correction(table, **about, by=world.organiser, request_key=world.key)
        about["revision"] = world.revision(table)
        corrections.approve_correction(table, **about, by=world.judge, request_key=world.key, heading_seen=True)


# --- Seats, papers, tablets -----------------------------------------------------------------------------
def draw_all(world: World) -> None:
    seating.draw_all(world.preliminary, seed=world.random.randrange(10**6), by=world.organiser)


def confirm_all(world: World) -> None:
    seating.confirm_stage_draws(world.preliminary, by=world.organiser)


def print_all(world: World) -> None:
    print.print_stage(world.preliminary, by=world.organiser)


def swap_seats(world: World) -> None:
    session = world.session()
    seats = list(Seat.objects.filter(session=session).select_related("entrant").order_by("table__number", "letter"))
    if len(seats) > 4:
        about = {"first": seats[0].entrant.number, "second": seats[-1].entrant.number}
        seating.exchange_two_seats(session, revision=session.draw.revision, **about, by=world.organiser)


def free_seat(world: World) -> None:
    session = world.session()
    if seat := Seat.objects.filter(session=session).select_related("entrant").order_by("pk").first():
        about = {"revision": session.draw.revision, "entrant": seat.entrant.number}
        room.free_entrant_seat(session, **about, by=world.organiser)


def bring_late(world: World) -> None:
    """A tablet brings what the server cannot take any more."""
    table = Table.objects.select_related("session__stage__event").filter(session__stage__event=world.event).first()
    if table:
        by, now = world.judge, timezone.now()
        paired = {"referee": by, "paired_by": by, "digest": secrets.token_hex(8), "paired_at": now, "expires_at": now}
        device = Device.objects.create(event=world.event, session=table.session, number=77, **paired)
        DeviceTable.objects.create(device=device, table=table)
        body = {"referee": by.pk, "made_at": now.isoformat(), "typed": paper()}
        item = OutboxItem(
            key=world.key, act="save", table=table.number, session=table.session.number, revision=0, body=body
        )
        held.quarantine_items(device, [item], QuarantineReason.LATE)


# --- The clock and the day ------------------------------------------------------------------------------
def clock_moves(*kinds: str) -> Act:
    def act(world: World) -> None:
        session = world.session(final=True)
        for kind in kinds:
            clock.move_session(session, kind, by=world.organiser, request_key=world.key, reason=WHY)
            session.refresh_from_db()

    return act


def hold(world: World) -> None:
    postponing.hold_sessions([world.session()], reason=WHY, by=world.organiser)


def postpone(world: World) -> None:
    postponing.postpone_sessions([world.session()], reason=WHY, by=world.organiser)


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
    if not postponing_second.session_act_needs_two(session):
        postponing_replay.replay_session(session, reason=WHY, by=world.organiser)
        return
    seen = postponing_second.replay_basis_digest(session)
    asked = postponing_second.propose_session_act(session, "replay_session", seen=seen, reason=WHY, by=world.organiser)
    postponing_replay.agree_replay(world.event, asked.pk, by=world.judge)


def see_signal(world: World) -> None:
    now = timezone.now()
    weather.enter_weather_signal(world.event, code="WRAINB", issued_at=now, by=world.organiser, request_key=world.key)


# --- The machine ----------------------------------------------------------------------------------------
def back_up(world: World) -> None:
    """A sealed file where backups lie, its content of no use; beside it what its bytes are."""
    manifest = {name: kind() for name, kind in backup_engines.MANIFEST_FIELDS.items()} | {
        "at": timezone.now().isoformat()
    }
    backup.backup_folder().mkdir(parents=True, exist_ok=True)
    path = backup.backup_folder() / f"{world.key}{backup.BACKUP_SUFFIX}"
    with tempfile.NamedTemporaryFile() as content:
        content.write(b"of no use" * 1000)
        content.flush()
        cipher.made_key()
        backup.pack_backup(path, manifest, Path(content.name))
    path.with_suffix(BYTES).write_text(hashlib.sha256(path.read_bytes()).hexdigest(), encoding="utf-8")


def cut_backup(world: World) -> None:
    """The only one has lost its end, as on a stick that was pulled."""
    back_up(world)
    for path in backup.backup_folder().glob(f"*{backup.BACKUP_SUFFIX}"):
        path.write_bytes(path.read_bytes()[:-200])


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
    "a mail comes back": mail_comes_back,
    "links are made": make_links,
    "a link accepts": answer(Answer.ACCEPTED),
    "a link declines": answer(Answer.DECLINED),
    "a place is given up at the desk": decline_at_desk,
    "the list of finalists is fixed": fix_list,
    "the list of finalists is opened": open_list,
    "a link is taken back": revoke_link,
    "a backup is made": back_up,
    "a backup is cut off": cut_backup,
}
