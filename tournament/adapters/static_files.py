"""The names of static files: by their digest, and by their own while they have none."""

import logging
from functools import cache

from django.contrib.staticfiles import finders
from whitenoise.storage import CompressedManifestStaticFilesStorage

logger = logging.getLogger(__name__)


class LastKnownStaticFiles(CompressedManifestStaticFilesStorage):
    """New code beside static files that were collected before it: a page names the file itself and is no failure."""

    def stored_name(self, name: str) -> str:
        """The name with the digest; the name as it is where the program has the file and nothing was collected."""
        try:
            return str(super().stored_name(name))
        except ValueError:
            if finders.find(name) is None:
                raise
            say_once()
            return name


@cache
def say_once() -> None:
    """For the log: one line a process, since one file that is not collected is seldom alone."""
    logger.error("static files of this version were not collected: manage.py collectstatic")
