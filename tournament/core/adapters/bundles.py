"""One stylesheet and one script for each surface (the public, the desk, the tablet), under a name by their content.

A bundle is its sources one after another, as they are in tournament/static: nothing is compiled, and the tablet's
modules are only put together (script_modules.py). It has the same name wherever this version of the program runs,
collected or not, since public pages are files that are compared byte by byte, and that one installation may write
before it has collected anything.
"""

import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage

from tournament.core.adapters.script_modules import joined, modules_in_order

SOURCES_FOLDER = settings.BASE_DIR / "tournament" / "static"


def css(names: str) -> tuple[str, ...]:
    """Style sheets by their names, in the order in which one overrules another."""
    return tuple(f"css/{name}.css" for name in names.split())


def scripts(names: str) -> tuple[str, ...]:
    """Plain scripts by their names, in the order in which they run."""
    return tuple(f"js/{name}.js" for name in names.split())


BASE = css("tokens base type tile button field badge bar card note dialog table")
# What the pages of a tablet begin with: its start, its tables, the rules asked.
FIRST_MODULES = ("js/tablet/start.js", "js/tablet/shell.js", "js/tablet/ice.js")
# What the public page "Ask the rules" begins with; it has the script of the public beside it.
ASK_MODULE = "js/rules/public.js"
# What the turn timer begins with.
TIMER_MODULE = "js/timer/page.js"
# The hall's clock; it has the banner's script beside it.
HALL_MODULE = "js/hall/page.js"
# A surface's own sheets after the base, print.css last. The tablet's script is made of modules.
BUNDLES = {
    "public.css": (
        *BASE,
        *css("board ask"),
        *css("banner public public-ranking standing notices winners place rules wall wall-winners print"),
    ),
    "public.js": scripts("banner ranking"),
    "hall.css": (*BASE, *css("banner public wall hall")),
    "hall.js": modules_in_order(SOURCES_FOLDER, HALL_MODULE),
    "ask.js": modules_in_order(SOURCES_FOLDER, ASK_MODULE),
    "desk.css": (
        *BASE,
        *css("desk overview setup raw importing standings standing finalists podium decisions room sheet typing"),
        *css(
            "scoresheets corrections clock seating arrivals drawings devices conduct weather postponing mailings banner"
        ),
        *css("notices api print"),
    ),
    "desk.js": scripts(
        "desk arrivals clock copy devices progress queue room scan weather"
        " sheet_store sheet_later sheet_offer sheet_watch scoresheet sheet_turn sheet_decided"
    ),
    "tablet.css": (*BASE, *css("board referee tablet-shell sheet ask tablet-ice tablet")),
    "tablet.js": modules_in_order(SOURCES_FOLDER, *FIRST_MODULES),
    "timer.css": (*BASE, *css("timer")),
    "timer.js": modules_in_order(SOURCES_FOLDER, TIMER_MODULE),
    "joker.svg": ("img/joker.svg",),
}
# Scripts that are put together from modules; the others stand one after another.
MODULE_BUNDLES = ("ask.js", "hall.js", "tablet.js", "timer.js")
# As Django's storage names a file: what has such a name never changes.
NAMED_BY_CONTENT = re.compile(r"\.[0-9a-f]{12}\.\w+$")


def bundle_url(name: str) -> str:
    """The address of a bundle, `public.css` for example."""
    return f"{settings.STATIC_URL}{write_bundle(name).name}"


def write_bundle(name: str) -> Path:
    """The file of a bundle, made unless it is there."""
    sources = [SOURCES_FOLDER / source for source in BUNDLES[name]]
    return _write(name, Path(settings.VAR_DIR) / "bundles", max(source.stat().st_mtime_ns for source in sources))


def bundle_content(name: str) -> bytes:
    """Its sources one after another."""
    if name in MODULE_BUNDLES:
        return joined(SOURCES_FOLDER, BUNDLES[name])
    return b"".join((SOURCES_FOLDER / source).read_bytes() for source in BUNDLES[name])


@lru_cache
def _write(name: str, folder: Path, _changed: int) -> Path:
    """Written under another name and renamed: several processes start at one time."""
    content = bundle_content(name)
    stem, _, kind = name.rpartition(".")
    digest = hashlib.md5(content, usedforsecurity=False).hexdigest()[:12]
    path = folder / f"{stem}.{digest}.{kind}"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    return path


class BundleFinder(BaseFinder):
    """Lets Django's collectstatic, and WhiteNoise where nothing was collected, find the bundles as they are now."""

    def check(self, **_options: Any) -> list[CheckMessage]:
        return []

    def find(self, path: str, find_all: bool = False, **_options: Any) -> Any:
        """The file of an address; an empty list where it is no bundle's."""
        found = [str(file) for file in map(write_bundle, BUNDLES) if file.name == path]
        return found if find_all or not found else found[0]

    def list(self, _ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        storage = FileSystemStorage(location=Path(settings.VAR_DIR) / "bundles")
        return ((write_bundle(name).name, storage) for name in BUNDLES)
