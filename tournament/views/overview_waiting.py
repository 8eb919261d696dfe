"""What waits for a person at an event, each with the act it needs and where it is done, in the order of the days."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament import storage
from tournament.bridge.qualification import live_cut
from tournament.bridge.release_places import untold_reserves
from tournament.bridge.unreached import came_back
from tournament.enums import Role, SheetState
from tournament.models import Event, Stage, Table
from tournament.permissions import ACTS, allowed
from tournament.queries.lots import ACTS as ABOUT_EQUALS
from tournament.queries.overview import Figures
from tournament.queries.proposals import open_proposals
from tournament.services import retention, retention_mails
from tournament.services.erasure import open_erasure
from tournament.services.notices_files import unshown
from tournament.services.public_pages import names_to_mask
from tournament.services.release_outdated import outdated_releases
from tournament.views.navigation import address_of
from tournament.views.overview_strip import FinalStrip
from tournament.views.overview_weather import todays_weather

NAMED = 6

# What waits for these acts tells that some are level.
OF_RANKS = frozenset({"decide_tie", "see_standings"})


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits for a person: a sentence, the act it needs, where it is done and what the link says."""

    sentence: str
    act: str
    url_name: str
    link: str
    args: tuple[Any, ...] = ()

    def shown_to(self, event: Event, roles: frozenset[str]) -> dict[str, Any]:
        """With the link for those who may; for the others, who does it."""
        may = allowed(roles, self.act)
        return {
            "sentence": self.sentence,
            "link": self.link,
            "address": address_of(self.url_name, event.slug, *self.args) if may else "",
            "who": "" if may else "·".join(str(role.label) for role in Role if role in ACTS[self.act]),
        }


def lines_for(event: Event, roles: frozenset[str], waiting: Iterable[Waiting]) -> list[dict[str, Any]]:
    """The lines for an account; that places are tied is told to those who may see ranks."""
    sees_ranks = allowed(roles, "see_standings")
    return [one.shown_to(event, roles) for one in waiting if sees_ranks or one.act not in OF_RANKS]


def undecided_tie(stage: Stage | None, figures: Figures) -> int:
    """How many are tied across the line with no decision, once every sheet is in; until then the line may move."""
    if stage is None or not figures.sheets_are_in:
        return 0
    cut = live_cut(stage)
    return 0 if cut.decision else len(cut.tie)


def what_waits(event: Event, figures: Figures, tied: int, final: FinalStrip | None) -> Iterator[Waiting]:
    """Everything that waits, in the order of the days; before all else a disk that fills up, whom the public may not
    read any more, and whom a table calls."""
    yield from waits_for_room()
    yield from waits_for_release_anew(event, figures, final)
    if final:
        yield from waits_for_masks(event)
    yield from waits_for_public_notices(event)
    yield from waits_for_telephone(event)
    yield from waits_for_judge(figures)
    yield from waits_for_second_person(event)
    if figures.today or (final and final.of.figures.today):
        yield from waits_for_the_sky(event)
    yield from waits_for_entrants(figures)
    yield from waits_for_weather(figures)
    yield from waits_for_seats(figures)
    yield from waits_for_sheets(figures)
    yield from waits_for_unplayed(figures)
    yield from waits_for_decision(tied)
    if not tied and not figures.unplayed:
        yield from waits_for_release(event, figures)
    yield from waits_for_final(event, figures, final)
    yield from waits_for_erasure(event)


def waits_for_room() -> Iterator[Waiting]:
    """The server's disk has little room left."""
    if storage.is_low():
        sentence = _(
            "Only %(percent)d %% of the server's disk is free. Before it is full nothing is recorded any more: "
            "make room, and take old backups away."
        )
        yield Waiting(sentence % {"percent": storage.percent_free()}, "make_backup", "backup", _("To the backups"))


def waits_for_release_anew(event: Event, figures: Figures, final: FinalStrip | None) -> Iterator[Waiting]:
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
        yield Waiting(said, "see_standings", "releases", _("To the release"))


