"""What happens at each table of the made-up tournament: who does not come, who leaves, how every game ends.

Everything is decided from the seed and the confirmed seats before the first sheet is typed, so that every stage of the
demo is an earlier or later moment of the same tournament.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from scoring.ruleset import Ruleset
from tournament.core.enums import EntrantStatus
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.demo.line import PlayedTable, TableKey, make_cutoff_tie
from tournament.demo.playing import DemoLeaver, play_table, skill_of
from tournament.entrants.models.people import Entrant, Family
from tournament.tables.models import Seat

# Sessions in which an entrant writes in advance that they will not come: one table of three there.
WITHDRAWN_BEFORE = (2, 5, 9)
NO_SHOWS_A_SESSION = (0, 1, 1, 2)
# By session: how an entrant leaves in the middle, and in which game (0-based).
DEMO_LEAVERS = {3: (EntrantStatus.WITHDRAWN, 1), 8: (EntrantStatus.WITHDRAWN, 2), 11: (EntrantStatus.DISQUALIFIED, 1)}

# Every so many declared pairs play at home every evening: some of them reach the final together (R40).
PRACTISING_PAIRS, PRACTICE_SKILL = 8, 20

DEMO_ABSENCE_REASONS = {
    EntrantStatus.FORFEITED: "入座時間已過，仍未到場",
    EntrantStatus.WITHDRAWN: "身體不適，由家長帶走",
    EntrantStatus.DISQUALIFIED: "第三次違規，總評判裁決",
}
WITHDRAWN_REASON = "電郵通知不能出席"


@dataclass(frozen=True)
class DemoAbsence:
    """An entrant who is not there to the end: `status` as the desk records it."""

    entrant: int
    status: EntrantStatus


@dataclass(frozen=True)
class DemoDay:
    """The whole tournament: every table's games, and the absences of each session in the order recorded."""

    tables: Mapping[TableKey, PlayedTable]
    absences: Mapping[int, tuple[DemoAbsence, ...]]


def seats_by_table(stage: Stage) -> dict[TableKey, dict[str, int]]:
    """Entrant numbers by seat of every table, in order."""
    found: dict[TableKey, dict[str, int]] = {}
    rows = Seat.objects.filter(session__stage=stage).order_by("session__number", "table__number", "letter")
    for session, table, letter, entrant in rows.values_list(
        "session__number", "table__number", "letter", "entrant__number"
    ):
        found.setdefault((session, table), {})[letter] = entrant
    return found


def practising_numbers(event: Event) -> frozenset[int]:
    """Entrant numbers of the pairs who practise."""
    codes = Family.objects.filter(event=event).order_by("code").values_list("pk", flat=True)[::PRACTISING_PAIRS]
    return frozenset(Entrant.objects.filter(family__in=list(codes)).values_list("number", flat=True))


def play_day(stage: Stage, ruleset: Ruleset, seed: int, advance: int) -> DemoDay:
    """Play every table of the stage; in the end a full tie lies across the line, where there is one."""
    seats, practised = seats_by_table(stage), practising_numbers(stage.event)
    tables: dict[TableKey, PlayedTable] = {}
    absences: dict[int, tuple[DemoAbsence, ...]] = {}
    for session in sorted({number for number, _ in seats}):
        of_session = {key: sitting for key, sitting in seats.items() if key[0] == session}
        random = Random(f"{seed} session {session}")
        # Who missed a round, or left one, would be ranked in none.
        missing = {} if stage.has_rounds_for_all else no_shows(random, of_session)
        leaving = {} if stage.has_rounds_for_all else choose_leavers(random, of_session, session, frozenset(missing))
        for key, sitting in of_session.items():
            tables[key] = play_one(ruleset, seed, key, sitting, practised, missing.get(key, ""), leaving.get(key))
        absences[session] = tuple(
            DemoAbsence(table.entrants[seat], EntrantStatus(status))
            for key in of_session
            for table in [tables[key]]
            for seat, status in table.statuses.items()
        )
    if advance:
        make_cutoff_tie(ruleset, tables, advance, frozenset(tables))
    return DemoDay(tables, absences)


def no_shows(random: Random, of_session: Mapping[TableKey, Mapping[str, int]]) -> dict[TableKey, str]:
    """Tables of four with an empty seat, and which."""
    fours = [key for key, sitting in of_session.items() if len(sitting) == 4]
    count = NO_SHOWS_A_SESSION[random.randrange(len(NO_SHOWS_A_SESSION))]
    return {key: "ABCD"[random.randrange(4)] for key in random.sample(fours, min(count, len(fours)))}


def choose_leavers(
    random: Random, of_session: Mapping[TableKey, Mapping[str, int]], session: int, taken: frozenset[TableKey]
) -> dict[TableKey, tuple[DemoLeaver, EntrantStatus]]:
    """The table that an entrant leaves in the middle."""
    fours = [key for key, sitting in of_session.items() if len(sitting) == 4 and key not in taken]
    if session not in DEMO_LEAVERS or not fours:
        return {}
    status, game = DEMO_LEAVERS[session]
    return {fours[random.randrange(len(fours))]: (DemoLeaver("ABCD"[random.randrange(4)], game), status)}


def play_one(
    ruleset: Ruleset,
    seed: int,
    key: TableKey,
    sitting: Mapping[str, int],
    practised: frozenset[int],
    missing: str = "",
    leaving: tuple[DemoLeaver, EntrantStatus] | None = None,
) -> PlayedTable:
    """One table from its own dice."""
    present = {seat: entrant for seat, entrant in sitting.items() if seat != missing}
    skills = {seat: skill_of(seed, one) + PRACTICE_SKILL * (one in practised) for seat, one in present.items()}
    random = Random(f"{seed} table {key[0]} {key[1]}")
    statuses = {missing: str(EntrantStatus.FORFEITED)} if missing else {}
    if leaving:
        statuses[leaving[0].seat] = str(leaving[1])
    return PlayedTable(sitting, play_table(ruleset, random, skills, leaving[0] if leaving else None), statuses)
