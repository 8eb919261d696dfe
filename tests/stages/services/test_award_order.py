"""The award is shown in the order by which it is given, with one name and one figure a key everywhere (X48)."""

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.api.caller import Caller
from tests.publication.services.test_release_final import EVENING
from tests.squeezed import squeezed
from tests.stages.podiums import LEADERS, level_final
from tournament.core.models.stage import Session, Stage
from tournament.publication.services.release import release_results
from tournament.stages.services.decisions import decide_tie

pytestmark = pytest.mark.django_db
# F1 has 4 wins, +42 points and 4 tiles, that is +14 of averages over 3 games; F2 2, +6 (+2) and 16. Whatever the
# ranking of the players compares (wins, average, tiles), the award compares this.
ORDERS = {
    "total": (
        ["wins", "total", "tiles"],
        ["Wins together", "Points together", "Tiles left together"],
        [["4", "+42", "4"], ["2", "+6", "16"]],
    ),
    "average": (
        ["average", "wins"],
        ["Averages added", "Wins together"],
        [["14", "4"], ["2", "2"]],
    ),
}


def plain(markup: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", markup).split())


def table_of(page: str) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the page's list of families, without its ends: rank and members before, final ranks after."""
    found = next(part for part in page.split("<table")[1:] if "Final ranks" in part).split("</table>")[0]
    heads = [plain(head) for head in re.findall(r"<th[^>]*>(.*?)</th>", found, re.S)]
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row, re.S) for row in found.split("<tbody>")[1].split("<tr")[1:]]
    first = heads.index("Parent") + 1
    return heads[first:-1], [[plain(cell) for cell in row[first:-1]] for row in rows]


@pytest.mark.parametrize("by", ORDERS)
def test_public_page_desk_and_json_show_what_the_award_compares(
    first_session: Session,
    organiser: User,
    chief_judge: User,
    signed_in: Any,
    by: str,
    django_capture_on_commit_callbacks: Any,
) -> None:
    order, heads, figures = ORDERS[by]
    final = level_final(first_session, organiser)
    Stage.objects.filter(pk=final.pk).update(ruleset={"base": "hk-2026", "family_order": order})
    final = Stage.objects.select_related("event").get(pk=final.pk)
    facts = {"tied": LEADERS, "places": 3, "method": "pick", "order": LEADERS, "reason": "By the runs."}
    decide_tie(final, of="podium", by=chief_judge, **facts)
    with django_capture_on_commit_callbacks(execute=True):
        made = release_results(final, by=organiser, now=EVENING)

    public = squeezed(Client().get("/p/hk-2026/en/").content.decode())
    assert table_of(public) == (heads, figures)
    won = " · ".join(f"{head} {figure}" for head, figure in zip(heads, figures[0], strict=True))
    assert won in plain(public)

    desk = signed_in(chief_judge)
    desk.cookies["django_language"] = "en"
    page = squeezed(desk.get("/desk/hk-2026/final/award/").content.decode())
    assert table_of(page) == (heads, figures)
    ladder = page.split('<ol class="order">')[1].split("</ol>")[0]
    assert [plain(step) for step in ladder.split("</li>")][: len(heads)] == heads

    released = json.loads(Client().get("/p/hk-2026/1/ranking.json").content)["award"]
    assert (released, released["order"][: len(order)]) == (made.content["award"], order)
    told = Caller(chief_judge).get("final/award/").json()
    sums = [(one["wins"], one["points"], one["average"], one["tiles"]) for one in told["families"]]
    assert (told["order"], sums) == (order, [(4, "42", "14", 4), (2, "6", "2", 16)])
    kept = [(one["wins"], one["points_twelfths"], one["average"], one["tiles"]) for one in released["families"]]
    assert kept == [(4, 504, "14", 4), (2, 72, "2", 16)]
