"""What waits for a person at an event, each with the act it needs and where it is done, in the order of the days."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.accounts.queries.proposals import open_proposals
from tournament.core import storage
from tournament.core.acts.results import ABOUT_EQUALS
from tournament.core.acts.rights import RIGHTS
from tournament.core.enums import Role, SheetState
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.core.numberformat import first_numbers_text
from tournament.core.permissions import is_act_allowed
from tournament.finalists.domain.release_places import reserves_not_yet_mailed
from tournament.mail.domain.unreached import numbers_with_returned_mail
from tournament.operations.queries.overview import StageFigures
from tournament.operations.services import retention, retention_mails
from tournament.operations.services.erasure import open_erasure
from tournament.operations.views.navigation import navigation_url
from tournament.operations.views.overview_strip import FinalStrip
from tournament.operations.views.overview_weather import todays_weather
from tournament.publication.services.notices_files import find_unpublished_notices
from tournament.publication.services.outdated import outdated_releases
from tournament.publication.services.public_pages import numbers_to_mask
from tournament.stages.domain.qualification import live_qualification
from tournament.tables.models import Table

# What waits for these acts tells that some are level.
ACTS_NEEDING_RANKS = frozenset({"decide_tie", "see_standings"})


@dataclass(frozen=True, slots=True)
class WaitingTask:
    """What waits for a person: a sentence, the act it needs, where it is done and what the link says."""

    sentence: str
    act: str
    url_name: str
    link: str
    args: tuple[Any, ...] = ()

    def shown_to(self, event: Event, roles: frozenset[str]) -> dict[str, Any]:
        """With the link for those who may; for the others, who does it."""
        may = is_act_allowed(roles, self.act)
        return {
            "sentence": self.sentence,
            "link": self.link,
            "address": navigation_url(self.url_name, event.slug, *self.args) if may else "",
            "who": "" if may else "·".join(str(role.label) for role in Role if role in RIGHTS[self.act]),
        }


def waiting_lines(event: Event, roles: frozenset[str], waiting: Iterable[WaitingTask]) -> list[dict[str, Any]]:
    """The lines for an account; that places are tied is told to those who may see ranks."""
    sees_ranks = is_act_allowed(roles, "see_standings")
    return [one.shown_to(event, roles) for one in waiting if sees_ranks or one.act not in ACTS_NEEDING_RANKS]


def undecided_tie(stage: Stage | None, figures: StageFigures) -> int:
    """How many are tied across the line with no decision, once every sheet is in; until then the line may move."""
    if stage is None or not figures.sheets_are_in:
        return 0
    cut = live_qualification(stage)
    return 0 if cut.decision else len(cut.tie)


def iter_waiting_tasks(
    event: Event, figures: StageFigures, tied: int, final: FinalStrip | None, *, first: str
) -> Iterator[WaitingTask]:
    """Everything that waits, in the order of the days; before all else a disk that fills up, whom the public may not
    read any more, and whom a table calls. `first`: the name of the event's first stage."""
    yield from waits_for_room()
    yield from waits_for_new_release(event, figures, final)
    if final:
        yield from waits_for_masks(event)
    yield from waits_for_public_notices(event)
    yield from waits_for_telephone(event)
    yield from waits_for_judge(figures)
    yield from waits_for_second_person(event)
    if figures.today or (final and final.of.figures.today):
        yield from waits_for_weather_decision(event)
    yield from waits_for_entrants(figures)
    yield from waits_for_weather(figures)
    yield from waits_for_seats(figures)
    yield from waits_for_sheets(figures)
    yield from waits_for_unplayed(figures)
    yield from waits_for_decision(tied, first)
    if not tied and not figures.unplayed:
        yield from waits_for_release(event, figures)
    yield from waits_for_final(event, figures, final)
    yield from waits_for_erasure(event)


def waits_for_room() -> Iterator[WaitingTask]:
    """The server's disk has little room left."""
    if storage.is_storage_low():
        sentence = _(
            "Only %(percent)d %% of the server's disk is free. Before it is full nothing is recorded any more: "
            "make room, and take old backups away."
        )
        yield WaitingTask(
            sentence % {"percent": storage.free_disk_percent()}, "make_backup", "backup", _("To the backups")
        )


def waits_for_new_release(event: Event, figures: StageFigures, final: FinalStrip | None) -> Iterator[WaitingTask]:
    """What stands in public is not what counts any more; told to those who may see ranks."""
    released = figures.released or (final and final.of.figures.released)
    for found in outdated_releases(event) if released else ():
        parts = {
            _("the podium"): found.podium,
            _("the award"): found.award,
            _("who is above the line"): found.line,
        }
        what = _(", ").join(words for words, differs in parts.items() if differs) or _("results, names or words")
        sentence = _("What counts now is not what release %(n)d says: %(what)s.")
        said = sentence % {"n": found.release.number, "what": what}
        yield WaitingTask(said, "see_standings", "releases", _("To the release"))


