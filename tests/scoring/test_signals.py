"""The journal of signals read as stretches, and what is proposed by what is known (R52, R56)."""

import json
import re
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.signals import Observation, SignalSpan, read_signal_spans, signals_in_force
from scoring.weather import Signal, is_stop_signal, judge_weather
from scoring.weather_proposal import propose_weather_decision

CASES = json.loads((Path(__file__).parent / "cases" / "signals.json").read_text(encoding="utf-8"))
DAYS = json.loads((Path(__file__).parent / "cases" / "weather.json").read_text(encoding="utf-8"))
MIDNIGHT = datetime.fromisoformat("2026-03-28T00:00:00+08:00")
CHECK_IN = MIDNIGHT + timedelta(hours=12)
DEADLINE = MIDNIGHT + timedelta(hours=10)
FEED = re.compile(r"(\d+) (\w+) (\w+) (\w+) (\S+) (\S+) @(\S+)")
HAND = re.compile(r"(\d+) hand (\w+) (\w+) ([\d:]*)-([\d:]*) @([\d:]+)(?: (about|withdraws) (\d+))?")


def clock(text):
    """`07:15` of that day; nothing is None."""
    if text in ("", "-"):
        return None
    hour, minute = text.split(":")
    return MIDNIGHT + timedelta(hours=int(hour), minutes=int(minute))


def line(text):
    """A line of the journal as the cases write it."""
    if by_feed := FEED.fullmatch(text):
        number, family, code, action, issued, updated, seen = by_feed.groups()
        return Observation(int(number), family, code, action, clock(issued), clock(updated), None, clock(seen))
    number, family, code, issued, ended, seen, how, about = HAND.fullmatch(text).groups()
    return Observation(
        *(int(number), family, code, "", clock(issued), None, clock(ended), clock(seen)),
        by_hand=True,
        about=int(about) if about else None,
        withdraws=how == "withdraws",
    )


def said(stretch):
    """A stretch as the cases write it."""
    signal = stretch.signal
    ended = f"{signal.cancelled:%H:%M}" if signal.cancelled else ""
    text = f"{signal.code} {signal.issued:%H:%M}-{ended} by {stretch.begun_by}"
    text += f" to {stretch.ended_by}" if stretch.ended_by else ""
    text += f" gone {stretch.vanished:%H:%M}" if stretch.vanished else ""
    return text + (" hand" if stretch.by_hand else "")


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_journal_reads_as_the_case_says(case):
    assert [said(one) for one in read_signal_spans(line(text) for text in case["journal"])] == case["stretches"]


@pytest.mark.parametrize(
    ("ending", "looks", "wanted"),
    [
        # The Observatory's time of the end is that of the issue; listed until 10:19.
        ("2 WRAIN CANCEL CANCEL 07:15 07:15 @10:20", ["07:16-10:19"], "WRAINB 07:15-10:19 by 1 to 2"),
        ("2 WRAIN CANCEL CANCEL 07:15 09:55 @10:20", ["07:16-09:57"], "WRAINB 07:15-09:57 by 1 to 2"),
        ("2 WRAIN CANCEL CANCEL 07:15 10:20 @10:20", ["07:16-10:19"], "WRAINB 07:15-10:20 by 1 to 2"),
        ("2 WRAIN WRAINR ISSUE 09:50 09:50 @10:20", ["07:16-08:00", "08:30-10:19"], "WRAINB 07:15-10:19 by 1 to 2"),
        # A look that begins a row as the change is seen, and whatever comes later, is no look that listed it.
        ("2 WRAIN CANCEL CANCEL 07:15 09:50 @10:20", ["07:16-09:40", "10:20-10:30"], "WRAINB 07:15-09:50 by 1 to 2"),
        ("2 WRAIN CANCEL CANCEL 07:15 09:50 @10:20", [], "WRAINB 07:15-09:50 by 1 to 2"),
        # A person's word goes before the looks.
        ("2 hand WRAIN WRAINB 07:15-09:50 @10:20", ["07:16-10:19"], "WRAINB 07:15-09:50 by 2 to 2 hand"),
    ],
)
def test_the_feed_ends_no_stop_signal_before_the_last_look_that_listed_it(ending, looks, wanted):
    journal = [line("1 WRAIN WRAINB ISSUE 07:15 07:15 @07:16"), line(ending)]
    if line(ending).by_hand:
        journal.append(line("3 WRAIN CANCEL CANCEL 07:15 09:55 @10:21"))
    rows = [tuple(clock(at) for at in row.split("-")) for row in looks]
    assert said(read_signal_spans(journal, rows)[0]) == wanted


