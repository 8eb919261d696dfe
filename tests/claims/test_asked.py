"""Gate 2: a sentence that says how the world is reaches a page only where its ground is asked (docs/claims.md)."""

from random import Random

import pytest

from tests.claims.asked import MADE, asks, carried, gives, grounds_of, is_asked, places, unasked
from tests.claims.registered import STATE, register
from tests.claims.standing_places import Place, walk

# So many of a hundred wrong grounds may seem to be asked: names are short, and pages ask several things at a place.
SEEM_ASKED = 8


def test_every_state_sentence_asks_its_ground_where_it_stands() -> None:
    wrong = [
        f"{claim.file}.toml: {claim.key!r} rests on {claim.ground}, which is not asked at"
        f" {place.where if place else 'any place: it stands nowhere'}: {sorted(place.names) if place else ''}"
        for claim, place in unasked()
    ]
    assert wrong == [], "\n".join(wrong)


def test_a_name_that_carries_a_ground_is_made_from_it() -> None:
    wrong = []
    for ground, names in carried().items():
        known = {ground.rpartition(".")[2], *(part for part in ground.split(".")[:-1] if part[0].isupper())}
        for name in names:
            if not (MADE.of.get(name, set()) & known or gives(known, name)):
                wrong.append(f"{ground}: {name!r} is made from none of {sorted(known)}")
            known.add(name)
    assert wrong == [], "\n".join(wrong)


def test_no_ground_is_carried_that_no_sentence_rests_on() -> None:
    said = {ground for claim in register() if claim.kind == STATE for ground in grounds_of(claim)}
    assert sorted(set(carried()) - said) == []


def test_the_ground_of_another_sentence_is_noticed() -> None:
    """The control: by another row's ground most sentences fail."""
    random, rows = Random(7), [claim for claim in register() if claim.kind == STATE]
    tried = seem = 0
    for claim in rows:
        other = random.choice(rows)
        if not set(grounds_of(other)) & set(grounds_of(claim)):
            tried += 1
            seem += all(any(asks(ground, place) for ground in grounds_of(other)) for place in places()[claim.key])
    assert tried > 400
    assert 100 * seem < SEEM_ASKED * tried, f"{seem} of {tried}"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('{% if a.b %}{% trans "told" %}{% endif %}', {"a", "b"}),
        ('{% if a %}x{% else %}{% trans "told" %}{% endif %}', {"a"}),
        ('{% with c=a.b %}{% if c %}{% trans "told" %}{% endif %}{% endwith %}', {"a", "b", "c"}),
        ('{% for c in a %}{% trans "told" %}{% endfor %}', {"a"}),
        ('{% trans "told" %} <b>{{ a }}</b>', {"a"}),
        ('<b>{{ a }}</b> {% trans "told" %}', {"a"}),
        ('{{ a }}{% trans "told" %}', set()),
    ],
)
def test_a_sentence_has_the_names_that_are_asked_around_it(text: str, names: set[str]) -> None:
    assert [set(place.names) for place in walk(text, "x.html").places] == [names]


def test_a_row_is_asked_by_one_of_its_grounds() -> None:
    claim = next(one for one in register() if one.ground == "tournament.devices.models.device.Device.opened_by")
    asked = Place(claim.key, "templates/no_such_page.html", frozenset({"opened_by"}), is_asked=True)
    assert (
        is_asked(claim, asked),
        is_asked(claim, Place(claim.key, "templates/no_such_page.html", frozenset({"live"}))),
    ) == (
        True,
        False,
    )
