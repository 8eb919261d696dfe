"""Who can sign in to the demo. The passwords are printed and known to all: never for a real event."""

from dataclasses import dataclass

from tournament.enums import Role

REFEREES = 13
"""One for two tables, the last has one (R8)."""


@dataclass(frozen=True)
class Account:
    """A sign-in of the demo: the name that the desk shows, the role, the password."""

    username: str
    name: str
    role: Role
    password: str
    pin: str = ""


# Two whose tablets can be tried; the others are given a PIN on the accounts' page.
PINS = {1: "7301", 2: "7302"}

ACCOUNTS = (
    Account("organiser", "周穎琳", Role.ORGANISER, "demo-organiser"),
    Account("clerk", "文員甲", Role.CLERK, "demo-clerk"),
    Account("clerk2", "文員乙", Role.CLERK, "demo-clerk2"),
    Account("judge", "何總評判", Role.CHIEF_JUDGE, "demo-judge"),
    Account("auditor", "核數師", Role.AUDITOR, "demo-auditor"),
    *(
        Account(
            f"referee{number:02d}", f"評審員 {number}", Role.REFEREE, f"demo-referee{number:02d}", PINS.get(number, "")
        )
        for number in range(1, REFEREES + 1)
    ),
)
