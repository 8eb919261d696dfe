"""What a mail is made of, and its plain text. The HTML is made from the same parts (templates/mail/mail.html)."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext


@dataclass(frozen=True, slots=True)
class Words:
    """A paragraph; its line breaks are kept. `strong`: what is to be seen first."""

    text: str
    strong: bool = False
    kind: str = "words"


@dataclass(frozen=True, slots=True)
class Facts:
    """Labels with their values."""

    rows: tuple[tuple[str, str], ...]
    kind: str = "facts"


@dataclass(frozen=True, slots=True)
class Steps:
    """A title, and what to do one after another."""

    title: str
    lines: tuple[str, ...]
    kind: str = "steps"


@dataclass(frozen=True, slots=True)
class Figures:
    """A table of games: heads, and rows as many cells wide; of figures all but the first are numbers."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    kind: str = "figures"


@dataclass(frozen=True, slots=True)
class Link:
    """An address with what it leads to."""

    words: str
    url: str
    kind: str = "link"


Part = Words | Facts | Steps | Figures | Link


@dataclass(frozen=True, slots=True)
class Said:
    """A mail in one language: the subject, the title that it begins with, its parts, and why it came."""

    subject: str
    title: str
    parts: tuple[Part, ...]
    foot: tuple[str, ...]


def plain_text(said: Said, event: str) -> str:
    """The mail as text/plain: paragraphs apart by empty lines."""
    blocks = [f"{said.title}\n{event}", *("\n".join(_lines(part)) for part in said.parts)]
    return "\n\n".join([*blocks, "\n".join(["--", *said.foot])]) + "\n"


def _lines(part: Part) -> Iterator[str]:
    match part:
        case Words():
            yield part.text
        case Facts():
            yield from (label_and_value(label, value) for label, value in part.rows)
        case Steps():
            yield part.title
            yield from (f"{number}. {line}" for number, line in enumerate(part.lines, start=1))
        case Figures():
            yield part.title
            for first, *rest in part.rows:
                named = zip(part.heads[1:], rest, strict=False)
                told = [f"{head} {cell}" for head, cell in named if cell]
                # A game that was not played has one word in place of figures.
                cells = gettext(", ").join(told) if all(rest) else rest[0]
                yield label_and_value(first, cells)
        case Link():
            yield part.words
            yield part.url


def label_and_value(label: str, value: str) -> str:
    """日期：4 月 6 日; Date: 6 April."""
    return gettext("%(label)s: %(value)s") % {"label": label, "value": value}
