"""What the address of a stage may be: a word of its own, that no other page of an event begins with."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import cast

from django.urls import URLPattern, URLResolver, get_resolver
from django.utils.translation import gettext_noop as _

from tournament.core.enums import StageKind
from tournament.core.errors import BadInput
from tournament.core.models.stage import Stage

EVENT_DESK_ROUTE = "desk/<slug:event>/"
STAGE_ADDRESS_RE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
STAGE_ADDRESS_MAX_LENGTH = cast(int, Stage._meta.get_field("kind").max_length)
STAGE_ADDRESS_RESERVED = _("The address %(kind)s belongs to other pages of the event. Choose another word.")
STAGE_ADDRESS_TAKEN = _("The address %(kind)s is that of a stage which is set up already. Choose another.")


def refuse_stage_address(kind: str) -> None:
    """BadInput `address_reserved` where other pages of the event have this address; `stage_refused` where none can."""
    if not STAGE_ADDRESS_RE.fullmatch(kind) or len(kind) > STAGE_ADDRESS_MAX_LENGTH:
        said = _("An address has at most %(most)s small letters, figures and single hyphens. Choose another.")
        raise BadInput("stage_refused", said, most=STAGE_ADDRESS_MAX_LENGTH)
    if kind in StageKind.values or kind in first_words_of_event_addresses():
        raise BadInput("address_reserved", STAGE_ADDRESS_RESERVED, kind=kind)


@cache
def first_words_of_event_addresses() -> frozenset[str]:
    """`setup`, `mailings`, `releases` and the like: whatever the desk's addresses of an event begin with."""
    routes = iter_routes(get_resolver().url_patterns)
    own = (route.removeprefix(EVENT_DESK_ROUTE) for route in routes if route.startswith(EVENT_DESK_ROUTE))
    return frozenset(word for route in own if (word := route.partition("/")[0]) and not word.startswith("<"))


def iter_routes(patterns: Sequence[URLPattern | URLResolver], above: str = "") -> Iterator[str]:
    """Every address of these patterns, as they write it."""
    for one in patterns:
        route = f"{above}{one.pattern}"
        if isinstance(one, URLResolver):
            yield from iter_routes(one.url_patterns, route)
        else:
            yield route