@pytest.mark.parametrize(
    ("word", "looks", "wanted"),
    [
        # Corrected after our last look: a person knows better, the feed may be down.
        ("2 hand WRAIN WRAINB 07:15-09:55 @10:00 about 1", ["07:16-09:59"], []),
        # The feed lists it still after that: it is in force until that line is withdrawn.
        ("2 hand WRAIN WRAINB 07:15-09:55 @10:00 about 1", ["07:16-10:10"], ["WRAINB"]),
        ("2 hand WRAIN WRAINA 07:15- @10:00 about 1", ["07:16-10:10"], ["WRAINB"]),
        ("2 hand WRAIN WRAINB - @10:00 withdraws 1", ["07:16-10:10"], []),
    ],
)
def test_what_is_listed_after_a_correction_is_in_force_until_its_line_is_withdrawn(word, looks, wanted):
    journal = [line("1 WRAIN WRAINB ISSUE 07:15 07:15 @07:16"), line(word)]
    rows = [tuple(clock(at) for at in row.split("-")) for row in looks]
    found = signals_in_force(read_signal_spans(journal, rows), clock("10:11"))
    assert [one.signal.code for one in found if is_stop_signal(one.signal.code)] == wanted


def expiring(number, family, code, action, seen, expires):
    """A line of the feed with the hour at which it ends by itself."""
    times = (clock("08:00"), clock("08:00"), None, clock(seen))
    return Observation(number, family, code, action, *times, expires=clock(expires))


def test_what_does_not_stop_play_ends_when_it_expires_and_rain_and_wind_never_do():
    thunder = [expiring(1, "WTS", "WTS", "ISSUE", "08:01", "10:00")]
    assert said(read_signal_spans(thunder)[0]) == "WTS 08:00-10:00 by 1 to 1"
    extended = [*thunder, expiring(2, "WTS", "WTS", "EXTEND", "09:50", "12:00")]
    assert said(read_signal_spans(extended)[0]) == "WTS 08:00-12:00 by 1 to 2"
    gone = [*extended, expiring(3, "WTS", "WTS", "VANISHED", "12:01", "12:00")]
    assert said(read_signal_spans(gone)[0]) == "WTS 08:00-12:00 by 1 to 2"
    for family, code in (("WRAIN", "WRAINB"), ("WTCSGNL", "TC8NE"), ("WRAIN", "WRAINA")):
        assert read_signal_spans([expiring(1, family, code, "ISSUE", "08:01", "10:00")])[0].signal.cancelled is None


def test_what_does_not_stop_play_ends_as_the_feed_says():
    journal = [line("1 WRAIN WRAINA ISSUE 07:15 07:15 @07:16"), line("2 WRAIN CANCEL CANCEL 07:15 09:50 @10:20")]
    assert said(read_signal_spans(journal, [(clock("07:16"), clock("10:19"))])[0]) == "WRAINA 07:15-09:50 by 1 to 2"


# --- Whatever the journal says --------------------------------------------------------------------------
FAMILIES = {"WRAIN": ["WRAINA", "WRAINR", "WRAINB"], "WTCSGNL": ["TC3", "TC8NE", "TC8SE", "TC9"], "WXYZ": ["ODD"]}
moments = st.integers(0, 900).map(lambda minutes: MIDNIGHT + timedelta(minutes=minutes))
perhaps = st.none() | moments


@st.composite
def feed_line(draw, seen=moments, odd=True):
    """A line of the feed with any number; `odd`: its times may be any, else it was issued when it was seen."""
    family = draw(st.sampled_from(sorted(FAMILIES)))
    at = draw(seen)
    code = draw(st.sampled_from([*FAMILIES[family], "CANCEL"]))
    action = draw(st.sampled_from(["ISSUE", "REISSUE", "EXTEND", "UPDATE", "CANCEL", "VANISHED", "", "reissue", "?"]))
    times = (draw(perhaps), draw(perhaps)) if odd else (at, at)
    return Observation(0, family, code, action, *times, None, at)


@st.composite
def hand_line(draw):
    """A line by hand that may be about any number."""
    family = draw(st.sampled_from(sorted(FAMILIES)))
    about = draw(st.none() | st.integers(1, 12))
    code = draw(st.sampled_from(FAMILIES[family]))
    return Observation(
        *(0, family, code, "", draw(perhaps), None, draw(perhaps), draw(moments)),
        by_hand=True,
        about=about,
        withdraws=about is not None and draw(st.booleans()),
    )


