"""Tampering with what the weather did to sessions: their states, their hours, their moves (reliability 3.9)."""

from datetime import timedelta

from tests.reliability.tamper_kinds import kind
from tests.reliability.tamper_tables import change, copied, first
from tournament.models import ClockEvent, Session, SessionMove


def named(session: Session) -> str:
    """As the log has it."""
    return f"session {session.code}"


@kind(conduct=True)
def let_a_postponed_session_be_as_if_it_were_not() -> str:
    row = first(Session, state="postponed")
    change(row, state="planned")
    return named(row)


@kind(conduct=True)
def let_a_session_be_void_without_a_decision() -> str:
    row = first(Session, state="planned")
    change(row, state="void")
    return named(row)


@kind(conduct=True)
def take_a_void_session_s_results_in_again() -> str:
    row = first(Session, state="void", replay__isnull=False)
    change(row, state="closed")
    return named(row)


@kind(conduct=True)
def let_a_moved_session_begin_earlier() -> str:
    row = first(SessionMove).session
    change(row, check_in_at=row.check_in_at - timedelta(minutes=30))
    return named(row)


@kind(conduct=True)
def change_what_a_session_s_hours_were() -> str:
    row = first(SessionMove)
    change(row, before={**row.before, "check_in_at": row.after["check_in_at"]})
    return named(row.session)


@kind(conduct=True)
def change_why_a_session_was_moved() -> str:
    row = first(SessionMove)
    change(row, reason="another")
    return named(row.session)


@kind(conduct=True)
def delete_a_session_s_move() -> str:
    row = first(SessionMove)
    SessionMove.objects.filter(pk=row.pk).delete()
    return named(row.session)


@kind(conduct=True)
def insert_a_session_s_move() -> str:
    return named(copied(first(SessionMove)).session)


@kind(conduct=True)
def change_why_a_session_was_postponed() -> str:
    row = first(ClockEvent, kind="postpone")
    change(row, reason="another")
    return named(row.session)


@kind(conduct=True)
def delete_a_decision_to_play_anew() -> str:
    row = first(ClockEvent, kind="replay")
    ClockEvent.objects.filter(pk=row.pk).delete()
    return named(row.session)


@kind(conduct=True)
def change_when_new_times_were_given() -> str:
    row = first(ClockEvent, kind="new_times")
    change(row, at=row.at - timedelta(days=1))
    return named(row.session)
