"""An update changes the tables only while nobody plays; where somebody insists, the log has why (reliability G1)."""

from django.utils.translation import gettext_noop as _

from tournament.errors import BadInput, Refused
from tournament.models import Event, Session
from tournament.services import audit
from tournament.services.backup_engines import atomic
from tournament.services.clock import IN_HAND, clean

IN_PLAY = _(
    "Sessions are open: %(sessions)s. The tables of the database are not changed meanwhile; nothing was done. Close "
    "them at the desk (their clock pages) and type the same again. If it cannot wait, stop the service and type: "
    'manage.py migrate --force --reason "WHY"'
)
REASON = _('Say why it cannot wait until the sessions are closed: --reason "WHY". Nothing was done.')


def open_sessions() -> dict[str, list[str]]:
    """The codes of the sessions whose clock was started and which are not closed, by their event's slug.

    Asked of a database of any earlier form: nothing but what its first form had.
    """
    rows = Session.objects.filter(state__in=IN_HAND).select_related("stage__event")
    found: dict[str, list[str]] = {}
    for row in rows.only("original_date", "number_of_day", "stage__event__slug").order_by("play_at"):
        found.setdefault(row.stage.event.slug, []).append(row.code)
    return found


def refuse_in_play(found: dict[str, list[str]], *, force: bool, reason: str) -> str:
    """The reason, trimmed. Refused `session_open` while a session is open and nobody insists; BadInput without why."""
    if not found:
        return ""
    if not force:
        said = ", ".join(f"{slug} {', '.join(codes)}" for slug, codes in found.items())
        raise Refused("session_open", IN_PLAY, sessions=said)
    why = clean(reason)
    if not why:
        raise BadInput("reason_missing", REASON)
    return why


def record(found: dict[str, list[str]], reason: str) -> None:
    """In each event's log: while which sessions were open, and why."""
    for event in Event.objects.filter(slug__in=found).order_by("slug"):
        with atomic():
            said = f"{', '.join(found[event.slug])}: {reason}"[:500]
            audit.record(event, None, "migrate_in_play", f"event {event.slug}", reason=said)
