"""What stands in the way of a release, in words: the sentence, what to do, where."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop
from django.utils.translation import ngettext

from tournament import moments
from tournament.enums import DecisionOf
from tournament.models import Event
from tournament.queries.release import OpenTable
from tournament.services import release as service
from tournament.services.published_text import said_of
from tournament.services.release import Block

TABLES_SHOWN = 12
# Where each kind of decision is recorded.
WHERE = {
    DecisionOf.LINE: ("qualification", noop("To the cut")),
    DecisionOf.RESERVE: ("places", noop("To the places")),
    DecisionOf.PODIUM: ("podium", noop("To the podium")),
    DecisionOf.AWARD: ("award", noop("To the award")),
}


@dataclass(frozen=True, slots=True)
class Reason:
    """A block as the page shows it: what stands in the way, what to do, where."""

    sentence: str
    do: str
    address: str = ""
    link: str = ""
    sessions: tuple["OpenSession", ...] = ()


@dataclass(frozen=True, slots=True)
class OpenSession:
    """The open tables of one session, with links to the first of them."""

    name: str
    address: str
    tables: tuple[tuple[int, str], ...]
    more: int


def reason_of(event: Event, block: Block) -> Reason:
    """The sentence of a block, what to do about it and where."""
    return REASONS[block.code](event, block)


def embargo(event: Event, block: Block) -> Reason:
    """R9."""
    at = moments.datetime_text(block.facts["until"])
    return Reason(
        _("Results stay unpublished until %(at)s.") % {"at": at}, _("The button is free from that second on.")
    )


def session_not_drawn(event: Event, block: Block) -> Reason:
    """A session with entrants and no tables."""
    session = block.facts["session"]
    name = moments.session_text(session.original_date, *session.name_of_day)
    return Reason(
        _("%(session)s has no seats drawn.") % {"session": name},
        _("Draw and confirm its seats, or record who does not play."),
        reverse("session_seating", args=[event.slug, session.number]),
        _("To its seats"),
    )


def session_stopped(event: Event, block: Block) -> Reason:
    """The weather's: what is postponed is waited for, what was broken off is decided about."""
    session = block.facts["session"]
    facts = {
        "session": moments.session_text(session.original_date, *session.name_of_day),
        "state": session.get_state_display(),
    }
    return Reason(
        _("%(session)s is %(state)s.") % facts,
        _("An organiser sets its new times, or decides whether its finished games stand or it is played anew."),
        reverse("postponed", args=[event.slug]),
        _("To the postponed sessions"),
    )


def sheets_missing(event: Event, block: Block) -> Reason:
    """R41."""
    sentence = ngettext(
        "%(n)d table's scoresheet has not been received.",
        "%(n)d tables' scoresheets have not been received.",
        len(block.tables),
    )
    return tables_reason(event, block, sentence, _("Type them, have them checked and stamp them."))


def sheets_not_locked(event: Event, block: Block) -> Reason:
    """R41."""
    sentence = ngettext(
        "%(n)d scoresheet is not certified yet.", "%(n)d scoresheets are not certified yet.", len(block.tables)
    )
    return tables_reason(event, block, sentence, _("A second account compares them with the paper and certifies."))


def sheets_not_stamped(event: Event, block: Block) -> Reason:
    """R42."""
    sentence = ngettext("%(n)d scoresheet is not stamped.", "%(n)d scoresheets are not stamped.", len(block.tables))
    return tables_reason(event, block, sentence, _("An organiser stamps them, one by one or for a session."))


def entrants_unplayed(event: Event, block: Block) -> Reason:
    """Readmitted, moved or never seated: entered, and of no sheet."""
    numbers = block.facts["numbers"]
    sentence = ngettext(
        "%(n)d entrant takes part and has no result: %(numbers)s.",
        "%(n)d entrants take part and have no result: %(numbers)s.",
        len(numbers),
    )
    listed = _(", ").join(f"{number:04d}" for number in numbers[:TABLES_SHOWN])
    listed += "…" if len(numbers) > TABLES_SHOWN else ""
    do = _("Record on their entries what became of them: absent, withdrawn; or seat them, and type their sheets.")
    address = reverse("entrant", args=[event.slug, numbers[0]])
    return Reason(sentence % {"n": len(numbers), "numbers": listed}, do, address, _("To the first entry"))


def tables_reason(event: Event, block: Block, sentence: str, do: str) -> Reason:
    """A reason about tables, grouped by session."""
    return Reason(sentence % {"n": len(block.tables)}, do, sessions=tuple(open_sessions(event, block.tables)))


