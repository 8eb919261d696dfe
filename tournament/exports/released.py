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

from tournament.enums import StageKind
from tournament.exports.released_decisions import SPACE, Told, in_english, told_tie
from tournament.exports.released_draws import draw_words
from tournament.names import has_chinese, has_latin_letter, public_name
from tournament.quantities import from_twelfths, rank_text

LANGUAGES = ("zh-hant", "en")

CRITERIA = {
    "wins": _("wins (more first)"),
    "average": _("average (higher first)"),
    "total": _("points in all (higher first)"),
    "tiles": _("tiles left (fewer first)"),
}
NO_RANK = _("listed without a rank")
# By the word in the content. Releases of an older content have the last three.
BECAUSE = {
    "not_played": _("no game played"),
    "no_rank": NO_RANK,
    "forfeited": NO_RANK,
    "withdrawn": NO_RANK,
    "disqualified": NO_RANK,
}
TITLES = {StageKind.PRELIMINARY: _("Preliminary ranking"), StageKind.FINAL: _("Final ranking")}


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
    # [win, points in twelfths, tiles] or None for a game not played; empty in releases of an older content.
    games: tuple[list[int] | None, ...] = ()

    @property
    def rank_text(self) -> str:
        """118=."""
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
        """The release's number."""
        return int(self.content["number"])

    @property
    def released_at(self) -> datetime:
        """When it was released."""
        return datetime.fromisoformat(self.content["released_at"])

    @property
    def advancing(self) -> int:
        """How many stand above the line."""
        return int(self.content["advancing"])

    @property
    def has_line(self) -> bool:
        """Whether anybody advances from here: from a final nobody does."""
        return bool(self.content["stage"] != StageKind.FINAL)

    @property
    def rounds(self) -> int:
        """How many rounds there were; one in releases of an older content."""
        return int(self.content.get("rounds", 1))

    @property
    def ranked_text(self) -> str:
        """How many are ranked: 1,187."""
        return f"{len(self.ranking):,}"

    @property
    def event_name(self) -> str:
        """The event in the language of the moment."""
        return str(self.content["event"]["name_en" if in_english() else "name_zh"])

    @property
    def title(self) -> str:
        """Preliminary ranking."""
        return gettext(TITLES[StageKind(self.content["stage"])])

    @property
    def unranked(self) -> list[tuple[int, str]]:
        """Number and reason of who has no rank."""
        return [(entry["number"], gettext(BECAUSE[entry["because"]])) for entry in self.content["unranked"]]

    @property
    def order_words(self) -> str:
        """What is compared, in its order, and what happens to equals."""
        names = [gettext(CRITERIA[name]) for name in self.content["order"]]
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
        return SPACE[in_english()].join(text for text in (self.order_words, self.divisor_words) if text)

    @property
    def decision_words(self) -> Told | None:
        """The decided tie across the line in one sentence with the reason; nothing where there was none."""
        decision = self.content["decision"]
        return self._told(decision) if decision else None

    @property
    def reserve_words(self) -> list[Told]:
        """The decisions of reserve places, the oldest first; nothing in releases of an older content."""
        return [self._told(decision, reserve=True) for decision in reversed(self.content.get("reserve_decisions", []))]

    def _told(self, decision: Mapping[str, Any], *, reserve: bool = False) -> Told:
        """One decision in a sentence, and how a witness draws its lots again."""
        tied = set(decision["tied"])
        rank = next(entrant.rank for entrant in self.ranking if f"{entrant.number:04d}" in tied)
        return told_tie(decision, rank=rank, reserve=reserve)

    @property
    def draw_words(self) -> list[str]:
        """Every draw that was announced and every decision that is no longer in force; nothing in an older content."""
        return draw_words(self.content)

    @property
    def audit_head(self) -> str:
        """The link of the audit log that the ranking was read at; published, it fixes the log before it."""
        return f"{self.content['audit']['seq']}·{self.content['audit']['hash']}"

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What every file says of itself, in both languages: label and value."""
        of_line = [
            (both(_("Advancing")), str(self.advancing)),
            (both(_("Tie across the line")), in_both(lambda: self.decision_words or "")),
            *(
                (both(_("Tie among reserves")), in_both(lambda place=place: self.reserve_words[place]))
                for place in range(len(self.reserve_words))
            ),
        ]
        drawn = len(self.draw_words)
        of_draws = [
            (both(_("Draws and earlier decisions")), in_both(lambda place=place: self.draw_words[place]))
            for place in range(drawn)
        ]
        return [
            (both(_("Event")), f"{self.content['event']['name_zh']} {self.content['event']['name_en']}"),
            (both(_("Release")), str(self.number)),
            (both(_("Released at")), f"{self.released_at:%Y-%m-%d %H:%M:%S %z}"),
            (both(_("Digest (SHA-256)")), self.digest),
            (both(_("Audit log")), self.audit_head),
            (both(_("Order")), in_both(lambda: self.order_words)),
            (both(_("Divisor")), in_both(lambda: self.divisor_words)),
            *(of_line if self.has_line else [(both(_("Rounds")), str(self.rounds))]),
            *of_draws,
        ]


def read_release(content: Mapping[str, Any], digest: str) -> ReleasedRanking:
    """The content of a release row."""
    return ReleasedRanking(content, digest, tuple(_entrant(line) for line in content["ranking"]))


def _entrant(line: Mapping[str, Any]) -> ReleasedEntrant:
    reserve = line["reserve"] or (None, False)
    return ReleasedEntrant(
        number=line["number"],
        name=masked_name(line),
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
        games=tuple(line.get("games", ())),
    )


def masked_name(line: Mapping[str, Any]) -> str:
    """The one masked name; of the two in an older content the Chinese. An older English one may have left ideographs
    whole, which are masked here."""
    if "name" in line:
        return str(line["name"])
    zh, en = line["name_zh"], line["name_en"]
    return str(zh or (public_name("", en) if has_chinese(en) else en))


def name_markup(name: str) -> SafeString:
    """A name as a page shows it: marked with its language where the page is in the other."""
    chinese = not has_latin_letter(name)
    if chinese != in_english():
        return format_html("{}", name)
    return format_html('<span lang="{}">{}</span>', "zh-Hant-HK" if chinese else "en", name)


def in_both(words: Any) -> str:
    """What a function says in Chinese, then in English."""
    said = []
    for language in LANGUAGES:
        with translation.override(language):
            said.append(words())
    return " ".join(dict.fromkeys(text for text in said if text))


def both(msgid: str) -> str:
    """A head in both languages: 名次 Rank."""
    return in_both(lambda: gettext(msgid))
