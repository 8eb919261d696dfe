"""What somebody may do who owns the database and writes entries, hashes and heads as the program would (Q15).

Each is found by one check alone, so that every check has something that only it finds. None is held against a head
that was written down before: with one, all of them are found by that. Each answers with what the first and what the
second verifier has to say; None where it is not for that one to find.
"""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import timedelta
from functools import partial
from typing import Any

from django.contrib.auth.models import User

from tests.guards_lifted import lift, lifted, settle_constraints
from tests.reliability import tampers
from tests.reliability.tamper_log import hash_anew, middle
from tests.reliability.tampering import SECOND, Case, drop_guard, heads, log_cases, row_cases, says, undone
from tournament.audit import services
from tournament.audit.models import AuditEntry, AuditHead
from tournament.core.enums import LOCKED_STATES, Role, SheetState
from tournament.core.models.event import Event, Membership
from tournament.core.models.evidence import declared
from tournament.entrants.models.people import Person
from tournament.messages.models import Delivery, Mailing, Notice
from tournament.operations.services.audit_chain import ChainAnchor
from tournament.operations.services.audit_export import evidence_rows
from tournament.publication.domain.names import digest_without_names
from tournament.publication.domain.release import canonical_digest
from tournament.releases.models import Release
from tournament.sheets.models.scoresheet import Line, Scoresheet
from tournament.sheets.models.signing import OfficialSheet

Said = tuple[str, str | None]
SHEET = "scoresheet 0328-1-01 v9"


def enter(event: Event, by: User | None = None, action: str = "write_public_files", **given: Any) -> AuditEntry:
    """An entry that has everything written before it, as the program makes it."""
    subject = given.pop("subject", f"event {event.slug}")
    return services.append_audit_entry(event, by, action, subject, **given)


def with_role(event: Event, role: str) -> list[User]:
    return list(User.objects.filter(memberships__event=event, memberships__role=role).order_by("pk"))


# --- Sheets ---------------------------------------------------------------------------------------------
def locked_sheet(event: Event) -> Scoresheet:
    sheets = Scoresheet.objects.filter(table__session__stage__event=event, state__in=LOCKED_STATES)
    return sheets.order_by("pk")[0]


def change_values(event: Event, state: str) -> Said:
    """Points of a sheet in this state, with an entry; the digest that was signed stays."""
    sheet = locked_sheet(event)
    Scoresheet.objects.filter(pk=sheet.pk).update(state=state)
    line = Line.objects.filter(game__scoresheet=sheet).order_by("pk")[0]
    Line.objects.filter(pk=line.pk).update(points_twelfths=line.points_twelfths + 12)
    enter(event)
    return "sheet_values", "its values do not give its digest"


def give_a_line_to_another(event: Event) -> Said:
    """What one has played counts for another who did not sit there."""
    line = Line.objects.filter(game__scoresheet=locked_sheet(event)).order_by("pk")[0]
    other = event.entrants.exclude(pk=line.entrant_id).order_by("-pk")[0]
    Line.objects.filter(pk=line.pk).update(entrant=other)
    enter(event)
    return "line_of_another_entrant", f"line {line.pk}: is of another than who sat there"


# --- Releases -------------------------------------------------------------------------------------------
def release_of(event: Event) -> Release:
    return Release.objects.filter(stage__event=event).order_by("number")[0]


def forge_release(event: Event, content: dict[str, Any], *, figures: str = "", **row: Any) -> None:
    """Another content, digest and entry for a release, which fit one another."""
    release = release_of(event)
    digest = canonical_digest(content)
    Release.objects.filter(pk=release.pk).update(content=content, digest=digest, **row)
    subject, by = f"release {release.number}", release.released_by
    enter(event, by, "release", subject=subject, digest=(figures or digest_without_names(content), digest))


def change_the_content(event: Event) -> Said:
    release = release_of(event)
    Release.objects.filter(pk=release.pk).update(content={**release.content, "places": 99})
    enter(event)
    return "release_content", "its content does not give its digest"


