"""What is mailed, in the language of the moment: notices, seats with the timer, results, places. No database.

Facts are those of messages/queries/recipients.py and mail/domain/recipients.py. Subjects name the event alone: no
person, no entrant's number, no rank stands where a locked telephone shows it.
"""

from collections.abc import Mapping
from datetime import date, datetime
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext, ngettext

from tournament.core import dateformat
from tournament.core.enums import StageKind
from tournament.core.numberformat import format_quantity, from_twelfths, rank_text
from tournament.messages.exports.mail_parts import (
    CALLED_AS_RESERVE_WORDS,
    RESERVES_MARKED,
    MailFacts,
    MailFigures,
    MailLink,
    MailParagraph,
    MailPart,
    MailSteps,
)

TitledMailParts = tuple[str, tuple[MailPart, ...]]
MailFactValues = Mapping[str, Any]


def seats_mail_words(facts: MailFactValues, *, venue: str) -> TitledMailParts:
    """Where one sits and when, what being late means (R6), how the timer is used and how long is played (R16)."""
    day, seating = moment_of_fact(facts["check_in_at"]), dateformat.time_text(moment_of_fact(facts["seating_at"]))
    play = "–".join(dateformat.time_text(moment_of_fact(facts[key])) for key in ("play_at", "ends_at"))
    table = gettext("Table %(table)s, seat %(letter)s") % {"table": facts["table"], "letter": facts["letter"]}
    rows = [
        (gettext("Date"), mail_session_words(facts)),
        (gettext("Check-in"), dateformat.time_text(day)),
        (gettext("Seating and briefing"), seating),
        (gettext("Play time"), play),
        (gettext("Seat"), table),
        (gettext("Venue"), venue or gettext("to be announced")),
    ]
    late = gettext(
        "Please check in on time. Whoever is not there at %(time)s, when all are seated, counts as a no-show: there is"
        " no admission, no other session and no refund of the fee."
    ) % {"time": seating}
    parts: list[MailPart] = [
        MailFacts(tuple(rows)),
        MailParagraph(late, strong=True),
        *timer_mail_words(facts),
        *length_mail_words(facts),
    ]
    return gettext("Your seat and how the timer is used"), tuple(parts)


def mail_session_words(facts: MailFactValues) -> str:
    """3 月 28 日（星期六）第三場; of a final the round; of a session that was moved the first day beside it."""
    day, first = dateformat.local_day(moment_of_fact(facts["check_in_at"])), date.fromisoformat(facts["original_date"])
    later, own = facts["stage"] != StageKind.PRELIMINARY, stage_name_of(facts, "stage_name")
    name = (facts["number_of_day"], facts.get("replay", False))
    which = dateformat.final_text(facts["round"], own) if later else dateformat.session_of_day_text(*name)
    said = f"{dateformat.weekday_date_text(day)}{'' if dateformat.is_chinese() else ', '}{which}"
    if day == first:
        return said
    return gettext("%(session)s (moved from %(first)s)") % {"session": said, "first": dateformat.date_text(first)}


def stage_name_of(facts: MailFactValues, key: str) -> str:
    """A stage's own name in the language of the moment; empty for the first and the final."""
    names = facts.get(key) or {"zh": "", "en": ""}
    return str(names["zh"] if dateformat.is_chinese() else names["en"])


