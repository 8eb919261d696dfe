"""The names of static files: by their digest, and by their own while they have none."""

import logging
from functools import cache
from typing import Any

from django.contrib.staticfiles import finders
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

from tournament.core.adapters.bundles import NAMED_BY_CONTENT

logger = logging.getLogger(__name__)


class LastKnownStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise has no types
    """New code beside static files that were collected before it: a page names the file itself and is no failure."""

    def hashed_name(self, name: str, content: Any = None, filename: str | None = None) -> str:
        """A bundle comes with its name."""
        return name if NAMED_BY_CONTENT.search(name) else str(super().hashed_name(name, content, filename))

    def stored_name(self, name: str) -> str:
        """The name with the digest; the name as it is where the program has the file and nothing was collected."""
        try:
            return str(super().stored_name(name))
        except ValueError:
            if finders.find(name) is None:
                raise
            warn_uncollected_once()
            return name


@cache
def warn_uncollected_once() -> None:
    """For the log: one line a process, since one file that is not collected is seldom alone."""
    logger.error("static files of this version were not collected: manage.py collectstatic")


class StaticFilesForAYear(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise has no types
    """A year for what is named by its content, also by an earlier version; a minute for the rest."""

    FOREVER = 365 * 24 * 60 * 60

    def immutable_file_test(self, _path: str, url: str) -> bool:
        return bool(NAMED_BY_CONTENT.search(url))
