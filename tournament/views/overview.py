"""An event at a glance: its stages in the order of the day, and what waits for a person."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from tournament.bridge.qualification import live_cut
from tournament.enums import Role, SheetState
from tournament.models import Event, Stage, Table
from tournament.permissions import ACTS, READERS, allowed, for_act
from tournament.queries.overview import Figures, figures_of, preliminary, tables_of_referee
from tournament.views.navigation import address_of


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


def undecided_tie(stage: Stage | None, figures: Figures) -> int:
    """How many are tied across the line with no decision, once every sheet is in; until then the line may move."""
    if stage is None or not figures.all_locked:
        return 0
    cut = live_cut(stage)
    return 0 if cut.decision else len(cut.tie)


def what_waits(event: Event, figures: Figures, tied: int) -> Iterator[Waiting]:
    """Everything that waits, in the order of the day; before all else, whom a table calls."""
    yield from waits_for_judge(figures)
    yield from waits_for_entrants(figures)
    yield from waits_for_seats(figures)
    yield from waits_for_sheets(figures)
    yield from waits_for_decision(tied)
    if not tied:
        yield from waits_for_release(event, figures)


def waits_for_judge(figures: Figures) -> Iterator[Waiting]:
    """A table where nobody plays on until the chief judge has come."""
    if figures.calls:
        sentence = ngettext(
            "%(n)d table calls the chief judge.", "%(n)d calls for the chief judge wait.", figures.calls
        )
        yield Waiting(sentence % {"n": figures.calls}, "answer_call", "judge_queue", _("To the queue"))


def waits_for_entrants(figures: Figures) -> Iterator[Waiting]:
    """Nobody is entered, or a file was read and not imported."""
    file = figures.waiting_file
    if file and file.imported_at is None:
        sentence = _('"%(name)s" is read but not imported.') % {"name": file.name}
        yield Waiting(sentence, "import_entrants", "import_preview", _("To the preview"), (file.pk,))
    elif not figures.entrants:
        yield Waiting(_("Nobody is entered yet."), "import_entrants", "import_entrants", _("Import entrants"))


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


def waits_for_decision(tied: int) -> Iterator[Waiting]:
    """A full tie across the line, which nobody but the chief judge may break (R37)."""
    if tied:
        sentence = _("%(n)d entrants are fully tied across the line.") % {"n": tied}
        yield Waiting(sentence, "decide_tie", "qualification", _("Decide the tie"))


def waits_for_release(event: Event, figures: Figures) -> Iterator[Waiting]:
    """All is official, the hour has come and nothing stands in public."""
    official = figures.all_locked and not figures.unstamped
    if official and not figures.released and timezone.now() >= event.results_at:
        sentence = _("All scoresheets are official; nothing is released.")
        yield Waiting(sentence, "release", "releases", _("To the release"))


@require_safe
@for_act("see_desk")
def overview(request: HttpRequest) -> HttpResponse:
    """The event's stages with their figures; a referee sees the own tables, and those alone without another role."""
    event, roles = request.event, request.roles
    stage = preliminary(event)
    context: dict[str, Any] = {
        "event": event,
        "now": timezone.now(),
        "may_set_up": allowed(roles, "set_up_event"),
        "may_see_audit": allowed(roles, "see_audit"),
        "may_back_up": allowed(roles, "make_backup"),
    }
    if roles & READERS:
        figures = figures_of(event, stage)
        tied = undecided_tie(stage, figures)
        context["figures"] = figures
        context["tied"] = tied
        context["waiting"] = [waiting.shown_to(event, roles) for waiting in what_waits(event, figures, tied)]
        context["advance"] = stage.advance if stage else None
    if Role.REFEREE in roles:
        context["own_tables"] = tables_of_referee(stage, request.user)
    return render(request, "overview/overview.html", context)


urlpatterns = [
    path("", overview, name="overview"),
]
