"""From the cut to the seats: who holds a place of the final, links and answers, and the list fixed for seating."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from scoring.final_places import HELD_AS_RESERVE
from tournament.core.enums import Answer
from tournament.core.errors import Refused
from tournament.core.form_keys import keyed_by_service
from tournament.core.models.stage import Stage
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, sees_contacts
from tournament.core.services.requests import run_once
from tournament.entrants.models.final import Finalist, Invitation
from tournament.entrants.models.people import Entrant
from tournament.finalists import queries
from tournament.finalists.domain.release_places import LivePlaces, live_places, reserves_not_yet_mailed
from tournament.finalists.forms.invitations import FixListForm, LinkReasonForm, ReopenListForm, ReplaceFinalistForm
from tournament.finalists.services import finalists as services
from tournament.finalists.services import invitations as links
from tournament.messages.queries.mailing_counts import mailings_about_places
from tournament.messages.views.mailings_about import mailings_out_of_force, mailings_that_would_end
from tournament.ranking.queries.standings import EntrantRow
from tournament.releases.models import PlaceAnswer
from tournament.sheets.services.scoresheets import checked_key

NEXT_RESERVES_SHOWN = 10
# Two forms of the page ask for a reason.
THAW_FORM_ID, EXCHANGE_FORM_ID = "thaw_%s", "exchange_%s"


@dataclass(frozen=True, slots=True)
class FinalistRow:
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
def finalist_list_page(request: EventRequest) -> HttpResponse:
    """Everyone who holds a place, and the list once it is fixed."""
    return render_finalists(request)


@require_POST
@for_act("invite_finalists")
def make_links_view(request: EventRequest) -> HttpResponse:
    """A link for everyone who holds a place and has none."""
    return run_finalists_act(
        request, lambda: links_made_message(len(links.make_place_links(leading_to(request), by=request.user)))
    )


@require_POST
@for_act("invite_finalists")
def replace_link_view(request: EventRequest, number: int) -> HttpResponse:
    """A new link for one entrant; the one before counts no more."""
    given = link_reason_and_seen(request, number)

    def act() -> str:
        links.replace_place_link(leading_to(request), number=number, by=request.user, **given)
        return _("There is a new link for %(number)s; an older one counts no more.") % {"number": f"{number:04d}"}

    return run_finalists_act(request, act, number)


@require_POST
@for_act("invite_finalists")
def revoke_link_view(request: EventRequest, number: int) -> HttpResponse:
    """The link of one entrant counts no more."""
    given = link_reason_and_seen(request, number)

    def act() -> str:
        links.revoke_place_link(leading_to(request), number=number, by=request.user, reason=given["reason"])
        return _("The link of %(number)s counts no more.") % {"number": f"{number:04d}"}

    return run_finalists_act(request, act, number)


@require_POST
@for_act("freeze_finalists")
def freeze_finalists_view(request: EventRequest) -> HttpResponse:
    form = FixListForm(request.POST)
    given = form.cleaned_data if form.is_valid() else {"seen": ""}

    def act() -> str:
        services.freeze_finalists(final_or_refused(request), by=request.user, **given)
        return _("The list of finalists is fixed.")

    return run_finalists_act(request, act, freezing=form)


@require_POST
@for_act("freeze_finalists")
def thaw_finalists_view(request: EventRequest) -> HttpResponse:
    form = ReopenListForm(request.POST, auto_id=THAW_FORM_ID)
    given = form.cleaned_data if form.is_valid() else {"reason": "", "seen": ""}

    def act() -> str:
        services.thaw_finalists(final_or_refused(request), by=request.user, **given)
        return _("The list of finalists is open again.")

    return run_finalists_act(request, act, thawing=form)


@require_POST
@for_act("freeze_finalists")
@keyed_by_service
def exchange_finalist_view(request: EventRequest) -> HttpResponse:
    """A finalist gives the place up, the next reserve takes it, or both."""
    form = ReplaceFinalistForm(request.POST, auto_id=EXCHANGE_FORM_ID)
    given = form.cleaned_data if form.is_valid() else {"reason": "", "seen": ""}

    def act() -> str:
        final = final_or_refused(request)
        run_once(
            f"user:{request.user.pk}",
            checked_key(request.POST.get("request_key", "")),
            "exchange_finalist",
            [final.pk, given],
            lambda: {"final": services.exchange_finalist(final, by=request.user, **given).pk},
        )
        return _("The list of finalists is changed.")

    return run_finalists_act(request, act, exchanging=form)


def link_reason_and_seen(request: EventRequest, number: int) -> dict[str, Any]:
    """Reason and the link seen, of an entrant of this event."""
    get_object_or_404(request.event.entrants.all(), number=number)
    form = LinkReasonForm(request.POST)
    given = form.cleaned_data if form.is_valid() else {}
    return {"reason": given.get("reason", ""), "seen": given.get("seen") or 0}


def links_made_message(count: int) -> str:
    if not count:
        return _("Everyone who holds a place has a link already.")
    return ngettext("%(n)s link is made.", "%(n)s links are made.", count) % {"n": count}


def leading_to(request: EventRequest) -> Stage:
    """The stage whose ranking gives the places of the one that was asked for; 404 for the first."""
    earlier = request.event.stages.select_related("event").filter(qualifying__gt="").order_by("-order")
    found = earlier.first() if request.stage is None else earlier.filter(order__lt=request.stage.order).first()
    if found is None:
        raise Http404
    return found


def named(request: EventRequest) -> str:
    """The name of the stage whose list this is, set up or not."""
    return request.stage.kind if request.stage else request.last_stage


def final_or_refused(request: EventRequest) -> Stage:
    """The final; refused in words where none is set up."""
    final = request.stage
    if final is None:
        raise Refused("no_final", _("There is no final yet. Set it up first."))
    return final


def run_finalists_act(request: EventRequest, act: Callable[[], str], number: int = 0, **forms: Any) -> HttpResponse:
    """Do it and go back to the page; a refusal is said there and keeps what was typed."""
    try:
        messages.success(request, act())
    except Refused as refused:
        return render_finalists(request, refused=refused, number=number, status=refused.status, **forms)
    anchor = f"#n{number:04d}" if number else ""
    return redirect(f"{reverse('finalists', args=[request.event.slug, named(request)])}{anchor}")


def render_finalists(
    request: EventRequest, *, refused: Refused | None = None, number: int = 0, status: int = 200, **forms: Any
) -> HttpResponse:
    """The page, with what was refused and the form that it was refused of."""
    stage, final = leading_to(request), request.stage
    live, listed = live_places(stage), queries.frozen_list(final)
    inviting = is_act_allowed(request.roles, "invite_finalists")
    rows, mailed = finalist_rows(request, stage, live, listed, inviting), mailings_about_places(request.event)
    context = {
        "stage": "finalists" if final else "release",
        "final": final,
        "here": named(request),
        "before": stage.kind,
        "frozen": final is not None and final.frozen_at is not None,
        "live": live,
        "rows": rows,
        "counts": finalist_counts(rows),
        "until": stage.answers_until,
        "closed": stage.answers_until is not None and timezone.now() >= stage.answers_until,
        "inviting": inviting,
        "freezing": is_act_allowed(request.roles, "freeze_finalists"),
        "refused": refused,
        "refused_number": number,
        "mailed": mailings_that_would_end(request, mailed),
        "reached": mailings_out_of_force(request, mailed[:1]),
        "may_write": is_act_allowed(request.roles, "publish_notice"),
        "untold": reserves_not_notified(request, stage, live) if not listed else [],
        "contacts": sees_contacts(request),
        "may_answer": is_act_allowed(request.roles, "record_answer"),
        **reserves_of(live, listed),
        **forms_of(live, list(listed), **forms),
    }
    return render(request, "finalists/finalists.html", context, status=status)


def forms_of(
    live: LivePlaces,
    listed: list[int],
    *,
    freezing: FixListForm | None = None,
    thawing: ReopenListForm | None = None,
    exchanging: ReplaceFinalistForm | None = None,
) -> dict[str, Any]:
    """The forms at the side; one that was refused as it was sent, its `seen` what is shown now."""
    seen = services.finalists_seen_digest(live, listed)
    if freezing is not None:
        freezing = FixListForm({**dict(freezing.data.items()), "seen": seen})
    if thawing is not None:
        thawing = ReopenListForm({**dict(thawing.data.items()), "seen": seen}, auto_id=THAW_FORM_ID)
    if exchanging is not None:
        exchanging = ReplaceFinalistForm({**dict(exchanging.data.items()), "seen": seen}, auto_id=EXCHANGE_FORM_ID)
    return {
        "freeze_form": freezing or FixListForm(initial={"seen": seen}),
        "thaw_form": thawing or ReopenListForm(initial={"seen": seen}, auto_id=THAW_FORM_ID),
        "thaw_open": thawing is not None,
        "exchange_form": exchanging or ReplaceFinalistForm(initial={"seen": seen}, auto_id=EXCHANGE_FORM_ID),
    }


def finalist_rows(
    request: HttpRequest, stage: Stage, live: LivePlaces, listed: Mapping[int, Finalist], inviting: bool
) -> list[FinalistRow]:
    """Holders in their order; once the list is fixed, who is on it."""
    lines = {line["number"]: line for line in live.release.content["ranking"]} if live.release else {}
    called = {holder.id: holder.by == HELD_AS_RESERVE for holder in live.places.holders}
    made = queries.links_in_force(stage)
    ids = {row.number: id for id, row in live.entrants.items()}

    def row(id: str) -> FinalistRow:
        entrant = live.entrants[id]
        line, link = lines.get(entrant.number), made.get(entrant.number)
        return FinalistRow(
            entrant=entrant,
            rank=line["rank"] if line else listed[entrant.number].rank,
            tied=bool(line and line["tied"]),
            called=called.get(id, False),
            answer=live.answers.get(id),
            link=link,
            url=place_link_url(request, link) if link and inviting else "",
            listed=entrant.number in listed,
            holds=id in called,
        )

    return [row(ids[number]) for number in listed] if listed else [row(id) for id in called]


def reserves_not_notified(request: EventRequest, stage: Stage, live: LivePlaces) -> list[Entrant]:
    """The reserves who were called and not told, in their order; their telephones are for those who see them."""
    numbers = reserves_not_yet_mailed(stage, live)
    rows = request.event.entrants.filter(number__in=numbers).select_related("person") if numbers else []
    return sorted(rows, key=lambda one: numbers.index(one.number))


def finalist_counts(rows: list[FinalistRow]) -> dict[str, int]:
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
    next_id = services.next_reserve_id(live, list(listed))
    return {
        "next": told[:NEXT_RESERVES_SHOWN],
        "later": told[NEXT_RESERVES_SHOWN:],
        "next_one": live.entrants.get(next_id or ""),
    }


def place_link_url(request: HttpRequest, link: Invitation) -> str:
    """Where the link leads, as a phone outside reaches it."""
    page = reverse("place", args=[links.place_link_token(link)])
    return settings.SITE_URL + page if settings.SITE_URL else request.build_absolute_uri(page)


urlpatterns = [
    path("<slug:stage>/finalists/", finalist_list_page, name="finalists"),
    path("<slug:stage>/finalists/links/", make_links_view, name="make_links"),
    path("<slug:stage>/finalists/freeze/", freeze_finalists_view, name="freeze_finalists"),
    path("<slug:stage>/finalists/thaw/", thaw_finalists_view, name="thaw_finalists"),
    path("<slug:stage>/finalists/exchange/", exchange_finalist_view, name="exchange_finalist"),
    path("<slug:stage>/finalists/<int:number>/link/", replace_link_view, name="replace_link"),
    path("<slug:stage>/finalists/<int:number>/link/revoke/", revoke_link_view, name="revoke_link"),
]
