"""Debian's Chromium for tests and pictures: how it is started, and with which fonts."""

import os
import tempfile
from pathlib import Path
from typing import Any

FONTS = Path(__file__).resolve().parent.parent / "tournament" / "fonts"
CHROMIUM: dict[str, Any] = {
    "executable_path": "/usr/bin/chromium",
    "args": [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ],
}


def with_hong_kong_fonts() -> None:
    """Let the browsers started from now on see the fonts that come with the project, and no others."""
    folder = Path(tempfile.gettempdir()) / f"fonts-of-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    (folder / "fonts.conf").write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">'
        f"<fontconfig><dir>{FONTS}</dir><cachedir>{folder / 'cache'}</cachedir></fontconfig>",
        encoding="utf-8",
    )
    os.environ["FONTCONFIG_FILE"] = str(folder / "fonts.conf")
