"""Workers that never ask whether what they mail is still so: the control of the last word. Only tests start it."""

from django.core.management import call_command

from tests.reliability import django_ready
from tournament.mail.services.mailings_sending import SendRun


def never(turn: SendRun) -> bool:
    """As if every subject were in force for ever."""
    return False


if __name__ == "__main__":
    assert django_ready
    SendRun.subject_ended = never  # type: ignore[method-assign]
    call_command("work")
