"""Where the Chinese catalogues lie, and whether what Django reads was made from them as they are now."""

import gettext
import hashlib
from pathlib import Path

SOURCES = Path(__file__).resolve().parent / "locale" / "zh_Hant"
COMPILED = SOURCES / "LC_MESSAGES" / "django.mo"
DIGEST_HEADER = "X-Sources-Digest"


def sources() -> list[Path]:
    """One .po a stage."""
    return sorted(SOURCES.glob("*.po"))


def sources_digest() -> str:
    """SHA-256 over the names and contents of the sources: times of files say nothing after a clone."""
    digest = hashlib.sha256()
    for path in sources():
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def compiled_digest() -> str:
    """The digest that the compiled file carries; nothing where there is none."""
    if not COMPILED.exists():
        return ""
    with COMPILED.open("rb") as file:
        return gettext.GNUTranslations(file).info().get(DIGEST_HEADER.lower(), "")
