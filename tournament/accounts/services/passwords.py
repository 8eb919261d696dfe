"""What a person may not choose as a password: what somebody in the hall tries first (AUTH_PASSWORD_VALIDATORS)."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from tournament.core.models.event import Event

COMMON_PASSWORD_WORDS = (
    "rummikub",
    "rummy",
    "魔力橋",
    "拉密",
    "password",
    "tournament",
    "organiser",
    "referee",
    "clerk",
    "judge",
)
PASSWORD_WORD_MIN_LENGTH = 3
# What must be left of a password when the words that everybody knows are taken out of it.
OWN_LETTERS = 6
PASSWORD_DISTINCT_LETTERS = 5
NON_LETTERS_RE = re.compile(r"[\W_]+")
REPEATED_UNIT_MAX_LENGTH = 6


def fold_letters(text: str) -> str:
    """Folded, without spaces and signs."""
    return NON_LETTERS_RE.sub("", unicodedata.normalize("NFKC", text).casefold())


def words_of_events(events: Iterable[Event]) -> set[str]:
    """What the events' own names, places and addresses say, by word and as a whole."""
    found: set[str] = set()
    for event in events:
        for text in (event.slug, event.name_zh, event.name_en, event.venue_zh, event.venue_en):
            found |= {fold_letters(word) for word in (text, *re.split(r"[\W_]+", text))}
    return found


class EventWords:
    """Refuses a password that is mostly words of the game, of the account or of its events, one unit said again and
    again, or too few different characters."""

    def validate(self, password: str, user: Any = None) -> None:
        """ValidationError with a sentence for the person who chooses."""
        rest = fold_letters(password)
        if len(set(rest)) < PASSWORD_DISTINCT_LETTERS or is_repeated(rest):
            raise ValidationError(_("This repeats itself. Take several words that have nothing to do with each other."))
        for word in sorted(self.words_for(user), key=len, reverse=True):
            rest = rest.replace(word, "")
        if len(rest.strip("0123456789")) < OWN_LETTERS:
            raise ValidationError(_("This is little more than the event, the game or your name. Add other words."))

    def words_for(self, user: Any) -> set[str]:
        """Everything that somebody who knows the account would try."""
        events = Event.objects.filter(memberships__user=user.pk).distinct() if getattr(user, "pk", None) else []
        names = [getattr(user, name, "") for name in ("username", "first_name", "last_name", "email")]
        found = {*COMMON_PASSWORD_WORDS, *words_of_events(events), *map(fold_letters, names)}
        return {word for word in found if len(word) >= PASSWORD_WORD_MIN_LENGTH}

    def get_help_text(self) -> str:
        return _("Not the event, the game or your name with a number behind it.")


def is_repeated(text: str) -> bool:
    """Whether a short unit, said again and again, makes up all of it: pw1pw1pw1pw."""
    return any(
        text == (text[:unit] * len(text))[: len(text)]
        for unit in range(1, REPEATED_UNIT_MAX_LENGTH + 1)
        if 2 * unit <= len(text)
    )
