"""What holds for every page that looks at a user: never kept by a cache, and refusals shown as a page."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext_noop as _

from tournament.api.errors import problem_response
from tournament.audit import triggers
from tournament.core import form_keys, storage
from tournament.core.errors import Refused, TooLarge, TooManyRequests, Unavailable
from tournament.devices.services import open_sign_ins
from tournament.operations.views.failures import storage_full_response

READ_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# Signing in and out and the language are nobody's results.
API_PREFIX = "/api/"
BODY_TOO_LARGE = _("At most %(most)s MiB are taken at a time. Choose a smaller file; nothing was recorded.")
STAFF_PREFIXES = ("/desk/", "/place/", API_PREFIX)


class StaffMiddleware:
    """`Cache-Control: no-store` on all that Django answers, but for what a view itself calls public; the public's files
    never come this far."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        refusal = self.too_large(request) or self.without_room(request) or self.without_guards(request)
        response = self.refused(request, refusal) if refusal else self.get_response(request)
        looks = getattr(request, "only_looks", False)
        if request.session.accessed and not looks and not storage.is_storage_full():
            open_sign_ins.note_seen(request)
        if not response.get("Cache-Control", "").startswith("public"):
            add_never_cache_headers(response)
        response.headers.setdefault("X-Robots-Tag", "noindex, nofollow")
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: list[Any], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """A form with a key is carried out once (form_keys)."""
        if request.path.startswith(API_PREFIX) or not form_keys.has_form_key(request):
            return None
        try:
            answer: HttpResponse = form_keys.run_form_once(request, view, lambda: view(request, *args, **kwargs))
            return answer
        except Exception as exception:
            shown = self.process_exception(request, exception)
            if shown is None:
                raise
            return shown

    def too_large(self, request: HttpRequest) -> TooLarge | None:
        """Nobody's body is taken beyond settings.MOST_BODY, files and all; the front says it before."""
        given = request.META.get("CONTENT_LENGTH") or "0"
        if given.isdecimal() and int(given) > settings.MOST_BODY:
            return TooLarge("body_too_large", BODY_TOO_LARGE, most=settings.MOST_BODY >> 20)
        return None

    def without_room(self, request: HttpRequest) -> storage.StorageFull | None:
        """Nothing is written once the disk is nearly full: what is left is for reading."""
        return (
            storage.storage_full_refusal() if request.method not in READ_METHODS and storage.is_storage_full() else None
        )

    def without_guards(self, request: HttpRequest) -> Unavailable | None:
        """Nothing is written while the database's own guards are missing; asked once a process, not once a request."""
        if request.method in READ_METHODS or not request.path.startswith(STAFF_PREFIXES):
            return None
        try:
            triggers.require_triggers()
        except Unavailable as missing:
            return missing
        return None

    def refused(self, request: HttpRequest, refusal: Refused) -> HttpResponse:
        """A refusal as a page, or as the API's one shape."""
        if isinstance(refusal, storage.StorageFull):
            return storage_full_response(request, refusal)
        if request.path.startswith(API_PREFIX):
            return problem_response(refusal)
        response = render(request, "operations/failures/refused.html", {"refusal": refusal}, status=refusal.status)
        if isinstance(refusal, TooManyRequests):
            response["Retry-After"] = str(refusal.wait)
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """A refusal that no view has caught becomes a page with its sentence and status; so does a guard's."""
        refusal = exception if isinstance(exception, Refused) else None
        refusal = refusal or triggers.trigger_refusal_of(exception) or storage.storage_refusal_of(exception)
        return self.refused(request, refusal) if refusal else None