def waits_for_masks(event: Event) -> Iterator[WaitingTask]:
    """A consent that was withdrawn while the public files could not be written."""
    if numbers := numbers_to_mask(event):
        sentence = _(
            "Entrant %(numbers)s withdrew the consent to be named in full, but the public files still have the name. "
            "Make room on the disk and write them again."
        ) % {"numbers": _(", ").join(f"{number:04d}" for number in numbers)}
        yield WaitingTask(sentence, "release", "releases", _("To the release"))


def waits_for_public_notices(event: Event) -> Iterator[WaitingTask]:
    """What was published and the public pages do not show, since their files could not be written."""
    if behind := find_unpublished_notices(event):
        said = _(
            "Notice %(numbers)s is published, but the public pages do not show it: its files could not be written."
        )
        banner = _("The public pages do not have the banner of now: its file could not be written.")
        numbers = _(", ").join(str(number) for number in behind.numbers)
        sentence = said % {"numbers": numbers} if numbers else banner
        yield WaitingTask(sentence, "publish_notice", "notices", _("To the notices"))


def waits_for_telephone(event: Event) -> Iterator[WaitingTask]:
    """A word that is in force came back from their address."""
    if n := len(numbers_with_returned_mail(event)):
        sentence = ngettext(
            "Mail to %(n)d entrant came back: telephone.", "Mail to %(n)d entrants came back: telephone.", n
        )
        yield WaitingTask(sentence % {"n": n}, "send_mailing", "telephone_list", _("To the list to telephone"))


def waits_for_judge(figures: StageFigures) -> Iterator[WaitingTask]:
    """A table where nobody plays on until the chief judge has come; what tables and tablets brought to the desk."""
    if figures.calls:
        sentence = ngettext(
            "%(n)d table calls the chief judge.", "%(n)d calls for the chief judge wait.", figures.calls
        )
        yield WaitingTask(sentence % {"n": figures.calls}, "answer_call", "judge_queue", _("To the queue"))
    if figures.marks:
        sentence = ngettext(
            "%(n)d note of a table is still to be recorded.",
            "%(n)d notes of tables are still to be recorded.",
            figures.marks,
        )
        yield WaitingTask(sentence % {"n": figures.marks}, "settle_marks", "judge_queue", _("To the queue"))
    if figures.held:
        sentence = ngettext(
            "%(n)d item that a tablet brought waits to be settled.",
            "%(n)d items that tablets brought wait to be settled.",
            figures.held,
        )
        yield WaitingTask(sentence % {"n": figures.held}, "settle_held", "held_items", _("To what tablets brought"))


def waits_for_second_person(event: Event) -> Iterator[WaitingTask]:
    """What one person has proposed and another has not answered; about equals, for those who may see ranks."""
    acts = list(open_proposals(event).values_list("act", flat=True))
    equals = sum(act in ABOUT_EQUALS for act in acts)
    if count := len(acts) - equals:
        sentence = ngettext("%(n)d act waits for a second person.", "%(n)d acts wait for a second person.", count)
        yield WaitingTask(sentence % {"n": count}, "see_proposals", "proposals", _("To the proposals"))
    if equals:
        sentence = ngettext(
            "%(n)d decision between equals waits for a second person.",
            "%(n)d decisions between equals wait for a second person.",
            equals,
        )
        yield WaitingTask(sentence % {"n": equals}, "see_standings", "proposals", _("To the proposals"))


def waits_for_weather_decision(event: Event) -> Iterator[WaitingTask]:
    """On a day of play: that somebody looks, confirms, decides anew or holds back."""
    for sentence in todays_weather(event):
        yield WaitingTask(sentence, "decide_weather", "weather", _("To the weather decision"))


def waits_for_entrants(figures: StageFigures) -> Iterator[WaitingTask]:
    """Nobody is entered, or a file was read and not imported."""
    file = figures.waiting_file
    if file and file.imported_at is None:
        sentence = _('"%(name)s" is read but not imported.') % {"name": file.name}
        yield WaitingTask(sentence, "import_entrants", "import_preview", _("To the preview"), (file.pk,))
    elif not figures.entrants:
        yield WaitingTask(_("Nobody is entered yet."), "import_entrants", "import_entrants", _("Import entrants"))