def change_the_figures(event: Event) -> Said:
    """The entry tells of other figures than the content has."""
    forge_release(event, {**release_of(event).content, "places": 99}, figures="7" * 64)
    return "release_figures", "its figures are not those that were released"


def change_content_and_digest(event: Event) -> Said:
    """Nobody has released this."""
    release = release_of(event)
    content = {**release.content, "places": 99}
    Release.objects.filter(pk=release.pk).update(content=content, digest=canonical_digest(content))
    enter(event)
    return "release_without_an_entry", "its figures are not those that were released"


def erase_names_of_another_content(event: Event) -> Said:
    release = release_of(event)
    enter(event, None, "erase_names", subject=f"release {release.number}", digest=("f" * 64, release.digest))
    return "erasures_of_a_release_do_not_follow", "its names were erased from another content than it had"


def change_the_hour(event: Event) -> Said:
    """The row says that it was released at another hour than its content."""
    release = release_of(event)
    Release.objects.filter(pk=release.pk).update(released_at=release.released_at + timedelta(hours=1))
    enter(event)
    return "release_row", "its content says otherwise than its row: released_at"


def change_the_number(event: Event) -> Said:
    forge_release(event, {**release_of(event).content, "number": 99})
    return "release_row", "its content says otherwise than its row: number"


def change_the_stage(event: Event) -> Said:
    forge_release(event, {**release_of(event).content, "stage": "final"})
    return "release_row", "its content says otherwise than its row: stage"


def say_another_log(event: Event) -> Said:
    """The content alone says that it was read at another head."""
    forge_release(event, {**release_of(event).content, "audit": {"seq": 1, "hash": "4" * 64}})
    return "release_row", "was read at another log than this"


def read_at_another_log(event: Event, seq: int | None = None) -> Said:
    """Content and row agree on a head that there never was."""
    release = release_of(event)
    head = {"seq": release.audit_seq if seq is None else seq, "hash": "4" * 64}
    forge_release(event, {**release.content, "audit": head}, audit_seq=head["seq"], audit_hash=head["hash"])
    return "release_read_at_another_log", "was read at another log than this"


def count_another_sheet(event: Event) -> Said:
    content = release_of(event).content
    forge_release(event, {**content, "sheets": {**content["sheets"], "count": content["sheets"]["count"] + 1}})
    return "release_sheets", "its list of scoresheets is not what its content says"


def list_another_sheet(event: Event) -> Said:
    """The list has another digest of a sheet than the sheet."""
    release = release_of(event)
    sheets = [[*release.sheets[0][:3], "8" * 64], *release.sheets[1:]]
    listed = {"count": len(sheets), "digest": canonical_digest(sheets)}
    forge_release(event, {**release.content, "sheets": listed}, sheets=sheets)
    return "release_sheet", "is not the one that was counted"


def mail_after_the_end(event: Event) -> Said:
    """Sent on after the notice was corrected by another."""
    mailing = Mailing.objects.filter(event=event, notice__isnull=False, deliveries__state="sent").order_by("pk")[0]
    other = Notice.objects.filter(event=event).exclude(pk=mailing.notice_id).order_by("pk")[0]
    Notice.objects.filter(pk=other.pk).update(corrects=mailing.notice)
    Delivery.objects.filter(mailing=mailing).update(claimed_at=other.published_at + timedelta(days=1))
    enter(event)
    return "mailed_after_its_end", None


# --- Who may --------------------------------------------------------------------------------------------
def by_one_of_two(event: Event, first: str, second: str, sides: bool) -> Said:
    """Proposed and agreed by the chief judge, who is an organiser too, or by two who are organisers alone."""
    [judge, *_others], organisers = with_role(event, Role.CHIEF_JUDGE), with_role(event, Role.ORGANISER)
    if sides:
        Membership.objects.create(event=event, user=judge, role=Role.ORGANISER)
    proposer, agreeing = (judge, judge) if sides else (organisers[0], organisers[1])
    enter(event, proposer, first, subject=SHEET)
    enter(event, agreeing, second, subject=SHEET)
    return f"{second}_without_two_sides", f"{second} without a chief judge and an organiser"


