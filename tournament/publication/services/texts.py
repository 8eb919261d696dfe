"""The gate of published words once more at a release: what was clean when it was recorded may name whoever came since.

A decision in force is recorded again with another reason. What is history, decisions that were replaced and draws that
were announced, cannot be, nor the words of a locked sheet: these are left out, and the release says that they are.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tournament.audit.models import AuditEntry
from tournament.core.enums import DecisionOf
from tournament.core.models.event import Event
from tournament.messages.exports.notice_texts import sentences_of_drafts
from tournament.messages.queries.published_text import known_people_of_events
from tournament.messages.readers.personal_text import PersonalFinding, find_personal
from tournament.messages.services.published_text import PersonalDataQuestion, finding_log_text, personal_question_token
from tournament.publication.domain.release import ReleaseContent

PUBLIC_TEXT_REMOVED = "（文字從略：其中提及參賽者的個人資料。） (Words left out: they gave an entrant away.)"
FIELD_OF_DECISION_KIND = {DecisionOf.LINE: "decision", DecisionOf.RESERVE: "reserve_decisions"}


@dataclass(frozen=True, slots=True)
class FrozenText:
    """One typed text of a release: in which part of the content, under which field; of which decision, in force or
    not."""

    part: dict[str, Any]
    field: str
    of: str
    in_force: bool


@dataclass(frozen=True, slots=True)
class JudgedTexts:
    """What the texts of a content give away: by which decision is in force what is certain; what a person is asked."""

    named: dict[str, tuple[PersonalFinding, ...]]
    asked: PersonalDataQuestion | None


def iter_frozen_texts(content: ReleaseContent) -> Iterator[FrozenText]:
    """Every text that a person typed about a decision or a draw, and the words that were laid in each turn."""
    for of, name in FIELD_OF_DECISION_KIND.items():
        found = content[name] if isinstance(content[name], list) else [content[name]]
        yield from (FrozenText(one, "reason", of, True) for one in found if one)
    for of in (DecisionOf.PODIUM, DecisionOf.AWARD):
        for one in (content[of] or {}).get("decisions", ()):
            yield FrozenText(one, "reason", of, True)
    for one in content["earlier_decisions"]:
        yield FrozenText(one, "reason", one["of"], False)
        if one["replaced"]:
            yield FrozenText(one["replaced"], "reason", one["of"], False)
    for entrant in content["ranking"]:
        for turn in (one for game in entrant.get("turns", ()) for one in game):
            yield from (FrozenText(turn, field, "turns", False) for field in ("own", "rearranged"))
    for one in content["lots"]:
        yield from (FrozenText(one, field, one["of"], False) for field in ("public_value", "reason"))


def judge_texts(event: Event, content: ReleaseContent) -> JudgedTexts:
    """Look at each text with the people of now. Of history, words that are certain are left out of the content."""
    frozen = [one for one in iter_frozen_texts(content) if one.part[one.field].strip()]
    if not frozen:
        return JudgedTexts({}, None)
    own = "\n".join(
        [sentences_of_drafts(), event.name_zh, event.name_en, event.venue_zh, event.venue_en, event.contact]
    )
    texts = {str(place): one.part[one.field] for place, one in enumerate(frozen)}
    named: dict[str, tuple[PersonalFinding, ...]] = {}
    asked: list[PersonalFinding] = []
    for finding in find_personal(texts, known_people_of_events([event]), own):
        one = frozen[int(finding.text)]
        said = replace(finding, text=one.field)
        if finding.certain and one.in_force:
            named[one.of] = (*named.get(one.of, ()), said)
        elif finding.certain:
            one.part[one.field] = PUBLIC_TEXT_REMOVED
        else:
            asked.append(said)
    return JudgedTexts(named, remaining_question(event, texts, asked))


def remaining_question(
    event: Event, texts: dict[str, str], found: list[PersonalFinding]
) -> PersonalDataQuestion | None:
    """Without what somebody has confirmed already when it was recorded or released."""
    if not found:
        return None
    entries = AuditEntry.objects.filter(event=event, action="confirm_published_words").values_list("reason", flat=True)
    known = {line for reason in entries for line in reason.split(", ")}
    new = tuple(dict.fromkeys(one for one in found if finding_log_text(one) not in known))
    return PersonalDataQuestion(new, personal_question_token(texts, new)) if new else None
