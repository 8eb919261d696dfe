"""Entrants from a file: upload, preview with every fault and change, decide, import.

A long list is imported by a worker where one is there, and the page says how far it is; else in the request.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_http_methods, require_safe

from tournament.accounts.services.personal_exports import record_export
from tournament.core.entrant_columns import column_label
from tournament.core.enums import OPEN_JOBS, JobKind, JobState
from tournament.core.errors import BadInput, Gone, Refused
from tournament.core.models.job import Job
from tournament.core.permissions import EventRequest, for_act, is_act_allowed, require_act
from tournament.core.queries.jobs import latest_job
from tournament.core.services import jobs
from tournament.entrants.exports.entrant_faults import entrant_faults_csv
from tournament.entrants.exports.entrant_template import entrant_template_xlsx
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.models.people import Entrant
from tournament.entrants.readers import characters
from tournament.entrants.readers.faults import FAULT_DECIDE, ImportFault
from tournament.registration.forms.importing import EntrantFileForm, ImportDecisionForm, ImportRowForm, RetypedTextForm
from tournament.registration.services import importing, importing_preview
from tournament.registration.services.importing_names import CHECKED_NAME_COLUMNS
from tournament.registration.services.importing_preview import ImportPreview, RowAnswer
from tournament.registration.views.importing_dates import dates_card
from tournament.registration.views.importing_dates import handle_date_order_answer as answer_of_dates
from tournament.registration.views.importing_rows import preview_rows_shown, rows_around

XLSX_TYPE_OF_IMPORT = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
FAULTS_A_PAGE = ROWS_A_PAGE = 50
IMPORT_RELOAD_NEEDED = gettext_noop("Reload the page and try again.")
NAME_NEEDED = gettext_noop("Type the whole name, at most 100 characters.")


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("import_entrants")
def import_entrants_page(request: EventRequest) -> HttpResponse:
    """The upload; a file that cannot be read is told on the same page with its status."""
    form, refusal = EntrantFileForm(), None
    if request.method == "POST":
        form = EntrantFileForm(request.POST, request.FILES)
        if form.is_valid():
            name = form.cleaned_data["file"].name or ""
            try:
                kept = importing.read_file(request.event, name=name, content=form.content(), by=request.user)
            except Refused as refused:
                refusal = refused
            else:
                return redirect("import_preview", request.event.slug, kept.pk)
    return upload_page(request, form, refusal)


def upload_page(request: EventRequest, form: EntrantFileForm, refusal: Refused | None) -> HttpResponse:
    """The upload with the last files; previews whose time is over are erased before they are listed."""
    importing.expire_previews(request.event)
    files = EntrantFile.objects.filter(event=request.event).defer("rows", "decisions").select_related("uploaded_by")
    context = {"stage": "registration", "form": form, "refusal": refusal, "files": files[:20]}
    status = refusal.status if refusal else 400 if form.errors else 200
    return render(request, "registration/importing/import_entrants.html", context, status=status)


@require_safe
@for_act("import_entrants")
def import_template(request: EventRequest) -> HttpResponse:
    """The empty list with its heads, an example and notes."""
    return file_download_response(entrant_template_xlsx(timezone.now()), XLSX_TYPE_OF_IMPORT, "entrants-template.xlsx")


def file_download_response(content: bytes, content_type: str, name: str) -> HttpResponse:
    """A file to be saved."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)


def entrant_file_or_404(request: EventRequest, file: int) -> EntrantFile:
    """The file of this event, or 404."""
    found = EntrantFile.objects.filter(pk=file, event=request.event).select_related("event", "uploaded_by").first()
    if found is None:
        raise Http404
    return found


@require_safe
@for_act("import_entrants")
def entrant_file_faults(request: EventRequest, file: int) -> HttpResponse:
    """All faults of a file, to be sent back to whoever made it."""
    kept = entrant_file_or_404(request, file)
    if importing.is_expired(kept):
        raise Http404
    shown = importing_preview.build_preview(kept)
    record_export(request.event, request.user, f"faults-{file}.csv", people=len({one.row for one in shown.faults}))
    return file_download_response(entrant_faults_csv(shown.faults), "text/csv; charset=utf-8", f"faults-{file}.csv")


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("import_entrants")
def import_preview(request: EventRequest, file: int) -> HttpResponse:
    """The file as it would be imported; a POST is one act on it. A refusal shows the page with what was typed."""
    kept = entrant_file_or_404(request, file)
    if importing.is_expired(kept):
        importing.expire_previews(request.event)
        return upload_page(request, EntrantFileForm(), Gone("preview_gone", importing.PREVIEW_EXPIRED))
    refusal: Refused | None = None
    if request.method == "POST":
        try:
            return IMPORT_ACT_HANDLERS.get(request.POST.get("act", ""), unknown_act)(request, kept)
        except Refused as refused:
            refusal = refused
            kept = entrant_file_or_404(request, file)
    job = latest_job(request.event, JobKind.IMPORT_ENTRANTS, importing.entrant_file_subject_ref(kept))
    context = {"stage": "registration", "file": kept, "refusal": refusal, "job": job}
    if job and job.state in OPEN_JOBS:
        return render(request, "registration/importing/import_running.html", context | import_progress_context(job))
    context |= preview_context(request, kept) | {"ended": FailedJob(job) if job and not kept.imported_at else None}
    return render(
        request, "registration/importing/import_preview.html", context, status=refusal.status if refusal else 200
    )


