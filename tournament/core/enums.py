"""Every closed list of words that rows, forms and URLs share. Labels are in English; the catalogue has the Chinese."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    """Who may do what; a right belongs to a person at one event."""

    ORGANISER = "organiser", _("organiser")
    CLERK = "clerk", _("clerk")
    REFEREE = "referee", _("referee")
    CHIEF_JUDGE = "chief_judge", _("chief judge")
    AUDITOR = "auditor", _("auditor")


class StageKind(models.TextChoices):
    """A stage starts from nothing and has its own ruleset (R38)."""

    PRELIMINARY = "preliminary", _("preliminary")
    FINAL = "final", _("final")


class SessionState(models.TextChoices):
    """A session 場, from its plan to its end."""

    PLANNED = "planned", _("planned")
    CHECK_IN = "check-in", _("check-in")
    SEATED = "seated", _("seated")
    PLAYING = "playing", _("playing")
    ENTERING = "entering", _("entering")
    CHECKING = "checking", _("checking")
    CLOSED = "closed", _("closed")
    SUSPENDED = "suspended", _("suspended")
    POSTPONED = "postponed", _("postponed")
    VOID = "void", _("void")


class LifeStage(models.TextChoices):
    """How far a session has come by all that is known of it, its clock being but one thing (queries.session_life)."""

    PLANNED = "planned", _("planned")
    SEATED = "seated", _("seats confirmed")
    PRINTED = "printed", _("scoresheets printed")
    HELD = "held", _("held back")
    BEGUN = "begun", _("begun")
    BROKEN_OFF = "broken-off", _("broken off")
    STAMPED = "stamped", _("all scoresheets stamped or void")
    RELEASED = "released", _("results published")
    POSTPONED = "postponed", _("postponed")
    VOID = "void", _("void")


class EntrantStatus(models.TextChoices):
    """Only an `ok` entrant is ranked. The words are those of `python -m scoring rank`."""

    OK = "ok", _("taking part")
    FORFEITED = "forfeited", _("no-show")
    WITHDRAWN = "withdrawn", _("withdrawn")
    DISQUALIFIED = "disqualified", _("disqualified")


# Why somebody has no rank, as the desk reads it. What is released says less: `publication/exports/released.py`.
UNRANKED_REASON_WORDS = {
    "not_played": _("no game played"),
    EntrantStatus.FORFEITED.value: EntrantStatus.FORFEITED.label,
    EntrantStatus.WITHDRAWN.value: EntrantStatus.WITHDRAWN.label,
    EntrantStatus.DISQUALIFIED.value: EntrantStatus.DISQUALIFIED.label,
}


class FamilyRole(models.TextChoices):
    """The two members of a declared pair (R40)."""

    CHILD = "child", _("child")
    PARENT = "parent", _("parent")


class DoorCheckKind(models.TextChoices):
    """What is looked at or taken at the door beside the check-in."""

    AGE = "age", _("age proof seen")
    CONSENT = "consent", _("guardian's consent received")


class SheetState(models.TextChoices):
    """A scoresheet version: `signed` and `certified` are locked for ever (R41)."""

    OPEN = "open", _("not received")
    DRAFT = "draft", _("draft")
    READY = "ready", _("to be checked")
    DISPUTED = "disputed", _("disputed")
    SIGNED = "signed", _("signed")
    CERTIFIED = "certified", _("certified")
    VOID = "void", _("void")


LOCKED_STATES = (SheetState.SIGNED, SheetState.CERTIFIED)


class DisputeOutcome(models.TextChoices):
    """How a dispute ended: the chief judge let the values stand or put others in their place; or it was taken back."""

    UPHELD = "upheld", _("the values stand")
    VALUES = "values", _("other values")
    WITHDRAWN = "recalled", _("dispute taken back")


class SheetForm(models.TextChoices):
    """How a sheet is typed: as the paper's cells, or from racks, to be computed."""

    PAPER = "paper", _("from the paper")
    RACK = "rack", _("from racks")
    TURNS = "turns", _("turns, from the paper")


class ScanKind(models.TextChoices):
    """What a scan of a paper is kept as; also how its file's name ends."""

    JPEG = "jpg", _("picture")
    PDF = "pdf", _("PDF")


class GameEnd(models.TextChoices):
    """How a game ended (R28, R29, R31), or that the clock left no time for it."""

    RUMMIKUB = "rummikub", _("Rummikub")
    POOL = "pool", _("pool empty")
    TIME = "time", _("time up")
    NOT_PLAYED = "not_played", _("not played")


