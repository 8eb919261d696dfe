"""The time line of a day: signals as bars against the deadline and the first check-in, in units of its drawing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.signals import SignalSpan
from scoring.weather import is_stop_signal
from tournament.core.dateformat import time_text
from tournament.events.exports import CYCLONE_FAMILY_KEY, RAIN_FAMILY_KEY, words_of_signal
from tournament.weather.domain.weather import LiveDay

TIMELINE_LEFT, TIMELINE_RIGHT = 110, 1170
TIMELINE_LANES = ((RAIN_FAMILY_KEY, _("Rainstorm"), 48), (CYCLONE_FAMILY_KEY, _("Cyclone"), 100))
BAR_STYLES = {"amber": ("amber", "d"), "red": ("redr", "w"), "black": ("black", "w"), "": ("calm", "")}
TIMELINE_BEFORE, TIMELINE_AFTER, TIMELINE_HOUR = timedelta(hours=4), timedelta(hours=1), timedelta(hours=1)
TIMELINE_MAX_HOURS = 14
# A Chinese character is so wide, any other half of it, and a bar's word begins so far inside.
CHARACTER_WIDTH, BAR_PADDING = 13, 10
# So near after another line the word of now stands behind its own.
LABELS_TOO_NEAR = 90


@dataclass(frozen=True)
class TimelineBar:
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
        return self.y + 22


@dataclass(frozen=True)
class TimelineMark:
    """A line through all lanes with its word."""

    x: str
    at: datetime
    anchor: str


@dataclass(frozen=True)
class Timeline:
    """What the drawing is made of."""

    zone_x: str
    zone_width: str
    hours: Sequence[TimelineMark]
    lanes: Sequence[tuple[str | Promise, int]]
    bars: Sequence[TimelineBar]
    deadline: TimelineMark
    check_in: TimelineMark
    now: TimelineMark | None


@dataclass(frozen=True)
class TimelineScale:
    """Turns moments into horizontal places of the drawing."""

    begins: datetime
    ends: datetime

    def place(self, at: datetime) -> float:
        """Inside the drawing, whatever the moment."""
        share = (min(max(at, self.begins), self.ends) - self.begins) / (self.ends - self.begins)
        return TIMELINE_LEFT + share * (TIMELINE_RIGHT - TIMELINE_LEFT)

    def mark(self, at: datetime) -> TimelineMark:
        """A line, its word where there is room."""
        x = self.place(at)
        anchor = "start" if x < TIMELINE_LEFT + 60 else "end" if x > TIMELINE_RIGHT - 60 else "middle"
        return TimelineMark(coordinate_text(x), at, anchor)


def timeline_of(live: LiveDay) -> Timeline | None:
    """The day's; None where it has no sessions."""
    if live.first_check_in is None or live.deadline is None or live.ends_at is None:
        return None
    begins, ends = floor_to_hour(live.deadline - TIMELINE_BEFORE), live.first_check_in + TIMELINE_AFTER
    if live.now > live.first_check_in:
        ends = max(ends, min(live.ends_at, live.now + TIMELINE_AFTER))
    scale = TimelineScale(begins, ends)
    shown = begins <= live.now <= ends
    zone = scale.place(live.deadline)
    return Timeline(
        zone_x=coordinate_text(zone),
        zone_width=coordinate_text(TIMELINE_RIGHT - zone),
        hours=list(iter_hour_marks(scale)),
        lanes=[(word, y + 22) for _family, word, y in TIMELINE_LANES],
        bars=[bar for one in live.stretches for bar in bars_of(one, live, scale)],
        deadline=scale.mark(live.deadline),
        check_in=scale.mark(live.first_check_in),
        now=current_time_mark(scale, live.now, (zone, scale.place(live.first_check_in))) if shown else None,
    )


