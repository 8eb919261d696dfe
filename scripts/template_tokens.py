"""A template of Django cut into tokens, each with the break that may stand before it without changing the page."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

# "space" may become a line end, "joint" may have one put in, "" may not be touched.
Gap = Literal["", "space", "joint"]
Kind = Literal["space", "text", "block", "inline", "silent", "raw"]

TAG = r"\{%(?:[^%\n]|%(?!\}))*+%\}|\{\{(?:[^}\n]|\}(?!\}))*+\}\}|\{[#].*?[#]\}"
HTML = rf"""</?[a-zA-Z](?:{TAG}|"(?:{TAG}|[^"])*+"|'(?:{TAG}|[^'])*+'|[^>"'])*+>"""
LEXEME = re.compile(
    rf"""(?P<raw><(?P<kept>script|style|textarea|pre|title)\b.*?</(?P=kept)\s*>|<!.*?>
        |\{{%\ comment\b.*?endcomment\ %\}})
    |(?P<phrase>\{{%\ blocktrans\b.*?\{{%\ endblocktrans\ %\}})
    |(?P<tag>{TAG})
    |(?P<html>{HTML})
    |(?P<space>\s+)
    |(?P<text>(?:(?!{TAG}|</?[a-zA-Z]|<!)\S)+)""",
    re.S | re.X,
)
GIVES_A_NAME = re.compile(r" as \w+ %\}$")
NAME = re.compile(r"(?:\{%|</?)\s*([\w-]+)")

# Whitespace beside these says nothing: they are blocks, or stand inside <select>, <table>, <svg> or <head>.
BLOCKS = frozenset(
    {"html", "head", "body", "meta", "link", "div", "p", "section", "header", "footer", "main", "article", "aside",
     "nav", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "caption",
     "colgroup", "col", "form", "fieldset", "legend", "h1", "h2", "h3", "h4", "h5", "h6", "option", "optgroup",
     "details", "summary", "figure", "figcaption", "hr", "br", "template", "dialog", "blockquote", "address",
     "noscript", "path", "g", "rect", "circle", "line", "polyline", "polygon", "use", "symbol", "defs", "note",
     "endnote", "nothing", "endnothing", "field", "form_faults", "pager", "progress", "extends"}
)  # fmt: skip
# Inline elements: what stands before their start stands before their first word too.
INLINE = frozenset(
    {"span", "a", "b", "i", "em", "strong", "small", "label", "time", "code", "abbr", "cite", "sub", "sup", "q",
     "mark", "bdi"}
)  # fmt: skip
BOXES = frozenset({"button", "select", "svg"})
VOID = frozenset(
    {"meta", "link", "hr", "col", "input", "br", "img", "path", "rect", "circle", "line", "polyline", "polygon",
     "use"}
)  # fmt: skip
BRANCHES = frozenset({"else", "elif", "empty", "plural"})
GROUPS = frozenset({"if", "for", "with", "block", "ifchanged", "note", "nothing", "blocktrans"})
SILENT = GROUPS | BRANCHES | {f"end{name}" for name in GROUPS} | {"load", "csrf_token", "request_key"}


@dataclass
class Token:
    """`depth` counts the elements and tags around the place before it; `turn` is 1 where it opens, -1 where it closes.

    `starts_tag` and `ends_tag` are of the pieces of one HTML tag: `<a`, then each attribute, the last with its `>`.
    """

    text: str
    kind: Kind
    name: str = ""
    turn: int = 0
    depth: int = 0
    gap: Gap = ""
    starts_tag: bool = False
    ends_tag: bool = False

    @property
    def is_closing(self) -> bool:
        return self.turn < 0

    @property
    def is_raw(self) -> bool:
        """A script, a comment, the text of a <textarea>: each of its characters counts."""
        return self.name == "raw"

    @property
    def is_silent_tag(self) -> bool:
        """A tag of Django that prints nothing itself."""
        return self.kind == "silent" and self.text.startswith("{%")

    @property
    def is_branch(self) -> bool:
        return self.name in BRANCHES and self.text.startswith("{%")


