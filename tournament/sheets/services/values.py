"""Two people at a sheet: who set its values never compares them, waives a signature of it or approves it.

Set by typing, by the ruling of a dispute, by a third look. Players who draw their signatures are themselves the second
people; a stamp compares nothing and stands for nobody's look.
"""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext_noop as _

from tournament.core.acts.rights import RIGHTS
from tournament.core.errors import Forbidden, Refused
from tournament.sheets.models.scoresheet import Scoresheet
from tournament.sheets.queries import values as queries
from tournament.tables.models import Table

CERTIFYING_ROLES = RIGHTS["certify_scoresheet"]
WAIVING_ROLES = RIGHTS["certify_without_signature"]

OWN_TYPED_VALUES = _("You typed this scoresheet. Another account compares it with the paper and certifies it: %(who)s.")
OWN_DECIDED_VALUES = _(
    "Values of this scoresheet are yours: you typed or decided them. Another account compares it with the paper and "
    "certifies it: %(who)s."
)
OWN_VALUES_NOBODY_ELSE = _(
    "Values of this scoresheet are yours, and no other account may certify it now. An organiser gives one more person "
    "a role under Accounts."
)


def append_value_setters(sheet: Scoresheet | None, *more: int) -> list[int]:
    """The list of a sheet's setters with these at its end."""
    before = queries.value_setters_of(sheet) if sheet else []
    return [*(one for one in before if one not in more), *dict.fromkeys(more)]


def append_typist(sheet: Scoresheet | None, typist: int, read_by: int | None) -> list[int]:
    """The setters with who types now. A correction's beginner is one from their own typing on, not by the copy."""
    begun = None if sheet is not None and sheet.version > 1 and not sheet.values_by else sheet
    return append_value_setters(begun, *([read_by] if read_by else []), typist)


def names_of_other_certifiers(table: Table, sheet: Scoresheet, *, waives: bool) -> list[str]:
    """The names of those who may certify it: nobody whose values stand; only chief judges where a signature misses."""
    roles = WAIVING_ROLES if waives else CERTIFYING_ROLES
    users = queries.open_accounts_with_roles(table.session.stage.event, roles, queries.value_setters_of(sheet))
    return [queries.account_name_of(user) for user in users]


def against_setter(table: Table, sheet: Scoresheet, by: Any, *, waives: bool) -> Iterator[Refused]:
    """Forbidden to whoever set values that stand; the sentence says who may."""
    if by.pk not in queries.value_setters_of(sheet):
        return
    code = "typist_cannot_certify" if sheet.typed_by_id == by.pk else "setter_cannot_certify"
    others = names_of_other_certifiers(table, sheet, waives=waives)
    sentence = OWN_TYPED_VALUES if sheet.typed_by_id == by.pk else OWN_DECIDED_VALUES
    yield Forbidden(code, sentence if others else OWN_VALUES_NOBODY_ELSE, about=sheet, who=", ".join(others))