def numbered(lines):
    """The lines with 1, 2, 3 ... in order of when they were seen."""
    ordered = sorted(lines, key=lambda one: one.seen)
    return [renumbered(one, number) for number, one in enumerate(ordered, 1)]


def renumbered(one, number):
    fields = {name: getattr(one, name) for name in Observation.__slots__}
    return Observation(**{**fields, "number": number})


by_feed = st.lists(feed_line(), max_size=8).map(numbered)
by_anybody = st.lists(feed_line() | hand_line(), max_size=10).map(numbered)


@given(by_anybody, st.randoms(use_true_random=False))
def test_any_journal_is_read_the_same_in_any_order_and_can_be_judged(journal, chance):
    read = read_signal_spans(journal)
    assert read_signal_spans(chance.sample(journal, len(journal))) == read
    numbers = {one.number for one in journal}
    assert {number for one in read for number in (one.begun_by, one.ended_by) if number} <= numbers
    judge_weather(CHECK_IN, [one.signal for one in read])


@given(by_feed)
def test_by_the_feed_alone_signals_of_a_family_never_overlap(journal):
    read = read_signal_spans(journal)
    for family in FAMILIES:
        lasting = [one.signal for one in read if one.family == family and one.signal.cancelled != one.signal.issued]
        assert all(first.cancelled is not None and first.cancelled <= then.issued for first, then in pairwise(lasting))


@given(by_feed, feed_line())
def test_what_the_feed_lists_as_the_last_is_in_force_and_a_stop_signal_is_never_lost(journal, last):
    last = renumbered(last, 99)
    now = max([last.seen, *(one.seen for one in journal)])
    last = Observation(99, last.family, last.code, "ISSUE", last.issued, last.updated, None, now)
    if is_stop_signal(last.code) and (last.issued is None or last.issued <= now):
        stops = [
            one.signal.code
            for one in signals_in_force(read_signal_spans([*journal, last]), now)
            if one.family == last.family
        ]
        assert last.code in stops


@given(by_anybody, st.sampled_from(["TC8NE", "TC9", "WRAINB"]), st.sampled_from(["ISSUE", "EXTEND", "UPDATE"]), moments)
def test_whatever_anybody_stated_before_a_stop_signal_that_the_feed_lists_now_is_in_force(journal, code, action, at):
    now = max([at, *(one.seen for one in journal)])
    family = next(name for name, codes in FAMILIES.items() if code in codes)
    journal = [one for one in journal if one.issued is None or one.issued <= now]
    listed = Observation(99, family, code, action, at, at, None, now)
    read = read_signal_spans([*journal, listed])
    assert code in [one.signal.code for one in signals_in_force(read, now)], "\n".join(
        map(str, [*journal, listed, *read])
    )
    first_check_in = max(now + timedelta(minutes=1), DEADLINE)
    assert propose_weather_decision(first_check_in, read, now, now).outcome != "go"


@given(by_feed, st.sampled_from(sorted(FAMILIES)))
def test_what_has_vanished_has_not_ended(journal, family):
    gone = Observation(99, family, "?", "VANISHED", None, None, None, MIDNIGHT + timedelta(hours=20))
    assert [one.signal for one in read_signal_spans([*journal, gone])] == [
        one.signal for one in read_signal_spans(journal)
    ]


@given(by_anybody, st.lists(feed_line(), max_size=4))
def test_codes_that_nobody_knows_change_nothing_else(journal, others):
    unknown = [
        Observation(100 + place, "WNEW", f"N{place}", one.action, one.issued, one.updated, None, one.seen)
        for place, one in enumerate(others)
    ]
    read = read_signal_spans([*journal, *unknown])
    assert [one for one in read if one.family != "WNEW"] == list(read_signal_spans(journal))
    assert not any(is_stop_signal(one.signal.code) for one in read if one.family == "WNEW")


@given(by_anybody, hand_line(), st.integers(0, 300))
def test_the_newest_line_by_hand_stands_as_it_was_stated(journal, last, minutes):
    issued = last.issued or last.seen
    ended = issued + timedelta(minutes=minutes)
    stated = Observation(
        99, last.family, last.code, "", issued, None, ended, MIDNIGHT + timedelta(hours=20), by_hand=True
    )
    read = [one for one in read_signal_spans([*journal, stated]) if one.begun_by == 99]
    signal = Signal(last.code, issued, ended)
    assert read == [SignalSpan(signal, last.family, True, 99, 99, None, stated.seen)]
    for one in read_signal_spans([*journal, stated]):
        same = (one.family, one.signal.code) == (last.family, last.code) and not one.by_hand and minutes
        lasts = one.signal.cancelled != one.signal.issued  # one of no length says nothing of the sky
        assert not (same and lasts) or one.signal.issued != issued


