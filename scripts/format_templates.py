"""Templates at 120 columns: djhtml indents, and a line that is longer is broken here where whitespace says nothing.

    python -m scripts.format_templates [--check] [FOLDER ...]

Broken is between the attributes of a tag, beside a block-level element and at whitespace, the outermost place first. A
long sentence is broken too: `trimmed` keeps its msgid as it was. Lines are never joined. A line without such a place
stays as it is. With --check nothing is written, and the exit status is 1 where a run would change something.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from djhtml.modes import DjHTML

from scripts.template_tokens import GROUPS, NAME, TAG, Gap, Token, tokens_of

WIDTH, STEP = 120, 2
OWN_BLOCKS = {"note": "endnote", "nothing": "endnothing"}
# A break may ask for another indent, and this for another break.
MOST_ROUNDS = 8
# `trimmed` as it is added here; taken out again where the sentence has stayed on one line.
ADDED = "\0trimmed "
LONG_SENTENCE = 80
ATTRIBUTE = re.compile(rf"""\s+|(?:{TAG}|"(?:{TAG}|[^"])*+"|'(?:{TAG}|[^'])*+'|[^\s{{"']|\{{)""", re.S)
PHRASE = re.compile(r"(\{% blocktrans )(.*?%\})(.*?)(\{% endblocktrans %\})", re.S)
TRANS = re.compile(r'\{% trans "([^"%{\\]*)"( context "[^"]*")? %\}')


class Layout:
    """Lines as they grow; `open` holds, for each open element or tag, the indent of the line that it began on."""

    def __init__(self, indent: int) -> None:
        self.indent = indent
        self.base = indent - STEP
        self.lines: list[str] = []
        self.current = " " * indent
        self.open: list[int] = []

    def room_for(self, part: list[Token], more: int) -> bool:
        """Whether the line can take these tokens and so many characters more."""
        return len(self.current) + more + width(part) <= WIDTH

    def new_line(self, first: Token) -> None:
        """End the line; the next begins with this token, at the indent that djhtml gives it."""
        if self.current.strip():
            self.lines.append(self.current.rstrip())
            self.indent = self.next_indent(first)
            self.current = " " * self.indent

    def next_indent(self, first: Token) -> int:
        """The indent of a line that begins with this token."""
        held = self.open[-1] if self.open else self.base
        return held if first.is_closing or first.is_branch else held + STEP

    def put(self, part: list[Token]) -> None:
        """Tokens on the line as it is."""
        for n, token in enumerate(part):
            self.current += " " * (n > 0 and token.gap == "space")
            if n and part[n - 1].starts_tag:
                self.open[-1] = len(self.current) - STEP  # djhtml puts attributes below each other
            self.current += token.text
            if token.starts_tag:
                self.open += [self.indent, self.indent]
            elif token.ends_tag:
                del self.open[len(self.open) - (1 if token.turn > 0 else 2) :]
            elif token.turn > 0:
                self.open.append(self.indent)
            elif token.turn < 0 and self.open:
                self.open.pop()

    def lay(self, part: list[Token], tail: int = 0) -> None:
        """Tokens on the line if there is room, else broken at the outermost places.

        `tail` is how much room is to be left for what closes the elements around them.
        """
        gaps = [n for n in range(1, len(part)) if part[n].gap]
        if part[0].starts_tag and not self.current.strip():
            gaps = gaps[1:]
        if not gaps or self.room_for(part, 0):
            self.put(part)
            return
        low = min(part[n].depth for n in gaps)
        cuts = [0, *(n for n in gaps if part[n].depth == low), len(part)]
        pieces = [part[start:end] for start, end in pairwise(cuts)]
        last = len(pieces) - 1
        closes = pieces[last][0].is_closing
        was_broken = False
        for n, piece in enumerate(pieces):
            rest = tail if n == last else tail + width(pieces[last]) if closes and n == last - 1 else 0
            if n:
                self.part_from_last(piece, rest, was_broken, n == 1 and pieces[0][-1].turn > 0)
            lines = len(self.lines)
            self.lay(piece, rest)
            was_broken = len(self.lines) > lines

    def part_from_last(self, piece: list[Token], rest: int, was_broken: bool, after_start: bool) -> None:
        """A space, a new line or nothing before a piece, as its gap allows and its length asks for."""
        first, space = piece[0], piece[0].gap == "space"
        fits = self.room_for(piece, space + rest)
        if not fits and after_start:
            fits = width(piece) + rest > WIDTH - self.next_indent(first) and self.room_for(head(piece), space)
        if first.is_branch or (was_broken and not first.is_closing) or not fits:
            self.new_line(first)
        elif space:
            self.current += " "


def width(part: list[Token]) -> int:
    """Of tokens on one line, without the space before the first."""
    return sum(len(token.text.replace(ADDED, "")) + (token.gap == "space") for token in part) - (part[0].gap == "space")


def head(part: list[Token]) -> list[Token]:
    """What cannot be parted from its first token."""
    start = next((n for n, token in enumerate(part) if token.ends_tag), 0) if part[0].starts_tag else 0
    return part[: next((n for n in range(start + 1, len(part)) if part[n].gap), len(part))]


