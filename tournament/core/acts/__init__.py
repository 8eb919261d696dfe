"""Every act that is written into the audit log, once: who may, on what, from which state to which, in which words.

It owns the facts about acts and offers `ACTS` by name, `RIGHTS`, `SUBJECTS` and what is derived from them. It does
nothing and reads no row: services refuse and record by it, pages and exports say its words. An act that is not here is
never recorded (services.audit.record).
"""

from collections.abc import Mapping

from tournament.core.acts.act import ANYTHING, Act, transitions
from tournament.core.acts.arrivals import ARRIVALS
from tournament.core.acts.event import EVENT
from tournament.core.acts.notices import NOTICES
from tournament.core.acts.people import PEOPLE
from tournament.core.acts.results import RESULTS
from tournament.core.acts.rights import RIGHTS
from tournament.core.acts.seats import SEATS
from tournament.core.acts.sessions import BEFORE_PLAY, IN_PLAY, SESSIONS
from tournament.core.acts.sheets import SHEETS, UNLOCKED, WRITABLE
from tournament.core.acts.subjects import SUBJECTS
from tournament.core.acts.tablets import TABLETS
from tournament.core.enums import LOCKED_STATES, SheetState

ACTS: Mapping[str, Act] = {
    act.name: act for act in (*EVENT, *PEOPLE, *SEATS, *SESSIONS, *ARRIVALS, *TABLETS, *SHEETS, *RESULTS, *NOTICES)
}
# By these a scoresheet locks: who signs has signed, nothing of it changes any more (R41).
LOCKS = frozenset(act.name for act in SHEETS if act.leads_to in LOCKED_STATES)
# 4.1: from each state of a scoresheet to those that may follow. Nothing follows a locked one or a void one.
SHEET_TRANSITIONS = transitions(SHEETS, SheetState)
# An entrant's status after an act that changes it.
STATUSES = {act.name: act.leads_to for act in PEOPLE if act.leads_to}

__all__ = (
    "ACTS",
    "ANYTHING",
    "BEFORE_PLAY",
    "IN_PLAY",
    "LOCKS",
    "RIGHTS",
    "SHEET_TRANSITIONS",
    "STATUSES",
    "SUBJECTS",
    "UNLOCKED",
    "WRITABLE",
    "Act",
    "transitions",
)
