"""Who can sign in to the demo. The passwords are printed and known to all: never for a real event."""

from dataclasses import dataclass

from tournament.core.enums import Role

DEMO_REFEREES = 13
"""One for two tables, the last has one (R8)."""


@dataclass(frozen=True)
class DemoAccount:
    """A sign-in of the demo: the name that the desk shows, the role, the password."""

    username: str
    name: str
    role: Role
    password: str
    pin: str = ""


# Two whose tablets can be tried; the others are given a PIN on the accounts' page.
DEMO_PINS = {1: "7301", 2: "7302"}

DEMO_ACCOUNTS = (
    DemoAccount("organiser", "周穎琳", Role.ORGANISER, "demo-organiser"),
    DemoAccount("clerk", "文員甲", Role.CLERK, "demo-clerk"),
    DemoAccount("clerk2", "文員乙", Role.CLERK, "demo-clerk2"),
    DemoAccount("judge", "何總評判", Role.CHIEF_JUDGE, "demo-judge"),
    DemoAccount("auditor", "核數師", Role.AUDITOR, "demo-auditor"),
    *(
        DemoAccount(
            f"referee{number:02d}",
            f"評審員 {number}",
            Role.REFEREE,
            f"demo-referee{number:02d}",
            DEMO_PINS.get(number, ""),
        )
        for number in range(1, DEMO_REFEREES + 1)
    ),
)