def in_pieces(token: Token) -> Iterator[Token]:
    """A token as what may be parted: a tag as its attributes, a sentence as its words."""
    said = TRANS.fullmatch(token.text)
    if said and len(said[1]) >= LONG_SENTENCE and said[1] == said[1].strip():
        context = f"{said[2].strip()} " if said[2] else ""
        token.text, token.name = f"{{% blocktrans {context}%}}{said[1]}{{% endblocktrans %}}", "blocktrans"
    if token.name == "blocktrans":
        yield from words_of(token)
    elif token.text.startswith("<") and not token.is_raw and not token.is_closing:
        yield from attributes_of(token)
    else:
        yield token


def words_of(phrase: Token) -> Iterator[Token]:
    """The words of a sentence, where `trimmed` makes the same msgid of them; else the sentence as it is."""
    start, options, body, end = PHRASE.findall(phrase.text)[0]
    is_trimmed = options.startswith("trimmed ")
    texts = re.split(r"\{% plural %\}", body)
    if is_trimmed:
        texts = [re.sub(r"\s*\n\s*", " ", text.strip()) for text in texts]
    if any(text != " ".join(text.split()) for text in texts):
        yield phrase
        return
    depth = phrase.depth + 1
    opening = start + ADDED * (not is_trimmed) + options
    yield Token(opening, "inline", "blocktrans", 1, phrase.depth, phrase.gap)
    for n, text in enumerate(texts):
        if n:
            yield Token("{% plural %}", "inline", "plural", 0, depth, "joint")
        for at, word in enumerate(re.findall(rf"(?:{TAG}|\S)+", text)):
            yield Token(word, "text", depth=depth + bool(at), gap="space" if at else "joint")
    yield Token(end, "inline", "endblocktrans", -1, depth, "joint")


def attributes_of(tag: Token) -> Iterator[Token]:
    """`<a`, each of its attributes, and its `>`; what stands within an {% if %} is deeper."""
    pieces = list(chunks_of(tag))
    if len(pieces) == 1:
        yield tag
        return
    last = pieces[-1]
    end = "/>" if last.text.endswith("/>") else ">"
    last.text = last.text.removesuffix(end)
    pieces[0].depth, pieces[0].starts_tag, pieces[1].depth = tag.depth, True, tag.depth + 2
    yield from pieces
    yield Token(end, tag.kind, "", tag.turn, tag.depth + 9, "joint", ends_tag=True)


def chunks_of(tag: Token) -> Iterator[Token]:
    """A tag cut at its whitespace and before each {% if %} that adds an attribute."""
    text, within, depth = "", 0, 0
    gap: Gap = tag.gap
    for match in ATTRIBUTE.finditer(tag.text):
        part = match[0]
        named = NAME.match(part) if part.startswith("{%") else None
        name = named[1] if named else ""
        adds = name in GROUPS and not within and tag.text[match.end()].isspace() and text[-1:] not in ("", "=")
        if text and (part.isspace() or adds):
            yield Token(text, tag.kind, depth=tag.depth + 3 + depth, gap=gap)
            text, gap = "", "joint" if adds else "space"
        if not text:
            depth = within
        text += part.strip()
        within += (name in GROUPS) - name.startswith("end")
    yield Token(text, tag.kind, depth=tag.depth + 3 + depth, gap=gap)


def broken(line: list[Token], indent: int) -> str:
    """One long line as several."""
    layout = Layout(indent)
    layout.lay([piece for token in line if token.kind != "space" for piece in in_pieces(token)])
    text = "\n".join([*layout.lines, layout.current])
    return PHRASE.sub(lambda found: found[0].replace(ADDED, "trimmed " if "\n" in found[0] else ""), text)


def lines_of(tokens: list[Token]) -> Iterator[list[Token]]:
    """The tokens of each line; the space with the line's end begins the next."""
    line: list[Token] = []
    for token in tokens:
        if token.kind == "space" and "\n" in token.text:
            yield line
            line = []
        line.append(token)
    yield line


def with_lines_broken(source: str) -> str:
    """A template in which each line that was too long is several."""
    made = ""
    for line in lines_of(tokens_of(source)):
        text = "".join(token.text for token in line)
        lead = line[0].text if line and line[0].kind == "space" else ""
        rest = line[1:] if lead else line
        is_kept = any(token.is_raw and "\n" in token.text for token in rest)
        if rest and not is_kept and any(len(row) > WIDTH for row in text.split("\n")):
            before, end, indent = lead.rpartition("\n")
            text = before + end + broken(rest, len(indent))
        made += text
    return made


def formatted(source: str) -> str:
    """A template as it should be; a second run changes nothing."""
    for _ in range(MOST_ROUNDS):
        made = str(DjHTML(with_lines_broken(source), extra_blocks=OWN_BLOCKS).indent(STEP))
        if made == source:
            return made
        source = made
    raise RuntimeError(f"no end of breaking and indenting: {source[:WIDTH]}")


def main(arguments: list[str]) -> int:
    """Write each template as it should be, or with --check name those that are not so."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("folders", nargs="*", default=["templates"], help="where templates lie")
    parser.add_argument("--check", action="store_true", help="write nothing; exit status 1 if a template would change")
    given = parser.parse_args(arguments)
    changed, long = 0, 0
    for path in sorted(path for folder in given.folders for path in Path(folder).rglob("*.html")):
        source = path.read_text(encoding="utf-8")
        made = formatted(source)
        long += sum(len(row) > WIDTH for row in made.split("\n"))
        if made != source:
            changed += 1
            print(f"{'would change' if given.check else 'changed'} {path}")
            if not given.check:
                path.write_text(made, encoding="utf-8")
    print(f"templates: {changed} not as formatted, {long} lines over {WIDTH} columns without a place to break")
    return int(given.check and changed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
