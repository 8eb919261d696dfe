"""The door list on paper: everybody of a session by name or by table, in both languages, to tick where no screen is."""

from collections.abc import Iterator
from typing import NamedTuple

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django.views.decorators.http import require_safe

from tournament.accounts.services.personal_exports import record_export
from tournament.arrivals.domain import ExpectedEntrant, by_place, read_arrivals_board
from tournament.core.names import fold_name
from tournament.core.permissions import EventRequest, for_act
from tournament.events.views import seating_session_or_404

PAPER_LANGUAGES = ("zh-hant", "en")
DOOR_LIST_HEADS = (_("Here"), _("Time"), _("Name"), _("Number"), _("Table"), _("Seat"), _("Family"), _("Ask for"))
AGE_PROOF, CONSENT, FEE = _("age proof"), _("consent"), _("fee")


class DoorLine(NamedTuple):
    """One line of the list; `asks` in both languages."""

    one: ExpectedEntrant
    asks: str


@require_safe
@for_act("check_in")
def door_list(request: EventRequest, session: int) -> HttpResponse:
    """To print; by name, or `by=table`. The log has that it was opened."""
    found = seating_session_or_404(request, session)
    board = read_arrivals_board(found)
    by_table = request.GET.get("by") == "table"
    people = sorted(board.people, key=by_place) if by_table else sorted(board.people, key=by_name)
    record_export(request.event, request.user, "door list", people=len(people), among=found.code)
    shown = {
        "stage": "arrivals",
        "session": found,
        "board": board,
        "by_table": by_table,
        "heads": [in_both_languages(head) for head in DOOR_LIST_HEADS],
        "title": in_both_languages(_("Door list")),
        "lines": [DoorLine(one, " · ".join(map(in_both_languages, asked_of(one)))) for one in people],
    }
    return render(request, "arrivals/door_list.html", shown)


def by_name(one: ExpectedEntrant) -> tuple[str, int]:
    """By the English name, which has one order for everybody; the number where two are alike."""
    return fold_name(one.entrant.person.name_en), one.entrant.number


def asked_of(one: ExpectedEntrant) -> Iterator[str]:
    """What is to be asked for at the door, as msgids."""
    if one.lacks_age_proof:
        yield AGE_PROOF
    if one.lacks_consent:
        yield CONSENT
    if one.lacks_fee:
        yield FEE


def in_both_languages(sentence: str) -> str:
    """A word in Chinese and in English; once where they are the same."""
    said = []
    for language in PAPER_LANGUAGES:
        with translation.override(language):
            said.append(gettext(sentence))
    return " ".join(dict.fromkeys(said))


urlpatterns = [path("arrivals/<int:session>/list/", door_list, name="door_list")]
