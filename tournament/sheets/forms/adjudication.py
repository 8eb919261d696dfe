"""What the pages of the second typing send: a decision for each cell, and the share that is typed twice."""

from collections.abc import Mapping

OTHER_TEXT_PREFIX = "other:"
MAX_ADJUDICATED_TEXT = 500


def read_adjudicated_cells(sent: Mapping[str, str]) -> dict[str, str]:
    """The text decided for each cell, by field name; where neither is right, the one typed beside it."""
    found = {}
    for name, value in sent.items():
        if not name.startswith(("games-", "totals-")):
            continue
        found[name] = (
            sent.get(f"{OTHER_TEXT_PREFIX}{name}", "").strip()[:MAX_ADJUDICATED_TEXT]
            if value == OTHER_TEXT_PREFIX
            else value
        )
    return found


def read_double_entry_percent(sent: Mapping[str, str]) -> int:
    """The share: none, all, or the number typed; −1 for what is no number."""
    kind = sent.get("second", "")
    if kind in ("none", "all"):
        return 100 if kind == "all" else 0
    text = sent.get("percent", "").strip().removesuffix("%")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else -1