def waits_for_masks(event: Event) -> Iterator[Waiting]:
    """A consent that was withdrawn while the public files could not be written."""
    if numbers := names_to_mask(event):
        sentence = _(
            "Entrant %(numbers)s withdrew the consent to be named in full, but the public files still have the name. "
            "Make room on the disk and write them again."
        ) % {"numbers": _(", ").join(f"{number:04d}" for number in numbers)}
        yield Waiting(sentence, "release", "releases", _("To the release"))


def waits_for_public_notices(event: Event) -> Iterator[Waiting]:
    """What was published and the public pages do not show, since their files could not be written."""
    if behind := unshown(event):
        said = _(
            "Notice %(numbers)s is published, but the public pages do not show it: its files could not be written."
        )
        banner = _("The public pages do not have the banner of now: its file could not be written.")
        numbers = _(", ").join(str(number) for number in behind.numbers)
        sentence = said % {"numbers": numbers} if numbers else banner
        yield Waiting(sentence, "publish_notice", "notices", _("To the notices"))


def waits_for_telephone(event: Event) -> Iterator[Waiting]:
    """A word that is in force came back from their address."""
    if n := len(came_back(event)):
        sentence = ngettext(
            "Mail to %(n)d entrant came back: telephone.", "Mail to %(n)d entrants came back: telephone.", n
        )
        yield Waiting(sentence % {"n": n}, "send_mailing", "telephone_list", _("To the list to telephone"))


def waits_for_judge(figures: Figures) -> Iterator[Waiting]:
    """A table where nobody plays on until the chief judge has come; what tables and tablets brought to the desk."""
    if figures.calls:
        sentence = ngettext(
            "%(n)d table calls the chief judge.", "%(n)d calls for the chief judge wait.", figures.calls
        )
        yield Waiting(sentence % {"n": figures.calls}, "answer_call", "judge_queue", _("To the queue"))
    if figures.marks:
        sentence = ngettext(
            "%(n)d note of a table is still to be recorded.",
            "%(n)d notes of tables are still to be recorded.",
            figures.marks,
        )
        yield Waiting(sentence % {"n": figures.marks}, "settle_marks", "judge_queue", _("To the queue"))
    if figures.held:
        sentence = ngettext(
            "%(n)d item that a tablet brought waits to be settled.",
            "%(n)d items that tablets brought wait to be settled.",
            figures.held,
        )
        yield Waiting(sentence % {"n": figures.held}, "settle_held", "held_items", _("To what tablets brought"))


def waits_for_second_person(event: Event) -> Iterator[Waiting]:
    """What one person has proposed and another has not answered; about equals, for those who may see ranks."""
    acts = list(open_proposals(event).values_list("act", flat=True))
    equals = sum(act in ABOUT_EQUALS for act in acts)
    if count := len(acts) - equals:
        sentence = ngettext("%(n)d act waits for a second person.", "%(n)d acts wait for a second person.", count)
        yield Waiting(sentence % {"n": count}, "see_proposals", "proposals", _("To the proposals"))
    if equals:
        sentence = ngettext(
            "%(n)d decision between equals waits for a second person.",
            "%(n)d decisions between equals wait for a second person.",
            equals,
        )
        yield Waiting(sentence % {"n": equals}, "see_standings", "proposals", _("To the proposals"))


def waits_for_the_sky(event: Event) -> Iterator[Waiting]:
    """On a day of play: that somebody looks, confirms, decides anew or holds back."""
    for sentence in todays_weather(event):
        yield Waiting(sentence, "decide_weather", "weather", _("To the weather decision"))


def waits_for_entrants(figures: Figures) -> Iterator[Waiting]:
    """Nobody is entered, or a file was read and not imported."""
    file = figures.waiting_file
    if file and file.imported_at is None:
        sentence = _('"%(name)s" is read but not imported.') % {"name": file.name}
        yield Waiting(sentence, "import_entrants", "import_preview", _("To the preview"), (file.pk,))
    elif not figures.entrants:
        yield Waiting(_("Nobody is entered yet."), "import_entrants", "import_entrants", _("Import entrants"))


def waits_for_weather(figures: Figures) -> Iterator[Waiting]:
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
            yield Waiting(sentence % {"n": n}, "decide_weather", "postponed", _("To the postponed sessions"))


