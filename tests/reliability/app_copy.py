"""A copy of the project in a folder of its own, which is brought up to date while tablets have it open."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.reliability.server import ROOT, Server

PARTS = ("tournament", "scoring", "templates")
STATIC = Path("tournament", "static", "js", "tablet")
# The form of the items: the page that sends it, and the server that takes no older one.
SCHEMA = (
    (STATIC / "requests.js", "export const SCHEMA = "),
    (Path("tournament", "tablets", "domain.py"), "TABLET_SCHEMA = "),
)


class AppCopy:
    """The project in `folder`, its static files in `folder`/var, and a server of it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.var = folder, folder / "var"
        for part in PARTS:
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "manage.py", folder)
        self.server = Server("tournament.wsgi", {"VAR_DIR": str(self.var)}, workers=1, folder=folder)
        command = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
        subprocess.run(command, cwd=folder, env=self.server.environment, check=True)
        self.updates, self.schema = 0, 1

    def update(self, new_schema: bool) -> None:
        """A new version of the page is on the server, which ended and began again. `new_schema`: what the older page
        sends is refused from now on (426)."""
        self.server.kill()
        self.updates += 1
        self.rewrite(STATIC / "words.js", lambda text: f"{text}// update {self.updates}\n")
        if new_schema:
            self.schema += 1
            for path, before in SCHEMA:
                self.rewrite(
                    path, lambda text, mark=before: text.replace(f"{mark}{self.schema - 1}", f"{mark}{self.schema}")
                )
        self.server.start()

    def rewrite(self, path: Path, change: Callable[[str], str]) -> None:
        """In the copy, and as it was collected."""
        file = self.folder / path
        text = change(file.read_text(encoding="utf-8"))
        assert text != file.read_text(encoding="utf-8"), path
        file.write_text(text, encoding="utf-8")
        parts = path.parts
        if "static" in parts:
            served = self.var / "static" / Path(*parts[parts.index("static") + 1 :])
            served.write_text(text, encoding="utf-8")
