"""What stands in the way of a release, in words: the sentence, what to do, where."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from tournament.core import dateformat
from tournament.core.enums import DecisionOf
from tournament.core.models.stage import Stage
from tournament.messages.services.published_text import findings_sentence
from tournament.publication.services import release as service
from tournament.publication.services.release import ReleaseBlock
from tournament.ranking.queries.open_tables import OpenTable

BLOCKING_TABLES_SHOWN = 12
# Where each kind of decision is recorded.
DECISION_PAGE_LINKS = {
    DecisionOf.LINE: ("qualification", gettext_noop("To the cut")),
    DecisionOf.RESERVE: ("places", gettext_noop("To the places")),
    DecisionOf.PODIUM: ("podium", gettext_noop("To the podium")),
    DecisionOf.AWARD: ("award", gettext_noop("To the award")),
}


@dataclass(frozen=True, slots=True)
class BlockReason:
    """A block as the page shows it: what stands in the way, what to do, where."""

    sentence: str
    do: str
    address: str = ""
    link: str = ""
    sessions: tuple["BlockingSession", ...] = ()


@dataclass(frozen=True, slots=True)
class BlockingSession:
    """The open tables of one session, with links to the first of them."""

    name: str
    address: str
    tables: tuple[tuple[int, str], ...]
    more: int


def block_reason(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """The sentence of a block, what to do about it and where."""
    return REASON_BUILDERS[block.code](stage, block)


def embargo_reason(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """The embargo has not ended yet (R9)."""
    at = dateformat.datetime_text(block.facts["until"])
    return BlockReason(
        _("Results stay unpublished until %(at)s.") % {"at": at}, _("The button is free from that second on.")
    )


def session_not_drawn(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """A session with entrants and no tables."""
    session = block.facts["session"]
    name = dateformat.session_with_day_text(session.original_date, *session.name_of_day)
    return BlockReason(
        _("%(session)s has no seats drawn.") % {"session": name},
        _("Draw and confirm its seats, or record who does not play."),
        reverse("session_seating", args=[stage.event.slug, session.number]),
        _("To its seats"),
    )


def session_stopped(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """The weather's: what is postponed is waited for, what was broken off is decided about."""
    session = block.facts["session"]
    facts = {
        "session": dateformat.session_with_day_text(session.original_date, *session.name_of_day),
        "state": session.get_state_display(),
    }
    return BlockReason(
        _("%(session)s is %(state)s.") % facts,
        _("An organiser sets its new times, or decides whether its finished games stand or it is played anew."),
        reverse("postponed", args=[stage.event.slug]),
        _("To the postponed sessions"),
    )