def timer_mail_words(facts: MailFactValues) -> list[MailPart]:
    """How the timer is used; nothing where the rules have no time for a turn."""
    seconds, tiles = facts["turn_seconds"], facts["overtime_tiles"]
    if seconds is None:
        return []
    time = {"seconds": seconds}
    lines = [
        gettext(
            "As soon as the timer is handed to you, press its button, the one that looks like a joker: your %(seconds)s"
            " seconds begin."
        )
        % time,
        gettext(
            'Playing and drawing both have to be done within %(seconds)s seconds. When you are done, say "finish" and'
            " press the button: the countdown stops. Only then does the next player begin."
        )
        % time,
        gettext("With nothing to play, or no wish to, draw 1 tile within the time."),
        gettext(
            "Over %(seconds)s seconds: take back the tiles that you have just played, put the table back as it was, and"
            " draw 1 tile as the penalty."
        )
        % time,
    ]
    if tiles is not None:
        lines.append(
            ngettext(
                "If you cannot put the table back, the others at the table may help. If nobody can, draw %(tiles)s tile"
                " as the penalty, and the tiles that fit nowhere go to your rack.",
                "If you cannot put the table back, the others at the table may help. If nobody can, draw %(tiles)s"
                " tiles as the penalty, and the tiles that fit nowhere go to your rack.",
                tiles,
            )
            % {"tiles": tiles}
        )
    lines.append(gettext('Whoever has played the last tile says "Rummikub": the game is over.'))
    return [
        MailParagraph(gettext("The organiser provides the timers. The players of a table keep the time themselves.")),
        MailSteps(gettext("The Rummikub match timer: how it is used"), tuple(lines)),
    ]


def length_mail_words(facts: MailFactValues) -> list[MailPart]:
    """How many games in how long, and what happens to the one that is running then."""
    games, minutes = facts["games"], facts["minutes"]
    said = []
    if games is not None:
        said.append(ngettext("%(games)s game is played.", "%(games)s games are played.", games) % {"games": games})
    if minutes is not None:
        said.append(
            gettext(
                "Play ends after %(minutes)s minutes in all. A game that is running then ends there and is counted by"
                " the tiles on the racks."
            )
            % {"minutes": minutes}
        )
    return [MailParagraph(sentence_gap().join(said))] if said else []


def results_mail_words(facts: MailFactValues, *, url: str) -> TitledMailParts:
    """The rank as released, what it was ranked by, through or not, the games, and where it is explained."""
    final = facts["stage"] == StageKind.FINAL
    title = gettext("Your result in the final") if final else gettext("Your result in the preliminary")
    if own := stage_name_of(facts, "stage_name"):
        title = gettext("Your result: %(stage)s") % {"stage": own}
    rank = gettext("%(rank)s of %(ranked)s") % {
        "rank": rank_text(facts["rank"], shared=facts["tied"]),
        "ranked": f"{facts['ranked']:,}",
    }
    parts: list[MailPart] = [
        MailFacts(((gettext("Rank"), rank), *(criterion_with_figure(name, facts) for name in facts["order"])))
    ]
    parts += advancing_mail_words(facts)
    parts += games_mail_words(facts)
    parts.append(MailLink(gettext("How this rank came about, step by step:"), url))
    return title, tuple(parts)


def criterion_with_figure(name: str, facts: MailFactValues) -> tuple[str, str]:
    """One criterion of the ranking with the exact figure, fractions as fractions."""
    if name == "wins":
        return gettext("Wins"), str(facts["wins"])
    if name == "average":
        average = facts["average"]
        return gettext("Average"), format_quantity(Fraction(average)) if average is not None else "–"
    if name == "total":
        return gettext("Points"), format_quantity(from_twelfths(facts["points_twelfths"]), signed=True)
    return gettext("Tiles left"), str(facts["tiles"])


def advancing_mail_words(facts: MailFactValues) -> list[MailPart]:
    """Whether the entrant advances, waits as a reserve, or does not; nothing where nobody advances."""
    if facts["through"] is None:
        return []
    if facts["through"]:
        own = stage_name_of(facts, "next_stage_name")
        through = (
            gettext("You are through: %(stage)s.") % {"stage": own} if own else gettext("You are through to the final.")
        )
        return [
            MailParagraph(through, strong=True),
            MailParagraph(
                gettext(
                    "To answer for your place, use the private link that the organiser gives out by letter or mail, "
                    "or ask the desk."
                )
            ),
        ]
    if facts["reserve"] and facts["reserve"][0] <= RESERVES_MARKED:
        place = rank_text(facts["reserve"][0], shared=facts["reserve"][1])
        return [
            MailParagraph(
                gettext(
                    "You are not among those who advance, but number %(place)s of the reserves. If a place falls to"
                    " you, the organiser tells you and offers it to you."
                )
                % {"place": place},
                strong=True,
            )
        ]
    return [MailParagraph(gettext("You are not among those who advance. Thank you for playing."), strong=True)]