def iter_hour_marks(scale: TimelineScale) -> Iterator[TimelineMark]:
    """Every whole hour, every second one of a long day."""
    step = TIMELINE_HOUR if scale.ends - scale.begins <= TIMELINE_HOUR * TIMELINE_MAX_HOURS else 2 * TIMELINE_HOUR
    at = scale.begins
    while at <= scale.ends:
        yield TimelineMark(coordinate_text(scale.place(at)), at, "middle")
        at += step


def current_time_mark(scale: TimelineScale, now: datetime, others: Sequence[float]) -> TimelineMark:
    """Its word stands before it; behind it at the drawing's beginning, and so near after another line."""
    x = scale.place(now)
    behind = x <= TIMELINE_LEFT + LABELS_TOO_NEAR or any(0 <= x - other < LABELS_TOO_NEAR for other in others)
    return TimelineMark(coordinate_text(x), now, "start" if behind and x < TIMELINE_RIGHT - LABELS_TOO_NEAR else "end")


def bars_of(one: SignalSpan, live: LiveDay, scale: TimelineScale) -> Iterator[TimelineBar]:
    """A signal until its end, until it vanished or until now; of a stop signal, dashed, what is not known yet."""
    y = next((y for family, _word, y in TIMELINE_LANES if family == one.family), None)
    issued, ended = one.signal.issued, one.signal.cancelled
    if y is None or issued > min(live.now, scale.ends) or (ended and ended <= scale.begins):
        return
    look, text = BAR_STYLES[words_of_signal(one.signal.code).colour]
    until = max(issued, min(ended or one.vanished or live.now, live.now, scale.ends))
    yield build_timeline_bar(scale, issued, until, y, look, text, words_for(one))
    if is_stop_signal(one.signal.code) and (ended is None or ended > live.now) and until < scale.ends:
        said = _("end not known") if one.vanished else _("not cancelled: called off")
        if live.first_check_in and live.now >= live.first_check_in:
            said = _("not cancelled yet")
        dashed = build_timeline_bar(scale, until, scale.ends, y, "open", "", [said])
        # Its word stands where it matters: behind the deadline.
        after = scale.place(max(until, live.deadline or until))
        yield replace(dashed, word_x=coordinate_text(after + BAR_PADDING)) if dashed.word else dashed


def words_for(one: SignalSpan) -> list[str]:
    """What may stand on a bar, the fullest first."""
    words, since = words_of_signal(one.signal.code), time_text(one.signal.issued)
    if not is_stop_signal(one.signal.code) and one.family == CYCLONE_FAMILY_KEY:
        return [gettext("%(name)s (does not stop play)") % {"name": words.name}, str(words.name), str(words.short)]
    if one.signal.cancelled:
        full = f"{words.short} {since}–{time_text(one.signal.cancelled)}"
    else:
        full = gettext("%(name)s from %(since)s") % {"name": words.short, "since": since}
    return [full, str(words.short)]


def build_timeline_bar(
    scale: TimelineScale, since: datetime, until: datetime, y: int, look: str, text: str, said: Sequence[str | Promise]
) -> TimelineBar:
    """The longest of the words that fits into it, else none."""
    x, end = scale.place(since), scale.place(until)
    room = end - x - 2 * BAR_PADDING
    word = next((str(one) for one in said if approximate_text_width(str(one)) <= room), "")
    return TimelineBar(
        coordinate_text(x), coordinate_text(max(end - x, 2)), y, look, text, word, coordinate_text(x + BAR_PADDING)
    )


def approximate_text_width(text: str) -> float:
    """About how long a text is drawn."""
    return sum(CHARACTER_WIDTH if ord(character) > 0x2E7F else CHARACTER_WIDTH * 0.56 for character in text)


def floor_to_hour(at: datetime) -> datetime:
    """The hour that a moment lies in."""
    return timezone.localtime(at).replace(minute=0, second=0, microsecond=0)


def coordinate_text(number: float) -> str:
    """The same in every language."""
    return f"{number:.1f}"