@require_safe
@for_act("import_entrants")
def import_progress(request: EventRequest, file: int) -> HttpResponse:
    """How far the job is, as a piece of its page; once it is over, the way to what it did."""
    kept = entrant_file_or_404(request, file)
    job = latest_job(request.event, JobKind.IMPORT_ENTRANTS, importing.entrant_file_subject_ref(kept))
    context = {"file": kept, "job": job, **(import_progress_context(job) if job else {})}
    return render(request, "registration/importing/_progress.html", context)


def import_progress_context(job: Job) -> dict[str, Any]:
    """Whether it waits, in vain or not, and how far it is."""
    waits = job.state == JobState.WAITING
    return {
        "running": job.state in OPEN_JOBS,
        "waits": waits,
        "in_vain": waits and not jobs.is_worker_alive_now(),
        "seen": job.payload.get("seen", ""),
    }


class FailedJob:
    """A job that did nothing in the end, and why, in the language of the moment."""

    def __init__(self, job: Job) -> None:
        self.refused = job.state == JobState.REFUSED
        text = gettext(job.sentence) if job.sentence else ""
        self.sentence = text % job.facts if job.facts else text


def unknown_act(request: HttpRequest, kept: EntrantFile) -> HttpResponse:
    """The answer to a button that does not exist. Raises BadInput."""
    raise BadInput("unknown_act", IMPORT_RELOAD_NEEDED)


def import_all(request: EventRequest, kept: EntrantFile) -> HttpResponse:
    """The one deciding button. Sent twice it says what the first did."""
    seen = request.POST.get("seen", "")
    if len(kept.rows) > importing.LARGE_IMPORT_ROWS and jobs.is_worker_alive_now():
        importing.require_importable(importing_preview.build_preview(kept))
        importing.import_later(kept, by=request.user, seen=seen)
    else:
        importing.import_file(kept, by=request.user, seen=seen)
    return redirect("import_preview", request.event.slug, kept.pk)


def import_here(request: EventRequest, kept: EntrantFile) -> HttpResponse:
    """In this request, since no worker takes the job that waits."""
    importing.import_file(kept, by=request.user, seen=request.POST.get("seen", ""))
    jobs.withdraw_unclaimed_job(request.event, JobKind.IMPORT_ENTRANTS, importing.entrant_file_subject_ref(kept))
    return redirect("import_preview", request.event.slug, kept.pk)


def handle_discard_preview(request: EventRequest, kept: EntrantFile) -> HttpResponse:
    importing.discard_preview(kept, by=request.user)
    return redirect("import_entrants", request.event.slug)


def handle_row_answer(request: EventRequest, kept: EntrantFile) -> HttpResponse:
    """An answer about a row: the organiser's alone (R1)."""
    require_act(request.roles, "decide_entry")
    form = ImportDecisionForm(request.POST)
    if not form.is_valid():
        raise BadInput("reason_needed", form.fault())
    importing.answer_row_question(kept, **form.cleaned_data, by=request.user)
    return back_to_faults(request, kept)


def handle_revert_answer(request: EventRequest, kept: EntrantFile) -> HttpResponse:
    """An answer taken back, by those who may give it."""
    require_act(request.roles, "decide_entry")
    form = ImportRowForm(request.POST)
    if not form.is_valid():
        raise BadInput("unknown_act", IMPORT_RELOAD_NEEDED)
    importing.withdraw_decision(kept, row=form.cleaned_data["row"], by=request.user)
    return back_to_faults(request, kept)


def handle_correct_name(request: EventRequest, kept: EntrantFile) -> HttpResponse:
    form = RetypedTextForm(request.POST)
    if not form.is_valid():
        raise BadInput("name_needed", NAME_NEEDED)
    importing.correct_name_cell(kept, **form.cleaned_data, by=request.user)
    return back_to_faults(request, kept)


def handle_split_names(request: EventRequest, kept: EntrantFile) -> HttpResponse:
    """Both names of one cell taken apart."""
    form = ImportRowForm(request.POST)
    if not form.is_valid():
        raise BadInput("unknown_act", IMPORT_RELOAD_NEEDED)
    importing.split_names(kept, row=form.cleaned_data["row"], by=request.user)
    return back_to_faults(request, kept)


