"""One folder of the public's files while it is written: addresses, bodies named by their content, what is kept.

A file has a temporary name until it is whole; a new manifest lets all new addresses count at once.
"""

import gzip
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

PUBLIC_MANIFEST_NAME = "manifest.json"
# What moves with the next release is asked for again at once. A numbered release never changes, but it may be
# withdrawn and must then answer 410 soon, out of every cache on the way.
CACHE_CURRENT_PAGE, CACHE_NUMBERED_PAGE = "public, max-age=5", "public, max-age=60"
# What of an entry names a body.
PUBLIC_BODY_KINDS = ("file", "gzip", "pack")

ManifestEntry = dict[str, Any]


class PublicSiteWriter:
    """One folder of PUBLIC_ROOT while it is being written: its addresses, its bodies, what may be kept of before."""

    def __init__(self, root: Path, *, anew: bool) -> None:
        self.root = root
        self.paths: dict[str, ManifestEntry] = {}
        self.made: dict[str, ManifestEntry] = {}
        # By release whose full names were masked in what is written.
        self.masked: dict[int, list[int]] = {}
        (root / "files").mkdir(parents=True, exist_ok=True)
        manifest = {} if anew else self._manifest_before()
        self.before: dict[str, ManifestEntry] = manifest.get("made", {})
        self.paths_before: dict[str, ManifestEntry] = manifest.get("paths", {})

    def _manifest_before(self) -> dict[str, dict[str, ManifestEntry]]:
        try:
            return dict(json.loads((self.root / PUBLIC_MANIFEST_NAME).read_bytes()))
        except (OSError, ValueError):
            return {}

    def put(
        self, path: str, body: bytes, content_type: str, *, status: int = 200, cache: str = CACHE_CURRENT_PAGE
    ) -> None:
        """Answer `path` with this body, gzipped beside it."""
        self.paths[path] = {"status": status, "type": content_type, "cache": cache, **self._keep_both(body)}

    def put_made(self, key: str, path: str, make: Callable[[], bytes], *, packed: bool = False, **heads: str) -> None:
        """The same for what is slow to make: `key` names all that it is made from, and is made once.

        What was made of the same key before is kept, unless its file has gone. `packed`: gzip would not help.
        """
        made = self.made.get(key) or self.before.get(key)
        if not made or not all((self.root / "files" / name).exists() for name in made.values()):
            body = make()
            made = {"file": self._keep(body)} if packed else self._keep_both(body)
        self.made[key] = made
        self.paths[path] = {"status": 200, **heads, **made}

    def put_pack(self, key: str, make: Callable[[], Sequence[tuple[str, bytes]]], **heads: str) -> None:
        """Many small pages, gzipped one by one and kept in one body: an address has its place and length there."""
        made = self.made.get(key) or self.before.get(key)
        kept = {path: entry for path, entry in self.paths_before.items() if made and entry.get("pack") == made["pack"]}
        if not made or not kept or not (self.root / "files" / made["pack"]).exists():
            zipped = [(path, gzip.compress(body, 9, mtime=0)) for path, body in make()]
            made = {"pack": self._keep(b"".join(body for _path, body in zipped))}
            ends = accumulate((len(body) for _path, body in zipped), initial=0)
            kept = {path: {"at": [end, len(body)]} for (path, body), end in zip(zipped, ends, strict=False)}
        self.made[key] = made
        for path, entry in kept.items():
            self.paths[path] = {"status": 200, **heads, **made, "at": entry["at"]}

    def redirect(self, path: str) -> None:
        """An address without its last slash leads to the one with it."""
        self.paths[path.rstrip("/")] = {"status": 301, "location": path}

    def lead(self, path: str, to: str) -> None:
        """An address that leads to another for now."""
        self.paths[path] = {"status": 302, "location": to, "cache": CACHE_CURRENT_PAGE}

    def _keep_both(self, body: bytes) -> ManifestEntry:
        return {"file": self._keep(body), "gzip": self._keep(gzip.compress(body, 9, mtime=0))}

    def _keep(self, body: bytes) -> str:
        name = hashlib.sha256(body).hexdigest()
        if not (self.root / "files" / name).exists():
            write_atomically(self.root / "files" / name, body)
        return name

    def close(self) -> None:
        """Let the new addresses count, then remove the bodies that none of them names."""
        told = {"paths": self.paths, "made": self.made, **({"masked": self.masked} if self.masked else {})}
        manifest = json.dumps(told, sort_keys=True, separators=(",", ":"))
        write_atomically(self.root / PUBLIC_MANIFEST_NAME, manifest.encode())
        named = {entry[kind] for entry in self.paths.values() for kind in PUBLIC_BODY_KINDS if kind in entry}
        for file in (self.root / "files").iterdir():
            if file.name not in named:
                file.unlink(missing_ok=True)


def write_atomically(path: Path, body: bytes) -> None:
    """Write under a temporary name, to the disk, then rename: a reader sees all of it or none."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".")
    with os.fdopen(handle, "wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())
    os.chmod(name, 0o644)
    os.replace(name, path)
