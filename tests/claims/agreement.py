"""What pages, files and the API say of one thing at one moment, as values that can be compared.

Two of them differ where one says settled and another open, one so many sheets and another so many, one a release and
another none.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from tests.claims.pages import Read

# Reasons against a release that are of its hour, its words or its being out already, and not of the results.
NOT_OF_RESULTS = frozenset({"embargo", "text_names_somebody", "already_released"})
# Those for which the ranking still waits.
WAITED_FOR = frozenset(
    {
        "rounds_missing",
        "session_not_drawn",
        "session_stopped",
        "sheets_missing",
        "sheets_not_locked",
        "entrants_unplayed",
    }
)
COUNTED = re.compile(r"([0-9,]+) of ([0-9,]+) scoresheets counted")
NOTHING_OUT = re.compile("No results are published at the moment|Results are not published yet")

RANKED = re.compile(r"Rank\b.*\bWins\b|Champion|1st place")

# Thing, value.
Said = tuple[str, str]


def disagreements(pages: list[Read]) -> list[str]:
    """Each thing of which two of these say different things, with who says what."""
    values: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for page in pages:
        for thing, value in said_by(page):
            values[thing][value].append(page.name)
    return [f"{thing}: {dict(found)}" for thing, found in values.items() if len(found) > 1]


def said_by(page: Read) -> Iterator[Said]:
    """What one of them says."""
    if page.name == "api/releases/":
        yield from by_api(json.loads(page.text))
    elif page.name == "api/standings/":
        sheets = json.loads(page.text)["sheets"]
        yield "sheets of the preliminary", f"{sheets['locked']} of {sheets['tables']}"
    elif page.name == "public/current.json":
        pointer = json.loads(page.text)
        yield "release in public", str(pointer.get("stages", {"preliminary": pointer["release"]})["preliminary"])
    elif page.name == "overview":
        yield from by_overview(page.text)
    elif page.name.startswith("file/"):
        _file, number, form = page.name.split("/")
        yield f"release {number} is out", str(bool(page.text))
        if page.text and form != "ranking.pdf":
            yield f"the order of release {number}", page.text
    elif page.name in ("qualification", "standings") and (found := COUNTED.search(page.text)):
        yield "sheets of the preliminary", " of ".join(found.groups()).replace(",", "")
        if page.name == "qualification" and "counted tie decided" not in page.text:
            yield "results of the preliminary", "settled" if "counted settled" in page.text else "open"
    elif page.name == "podium":
        yield "results of the final", "settled" if re.search(r"Podium( \S+){0,12} settled ", page.text) else "open"
    elif page.name == "public/":
        if NOTHING_OUT.search(page.text):
            yield "anything in public", "False"
        elif RANKED.search(page.text):
            yield "anything in public", "True"


def by_overview(text: str) -> Iterator[Said]:
    """The badges of its cards."""
    if found := re.search(r"Ranking (complete|live) (.*?scoresheets counted)", text):
        yield "ranking of the preliminary", "finished" if found[1] == "complete" else "open"
        if counted := COUNTED.search(found[2]):
            yield "sheets of the preliminary", " of ".join(counted.groups()).replace(",", "")
    if found := re.search(r"Cut (settled|open|to be decided)", text):
        yield "results of the preliminary", "settled" if found[1] == "settled" else "open"
    if found := re.search(r"Podium and award (settled|open|to be decided)", text):
        yield "results of the final", "settled" if found[1] == "settled" else "open"


def by_api(answer: dict[str, Any]) -> Iterator[Said]:
    """Of the list of releases with what blocks the next."""
    for stage, blocks in (("preliminary", answer["blocks"]), ("final", (answer["final"] or {}).get("blocks"))):
        if blocks is not None:
            codes = {one["code"] for one in blocks} - NOT_OF_RESULTS
            yield f"results of the {stage}", "open" if codes else "settled"
            if stage == "preliminary" and "nothing_to_release" not in codes:
                yield f"ranking of the {stage}", "open" if codes & WAITED_FOR else "finished"
    for one in answer["releases"]:
        yield f"release {one['number']} is out", str(one["withdrawn_at"] is None)
    released = [one for one in answer["releases"] if one["stage"] == "preliminary"]
    newest = released[0] if released else None
    standing = newest is not None and newest["withdrawn_at"] is None
    yield "release in public", str(newest["number"]) if newest and standing else "None"
    if newest is None:
        yield "anything in public", "False"
