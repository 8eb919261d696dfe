"""From a settled ranking to what the public reads: frozen, numbered, withdrawn, never changed (R9, R37, R42).

What blocks a release is judged by `judge_release`; `release_results` freezes; the files are written by
publication/services/files.py when the transaction has ended.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.audit.models import AuditHead
from tournament.core.enums import SheetState
from tournament.core.errors import BadInput, Refused, Unavailable
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.entrants.models.people import Entrant
from tournament.entrants.services import digests_of
from tournament.messages.services import mailings_ending
from tournament.messages.services.published_text import (
    MAY_NAME_SOMEBODY,
    TEXT_MAY_NAME_SOMEBODY_CODE,
    CheckedTexts,
    PersonalDataQuestion,
    findings_sentence,
)
from tournament.publication.domain.consent import publishable_content
from tournament.publication.domain.names import digest_without_names
from tournament.publication.domain.release import ReleaseContent, canonical_digest, release_figures_bytes
from tournament.publication.queries.release import CountedSheet, releases_of
from tournament.publication.services.content import build_current_content
from tournament.publication.services.files import write_public_files
from tournament.publication.services.texts import judge_texts
from tournament.ranking.domain import grounds_ranking
from tournament.ranking.queries.open_tables import UNSTAMPED_STATE, OpenTable
from tournament.releases.models import Release
from tournament.releases.queries import current_release
from tournament.stages.domain.podium import LivePodium
from tournament.stages.domain.qualification import LiveQualification

RELEASE_PERSON_RELATIONS = ("person", "session", "family")
logger = logging.getLogger(__name__)

EMBARGO_BLOCK = "embargo"
ROUNDS_MISSING = "rounds_missing"
SESSION_NOT_DRAWN = "session_not_drawn"
SESSION_STOPPED = "session_stopped"
SHEETS_MISSING = "sheets_missing"
SHEETS_NOT_LOCKED = "sheets_not_locked"
SHEETS_NOT_STAMPED = "sheets_not_stamped"
ENTRANTS_UNPLAYED = "entrants_unplayed"
ITEMS_QUARANTINED_BLOCK = "items_held"
TABLETS_WAITING = "tablets_waiting"
TIE_UNRESOLVED = "tie_unresolved"
PODIUM_UNRESOLVED = "podium_unresolved"
AWARD_UNRESOLVED = "award_unresolved"
TEXT_NAMES_SOMEBODY_BLOCK = "text_names_somebody"
NOTHING_TO_RELEASE_BLOCK = "nothing_to_release"
ALREADY_RELEASED = "already_released"


@dataclass(frozen=True, slots=True)
class ReleaseBlock:
    """One reason why nothing can be released: a stable code, the tables it is about, and figures for its sentence."""

    code: str
    tables: tuple[OpenTable, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReleaseVerdict:
    """Whether the stage can be released now, from one reading: all reasons against it, in the order of the day.

    `podium` is None but for a final. `asked`: words that may name somebody who was not entered when they were recorded;
    whoever releases confirms them.
    """

    blocks: tuple[ReleaseBlock, ...]
    cut: LiveQualification
    podium: LivePodium | None
    number: int
    current: Release | None
    content: ReleaseContent
    sheets: tuple[CountedSheet, ...]
    asked: PersonalDataQuestion | None

    @property
    def free(self) -> bool:
        """Nothing stands in the way."""
        return not self.blocks


def judge_release(stage: Stage, now: datetime | None = None) -> ReleaseVerdict:
    """Everything that stands in the way of a release at this moment, and what it would say; reads only."""
    now = now or timezone.now()
    releases, current = releases_of(stage), current_release(stage)
    number = releases[0].number + 1 if releases else 1
    made = build_current_content(stage, number=number, now=now)
    cut, podium, content = made.cut, made.podium, made.content
    judged = judge_texts(stage.event, content)
    named = [
        ReleaseBlock(TEXT_NAMES_SOMEBODY_BLOCK, facts={"of": of, "findings": found})
        for of, found in judged.named.items()
    ]
    blocks = [*iter_release_blocks(stage, cut, podium, now), *named]
    if not blocks and current and release_figures_bytes(publishable_content(current)) == release_figures_bytes(content):
        blocks.append(ReleaseBlock(ALREADY_RELEASED, facts={"number": current.number}))
    return ReleaseVerdict(tuple(blocks), cut, podium, number, current, content, tuple(made.sheets), judged.asked)


def iter_release_blocks(
    stage: Stage, cut: LiveQualification, podium: LivePodium | None, now: datetime
) -> Iterator[ReleaseBlock]:
    """Every reason why a stage cannot be released now, in the order in which one mends them."""
    # R9: kept to the microsecond; the announced moment itself is free.
    if now < stage.event.results_at:
        yield ReleaseBlock(EMBARGO_BLOCK, facts={"until": stage.event.results_at})
    # R38: a final is over when all its rounds are.
    open_still = grounds_ranking.stage_still_open(stage)
    if podium and open_still.rounds_missing:
        planned = stage.rounds - open_still.rounds_missing
        yield ReleaseBlock(ROUNDS_MISSING, facts={"planned": planned, "rounds": stage.rounds})
    for session in open_still.undrawn:
        yield ReleaseBlock(SESSION_NOT_DRAWN, facts={"session": session})
    # Weather: one that is postponed is waited for, of one that was broken off somebody decides.
    for session in open_still.stopped:
        yield ReleaseBlock(SESSION_STOPPED, facts={"session": session})
    # R41, R42: every table's sheet locked and stamped.
    waited = {session.number for session in open_still.stopped}
    tables = [one for one in (*open_still.unlocked, *open_still.unstamped) if one.session not in waited]
    for code, states in (
        (SHEETS_MISSING, {SheetState.OPEN}),
        (SHEETS_NOT_LOCKED, set(SheetState) - {SheetState.OPEN}),
        (SHEETS_NOT_STAMPED, {UNSTAMPED_STATE}),
    ):
        found = tuple(table for table in tables if table.state in states)
        if found:
            yield ReleaseBlock(code, tables=found)
    # D1: what a tablet recorded counts, or a person has said why not.
    if open_still.held:
        yield ReleaseBlock(ITEMS_QUARANTINED_BLOCK, facts={"held": open_still.held})
    if open_still.tablets:
        yield ReleaseBlock(TABLETS_WAITING, facts={"numbers": open_still.tablets})
    # R37: a full tie across the line waits for a decision.
    if cut.settled.unresolved:
        yield ReleaseBlock(
            TIE_UNRESOLVED, facts={"tied": len(cut.tie), "places": cut.tie_places, "rank": cut.tie[0].rank}
        )
    # R39, R40: so does a full tie on the podium, and one for the award.
    for contest in podium.podium.contests if podium else ():
        yield ReleaseBlock(PODIUM_UNRESOLVED, facts={"tied": len(contest.ids), "place": contest.place})
    for contest in podium.award_place.contests if podium else ():
        yield ReleaseBlock(AWARD_UNRESOLVED, facts={"tied": len(contest.ids)})
    if not cut.ranking.ranked:
        yield ReleaseBlock(NOTHING_TO_RELEASE_BLOCK)
    # No sheet is waited for, and somebody who takes part has no result: what became of them is recorded first.
    elif open_still.unplayed and not open_still.unstamped:
        yield ReleaseBlock(ENTRANTS_UNPLAYED, facts={"numbers": list(open_still.unplayed)})


def release_results(
    stage: Stage,
    *,
    by: User,
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
                raise already_released_error()
            if not verdict.free:
                raise Refused(
                    "release_blocked",
                    _("Nothing was released: %(count)s reasons stand in the way. They are listed on the release page."),
                    about=verdict.blocks,
                    count=len(verdict.blocks),
                )
            passed = confirm_release_words(verdict, words_confirmed)
            digest = canonical_digest(verdict.content)
            made = Release.objects.create(
                stage=stage,
                number=verdict.number,
                digest=digest,
                content=verdict.content,
                people=digests_of(
                    Entrant.objects.filter(event=stage.event_id).select_related(*RELEASE_PERSON_RELATIONS)
                ),
                sheets=[list(sheet) for sheet in verdict.sheets],
                audit_seq=verdict.content["audit"]["seq"],
                audit_hash=verdict.content["audit"]["hash"],
                released_by=by,
                released_at=now,
            )
            figures_digest = digest_without_names(verdict.content)
            services.append_audit_entry(
                stage.event, by, "release", f"release {made.number}", digest=(figures_digest, made.digest)
            )
            passed.record(stage.event, by, f"release {made.number}")
            mailings_ending.end_outdated(stage.event, by=by)
            transaction.on_commit(lambda: write_after_commit(stage.event))
            return made
    except IntegrityError as taken:
        raise already_released_error() from taken


def confirm_release_words(verdict: ReleaseVerdict, confirmed: str) -> CheckedTexts:
    """What is asked about the words is confirmed as it stands now."""
    if not verdict.asked:
        return CheckedTexts()
    if confirmed != verdict.asked.token:
        raise BadInput(
            TEXT_MAY_NAME_SOMEBODY_CODE,
            MAY_NAME_SOMEBODY,
            about=verdict.asked,
            found=findings_sentence(verdict.asked.findings),
        )
    return CheckedTexts(verdict.asked.findings)


def already_released_error() -> Refused:
    """The refusal for a release whose request was carried out already by somebody else."""
    return Refused(
        ALREADY_RELEASED,
        _("This has been released already. Reload the page: the list shows the release and who made it."),
    )


@transaction.atomic
def withdraw_release(made: Release, *, reason: str, by: User) -> Release:
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
        services.append_audit_entry(event, by, "withdraw_release", f"release {made.number}", reason=reason)
        mailings_ending.end_outdated(event, by=by)
        transaction.on_commit(lambda: write_after_commit(event))
    made.refresh_from_db()
    return made


def rewrite_public_files_by_hand(event: Event, *, by: User) -> None:
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
        services.append_audit_entry(event, by, "write_public_files", f"event {event.slug}")


def write_after_commit(event: Event) -> None:
    """The files after a release or a withdrawal that stands already: a full disk does not undo it, the page says so."""
    try:
        write_public_files(event)
    except OSError:
        logger.exception("public files of %s not written", event.slug)
