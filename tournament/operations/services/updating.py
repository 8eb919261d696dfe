"""An update changes the tables only while nobody plays; where somebody insists, the log has why (G1)."""

from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.core.acts import ACTS
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.core.models.stage import Session
from tournament.operations.services.backup_engines import atomic_on_default
from tournament.sheets.services.clock import clean_clock_text

SESSIONS_OPEN = _(
    "Sessions are open: %(sessions)s. The tables of the database are not changed meanwhile; nothing was done. Close "
    "them at the desk (their clock pages) and type the same again. If it cannot wait, stop the service and type: "
    'manage.py migrate --force --reason "WHY"'
)
UPDATE_REASON_MISSING = _('Say why it cannot wait until the sessions are closed: --reason "WHY". Nothing was done.')


def open_session_codes_by_event() -> dict[str, list[str]]:
    """The codes of the sessions whose clock was started and which are not closed, by their event's slug.

    Asked of a database of any earlier form: nothing but what its first form had.
    """
    rows = Session.objects.filter(state__in=ACTS["close_session"].leads_from).select_related("stage__event")
    found: dict[str, list[str]] = {}
    for row in rows.only("original_date", "number_of_day", "stage__event__slug").order_by("play_at"):
        found.setdefault(row.stage.event.slug, []).append(row.code)
    return found


def require_no_open_session(found: dict[str, list[str]], *, force: bool, reason: str) -> str:
    """The reason, trimmed. Refused `session_open` while a session is open and nobody insists; BadInput without why."""
    if not found:
        return ""
    if not force:
        said = ", ".join(f"{slug} {', '.join(codes)}" for slug, codes in found.items())
        raise Refused("session_open", SESSIONS_OPEN, sessions=said)
    why = clean_clock_text(reason)
    if not why:
        raise BadInput("reason_missing", UPDATE_REASON_MISSING)
    return why


def record_update_during_play(found: dict[str, list[str]], reason: str) -> None:
    """In each event's log: while which sessions were open, and why."""
    for event in Event.objects.filter(slug__in=found).order_by("slug"):
        with atomic_on_default():
            said = f"{', '.join(found[event.slug])}: {reason}"[:500]
            services.append_audit_entry(event, None, "migrate_in_play", f"event {event.slug}", reason=said)