class GameRuling(models.TextChoices):
    """What the chief judge ruled of one game that the rules leave open (scoring.rulings)."""

    DIFFERENCE = "difference", _("difference to the lowest rack")
    RAW = "raw", _("each loses the whole rack")
    FEWEST_TILES = "fewest_tiles", _("the fewest tiles win")
    DIFFERENCE_AND_TIE = "difference,fewest_tiles", _("difference to the lowest rack; the fewest tiles win")
    RAW_AND_TIE = "raw,fewest_tiles", _("each loses the whole rack; the fewest tiles win")


class ProposalOutcome(models.TextChoices):
    """What became of an act that one proposed and another had to agree to."""

    APPROVED = "approved", _("agreed to and done")
    REFUSED = "refused", _("not agreed to")
    WITHDRAWN = "withdrawn", _("proposal withdrawn")
    LAPSED = "lapsed", _("lapsed")


class TieMethod(models.TextChoices):
    """How a full tie across the line was decided (R37)."""

    ADMIT_ALL = "admit_all", _("admit all")
    PLAY_OFF = "play_off", _("play-off")
    LOTS = "lots", _("lots")
    PICK = "pick", _("chief judge's pick")
    HAND_LOTS = "hand_lots", _("lots drawn by hand")


class DecisionOf(models.TextChoices):
    """Between which equals is decided: across the line, at a reserve place (R37), after the final (R39, R40)."""

    LINE = "line", _("qualifying line")
    RESERVE = "reserve", _("reserve place")
    PODIUM = "podium", _("podium")
    AWARD = "award", _("parent-child award")


class CertificateKind(models.TextChoices):
    """Whom a file of certificates is for."""

    PODIUM = "podium", _("podium")
    AWARD = "award", _("parent-child award")
    FINALISTS = "finalists", _("all finalists")


class Answer(models.TextChoices):
    """What is recorded of a finalist's place (R37). The words are those of scoring.final_places.

    `struck` is nobody's answer: none came in time, and the organiser struck whoever held the place.
    """

    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    STRUCK = "struck", _("no answer; struck by the organiser")


# What a finalist may say, by the link or at the desk.
ANSWERS_OF_FINALISTS = ((Answer.ACCEPTED.value, Answer.ACCEPTED.label), (Answer.DECLINED.value, Answer.DECLINED.label))
# By these a place is given up.
ABANDONING_ANSWERS = frozenset({Answer.DECLINED, Answer.STRUCK})


class Language(models.TextChoices):
    """The language an entrant is written to in."""

    CHINESE = "zh-hant", _("Chinese")
    ENGLISH = "en", _("English")


class JobKind(models.TextChoices):
    """What long work there is."""

    IMPORT_ENTRANTS = "import_entrants", _("import of entrants")
    ERASE = "erase", _("erasure of personal data")


class JobState(models.TextChoices):
    """Long work, from being asked for to its end: done, refused as the organiser's to mend, or broken by our fault."""

    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    REFUSED = "refused", _("refused")
    BROKEN = "broken", _("broken off")


OPEN_JOBS = (JobState.WAITING, JobState.RUNNING)


class ClockKind(models.TextChoices):
    """What moves a session's time, or a table's."""

    START = "start", _("start")
    SUSPEND = "suspend", _("suspended")
    RESUME = "resume", _("resumed")
    CLOSE = "close", _("closed")
    TAKE_BACK = "take_back", _("start taken back")
    REOPEN = "reopen", _("opened again")
    PAUSE = "pause", _("pause")
    UNPAUSE = "unpause", _("end of the pause")
    OVERTIME = "overtime", _("overtime")
    HOLD = "hold", _("held back")
    UNHOLD = "unhold", _("held back no more")
    POSTPONE = "postpone", _("postponed")
    NEW_TIMES = "new_times", _("new times")
    BRING_BACK = "bring_back", _("postponing taken back")
    STAND = "stand", _("finished games stand")
    REPLAY = "replay", _("void, to be replayed")
    UNDECIDE = "undecide", _("decision taken back")


class TableCallKind(models.TextChoices):
    """What a table is asked for in the hall."""

    WAIT = "wait", _("please wait")
    REFEREE = "referee", _("referee, please come")


