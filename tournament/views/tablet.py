"""The referee's tablet: one page an event, without an account; what it knows comes later, by its own token.

The page and its modules are kept by a service worker where the connection is secure, so that it opens without network.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.templatetags.static import static
from django.urls import path, reverse
from django.utils.translation import get_language, gettext, override
from django.views.decorators.http import require_safe

from tournament.bridge.tablet import SCHEMA
from tournament.models import Event
from tournament.templatetags.look import html_lang, in_language
from tournament.templatetags.look_icons import ICONS
from tournament.views.tablet_shell_words import shell_words
from tournament.views.tablet_words import panel_words

FOLDER = Path(__file__).resolve().parent.parent / "static"
PARTS = ("js/tablet/*.js", "js/engine/*.js", "vendor/*/*.js", "css/*.css", "img/*.svg")
WORKER = "js/tablet/worker.js"


@require_safe
def tablet_start(request: HttpRequest) -> HttpResponse:
    """What a tablet without a code is told."""
    return render(request, "tablet/start.html")


@require_safe
def tablet(request: HttpRequest, event: str) -> HttpResponse:
    """The page; the code of a pairing stands after the # of its address and never comes here."""
    found = get_object_or_404(Event, slug=event)
    [other] = [code for code, _name in settings.LANGUAGES if code != get_language()]
    data = {
        "slug": found.slug,
        "schema": SCHEMA,
        "worker": reverse("tablet_worker"),
        **book(found, str(get_language())),
        "other": book(found, other),
    }
    return render(request, "tablet/tablet.html", {"found": found, "data": data, "icons": ICONS})


def book(event: Event, language: str) -> dict[str, Any]:
    """All words of the page in one language; it has both, since they are switched without network."""
    with override(language):
        page = gettext("Referee's tablet")
        own = {"title": f"{page}·{in_language(event, 'name')}", "own_name": dict(settings.LANGUAGES)[language]}
        return {
            "language": language,
            "lang": html_lang(),
            "words": panel_words(),
            "shell": {**shell_words(), **own},
        }


@require_safe
def tablet_worker(request: HttpRequest) -> HttpResponse:
    """The service worker with what it keeps, under the address whose pages it may answer."""
    script = (FOLDER / WORKER).read_text(encoding="utf-8")
    pages = [reverse("tablet_start"), reverse("tablet_ice")]
    kept = json.dumps({"version": version(), "files": kept_files(), "pages": pages})
    return HttpResponse(f"const KEPT = {kept};\n{script}", content_type="text/javascript; charset=utf-8")


def parts() -> list[str]:
    """Every static file that the page may ask for."""
    return sorted(str(file.relative_to(FOLDER)) for pattern in PARTS for file in FOLDER.glob(pattern))


def kept_files() -> list[str]:
    """Their addresses: by the name that a page has, and modules also by the one that modules know each other by."""
    plain = [name for name in parts() if name != WORKER]
    modules = [f"{prefix()}{name}" for name in plain if name.endswith(".js")]
    return sorted({*(static(name) for name in plain), *modules})


def prefix() -> str:
    """Where static files are, without the name that a file has by its content."""
    from_here = static(WORKER)
    return from_here[: from_here.index("js/tablet/")]


@cache
def version() -> str:
    """Of what is kept: another one as soon as any file is another."""
    digest = hashlib.sha256()
    for name in parts():
        digest.update(name.encode() + b"\0" + (FOLDER / name).read_bytes() + b"\0")
    return digest.hexdigest()[:16]


urlpatterns = [
    path("", tablet_start, name="tablet_start"),
    path("worker.js", tablet_worker, name="tablet_worker"),
    path("<slug:event>/", tablet, name="tablet"),
]
