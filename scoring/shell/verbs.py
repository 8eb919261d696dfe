"""The verbs: each takes one document and gives one answer, to the letter of the public interface."""

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType

from scoring.family import FamilyUnit, FamilyUnitMember, rank_families
from scoring.game import score_game
from scoring.marks import MARKS
from scoring.merging import MERGE_ORDERS, AttendedTable, MergePlan, MergePreference, merge_tables
from scoring.move import judge_move
from scoring.opening import best_opening
from scoring.problems import Refusal
from scoring.qualification import qualify_by_rank
from scoring.ranking import RECORD_STATUSES, STATUS_OK, rank_records
from scoring.ruleset import PRESETS, Ruleset, read_ruleset
from scoring.seating import Sitter, draw_tables
from scoring.set_readings import SetReading
from scoring.sets import JudgedSet, judge_set, set_readings
from scoring.shell.fields import Fields, read_integer, read_points_field
from scoring.values import GameResult, Rack, Record
from scoring.weather import Signal, judge_weather
from scoring.words import LaidWord, WordTurn, joker_cost, opening_words, score_word_turn

VerbAnswer = dict[str, object]
Verb = Callable[[object], VerbAnswer]

READINGS_BEST = "best"
READINGS_ALL = "all"


def _answer_game(document: object) -> VerbAnswer:
    fields = Fields(document, "", ["ruleset", "ended_by", "seats"])
    ruleset = read_ruleset(fields.raw("ruleset"))
    racks = [_read_rack_document(value, where) for value, where in fields.items("seats")]
    score = score_game(ruleset, fields.text("ended_by"), racks)
    seats = {
        letter: {
            "win": seat.win,
            "points": str(seat.points),
            "tiles": seat.tiles,
            "rack_value": seat.rack_value,
            "because": list(seat.because),
        }
        for letter, seat in score.seats.items()
    }
    return {"seats": seats, "warnings": list(score.warnings)}


def _read_rack_document(value: object, where: str) -> Rack:
    marks = {name: f"rack_{name}" for name in MARKS}
    optional = ["face_value", "rack", "tiles", "opened", "could_open", *marks.values(), "left"]
    seat = Fields(value, where, ["seat"], optional)
    rack = seat.texts("rack") if "rack" in seat else None
    if "tiles" in seat:
        tiles = seat.integer("tiles")
    elif rack is not None:
        tiles = len(rack)
    else:
        raise Refusal(seat.place("tiles"), "is missing")
    return Rack(
        seat=seat.text("seat"),
        tiles=tiles,
        face_value=seat.integer("face_value") if "face_value" in seat else None,
        rack=rack,
        opened=seat.truth("opened", otherwise=True),
        could_open=seat.truth("could_open") if "could_open" in seat else None,
        left=seat.truth("left"),
        **{name: seat.truth(key) for name, key in marks.items()},
    )


def _answer_rank(document: object) -> VerbAnswer:
    fields = Fields(document, "", ["ruleset", "entrants"], ["advance"])
    ruleset = read_ruleset(fields.raw("ruleset"))
    advance = read_integer(fields.raw("advance"), "advance", least=1) if "advance" in fields else None
    ranking = rank_records(ruleset, [_read_record(value, where) for value, where in fields.items("entrants")])
    line = qualify_by_rank(ruleset, ranking, advance)
    standings = [
        {
            "id": standing.id,
            "rank": standing.rank,
            "tied": standing.tied,
            "wins": standing.wins,
            "points": str(standing.points),
            "average": None if standing.average is None else str(standing.average),
            "tiles": standing.tiles,
        }
        for standing in ranking.standings
    ]
    tie = line.unresolved
    return {
        "ranking": standings,
        "unranked": [{"id": entry.id, "because": entry.because} for entry in ranking.unranked],
        "advancing": list(line.advancing),
        "unresolved": None if tie is None else {"places": tie.places, "ids": list(tie.ids)},
        "reserves": list(line.reserves),
    }


def _read_record(value: object, where: str) -> Record:
    return _read_games(Fields(value, where, ["id", "games"], ["status"]))


def _read_games(entrant: Fields) -> Record:
    status = entrant.text("status") if "status" in entrant else STATUS_OK
    if status not in RECORD_STATUSES:
        raise Refusal(entrant.place("status"), f"must be one of {', '.join(RECORD_STATUSES)}")
    games = tuple(_read_game_result(game, place) for game, place in entrant.items("games"))
    return Record(entrant.text("id"), games, status)


def _read_game_result(value: object, where: str) -> GameResult:
    game = Fields(value, where, ["win", "points", "tiles"])
    win = game.integer("win")
    if win not in (0, 1):
        raise Refusal(game.place("win"), "must be 0 or 1")
    points = read_points_field(game.raw("points"), game.place("points"))
    return GameResult(win, points, read_integer(game.raw("tiles"), game.place("tiles"), least=0))


