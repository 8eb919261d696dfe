"""A second scorer, to hold the first against. One file, written from the rules and from nothing else.

It knows the Hong Kong event alone, is slow and plain, and shares not a line with what it checks: from the
racks of each game to wins, points and tiles, to one ranking with shared ranks, to the line.

A rack is `{"rack": ["R5", "J"], "opened": True, "ruled": None, "pushed_over": False, "left": False}`, where
`ruled` is a referee's verdict on whether an unopened rack could open, or has `value` and `tiles` instead
of `rack`. A tournament is `{"tables": [{"seats": {"A": id}, "games": [{"ended_by": "pool", "racks":
{"A": rack}}]}], "status": {id: "withdrawn"}}`; games not played are left out. A final of several rounds is a list of
such, one a round; pairs are `{"id": ..., "child": id, "parent": id}`.
"""

from fractions import Fraction

JOKER = 30
UNABLE, ABLE, PUSHED = 100, 200, 200
OPENING = 30
GAMES = 3


def score_game(ended_by, racks):
    """{letter: (win, points, tiles)} of one game (R23-R31)."""
    worth = {letter: rack_value(rack) for letter, rack in racks.items()}
    tiles = {letter: tiles_of(rack) for letter, rack in racks.items()}
    if ended_by == "rummikub":
        winner = next(letter for letter in racks if tiles[letter] == 0)
        points = {letter: Fraction(-worth[letter]) for letter in racks}
        points[winner] = Fraction(sum(worth[letter] for letter in racks if letter != winner))
        return {letter: (1 if letter == winner else 0, points[letter], tiles[letter]) for letter in racks}
    stayed = [letter for letter in racks if not racks[letter].get("left")]
    lowest_value = min(worth[letter] for letter in stayed)
    lowest = [letter for letter in stayed if worth[letter] == lowest_value]
    pot, points = Fraction(0), {}
    for letter in racks:
        if letter not in lowest:
            over = worth[letter] - lowest_value
            paid = over if over > 0 else 0
            points[letter] = Fraction(-paid)
            pot = pot + paid
    for letter in lowest:
        points[letter] = pot / len(lowest)
    fewest = min(tiles[letter] for letter in lowest)
    wins = [letter for letter in lowest if tiles[letter] == fewest]
    return {letter: (1 if letter in wins else 0, points[letter], tiles[letter]) for letter in racks}


def tiles_of(rack):
    return len(rack["rack"]) if rack.get("rack") is not None else rack["tiles"]


def rack_value(rack):
    """What a rack costs: its faces, or one flat value instead of them (R23-R27)."""
    if rack.get("pushed_over"):
        return PUSHED
    if not rack.get("opened", True):
        able = rack.get("ruled")
        if able is None:
            able = could_open(rack["rack"])
        return ABLE if able else UNABLE
    if rack.get("rack") is None:
        return rack["value"]
    return sum(JOKER if tile == "J" else int(tile[1:]) for tile in rack["rack"])


# --- Could it open? Every set of three to five tiles is tried against every other. -----------------------


def could_open(rack):
    held = {}
    for tile in rack:
        held[tile] = held.get(tile, 0) + 1
    jokers = held.pop("J", 0)
    usable = [(value, need, lack) for value, need, lack in every_set(jokers) if fits(held, jokers, need, lack)]
    usable.sort(key=lambda one: -one[0])
    return reaches(OPENING, held, jokers, usable, 0)


def every_set(jokers):
    """(value, tiles needed, jokers used) of every run and group, with every choice of tiles left to jokers."""
    shapes = []
    for colour in "RBKO":
        for length in (3, 4, 5):
            for first in range(1, 13 - length + 2):
                shapes.append([(colour, number) for number in range(first, first + length)])
    for number in range(1, 14):
        for left_out in ("", "R", "B", "K", "O"):
            shapes.append([(colour, number) for colour in "RBKO" if colour != left_out])
    for shape in shapes:
        value = sum(number for _, number in shape)
        for mask in range(2 ** len(shape)):
            need = [f"{shape[i][0]}{shape[i][1]}" for i in range(len(shape)) if not mask >> i & 1]
            lack = len(shape) - len(need)
            if lack <= jokers:
                yield value, need, lack


def fits(held, jokers, need, lack):
    return lack <= jokers and all(held.get(tile, 0) > 0 for tile in need)


def reaches(goal, held, jokers, usable, start):
    if goal <= 0:
        return True
    for place in range(start, len(usable)):
        value, need, lack = usable[place]
        if fits(held, jokers, need, lack):
            rest = dict(held)
            for tile in need:
                rest[tile] -= 1
            if reaches(goal - value, rest, jokers - lack, usable, place):
                return True
    return False


# --- From games to the line -----------------------------------------------------------------------------


