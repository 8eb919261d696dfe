"""Releasing: what stands in the way of each stage, the release itself, and every release there was."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.accounts.queries.roles_given import RoleTenure, holders_of_pairs, roles_given_in_play
from tournament.core.entrant_columns import COLUMN_BY_KEY, column_label
from tournament.core.errors import Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.log.templatetags.audit import act_words
from tournament.messages.domain import grounds_messages
from tournament.messages.forms import confirmation_sent
from tournament.messages.queries.mailing_counts import mailings_about_release
from tournament.messages.views.mailings_about import MailingSummary, mailings_out_of_force, mailings_that_would_end
from tournament.publication.domain.release import ChangedSheetVersions, changed_sheets
from tournament.publication.exports.differences import (
    award_words_before_and_now,
    differs_in_names_only,
    entrant_differences,
)
from tournament.publication.exports.podium import ReleasedPodium, read_podium
from tournament.publication.exports.public_winners import winners_folder
from tournament.publication.exports.ranking_pdf import numbers_without_printable_name
from tournament.publication.exports.registry import RANKING_FILES
from tournament.publication.exports.released import read_release
from tournament.publication.forms.release import ReleaseForm, WithdrawReleaseForm
from tournament.publication.queries.changed_people import PersonChanged, changed_people_counts, people_changed
from tournament.publication.queries.release import counted_sheets, releases_of
from tournament.publication.services import release as service
from tournament.publication.services.addresses import mask_release
from tournament.publication.services.files import public_numbers
from tournament.publication.services.people import differing_people
from tournament.publication.services.public_pages import numbers_to_mask
from tournament.publication.services.release import ReleaseVerdict
from tournament.publication.views.reasons import BlockReason, block_reason
from tournament.ranking.queries.standings import sheet_counts
from tournament.releases.models import Release


@dataclass(slots=True)
class ReleaseCandidate:
    """One stage on the page: what a release of it would say, what stands in the way, the form."""

    stage: Stage
    verdict: ReleaseVerdict
    reasons: list[BlockReason]
    sheets: dict[str, int]
    form: ReleaseForm
    mailed: list[MailingSummary]

    @property
    def ranked(self) -> int:
        return len(self.verdict.cut.ranking.ranked)

    @property
    def is_final(self) -> bool:
        """Whether a podium is released with it."""
        return self.stage.is_last

    @property
    def podium(self) -> ReleasedPodium | None:
        """The winners as they would be named."""
        return read_podium(read_release(self.verdict.content, ""))

    @property
    def by_number(self) -> list[int]:
        """Who stands by number on the printed list, since no font has the whole name."""
        return numbers_without_printable_name(read_release(self.verdict.content, ""))

    @property
    def up_to_date(self) -> bool:
        """Whether the newest release says all that there is."""
        return [block.code for block in self.verdict.blocks] == [service.ALREADY_RELEASED]


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_release")
def release_list(request: EventRequest) -> HttpResponse:
    """Each stage blocked with every reason, or free with the form; a POST releases one. All releases stand below."""
    if request.method == "POST":
        require_act(request.roles, "release")
    stages = request.event.stages.select_related("event").order_by("order")
    shown = {stage.kind: build_release_candidate(request, stage) for stage in stages}
    posted = request.POST.get("stage", next(iter(shown), ""))
    if not shown or (request.method == "POST" and posted not in shown):
        raise Http404
    status = 200
    if request.method == "POST":
        made, status = released_by(request, shown[posted])
        if made:
            messages.success(request, _("Release %(number)s is published.") % {"number": made.number})
            return redirect("release_page", request.event.slug, made.number)
    currents = {kind: one.verdict.current for kind, one in shown.items()}
    context = {
        "stage": "release",
        # What there is to do comes first.
        "shown": sorted(shown.values(), key=lambda one: one.up_to_date),
        "both": len(shown) > 1,
        "may_release": is_act_allowed(request.roles, "release"),
        "releases": releases_of(next(iter(shown.values())).stage),
        "current": [one.number for one in currents.values() if one],
        "public_url": f"/p/{request.event.slug}/",
        "wall_url": f"/p/{request.event.slug}/wall/",
        "public_behind": public_numbers(request.event)
        != {kind: one.number if one else None for kind, one in currents.items()},
        "roles_given": roles_given_in_play(request.event),
        "holders": holders_context(request.event),
        "unmasked": numbers_to_mask(request.event),
        **people_context(request.event, [one for one in currents.values() if one]),
    }
    return render(request, "publication/releases.html", context, status=status)


def holders_context(event: Event) -> dict[str, list[RoleTenure]]:
    """Who may be the two people of an act: whom somebody made one, whenever it was, and those of the founding."""
    found = holders_of_pairs(event)
    parts = {
        "by_people": [one for one in found if one.by_a_person or one.taken],
        "founding": [one for one in found if not (one.by_a_person or one.taken)],
    }
    return parts if found else {}


def people_context(event: Event, currents: list[Release]) -> dict[str, Any]:
    """What changed around people since the results, each with its fields in words."""
    changed = people_changed(event, max((one.audit_seq for one in currents), default=None))
    return {"people": changed_people_in_words(changed), "people_counts": changed_people_counts(changed)}


def changed_people_in_words(changed: Iterable[PersonChanged]) -> list[tuple[PersonChanged, str]]:
    """Each with its fields as they are called; a change of the status in the log's words."""
    comma, told = _(", "), list(changed)
    fields = [comma.join(str(column_label(name)) for name in one.columns if name in COLUMN_BY_KEY) for one in told]
    return [(one, words or act_words(one.entry.action)) for one, words in zip(told, fields, strict=True)]


