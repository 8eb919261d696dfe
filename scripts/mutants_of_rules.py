"""Mutants of what is data: the conditions of the database's triggers, the roles of a right, the right of a page.

Needs Django; for the triggers a database with tables.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from django.db import connection
from django.urls import URLPattern, URLResolver, get_resolver

import tests.reliability.django_ready  # noqa: F401  # before any model is imported
from scripts.mutants import Mutant
from tournament.audit import triggers
from tournament.audit.triggers import trigger_rules
from tournament.audit.triggers.trigger_rules import TriggerRule
from tournament.core.acts import RIGHTS
from tournament.core.enums import Role
from tournament.releases.models import Release

JOINED = re.compile(r" (?:AND|OR) ")
NEGATED = re.compile(r"\bNOT (?=EXISTS|\()")
STATES = "('signed', 'certified')"
# A page that every role may open, and a right that is the organiser's alone.
WIDE, NARROW = "see_desk", "set_up_event"


def trigger_mutants() -> Iterator[Mutant]:
    """Each rule dropped, and each part of its condition."""
    for rule in trigger_rules.all_trigger_rules([str(field.column) for field in Release._meta.concrete_fields]):
        where = f"{rule.table} {rule.operation}, {rule.because}"
        for kind, change, condition in weakened(rule.refused_when):
            yield Mutant("triggers", kind, where, change, partial(put_rule, rule, condition))


def weakened(text: str) -> Iterator[tuple[str, str, str]]:
    """Kind, what is changed and the changed condition."""
    if text != "FALSE":
        yield "drop rule", "never refused", "FALSE"
    for number, found in enumerate(JOINED.finditer(text)):
        end = end_of_operand(text, found.end())
        yield (
            "drop part",
            f"without{text[found.start() : end][:140]} (part {number + 1})",
            text[: found.start()] + text[end:],
        )
    for number, found in enumerate(NEGATED.finditer(text)):
        yield "drop not", f"NOT {number + 1} of the condition", text[: found.start()] + text[found.end() :]
    for number, found in enumerate(re.finditer(re.escape(STATES), text)):
        for state in ("('signed')", "('certified')"):
            yield (
                "one state",
                f"{state} alone (place {number + 1})",
                text[: found.start()] + state + text[found.end() :],
            )


def end_of_operand(text: str, start: int) -> int:
    """Where the condition that begins here ends: at the next AND or OR beside it, or at the bracket around it."""
    depth = 0
    for at in range(start, len(text)):
        if depth == 0 and (text[at] == ")" or JOINED.match(text, at)):
            return at
        depth += {"(": 1, ")": -1}.get(text[at], 0)
    return len(text)


def put_rule(rule: TriggerRule, condition: str) -> None:
    """Into the list of rules, and into the triggers of the database where there is one."""
    listed, weaker = trigger_rules.all_trigger_rules, replace(rule, refused_when=condition)

    def mutated(*args: Any, **kwargs: Any) -> list[TriggerRule]:
        return [weaker if one == rule else one for one in listed(*args, **kwargs)]

    for module in (triggers, trigger_rules):
        vars(module)["all_trigger_rules"] = mutated
    if connection.connection is not None and not triggers.install_triggers():
        raise ValueError(f"{rule} is not in the database")


def right_mutants() -> Iterator[Mutant]:
    """Each role that a right has taken from it, each other one given to it."""
    for right, roles in RIGHTS.items():
        for role in Role:
            kind, word = ("role taken", "not") if role in roles else ("role given", "also")
            yield Mutant("permissions", kind, f"right {right}", f"{word} {role}", partial(put_right, right, role))


def put_right(right: str, role: Role) -> None:
    rights: Any = RIGHTS
    rights[right] = RIGHTS[right] ^ {role}


def door_mutants() -> Iterator[Mutant]:
    """Each page of an event opened to every role there, or to organisers alone."""
    for name, page in sorted(pages()):
        for kind, other in (("door open", WIDE), ("door shut", NARROW)):
            if RIGHTS[other] != RIGHTS[vars(page)["act"]]:
                yield Mutant("permissions", kind, f"page {name}", f"asks for {other}", partial(put_door, page, other))


def pages() -> Iterator[tuple[str, Any]]:
    """Name and view of each address that `for_act` guards."""
    waiting: list[URLPattern | URLResolver] = list(get_resolver().url_patterns)
    while waiting:
        one = waiting.pop()
        if isinstance(one, URLResolver):
            waiting += one.url_patterns
        elif "act" in getattr(one.callback, "__dict__", {}):
            yield str(one.name), one.callback


def put_door(page: Any, other: str) -> None:
    """The right that the guard asks for is a variable around it; other decorators may stand before the guard."""
    while page is not None:
        names = page.__code__.co_freevars
        if "act" in names and "view" in names:
            page.__closure__[names.index("act")].cell_contents = other
            return
        page = getattr(page, "__wrapped__", None)
    raise ValueError("no guard")