@given(st.lists(st.integers(0, 800), min_size=5, max_size=5, unique=True).map(sorted))
def test_who_confirms_what_the_feed_says_moves_no_end(minutes):
    black, confirmed, red, stated, late = (MIDNIGHT + timedelta(minutes=one) for one in minutes)
    feed = [
        Observation(1, "WRAIN", "WRAINB", "ISSUE", black, black, None, black),
        Observation(4, "WRAIN", "WRAINR", "ISSUE", late, late, None, late),
    ]
    confirmation = Observation(2, "WRAIN", "WRAINB", "", black, None, None, confirmed, by_hand=True)
    successor = Observation(3, "WRAIN", "WRAINR", "", red, None, None, stated, by_hand=True)
    for journal in ([*feed, successor], [*feed, successor, confirmation]):
        assert [one.signal for one in read_signal_spans(journal)] == [
            Signal("WRAINB", black, red),
            Signal("WRAINR", red, None),
        ]


@given(by_anybody, hand_line())
def test_a_line_withdrawn_at_once_was_never_there(journal, line_by_hand):
    first = Observation(
        98, line_by_hand.family, line_by_hand.code, "", line_by_hand.issued, None, None, CHECK_IN, by_hand=True
    )
    never = Observation(99, first.family, first.code, "", None, None, None, CHECK_IN, True, about=98, withdraws=True)
    assert read_signal_spans([*journal, first, never]) == read_signal_spans(journal)


# --- The proposal ---------------------------------------------------------------------------------------
def proposed(journal, known_until, now):
    """Verdict, outcome and how well it is known, as words."""
    read = propose_weather_decision(
        CHECK_IN, read_signal_spans(line(text) for text in journal), clock(known_until), clock(now)
    )
    return read.verdict.decision, read.outcome, read.known


@pytest.mark.parametrize(
    ("journal", "known_until", "now", "wanted"),
    [
        ([], "", "09:00", ("pending", None, "unknown")),
        ([], "", "10:00", ("go", None, "unknown")),
        ([], "08:59", "09:00", ("pending", "go", "known")),
        ([], "08:54", "09:00", ("pending", None, "stale")),
        ([], "09:59", "10:00", ("go", None, "known")),
        ([], "10:00", "10:00", ("go", "go", "known")),
        ([], "10:00", "11:00", ("go", "go", "stale")),
        ([], "08:55", "09:00", ("pending", "go", "known")),
        ([], "10:05", "10:00", ("go", "go", "known")),
        ([], "11:00", "10:30", ("go", None, "unknown")),
        (["1 WRAIN WRAINB ISSUE 07:15 07:15 @07:16"], "08:00", "09:00", ("pending", "cancel", "stale")),
        (["1 WRAIN WRAINB ISSUE 07:15 07:15 @07:16"], "09:59", "10:01", ("cancel", None, "known")),
        (["1 WRAIN WRAINB ISSUE 07:15 07:15 @07:16"], "10:00", "10:01", ("cancel", "cancel", "known")),
        (["1 hand WRAIN WRAINB 07:15- @10:01"], "", "10:02", ("cancel", "cancel", "unknown")),
        (["1 hand WRAIN WRAINB 07:15- @10:00"], "", "10:02", ("cancel", "cancel", "unknown")),
        (["1 hand WRAIN WRAINB 07:15- @09:01"], "", "10:02", ("cancel", None, "unknown")),
        (["1 hand WRAIN WRAINB 07:15-10:00 @10:01"], "", "10:02", ("cancel", "cancel", "unknown")),
        (["1 WRAIN WRAINB ISSUE 10:15 10:15 @10:16"], "", "10:17", ("cancel", "cancel", "unknown")),
        (["1 WRAIN CANCEL CANCEL 10:05 10:05 @10:30"], "10:30", "10:30", ("go", None, "known")),
        (
            ["1 hand WRAIN WRAINB 07:15- @09:00", "2 WRAIN WRAINB UPDATE 07:15 10:01 @10:01"],
            *("", "10:02", ("cancel", "cancel", "unknown")),
        ),
        (
            ["1 WRAIN CANCEL CANCEL 10:05 10:05 @10:30", "2 WTCSGNL TC8NE ISSUE 10:31 10:31 @10:32"],
            *("10:32", "10:32", ("cancel", "cancel", "known")),
        ),
        (["1 WRAIN CANCEL CANCEL 10:00 10:00 @10:30"], "10:30", "10:30", ("go", None, "known")),
        (["1 WRAIN CANCEL CANCEL 12:00 12:00 @12:30"], "12:30", "12:30", ("go", "go", "known")),
        (["1 WRAIN CANCEL CANCEL 09:55 09:55 @10:30"], "10:30", "10:30", ("go", "go", "known")),
        (["1 WHOT CANCEL CANCEL 10:05 10:05 @10:30"], "10:30", "10:30", ("go", "go", "known")),
        (["1 WRAIN CANCEL CANCEL 12:05 12:05 @12:30"], "12:30", "12:30", ("go", "go", "known")),
    ],
)
def test_nothing_is_taken_for_clear_that_nobody_has_seen(journal, known_until, now, wanted):
    assert proposed(journal, known_until, now) == wanted


