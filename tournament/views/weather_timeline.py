"""The time line of a day: signals as bars against the deadline and the first check-in, in units of its drawing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.signals import Stretch
from scoring.weather import is_stop
from tournament.bridge.weather import LiveDay
from tournament.exports.weather_words import CYCLONE, RAIN, words_of
from tournament.moments import time_text

LEFT, RIGHT = 110, 1170
LANES = ((RAIN, _("Rainstorm"), 48), (CYCLONE, _("Cyclone"), 100))
BARS = {"amber": ("amber", "d"), "red": ("redr", "w"), "black": ("black", "w"), "": ("calm", "")}
BEFORE, AFTER, HOUR = timedelta(hours=4), timedelta(hours=1), timedelta(hours=1)
MOST_HOURS = 14
# A Chinese character is so wide, any other half of it, and a bar's word begins so far inside.
CHARACTER, INSIDE = 13, 10
# So near after another line the word of now stands behind its own.
NEAR = 90


@dataclass(frozen=True)
class Bar:
    """A signal, or what may follow of it; `word` only where it fits."""

    x: str
    width: str
    y: int
    look: str
    text: str
    word: str
    word_x: str

    @property
    def text_y(self) -> int:
        """Its word's line."""
        return self.y + 22


@dataclass(frozen=True)
class Mark:
    """A line through all lanes with its word."""

    x: str
    at: datetime
    anchor: str


@dataclass(frozen=True)
class Timeline:
    """What the drawing is made of."""

    zone_x: str
    zone_width: str
    hours: Sequence[Mark]
    lanes: Sequence[tuple[str | Promise, int]]
    bars: Sequence[Bar]
    deadline: Mark
    check_in: Mark
    now: Mark | None


@dataclass(frozen=True)
class Scale:
    """Moments to places."""

    begins: datetime
    ends: datetime

    def place(self, at: datetime) -> float:
        """Inside the drawing, whatever the moment."""
        share = (min(max(at, self.begins), self.ends) - self.begins) / (self.ends - self.begins)
        return LEFT + share * (RIGHT - LEFT)

    def mark(self, at: datetime) -> Mark:
        """A line, its word where there is room."""
        x = self.place(at)
        anchor = "start" if x < LEFT + 60 else "end" if x > RIGHT - 60 else "middle"
        return Mark(drawn(x), at, anchor)


def timeline_of(live: LiveDay) -> Timeline | None:
    """The day's; None where it has no sessions."""
    if live.first_check_in is None or live.deadline is None or live.ends_at is None:
        return None
    begins, ends = whole(live.deadline - BEFORE), live.first_check_in + AFTER
    if live.now > live.first_check_in:
        ends = max(ends, min(live.ends_at, live.now + AFTER))
    scale = Scale(begins, ends)
    shown = begins <= live.now <= ends
    zone = scale.place(live.deadline)
    return Timeline(
        zone_x=drawn(zone),
        zone_width=drawn(RIGHT - zone),
        hours=list(hours(scale)),
        lanes=[(word, y + 22) for _family, word, y in LANES],
        bars=[bar for one in live.stretches for bar in bars_of(one, live, scale)],
        deadline=scale.mark(live.deadline),
        check_in=scale.mark(live.first_check_in),
        now=now_mark(scale, live.now, (zone, scale.place(live.first_check_in))) if shown else None,
    )


def hours(scale: Scale) -> Iterator[Mark]:
    """Every whole hour, every second one of a long day."""
    step = HOUR if scale.ends - scale.begins <= HOUR * MOST_HOURS else 2 * HOUR
    at = scale.begins
    while at <= scale.ends:
        yield Mark(drawn(scale.place(at)), at, "middle")
        at += step


def now_mark(scale: Scale, now: datetime, others: Sequence[float]) -> Mark:
    """Its word stands before it; behind it at the drawing's beginning, and so near after another line."""
    x = scale.place(now)
    behind = x <= LEFT + NEAR or any(0 <= x - other < NEAR for other in others)
    return Mark(drawn(x), now, "start" if behind and x < RIGHT - NEAR else "end")


def bars_of(one: Stretch, live: LiveDay, scale: Scale) -> Iterator[Bar]:
    """A signal until its end, until it vanished or until now; of a stop signal, dashed, what is not known yet."""
    y = next((y for family, _word, y in LANES if family == one.family), None)
    issued, ended = one.signal.issued, one.signal.cancelled
    if y is None or issued > min(live.now, scale.ends) or (ended and ended <= scale.begins):
        return
    look, text = BARS[words_of(one.signal.code).colour]
    until = max(issued, min(ended or one.vanished or live.now, live.now, scale.ends))
    yield bar(scale, issued, until, y, look, text, words_for(one))
    if is_stop(one.signal.code) and (ended is None or ended > live.now) and until < scale.ends:
        said = _("end not known") if one.vanished else _("not cancelled: called off")
        if live.first_check_in and live.now >= live.first_check_in:
            said = _("not cancelled yet")
        dashed = bar(scale, until, scale.ends, y, "open", "", [said])
        # Its word stands where it matters: behind the deadline.
        after = scale.place(max(until, live.deadline or until))
        yield replace(dashed, word_x=drawn(after + INSIDE)) if dashed.word else dashed


def words_for(one: Stretch) -> list[str]:
    """What may stand on a bar, the fullest first."""
    words, since = words_of(one.signal.code), time_text(one.signal.issued)
    if not is_stop(one.signal.code) and one.family == CYCLONE:
        return [gettext("%(name)s (does not stop play)") % {"name": words.name}, str(words.name), str(words.short)]
    if one.signal.cancelled:
        full = f"{words.short} {since}–{time_text(one.signal.cancelled)}"
    else:
        full = gettext("%(name)s from %(since)s") % {"name": words.short, "since": since}
    return [full, str(words.short)]


def bar(
    scale: Scale, since: datetime, until: datetime, y: int, look: str, text: str, said: Sequence[str | Promise]
) -> Bar:
    """The longest of the words that fits into it, else none."""
    x, end = scale.place(since), scale.place(until)
    room = end - x - 2 * INSIDE
    word = next((str(one) for one in said if length(str(one)) <= room), "")
    return Bar(drawn(x), drawn(max(end - x, 2)), y, look, text, word, drawn(x + INSIDE))


def length(text: str) -> float:
    """About how long a text is drawn."""
    return sum(CHARACTER if ord(character) > 0x2E7F else CHARACTER * 0.56 for character in text)


def whole(at: datetime) -> datetime:
    """The hour that a moment lies in."""
    return timezone.localtime(at).replace(minute=0, second=0, microsecond=0)


def drawn(number: float) -> str:
    """The same in every language."""
    return f"{number:.1f}"
