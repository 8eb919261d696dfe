"""What one act is: a row of the table that permissions, transitions, guards and the audit log are read from."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tournament.core.acts.rights import RIGHTS
from tournament.core.enums import Role

# Of an act that is recorded on whatever the act that it belongs to is about.
ANYTHING = ""


@dataclass(frozen=True, slots=True)
class Act:
    """One act that the audit log may have, by the name that the log writes.

    `subject` is the kind (acts.subjects), or the kinds, of what it is done to; `words` what a page says.
    `right` is who may (acts.rights); "" where no account is asked: a tablet under a referee's PIN, the account itself,
    a command, the program. `leads_from`: the states of its subject that allow it, () where the service asks for none
    or where there is no subject yet. `leads_to`: the state afterwards, None where it stays.
    `only_logged`: no row keeps what it did, so that nothing is compared with its entry. `takes_two`: it is, or may be,
    done only when a second account has agreed. `reason_refers`: the entry's reason is no text of a person but names
    something as the log does.
    """

    name: str
    subject: str | tuple[str, ...]
    words: str
    right: str = ""
    leads_from: tuple[Any, ...] = ()
    leads_to: Any = None
    only_logged: bool = False
    takes_two: bool = False
    reason_refers: bool = False

    @property
    def roles(self) -> frozenset[Role]:
        """Whose act it is at an event; none where no account is asked."""
        return RIGHTS[self.right] if self.right else frozenset()

    def allows(self, state: Any) -> bool:
        """Whether the act leads from this state of its subject."""
        return state in self.leads_from

    def may_be_done_to(self, reference: str) -> bool:
        """Whether a reference such as `scoresheet 0406-3-06 v1` is of its kind of subject."""
        kinds = (self.subject,) if isinstance(self.subject, str) else self.subject
        return any(kind == ANYTHING or reference == kind or reference.startswith(f"{kind} ") for kind in kinds)


def transitions(acts: Iterable[Act], states: Iterable[Any]) -> tuple[tuple[Any, Any], ...]:
    """From each of these states to each that an act leads to from it, without those that stay as they are."""
    listed, order = list(acts), list(states)
    pairs = {(state, act.leads_to) for act in listed if act.leads_to for state in act.leads_from}
    return tuple((one, other) for one in order for other in order if one != other and (one, other) in pairs)
