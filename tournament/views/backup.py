"""If the laptop dies: what to do, the last backup, and one more at the press of a button."""

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.errors import Refused
from tournament.permissions import for_act
from tournament.services import backup as service
from tournament.services import backup_keys, cipher

SHOWN = 10


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("make_backup")
def backup(request: HttpRequest) -> HttpResponseBase:
    """The page; a POST makes a backup, with `name` hands one out to be taken elsewhere, with `key` notes that the
    signatures' key of this mark is kept elsewhere."""
    if request.method != "POST":
        return show(request)
    try:
        if "name" in request.POST:
            return hand_out(request, request.POST["name"])
        if "key" in request.POST:
            backup_keys.record_kept(request.event, request.POST["key"], request.user)
            messages.success(request, _("Noted: the key is kept elsewhere."))
            return redirect("backup", request.event.slug)
        made = service.create()
    except Refused as refusal:
        return show(request, refusal)
    service.record_backup(request.event, request.user, made)
    if made.findings:
        messages.error(request, _("Backed up, but the log does not agree with the rows: run manage.py audit verify."))
    else:
        messages.success(request, _("Backed up, restored once to try it, and verified."))
    return redirect("backup", request.event.slug)


def hand_out(request: HttpRequest, name: str) -> FileResponse:
    """One backup, as a file."""
    service.refuse_download(request.user)
    found = service.find(name)
    if found is None:
        raise Http404
    return FileResponse(found.path.open("rb"), as_attachment=True, filename=found.name)


def show(request: HttpRequest, refusal: Refused | None = None) -> HttpResponse:
    """The words, and the newest backups."""
    kept = service.kept()
    context = {
        "stage": "backup",
        "last": kept[0] if kept else None,
        "kept": kept[:SHOWN],
        "marks": cipher.marks(),
        "unkept": backup_keys.unkept(request.event),
        "refusal": refusal,
    }
    return render(request, "backup/backup.html", context, status=refusal.status if refusal else 200)


urlpatterns = [path("backup/", backup, name="backup")]