def back_to_faults(request: EventRequest, kept: EntrantFile) -> HttpResponse:
    """The same page of the list again."""
    response = redirect("import_preview", request.event.slug, kept.pk)
    query = request.GET.urlencode()
    if query:
        response["Location"] += f"?{query}"
    response["Location"] += f"#row-{request.POST.get('row', '')}"
    return response


IMPORT_ACT_HANDLERS: dict[str, Callable[[EventRequest, EntrantFile], HttpResponse]] = {
    "import": import_all,
    "import_here": import_here,
    "put_aside": handle_discard_preview,
    "decide": handle_row_answer,
    "reopen": handle_revert_answer,
    "mend": handle_correct_name,
    "split": handle_split_names,
    "dates": answer_of_dates,
}


@dataclass(frozen=True)
class FaultTableLine:
    """One line of the table of faults: the fault, the answer given, whether its cell may be typed here."""

    fault: ImportFault
    decision: RowAnswer | None
    decided_by: str
    reason: str
    typed: str
    typing: bool
    refused: bool

    @property
    def asks(self) -> bool:
        """Whether a person is to decide."""
        return self.fault.weight == FAULT_DECIDE and self.decision is None

    @property
    def split(self) -> tuple[str, str] | None:
        """Chinese and English name, where one press takes them apart."""
        return self.fault.facts.get("split") if self.decision is None else None

    @property
    def about_name(self) -> bool:
        """Whether what is typed here is a name."""
        return self.fault.place.column in CHECKED_NAME_COLUMNS

    @property
    def cell(self) -> str:
        """The cell as it may be looked at."""
        return characters.show_forbidden_characters(self.fault.cell or "")

    @property
    def other(self) -> int | None:
        """The other row of two that are, or may be, one person."""
        return self.fault.facts.get("other") if self.fault.code in ("person_twice", "person_alike") else None

    @property
    def entered(self) -> Entrant | None:
        """Who is entered as the same person, or under the same number."""
        return self.fault.facts.get("entered")


def preview_context(request: EventRequest, kept: EntrantFile) -> dict[str, Any]:
    """Four figures, the lines of the list that is shown, and the rows around one row."""
    shown = importing_preview.build_preview(kept)
    wanted = request.GET.get("show", "")
    first = "faults" if shown.faults else "differ" if shown.changes else "all"
    show = wanted if wanted in ("faults", "all", "sound", "differ") else first
    lines = fault_lines(request, shown)
    rows = preview_rows_shown(shown, show)
    every = request.GET.get("every") == "1"
    pages = Paginator(lines if show == "faults" else rows, max(len(lines), 1) if every else FAULTS_A_PAGE)
    row = int(request.GET.get("row", "0")) if request.GET.get("row", "").isdecimal() else 0
    near = row or next((fault.row for fault in shown.open_faults if fault.row > kept.head_row), 0)
    return {
        "preview": shown,
        "dates": dates_card(shown),
        "show": show,
        "page": pages.get_page(request.GET.get("page")),
        "every": every,
        "left_over": len(lines) - FAULTS_A_PAGE if show == "faults" and not every else 0,
        "near": near,
        "may_decide": is_act_allowed(request.roles, "decide_entry"),
        "around": rows_around(shown, near),
        "read_columns": len(shown.heads.by_column),
        "columns": [
            {"letter": place.letter, "head": place.head, "label": column_label(place.column)}
            for place in shown.heads.places
        ],
        "long": len(kept.rows) > importing.LARGE_IMPORT_ROWS,
        "worker": len(kept.rows) > importing.LARGE_IMPORT_ROWS and jobs.is_worker_alive_now(),
        "kept_until": kept.uploaded_at + importing.PREVIEW_KEPT_FOR,
    }


def fault_lines(request: HttpRequest, shown: ImportPreview) -> list[FaultTableLine]:
    """Every fault with its answer; the accounts that answered are read in one query."""
    answers = (*shown.left_out.values(), *shown.accepted.values())
    names = {user.pk: user for user in User.objects.filter(pk__in={answer.by for answer in answers})}
    refused_row = request.POST.get("row", "") if request.method == "POST" else ""
    lines = []
    for fault in shown.faults:
        decision = shown.decision_of(fault)
        user = names.get(decision.by) if decision else None
        refused = refused_row == str(fault.row)
        reason = request.POST.get("reason", "") if refused else ""
        typed = request.POST.get("text", "") if refused and request.POST.get("column") == fault.place.column else ""
        name = (user.first_name or user.get_username()) if user else ""
        typing = fault.code in importing.FAULTS_TYPED_IN_PREVIEW and decision is None
        lines.append(FaultTableLine(fault, decision, name, reason, typed, typing, refused))
    return lines


urlpatterns = [
    path("import/", import_entrants_page, name="import_entrants"),
    path("import/template.xlsx", import_template, name="import_template"),
    path("import/<int:file>/", import_preview, name="import_preview"),
    path("import/<int:file>/progress/", import_progress, name="import_progress"),
    path("import/<int:file>/faults.csv", entrant_file_faults, name="entrant_file_faults"),
]
