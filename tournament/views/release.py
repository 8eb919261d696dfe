"""Releasing: what stands in the way, the release itself, and every release there was."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament import moments
from tournament.bridge.release import ChangedSheet, changed_sheets
from tournament.enums import StageKind
from tournament.errors import Refused
from tournament.exports.registry import RANKING
from tournament.exports.release_differences import differences
from tournament.exports.released import read_release
from tournament.forms.release import ReleaseForm, WithdrawForm
from tournament.models import Event, Release, Stage
from tournament.permissions import allowed, for_act, require
from tournament.queries.release import OpenTable, counted_sheets, releases_of
from tournament.queries.standings import sheet_counts
from tournament.services import release as service
from tournament.services.release import Block
from tournament.services.release_files import public_number

TABLES_SHOWN = 12


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


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_release")
def releases(request: HttpRequest) -> HttpResponse:
    """Blocked with every reason, or free with the form; a POST releases. The list of releases stands below."""
    stage = get_object_or_404(request.event.stages.all(), kind=StageKind.PRELIMINARY)
    verdict = service.judge_release(stage)
    ranked = len(verdict.cut.ranking.ranked)
    form, status = ReleaseForm(ranked, initial={"number": verdict.number}), 200
    if request.method == "POST":
        require(request.roles, "release")
        form, status = ReleaseForm(ranked, request.POST), 400
        if form.is_valid():
            try:
                made = service.release(stage, by=request.user, number=form.cleaned_data["number"])
            except Refused as refused:
                form.add_error(None, str(refused))
                status = refused.status
            else:
                messages.success(request, _("Release %(number)s is published.") % {"number": made.number})
                return redirect("release_page", request.event.slug, made.number)
    context = {
        "stage": "release",
        "verdict": verdict,
        "up_to_date": [block.code for block in verdict.blocks] == [service.ALREADY_RELEASED],
        "reasons": [reason_of(request.event, block) for block in verdict.blocks],
        "form": form,
        "ranked": ranked,
        "advancing": len(verdict.cut.advancing),
        "may_release": allowed(request.roles, "release"),
        "releases": releases_of(stage),
        "sheets": sheet_counts(stage),
        "public_url": f"/p/{request.event.slug}/",
        "public_behind": public_number(request.event.slug) != (verdict.current.number if verdict.current else None),
    }
    return render(request, "release/releases.html", context, status=status)


@require_POST
@for_act("release")
def write_public_files(request: HttpRequest) -> HttpResponse:
    """Write the public's files again from the releases."""
    service.write_again(request.event, by=request.user)
    messages.success(request, _("The public files are written."))
    return redirect("releases", request.event.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_release")
def release_page(request: HttpRequest, number: int) -> HttpResponse:
    """One release with its files; a POST withdraws it."""
    made = get_object_or_404(
        Release.objects.select_related("stage__event", "released_by", "withdrawn_by"),
        stage__event=request.event,
        number=number,
    )
    form, status = WithdrawForm(), 200
    if request.method == "POST":
        require(request.roles, "release")
        form, status = WithdrawForm(request.POST), 400
        if form.is_valid():
            service.withdraw(made, reason=form.cleaned_data["reason"], by=request.user)
            messages.success(request, _("Release %(number)s is withdrawn.") % {"number": made.number})
            return redirect("release_page", request.event.slug, made.number)
    folder = f"/p/{request.event.slug}/{made.number}/"
    newer = Release.objects.filter(stage__event=request.event, number__gt=made.number).order_by("number").first()
    context = {
        "stage": "release",
        "made": made,
        "newer": newer,
        "form": form,
        "may_release": allowed(request.roles, "release"),
        "folder": folder,
        "files": [(artefact.name, f"{folder}{artefact.name}") for artefact in RANKING],
        "public_behind": not newer and not made.withdrawn_at and public_number(request.event.slug) != made.number,
        "changed": changed_since(made),
        "before": Release.objects.filter(stage__event=request.event, number__lt=made.number).exists(),
    }
    return render(request, "release/release_page.html", context, status=status)


@require_safe
@for_act("see_release")
def release_differences(request: HttpRequest, number: int) -> HttpResponse:
    """What a release changed against the one before, or against another that is asked for by number."""
    rows = Release.objects.filter(stage__event=request.event).select_related("stage").order_by("-number")
    made = get_object_or_404(rows, number=number)
    others = list(rows.exclude(number=number).defer("content", "sheets"))
    asked = request.GET.get("from", "")
    earlier = [one.number for one in others if one.number < number]
    against = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else max(earlier, default=None)
    older = get_object_or_404(rows, number=against) if against is not None else None
    found = (
        differences(read_release(older.content, older.digest), read_release(made.content, made.digest)) if older else {}
    )
    context = {
        "stage": "release",
        "made": made,
        "older": older,
        "others": others,
        "found": found,
        "nothing": not any(found.values()),
        "changed": with_addresses(made.stage, changed_sheets(older.sheets, made.sheets)) if older else [],
        "standings_url": reverse("standings", args=[request.event.slug]),
    }
    return render(request, "release/release_differences.html", context)


def changed_since(made: Release) -> list[tuple[ChangedSheet, str]]:
    """The sheets that are others now than when this was released, with their addresses."""
    return with_addresses(made.stage, changed_sheets(made.sheets, counted_sheets(made.stage)))


def with_addresses(stage: Stage, changed: list[ChangedSheet]) -> list[tuple[ChangedSheet, str]]:
    """Each sheet with the address of its page; none where its session is no more."""
    numbers = {session.code: session.number for session in stage.sessions.all()}
    return [
        (
            sheet,
            reverse("scoresheet", args=[stage.event.slug, numbers[sheet.session], sheet.table])
            if sheet.session in numbers and sheet.now
            else "",
        )
        for sheet in changed
    ]


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
    name = moments.session_text(session.original_date, session.number_of_day)
    return Reason(
        _("%(session)s has no seats drawn.") % {"session": name},
        _("Draw and confirm its seats, or record who does not play."),
        reverse("session_seating", args=[event.slug, session.number]),
        _("To its seats"),
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
    service.SHEETS_MISSING: sheets_missing,
    service.SHEETS_NOT_LOCKED: sheets_not_locked,
    service.SHEETS_NOT_STAMPED: sheets_not_stamped,
    service.ITEMS_HELD: items_held,
    service.TABLETS_WAITING: tablets_waiting,
    service.TIE_UNRESOLVED: tie_unresolved,
    service.NOTHING_TO_RELEASE: nothing_to_release,
    service.ALREADY_RELEASED: already_released,
}

urlpatterns = [
    path("releases/", releases, name="releases"),
    path("releases/files/", write_public_files, name="write_public_files"),
    path("releases/<int:number>/", release_page, name="release_page"),
    path("releases/<int:number>/differences/", release_differences, name="release_differences"),
]
