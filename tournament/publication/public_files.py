"""The public's door: files made at a release, answered before session, language or database are touched.

A public page never asks the database, never sets a cookie and looks at nothing of the visitor but the path, the
method, what the browser already has, and whether it takes gzip. What no manifest names does not exist. Each process
keeps bodies and heads in memory and looks at the manifest's stamp with every request, so that a new or withdrawn
release counts at once in all.
"""

import gzip
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse

PUBLIC_PREFIX = "/p/"
SLUG_PATTERN = re.compile(r"[-a-zA-Z0-9_]+")
SAFE_METHODS = ("GET", "HEAD")
NOT_FOUND_ENTRY, NOT_ALLOWED_ENTRY = "404", "405"
BARE_NOT_FOUND_BODY = "404 沒有此頁 No such page\n".encode()
ETAG_PATTERN = re.compile(r'(?:W/)?("[^"]*")|\*')
GZIP_REFUSED = re.compile(r"^q=0(?:\.0{0,3})?$")
# Nothing of these pages comes from elsewhere, and nobody may index or frame them.
SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Robots-Tag": "noindex, nofollow",
}

PublicFileStamp = tuple[int, int, int]


def body_digest(body: bytes) -> str:
    """SHA-256, as bodies are named."""
    return hashlib.sha256(body).hexdigest()


@dataclass(frozen=True, slots=True)
class PublicRepresentation:
    """One representation, ready to send: heads with the length, the tag, the body."""

    headers: Mapping[str, str]
    etag: str
    body: bytes


@dataclass(frozen=True, slots=True)
class PublicAnswer:
    """What an address answers; `zipped` where a gzip form is kept."""

    status: int
    plain: PublicRepresentation
    zipped: PublicRepresentation | None


class PublicManifest:
    """One manifest as it was read: addresses to entries, with the answers made so far."""

    def __init__(self, root: Path, stamp: PublicFileStamp) -> None:
        self.root = root
        self.stamp = stamp
        self.entries = json.loads((root / "manifest.json").read_bytes())["paths"]
        self.answers: dict[str, PublicAnswer] = {}

    def answer(self, path: str) -> PublicAnswer | None:
        """What this address answers; None where there is nothing. Raises OSError where a body has just been removed."""
        found = self.answers.get(path)
        if found is None and path in self.entries:
            found = self.answers[path] = self._read(self.entries[path])
        return found

    def _read(self, entry: Mapping[str, Any]) -> PublicAnswer:
        if "location" in entry:
            headers = {
                **SECURITY_HEADERS,
                "Location": str(entry["location"]),
                "Content-Length": "0",
                "Cache-Control": str(entry.get("cache", "max-age=60")),
            }
            return PublicAnswer(int(entry["status"]), PublicRepresentation(headers, "", b""), None)
        if "pack" in entry:
            zipped = self._packed(entry)
            plain = gzip.decompress(zipped)
            forms = (
                self._form(entry, plain, body_digest(plain), ""),
                self._form(entry, zipped, body_digest(zipped), "gzip"),
            )
            return PublicAnswer(int(entry["status"]), *forms)
        return PublicAnswer(
            int(entry["status"]),
            self._form(entry, *self._body(entry, "file"), ""),
            self._form(entry, *self._body(entry, "gzip"), "gzip") if "gzip" in entry else None,
        )

    def _body(self, entry: Mapping[str, Any], kind: str) -> tuple[bytes, str]:
        """A body of its own with the digest that it is named by."""
        return (self.root / "files" / str(entry[kind])).read_bytes(), str(entry[kind])

    def _packed(self, entry: Mapping[str, Any]) -> bytes:
        """One of the small pages that are kept together, gzipped, in one body."""
        start, length = entry["at"]
        with (self.root / "files" / str(entry["pack"])).open("rb") as pack:
            pack.seek(start)
            return pack.read(length)

    def _form(self, entry: Mapping[str, Any], body: bytes, named: str, encoding: str) -> PublicRepresentation:
        etag = f'"{named[:32]}"'
        headers = {
            "Content-Type": str(entry["type"]),
            "Content-Length": str(len(body)),
            "Cache-Control": str(entry["cache"]),
            "ETag": etag,
            **SECURITY_HEADERS,
        }
        if "gzip" in entry or "pack" in entry:
            headers["Vary"] = "Accept-Encoding"
        if encoding:
            headers["Content-Encoding"] = encoding
        if "disposition" in entry:
            headers["Content-Disposition"] = str(entry["disposition"])
        if entry["status"] == 405:
            headers["Allow"] = ", ".join(SAFE_METHODS)
        return PublicRepresentation(headers, etag, body)


