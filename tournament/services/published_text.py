"""The one gate for what a person typed and the public will read: it names no entrant, no guardian, no telephone.

Whole names, telephones and e-mail addresses are refused. A given name, a school or a name that is an ordinary word is
asked about: a person says that nobody is made known by it, and the log keeps who said so.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.errors import BadInput
from tournament.exports.notice_texts import own_sentences
from tournament.models import Event
from tournament.quantities import entrant_number_text
from tournament.queries import published_text as queries
from tournament.readers import personal_text
from tournament.readers.personal_text import Finding, find_personal
from tournament.services import audit

REFUSED, ASKED = "text_names_somebody", "text_may_name_somebody"
NAMES_SOMEBODY = _(
    "This text will be public, and it gives somebody away: %(found)s. Write entrant numbers instead. "
    "Nothing was recorded."
)
MAY_NAME_SOMEBODY = _(
    "This text will be public, and it may give somebody away: %(found)s. Change it, or confirm that nobody is made "
    "known by these words. Nothing was recorded."
)
KINDS = {
    personal_text.NAME: _('"%(words)s" is the name of %(numbers)s (%(text)s)'),
    personal_text.GIVEN_NAME: _('"%(words)s" is a given name of %(numbers)s (%(text)s)'),
    personal_text.SCHOOL: _('"%(words)s" is the school of %(numbers)s (%(text)s)'),
    personal_text.GUARDIAN: _('"%(words)s" is the name of the guardian of %(numbers)s (%(text)s)'),
    personal_text.PHONE: _('"%(words)s" is the telephone of %(numbers)s (%(text)s)'),
    personal_text.EMAIL: _('"%(words)s" is the e-mail address of %(numbers)s (%(text)s)'),
}
# Every text that the public may read as a person typed it, by the name of its field.
TEXTS = {
    "reason": _("reason"),
    "public_value": _("public figure"),
    "title_zh": _("title in Chinese"),
    "title_en": _("title in English"),
    "body_zh": _("text in Chinese"),
    "body_en": _("text in English"),
    "name_zh": _("event's name in Chinese"),
    "name_en": _("event's name in English"),
    "venue_zh": _("venue in Chinese"),
    "venue_en": _("venue in English"),
    "contact": _("contact"),
    "slug": _("address"),
}
LONGEST_LINE = 500
NUMBERS_SAID, FINDINGS_SAID = 3, 6


@dataclass(frozen=True, slots=True)
class Asked:
    """What a text may give away; `token` confirms exactly these words in exactly these texts."""

    findings: tuple[Finding, ...]
    token: str

    @property
    def sentences(self) -> list[str]:
        """Each word with whom it may mean, in the language of the moment."""
        return sentences_of(self.findings)

    def members(self) -> dict[str, Any]:
        """For a program: each finding, and what confirms them."""
        said = [{"text": one.text, "kind": one.kind, "number": one.number, "words": one.words} for one in self.findings]
        return {"found": said, "words_confirmed": self.token}


@dataclass(frozen=True, slots=True)
class Passed:
    """Texts that may be published, with what a person has confirmed of them."""

    confirmed: tuple[Finding, ...] = ()

    def record(self, event: Event, by: AbstractUser, subject: str) -> None:
        """The confirmation as an entry of the log, by numbers and kinds, in the transaction of the act; none where
        nothing was asked."""
        if self.confirmed:
            reason = ", ".join(map(line_of, self.confirmed))[:LONGEST_LINE]
            audit.record(event, by, "confirm_published_words", subject, reason=reason)


def line_of(one: Finding) -> str:
    """How the log tells of a finding that was confirmed: no word of the text."""
    return f"{one.text}: {one.kind} of {entrant_number_text(one.number)}"


def pass_gate(event: Event, texts: Mapping[str, str], *, confirmed: str = "", asks: bool = True) -> Passed:
    """Let texts, by the name of their field, go to the public. Raises BadInput with an `Asked` in `about`.

    `text_names_somebody`: they must be written otherwise. `text_may_name_somebody`: the same again with
    `confirmed` as `about.token` passes. Without `asks` only what is certain is refused.
    """
    own = "\n".join([own_sentences(), event.name_zh, event.name_en, event.venue_zh, event.venue_en, event.contact])
    return judge(texts, [event], own, confirmed, asks=asks)


def pass_first_gate(texts: Mapping[str, str], *, by: AbstractUser, confirmed: str = "") -> Passed:
    """The same for an event that is not there yet: its maker knows the people of the events that they organise."""
    return judge(texts, queries.events_organised_by(by), own_sentences(), confirmed)


def judge(
    texts: Mapping[str, str], events: Collection[Event], own: str, confirmed: str, *, asks: bool = True
) -> Passed:
    """Refuse, ask, or pass."""
    given = {name: text for name, text in texts.items() if text.strip()}
    found = find_personal(given, queries.people_of(events), own) if given else []
    if not found:
        return Passed()
    asked = Asked(tuple(found), token_of(given, found))
    if any(one.certain for one in found):
        certain = tuple(one for one in found if one.certain)
        raise BadInput(REFUSED, NAMES_SOMEBODY, about=Asked(certain, ""), found=said_of(certain))
    if asks and confirmed != asked.token:
        raise BadInput(ASKED, MAY_NAME_SOMEBODY, about=asked, found=said_of(asked.findings))
    return Passed(asked.findings)


def token_of(texts: Mapping[str, str], findings: Sequence[Finding]) -> str:
    """Names these texts and these findings: another word asks again."""
    said = [[one.text, one.kind, one.number, one.words] for one in findings]
    return audit.digest_of([dict(texts), said])[:32]


def said_of(findings: Sequence[Finding]) -> str:
    """The findings in one sentence, in the language of the moment."""
    sentences = sentences_of(findings)
    more = len(sentences) - FINDINGS_SAID
    if more > 0:
        sentences = [*sentences[:FINDINGS_SAID], gettext("and %(n)s other words") % {"n": more}]
    return gettext("; ").join(sentences)


def sentences_of(findings: Sequence[Finding]) -> list[str]:
    """One sentence for each word, with all whom it may mean."""
    whom: dict[tuple[str, str, str], list[str]] = {}
    for one in findings:
        whom.setdefault((one.text, one.kind, one.words), []).append(entrant_number_text(one.number))
    return [
        gettext(KINDS[kind])
        % {"words": words, "numbers": numbers_said(numbers), "text": gettext(TEXTS.get(text, text))}
        for (text, kind, words), numbers in whom.items()
    ]


def numbers_said(numbers: Sequence[str]) -> str:
    """The first numbers, and how many more."""
    said = gettext(", ").join(numbers[:NUMBERS_SAID])
    more = len(numbers) - NUMBERS_SAID
    return gettext("%(numbers)s and %(n)s more") % {"numbers": said, "n": more} if more > 0 else said