def open_sessions(event: Event, tables: tuple[OpenTable, ...]) -> Iterator[OpenSession]:
    """Tables by session, the first of each with a link."""
    for (number, code), group in groupby(tables, key=lambda table: (table.session, table.session_code)):
        listed = [table.table for table in group]
        yield OpenSession(
            name=code,
            address=reverse("session_scoresheets", args=[event.slug, number]),
            tables=tuple(
                (table, reverse("scoresheet", args=[event.slug, number, table])) for table in listed[:TABLES_SHOWN]
            ),
            more=max(len(listed) - TABLES_SHOWN, 0),
        )


def items_held(event: Event, block: Block) -> Reason:
    """4.1: nothing is released while what tablets brought waits for a decision."""
    sentence = ngettext(
        "%(held)d item of a tablet waits for a decision.",
        "%(held)d items of tablets wait for a decision.",
        block.facts["held"],
    )
    do = _("The chief judge or an organiser compares each and enters it or sets it aside.")
    return Reason(sentence % block.facts, do, reverse("held_items", args=[event.slug]), _("To the held items"))


def tablets_waiting(event: Event, block: Block) -> Reason:
    """4.1: nothing is released while a tablet holds what is not recorded."""
    return Reason(
        _("Tablets still hold items: no. %(numbers)s.") % {"numbers": ", ".join(map(str, block.facts["numbers"]))},
        _("Let them send, bring their outbox in by hand, or cut them off with a reason."),
        reverse("tablets", args=[event.slug]),
        _("To the tablets"),
    )


def tie_unresolved(event: Event, block: Block) -> Reason:
    """R37."""
    return Reason(
        _("%(tied)s entrants share rank %(rank)s in full across the line. Places left for them: %(places)s.")
        % block.facts,
        _("The chief judge decides and records who, how and why."),
        reverse("qualification", args=[event.slug]),
        _("To the cut"),
    )


def rounds_missing(event: Event, block: Block) -> Reason:
    """R38: a round of the final has no session, or only one that was declared void."""
    return Reason(
        _("The final has %(rounds)s rounds. With a session: %(planned)s.") % block.facts,
        _("Set the hours of the rounds where the final is set up."),
        reverse("final", args=[event.slug]),
        _("To the final"),
    )


def podium_unresolved(event: Event, block: Block) -> Reason:
    """R39."""
    return Reason(
        _("%(tied)s finalists contest the podium from place %(place)s: they are equal in everything.") % block.facts,
        _("The chief judge decides and records who, how and why."),
        reverse("podium", args=[event.slug]),
        _("To the podium"),
    )


def award_unresolved(event: Event, block: Block) -> Reason:
    """R40."""
    return Reason(
        _("%(tied)s families contest the parent-child award: they are level in everything.") % block.facts,
        _("The chief judge decides and records who, how and why."),
        reverse("award", args=[event.slug]),
        _("To the award"),
    )


def text_names_somebody(event: Event, block: Block) -> Reason:
    """Words that were clean when they were recorded name somebody who was entered since."""
    name, link = WHERE[block.facts["of"]]
    return Reason(
        _("The reason of a decision gives somebody away who was entered or renamed since: %(found)s.")
        % {"found": said_of(block.facts["findings"])},
        _("The chief judge records the decision again with another reason. The words of the one before are left out."),
        reverse(name, args=[event.slug]),
        _(link),
    )


def nothing_to_release(event: Event, block: Block) -> Reason:
    """No entrant has a rank."""
    return Reason(
        _("There is no ranking yet."),
        _("It begins with the first certified scoresheet."),
        reverse("scoresheets", args=[event.slug]),
        _("To the scoresheets"),
    )


def already_released(event: Event, block: Block) -> Reason:
    """A second release would say the same."""
    return Reason(
        _("Release no. %(number)s says all that there is.") % block.facts,
        _("A new one follows when a result, a name or a decision changes, or when it is withdrawn."),
        reverse("release_page", args=[event.slug, block.facts["number"]]),
        _("To that release"),
    )


REASONS = {
    service.EMBARGO: embargo,
    service.SESSION_NOT_DRAWN: session_not_drawn,
    service.SESSION_STOPPED: session_stopped,
    service.SHEETS_MISSING: sheets_missing,
    service.SHEETS_NOT_LOCKED: sheets_not_locked,
    service.SHEETS_NOT_STAMPED: sheets_not_stamped,
    service.ENTRANTS_UNPLAYED: entrants_unplayed,
    service.ITEMS_HELD: items_held,
    service.TABLETS_WAITING: tablets_waiting,
    service.ROUNDS_MISSING: rounds_missing,
    service.TIE_UNRESOLVED: tie_unresolved,
    service.PODIUM_UNRESOLVED: podium_unresolved,
    service.AWARD_UNRESOLVED: award_unresolved,
    service.TEXT_NAMES_SOMEBODY: text_names_somebody,
    service.NOTHING_TO_RELEASE: nothing_to_release,
    service.ALREADY_RELEASED: already_released,
}
