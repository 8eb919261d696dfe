"""The one gate for what a person typed and the public will read: it names no entrant, no guardian, no telephone.

Whole names, telephones and e-mail addresses are refused. A given name, a school or a name that is an ordinary word is
asked about: a person says that nobody is made known by it, and the log keeps who said so.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core import canonical
from tournament.core.errors import BadInput, ProblemMembers
from tournament.core.models.event import Event
from tournament.core.numberformat import entrant_number_text
from tournament.messages.exports.notice_texts import sentences_of_drafts
from tournament.messages.queries import published_text as queries
from tournament.messages.readers import personal_candidates
from tournament.messages.readers.personal_text import PersonalFinding, find_personal

TEXT_NAMES_SOMEBODY_CODE, TEXT_MAY_NAME_SOMEBODY_CODE = "text_names_somebody", "text_may_name_somebody"
NAMES_SOMEBODY = _(
    "This text will be public, and it gives somebody away: %(found)s. Write entrant numbers instead. "
    "Nothing was recorded."
)
MAY_NAME_SOMEBODY = _(
    "This text will be public, and it may give somebody away: %(found)s. Change it, or confirm that nobody is made "
    "known by these words. Nothing was recorded."
)
PERSONAL_FINDING_SENTENCES = {
    personal_candidates.CANDIDATE_NAME: _('"%(words)s" is the name of %(numbers)s (%(text)s)'),
    personal_candidates.CANDIDATE_GIVEN_NAME: _('"%(words)s" is a given name of %(numbers)s (%(text)s)'),
    personal_candidates.CANDIDATE_SCHOOL: _('"%(words)s" is the school of %(numbers)s (%(text)s)'),
    personal_candidates.CANDIDATE_GUARDIAN: _('"%(words)s" is the name of the guardian of %(numbers)s (%(text)s)'),
    personal_candidates.CANDIDATE_PHONE: _('"%(words)s" is the telephone of %(numbers)s (%(text)s)'),
    personal_candidates.CANDIDATE_EMAIL: _('"%(words)s" is the e-mail address of %(numbers)s (%(text)s)'),
}
# Every text that the public may read as a person typed it, by the name of its field.
PUBLISHED_FIELD_LABELS = {
    "reason": _("reason"),
    "public_value": _("public figure"),
    "title_zh": _("title in Chinese"),
    "title_en": _("title in English"),
    "body_zh": _("text in Chinese"),
    "body_en": _("text in English"),
    "announcement_zh": _("announcement in Chinese"),
    "announcement_en": _("announcement in English"),
    "name_zh": _("event's name in Chinese"),
    "name_en": _("event's name in English"),
    "stage_name_zh": _("stage's name in Chinese"),
    "stage_name_en": _("stage's name in English"),
    "venue_zh": _("venue in Chinese"),
    "venue_en": _("venue in English"),
    "contact": _("contact"),
    "slug": _("address"),
    "own": _("own words"),
    "rearranged": _("words rearranged"),
}
TEXT_LOG_LINE_MAX_LENGTH = 500
MAX_NUMBERS_LISTED, MAX_FINDINGS_LISTED = 3, 6


@dataclass(frozen=True, slots=True)
class PersonalDataQuestion(ProblemMembers):
    """What a text may give away; `token` confirms exactly these words in exactly these texts."""

    findings: tuple[PersonalFinding, ...]
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
class CheckedTexts:
    """Texts that may be published, with what a person has confirmed of them."""

    confirmed: tuple[PersonalFinding, ...] = ()

    def record(self, event: Event, by: User, subject: str) -> None:
        """The confirmation as an entry of the log, by numbers and kinds, in the transaction of the act; none where
        nothing was asked."""
        if self.confirmed:
            reason = ", ".join(map(finding_log_text, self.confirmed))[:TEXT_LOG_LINE_MAX_LENGTH]
            services.append_audit_entry(event, by, "confirm_published_words", subject, reason=reason)


def finding_log_text(one: PersonalFinding) -> str:
    """How the log tells of a finding that was confirmed: no word of the text."""
    return f"{one.text}: {one.kind} of {entrant_number_text(one.number)}"


def check_published_texts(
    event: Event, texts: Mapping[str, str], *, confirmed: str = "", asks: bool = True
) -> CheckedTexts:
    """Let texts, by the name of their field, go to the public. Raises BadInput with an `PersonalDataQuestion` in
    `about`.

    `text_names_somebody`: they must be written otherwise. `text_may_name_somebody`: the same again with
    `confirmed` as `about.token` passes. Without `asks` only what is certain is refused.
    """
    own = "\n".join(
        [sentences_of_drafts(), event.name_zh, event.name_en, event.venue_zh, event.venue_en, event.contact]
    )
    return judge_published_texts(texts, [event], own, confirmed, asks=asks)


def check_first_event_texts(texts: Mapping[str, str], *, by: User, confirmed: str = "") -> CheckedTexts:
    """The same for an event that is not there yet: its maker knows the people of the events that they organise."""
    return judge_published_texts(texts, queries.events_organised_by(by), sentences_of_drafts(), confirmed)


def judge_published_texts(
    texts: Mapping[str, str], events: Collection[Event], own: str, confirmed: str, *, asks: bool = True
) -> CheckedTexts:
    """Raises BadInput for a text that names somebody, or may and is not `confirmed`."""
    given = {name: text for name, text in texts.items() if text.strip()}
    found = find_personal(given, queries.known_people_of_events(events), own) if given else []
    if not found:
        return CheckedTexts()
    asked = PersonalDataQuestion(tuple(found), personal_question_token(given, found))
    if any(one.certain for one in found):
        certain = tuple(one for one in found if one.certain)
        raise BadInput(
            TEXT_NAMES_SOMEBODY_CODE,
            NAMES_SOMEBODY,
            about=PersonalDataQuestion(certain, ""),
            found=findings_sentence(certain),
        )
    if asks and confirmed != asked.token:
        raise BadInput(
            TEXT_MAY_NAME_SOMEBODY_CODE, MAY_NAME_SOMEBODY, about=asked, found=findings_sentence(asked.findings)
        )
    return CheckedTexts(asked.findings)


def personal_question_token(texts: Mapping[str, str], findings: Sequence[PersonalFinding]) -> str:
    """Names these texts and these findings: another word asks again."""
    said = [[one.text, one.kind, one.number, one.words] for one in findings]
    return canonical.digest_of([dict(texts), said])[:32]


def findings_sentence(findings: Sequence[PersonalFinding]) -> str:
    """The findings in one sentence, in the language of the moment."""
    sentences = sentences_of(findings)
    more = len(sentences) - MAX_FINDINGS_LISTED
    if more > 0:
        sentences = [*sentences[:MAX_FINDINGS_LISTED], gettext("and %(n)s other words") % {"n": more}]
    return gettext("; ").join(sentences)


def sentences_of(findings: Sequence[PersonalFinding]) -> list[str]:
    """One sentence for each word, with all whom it may mean."""
    whom: dict[tuple[str, str, str], list[str]] = {}
    for one in findings:
        whom.setdefault((one.text, one.kind, one.words), []).append(entrant_number_text(one.number))
    return [
        gettext(PERSONAL_FINDING_SENTENCES[kind])
        % {
            "words": words,
            "numbers": short_numbers_list(numbers),
            "text": gettext(PUBLISHED_FIELD_LABELS.get(text, text)),
        }
        for (text, kind, words), numbers in whom.items()
    ]


def short_numbers_list(numbers: Sequence[str]) -> str:
    """The first numbers, and how many more."""
    said = gettext(", ").join(numbers[:MAX_NUMBERS_LISTED])
    more = len(numbers) - MAX_NUMBERS_LISTED
    return gettext("%(numbers)s and %(n)s more") % {"numbers": said, "n": more} if more > 0 else said
