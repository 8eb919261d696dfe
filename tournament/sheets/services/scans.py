"""Scans and photos of the papers: attached beside a table's sheet, kept for good, never public.

The file lies under VAR_DIR/scans, named by the digest of its bytes, and is there before its row is. Its retention is
that of the event's papers: it holds names and signatures.
"""

import hashlib
import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core.errors import Refused
from tournament.core.services import requests
from tournament.sheets.models.scan import Scan
from tournament.sheets.queries import scoresheets as queries
from tournament.sheets.readers import read_scan
from tournament.sheets.services import scoresheets
from tournament.tables.models import Table

SCAN_FILE_MISSING = _(
    "The file of this scan is not on this machine. Restore it from a backup, or scan the paper again."
)


def scans_folder() -> Path:
    """Where the files of the scans lie."""
    return Path(settings.VAR_DIR) / "scans"


def attach_scan_to_table(table: Table, *, content: bytes, by: User, request_key: str) -> Scan:
    """Keep a scan of the table's paper; a later one is shown in its place, the older stays.

    1. read by its content (413, 415, 400); 2. the session's draw is confirmed; 3. the file is on the disk; 4. the row;
    5. the audit entry with the digest. Raises what `readers.scans.read_scan` raises, and Refused (409).
    """
    read = read_scan(content)
    digest = hashlib.sha256(read.content).hexdigest()
    key = scoresheets.checked_key(request_key)
    scoresheets.require_playable_session(table)
    keep_file(f"{digest}.{read.kind}", read.content)

    def do() -> dict[str, Any]:
        with transaction.atomic():
            scan = Scan.objects.create(
                session=table.session,
                table_number=table.number,
                paper=queries.newest_paper(table) or None,
                sha256=digest,
                kind=read.kind,
                size=len(read.content),
                by=by,
                at=timezone.now(),
            )
            services.append_audit_entry(
                table.session.stage.event,
                by,
                "attach_scan",
                f"table {queries.sheet_serial(table)}",
                digest=("", digest),
                request_key=key,
                at=scan.at,
            )
        return {"scan": scan.pk}

    answer, _replayed = requests.run_once(f"user:{by.pk}", key, "attach_scan", [table.pk, digest], do)
    return Scan.objects.get(pk=answer["scan"])


def keep_file(name: str, content: bytes) -> None:
    """Write under a name of its own, then rename: a file that is there is whole. The same bytes are written once."""
    scans_folder().mkdir(parents=True, exist_ok=True, mode=0o700)
    path = scans_folder() / name
    if path.exists():
        return
    partial = scans_folder() / f"{name}.{os.getpid()}.{os.urandom(4).hex()}.partial"
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def content_of(scan: Scan) -> bytes:
    """The bytes, if they are still those that were attached; Refused (409) where the file is gone or altered."""
    path = scans_folder() / scan.file_name
    content = path.read_bytes() if path.is_file() else b""
    if hashlib.sha256(content).hexdigest() != scan.sha256:
        raise Refused("scan_gone", SCAN_FILE_MISSING, about=scan)
    return content
