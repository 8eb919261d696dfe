"""`python -m scripts.doc_tests`: brings the places of tests in docs/reliability.md up to date after tests have moved.

A test is named there as `tests/.../test_x.py::test_name`. Its name stays when its file moves, so it is looked up by its
name; a name that is gone, or that several files have, is printed and left as it is.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RELIABILITY_DOCUMENT = ROOT / "docs" / "reliability.md"
TEST = re.compile(r"^(?:async )?def (test_\w+)\(", re.MULTILINE)
NODE = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def places() -> dict[str, list[str]]:
    """The files in which each test function stands, by its name."""
    found = defaultdict(list)
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for name in TEST.findall(path.read_text(encoding="utf-8")):
            found[name].append(path.relative_to(ROOT).as_posix())
    return found


def updated(text: str, where: dict[str, list[str]]) -> tuple[str, list[str]]:
    """The document with today's places, and what could not be found in exactly one."""
    lost = []

    def place(match: re.Match[str]) -> str:
        path, name = match.groups()
        files = where.get(name, [])
        if path in files:
            return match[0]
        if len(files) != 1:
            lost.append(f"{name}: {', '.join(files) or 'no such test'}")
            return match[0]
        return f"`{files[0]}::{name}`"

    return NODE.sub(place, text), lost


def main() -> int:
    """Rewrite the document; exit status 1 if a test was not found."""
    text, lost = updated(RELIABILITY_DOCUMENT.read_text(encoding="utf-8"), places())
    RELIABILITY_DOCUMENT.write_text(text, encoding="utf-8")
    print("\n".join(lost) or f"{RELIABILITY_DOCUMENT.name}: every test is where it says")
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
