"""What may be said of an event, one function a word: finished, settled, counts, certain, told, recorded, in force.
Pages, mails, files and the API ask here, so that no two of them differ at one moment. `not_told` and `not_recorded`
give those of whom the word may not be said.

Each answers for this moment, by what is committed. The rows behind them are chosen in queries/ground_rows.py. The
eighth word is of files, which only services read: `backed_up` in services/backup_kept.py.
"""

from collections.abc import Mapping

from scoring.certainty import Certainty
from tournament.bridge import mailing_subjects, recipients
from tournament.bridge.mailing_subjects import Ended
from tournament.bridge.standings import LiveRanking, certainty_of
from tournament.models import Delivery, Event, HeldItem, Mailing, Notice, Release, Scoresheet, Session, Stage
from tournament.queries import devices, scoresheets
from tournament.queries.grounds import StillOpen, still_open
from tournament.queries.mailings_shown import Told
from tournament.queries.recipients import Recipients


def finished(stage: Stage) -> StillOpen:
    """What the stage waits for; `is_finished` where its ranking waits for nothing."""
    return still_open(stage)


def settled(open_still: StillOpen, *, contested: bool) -> bool:
    """Whether nothing but its hour is missing for a release. `contested`: a tie that only a person may part is left,
    across the line, of the podium or of the award."""
    return open_still.is_settled(contested=contested)


def counts(sheet: Scoresheet) -> bool:
    """Whether the ranking reads this version of the sheet."""
    return scoresheets.is_ranked(sheet)


def certain(live: LiveRanking) -> dict[int, Certainty]:
    """By number: what no sheet that is still to come changes. A correction, a disqualification or a replay does."""
    return certainty_of(live)


def not_told(found: Recipients, before: Mapping[int, Told]) -> Recipients:
    """Of whom this is for, those who have not been told: no mail server took exactly this for the address of now."""
    return recipients.not_told(found, before)


def not_recorded(event: Event, session: Session | None = None) -> list[HeldItem]:
    """What tablets have brought, of the event or one session, and is neither recorded nor put aside."""
    return devices.unsettled(event, session)


def in_force(subject: Mailing | Delivery | Release | Notice) -> Ended | None:
    """Why it is in force no more: a word that was mailed, a release, a notice; None while it is."""
    return mailing_subjects.why_out_of_force(subject)