def differing_context(made: Release) -> dict[str, Any]:
    """Who is not as this release froze them, each with what the log says since."""
    found = differing_people(made)
    return {
        "differing": [(one, changed_people_in_words(one.changes)) for one in found],
        "unlogged": [one for one in found if not one.logged],
    }


def build_release_candidate(request: EventRequest, stage: Stage) -> ReleaseCandidate:
    """The stage as it stands now; its form's fields have ids of their own, where two stand on one page."""
    verdict = service.judge_release(stage)
    return ReleaseCandidate(
        stage=stage,
        verdict=verdict,
        reasons=[block_reason(stage, block) for block in verdict.blocks],
        sheets=sheet_counts(stage),
        form=release_form(stage, verdict),
        mailed=mailings_that_would_end(request, mailings_about_release(verdict.current)) if verdict.current else [],
    )


def release_form(stage: Stage, verdict: ReleaseVerdict, *given: object) -> ReleaseForm:
    """The confirmation, empty or as it was sent."""
    ranked = len(verdict.cut.ranking.ranked)
    return ReleaseForm(ranked, *given, initial={"number": verdict.number}, auto_id=f"{stage.kind}_%s")


def released_by(request: EventRequest, one: ReleaseCandidate) -> tuple[Release | None, int]:
    """The release that the posted form makes; None, with the status, where it is refused."""
    one.form = form = release_form(one.stage, one.verdict, request.POST)
    if not form.is_valid():
        return None, 400
    try:
        given = {"number": form.cleaned_data["number"], "words_confirmed": confirmation_sent(request.POST)}
        return service.release_results(one.stage, by=request.user, **given), 302
    except Refused as refused:
        form.add_error(None, str(refused))
        return None, refused.status


