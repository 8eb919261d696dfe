"""The organiser's errors: each has a stable code and a sentence that says what to do. Ours are tracebacks.

A service raises `Refused` with a code of `SENTENCES`; pages, commands and later the API show the same sentence.
Facts fill
the sentence's placeholders; nothing is ever shown by code alone.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext


class ProblemMembers:
    """What a refusal is about, for a program: further members of its problem document (RFC 9457)."""

    __slots__ = ()

    def members(self) -> dict[str, Any]:
        """By the name of the member; plain data."""
        raise NotImplementedError


class Refused(Exception):
    """An act that cannot be done as asked. `code` is stable, `sentence` is an untranslated msgid, `facts` fill it."""

    status = 409

    def __init__(self, code: str, sentence: str, about: Any = None, **facts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.sentence = sentence
        self.about = about
        self.facts: Mapping[str, Any] = facts

    def __str__(self) -> str:
        """The sentence in the language of the moment."""
        text = gettext(self.sentence)
        return text % self.facts if self.facts else text


class Forbidden(Refused):
    """A known person, but not their act (403)."""

    status = 403


class StaleVersion(Refused):
    """Somebody else changed it first (412). `current` is what stands now, so that both can be shown side by side."""

    status = 412

    def __init__(self, code: str, sentence: str, about: Any = None, current: Any = None, **facts: Any) -> None:
        super().__init__(code, sentence, about, **facts)
        self.current = current


class Locked(Refused):
    """Signed or certified: only a correction by two people changes it (423, R41)."""

    status = 423


class SheetHasErrors(Refused):
    """A sheet that does not fit the rules yet. `check` names every fault; the sentence says what the database holds."""

    def __init__(self, sentence: str, check: Any, look: int, about: Any = None) -> None:
        super().__init__("scoresheet_has_faults", sentence, about=about, mend=len(check.mend), look=look)
        self.check = check


class KeyReused(Refused):
    """An idempotency key that came back with another payload (422)."""

    status = 422


class BadInput(Refused):
    """What was given cannot be read or breaks a rule (400)."""

    status = 400


class TooLarge(Refused):
    """A file over the limits (413)."""

    status = 413


class WrongType(Refused):
    """A file that is not what it must be, judged by its content (415)."""

    status = 415


class Unavailable(Refused):
    """Not now, whoever asks (503): the same request may be sent again when what is missing has been put right."""

    status = 503


class NotFoundRefused(Refused):
    """There is no such thing (404)."""

    status = 404


class Gone(Refused):
    """It was there and has been used up, or its time is over (410)."""

    status = 410


class Outdated(Refused):
    """A page of an older form than the server takes (426): it sends what it has and is loaded again."""

    status = 426


class TooManyRequests(Refused):
    """Asked too often (429): again after `wait` seconds."""

    status = 429

    def __init__(self, code: str, sentence: str, wait: int, **facts: Any) -> None:
        super().__init__(code, sentence, wait=wait, **facts)
        self.wait = wait