def by_who_is_no_judge(event: Event, action: str) -> Said:
    subject = SHEET if action == "decide_dispute" else "stage preliminary"
    enter(event, with_role(event, Role.CLERK)[0], action, subject=subject)
    return f"{action}_by_another", f"{action} by somebody who was not the chief judge"


# --- The log --------------------------------------------------------------------------------------------
def of_an_unknown_form(_event: Event) -> Said:
    """An entry of a form that is not known, hashed as it is."""
    entry = middle()
    AuditEntry.objects.filter(pk=entry.pk).update(canon_version=2)
    hash_anew(entry.seq)
    return "canon_version_unknown", "has a form that is not known here"


def of_an_unknown_act(_event: Event) -> Said:
    entry = middle()
    AuditEntry.objects.filter(pk=entry.pk).update(action="unheard_of")
    hash_anew(entry.seq)
    return "the act unheard_of is not known here", None


def leave_a_gap(_event: Event) -> Said:
    """An entry taken out, and those after it put on the one before; they keep their numbers."""
    entry = middle()
    before = AuditEntry.objects.get(event=entry.event_id, seq=entry.seq - 1)
    AuditEntry.objects.filter(pk=entry.pk).delete()
    put_on(before.hash, entry.seq + 1)
    return "entries_missing", f"is number {entry.seq} in the log"


def begin_another_chain(_event: Event) -> Said:
    """An entry that follows something else than the entry before it, with all after it."""
    entry = middle()
    put_on("5" * 64, entry.seq)
    return "link_broken", "does not follow the entry before it"


def put_on(before: str, first: int) -> None:
    """Every entry from `first` hashed anew, the first of them on this hash."""
    entry = AuditEntry.objects.get(seq=first)
    entry.prev = before
    AuditEntry.objects.filter(pk=entry.pk).update(prev=before, hash=services.entry_hash(entry))
    hash_anew(first + 1)


def take_the_head_away(_event: Event) -> Said:
    AuditHead.objects.all().delete()
    return "head_missing", "audit head: is not the last entry"


def change_a_row_before_an_entry(event: Event) -> Said:
    """In silence; then the program changes another field of the row and enters that."""
    person = Person.objects.filter(entrant__event=event, erased_at=None).order_by("pk")[0]
    Person._base_manager.filter(pk=person.pk).update(name_en="ANOTHER")
    Person.objects.filter(pk=person.pk).update(school="another")
    enter(event)
    return f"person {person.pk}, audit entry", f"person {person.pk}: was changed without an entry"


def enter_again(event: Event, model: str, before: str | None) -> Said:
    """A row as it is, as if it had been another before (None: as if there had been none)."""
    items = (item for one in AuditEntry.objects.filter(event=event).order_by("-seq") for item in one.payload)
    item = next(item for item in items if item["model"] == model and item["record"] is not None)
    entry = enter(event)
    AuditEntry.objects.filter(pk=entry.pk).update(payload=[*entry.payload, {**item, "before": before}])
    hash_anew(entry.seq)
    return f"{model} {item['pk']}, audit entry", f"{model} {item['pk']}: was changed without an entry"


def take_the_event_away(event: Event) -> Said:
    tampers.run("DELETE FROM tournament_event WHERE id = %s", event.pk)
    return "There is no event.", "There is no such event."


