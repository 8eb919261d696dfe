"""The service worker of pages that open without network: one script, told what it keeps and below which address."""

import json
from typing import NamedTuple

from tournament.core.adapters.bundles import SOURCES_FOLDER

SERVICE_WORKER_PATH = "js/tablet/worker.js"
WORKER_TYPE = "text/javascript; charset=utf-8"


class KeptPages(NamedTuple):
    """What one worker keeps, below the address `scope`.

    `name` tells its cache from those of other workers, `version` from those of other files. `files` and `pages` are
    kept at once, any other page of the scope when it is opened.
    """

    name: str
    scope: str
    version: str
    files: tuple[str, ...]
    pages: tuple[str, ...]


def worker_script(kept: KeptPages) -> str:
    """The script, with what it keeps before it."""
    script = (SOURCES_FOLDER / SERVICE_WORKER_PATH).read_text(encoding="utf-8")
    return f"const KEPT = {json.dumps(kept._asdict())};\n{script}"
