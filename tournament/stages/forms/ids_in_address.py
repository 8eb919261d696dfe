"""The order of tied entrants as one text for a form field or an address, and back."""

from collections.abc import Iterable
from urllib.parse import quote, unquote


def join_ids_for_form(ids: Iterable[str]) -> str:
    """Ids as an address and a form name them: a space parts them, and one within a family's code is quoted."""
    return " ".join(quote(id, safe="/") for id in ids)


def split_ids_of_form(text: str) -> list[str]:
    """The ids that `join_ids_for_form` wrote."""
    return [unquote(part) for part in text.split()]
