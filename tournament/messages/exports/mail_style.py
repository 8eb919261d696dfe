"""The look of a mail: the house's tokens as plain values, since mail programs know no variables and load no file."""

import re
from functools import cache
from pathlib import Path

from django.utils.safestring import SafeString

CSS_FOLDER = Path(__file__).resolve().parents[2] / "static" / "css"
CSS_TOKEN = re.compile(r"^\s*--([\w-]+):\s*([^;]+);", re.MULTILINE)
DARK_MEDIA_QUERY = "@media (prefers-color-scheme: dark)"


@cache
def mail_style_element() -> SafeString:
    """The element for the head of a mail: mail.css with the light tokens, and again, on a dark screen, with the dark
    ones."""
    tokens = (CSS_FOLDER / "tokens.css").read_text(encoding="utf-8")
    light, dark = (dict(CSS_TOKEN.findall(block)) for block in tokens.split(DARK_MEDIA_QUERY)[:2])
    rules = re.sub(r"/\*.*?\*/\s*", "", (CSS_FOLDER / "mail.css").read_text(encoding="utf-8"), flags=re.DOTALL)
    by_day, by_night = (fill_css_tokens(rules, values) for values in (light, {**light, **dark}))
    # From our own stylesheet alone, nothing of it from anybody else.
    return SafeString(f"<style>\n{by_day}{DARK_MEDIA_QUERY} {{\n{by_night}}}\n</style>")


def fill_css_tokens(rules: str, tokens: dict[str, str]) -> str:
    """The rules with each token's value in its place; one that is unknown is our own mistake (KeyError)."""
    return re.sub(r"var\(--([\w-]+)\)", lambda found: tokens[found[1]].strip(), rules)