def test_a_signal_is_in_force_from_its_issue_until_its_end():
    read = read_signal_spans([line("1 hand WRAIN WRAINB 07:15-09:55 @10:00"), line("2 hand WTCSGNL TC3 09:00- @10:00")])
    found = {
        now: [one.signal.code for one in signals_in_force(read, clock(now))]
        for now in ("07:14", "07:15", "09:54", "09:55")
    }
    assert found == {"07:14": [], "07:15": ["WRAINB"], "09:54": ["WRAINB", "TC3"], "09:55": ["TC3"]}


def test_of_what_only_the_end_was_seen_a_person_says_what_it_was():
    ended = "1 WRAIN CANCEL CANCEL 10:05 10:05 @10:30"
    for more, codes, outcome in [
        ([], ["CANCEL"], None),
        (["2 hand WRAIN WRAINA 09:00-10:05 @10:40 about 1"], [], "go"),
        (["2 hand WRAIN WRAINB 09:00-10:05 @10:40 about 1"], [], "cancel"),
        (["2 hand WRAIN CANCEL - @10:40 withdraws 1"], [], "go"),
    ]:
        read = propose_weather_decision(
            CHECK_IN, read_signal_spans(line(text) for text in [ended, *more]), clock("10:40"), clock("10:40")
        )
        assert ([one.signal.code for one in read.unseen], read.outcome) == (codes, outcome)


@given(by_anybody, perhaps, moments)
def test_without_a_look_since_the_deadline_nothing_is_called_clear(journal, known_until, now):
    read = propose_weather_decision(CHECK_IN, read_signal_spans(journal), known_until, now)
    if known_until is None or (now >= DEADLINE and known_until < DEADLINE):
        assert read.outcome != "go"
    if read.outcome is not None:
        assert read.outcome in (read.verdict.decision, read.verdict.otherwise)


def journal_of(case, by_hand):
    """The signals of a day's case as lines, each seen when it happened; what came after its `now` was not seen."""
    lines = []
    now = datetime.fromisoformat(case["now"]) if case["now"] else CHECK_IN + timedelta(hours=2)
    for code, issued, cancelled in case["signals"]:
        family = {"WR": "WRAIN", "TC": "WTCSGNL"}.get(code[:2], "WXYZ")
        begun, ended = (datetime.fromisoformat(at) if at else None for at in (issued, cancelled))
        known = ended if ended and ended <= now else None
        if by_hand:
            lines.append(Observation(0, family, code, "", begun, None, known, begun, by_hand=True))
            continue
        lines.append(Observation(0, family, code, "ISSUE", begun, begun, None, begun))
        if known:
            lines.append(Observation(0, family, "CANCEL", "CANCEL", known, known, None, known))
    return numbered(lines), now


@pytest.mark.parametrize("by_hand", [False, True], ids=["feed", "hand"])
@pytest.mark.parametrize("case", DAYS, ids=[case["name"] for case in DAYS])
def test_each_case_of_a_day_comes_out_of_the_journal_too(case, by_hand):
    journal, now = journal_of(case, by_hand)
    read = propose_weather_decision(CHECK_IN, read_signal_spans(journal), now, now)
    assert (read.verdict.decision, read.verdict.otherwise) == (case["decision"], case["otherwise"])
    assert read.outcome == (case["otherwise"] or case["decision"])