def waits_for_weather(figures: StageFigures) -> Iterator[WaitingTask]:
    """Sessions that wait for new times, and those that are held back or broken off."""
    for n, sentence in (
        (
            figures.suspended,
            ngettext("%(n)d session is suspended.", "%(n)d sessions are suspended.", figures.suspended),
        ),
        (
            figures.postponed,
            ngettext(
                "%(n)d postponed session has no new time.",
                "%(n)d postponed sessions have no new time.",
                figures.postponed,
            ),
        ),
    ):
        if n:
            yield WaitingTask(sentence % {"n": n}, "decide_weather", "postponed", _("To the postponed sessions"))


def waits_for_seats(figures: StageFigures) -> Iterator[WaitingTask]:
    """Sessions without a draw, and draws that nobody has confirmed."""
    undrawn, unconfirmed = figures.sessions - figures.drawn, figures.drawn - figures.confirmed
    if figures.entrants and undrawn:
        sentence = ngettext("%(n)d session has no seats drawn.", "%(n)d sessions have no seats drawn.", undrawn)
        yield WaitingTask(sentence % {"n": undrawn}, "draw_seats", "seating", _("Draw seats"))
    if unconfirmed:
        sentence = ngettext("%(n)d draw is not confirmed.", "%(n)d draws are not confirmed.", unconfirmed)
        yield WaitingTask(sentence % {"n": unconfirmed}, "draw_seats", "seating", _("Confirm seats"))


def waits_for_sheets(figures: StageFigures) -> Iterator[WaitingTask]:
    """Disputes, second typings, sheets to be checked by a second account, corrections, and sheets without a stamp.

    Each leads to the place of the first that waits.
    """
    again, ready = len(figures.to_type_again), figures.sheets.get(SheetState.READY, 0)
    if figures.disputes:
        n = len(figures.disputes)
        sentence = ngettext("%(n)d scoresheet is disputed.", "%(n)d scoresheets are disputed.", n)
        act, link = "decide_dispute", _("To the dispute")
        yield WaitingTask(sentence % {"n": n}, act, "dispute", link, session_and_table_numbers(figures.disputes[0]))
    if again:
        sentence = ngettext(
            "%(n)d scoresheet is to be typed a second time.", "%(n)d scoresheets are to be typed a second time.", again
        )
        board = (figures.to_type_again[0].session.number,)
        yield WaitingTask(sentence % {"n": again}, "type_scoresheet", "session_scoresheets", _("Type it again"), board)
    if ready - again > 0:
        n = ready - again
        sentence = ngettext(
            "%(n)d scoresheet waits for a second person.", "%(n)d scoresheets wait for a second person.", n
        )
        yield WaitingTask(sentence % {"n": n}, "certify_scoresheet", "scoresheets", _("Check scoresheets"))
    if figures.corrections:
        n = len(figures.corrections)
        sentence = ngettext("%(n)d correction is in hand.", "%(n)d corrections are in hand.", n)
        first = session_and_table_numbers(figures.corrections[0])
        yield WaitingTask(sentence % {"n": n}, "correct_scoresheet", "correction", _("To the correction"), first)
    if figures.unstamped:
        sentence = ngettext(
            "%(n)d certified scoresheet has no stamp.", "%(n)d certified scoresheets have no stamp.", figures.unstamped
        )
        yield WaitingTask(sentence % {"n": figures.unstamped}, "stamp", "scoresheets", _("Stamp scoresheets"))


def session_and_table_numbers(table: Table) -> tuple[int, int]:
    """The numbers of session and table, as an address has them."""
    return table.session.number, table.number


def waits_for_unplayed(figures: StageFigures) -> Iterator[WaitingTask]:
    """No sheet is waited for, and somebody who takes part has no result."""
    numbers = figures.unplayed
    if numbers:
        sentence = ngettext(
            "%(n)d entrant takes part and has no result: %(numbers)s.",
            "%(n)d entrants take part and have no result: %(numbers)s.",
            len(numbers),
        )
        facts = {"n": len(numbers), "numbers": first_numbers_text(numbers)}
        yield WaitingTask(sentence % facts, "record_absence", "entrant", _("To the first entry"), (numbers[0],))


def waits_for_decision(tied: int, kind: str) -> Iterator[WaitingTask]:
    """A full tie across the line, which nobody but the chief judge may break (R37)."""
    if tied:
        sentence = _("%(n)d entrants are fully tied across the line.") % {"n": tied}
        yield WaitingTask(sentence, "decide_tie", "qualification", _("Decide the tie"), (kind,))


def waits_for_release(event: Event, figures: StageFigures) -> Iterator[WaitingTask]:
    """All is official, the hour has come and nothing stands in public."""
    if figures.is_official and not figures.released and timezone.now() >= event.results_at:
        sentence = _("All scoresheets are official; nothing is released.")
        yield WaitingTask(sentence, "release", "releases", _("To the release"))