ACTS: dict[str, Callable[[Event], Said]] = {
    **{f"change values, {one}": partial(change_values, state=one) for one in (*LOCKED_STATES, SheetState.READY)},
    f"change values, {SheetState.DISPUTED}": partial(change_values, state=SheetState.DISPUTED),
    **{
        f"{sides} sides, {second}": partial(by_one_of_two, first=first, second=second, sides=sides == "both")
        for first, second in (("propose_correction", "approve_correction"), ("propose_void", "void_scoresheet"))
        for sides in ("both", "no")
    },
    **{f"no judge, {one}": partial(by_who_is_no_judge, action=one)
       for one in ("decide_tie", "decide_dispute", "announce_lots")},
    "read at a later entry than there is": partial(read_at_another_log, seq=10**6),
    "enter a line again": partial(enter_again, model="line", before=None),
    "enter an account again": partial(enter_again, model="user", before="6" * 64),
    **{
        each.__name__: each
        for each in (
            give_a_line_to_another,
            change_the_content,
            change_the_figures,
            change_content_and_digest,
            erase_names_of_another_content,
            change_the_hour,
            change_the_number,
            change_the_stage,
            say_another_log,
            read_at_another_log,
            count_another_sheet,
            list_another_sheet,
            mail_after_the_end,
            of_an_unknown_form,
            of_an_unknown_act,
            leave_a_gap,
            begin_another_chain,
            take_the_head_away,
            change_a_row_before_an_entry,
            take_the_event_away,
        )
    },
}  # fmt: skip


def entry_cases(event: Event) -> Iterator[Case]:
    """Each of them, without an anchor."""
    for name, act in ACTS.items():
        with undone():
            settle_constraints()
            with tampers.checks_lifted():
                if act is take_the_event_away:
                    lift()
                with nullcontext() if act is take_the_event_away else lifted():
                    first, second = act(event)
                yield Case([], {name: (says(first), says(second) if second is not None else None)})


# --- Beside the log -------------------------------------------------------------------------------------
class DamagedExport(Case):
    """A file of evidence that is not as it was written."""

    def __init__(self, name: str, lines: list[Any]) -> None:
        super().__init__([], {name: (None, says("Incomplete"))})
        self.lines = lines

    def findings(self, verifier: int) -> list[str]:
        """What the script says, which alone reads such a file."""
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".jsonl") as file:
            file.write("".join(json.dumps(line) + "\n" for line in self.lines))
            file.flush()
            try:
                events = SECOND.read_export(file.name) if verifier else []
            except ValueError as error:
                return [f"Incomplete: {error}"]
        return [found for event in events for found in event.check([])]


def damaged_exports() -> Iterator[Case]:
    """Cut off, a line left out, ended twice, of another form, without an event that it names."""
    first, *lines = evidence_rows("")
    end = {"kind": "end", "lines": len(lines) + 1}
    yield DamagedExport("export cut off", [first, *lines])
    yield DamagedExport("line of an export left out", [first, *lines[:5], *lines[6:], end])
    yield DamagedExport("export that ends twice", [first, *lines, end, end])
    yield DamagedExport("export of another format", [{**first, "format": 2}, *lines, end])
    yield DamagedExport("export without an event", [{**first, "events": [*first["events"], "another"]}, *lines, end])


def other_cases(event: Event) -> Iterator[Case]:
    """Nothing at all, a head of an event that is gone, a guard that is gone, and files of evidence."""
    own = heads(event)
    yield Case(own, {"nothing": (is_quiet, is_quiet)})
    gone = ChainAnchor("another-2026", 1, "0" * 64)
    yield Case([*own, gone], {"event of an anchor": (says("There are anchors of another-2026"), None)})
    with undone():
        settle_constraints()
        guard = drop_guard("tournament_line")()
        yield Case([], {"guard": (says(f"{guard} guard"), None)})
    yield from damaged_exports()


def is_quiet(said: list[str]) -> bool:
    return not said


def some_rows(one: tampers.Tamper) -> bool:
    """Which version counts, rows that belong to an account, and a line, whose key is no account's: enough to show each
    check of rows."""
    gone = one.act in ("delete", "insert")
    return one.model is OfficialSheet or (gone and (one.model is Line or bool(declared(one.model).account)))


def enough_cases(event: Event) -> Iterator[Case]:
    """Enough for every check of both verifiers to be missed where it is taken away."""
    yield from other_cases(event)
    yield from entry_cases(event)
    yield from log_cases(event)
    yield from row_cases(event, some_rows)
