"""A session's clock and its decisions, and what is noted at its tables."""

from django.utils.translation import gettext_noop as _

from tournament.core.acts.act import Act
from tournament.core.enums import SessionState

PLANNED, PLAYING, CHECKING = SessionState.PLANNED, SessionState.PLAYING, SessionState.CHECKING
CLOSED, SUSPENDED, POSTPONED = SessionState.CLOSED, SessionState.SUSPENDED, SessionState.POSTPONED
BEFORE_PLAY = (PLANNED, SessionState.CHECK_IN, SessionState.SEATED)
IN_PLAY = (PLAYING, SessionState.ENTERING, CHECKING)

SESSIONS = (
    Act(
        "start_session", "session", _("session started"), right="move_session", leads_from=BEFORE_PLAY, leads_to=PLAYING
    ),
    Act(
        "suspend_session",
        "session",
        _("session suspended"),
        right="move_session",
        leads_from=(PLAYING,),
        leads_to=SUSPENDED,
    ),
    Act(
        "resume_session",
        "session",
        _("session resumed"),
        right="move_session",
        leads_from=(SUSPENDED,),
        leads_to=PLAYING,
    ),
    Act("close_session", "session", _("session closed"), right="move_session", leads_from=IN_PLAY, leads_to=CLOSED),
    Act(
        "reopen_session",
        "session",
        _("session reopened"),
        right="move_session",
        leads_from=(CLOSED,),
        leads_to=CHECKING,
    ),
    Act(
        "take_back_start",
        "session",
        _("start taken back"),
        right="move_session",
        leads_from=(PLAYING,),
        leads_to=PLANNED,
    ),
    Act(
        "hold_session",
        "session",
        _("session held back"),
        right="decide_weather",
        leads_from=BEFORE_PLAY,
        leads_to=SUSPENDED,
    ),
    Act(
        "unhold_session",
        "session",
        _("session held back no more"),
        right="decide_weather",
        leads_from=(SUSPENDED,),
        leads_to=PLANNED,
    ),
    Act(
        "postpone_session",
        "session",
        _("session postponed"),
        right="decide_weather",
        leads_from=(*BEFORE_PLAY, SUSPENDED),
        leads_to=POSTPONED,
    ),
    Act(
        "bring_back_session",
        "session",
        _("postponing taken back"),
        right="decide_weather",
        leads_from=(POSTPONED,),
        leads_to=PLANNED,
    ),
    Act(
        "set_session_times",
        "session",
        _("new times set"),
        right="decide_weather",
        leads_from=(POSTPONED,),
        leads_to=PLANNED,
    ),
    Act("let_session_stand", "session", _("finished games stand"), right="decide_weather", leads_to=CHECKING),
    Act(
        "replay_session",
        "session",
        _("session void, to be replayed"),
        right="decide_weather",
        leads_to=SessionState.VOID,
        takes_two=True,
    ),
    Act("undecide_session", "session", _("decision taken back"), right="decide_weather", takes_two=True),
    Act("extend_session", "session", _("playing time extended"), right="move_session"),
    Act("announce_line", "announcement", _("announced in the hall"), right="move_session"),
    Act("end_announcement", "announcement", _("announcement ended"), right="move_session"),
    Act("call_table", "table", _("table called in the hall"), right="move_session"),
    Act("end_table_call", "table", _("call in the hall ended"), right="move_session"),
    Act("pause_table", "table", _("table paused")),
    Act("unpause_table", "table", _("pause ended")),
    Act("give_overtime", "table", _("overtime given")),
    Act("warn_entrant", "entrant", _("entrant warned")),
    Act("record_incident", "table", _("incident recorded")),
    Act("withdraw_note", ("incident", "warning", "call", "overtime"), _("note taken back")),
    Act("call_judge", "call", _("chief judge called")),
    Act("take_call", "call", _("call taken"), right="answer_call"),
    Act("answer_call", "call", _("call answered"), right="answer_call"),
    Act("confirm_mark", "incident", _("table's note recorded by the desk"), right="settle_marks"),
    Act("dismiss_mark", "incident", _("table's note not recorded"), right="settle_marks"),
)