def waits_for_final(event: Event, figures: StageFigures, final: FinalStrip | None) -> Iterator[WaitingTask]:
    """What the final waits for, once the ranking that leads to it is released; `figures` are the preliminary's."""
    if final is None:
        if figures.released and not figures.ends:
            yield WaitingTask(_("No final is set up."), "set_up_event", "change_final", _("Set up the final"))
        return
    yield from waits_for_weather(final.of.figures)
    yield from waits_for_finalists(final)
    yield from waits_for_rounds(final)
    yield from waits_for_sheets(final.of.figures)
    if final.contests:
        sentence = ngettext(
            "%(n)d place of the podium or the award is contested by equals.",
            "%(n)d places of the podium and the award are contested by equals.",
            final.contests,
        )
        yield WaitingTask(
            sentence % {"n": final.contests}, "decide_tie", "podium", _("Decide it"), (final.of.stage.kind,)
        )
    elif final.podium:
        yield from waits_for_final_release(event, final)


def waits_for_finalists(final: FinalStrip) -> Iterator[WaitingTask]:
    """Called reserves whose mail no server took; the list that is not fixed though nobody may answer any more."""
    yield from waits_for_called_reserves(final)
    until = final.of.stage.frozen_at is None and final.places.release and final.places.release.stage.answers_until
    if until and timezone.now() >= until:
        sentence = _("The last moment for answers has passed; the list of finalists is not fixed.")
        yield WaitingTask(sentence, "record_answer", "finalists", _("To the finalists"), (final.of.stage.kind,))


def waits_for_called_reserves(final: FinalStrip) -> Iterator[WaitingTask]:
    """While the list is open: no mail goes to a reserve by itself, whoever's place it is that has become free."""
    if final.of.stage.frozen_at is not None or final.places.release is None:
        return
    if numbers := reserves_not_yet_mailed(final.places.release.stage, final.places):
        sentence = ngettext(
            "%(n)d reserve was called: no mail with the link was taken, and no answer is recorded: %(numbers)s.",
            "%(n)d reserves were called: no mail with the link was taken, and no answer is recorded: %(numbers)s.",
            len(numbers),
        )
        facts = {"n": len(numbers), "numbers": first_numbers_text(numbers)}
        yield WaitingTask(sentence % facts, "invite_finalists", "finalists", _("Tell them"), (final.of.stage.kind,))


def waits_for_rounds(final: FinalStrip) -> Iterator[WaitingTask]:
    """The date, and the next round's seats, of a list that is fixed."""
    if final.of.stage.frozen_at is None:
        return
    if not final.of.dated:
        sentence = _("The list of finalists is fixed; the date of the final is to be announced.")
        yield WaitingTask(sentence, "set_up_event", "change_final", _("Give the date"))
    for place, one in enumerate(final.of.rounds, start=1):
        if one == final.of.next_to_draw:
            sentence = _("Round %(n)d of the final has no seats drawn.") if final.of.stage.rounds > 1 else ""
            sentence = sentence or _("The final has no seats drawn.")
            yield WaitingTask(sentence % {"n": place}, "draw_seats", "session_seating", _("Draw seats"), (one.number,))
        elif one.is_drawn and not one.is_confirmed:
            sentence = _("The draw of session %(number)d of the final is not confirmed.") % {"number": one.number}
            yield WaitingTask(sentence, "draw_seats", "session_seating", _("Confirm seats"), (one.number,))


def waits_for_final_release(event: Event, final: FinalStrip) -> Iterator[WaitingTask]:
    """The final is decided and official, and nothing of it stands in public."""
    figures = final.of.figures
    if not figures.unstamped and not figures.released and timezone.now() >= event.results_at:
        yield WaitingTask(
            _("The final is official; nothing of it is released."), "release", "releases", _("To the release")
        )


def waits_for_erasure(event: Event) -> Iterator[WaitingTask]:
    """Personal data whose day is near or over: what will happen, and by whom."""
    if open_erasure(event):
        sentence = _("An erasure of personal data broke off. Erase again: it goes on where it stopped.")
    elif event.retention_on is None or not retention.is_reminder_due(event):
        return
    else:
        sentence = retention.retention_sentence(event, timezone.localdate())
        if not retention_mails.organiser_mail_addresses(event):
            nobody = _("Nobody is reminded by mail: the organisers have no address, and mail has none to answer to.")
            sentence = f"{sentence} {nobody}"
    yield WaitingTask(sentence, "erase_personal_data", "privacy", _("To the personal data"))
