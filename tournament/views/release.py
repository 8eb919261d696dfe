"""Releasing: what stands in the way of each stage, the release itself, and every release there was."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.bridge import grounds
from tournament.bridge.release import ChangedSheet, changed_sheets
from tournament.enums import StageKind
from tournament.errors import Refused
from tournament.exports.public_winners import winners_folder
from tournament.exports.ranking_pdf import by_number
from tournament.exports.registry import RANKING
from tournament.exports.release_differences import award_change, differences, only_names
from tournament.exports.released import read_release
from tournament.exports.released_podium import ReleasedPodium, read_podium
from tournament.forms.published_text import confirmed_in
from tournament.forms.release import ReleaseForm, WithdrawForm
from tournament.models import Event, Release, Stage
from tournament.permissions import allowed, for_act, require
from tournament.queries.mailings_shown import about_release
from tournament.queries.people import PersonChanged, counts_of, people_changed
from tournament.queries.release import counted_sheets, releases_of
from tournament.queries.roles_given import Tenure, holders_of_pairs, roles_given_in_play
from tournament.queries.standings import sheet_counts
from tournament.readers.columns import BY_NAME
from tournament.services import release as service
from tournament.services.public_pages import names_to_mask
from tournament.services.release import Verdict
from tournament.services.release_addresses import as_shown
from tournament.services.release_files import public_numbers
from tournament.services.released_people import differing_people
from tournament.templatetags.audit import act_words
from tournament.views.mailings_about import AboutIt, before, reached
from tournament.views.release_reasons import Reason, reason_of


@dataclass(slots=True)
class Releasing:
    """One stage on the page: what a release of it would say, what stands in the way, the form."""

    stage: Stage
    verdict: Verdict
    reasons: list[Reason]
    sheets: dict[str, int]
    form: ReleaseForm
    mailed: list[AboutIt]

    @property
    def ranked(self) -> int:
        """How many are ranked."""
        return len(self.verdict.cut.ranking.ranked)

    @property
    def is_final(self) -> bool:
        """Whether a podium is released with it."""
        return self.stage.kind == StageKind.FINAL

    @property
    def podium(self) -> ReleasedPodium | None:
        """The winners as they would be named."""
        return read_podium(read_release(self.verdict.content, ""))

    @property
    def by_number(self) -> list[int]:
        """Who stands by number on the printed list, since no font has the whole name."""
        return by_number(read_release(self.verdict.content, ""))

    @property
    def up_to_date(self) -> bool:
        """Whether the newest release says all that there is."""
        return [block.code for block in self.verdict.blocks] == [service.ALREADY_RELEASED]


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("see_release")
def releases(request: HttpRequest) -> HttpResponse:
    """Each stage blocked with every reason, or free with the form; a POST releases one. All releases stand below."""
    if request.method == "POST":
        require(request.roles, "release")
    stages = {stage.kind: stage for stage in request.event.stages.select_related("event")}
    shown = {kind: releasing(request, stages[kind]) for kind in StageKind if kind in stages}
    posted = request.POST.get("stage", StageKind.PRELIMINARY.value)
    if not shown or (request.method == "POST" and posted not in shown):
        raise Http404
    status = 200
    if request.method == "POST":
        made, status = released_by(request, shown[StageKind(posted)])
        if made:
            messages.success(request, _("Release %(number)s is published.") % {"number": made.number})
            return redirect("release_page", request.event.slug, made.number)
    currents = {kind: one.verdict.current for kind, one in shown.items()}
    context = {
        "stage": "release",
        # What there is to do comes first.
        "shown": sorted(shown.values(), key=lambda one: one.up_to_date),
        "both": len(shown) > 1,
        "may_release": allowed(request.roles, "release"),
        "releases": releases_of(next(iter(shown.values())).stage),
        "current": [one.number for one in currents.values() if one],
        "public_url": f"/p/{request.event.slug}/",
        "wall_url": f"/p/{request.event.slug}/wall/",
        "public_behind": public_numbers(request.event.slug)
        != {kind: one.number if (one := currents.get(kind)) else None for kind in StageKind},
        "roles_given": roles_given_in_play(request.event),
        "holders": holders_context(request.event),
        "unmasked": names_to_mask(request.event),
        **people_context(request.event, [one for one in currents.values() if one]),
    }
    return render(request, "release/releases.html", context, status=status)


def holders_context(event: Event) -> dict[str, list[Tenure]]:
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
    return {"people": in_words(changed), "people_counts": counts_of(changed)}


def in_words(changed: Iterable[PersonChanged]) -> list[tuple[PersonChanged, str]]:
    """Each with its fields as they are called; a change of the status in the log's words."""
    comma, told = _(", "), list(changed)
    fields = [comma.join(str(BY_NAME[name].label) for name in one.columns if name in BY_NAME) for one in told]
    return [(one, words or act_words(one.entry.action)) for one, words in zip(told, fields, strict=True)]


