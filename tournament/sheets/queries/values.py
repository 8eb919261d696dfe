"""Who set the values that stand on a sheet, and which other accounts may act on it."""

from collections.abc import Collection, Sequence

from django.contrib.auth.models import User

from tournament.core.models.event import Event, Membership
from tournament.sheets.models.scoresheet import Scoresheet


def value_setters_of(sheet: Scoresheet) -> list[int]:
    """The accounts whose values stand, in the order in which they set them: typed, ruled in a dispute, third look.

    Nobody is ever taken off the list of a version: whoever typed a value that was typed over since is still on it.
    """
    return list(dict.fromkeys([*sheet.values_by, *([sheet.typed_by_id] if sheet.typed_by_id else [])]))


def account_names_of(ids: Sequence[int]) -> list[str]:
    """What these accounts are called, in this order."""
    names = {user.pk: account_name_of(user) for user in User.objects.filter(pk__in=ids)}
    return [names[pk] for pk in ids if pk in names]


def usernames_of_accounts(ids: Sequence[int]) -> list[str]:
    """The user names of these accounts, in this order."""
    names = dict(User.objects.filter(pk__in=ids).values_list("pk", "username"))
    return [names[pk] for pk in ids if pk in names]


def account_name_of(user: User) -> str:
    """The name an account is called by, else its user name."""
    return user.first_name or user.get_username()


def open_accounts_with_roles(event: Event, roles: Collection[str], without: Collection[int]) -> list[User]:
    """Open accounts that hold one of these roles at the event, without some; by user name."""
    held = Membership.objects.filter(event=event, role__in=roles, user__is_active=True)
    rows = User.objects.filter(pk__in=held.values("user")).exclude(pk__in=without)
    return list(rows.order_by("username"))
