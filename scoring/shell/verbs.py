"""The verbs: each takes one document and gives one answer, to the letter of the public interface."""

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType

from scoring.family import Member, Unit, award
from scoring.game import score_game
from scoring.move import judge_move
from scoring.opening import best_opening
from scoring.problems import Refusal
from scoring.qualification import cut
from scoring.ranking import OK, STATUSES, rank
from scoring.ruleset import PRESETS, read_ruleset
from scoring.seating import Sitter, draw
from scoring.sets import judge_set
from scoring.shell.fields import Fields, read_integer, read_points
from scoring.values import GameResult, Rack, Record
from scoring.weather import Signal, judge_weather

Answer = dict[str, object]
Verb = Callable[[object], Answer]


def _game(document: object) -> Answer:
    fields = Fields(document, "", ["ruleset", "ended_by", "seats"])
    ruleset = read_ruleset(fields.raw("ruleset"))
    racks = [_rack(value, where) for value, where in fields.items("seats")]
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


def _rack(value: object, where: str) -> Rack:
    optional = ["face_value", "rack", "tiles", "opened", "could_open", "rack_pushed_over", "left"]
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
        pushed_over=seat.truth("rack_pushed_over"),
        left=seat.truth("left"),
    )


def _rank(document: object) -> Answer:
    fields = Fields(document, "", ["ruleset", "entrants"], ["advance"])
    ruleset = read_ruleset(fields.raw("ruleset"))
    advance = read_integer(fields.raw("advance"), "advance", least=1) if "advance" in fields else None
    ranking = rank(ruleset, [_record(value, where) for value, where in fields.items("entrants")])
    line = cut(ruleset, ranking, advance)
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


def _record(value: object, where: str) -> Record:
    return _games_of(Fields(value, where, ["id", "games"], ["status"]))


def _games_of(entrant: Fields) -> Record:
    status = entrant.text("status") if "status" in entrant else OK
    if status not in STATUSES:
        raise Refusal(entrant.place("status"), f"must be one of {', '.join(STATUSES)}")
    games = tuple(_result(game, place) for game, place in entrant.items("games"))
    return Record(entrant.text("id"), games, status)


def _result(value: object, where: str) -> GameResult:
    game = Fields(value, where, ["win", "points", "tiles"])
    win = game.integer("win")
    if win not in (0, 1):
        raise Refusal(game.place("win"), "must be 0 or 1")
    points = read_points(game.raw("points"), game.place("points"))
    return GameResult(win, points, read_integer(game.raw("tiles"), game.place("tiles"), least=0))


def _opening(document: object) -> Answer:
    fields = Fields(document, "", ["ruleset", "rack"])
    opening = best_opening(read_ruleset(fields.raw("ruleset")), fields.texts("rack"))
    return {
        "best": opening.best,
        "could_open": opening.could_open,
        "sets": [list(names) for names in opening.sets],
        "face_value": opening.face_value,
        "tiles": opening.tiles,
        "rack_value_if_unopened": opening.rack_value_if_unopened,
    }


def _set(document: object) -> Answer:
    fields = Fields(document, "", ["ruleset", "set"])
    judged = judge_set(read_ruleset(fields.raw("ruleset")), fields.texts("set"))
    if not judged.legal:
        return {"legal": False, "because": list(judged.because)}
    stands_for = {str(place): list(names) for place, names in judged.stands_for.items()}
    return {"legal": True, "kind": judged.kind, "value": judged.value, "stands_for": stands_for}


def _move(document: object) -> Answer:
    fields = Fields(document, "", ["ruleset", "opened", "before", "played", "after"])
    judged = judge_move(
        read_ruleset(fields.raw("ruleset")),
        opened=fields.truth("opened"),
        before=fields.lists_of_texts("before"),
        played=fields.texts("played"),
        after=fields.lists_of_texts("after"),
    )
    return {"legal": True} if judged.legal else {"legal": False, "because": list(judged.because)}


def _weather(document: object) -> Answer:
    fields = Fields(document, "", ["first_check_in", "signals"], ["now"])
    check_in = fields.time("first_check_in")
    given = [Fields(value, where, ["code", "issued", "cancelled"]) for value, where in fields.items("signals")]
    signals = [Signal(one.text("code"), one.time("issued"), _end(one)) for one in given]
    try:
        verdict = judge_weather(check_in, signals, fields.time("now") if "now" in fields else None)
    except OverflowError:
        raise Refusal("first_check_in", "lies at the edge of the calendar") from None
    answer: Answer = {"decision": verdict.decision, "deadline": verdict.deadline.isoformat()}
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


def _end(signal: Fields) -> datetime | None:
    return None if signal.raw("cancelled") is None else signal.time("cancelled")


def _tables(document: object) -> Answer:
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
    plan = draw(sitters, seed)
    return {
        "tables": [{"number": table.number, "seats": dict(table.seats)} for table in plan.tables],
        "kept_apart": plan.kept_apart,
        "could_not": [{"kind": one.kind, "ids": list(one.ids), "table": one.table} for one in plan.could_not],
    }


def _family(document: object) -> Answer:
    fields = Fields(document, "", ["ruleset", "units"])
    ruleset = read_ruleset(fields.raw("ruleset"))
    told = award(ruleset, [_unit(value, where) for value, where in fields.items("units")])
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


def _unit(value: object, where: str) -> Unit:
    unit = Fields(value, where, ["id", "members"])
    return Unit(unit.text("id"), tuple(_member(member, place) for member, place in unit.items("members")))


def _member(value: object, where: str) -> Member:
    member = Fields(value, where, ["id", "role", "rank", "games"], ["status"])
    rank_given = member.raw("rank")
    final_rank = None if rank_given is None else read_integer(rank_given, member.place("rank"), least=1)
    return Member(_games_of(member), member.text("role"), final_rank)


def rulesets() -> Answer:
    """Every preset with every field. Reads nothing."""
    return {"rulesets": {name: ruleset.fields_as_data() for name, ruleset in PRESETS.items()}}


def _not_there_yet(document: object) -> Answer:
    raise Refusal("verb", "is not there yet")


VERBS: Mapping[str, Verb] = MappingProxyType(
    {
        "game": _game,
        "rank": _rank,
        "opening": _opening,
        "set": _set,
        "move": _move,
        "weather": _weather,
        "tables": _tables,
        "family": _family,
        "word": _not_there_yet,
    }
)
"""Every verb that reads documents. `word` refuses whatever it is given."""

NOT_THERE_YET = frozenset({"word"})
RULESETS = "rulesets"
