"""The register of claims: every message that asserts something, with its kind and what it rests on. See docs/claims.md.

`register/<subject>.toml`: in which file a message stands is for people alone. RULE, OURS, PAST and LABEL are lists of
messages; under STATE the key is the ground, under OFFER what ends it; each PROMISE names its executor and the test that
runs it. `stronger` says why a Chinese sentence may be surer than its English. A message is written as its msgid, after
its context and a "|".
"""

import importlib
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from django.db.models import Model

from tests.core.test_words import entries, texts_of
from tests.core.translatable import in_context

ROOT = Path(__file__).resolve().parent.parent.parent
REGISTER = Path(__file__).resolve().parent / "register"

ASSERTS_IN_ENGLISH = re.compile(
    r"\b(all|every|everybody|everyone|everything|nobody|nothing|never|always|only|cannot|sent|told|published|recorded"
    r"|settled|certain|certainly|safe|once|until)\b",
    re.IGNORECASE,
)
ASSERTS_IN_CHINESE = re.compile("全部|所有|人人|已|不會|確定|即時|只|一切|無人|保留至")

PLAIN, STATE, OFFER, PROMISE = ("RULE", "OURS", "PAST", "LABEL"), "STATE", "OFFER", "PROMISE"
STRONGER = "stronger"
KINDS = (*PLAIN, STATE, OFFER, PROMISE)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the catalogues: its key, English (both numbers), Chinese."""

    key: str
    english: str
    chinese: str

    @property
    def asserts(self) -> bool:
        """Whether either language has a word that says more than "this page shows"."""
        return bool(ASSERTS_IN_ENGLISH.search(self.english) or ASSERTS_IN_CHINESE.search(self.chinese))


@dataclass(frozen=True, slots=True)
class Claim:
    """One row. `file` of the register; `ground` of a STATE; `until` of an OFFER; `executor`, `test` of a PROMISE."""

    file: str
    key: str
    kind: str
    ground: str = ""
    until: str = ""
    executor: str = ""
    test: str = ""


@cache
def messages() -> dict[str, Message]:
    """Every message in use, by its key."""
    found: dict[str, Message] = {}
    for entry in entries():
        key = in_context(entry.msgctxt, entry.msgid)
        english = f"{entry.msgid} {entry.msgid_plural}".strip()
        found[key] = Message(key, english, " ".join(texts_of(entry)))
    return found


def claims_of(file: str, rows: dict[str, Any]) -> Iterator[Claim]:
    """The rows of one file."""
    for kind in PLAIN:
        yield from (Claim(file, key, kind) for key in rows.get(kind, ()))
    for ground, keys in rows.get(STATE, {}).items():
        yield from (Claim(file, key, STATE, ground=ground) for key in keys)
    for until, keys in rows.get(OFFER, {}).items():
        yield from (Claim(file, key, OFFER, until=until) for key in keys)
    for one in rows.get(PROMISE, ()):
        named = {name: one.get(name, "") for name in ("executor", "test")}
        yield from (Claim(file, key, PROMISE, **named) for key in one["messages"])


@cache
def files() -> dict[str, dict[str, Any]]:
    """Each file of the register, by its subject."""
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(REGISTER.glob("*.toml"))}


def register() -> list[Claim]:
    return [claim for file, rows in files().items() for claim in claims_of(file, rows)]


def stronger() -> dict[str, str]:
    """By key: why the Chinese may be surer than the English."""
    return {key: why for rows in files().values() for key, why in rows.get(STRONGER, {}).items()}


def is_there(name: str) -> bool:
    """Whether a dotted name leads to something in a module, or a path of a script to a file."""
    if "/" in name:
        return (ROOT / name).is_file()
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        return has(found, parts[length:])
    return False


def has(owner: Any, names: list[str]) -> bool:
    """Whether the owner has the first name, that the second, and so on; a model's fields and a dataclass's count."""
    if not names:
        return not isinstance(owner, ModuleType)
    first, *rest = names
    if isinstance(owner, type) and issubclass(owner, Model) and first in {one.name for one in owner._meta.get_fields()}:
        return not rest
    if first in getattr(owner, "__dataclass_fields__", {}):
        return not rest
    return hasattr(owner, first) and has(getattr(owner, first), rest)


def is_a_test(name: str) -> bool:
    """Whether `tests/…/test_x.py::test_y` is written there."""
    path, _, function = name.partition("::")
    file = ROOT / path
    return bool(function) and file.is_file() and f"def {function}(" in file.read_text(encoding="utf-8")
