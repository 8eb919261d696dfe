"""A release's content as every artefact reads it: fractions again, and its rules in words. No database."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any

from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from tournament.core.enums import StageKind
from tournament.core.names import has_latin_letter
from tournament.core.numberformat import from_twelfths, rank_text
from tournament.messages.exports.typed_words import is_english_active
from tournament.publication.domain.release import TURN_SHEET
from tournament.publication.exports.decisions import SENTENCE_SPACE, DecisionText, tie_decision_text
from tournament.publication.exports.draws import lots_and_decisions_words

RELEASE_LANGUAGES = ("zh-hant", "en")

RELEASED_CRITERION_WORDS = {
    "wins": _("wins (more first)"),
    "average": _("average (higher first)"),
    "total": _("points in all (higher first)"),
    "tiles": _("tiles left (fewer first)"),
}
NO_RANK_WORDS = _("listed without a rank")
# By the word in the content.
PUBLISHED_UNRANKED_WORDS = {"not_played": _("no game played"), "no_rank": NO_RANK_WORDS}
RANKING_TITLES = {StageKind.PRELIMINARY: _("Preliminary ranking"), StageKind.FINAL: _("Final ranking")}


@dataclass(frozen=True, slots=True)
class ReleasedEntrant:
    """One line; `name` is masked; `reserve_place` is None above the line and where nobody waits."""

    number: int
    name: str
    rank: int
    tied: bool
    wins: int
    points: Fraction
    average: Fraction | None
    tiles: int
    table_size: int
    advancing: bool
    reserve_place: int | None
    reserve_tied: bool
    # [win, points in twelfths, tiles] or None for a game not played.
    games: tuple[list[int] | None, ...] = ()
    # The turns with words of each game, where sheets count turns; releases of before have none.
    turns: tuple[list[Mapping[str, Any]], ...] = ()

    @property
    def rank_text(self) -> str:
        """The rank as text: 118= where it is shared."""
        return rank_text(self.rank, shared=self.tied)

    @property
    def reserve_text(self) -> str:
        """The place in the queue of reserves, 2=; nothing above the line."""
        return "" if self.reserve_place is None else rank_text(self.reserve_place, shared=self.reserve_tied)

    @property
    def name_markup(self) -> SafeString:
        """The masked name, which is the same on pages of both languages, with its own where the page has the other."""
        return name_markup(self.name)


@dataclass(frozen=True, slots=True)
class ReleasedRanking:
    """The frozen content of one release with its digest."""

    content: Mapping[str, Any]
    digest: str
    ranking: tuple[ReleasedEntrant, ...]

    @property
    def number(self) -> int:
        return int(self.content["number"])

    @property
    def released_at(self) -> datetime:
        return datetime.fromisoformat(self.content["released_at"])

    @property
    def advancing(self) -> int:
        """How many stand above the line."""
        return int(self.content["advancing"])

    @property
    def has_line(self) -> bool:
        """Whether anybody advances from here: from a final nobody does."""
        return self.content.get("podium") is None

    @property
    def is_of_first_stage(self) -> bool:
        """Whether it is of the stage that the event began with."""
        return bool(self.content["stage"] == StageKind.PRELIMINARY)

    @property
    def rounds(self) -> int:
        """How many rounds there were; one of a stage without rounds."""
        return int(self.content["rounds"])

    @property
    def counts_turns(self) -> bool:
        """Whether its sheets count turns, so that of the tiles left only the jokers are known."""
        return self.content.get("sheet") == TURN_SHEET

    @property
    def tiles_left_head(self) -> str:
        """The head of the tiles left, not translated."""
        return str(_("Jokers left") if self.counts_turns else _("Tiles left"))

    @property
    def ranked_text(self) -> str:
        """How many are ranked: 1,187."""
        return f"{len(self.ranking):,}"

    @property
    def event_name(self) -> str:
        """The event in the language of the moment."""
        return str(self.content["event"]["name_en" if is_english_active() else "name_zh"])

    @property
    def title(self) -> str:
        """Preliminary ranking, or the ranking alone where nothing follows; of a stage that the program has no words for
        by its own name."""
        names = self.content.get("stage_name")
        if names is None:
            if self.is_of_first_stage and not self.has_line:
                return gettext("Ranking")
            return gettext(RANKING_TITLES[StageKind(self.content["stage"])])
        return gettext("%(stage)s ranking") % {"stage": names["en" if is_english_active() else "zh"]}

    @property
    def unranked(self) -> list[tuple[int, str]]:
        """Number and reason of who has no rank."""
        return [
            (entry["number"], gettext(PUBLISHED_UNRANKED_WORDS[entry["because"]])) for entry in self.content["unranked"]
        ]

    @property
    def order_words(self) -> str:
        """What is compared, in its order, and what happens to equals."""
        names = [gettext(RELEASED_CRITERION_WORDS[name]) for name in self.content["order"]]
        return gettext("Compared by %(order)s. Equal in all of these: the same rank.") % {
            "order": gettext(", then by ").join(names)
        }

    @property
    def divisor_words(self) -> str:
        """What an average divides by; nothing where there is none."""
        if "average" not in self.content["order"]:
            return ""
        if self.content["average_over"] == "played":
            return gettext("Average: all points divided by the games played.")
        games = self.content["games"]
        return ngettext(
            "Average: all points divided by %(games)s game, played or not.",
            "Average: all points divided by %(games)s games, played or not.",
            games,
        ) % {"games": games}

    @property
    def rules_words(self) -> str:
        """Order and divisor as one text."""
        return SENTENCE_SPACE[is_english_active()].join(text for text in (self.order_words, self.divisor_words) if text)

    @property
    def decision_words(self) -> DecisionText | None:
        """The decided tie across the line in one sentence with the reason; nothing where there was none."""
        decision = self.content["decision"]
        return self._told(decision) if decision else None

    @property
    def reserve_words(self) -> list[DecisionText]:
        """The decisions of reserve places, the oldest first."""
        return [self._told(decision, reserve=True) for decision in reversed(self.content["reserve_decisions"])]

    def _told(self, decision: Mapping[str, Any], *, reserve: bool = False) -> DecisionText:
        """One decision in a sentence, and how a witness draws its lots again."""
        tied = set(decision["tied"])
        rank = next(entrant.rank for entrant in self.ranking if f"{entrant.number:04d}" in tied)
        return tie_decision_text(decision, rank=rank, reserve=reserve)

    @property
    def draw_words(self) -> list[str]:
        """Every draw that was announced and every decision that is no longer in force."""
        return lots_and_decisions_words(self.content)

    @property
    def audit_head(self) -> str:
        """The link of the audit log that the ranking was read at; published, it fixes the log before it."""
        return f"{self.content['audit']['seq']}·{self.content['audit']['hash']}"

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What every file says of itself, in both languages: label and value."""
        of_line = [
            (message_in_both_languages(_("Advancing")), str(self.advancing)),
            (
                message_in_both_languages(_("Tie across the line")),
                call_in_both_languages(lambda: self.decision_words or ""),
            ),
            *(
                (
                    message_in_both_languages(_("Tie among reserves")),
                    call_in_both_languages(lambda place=place: self.reserve_words[place]),
                )
                for place in range(len(self.reserve_words))
            ),
        ]
        drawn = len(self.draw_words)
        of_draws = [
            (
                message_in_both_languages(_("Draws and earlier decisions")),
                call_in_both_languages(lambda place=place: self.draw_words[place]),
            )
            for place in range(drawn)
        ]
        return [
            (
                message_in_both_languages(_("Event")),
                f"{self.content['event']['name_zh']} {self.content['event']['name_en']}",
            ),
            (message_in_both_languages(_("Release")), str(self.number)),
            (message_in_both_languages(_("Released at")), f"{self.released_at:%Y-%m-%d %H:%M:%S %z}"),
            (message_in_both_languages(_("Digest (SHA-256)")), self.digest),
            (message_in_both_languages(_("Audit log")), self.audit_head),
            (message_in_both_languages(_("Order")), call_in_both_languages(lambda: self.order_words)),
            (message_in_both_languages(_("Divisor")), call_in_both_languages(lambda: self.divisor_words)),
            *(of_line if self.has_line else [(message_in_both_languages(_("Rounds")), str(self.rounds))]),
            *of_draws,
        ]


