"""Tiles as a page of rules draws them. `{% load drawn_tiles %}`.

{% drawn_tile "B4" "s" %}  {% drawn_tile "JM" "l" %}     one tile or joker by the name that the rules give it
{% drawn_set example.tiles "s" %}                        a set, read aloud as its tiles
"""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from tournament.core.tile_faces import FACE_WIDTH, JOKER_FACES, svg_paths
from tournament.sheets.exports.rule_example_words import tile_text

register = template.Library()


@register.simple_tag
def drawn_tile(name: str, size: str = "s") -> SafeString:
    """A tile that stands alone: named for those who do not see it."""
    return format_html('<span class="set" role="img" aria-label="{}">{}</span>', tile_text(name), _tile(name, size))


@register.simple_tag
def drawn_set(tiles: Sequence[str], size: str = "s") -> SafeString:
    """Tiles side by side, named together."""
    label = gettext(", ").join(map(tile_text, tiles))
    drawn = format_html_join("", "{}", ((_tile(name, size),) for name in tiles))
    return format_html('<span class="set" role="img" aria-label="{}">{}</span>', label, drawn)


def _tile(name: str, size: str) -> SafeString:
    if name not in JOKER_FACES:
        return format_html('<span class="tile {} {}">{}</span>', name[0].lower(), size, name[1:])
    face = JOKER_FACES[name]
    return format_html(
        '<span class="tile joker{} k {}"><svg viewBox="0 0 {} {}">{}</svg></span>',
        "" if name == "J" else " twist",
        size,
        FACE_WIDTH,
        face.height,
        format_html_join("", '<path class="{}" d="{}"/>', svg_paths(face)),
    )
