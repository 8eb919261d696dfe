"""Where each sentence of the program's own scripts stands; what a script asks is looked for in its text (asked.py)."""

import json
import re
from collections.abc import Iterator

from tests.claims.standing_places import NONE, Place
from tests.core.translatable import ROOT, in_context

MARKED_IN_SCRIPT = re.compile(
    r"^export (?:const|function) (?P<name>\w+)"
    r'|(?:^ *(?P<key>\w+): )?\b(?:gettext\(|pgettext\("(?P<context>[^"]*)", )(?P<message>"(?:[^"\\]|\\.)*")\)',
    re.MULTILINE,
)


def in_scripts() -> Iterator[Place]:
    """Every sentence of the program's own scripts, with its key in a table and the module's name for what says it."""
    for path in sorted((ROOT / "tournament" / "static" / "js").rglob("*.js")):
        name = ""
        for found in MARKED_IN_SCRIPT.finditer(path.read_text(encoding="utf-8")):
            name = found["name"] or name
            if found["message"]:
                said = in_context(found["context"], json.loads(found["message"]))
                yield Place(said, str(path.relative_to(ROOT)), NONE, frozenset({name, found["key"] or name} - {""}))
