"""The events of the demo: Hong Kong's, and one by each of the other rule texts."""

import json
from pathlib import Path

from django.conf import settings

DEFAULT_DEMO_EVENT = "hk-2026"
DEMO_EVENTS = (DEFAULT_DEMO_EVENT, "twist", "school", "word", "french")
# What an event has that ends with its first stage.
DEMO_STAGES_OF_ONE_STAGE = ("imported", "seated", "playing", "results", "released")


def demo_fixtures(event: str) -> Path:
    """The folder with the event's event.json and entrants.xlsx."""
    folder: Path = settings.BASE_DIR / "fixtures"
    return folder if event == DEFAULT_DEMO_EVENT else folder / event


def ends_with_first_stage(fixtures: Path) -> bool:
    """Whether nobody advances from the first stage of the event."""
    data = json.loads((fixtures / "event.json").read_text(encoding="utf-8"))
    return bool(data["stages"][0].get("qualifying") == "")
