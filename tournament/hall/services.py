"""A line announced in the hall and ended, a table called and let go: one act, one transaction, one entry each."""

from datetime import datetime

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournament.audit import services
from tournament.audit.models import AuditHead
from tournament.core.enums import TableCallKind
from tournament.core.errors import BadInput, Refused
from tournament.core.models.event import Event
from tournament.devices.services.acting import ActingAccount
from tournament.hall.models import Announcement, TableCall
from tournament.messages.services.published_text import check_published_texts
from tournament.sheets.domain.scoresheets import is_storable
from tournament.sheets.queries.scoresheets import sheet_serial
from tournament.tables.models import Table

ANNOUNCEMENT_LENGTHS = {"zh": 60, "en": 120}
ANNOUNCEMENT_TEXTS_MISSING = _("Write one line in Chinese, of 60 characters at most, and one in English, of 120.")
ANNOUNCEMENT_END_PAST = _("Give an end that is still to come.")
NO_SUCH_TABLE_CALL = _("Choose what the table is asked for.")
TABLE_CALLED_ALREADY = _("This table is called already. End that call first.")
HALL_SIGN_ENDED = _("This has ended already.")


def announce(
    event: Event, *, text_zh: str, text_en: str, until: datetime, by: User, request_key: str, words_confirmed: str = ""
) -> int:
    """Show a line in both languages until its moment; its key. Raises BadInput, also where it names somebody."""
    texts = {"zh": " ".join(text_zh.split()), "en": " ".join(text_en.split())}
    if any(not text or len(text) > ANNOUNCEMENT_LENGTHS[lang] or not is_storable(text) for lang, text in texts.items()):
        raise BadInput("announcement_texts", ANNOUNCEMENT_TEXTS_MISSING)

    def do() -> int:
        now = timezone.now()
        if until <= now:
            raise BadInput("announcement_end", ANNOUNCEMENT_END_PAST)
        named = {f"announcement_{lang}": text for lang, text in texts.items()}
        passed = check_published_texts(event, named, confirmed=words_confirmed)
        row = Announcement.objects.create(
            event=event, text_zh=texts["zh"], text_en=texts["en"], until=until, by=by, at=now
        )
        services.append_audit_entry(
            event, by, "announce_line", f"announcement {row.pk}", request_key=request_key, at=now
        )
        passed.record(event, by, f"announcement {row.pk}")
        return int(row.pk)

    return ActingAccount(by, request_key).once("announce_line", [event.pk, texts, until.isoformat()], do)


def end_announcement(event: Event, key: int, *, by: User, request_key: str) -> None:
    """Take a line down before its moment. Refused `hall_sign_ended`."""

    def do() -> int:
        AuditHead.objects.select_for_update(no_key=True).get(event=event)
        row = Announcement.objects.filter(event=event, pk=key, ended_at=None).first()
        if row is None:
            raise Refused("hall_sign_ended", HALL_SIGN_ENDED)
        row.ended_by, row.ended_at = by, timezone.now()
        row.save(update_fields=["ended_by", "ended_at"])
        services.append_audit_entry(
            event, by, "end_announcement", f"announcement {row.pk}", request_key=request_key, at=row.ended_at
        )
        return int(row.pk)

    ActingAccount(by, request_key).once("end_announcement", [event.pk, key], do)


def call_table(table: Table, kind: str, *, by: User, request_key: str) -> int:
    """Ask a table for something in the hall; the call's key. Raises BadInput, Refused `table_called`."""
    if kind not in TableCallKind.values:
        raise BadInput("no_such_table_call", NO_SUCH_TABLE_CALL)
    event = table.session.stage.event

    def do() -> int:
        AuditHead.objects.select_for_update(no_key=True).get(event=event)
        if TableCall.objects.filter(table=table, ended_at=None).exists():
            raise Refused("table_called", TABLE_CALLED_ALREADY, about=table)
        row = TableCall.objects.create(table=table, kind=kind, by=by, at=timezone.now())
        services.append_audit_entry(
            event, by, "call_table", f"table {sheet_serial(table)}", request_key=request_key, at=row.at
        )
        return int(row.pk)

    return ActingAccount(by, request_key).once("call_table", [table.pk, kind], do)


def end_table_call(event: Event, key: int, *, by: User, request_key: str) -> None:
    """The table goes on. Refused `hall_sign_ended`."""

    def do() -> int:
        AuditHead.objects.select_for_update(no_key=True).get(event=event)
        rows = TableCall.objects.filter(pk=key, table__session__stage__event=event, ended_at=None)
        row = rows.select_related("table__session__stage").first()
        if row is None:
            raise Refused("hall_sign_ended", HALL_SIGN_ENDED)
        row.ended_by, row.ended_at = by, timezone.now()
        row.save(update_fields=["ended_by", "ended_at"])
        subject = f"table {sheet_serial(row.table)}"
        services.append_audit_entry(event, by, "end_table_call", subject, request_key=request_key, at=row.ended_at)
        return int(row.pk)

    ActingAccount(by, request_key).once("end_table_call", [event.pk, key], do)