def lexed(source: str) -> Iterator[Token]:
    """The tokens of a template in order; together they are its text."""
    for match in LEXEME.finditer(source):
        text, group = match[0], str(match.lastgroup)
        named = NAME.match(text)
        name = named[1].lower() if named else ""
        if match["kept"] in ("textarea", "pre"):
            start = re.match(HTML, text, re.S)
            begin, end = start.end() if start else 0, text.rindex("</")
            yield Token(text[:begin], "inline", name, 1)
            yield Token(text[begin:end], "raw", "raw")
            yield Token(text[end:], "inline", name, -1)
        elif group in ("raw", "kept"):
            yield Token(text, "block" if text.startswith(("<script", "<style", "<title", "<!")) else "raw", "raw")
        elif group == "phrase":
            asvar = "asvar " in text.partition("%}")[0]
            yield Token(text, "silent" if asvar else "inline", name)
        elif group == "space":
            yield Token(text, "space")
        elif group == "text":
            yield Token(text, "text")
        elif group == "html":
            silent = name == "input" and 'type="hidden"' in text
            turn = -1 if text.startswith("</") else int(name not in VOID and not text.endswith("/>"))
            yield Token(text, "silent" if silent else "block" if name in BLOCKS else "inline", name, turn)
        else:
            silent = name in SILENT or text[1] == "#" or GIVES_A_NAME.search(text) is not None
            kind: Kind = "block" if name in BLOCKS else "silent" if silent else "inline"
            yield Token(text, kind, name, (name in GROUPS) - (name.removeprefix("end") in GROUPS and name[:3] == "end"))


@dataclass
class Branching:
    """An {% if %} or a loop that is being read: what is printed before it, and at the end of each of its ways."""

    place: int
    name: str
    before: int
    ways: list[int]
    has_else: bool

    def inside(self, ends: dict[int, int]) -> int:
        """What is printed before its first way: of a loop, the end of the turn before too; of a block, who knows."""
        if self.name == "block":
            return 0
        return min(self.before, ends.get(self.place, 0)) if self.name == "for" else self.before

    def after(self, state: int, ends: dict[int, int]) -> int:
        """What is printed at its end, on whichever way."""
        ends[self.place] = min([state, *self.ways])
        if self.name == "block":
            return 0
        return ends[self.place] if self.has_else or self.name == "with" else min(ends[self.place], self.before)


def edges(tokens: list[Token], back: bool, ends: dict[int, int]) -> list[int]:
    """What is printed on this side of each token, on every way: 2 a block's edge, 1 a space, 0 something else.

    `ends` keeps what the body of each loop ends with, from one pass to the next.
    """
    opens = -1 if back else 1
    state, found = 0, [0] * len(tokens)
    stack: list[Branching] = []
    for n in reversed(range(len(tokens))) if back else range(len(tokens)):
        token = tokens[n]
        found[n] = state
        step = token.turn * opens if token.is_silent_tag else 0
        if step > 0:
            stack.append(Branching(n, token.name.removeprefix("end"), state, [], False))
            state = stack[-1].inside(ends)
        elif token.is_silent_tag and token.is_branch and stack:
            stack[-1].ways.append(state)
            stack[-1].has_else |= token.name in ("else", "empty")
            state = stack[-1].inside(ends) if back else stack[-1].before
        elif step < 0 and stack:
            state = stack.pop().after(state, ends)
        else:
            state = printed_beside(token, state, opens)
    return found


def printed_beside(token: Token, state: int, opens: int) -> int:
    """What is printed beside a token, from what is printed on its far side."""
    if token.kind == "block":
        return 2
    if token.kind == "space":
        return max(state, 1)
    if token.kind == "silent":
        return state
    if token.text.startswith("<") and token.turn == opens:
        if token.name in BOXES:
            return 2
        if token.name in INLINE:
            return state if opens == 1 or state == 2 else 0
    return 0


def tokens_of(source: str) -> list[Token]:
    """The tokens of a template with depth and gap; loops need a second pass to know their own end."""
    tokens = list(lexed(source))
    ahead: dict[int, int] = {}
    behind: dict[int, int] = {}
    for _ in range(2):
        before, after = edges(tokens, False, ahead), edges(tokens, True, behind)
    depth = 0
    for n, token in enumerate(tokens):
        token.depth = depth
        depth += token.turn
        last = tokens[n - 1]
        if n and last.kind == "space":
            token.gap = "space"
        elif n and (before[n] or after[n - 1]) and not (token.is_closing and last.turn > 0 and last.name == token.name):
            token.gap = "joint"  # but an empty element stays empty
    return tokens
