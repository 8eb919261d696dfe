"""Values that are planted for Q20, each with the door that it came in by."""

import random
from collections.abc import Callable
from typing import NamedTuple

SURNAMES = "趙錢孫周吳鄭馮衞蔣沈韓楊朱秦尤許何呂施張"
IDEOGRAPHS = "堯舜禹湯桀紂昭穆桓莊襄靈景惠懷愍簡孝宣元成哀平順沖質獻"


class Planted(NamedTuple):
    """A value, and the door that it came in by."""

    text: str | bytes
    door: str


class Names:
    """Values of which each is found in one place of the world only."""

    def __init__(self, seed: int) -> None:
        self.chance, self.used = random.Random(seed), set[str]()

    def one(self, make: Callable[[], str]) -> str:
        while (text := make()) in self.used:
            pass
        self.used.add(text)
        return text

    def chinese(self) -> str:
        """A name of four characters that no real person of the demo has."""
        return self.one(lambda: self.chance.choice(SURNAMES) + "".join(self.chance.sample(IDEOGRAPHS, 3)))

    def word(self, letters: int = 8) -> str:
        """A word as in an English name."""
        return self.one(lambda: "".join(self.chance.choices("bcdfghjklmnpqrstvwxz", k=letters)).capitalize())

    def phone(self) -> str:
        return self.one(lambda: str(self.chance.randrange(60_000_000, 69_999_999)))

    def contacts(self) -> tuple[str, str, str, str]:
        """Telephone number, mail address, school, name of a guardian."""
        return self.phone(), f"{self.word()}@families.example".lower(), f"{self.chinese()}小學", self.chinese()