def waits_for_seats(figures: Figures) -> Iterator[Waiting]:
    """Sessions without a draw, and draws that nobody has confirmed."""
    undrawn, unconfirmed = figures.sessions - figures.drawn, figures.drawn - figures.confirmed
    if figures.entrants and undrawn:
        sentence = ngettext("%(n)d session has no seats drawn.", "%(n)d sessions have no seats drawn.", undrawn)
        yield Waiting(sentence % {"n": undrawn}, "draw_seats", "seating", _("Draw seats"))
    if unconfirmed:
        sentence = ngettext("%(n)d draw is not confirmed.", "%(n)d draws are not confirmed.", unconfirmed)
        yield Waiting(sentence % {"n": unconfirmed}, "draw_seats", "seating", _("Confirm seats"))


def waits_for_sheets(figures: Figures) -> Iterator[Waiting]:
    """Disputes, second typings, sheets to be checked by a second account, corrections, and sheets without a stamp.

    Each leads to the place of the first that waits.
    """
    again, ready = len(figures.to_type_again), figures.sheets.get(SheetState.READY, 0)
    if figures.disputes:
        n = len(figures.disputes)
        sentence = ngettext("%(n)d scoresheet is disputed.", "%(n)d scoresheets are disputed.", n)
        act, link = "decide_dispute", _("To the dispute")
        yield Waiting(sentence % {"n": n}, act, "dispute", link, place_of(figures.disputes[0]))
    if again:
        sentence = ngettext(
            "%(n)d scoresheet is to be typed a second time.", "%(n)d scoresheets are to be typed a second time.", again
        )
        board = (figures.to_type_again[0].session.number,)
        yield Waiting(sentence % {"n": again}, "type_scoresheet", "session_scoresheets", _("Type it again"), board)
    if ready - again > 0:
        n = ready - again
        sentence = ngettext(
            "%(n)d scoresheet waits for a second person.", "%(n)d scoresheets wait for a second person.", n
        )
        yield Waiting(sentence % {"n": n}, "certify_scoresheet", "scoresheets", _("Check scoresheets"))
    if figures.corrections:
        n = len(figures.corrections)
        sentence = ngettext("%(n)d correction is in hand.", "%(n)d corrections are in hand.", n)
        first = place_of(figures.corrections[0])
        yield Waiting(sentence % {"n": n}, "correct_scoresheet", "correction", _("To the correction"), first)
    if figures.unstamped:
        sentence = ngettext(
            "%(n)d certified scoresheet has no stamp.", "%(n)d certified scoresheets have no stamp.", figures.unstamped
        )
        yield Waiting(sentence % {"n": figures.unstamped}, "stamp", "scoresheets", _("Stamp scoresheets"))


def place_of(table: Table) -> tuple[int, int]:
    """The numbers of session and table, as an address has them."""
    return table.session.number, table.number


def waits_for_unplayed(figures: Figures) -> Iterator[Waiting]:
    """No sheet is waited for, and somebody who takes part has no result."""
    numbers = figures.unplayed
    if numbers:
        sentence = ngettext(
            "%(n)d entrant takes part and has no result: %(numbers)s.",
            "%(n)d entrants take part and have no result: %(numbers)s.",
            len(numbers),
        )
        facts = {"n": len(numbers), "numbers": listed(numbers)}
        yield Waiting(sentence % facts, "record_absence", "entrant", _("To the first entry"), (numbers[0],))


def waits_for_decision(tied: int) -> Iterator[Waiting]:
    """A full tie across the line, which nobody but the chief judge may break (R37)."""
    if tied:
        sentence = _("%(n)d entrants are fully tied across the line.") % {"n": tied}
        yield Waiting(sentence, "decide_tie", "qualification", _("Decide the tie"))


def waits_for_release(event: Event, figures: Figures) -> Iterator[Waiting]:
    """All is official, the hour has come and nothing stands in public."""
    if figures.is_official and not figures.released and timezone.now() >= event.results_at:
        sentence = _("All scoresheets are official; nothing is released.")
        yield Waiting(sentence, "release", "releases", _("To the release"))