def games_mail_words(facts: MailFactValues) -> list[MailPart]:
    """The games one by one; nothing where none was played."""
    games, rounds = facts["games"], facts["rounds"]
    if not games:
        return []
    size = -(-len(games) // rounds)
    rows = []
    for place, game in enumerate(games):
        name = game_in_round_name(place // size + 1 if rounds > 1 else 0, place % size + 1)
        if game is None:
            rows.append((name, gettext("not played"), "", ""))
        else:
            win, twelfths, tiles = game
            rows.append((name, str(win), format_quantity(from_twelfths(twelfths), signed=True), str(tiles)))
    heads = (gettext("Game"), gettext("Win"), gettext("Points"), gettext("Tiles left"))
    return [MailFigures(gettext("The games"), heads, tuple(rows))]


def game_in_round_name(round: int, number: int) -> str:
    """第 1 局, of a final of several rounds 第 2 輪第 1 局. `round` 0: there is but one."""
    if not round:
        return gettext("Game %(n)s") % {"n": number}
    return gettext("Round %(round)s, game %(game)s") % {"round": round, "game": number}


def places_mail_words(facts: MailFactValues, *, venue: str, url: str) -> TitledMailParts:
    """That one has a place, when and where, until when to answer, and the private link."""
    rank = {"rank": rank_text(facts["rank"], shared=facts["tied"])}
    if facts["called"]:
        lead = gettext(CALLED_AS_RESERVE_WORDS) % rank
    else:
        lead = gettext("Rank %(rank)s in the preliminary: you have a place in the final.") % rank
    where = venue or gettext("to be announced")
    rows = ((gettext("When"), final_date_words(facts["check_ins"])), (gettext("Venue"), where))
    if facts["until"]:
        until = moment_of_fact(facts["until"])
        answer = gettext("Please answer until %(until)s whether you will play.") % {
            "until": f"{dateformat.weekday_date_text(until)} {dateformat.time_text(until)}"
        }
    else:
        answer = gettext("Please answer soon whether you will play.")
    parts = (
        MailParagraph(lead, strong=True),
        MailFacts(rows),
        MailParagraph(answer, strong=True),
        MailLink(gettext("Your own page, on which you answer:"), url),
        MailParagraph(
            gettext("This address is yours alone: whoever has it can answer for you. A parent answers for a child."),
        ),
        MailParagraph(
            gettext(
                "You may change your answer until the last moment, but a place that you give up is gone once it is"
                " offered to a reserve. Without an answer in time the place may be given to a reserve."
            )
        ),
    )
    return gettext("Your place in the final"), parts


def final_date_words(check_ins: list[str]) -> str:
    """Day and check-in of the first round, and how many there are; or that it is to be announced."""
    if not check_ins:
        return gettext("to be announced")
    first = moment_of_fact(check_ins[0])
    said = dateformat.weekday_date_text(first) + ("" if dateformat.is_chinese() else ", ")
    said += gettext("check-in %(at)s") % {"at": dateformat.time_text(first)}
    if len(check_ins) > 1:
        said += gettext(", %(n)s rounds") % {"n": len(check_ins)}
    return said


def notice_mail_words(
    title: str, body: str, *, published: str, corrects: str, link: MailLink | None
) -> TitledMailParts:
    """The notice as it was written, a paragraph for each that an empty line ends: what is so stands first, which
    notice it is last."""
    paragraphs = [text.strip() for text in body.replace("\r\n", "\n").split("\n\n")]
    parts: list[MailPart] = [MailParagraph(text) for text in (corrects, *paragraphs, published) if text]
    return title, tuple([*parts, link] if link else parts)


def moment_of_fact(text: str) -> datetime:
    """A moment of the facts."""
    return datetime.fromisoformat(text)


def sentence_gap() -> str:
    """What stands between two sentences: nothing in Chinese, else a space."""
    return "" if dateformat.is_chinese() else " "