def _answer_opening(document: object) -> VerbAnswer:
    fields = Fields(document, "", ["ruleset", "rack"], ["words"])
    ruleset = read_ruleset(fields.raw("ruleset"))
    if ruleset.tiles.letters:
        return _answer_letter_opening(ruleset, fields)
    if "words" in fields:
        raise Refusal("words", "is not a field here")
    opening = best_opening(ruleset, fields.texts("rack"))
    return {
        "best": opening.best,
        "could_open": opening.could_open,
        "sets": [list(names) for names in opening.sets],
        "face_value": opening.face_value,
        "tiles": opening.tiles,
        "rack_value_if_unopened": opening.rack_value_if_unopened,
    }


def _answer_letter_opening(ruleset: Ruleset, fields: Fields) -> VerbAnswer:
    if "words" not in fields:
        raise Refusal("words", "is missing")
    opening = opening_words(ruleset, fields.texts("rack"), fields.texts("words"))
    return {
        "could_open": bool(opening.words),
        "words": list(opening.words),
        "jokers": dict(zip(opening.words, opening.jokers, strict=True)),
    }


def _answer_set(document: object) -> VerbAnswer:
    fields = Fields(document, "", ["ruleset", "set"], ["readings"])
    ruleset, names = read_ruleset(fields.raw("ruleset")), fields.texts("set")
    wanted = fields.text("readings") if "readings" in fields else READINGS_BEST
    if wanted not in (READINGS_BEST, READINGS_ALL):
        raise Refusal("readings", f"must be one of {READINGS_BEST}, {READINGS_ALL}")
    judged = judge_set(ruleset, names)
    answer: VerbAnswer = {"legal": judged.legal}
    if judged.legal:
        answer |= _reading_answer(judged)
    else:
        answer["because"] = list(judged.because)
    if wanted == READINGS_ALL:
        answer["readings"] = [_reading_answer(reading) for reading in set_readings(ruleset, names)]
        if judged.unbalanced is not None:
            answer["unbalanced"] = judged.unbalanced
    return answer


def _reading_answer(reading: JudgedSet | SetReading) -> VerbAnswer:
    stands_for = {str(place): list(names) for place, names in reading.stands_for.items()}
    return {"kind": reading.kind, "value": reading.value, "stands_for": stands_for}


def _answer_move(document: object) -> VerbAnswer:
    fields = Fields(document, "", ["ruleset", "opened", "before", "played", "after"])
    judged = judge_move(
        read_ruleset(fields.raw("ruleset")),
        opened=fields.truth("opened"),
        before=fields.lists_of_texts("before"),
        played=fields.texts("played"),
        after=fields.lists_of_texts("after"),
    )
    return {"legal": True} if judged.legal else {"legal": False, "because": list(judged.because)}


def _answer_weather(document: object) -> VerbAnswer:
    fields = Fields(document, "", ["first_check_in", "signals"], ["now"])
    check_in = fields.time("first_check_in")
    given = [Fields(value, where, ["code", "issued", "cancelled"]) for value, where in fields.items("signals")]
    signals = [Signal(one.text("code"), one.time("issued"), _read_signal_end(one)) for one in given]
    try:
        verdict = judge_weather(check_in, signals, fields.time("now") if "now" in fields else None)
    except OverflowError:
        raise Refusal("first_check_in", "lies at the edge of the calendar") from None
    answer: VerbAnswer = {"decision": verdict.decision, "deadline": verdict.deadline.isoformat()}
    if verdict.otherwise is not None:
        answer["otherwise"] = verdict.otherwise
    answer["because"] = [
        {
            "code": evidence.signal.code,
            "issued": given[evidence.place].raw("issued"),
            "cancelled": given[evidence.place].raw("cancelled"),
            "why": evidence.why,
        }
        for evidence in verdict.because
    ]
    return answer


def _read_signal_end(signal: Fields) -> datetime | None:
    return None if signal.raw("cancelled") is None else signal.time("cancelled")


def _answer_tables(document: object) -> VerbAnswer:
    fields = Fields(document, "", ["entrants", "seed"])
    seed = fields.integer("seed")
    sitters: list[Sitter] = []
    seen: set[str] = set()
    for value, where in fields.items("entrants"):
        entrant = Fields(value, where, ["id", "family", "school"])
        sitter = Sitter(entrant.text("id"), entrant.text_or_null("family"), entrant.text_or_null("school"))
        if sitter.id in seen:
            raise Refusal(entrant.place("id"), "is there twice")
        seen.add(sitter.id)
        sitters.append(sitter)
    plan = draw_tables(sitters, seed)
    return {
        "tables": [{"number": table.number, "seats": dict(table.seats)} for table in plan.tables],
        "kept_apart": plan.kept_apart,
        "could_not": [{"kind": one.kind, "ids": list(one.ids), "table": one.table} for one in plan.could_not],
    }


