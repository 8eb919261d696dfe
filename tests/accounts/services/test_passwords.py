"""What may not be chosen as a password, by every validator of the installation together."""

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from tests.conftest import account
from tournament.core.enums import Role
from tournament.core.models.event import Event

# As they were taken before, and more of their kinds.
REFUSED = (
    *("Rummikub", "rummikub", "20120101", "a b c d e", "pw1pw1pw1", "password123", "1234567890"),
    *(
        "Rummikub2026",
        "rummikub-2026!",
        "RUMMIKUB 12345",
        "ＲＵＭＭＩＫＵＢ２０２６",
        "hk-2026-hk-2026",
        "魔力橋魔力橋2026",
    ),
    *(
        "Championship2026",
        "pw1pw1pw1pw1pw1",
        "abababababab",
        "aaaaaaaaaaaa",
        "..........",
        "          ",
        "13-579-2468-0",
    ),
    *("chanTaiMan99", "chan.tai.man.2026", "chan_tai_man rummikub", "organiser1234", "qwertyuiop"),
)
TAKEN = (
    "correct horse battery",
    "山水有相逢 2026 飲茶",
    "tuen-mun-ferry-1987",
    "xk2m-9dfw-hqpz-7rta",
    "Rummikub liked by grandmother",
)


@pytest.fixture
def person(event: Event) -> User:
    made = account(event, Role.CLERK, "chan.tai.man")
    made.first_name = "Chan Tai Man"
    made.save()
    return made


@pytest.mark.parametrize("password", REFUSED)
def test_what_somebody_in_the_hall_tries_first_is_refused(person: User, password: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(password, person)


@pytest.mark.parametrize("password", TAKEN)
def test_words_of_one_s_own_are_taken(person: User, password: str) -> None:
    validate_password(password, person)
