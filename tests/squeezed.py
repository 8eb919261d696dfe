"""A page without the whitespace that a browser does not show: how templates break their lines is nobody's business."""

import re

from scripts.template_tokens import BLOCKS, INLINE

IN_TAG = r"""(?:"[^"]*"|'[^']*'|[^<>"'])*"""
PIECE = re.compile(rf"<[/!a-zA-Z]{IN_TAG}>|\s+|[^\s<]+|<")
NAME = re.compile(r"</?([\w-]+)")


def squeezed(html: str) -> str:
    """Whitespace as one space, and none beside a block's edge, behind another space or at the end of a tag."""
    made: list[str] = []
    says_nothing, space = True, -1  # whether a space here would; where the last one is that only tags have followed
    for piece in PIECE.findall(html):
        if piece.isspace():
            if not says_nothing:
                says_nothing, space = True, len(made)
                made.append(" ")
            continue
        named = NAME.match(piece) if piece.endswith(">") else None
        name = named[1].lower() if named else ""
        if name in BLOCKS or piece in ("</button>", "</select>"):
            if space >= 0:
                made[space] = ""
            says_nothing, space = name in BLOCKS, -1
        elif name in ("button", "select"):
            says_nothing, space = True, -1
        elif name not in INLINE and 'type="hidden"' not in piece:
            says_nothing, space = False, -1
        made.append(re.sub(r"\s+(?=/?>$)", "", re.sub(r"\s+", " ", piece)) if name else piece)
    return "".join(made)