def _answer_family(document: object) -> VerbAnswer:
    fields = Fields(document, "", ["ruleset", "units"])
    ruleset = read_ruleset(fields.raw("ruleset"))
    told = rank_families(ruleset, [_read_family_unit(value, where) for value, where in fields.items("units")])
    standings = [
        {
            "id": standing.id,
            "rank": standing.rank,
            "wins": standing.wins,
            "points": str(standing.points),
            "tiles": standing.tiles,
        }
        for standing in told.standings
    ]
    return {
        "ranking": standings,
        "winner": told.winner,
        "unresolved": list(told.unresolved) or None,
        "out": [{"id": entry.id, "because": entry.because} for entry in told.out],
    }


def _read_family_unit(value: object, where: str) -> FamilyUnit:
    unit = Fields(value, where, ["id", "members"])
    return FamilyUnit(
        unit.text("id"), tuple(_read_unit_member(member, place) for member, place in unit.items("members"))
    )


def _read_unit_member(value: object, where: str) -> FamilyUnitMember:
    member = Fields(value, where, ["id", "role", "rank", "games"], ["status"])
    rank_given = member.raw("rank")
    final_rank = None if rank_given is None else read_integer(rank_given, member.place("rank"), least=1)
    return FamilyUnitMember(_read_games(member), member.text("role"), final_rank)


def answer_rulesets() -> VerbAnswer:
    """Every preset with every field. Reads nothing."""
    return {"rulesets": {name: ruleset.fields_as_data() for name, ruleset in PRESETS.items()}}


def _answer_word(document: object) -> VerbAnswer:
    fields = Fields(document, "", ["turns", "jokers_left"])
    turns = [_read_word_turn(value, where) for value, where in fields.items("turns")]
    values = [score_word_turn(turn, f"turns[{i}]") for i, turn in enumerate(turns)]
    return {"turns": values, "total": sum(values) - joker_cost(PRESETS["word"], fields.integer("jokers_left"))}


def _read_word_turn(value: object, where: str) -> WordTurn:
    turn = Fields(value, where, ["words", "rack_emptied"])
    words = []
    for one, place in turn.items("words"):
        word = Fields(one, place, ["letters", "from_rack_only"])
        words.append(LaidWord(word.text("letters"), word.truth("from_rack_only")))
    return WordTurn(tuple(words), turn.truth("rack_emptied"))


def _answer_merge(document: object) -> VerbAnswer:
    fields = Fields(document, "", ["ruleset", "tables"], ["prefer"])
    ruleset = read_ruleset(fields.raw("ruleset"))
    tables: list[AttendedTable] = []
    numbers: set[int] = set()
    ids: set[str] = set()
    for value, where in fields.items("tables"):
        table = Fields(value, where, ["table", "entrants"], ["locked"])
        number = table.integer("table")
        if number in numbers:
            raise Refusal(table.place("table"), "is there twice")
        numbers.add(number)
        sitters = tuple(_read_merge_sitter(one, place, ids) for one, place in table.items("entrants"))
        tables.append(AttendedTable(number, sitters, table.truth("locked")))
    plan = merge_tables(tables, ruleset.table_sizes, _read_merge_preference(fields))
    if not isinstance(plan, MergePlan):
        return {"impossible": plan}
    return {
        "moves": [{"id": move.id, "from": move.origin, "to": move.destination} for move in plan.moves],
        "sizes": {str(number): size for number, size in plan.sizes.items()},
        "families_together": plan.families_together,
        "schools_together": plan.schools_together,
    }


def _read_merge_sitter(value: object, where: str, ids: set[str]) -> Sitter:
    entrant = Fields(value, where, ["id"], ["family", "school"])
    id = entrant.text("id")
    if id in ids:
        raise Refusal(entrant.place("id"), "is there twice")
    ids.add(id)
    family, school = (entrant.text(name) if name in entrant else None for name in ("family", "school"))
    return Sitter(id, family, school)


def _read_merge_preference(fields: Fields) -> MergePreference:
    wanted = fields.text("prefer") if "prefer" in fields else "moves"
    for preference in MERGE_ORDERS:
        if wanted == preference:
            return preference
    raise Refusal("prefer", f"must be one of {', '.join(MERGE_ORDERS)}")


VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        "game": _answer_game,
        "rank": _answer_rank,
        "opening": _answer_opening,
        "set": _answer_set,
        "move": _answer_move,
        "weather": _answer_weather,
        "tables": _answer_tables,
        "family": _answer_family,
        "word": _answer_word,
        "merge": _answer_merge,
    }
)
"""Every verb that reads documents."""

RULESETS_VERB = "rulesets"