def differing_context(made: Release) -> dict[str, Any]:
    """Who is not as this release froze them, each with what the log says since."""
    found = differing_people(made)
    return {
        "differing": [(one, in_words(one.changes)) for one in found],
        "unlogged": [one for one in found if not one.logged],
    }


def releasing(request: HttpRequest, stage: Stage) -> Releasing:
    """The stage as it stands now; its form's fields have ids of their own, where two stand on one page."""
    verdict = service.judge_release(stage)
    return Releasing(
        stage=stage,
        verdict=verdict,
        reasons=[reason_of(stage.event, block) for block in verdict.blocks],
        sheets=sheet_counts(stage),
        form=release_form(stage, verdict),
        mailed=before(request, about_release(verdict.current)) if verdict.current else [],
    )


def release_form(stage: Stage, verdict: Verdict, *given: object) -> ReleaseForm:
    """The confirmation, empty or as it was sent."""
    ranked = len(verdict.cut.ranking.ranked)
    return ReleaseForm(ranked, *given, initial={"number": verdict.number}, auto_id=f"{stage.kind}_%s")


def released_by(request: HttpRequest, one: Releasing) -> tuple[Release | None, int]:
    """The release that the posted form makes; None, with the status, where it is refused."""
    one.form = form = release_form(one.stage, one.verdict, request.POST)
    if not form.is_valid():
        return None, 400
    try:
        given = {"number": form.cleaned_data["number"], "words_confirmed": confirmed_in(request.POST)}
        return service.release(one.stage, by=request.user, **given), 302
    except Refused as refused:
        form.add_error(None, str(refused))
        return None, refused.status


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
    folder, mailed = f"/p/{request.event.slug}/{made.number}/", about_release(made)
    newer = Release.objects.filter(stage=made.stage, number__gt=made.number).order_by("number").first()
    released, ended = as_shown(made).ranking, grounds.in_force(made)
    context = {
        "stage": "release",
        "made": made,
        "released": released,
        "podium": read_podium(released),
        "winners_url": f"/p/{winners_folder(request.event.slug, made.number)}",
        "newer": newer,
        "form": form,
        "may_release": allowed(request.roles, "release"),
        "folder": folder,
        "files": [(artefact.name, f"{folder}{artefact.name}") for artefact in RANKING],
        "ended": ended,
        "public_behind": not ended and public_numbers(request.event.slug)[made.stage.kind] != made.number,
        "changed": changed_since(made),
        "mailed": [] if ended else before(request, mailed),
        "reached": reached(request, mailed) if ended else [],
        "may_write": allowed(request.roles, "publish_notice"),
        "before": Release.objects.filter(stage=made.stage, number__lt=made.number).exists(),
        **({} if ended else differing_context(made)),
    }
    return render(request, "release/release_page.html", context, status=status)


@require_safe
@for_act("see_release")
def release_differences(request: HttpRequest, number: int) -> HttpResponse:
    """What a release changed against the one before of its stage, or against another that is asked for by number."""
    made = get_object_or_404(Release.objects.select_related("stage"), stage__event=request.event, number=number)
    rows = Release.objects.filter(stage=made.stage).order_by("-number")
    others = list(rows.exclude(number=number).defer("content", "sheets"))
    asked = request.GET.get("from", "")
    earlier = [one.number for one in others if one.number < number]
    against = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else max(earlier, default=None)
    older = get_object_or_404(rows, number=against) if against is not None else None
    pair = [as_shown(one).ranking for one in (older, made)] if older else []
    found, award = (differences(*pair), award_change(*pair)) if older else ({}, None)
    context = {
        "stage": "release",
        "made": made,
        "older": older,
        "others": others,
        "found": found,
        "award": award,
        "only_names": bool(older) and only_names(found, award),
        "has_line": made.stage.kind != StageKind.FINAL,
        "nothing": not any(found.values()) and not award,
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


urlpatterns = [
    path("releases/", releases, name="releases"),
    path("releases/files/", write_public_files, name="write_public_files"),
    path("releases/<int:number>/", release_page, name="release_page"),
    path("releases/<int:number>/differences/", release_differences, name="release_differences"),
]