def results_of(tournament):
    """{id: [(win, points, tiles), ...]} of the games that each played."""
    results = {}
    for table in tournament["tables"]:
        for person in table["seats"].values():
            results.setdefault(person, [])
        for game in table["games"]:
            for letter, result in score_game(game["ended_by"], game["racks"]).items():
                results[table["seats"][letter]].append(result)
    return results


def rank(results, status, games_in_all=GAMES):
    """([(id, rank, tied, wins, points, average, tiles), ...] by rank, then id; {id: why not ranked}) (R34-R36)."""
    unranked, keys = {}, {}
    for person, games in results.items():
        if status.get(person, "ok") != "ok":
            unranked[person] = status[person]
        elif not games:
            unranked[person] = "not_played"
        else:
            wins = sum(win for win, _, _ in games)
            average = sum((points for _, points, _ in games), Fraction(0)) / games_in_all
            keys[person] = (wins, average, -sum(tiles for _, _, tiles in games))
    holders = {}
    for person, key in keys.items():
        holders.setdefault(key, []).append(person)
    lines, better = [], 0
    for key in sorted(holders, reverse=True):
        for person in sorted(holders[key]):
            wins, average, tiles = key
            tied = len(holders[key]) > 1
            lines.append((person, better + 1, tied, wins, average * games_in_all, average, -tiles))
        better += len(holders[key])
    return lines, unranked


def cut(lines, places):
    """(certainly in, None or (places left, tied ids), reserves) (R37): by how many stand better and as well."""
    inside, tied, reserves, left = [], [], [], places
    for person, place, *_ in lines:
        level = sum(1 for line in lines if line[1] == place) if place <= places else 0
        if place + level - 1 <= places and level:
            inside.append(person)
            left -= 1
        elif level:
            tied.append(person)
        else:
            reserves.append(person)
    return inside, (left, sorted(tied)) if tied else None, reserves


def rescore(tournament, places):
    """Everything of a tournament, from its racks to its line."""
    results = results_of(tournament)
    lines, unranked = rank(results, tournament["status"])
    inside, unresolved, reserves = cut(lines, places)
    return {
        "results": results,
        "ranking": lines,
        "unranked": unranked,
        "advancing": inside,
        "unresolved": unresolved,
        "reserves": reserves,
    }


# --- A final of several rounds, its podium, the best pair --------------------------------------------------


def rescore_rounds(rounds, rounds_in_all):
    """Results, ranking and unranked over the rounds played so far; the divisor is all games of all rounds."""
    results, status = {}, {}
    for played in rounds:
        for person, games in results_of(played).items():
            results.setdefault(person, []).extend(games)
        for person, why in played["status"].items():
            status.setdefault(person, why)
    lines, unranked = rank(results, status, GAMES * rounds_in_all)
    return {"results": results, "ranking": lines, "unranked": unranked}


def podium(lines):
    """({place: id} of those who stand there alone, [(place, tied ids)] still to be decided), places 1 to 3 (R39)."""
    alone, tied = {}, []
    for place in (1, 2, 3):
        here = [line[0] for line in lines if line[1] == place]
        if len(here) == 1:
            alone[place] = here[0]
        elif here:
            tied.append((place, sorted(here)))
    return alone, tied


def best_pair(pairs, results, lines):
    """([(id, rank, wins, points, tiles)] by rank, then id, ids out): sums, then the better rank, the other (R40)."""
    rank_of = {line[0]: line[1] for line in lines}
    keys, out = {}, []
    for pair in pairs:
        both = (pair["child"], pair["parent"])
        if any(person not in rank_of for person in both):
            out.append(pair["id"])
            continue
        games = [game for person in both for game in results[person]]
        ranks = sorted(rank_of[person] for person in both)
        wins, points = sum(game[0] for game in games), sum((game[1] for game in games), Fraction(0))
        keys[pair["id"]] = (-wins, -points, sum(game[2] for game in games), ranks[0], ranks[1])
    table = []
    for name, key in keys.items():
        place = 1 + sum(1 for other in keys.values() if other < key)
        table.append((name, place, -key[0], -key[1], key[2]))
    return sorted(table, key=lambda row: (row[1], row[0])), sorted(out)


# --- An evening of words ------------------------------------------------------------------------------------


def score_word_table(columns, jokers_left):
    """{letter: (win, points, jokers left)}: a point a letter of own words and of the longest other, twice where the
    rack was emptied; 30 for each joker left; the most points win (R58)."""
    points = {}
    for letter, turns in columns.items():
        points[letter] = -JOKER * jokers_left[letter]
        for own, table, emptied in turns:
            letters = len("".join(own))
            if table:
                letters += len(sorted(table, key=len)[-1])
            points[letter] += 2 * letters if emptied else letters
    most = sorted(points.values())[-1]
    return {letter: (1 if points[letter] == most else 0, points[letter], jokers_left[letter]) for letter in columns}


def rank_by_total(totals):
    """{id: rank}: one more than those with more points."""
    return {name: 1 + sum(1 for other in totals.values() if other > own) for name, own in totals.items()}
