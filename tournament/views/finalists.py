"""From the cut to the seats: who holds a place of the final, links and answers, and the list fixed for seating."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from scoring.places import CALLED
from tournament.bridge.release_places import LivePlaces, live_places, untold_reserves
from tournament.enums import Answer
from tournament.errors import Refused
from tournament.form_keys import keyed_by_service
from tournament.forms.invitations import ExchangeForm, FreezeForm, ReasonForm, ThawForm
from tournament.models import Entrant, Finalist, Invitation, PlaceAnswer, Stage
from tournament.permissions import allowed, for_act
from tournament.queries import invitations as queries
from tournament.queries.finalists import final_of
from tournament.queries.mailings_shown import about_places
from tournament.queries.standings import EntrantRow
from tournament.services import finalists as services
from tournament.services import invitations as links
from tournament.services.requests import once
from tournament.services.scoresheets import checked_key
from tournament.views.mailings_about import before, reached
from tournament.views.registration import sees_contacts
from tournament.views.release_places import preliminary_of

NEXT_SHOWN = 10
# Two forms of the page ask for a reason.
THAWING, EXCHANGING = "thaw_%s", "exchange_%s"


@dataclass(frozen=True, slots=True)
class Row:
    """One who holds a place, or stands on the fixed list: rank as released, the newest answer, the link in force.

    `listed`: on the fixed list; `holds`: holds a place by the newest release and answers."""

    entrant: EntrantRow
    rank: int
    tied: bool
    called: bool
    answer: PlaceAnswer | None
    link: Invitation | None
    url: str
    listed: bool
    holds: bool

    @property
    def seen(self) -> int:
        """What a form says of the link that its maker saw."""
        return self.link.pk if self.link else 0


@require_safe
@for_act("see_release")
def finalists(request: HttpRequest) -> HttpResponse:
    """Everyone who holds a place, and the list once it is fixed."""
    return page(request)


@require_POST
@for_act("invite_finalists")
def make_links(request: HttpRequest) -> HttpResponse:
    """A link for everyone who holds a place and has none."""
    return done(request, lambda: said_of_links(len(links.make_links(preliminary_of(request), by=request.user))))


@require_POST
@for_act("invite_finalists")
def replace_link(request: HttpRequest, number: int) -> HttpResponse:
    """A new link for one entrant; the one before counts no more."""
    given = reason_of(request, number)

    def act() -> str:
        links.replace_link(preliminary_of(request), number=number, by=request.user, **given)
        return _("There is a new link for %(number)s; an older one counts no more.") % {"number": f"{number:04d}"}

    return done(request, act, number)


@require_POST
@for_act("invite_finalists")
def revoke_link(request: HttpRequest, number: int) -> HttpResponse:
    """The link of one entrant counts no more."""
    given = reason_of(request, number)

    def act() -> str:
        links.revoke_link(preliminary_of(request), number=number, by=request.user, reason=given["reason"])
        return _("The link of %(number)s counts no more.") % {"number": f"{number:04d}"}

    return done(request, act, number)


@require_POST
@for_act("freeze_finalists")
def freeze(request: HttpRequest) -> HttpResponse:
    """Fix the list."""
    form = FreezeForm(request.POST)
    given = form.cleaned_data if form.is_valid() else {"seen": ""}

    def act() -> str:
        services.freeze(final_or_refused(request), by=request.user, **given)
        return _("The list of finalists is fixed.")

    return done(request, act, freezing=form)


@require_POST
@for_act("freeze_finalists")
def thaw(request: HttpRequest) -> HttpResponse:
    """Open the list again."""
    form = ThawForm(request.POST, auto_id=THAWING)
    given = form.cleaned_data if form.is_valid() else {"reason": "", "seen": ""}

    def act() -> str:
        services.thaw(final_or_refused(request), by=request.user, **given)
        return _("The list of finalists is open again.")

    return done(request, act, thawing=form)


@require_POST
@for_act("freeze_finalists")
@keyed_by_service
def exchange(request: HttpRequest) -> HttpResponse:
    """A finalist gives the place up, the next reserve takes it, or both."""
    form = ExchangeForm(request.POST, auto_id=EXCHANGING)
    given = form.cleaned_data if form.is_valid() else {"reason": "", "seen": ""}

    def act() -> str:
        final = final_or_refused(request)
        once(
            f"user:{request.user.pk}",
            checked_key(request.POST.get("request_key", "")),
            "exchange_finalist",
            [final.pk, given],
            lambda: {"final": services.exchange(final, by=request.user, **given).pk},
        )
        return _("The list of finalists is changed.")

    return done(request, act, exchanging=form)


def reason_of(request: HttpRequest, number: int) -> dict[str, Any]:
    """Reason and the link seen, of an entrant of this event."""
    get_object_or_404(request.event.entrants.all(), number=number)
    form = ReasonForm(request.POST)
    given = form.cleaned_data if form.is_valid() else {}
    return {"reason": given.get("reason", ""), "seen": given.get("seen") or 0}


def said_of_links(count: int) -> str:
    """What making links did."""
    if not count:
        return _("Everyone who holds a place has a link already.")
    return ngettext("%(n)s link is made.", "%(n)s links are made.", count) % {"n": count}


def final_or_refused(request: HttpRequest) -> Stage:
    """The final; refused in words where none is set up."""
    final = final_of(request.event)
    if final is None:
        raise Refused("no_final", _("There is no final yet. Set it up first."))
    return final


def done(request: HttpRequest, act: Callable[[], str], number: int = 0, **forms: Any) -> HttpResponse:
    """Do it and go back to the page; a refusal is said there and keeps what was typed."""
    try:
        messages.success(request, act())
    except Refused as refused:
        return page(request, refused=refused, number=number, status=refused.status, **forms)
    anchor = f"#n{number:04d}" if number else ""
    return redirect(f"{reverse('finalists', args=[request.event.slug])}{anchor}")


def page(
    request: HttpRequest, *, refused: Refused | None = None, number: int = 0, status: int = 200, **forms: Any
) -> HttpResponse:
    """The page, with what was refused and the form that it was refused of."""
    stage, final = preliminary_of(request), final_of(request.event)
    live, listed = live_places(stage), queries.frozen_list(final)
    inviting = allowed(request.roles, "invite_finalists")
    rows, mailed = rows_of(request, stage, live, listed, inviting), about_places(request.event)
    context = {
        "stage": "finalists" if final else "release",
        "final": final,
        "frozen": final is not None and final.frozen_at is not None,
        "live": live,
        "rows": rows,
        "counts": counts_of(rows),
        "until": stage.answers_until,
        "closed": stage.answers_until is not None and timezone.now() >= stage.answers_until,
        "inviting": inviting,
        "freezing": allowed(request.roles, "freeze_finalists"),
        "refused": refused,
        "refused_number": number,
        "mailed": before(request, mailed),
        "reached": reached(request, mailed[:1]),
        "may_write": allowed(request.roles, "publish_notice"),
        "untold": untold(request, stage, live) if not listed else [],
        "contacts": sees_contacts(request),
        "may_answer": allowed(request.roles, "record_answer"),
        **reserves_of(live, listed),
        **forms_of(live, list(listed), **forms),
    }
    return render(request, "finalists/finalists.html", context, status=status)


def forms_of(
    live: LivePlaces,
    listed: list[int],
    *,
    freezing: FreezeForm | None = None,
    thawing: ThawForm | None = None,
    exchanging: ExchangeForm | None = None,
) -> dict[str, Any]:
    """The forms at the side; one that was refused as it was sent, its `seen` what is shown now."""
    seen = services.seen_of(live, listed)
    if freezing is not None:
        freezing = FreezeForm({**freezing.data.dict(), "seen": seen})
    if thawing is not None:
        thawing = ThawForm({**thawing.data.dict(), "seen": seen}, auto_id=THAWING)
    if exchanging is not None:
        exchanging = ExchangeForm({**exchanging.data.dict(), "seen": seen}, auto_id=EXCHANGING)
    return {
        "freeze_form": freezing or FreezeForm(initial={"seen": seen}),
        "thaw_form": thawing or ThawForm(initial={"seen": seen}, auto_id=THAWING),
        "thaw_open": thawing is not None,
        "exchange_form": exchanging or ExchangeForm(initial={"seen": seen}, auto_id=EXCHANGING),
    }


def rows_of(
    request: HttpRequest, stage: Stage, live: LivePlaces, listed: Mapping[int, Finalist], inviting: bool
) -> list[Row]:
    """Holders in their order; once the list is fixed, who is on it."""
    lines = {line["number"]: line for line in live.release.content["ranking"]} if live.release else {}
    called = {holder.id: holder.by == CALLED for holder in live.places.holders}
    made = queries.links_in_force(stage)
    ids = {row.number: id for id, row in live.entrants.items()}

    def row(id: str) -> Row:
        entrant = live.entrants[id]
        line, link = lines.get(entrant.number), made.get(entrant.number)
        return Row(
            entrant=entrant,
            rank=line["rank"] if line else listed[entrant.number].rank,
            tied=bool(line and line["tied"]),
            called=called.get(id, False),
            answer=live.answers.get(id),
            link=link,
            url=address_of(request, link) if link and inviting else "",
            listed=entrant.number in listed,
            holds=id in called,
        )

    return [row(ids[number]) for number in listed] if listed else [row(id) for id in called]


def untold(request: HttpRequest, stage: Stage, live: LivePlaces) -> list[Entrant]:
    """The reserves who were called and not told, in their order; their telephones are for those who see them."""
    numbers = untold_reserves(stage, live)
    rows = request.event.entrants.filter(number__in=numbers).select_related("person") if numbers else []
    return sorted(rows, key=lambda one: numbers.index(one.number))


def counts_of(rows: list[Row]) -> dict[str, int]:
    """How many have accepted, are waited for, have a link, stand on the list."""
    return {
        "accepted": sum(one.answer is not None and one.answer.answer == Answer.ACCEPTED for one in rows if one.holds),
        "waiting": sum(one.answer is None for one in rows if one.holds),
        "linked": sum(one.link is not None for one in rows if one.holds),
        "unlinked": sum(one.link is None for one in rows if one.holds),
        "holding": sum(one.holds for one in rows),
        "listed": sum(one.listed for one in rows),
        "off": sum(not one.holds for one in rows),
    }


def reserves_of(live: LivePlaces, listed: Mapping[int, Finalist]) -> dict[str, Any]:
    """Who is called next, in the true order; once the list is fixed, also who holds a place without being on it."""
    lines = {line["number"]: line for line in live.release.content["ranking"]} if live.release else {}
    called = [one.id for one in live.places.holders if live.entrants[one.id].number not in listed] if listed else []
    waiting = [live.entrants[id] for id in (*called, *live.places.waiting)]
    told = [{"entrant": row, "rank": lines[row.number]["rank"], "tied": lines[row.number]["tied"]} for row in waiting]
    next_id = services.called_next(live, list(listed))
    return {"next": told[:NEXT_SHOWN], "later": told[NEXT_SHOWN:], "next_one": live.entrants.get(next_id or "")}


def address_of(request: HttpRequest, link: Invitation) -> str:
    """Where the link leads, as a phone outside reaches it."""
    page = reverse("place", args=[links.token_of(link)])
    return settings.SITE_URL + page if settings.SITE_URL else request.build_absolute_uri(page)


urlpatterns = [
    path("final/finalists/", finalists, name="finalists"),
    path("final/finalists/links/", make_links, name="make_links"),
    path("final/finalists/freeze/", freeze, name="freeze_finalists"),
    path("final/finalists/thaw/", thaw, name="thaw_finalists"),
    path("final/finalists/exchange/", exchange, name="exchange_finalist"),
    path("final/finalists/<int:number>/link/", replace_link, name="replace_link"),
    path("final/finalists/<int:number>/link/revoke/", revoke_link, name="revoke_link"),
]
