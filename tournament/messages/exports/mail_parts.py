"""What a mail is made of, and its plain text. The HTML is made from the same parts (templates/mail/mail.html)."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

# Marked one by one as reserves; the sentence at the line speaks for the rest.
RESERVES_MARKED = 20
CALLED_AS_RESERVE_WORDS = _(
    "Rank %(rank)s in the preliminary: a place in the final is offered to you as a reserve. It is yours once you "
    "accept."
)


@dataclass(frozen=True, slots=True)
class MailParagraph:
    """A paragraph; its line breaks are kept. `strong`: what is to be seen first."""

    text: str
    strong: bool = False
    kind: str = "words"


@dataclass(frozen=True, slots=True)
class MailFacts:
    """`rows` are pairs of a label and its value."""

    rows: tuple[tuple[str, str], ...]
    kind: str = "facts"


@dataclass(frozen=True, slots=True)
class MailSteps:
    """A title, and what to do one after another."""

    title: str
    lines: tuple[str, ...]
    kind: str = "steps"


@dataclass(frozen=True, slots=True)
class MailFigures:
    """A table of games: heads, and rows as many cells wide; of figures all but the first are numbers."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    kind: str = "figures"


@dataclass(frozen=True, slots=True)
class MailLink:
    """An address with what it leads to."""

    words: str
    url: str
    kind: str = "link"


MailPart = MailParagraph | MailFacts | MailSteps | MailFigures | MailLink


@dataclass(frozen=True, slots=True)
class MailText:
    """A mail in one language: the subject, the title that it begins with, its parts, and why it came."""

    subject: str
    title: str
    parts: tuple[MailPart, ...]
    foot: tuple[str, ...]


def mail_plain_text(said: MailText, event: str) -> str:
    """The mail as text/plain: paragraphs apart by empty lines."""
    blocks = [f"{said.title}\n{event}", *("\n".join(_plain_text_lines(part)) for part in said.parts)]
    return "\n\n".join([*blocks, "\n".join(["--", *said.foot])]) + "\n"


def _plain_text_lines(part: MailPart) -> Iterator[str]:
    match part:
        case MailParagraph():
            yield part.text
        case MailFacts():
            yield from (label_and_value(label, value) for label, value in part.rows)
        case MailSteps():
            yield part.title
            yield from (f"{number}. {line}" for number, line in enumerate(part.lines, start=1))
        case MailFigures():
            yield part.title
            for first, *rest in part.rows:
                named = zip(part.heads[1:], rest, strict=False)
                told = [f"{head} {cell}" for head, cell in named if cell]
                # A game that was not played has one word in place of figures.
                cells = gettext(", ").join(told) if all(rest) else rest[0]
                yield label_and_value(first, cells)
        case MailLink():
            yield part.words
            yield part.url


def label_and_value(label: str, value: str) -> str:
    """日期：4 月 6 日; Date: 6 April."""
    return gettext("%(label)s: %(value)s") % {"label": label, "value": value}
