"""From a settled ranking to what the public reads: frozen, numbered, withdrawn, never changed (R9, R37, R42).

What blocks a release is judged by `judge_release`; `release` freezes; the files are written by
services/release_files.py when the transaction has ended.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.bridge import grounds
from tournament.bridge.podium import LivePodium
from tournament.bridge.qualification import LiveCut
from tournament.bridge.release import Content, digest_of, figures
from tournament.bridge.release_consent import shown_content
from tournament.bridge.release_names import nameless_digest
from tournament.enums import SheetState
from tournament.errors import BadInput, Refused, Unavailable
from tournament.models import AuditHead, Entrant, Event, Release, Stage
from tournament.queries.release import (
    UNSTAMPED,
    CountedSheet,
    OpenTable,
    current_release,
    releases_of,
)
from tournament.services import audit, mailings_ending
from tournament.services.people_digest import digests_of
from tournament.services.published_text import ASKED, MAY_NAME_SOMEBODY, Asked, Passed, said_of
from tournament.services.release_content import content_now
from tournament.services.release_files import write_public_files
from tournament.services.release_texts import judge_texts

PERSON = ("person", "session", "family")
log = logging.getLogger(__name__)

EMBARGO = "embargo"
ROUNDS_MISSING = "rounds_missing"
SESSION_NOT_DRAWN = "session_not_drawn"
SESSION_STOPPED = "session_stopped"
SHEETS_MISSING = "sheets_missing"
SHEETS_NOT_LOCKED = "sheets_not_locked"
SHEETS_NOT_STAMPED = "sheets_not_stamped"
ENTRANTS_UNPLAYED = "entrants_unplayed"
ITEMS_HELD = "items_held"
TABLETS_WAITING = "tablets_waiting"
TIE_UNRESOLVED = "tie_unresolved"
PODIUM_UNRESOLVED = "podium_unresolved"
AWARD_UNRESOLVED = "award_unresolved"
TEXT_NAMES_SOMEBODY = "text_names_somebody"
NOTHING_TO_RELEASE = "nothing_to_release"
ALREADY_RELEASED = "already_released"


@dataclass(frozen=True, slots=True)
class Block:
    """One reason why nothing can be released: a stable code, the tables it is about, and figures for its sentence."""

    code: str
    tables: tuple[OpenTable, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the stage can be released now, from one reading: all reasons against it, in the order of the day.

    `podium` is None but for a final. `asked`: words that may name somebody who was not entered when they were recorded;
    whoever releases confirms them.
    """

    blocks: tuple[Block, ...]
    cut: LiveCut
    podium: LivePodium | None
    number: int
    current: Release | None
    content: Content
    sheets: tuple[CountedSheet, ...]
    asked: Asked | None

    @property
    def free(self) -> bool:
        """Nothing stands in the way."""
        return not self.blocks


def judge_release(stage: Stage, now: datetime | None = None) -> Verdict:
    """Everything that stands in the way of a release at this moment, and what it would say; reads only."""
    now = now or timezone.now()
    releases, current = releases_of(stage), current_release(stage)
    number = releases[0].number + 1 if releases else 1
    made = content_now(stage, number=number, now=now)
    cut, podium, content = made.cut, made.podium, made.content
    judged = judge_texts(stage.event, content)
    named = [Block(TEXT_NAMES_SOMEBODY, facts={"of": of, "findings": found}) for of, found in judged.named.items()]
    blocks = [*_blocks(stage, cut, podium, now), *named]
    if not blocks and current and figures(shown_content(current)) == figures(content):
        blocks.append(Block(ALREADY_RELEASED, facts={"number": current.number}))
    return Verdict(tuple(blocks), cut, podium, number, current, content, tuple(made.sheets), judged.asked)


def _blocks(stage: Stage, cut: LiveCut, podium: LivePodium | None, now: datetime) -> Iterator[Block]:
    # R9: kept to the microsecond; the announced moment itself is free.
    if now < stage.event.results_at:
        yield Block(EMBARGO, facts={"until": stage.event.results_at})
    # R38: a final is over when all its rounds are.
    open_still = grounds.finished(stage)
    if podium and open_still.rounds_missing:
        planned = stage.rounds - open_still.rounds_missing
        yield Block(ROUNDS_MISSING, facts={"planned": planned, "rounds": stage.rounds})
    for session in open_still.undrawn:
        yield Block(SESSION_NOT_DRAWN, facts={"session": session})
    # Weather: one that is postponed is waited for, of one that was broken off somebody decides.
    for session in open_still.stopped:
        yield Block(SESSION_STOPPED, facts={"session": session})
    # R41, R42: every table's sheet locked and stamped.
    waited = {session.number for session in open_still.stopped}
    tables = [one for one in (*open_still.unlocked, *open_still.unstamped) if one.session not in waited]
    for code, states in (
        (SHEETS_MISSING, {SheetState.OPEN}),
        (SHEETS_NOT_LOCKED, set(SheetState) - {SheetState.OPEN}),
        (SHEETS_NOT_STAMPED, {UNSTAMPED}),
    ):
        found = tuple(table for table in tables if table.state in states)
        if found:
            yield Block(code, tables=found)
    # 4.1: what a tablet recorded counts, or a person has said why not.
    if open_still.held:
        yield Block(ITEMS_HELD, facts={"held": open_still.held})
    if open_still.tablets:
        yield Block(TABLETS_WAITING, facts={"numbers": open_still.tablets})
    # R37: a full tie across the line waits for a decision.
    if cut.settled.unresolved:
        yield Block(TIE_UNRESOLVED, facts={"tied": len(cut.tie), "places": cut.tie_places, "rank": cut.tie[0].rank})
    # R39, R40: so does a full tie on the podium, and one for the award.
    for contest in podium.podium.contests if podium else ():
        yield Block(PODIUM_UNRESOLVED, facts={"tied": len(contest.ids), "place": contest.place})
    for contest in podium.award_place.contests if podium else ():
        yield Block(AWARD_UNRESOLVED, facts={"tied": len(contest.ids)})
    if not cut.ranking.ranked:
        yield Block(NOTHING_TO_RELEASE)
    # No sheet is waited for, and somebody who takes part has no result: what became of them is recorded first.
    elif open_still.unplayed and not open_still.unstamped:
        yield Block(ENTRANTS_UNPLAYED, facts={"numbers": list(open_still.unplayed)})


