"""Two people at a sheet: who set its values never compares them, waives a signature of it or approves it.

Set by typing, by the ruling of a dispute, by a third look. Players who draw their signatures are themselves the second
people; a stamp compares nothing and stands for nobody's look.
"""

from typing import Any

from django.utils.translation import gettext_noop as _

from tournament.enums import Role
from tournament.errors import Forbidden
from tournament.models import Scoresheet, Table
from tournament.queries import scoresheets_values as queries

CERTIFY = frozenset({Role.ORGANISER, Role.CLERK, Role.CHIEF_JUDGE})
WAIVE = frozenset({Role.CHIEF_JUDGE})

TYPED = _("You typed this scoresheet. Another account compares it with the paper and certifies it: %(who)s.")
DECIDED = _(
    "Values of this scoresheet are yours: you typed or decided them. Another account compares it with the paper and "
    "certifies it: %(who)s."
)
NOBODY_ELSE = _(
    "Values of this scoresheet are yours, and no other account may certify it now. An organiser gives one more person "
    "a role under Accounts."
)


def with_setters(sheet: Scoresheet | None, *more: int) -> list[int]:
    """The list of a sheet's setters with these at its end."""
    before = queries.setters_of(sheet) if sheet else []
    return [*(one for one in before if one not in more), *dict.fromkeys(more)]


def with_typist(sheet: Scoresheet | None, typist: int, read_by: int | None) -> list[int]:
    """The setters with who types now. A correction's beginner is one from their own typing on, not by the copy."""
    begun = None if sheet is not None and sheet.version > 1 and not sheet.values_by else sheet
    return with_setters(begun, *([read_by] if read_by else []), typist)


def who_else(table: Table, sheet: Scoresheet, *, waives: bool) -> list[str]:
    """The names of those who may certify it: nobody whose values stand; only chief judges where a signature misses."""
    roles = WAIVE if waives else CERTIFY
    users = queries.open_accounts(table.session.stage.event, roles, queries.setters_of(sheet))
    return [queries.name_of(user) for user in users]


def refuse_setter(table: Table, sheet: Scoresheet, by: Any, *, waives: bool) -> None:
    """Forbidden to whoever set values that stand; the sentence says who may."""
    if by.pk not in queries.setters_of(sheet):
        return
    code = "typist_cannot_certify" if sheet.typed_by_id == by.pk else "setter_cannot_certify"
    others = who_else(table, sheet, waives=waives)
    if not others:
        raise Forbidden(code, NOBODY_ELSE, about=sheet)
    raise Forbidden(code, TYPED if sheet.typed_by_id == by.pk else DECIDED, about=sheet, who=", ".join(others))
