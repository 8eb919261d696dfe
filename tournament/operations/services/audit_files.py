"""What the public reads on disk against what the releases and notices give, byte for byte."""

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings

from tournament.core.models.event import Event
from tournament.messages.queries.notices import published_notices_of
from tournament.operations.services.audit_chain import AuditChain
from tournament.publication.services import files as release_files
from tournament.publication.services.shelf import PUBLIC_BODY_KINDS, PUBLIC_MANIFEST_NAME, PublicSiteWriter
from tournament.releases.models import Release


def check_files(chain: AuditChain) -> int:
    """What the public reads is what the releases give, byte for byte; how many addresses were compared."""
    event = chain.event
    root = Path(settings.PUBLIC_ROOT) / event.slug
    kept = addresses_on_disk(root)
    told = Release.objects.filter(stage__event=event).exists() or published_notices_of(event)
    if not kept and not told:
        return 0  # nothing was ever published
    wanted = addresses_made_anew(event)
    for path in sorted(wanted.keys() | kept.keys()):
        if wanted.get(path) != kept.get(path):
            chain.find("public_file", f"file {path or '/'}", *(str(one.get(path))[:40] for one in (wanted, kept)))
    return len(wanted)


def addresses_on_disk(root: Path) -> dict[str, Any]:
    """What each address answers now: its entry with the digest of the bytes that are really there."""
    try:
        paths = json.loads((root / PUBLIC_MANIFEST_NAME).read_bytes())["paths"]
    except (OSError, ValueError, KeyError):
        return {}
    return {path: with_bytes(root, entry) for path, entry in paths.items()}


def with_bytes(root: Path, entry: dict[str, Any]) -> dict[str, Any]:
    """The entry with the real digest in the place of each file's name."""
    files = {name: root / "files" / str(entry[name]) for name in PUBLIC_BODY_KINDS if name in entry}
    real = {
        name: hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "none"
        for name, path in files.items()
    }
    return {**entry, **real}


def addresses_made_anew(event: Event) -> dict[str, Any]:
    """What each address must answer: everything made again in a folder that is then removed."""
    with tempfile.TemporaryDirectory(prefix="verify-") as folder:
        shelf = PublicSiteWriter(Path(folder), anew=True)
        release_files.write_all_pages(shelf, event)
        return {path: with_bytes(Path(folder), entry) for path, entry in shelf.paths.items()}