def release(
    stage: Stage,
    *,
    by: AbstractUser,
    now: datetime | None = None,
    number: int | None = None,
    words_confirmed: str = "",
) -> Release:
    """Freeze the ranking and its finalists under the next number, then write the public's files.

    `number` is the one its maker has seen on the page; where another organiser was quicker it is taken, and so is a
    second release that would say the same: 409 `already_released`. Blocked: 409 `release_blocked` with every block in
    `about`. Words that may name somebody who came later: 400 `text_may_name_somebody`, until `words_confirmed` is the
    token of `about`.

    1. The audit head is locked first. Every act of this event ends with its own entry under that lock, so that from
       here on nothing of it can be committed: all that is read is one snapshot, on both databases. 2. The embargo,
       the sheets, the tie.
    3. The content is frozen, with the audit head it was read at. 4. Row and audit entry. 5. What is still mailed of
       the release before ends. 6. On commit, the files.
    """
    now = now or timezone.now()
    try:
        with transaction.atomic():
            AuditHead.objects.select_for_update(no_key=True).get(event=stage.event_id)
            verdict = judge_release(stage, now)
            if number not in (None, verdict.number) or ALREADY_RELEASED in [block.code for block in verdict.blocks]:
                raise _already()
            if not verdict.free:
                raise Refused(
                    "release_blocked",
                    _("Nothing was released: %(count)s reasons stand in the way. They are listed on the release page."),
                    about=verdict.blocks,
                    count=len(verdict.blocks),
                )
            passed = _passed(verdict, words_confirmed)
            digest = digest_of(verdict.content)
            made = Release.objects.create(
                stage=stage,
                number=verdict.number,
                digest=digest,
                content=verdict.content,
                people=digests_of(Entrant.objects.filter(event=stage.event_id).select_related(*PERSON)),
                sheets=[list(sheet) for sheet in verdict.sheets],
                audit_seq=verdict.content["audit"]["seq"],
                audit_hash=verdict.content["audit"]["hash"],
                released_by=by,
                released_at=now,
            )
            figures_digest = nameless_digest(verdict.content)
            audit.record(stage.event, by, "release", f"release {made.number}", digest=(figures_digest, made.digest))
            passed.record(stage.event, by, f"release {made.number}")
            mailings_ending.end_outdated(stage.event, by=by)
            transaction.on_commit(lambda: write_after_commit(stage.event))
            return made
    except IntegrityError as taken:
        raise _already() from taken


def _passed(verdict: Verdict, confirmed: str) -> Passed:
    """What is asked about the words is confirmed as it stands now."""
    if not verdict.asked:
        return Passed()
    if confirmed != verdict.asked.token:
        raise BadInput(ASKED, MAY_NAME_SOMEBODY, about=verdict.asked, found=said_of(verdict.asked.findings))
    return Passed(verdict.asked.findings)


def _already() -> Refused:
    return Refused(
        ALREADY_RELEASED,
        _("This has been released already. Reload the page: the list shows the release and who made it."),
    )


@transaction.atomic
def withdraw(made: Release, *, reason: str, by: AbstractUser) -> Release:
    """Take a release back: from the next second its address answers 410. Withdrawn already: it is returned as it
    stands.

    The reason is for the record and is not published. 1. Compare-and-swap on "not withdrawn". 2. Audit entry.
    3. What is still mailed of it, and of the places that it gave, ends. 4. On commit, the files.
    """
    reason = reason.strip()
    if not reason:
        raise BadInput("reason_missing", _("Write down why the release is withdrawn."))
    event = made.stage.event
    swapped = Release.objects.filter(pk=made.pk, withdrawn_at=None).update(
        withdrawn_by=by, withdrawn_at=timezone.now(), withdrawn_reason=reason
    )
    if swapped:
        audit.record(event, by, "withdraw_release", f"release {made.number}", reason=reason)
        mailings_ending.end_outdated(event, by=by)
        transaction.on_commit(lambda: write_after_commit(event))
    made.refresh_from_db()
    return made


def write_again(event: Event, *, by: AbstractUser) -> None:
    """Write the public's files again from the releases, after a full disk or a lost folder; harmless at any time.

    1. The files; what is whole is kept. 2. The audit entry, once they are there. An OSError leaves what was public as
    it was and is told with its cause (503).
    """
    try:
        write_public_files(event)
    except OSError as failed:
        raise Unavailable(
            "files_not_written",
            _(
                "The public files could not be written (%(why)s). What was public is as before. "
                "Make room and try again."
            ),
            why=failed.strerror or "OSError",
        ) from failed
    with transaction.atomic():
        audit.record(event, by, "write_public_files", f"event {event.slug}")


def write_after_commit(event: Event) -> None:
    """The files after a release or a withdrawal that stands already: a full disk does not undo it, the page says so."""
    try:
        write_public_files(event)
    except OSError:
        log.exception("public files of %s not written", event.slug)
