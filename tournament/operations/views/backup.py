"""If the laptop dies: what to do, the last backup, and one more at the press of a button."""

from django.conf import settings
from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.accounts.services.personal_exports import record_export
from tournament.core.errors import Refused
from tournament.core.form_keys import key_before_act
from tournament.core.installation_folder import DEMO_KIND, OWN_ENVIRONMENT_NAME, VAR_FOLDER, kind_of_folder
from tournament.core.permissions import EventRequest, for_act
from tournament.core.services import cipher
from tournament.operations.services import backup as service
from tournament.operations.services import backup_kept, backup_keys

BACKUPS_SHOWN = 10
# Minutes after which the newest backup counts as old.
FRESH_BACKUP_SECONDS = 60
EXAMPLE_BACKUP_PATH = "/media/stick/rummikub.backup"


@require_http_methods(["GET", "HEAD", "POST"])
@for_act("make_backup")
@key_before_act
def backup_page(request: EventRequest) -> HttpResponseBase:
    """The page; a POST makes a backup, with `name` hands one out to be taken elsewhere, with `key` notes that the
    signatures' key of this mark is kept elsewhere."""
    if request.method != "POST":
        return render_backup_page(request)
    try:
        if "name" in request.POST:
            return download_backup(request, request.POST["name"])
        if "key" in request.POST:
            backup_keys.record_key_kept(request.event, request.POST["key"], request.user)
            messages.success(request, _("Noted: the key is kept elsewhere."))
            return redirect("backup", request.event.slug)
        made = backup_kept.create_and_copy()
    except Refused as refusal:
        return render_backup_page(request, refusal)
    service.record_backup(request.event, request.user, made)
    if made.findings:
        messages.error(request, _("Backed up, but the log does not agree with the rows: run manage.py audit verify."))
    else:
        messages.success(request, _("Backed up, restored once to try it, and verified."))
    return redirect("backup", request.event.slug)


def download_backup(request: EventRequest, name: str) -> FileResponse:
    """One backup, as a file."""
    service.refuse_download(request.user)
    found = backup_kept.find_kept_backup(name)
    if found is None:
        raise Http404
    for event, people in service.count_people_in_backup():
        record_export(event, request.user, "backup", people=people, among=found.name)
    return FileResponse(found.path.open("rb"), as_attachment=True, filename=found.name)


def render_backup_page(request: EventRequest, refusal: Refused | None = None) -> HttpResponse:
    """The words, and when the last backup was made; their names only for who may have them."""
    kept, standing = backup_kept.kept_backups(), backup_kept.backup_status()
    context = {
        "stage": "backup",
        "standing": standing,
        "is_fresh": standing.last is not None and standing.last.age < FRESH_BACKUP_SECONDS,
        "kept": kept[:BACKUPS_SHOWN],
        "damaged": {one.path for one in standing.damaged},
        "every": settings.BACKUP_MINUTES,
        "second_named": backup_kept.second_folder(),
        "may_take_away": service.may_download_backup(request.user),
        "marks": cipher.key_marks(),
        "unkept": backup_keys.unkept_key_marks(request.event),
        "commands": backup_commands(),
        "refusal": refusal,
    }
    return render(request, "operations/backup/backup.html", context, status=refusal.status if refusal else 200)


def backup_commands() -> dict[str, str]:
    """What is typed here, and on the machine that takes this one's place; each works on the data of this server."""
    kind = kind_of_folder(settings.VAR_DIR)
    if kind is None:
        manage = "sudo deploy/manage.py"
        return {
            "show": f"{manage} signature_key --show",
            "bring": f"{manage} signature_key --add",
            "restore": f"{manage} restore {EXAMPLE_BACKUP_PATH}",
            "start": "sudo systemctl start tournament tournament-work",
            "verify": f"{manage} audit verify",
        }
    elsewhere = "" if VAR_FOLDER / kind == settings.VAR_DIR else f"VAR_DIR={settings.VAR_DIR} "
    return {
        "show": f"{elsewhere}.venv/bin/python manage.py signature_key --show",
        "settings": f"{settings.VAR_DIR}/{OWN_ENVIRONMENT_NAME}",
        "restore": f"make restore FILE={EXAMPLE_BACKUP_PATH}" + (" KIND=demo" if kind == DEMO_KIND else ""),
        "start": "make lan" if kind == DEMO_KIND else "make event",
        "verify": ".venv/bin/python manage.py audit verify",
    }


urlpatterns = [path("backup/", backup_page, name="backup")]
