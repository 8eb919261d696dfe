"""The gate of published words once more at a release: what was clean when it was recorded may name whoever came since.

A decision in force is recorded again with another reason. What is history, decisions that were replaced and draws that
were announced, cannot be: its words are left out, and the release says that they are.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tournament.bridge.release import Content
from tournament.enums import DecisionOf
from tournament.exports.notice_texts import own_sentences
from tournament.models import AuditEntry, Event
from tournament.queries.published_text import people_of
from tournament.readers.personal_text import Finding, find_personal
from tournament.services.published_text import Asked, line_of, token_of

LEFT_OUT = "（文字從略：其中提及參賽者的個人資料。） (Words left out: they gave an entrant away.)"
IN_FORCE = {DecisionOf.LINE: "decision", DecisionOf.RESERVE: "reserve_decisions"}


@dataclass(frozen=True, slots=True)
class Frozen:
    """One typed text of a release: in which part of the content, under which field; of which decision, in force or
    not."""

    part: dict[str, Any]
    field: str
    of: str
    in_force: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """What the texts of a content give away: by which decision is in force what is certain; what a person is asked."""

    named: dict[str, tuple[Finding, ...]]
    asked: Asked | None


def texts_of(content: Content) -> Iterator[Frozen]:
    """Every text that a person typed about a decision or a draw."""
    for of, name in IN_FORCE.items():
        found = content[name] if isinstance(content[name], list) else [content[name]]
        yield from (Frozen(one, "reason", of, True) for one in found if one)
    for of in (DecisionOf.PODIUM, DecisionOf.AWARD):
        for one in (content[of] or {}).get("decisions", ()):
            yield Frozen(one, "reason", of, True)
    for one in content["earlier_decisions"]:
        yield Frozen(one, "reason", one["of"], False)
        if one["replaced"]:
            yield Frozen(one["replaced"], "reason", one["of"], False)
    for one in content["lots"]:
        yield from (Frozen(one, field, one["of"], False) for field in ("public_value", "reason"))


def judge_texts(event: Event, content: Content) -> Judged:
    """Look at each text with the people of now. Of history, words that are certain are left out of the content."""
    frozen = [one for one in texts_of(content) if one.part[one.field].strip()]
    if not frozen:
        return Judged({}, None)
    own = "\n".join([own_sentences(), event.name_zh, event.name_en, event.venue_zh, event.venue_en, event.contact])
    texts = {str(place): one.part[one.field] for place, one in enumerate(frozen)}
    named: dict[str, tuple[Finding, ...]] = {}
    asked: list[Finding] = []
    for finding in find_personal(texts, people_of([event]), own):
        one = frozen[int(finding.text)]
        said = replace(finding, text=one.field)
        if finding.certain and one.in_force:
            named[one.of] = (*named.get(one.of, ()), said)
        elif finding.certain:
            one.part[one.field] = LEFT_OUT
        else:
            asked.append(said)
    return Judged(named, _asked(event, texts, asked))


def _asked(event: Event, texts: dict[str, str], found: list[Finding]) -> Asked | None:
    """Without what somebody has confirmed already when it was recorded or released."""
    if not found:
        return None
    entries = AuditEntry.objects.filter(event=event, action="confirm_published_words").values_list("reason", flat=True)
    known = {line for reason in entries for line in reason.split(", ")}
    new = tuple(dict.fromkeys(one for one in found if line_of(one) not in known))
    return Asked(new, token_of(texts, new)) if new else None