def waits_for_final(event: Event, figures: Figures, final: FinalStrip | None) -> Iterator[Waiting]:
    """What the final waits for, once the ranking that leads to it is released; `figures` are the preliminary's."""
    if final is None:
        if figures.released:
            yield Waiting(_("No final is set up."), "set_up_event", "change_final", _("Set up the final"))
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
        yield Waiting(sentence % {"n": final.contests}, "decide_tie", "podium", _("Decide it"))
    elif final.podium:
        yield from waits_for_final_release(event, final)


def waits_for_finalists(final: FinalStrip) -> Iterator[Waiting]:
    """Called reserves whose mail no server took; the list that is not fixed though nobody may answer any more."""
    yield from waits_for_the_called(final)
    until = final.of.stage.frozen_at is None and final.places.release and final.places.release.stage.answers_until
    if until and timezone.now() >= until:
        sentence = _("The last moment for answers has passed; the list of finalists is not fixed.")
        yield Waiting(sentence, "record_answer", "finalists", _("To the finalists"))


def waits_for_the_called(final: FinalStrip) -> Iterator[Waiting]:
    """While the list is open: no mail goes to a reserve by itself, whoever's place it is that has become free."""
    if final.of.stage.frozen_at is not None or final.places.release is None:
        return
    if numbers := untold_reserves(final.places.release.stage, final.places):
        sentence = ngettext(
            "%(n)d reserve was called: no mail with the link was taken, and no answer is recorded: %(numbers)s.",
            "%(n)d reserves were called: no mail with the link was taken, and no answer is recorded: %(numbers)s.",
            len(numbers),
        )
        facts = {"n": len(numbers), "numbers": listed(numbers)}
        yield Waiting(sentence % facts, "invite_finalists", "finalists", _("Tell them"))


def listed(numbers: list[int]) -> str:
    """The first of them, and that there are more."""
    said = _(", ").join(f"{number:04d}" for number in numbers[:NAMED])
    return said + ("…" if len(numbers) > NAMED else "")


def waits_for_rounds(final: FinalStrip) -> Iterator[Waiting]:
    """The date, and the next round's seats, of a list that is fixed."""
    if final.of.stage.frozen_at is None:
        return
    if not final.of.dated:
        sentence = _("The list of finalists is fixed; the date of the final is to be announced.")
        yield Waiting(sentence, "set_up_event", "change_final", _("Give the date"))
    for place, one in enumerate(final.of.rounds, start=1):
        if one == final.of.next_to_draw:
            sentence = _("Round %(n)d of the final has no seats drawn.") if final.of.stage.rounds > 1 else ""
            sentence = sentence or _("The final has no seats drawn.")
            yield Waiting(sentence % {"n": place}, "draw_seats", "session_seating", _("Draw seats"), (one.number,))
        elif one.is_drawn and not one.is_confirmed:
            sentence = _("The draw of session %(number)d of the final is not confirmed.") % {"number": one.number}
            yield Waiting(sentence, "draw_seats", "session_seating", _("Confirm seats"), (one.number,))


def waits_for_final_release(event: Event, final: FinalStrip) -> Iterator[Waiting]:
    """The final is decided and official, and nothing of it stands in public."""
    figures = final.of.figures
    if not figures.unstamped and not figures.released and timezone.now() >= event.results_at:
        yield Waiting(
            _("The final is official; nothing of it is released."), "release", "releases", _("To the release")
        )


def waits_for_erasure(event: Event) -> Iterator[Waiting]:
    """Personal data whose day is near or over: what will happen, and by whom."""
    if open_erasure(event):
        sentence = _("An erasure of personal data broke off. Erase again: it goes on where it stopped.")
    elif event.retention_on is None or not retention.reminds(event):
        return
    else:
        sentence = retention.sentence(event, timezone.localdate())
        if not retention_mails.addresses_of(event):
            nobody = _("Nobody is reminded by mail: the organisers have no address, and mail has none to answer to.")
            sentence = f"{sentence} {nobody}"
    yield Waiting(sentence, "erase_personal_data", "privacy", _("To the personal data"))
