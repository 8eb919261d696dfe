"""A game of a play-off that the rules leave open: the chief judge rules on it as on a scoresheet's (R37, R39, R57)."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import translation

from tests.squeezed import squeezed
from tests.stages.deciding import game
from tests.stages.podiums import LEADERS, level_final
from tournament.core.errors import BadInput
from tournament.core.models.stage import Session, Stage
from tournament.publication.domain.podium import frozen_podium
from tournament.publication.exports.decisions import podium_decision_text
from tournament.ranking.models.tie_break import TieBreak
from tournament.stages.api.decisions import GameRequest
from tournament.stages.domain.podium import live_podium
from tournament.stages.services.decisions import decide_tie

pytestmark = pytest.mark.django_db
PLAY_OFF = "/desk/hk-2026/final/play-off/podium/"
# 0001 and 0002 are equal lowest; 0002 has fewer tiles.
TIED_LOWEST = game((1, 0, "+5", 2), (2, 1, "+5", 1), (3, 0, "-10", 3), ended_by="pool")
RACKS_WHOLE = game((1, 1, "+18", 2), (2, 0, "-8", 3), (3, 0, "-10", 3), ended_by="pool")
TIE_LEFT_OPEN = {"base": "hk-2026", "lowest_tie": "unresolved"}
POOL_LEFT_OPEN = {"base": "hk-2026", "pool_scoring": None}


@pytest.fixture
def final(first_session: Session, organiser: User) -> Stage:
    """0001 to 0003 share the first rank in full."""
    return level_final(first_session, organiser)


def play_by(final: Stage, rules: dict[str, Any]) -> Stage:
    final.ruleset = rules
    final.save(update_fields=["ruleset"])
    return final


def propose(final: Stage, by: User, played: dict[str, Any]) -> Any:
    return decide_tie(
        final, of="podium", by=by, tied=LEADERS, places=3, method="play_off", reason="Fewest tiles.", games=[played]
    )


@pytest.mark.parametrize(
    ("rules", "played", "code", "fits"),
    [
        (TIE_LEFT_OPEN, TIED_LOWEST, "lowest_tie_unresolved", ("fewest_tiles",)),
        (POOL_LEFT_OPEN, RACKS_WHOLE, "ending_not_in_ruleset", ("difference", "raw")),
        (TIE_LEFT_OPEN, TIED_LOWEST | {"ruling": "raw"}, "lowest_tie_unresolved", ()),
        ("hk-2026", TIED_LOWEST | {"ruling": "fewest_tiles"}, "ruling_not_open", ("",)),
    ],
    ids=["a tie of the lowest", "an ending", "a ruling of another kind", "rules that leave nothing open"],
)
def test_a_game_that_the_rules_leave_open_asks_for_the_rulings_that_would_do(
    final: Stage, chief_judge: User, rules: Any, played: dict[str, Any], code: str, fits: tuple[str, ...]
) -> None:
    with pytest.raises(BadInput) as refused:
        propose(play_by(final, rules), chief_judge, played)
    asked = [(one.where, one.code, one.facts["fits"]) for one in refused.value.about.mend if "fits" in one.facts]
    assert ("games[0].ruling", code, fits) in asked


@pytest.mark.parametrize(
    ("rules", "played", "ruling"),
    [(TIE_LEFT_OPEN, TIED_LOWEST, "fewest_tiles"), (POOL_LEFT_OPEN, RACKS_WHOLE, "raw")],
)
def test_a_ruled_game_is_judged_by_its_ruling_and_kept_with_it(
    final: Stage, chief_judge: User, rules: dict[str, Any], played: dict[str, Any], ruling: str
) -> None:
    ruled = {**played, "ruling": ruling}
    waiting = propose(play_by(final, rules), chief_judge, ruled)
    assert waiting.payload["given"]["games"] == [ruled]
    assert GameRequest(data={**ruled, "lines": [{**line, "win": 0} for line in ruled["lines"]]}).is_valid()


def test_the_page_offers_the_ruling_and_whoever_agrees_and_the_podium_read_it_in_words(
    final: Stage, chief_judge: User, organiser: User, signed_in: Any
) -> None:
    play_by(final, TIE_LEFT_OPEN)
    client, second = signed_in(chief_judge), signed_in(organiser)
    for one in (client, second):
        one.cookies["django_language"] = "en"
    empty = squeezed(client.get(f"{PLAY_OFF}?tied=0001+0002+0003").content.decode())
    assert [f'<option value="{code}">' in empty for code in ("fewest_tiles", "raw")] == [True, False]
    sent = {"games-0-ended_by": "pool", "tied": " ".join(LEADERS), "count": "1", "reason": "Fewest tiles."}
    for letter, line in zip("ABC", TIED_LOWEST["lines"], strict=True):
        sent |= {f"games-0-{letter}-{name}": str(value) for name, value in line.items()}
    answer = client.post(PLAY_OFF, sent)
    refused = squeezed(answer.content.decode())
    assert (answer.status_code, "Choose the ruling for this game." in refused) == (400, True)
    assert 'name="games-0-ruling" aria-invalid="true"' in refused
    waiting = client.post(PLAY_OFF, {**sent, "games-0-ruling": "fewest_tiles"}).headers["Location"]
    said = squeezed(second.get(waiting).content.decode())
    assert "pool empty" in said
    assert "Ruling: the fewest tiles win" in said
    assert second.post(waiting, {"compared": "on"}).status_code == 302
    assert {line["ruling"] for line in TieBreak.objects.get().play_off[0]} == {"fewest_tiles"}
    assert [one.id for one in live_podium(final).podium.holders] == ["0002", "0001", "0003"]
    podium = squeezed(client.get("/desk/hk-2026/final/podium/").content.decode())
    assert "Ruling: the fewest tiles win" in podium
    [published] = frozen_podium(live_podium(final), ())["decisions"]
    with translation.override("en"):
        said = podium_decision_text(published, of_award=False)
    assert "; 0003 −10 points, 3 tiles. Ruling for game 1: the fewest tiles win." in said


def test_where_the_rules_decide_every_game_there_is_no_choice(final: Stage, chief_judge: User, signed_in: Any) -> None:
    page = squeezed(signed_in(chief_judge).get(f"{PLAY_OFF}?tied=0001+0002+0003").content.decode())
    assert 'name="games-0-ended_by"' in page
    assert "-ruling" not in page