class IncidentKind(models.TextChoices):
    """What a referee records of a game beside its result."""

    PUSHED_OVER = "pushed_over", _("rack pushed over")
    LEFT = "left", _("left the table")
    ABSENT = "absent", _("did not come")
    LATE = "late", _("came late")
    DISQUALIFIED = "disqualified", _("disqualified")
    MISCOUNT = "miscount", _("rack counted wrong")
    NEW_DEAL = "new_deal", _("new deal")
    EXPOSED_TILE = "exposed_tile", _("exposed tile")
    TURN_FORFEITED = "turn_forfeited", _("turn forfeited")
    DRAWN_NUMBERS = "drawn_numbers", _("drawn numbers")


class NoteKind(models.TextChoices):
    """What a referee notes at a table, by the table that keeps it."""

    WARNING = "warning", _("verbal warning")
    INCIDENT = "incident", _("incident")
    CALL = "call", _("call")
    OVERTIME = "overtime", _("overtime")


class NoteOutcome(models.TextChoices):
    """What became of a note: the desk recorded it, or did not; its referee took it back."""

    CONFIRMED = "confirmed", _("recorded by the desk")
    DISMISSED = "dismissed", _("not recorded by the desk")
    WITHDRAWN = "withdrawn", _("note taken back")


class QuarantineReason(models.TextChoices):
    """Why something that a tablet recorded waits for a person."""

    CONFLICT = "conflict", _("the server has other values")
    LATE = "late", _("the tablet was no longer paired")
    REFUSED = "refused", _("the server refused it")
    BROUGHT = "brought", _("brought by hand, and the seal is not the tablet's")
    LOCKED = "locked", _("it was made while the tablet was locked")


class SubmissionOutcome(models.TextChoices):
    """How a person settled it."""

    ENTERED = "entered", _("entered")
    SET_ASIDE = "set_aside", _("set aside")


class WeatherSource(models.TextChoices):
    """Who said what is in force: the Observatory's feed, or a person with the official times, who wins."""

    FEED = "feed", _("Observatory")
    HAND = "hand", _("by hand")


class FeedState(models.TextChoices):
    """What a look at the feed gave. Only a good one says anything about what is in force."""

    OK = "ok", _("in order")
    STALE = "stale", _("stale")
    BROKEN = "broken", _("broken")


class WeatherOutcome(models.TextChoices):
    """What a day's decision may be; until then it is pending. The words are those of scoring.weather."""

    GO = "go", _("as planned")
    CANCEL = "cancel", _("called off")


class NoticeKind(models.TextChoices):
    """What a notice 通告 is about; each has a template in both languages."""

    GOING_AHEAD = "going_ahead", _("going ahead")
    PENDING = "pending", _("pending")
    STOPPED = "stopped", _("called off")
    SUSPENDED = "suspended", _("suspended")
    NEW_DATE = "new_date", _("new date")
    GENERAL = "general", _("general")


class BannerTone(models.TextChoices):
    """How loud the line above every public page is."""

    INFO = "info", _("information")
    WAIT = "wait", _("wait")
    STOP = "stop", _("stop")


class MailingKind(models.TextChoices):
    """What is mailed, one to a recipient."""

    NOTICE = "notice", _("notice")
    SEATS = "seats", _("seats")
    RESULTS = "results", _("results")
    PLACES = "places", _("places in the final")


class MailingState(models.TextChoices):
    """A mailing from its confirmation to its end; stopped, what was not sent never is."""

    SENDING = "sending", _("being sent")
    PAUSED = "paused", _("paused")
    STOPPED = "stopped", _("stopped")
    DONE = "done", _("done")


OPEN_MAILINGS = (MailingState.SENDING, MailingState.PAUSED)


class DeliveryState(models.TextChoices):
    """One mail to one recipient. `sending`: a worker has it, or was killed with it."""

    WAITING = "waiting", _("waiting")
    SENDING = "sending", _("being sent")
    SENT = "sent", _("sent")
    FAILED = "failed", _("failed")
    STOPPED = "stopped", _("stopped")


class BounceKind(models.TextChoices):
    """What was reported of a mail after a mail server had taken it."""

    SOFT = "soft", _("delayed")
    HARD = "hard", _("came back")
    COMPLAINT = "complaint", _("reported as unwanted")


# It has no hours of its own: it waits for new ones, or nothing of it counts.
OFF = (SessionState.POSTPONED, SessionState.VOID)


# By its clock nothing of it is still played.
ENDED = (SessionState.CLOSED, SessionState.VOID)