@require_POST
@for_act("release")
def write_public_files_view(request: EventRequest) -> HttpResponse:
    """Write the public's files again from the releases."""
    service.rewrite_public_files_by_hand(request.event, by=request.user)
    messages.success(request, _("The public files are written."))
    return redirect("releases", request.event.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_release")
def release_page(request: EventRequest, number: int) -> HttpResponse:
    """One release with its files; a POST withdraws it."""
    made = get_object_or_404(
        Release.objects.select_related("stage__event", "released_by", "withdrawn_by"),
        stage__event=request.event,
        number=number,
    )
    form, status = WithdrawReleaseForm(), 200
    if request.method == "POST":
        require_act(request.roles, "release")
        form, status = WithdrawReleaseForm(request.POST), 400
        if form.is_valid():
            service.withdraw_release(made, reason=form.cleaned_data["reason"], by=request.user)
            messages.success(request, _("Release %(number)s is withdrawn.") % {"number": made.number})
            return redirect("release_page", request.event.slug, made.number)
    folder, mailed = f"/p/{request.event.slug}/{made.number}/", mailings_about_release(made)
    newer = Release.objects.filter(stage=made.stage, number__gt=made.number).order_by("number").first()
    released, ended = mask_release(made).ranking, grounds_messages.reason_not_in_force(made)
    context = {
        "stage": "release",
        "made": made,
        "released": released,
        "podium": read_podium(released),
        "winners_url": f"/p/{winners_folder(request.event.slug, made.number)}",
        "newer": newer,
        "form": form,
        "may_release": is_act_allowed(request.roles, "release"),
        "folder": folder,
        "files": [(artefact.name, f"{folder}{artefact.name}") for artefact in RANKING_FILES],
        "ended": ended,
        "public_behind": not ended and public_numbers(request.event)[made.stage.kind] != made.number,
        "changed": changed_sheets_with_urls(made),
        "mailed": [] if ended else mailings_that_would_end(request, mailed),
        "reached": mailings_out_of_force(request, mailed) if ended else [],
        "may_write": is_act_allowed(request.roles, "publish_notice"),
        "before": Release.objects.filter(stage=made.stage, number__lt=made.number).exists(),
        **({} if ended else differing_context(made)),
    }
    return render(request, "publication/release_page.html", context, status=status)


@require_safe
@for_act("see_release")
def release_differences(request: EventRequest, number: int) -> HttpResponse:
    """What a release changed against the one before of its stage, or against another that is asked for by number."""
    made = get_object_or_404(Release.objects.select_related("stage"), stage__event=request.event, number=number)
    rows = Release.objects.filter(stage=made.stage).order_by("-number")
    others = list(rows.exclude(number=number).defer("content", "sheets"))
    asked = request.GET.get("from", "")
    earlier = [one.number for one in others if one.number < number]
    against = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else max(earlier, default=None)
    older = get_object_or_404(rows, number=against) if against is not None else None
    pair = [mask_release(one).ranking for one in (older, made)] if older else []
    found, award = (entrant_differences(*pair), award_words_before_and_now(*pair)) if older else ({}, None)
    context = {
        "stage": "release",
        "made": made,
        "older": older,
        "others": others,
        "found": found,
        "award": award,
        "only_names": bool(older) and differs_in_names_only(found, award),
        "has_line": not made.stage.is_last,
        "nothing": not any(found.values()) and not award,
        "changed": with_addresses(made.stage, changed_sheets(older.sheets, made.sheets)) if older else [],
        "standings_url": reverse("standings", args=[request.event.slug, made.stage.kind]),
    }
    return render(request, "publication/release_differences.html", context)


def changed_sheets_with_urls(made: Release) -> list[tuple[ChangedSheetVersions, str]]:
    """The sheets that are others now than when this was released, with their addresses."""
    return with_addresses(made.stage, changed_sheets(made.sheets, counted_sheets(made.stage)))


def with_addresses(stage: Stage, changed: list[ChangedSheetVersions]) -> list[tuple[ChangedSheetVersions, str]]:
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


urlpatterns = [
    path("releases/", release_list, name="releases"),
    path("releases/files/", write_public_files_view, name="write_public_files"),
    path("releases/<int:number>/", release_page, name="release_page"),
    path("releases/<int:number>/differences/", release_differences, name="release_differences"),
]