def read_release(content: Mapping[str, Any], digest: str) -> ReleasedRanking:
    """The content of a release row."""
    return ReleasedRanking(content, digest, tuple(_released_entrant(line) for line in content["ranking"]))


def _released_entrant(line: Mapping[str, Any]) -> ReleasedEntrant:
    reserve = line["reserve"] or (None, False)
    return ReleasedEntrant(
        number=line["number"],
        name=line["name"],
        rank=line["rank"],
        tied=line["tied"],
        wins=line["wins"],
        points=from_twelfths(line["points_twelfths"]),
        average=None if line["average"] is None else Fraction(line["average"]),
        tiles=line["tiles"],
        table_size=line["table_size"],
        advancing=line["advancing"],
        reserve_place=reserve[0],
        reserve_tied=reserve[1],
        games=tuple(line["games"]),
        turns=tuple(line.get("turns", ())),
    )


def name_markup(name: str) -> SafeString:
    """A name as a page shows it: marked with its language where the page is in the other."""
    chinese = not has_latin_letter(name)
    if chinese != is_english_active():
        return format_html("{}", name)
    return format_html('<span lang="{}">{}</span>', "zh-Hant-HK" if chinese else "en", name)


def call_in_both_languages(words: Any) -> str:
    """What a function says in Chinese, then in English."""
    said = []
    for language in RELEASE_LANGUAGES:
        with translation.override(language):
            said.append(words())
    return " ".join(dict.fromkeys(text for text in said if text))


def message_in_both_languages(msgid: str) -> str:
    """A head in both languages: 名次 Rank."""
    return call_in_both_languages(lambda: gettext(msgid))