def sheets_missing(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """Tables whose sheets have not been received (R41)."""
    sentence = ngettext(
        "%(n)d table's scoresheet has not been received.",
        "%(n)d tables' scoresheets have not been received.",
        len(block.tables),
    )
    return tables_reason(stage, block, sentence, _("Type them, have them checked and stamp them."))


def sheets_not_locked(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """Tables whose sheets are not certified (R41)."""
    sentence = ngettext(
        "%(n)d scoresheet is not certified yet.", "%(n)d scoresheets are not certified yet.", len(block.tables)
    )
    return tables_reason(stage, block, sentence, _("A second account compares them with the paper and certifies."))


def sheets_not_stamped(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """Tables whose sheets are not stamped (R42)."""
    sentence = ngettext("%(n)d scoresheet is not stamped.", "%(n)d scoresheets are not stamped.", len(block.tables))
    return tables_reason(stage, block, sentence, _("An organiser stamps them, one by one or for a session."))


def entrants_unplayed(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """Readmitted, moved or never seated: entered, and of no sheet."""
    numbers = block.facts["numbers"]
    sentence = ngettext(
        "%(n)d entrant takes part and has no result: %(numbers)s.",
        "%(n)d entrants take part and have no result: %(numbers)s.",
        len(numbers),
    )
    listed = _(", ").join(f"{number:04d}" for number in numbers[:BLOCKING_TABLES_SHOWN])
    listed += "…" if len(numbers) > BLOCKING_TABLES_SHOWN else ""
    do = _("Record on their entries what became of them: absent, withdrawn; or seat them, and type their sheets.")
    address = reverse("entrant", args=[stage.event.slug, numbers[0]])
    return BlockReason(sentence % {"n": len(numbers), "numbers": listed}, do, address, _("To the first entry"))


def tables_reason(stage: Stage, block: ReleaseBlock, sentence: str, do: str) -> BlockReason:
    """A reason about tables, grouped by session."""
    return BlockReason(
        sentence % {"n": len(block.tables)}, do, sessions=tuple(iter_blocking_sessions(stage, block.tables))
    )


def iter_blocking_sessions(stage: Stage, tables: tuple[OpenTable, ...]) -> Iterator[BlockingSession]:
    """Tables by session, the first of each with a link."""
    for (number, code), group in groupby(tables, key=lambda table: (table.session, table.session_code)):
        listed = [table.table for table in group]
        yield BlockingSession(
            name=code,
            address=reverse("session_scoresheets", args=[stage.event.slug, number]),
            tables=tuple(
                (table, reverse("scoresheet", args=[stage.event.slug, number, table]))
                for table in listed[:BLOCKING_TABLES_SHOWN]
            ),
            more=max(len(listed) - BLOCKING_TABLES_SHOWN, 0),
        )


def items_quarantined_reason(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """4.1: nothing is released while what tablets brought waits for a decision."""
    sentence = ngettext(
        "%(held)d item of a tablet waits for a decision.",
        "%(held)d items of tablets wait for a decision.",
        block.facts["held"],
    )
    do = _("The chief judge or an organiser compares each and enters it or sets it aside.")
    return BlockReason(
        sentence % block.facts, do, reverse("held_items", args=[stage.event.slug]), _("To the held items")
    )


def tablets_waiting_reason(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """4.1: nothing is released while a tablet holds what is not recorded."""
    return BlockReason(
        _("Tablets still hold items: no. %(numbers)s.") % {"numbers": ", ".join(map(str, block.facts["numbers"]))},
        _("Let them send, bring their outbox in by hand, or cut them off with a reason."),
        reverse("tablets", args=[stage.event.slug]),
        _("To the tablets"),
    )


def tie_unresolved(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """A full tie across the line without a decision (R37)."""
    return BlockReason(
        _("%(tied)s entrants share rank %(rank)s in full across the line. Places left for them: %(places)s.")
        % block.facts,
        _("The chief judge decides and records who, how and why."),
        reverse("qualification", args=[stage.event.slug, stage.kind]),
        _("To the cut"),
    )


def rounds_missing(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """R38: a round of the final has no session, or only one that was declared void."""
    return BlockReason(
        _("The final has %(rounds)s rounds. With a session: %(planned)s.") % block.facts,
        _("Set the hours of the rounds where the final is set up."),
        reverse("final", args=[stage.event.slug]),
        _("To the final"),
    )


def podium_unresolved(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """A full tie on the podium without a decision (R39)."""
    return BlockReason(
        _("%(tied)s finalists contest the podium from place %(place)s: they are equal in everything.") % block.facts,
        _("The chief judge decides and records who, how and why."),
        reverse("podium", args=[stage.event.slug, stage.kind]),
        _("To the podium"),
    )


def award_unresolved(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """Families level for the award without a decision (R40)."""
    return BlockReason(
        _("%(tied)s families contest the parent-child award: they are level in everything.") % block.facts,
        _("The chief judge decides and records who, how and why."),
        reverse("award", args=[stage.event.slug, stage.kind]),
        _("To the award"),
    )


def text_names_somebody_reason(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """Words that were clean when they were recorded name somebody who was entered since."""
    name, link = DECISION_PAGE_LINKS[block.facts["of"]]
    return BlockReason(
        _("The reason of a decision gives somebody away who was entered or renamed since: %(found)s.")
        % {"found": findings_sentence(block.facts["findings"])},
        _("The chief judge records the decision again with another reason. The words of the one before are left out."),
        reverse(name, args=[stage.event.slug, stage.kind]),
        _(link),
    )


def nothing_to_release_reason(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """No entrant has a rank."""
    return BlockReason(
        _("There is no ranking yet."),
        _("It begins with the first certified scoresheet."),
        reverse("scoresheets", args=[stage.event.slug]),
        _("To the scoresheets"),
    )


def already_released(stage: Stage, block: ReleaseBlock) -> BlockReason:
    """A second release would say the same."""
    return BlockReason(
        _("Release no. %(number)s says all that there is.") % block.facts,
        _("A new one follows when a result, a name or a decision changes, or when it is withdrawn."),
        reverse("release_page", args=[stage.event.slug, block.facts["number"]]),
        _("To that release"),
    )


REASON_BUILDERS = {
    service.EMBARGO_BLOCK: embargo_reason,
    service.SESSION_NOT_DRAWN: session_not_drawn,
    service.SESSION_STOPPED: session_stopped,
    service.SHEETS_MISSING: sheets_missing,
    service.SHEETS_NOT_LOCKED: sheets_not_locked,
    service.SHEETS_NOT_STAMPED: sheets_not_stamped,
    service.ENTRANTS_UNPLAYED: entrants_unplayed,
    service.ITEMS_QUARANTINED_BLOCK: items_quarantined_reason,
    service.TABLETS_WAITING: tablets_waiting_reason,
    service.ROUNDS_MISSING: rounds_missing,
    service.TIE_UNRESOLVED: tie_unresolved,
    service.PODIUM_UNRESOLVED: podium_unresolved,
    service.AWARD_UNRESOLVED: award_unresolved,
    service.TEXT_NAMES_SOMEBODY_BLOCK: text_names_somebody_reason,
    service.NOTHING_TO_RELEASE_BLOCK: nothing_to_release_reason,
    service.ALREADY_RELEASED: already_released,
}