class PublicFilesMiddleware:
    """Serves `PUBLIC_ROOT` under `/p/`; publication/services/files.py alone writes there."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.manifests: dict[Path, PublicManifest] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        path = request.path_info
        if not (path.startswith(PUBLIC_PREFIX) or path == PUBLIC_PREFIX[:-1]):
            return self.get_response(request)
        # SecurityMiddleware leads a plain request to https; that stands behind this door.
        if settings.SECURE_SSL_REDIRECT and not request.is_secure():
            return self.get_response(request)
        return self.respond(request, path)

    def respond(self, request: HttpRequest, path: str) -> HttpResponse:
        """The file of this address, or the page that says why there is none."""
        if request.method not in SAFE_METHODS:
            answer = self.find(Path(settings.PUBLIC_ROOT), NOT_ALLOWED_ENTRY)
        else:
            answer = self.find(self.folder(path), path) or self.find(Path(settings.PUBLIC_ROOT), NOT_FOUND_ENTRY)
        if answer is None:
            return HttpResponse(
                BARE_NOT_FOUND_BODY, status=404, content_type="text/plain; charset=utf-8", headers=SECURITY_HEADERS
            )
        form = answer.plain
        if answer.zipped and accepts_gzip(request.META.get("HTTP_ACCEPT_ENCODING", "")):
            form = answer.zipped
        if answer.status == 200 and matches_etag(request.META.get("HTTP_IF_NONE_MATCH", ""), form.etag):
            kept = ("ETag", "Cache-Control", "Vary", *SECURITY_HEADERS)
            return plain_response(304, {name: form.headers[name] for name in kept if name in form.headers}, b"")
        body = b"" if request.method == "HEAD" else form.body
        return plain_response(answer.status, form.headers, body)

    def folder(self, path: str) -> Path:
        """Whose manifest this address is in: an event's, or the list of events'."""
        root = Path(settings.PUBLIC_ROOT)
        slug = path[len(PUBLIC_PREFIX) :].split("/", 1)[0]
        return root / slug if SLUG_PATTERN.fullmatch(slug) and slug != "en" else root

    def find(self, folder: Path, path: str) -> PublicAnswer | None:
        """The answer of an address from the manifest as it stands; once more where a body went while it was looked
        for."""
        for _attempt in range(2):
            manifest = self.manifest(folder)
            try:
                return manifest.answer(path) if manifest else None
            except OSError:
                self.manifests.pop(folder, None)
        return None

    def manifest(self, folder: Path) -> PublicManifest | None:
        """The folder's manifest; read again when another stands in its place."""
        try:
            stat = (folder / "manifest.json").stat()
            stamp = (stat.st_mtime_ns, stat.st_ino, stat.st_size)
            kept = self.manifests.get(folder)
            if kept is None or kept.stamp != stamp:
                kept = self.manifests[folder] = PublicManifest(folder, stamp)
        except (OSError, ValueError):
            self.manifests.pop(folder, None)
            return None
        return kept


def plain_response(status: int, headers: Mapping[str, str], body: bytes) -> HttpResponse:
    """These heads and no others."""
    response = HttpResponse(body, status=status)
    del response.headers["Content-Type"]
    for name, value in headers.items():
        response.headers[name] = value
    return response


def accepts_gzip(accept_encoding: str) -> bool:
    """Whether the browser takes gzip; `gzip;q=0` does not, and `*` stands for what is not named."""
    named: dict[str, bool] = {}
    for part in accept_encoding.lower().split(","):
        coding, _, quality = part.partition(";")
        named[coding.strip()] = not GZIP_REFUSED.match(quality.replace(" ", ""))
    return named.get("gzip", named.get("*", False))


def matches_etag(if_none_match: str, etag: str) -> bool:
    """Whether one of the tags that the browser has is this one: lists, weak ones and `*` count (RFC 9110, 13.1.2)."""
    if not if_none_match:
        return False
    return any(match[0] == "*" or match[1] == etag for match in ETAG_PATTERN.finditer(if_none_match))
