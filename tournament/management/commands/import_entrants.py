"""`manage.py import_entrants FILE`: the same import as the page, for whoever has the file on the machine."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy, ngettext, override
from django.utils.translation import gettext as _

from tournament.core.errors import Refused
from tournament.core.models.event import Event, Membership
from tournament.core.permissions import is_act_allowed
from tournament.core.readers import MAX_FILE_BYTES
from tournament.entrants.models.importing import EntrantFile
from tournament.entrants.readers.characters import show_forbidden_characters
from tournament.entrants.readers.dates import DATE_ORDERS
from tournament.entrants.readers.faults import FAULT_DECIDE, FAULT_LEFT_OUT
from tournament.registration.services import importing, importing_preview
from tournament.registration.services.importing_dates import answer_dates
from tournament.registration.services.importing_names import ACCEPTABLE_NAME_FAULTS
from tournament.registration.services.importing_preview import ImportPreview

# What a person accepts of a row, by the option; each of the option's questions that the row has.
QUESTIONS_OF_OPTION = {"--accept-birthday": frozenset({"birthday_on_the_day"}), "--accept-name": ACCEPTABLE_NAME_FAULTS}
OPTION_NOT_ASKED_FOR = {
    "--accept-birthday": gettext_lazy("In row %(row)s there is no birthday to accept."),
    "--accept-name": gettext_lazy("In row %(row)s there is no name to accept."),
}
# Asked of the column of dates.
DATE_FAULT_CODES = frozenset({"dates_either_way", "dates_month_first", "dates_contradict"})
AcceptedRows = Mapping[str, Mapping[int, str]]


class Command(BaseCommand):
    """Exit status 0: imported, or nothing to change; 1: nothing was imported, and why is printed."""

    help = (
        "Import entrants from an xlsx or CSV file: all of them, or none and every fault by row and column. What it "
        "would change of those entered is printed, and changed with --apply-changes only."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """The file, the event where there are several, who does it, the birthdays and names that are accepted."""
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--event", metavar="SLUG", help="needed only where there are several events")
        parser.add_argument("--by", metavar="USERNAME", help="the account that the audit log names")
        parser.add_argument("--language", choices=("zh-hant", "en"), help="of what is printed; else the installation's")
        parser.add_argument("--apply-changes", action="store_true", help="change those entered as the file says")
        parser.add_argument(
            "--dates",
            choices=[order.replace("_", "-") for order in DATE_ORDERS],
            help="how 3/4/2015 is read, where the file alone does not tell",
        )
        parser.add_argument(
            "--accept-birthday",
            metavar="ROW=REASON",
            action="append",
            default=[],
            help="accept the entrant of this row whose birthday is the day of the session; may be given several times",
        )
        parser.add_argument(
            "--accept-name",
            metavar="ROW=REASON",
            action="append",
            default=[],
            help="accept the name of this row with its unusual letters as it is written; may be given several times",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """The import, in the language asked for."""
        with override(options["language"] or get_language()):
            self.import_list(options)

    def import_list(self, options: Mapping[str, Any]) -> None:
        """Read, decide what was accepted, import, say what was done."""
        by = self.account(options["by"])
        accepted = {
            option: self.accepted(option, options[option[2:].replace("-", "_")]) for option in QUESTIONS_OF_OPTION
        }
        event = self.event(options["event"])
        for option in (option for option, rows in accepted.items() if rows):
            self.require_organiser(event, by, option)
        try:
            kept = importing.read_file(event, name=options["file"].name, content=self.content(options["file"]), by=by)
            if kept.imported_at is None and options["dates"]:
                kept = answer_dates(kept, order=options["dates"].replace("-", "_"), by=by)
            if kept.imported_at is None:
                self.decide(kept, accepted, by)
                kept.refresh_from_db()
            shown = importing_preview.build_preview(kept)
            if kept.imported_at is None:
                self.refuse_faults(shown)
                self.tell_changes(shown, options["apply_changes"])
            done = importing.import_file(kept, by=by, seen=shown.digest)
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        self.say(kept, done)

    def event(self, slug: str | None) -> Event:
        """The event named, or the only one."""
        events = list(Event.objects.filter(slug=slug) if slug else Event.objects.all()[:2])
        if len(events) != 1:
            raise CommandError(_("Name the event with --event; there is not exactly one."))
        return events[0]

    def account(self, username: str | None) -> User | None:
        """The active account of this name; None without a name. Raises CommandError."""
        if username is None:
            return None
        user = User.objects.filter(username=username, is_active=True).first()
        if user is None:
            raise CommandError(_("There is no account %(name)s.") % {"name": username})
        return user

    def require_organiser(self, event: Event, by: User | None, option: str) -> None:
        """The birthday on the very day is put to an organiser (R1); so is an unusual name."""
        if by is None:
            raise CommandError(_("%(option)s needs --by: a decision has a name.") % {"option": option})
        roles = frozenset(Membership.objects.filter(event=event, user=by).values_list("role", flat=True))
        if not is_act_allowed(roles, "decide_entry"):
            raise CommandError(_("Only an organiser of the event accepts this; %(name)s is none.") % {"name": by})

    def content(self, path: Path) -> bytes:
        """The file's bytes, one more than allowed at most."""
        try:
            with path.open("rb") as file:
                return file.read(MAX_FILE_BYTES + 1)
        except OSError as error:
            raise CommandError(_("%(path)s cannot be read: %(why)s") % {"path": path, "why": error.strerror}) from error

    def accepted(self, option: str, texts: list[str]) -> Mapping[int, str]:
        """`391=passport seen` as rows and reasons."""
        found = {}
        for text in texts:
            row, sign, reason = text.partition("=")
            if not sign or not row.strip().isdecimal() or not reason.strip():
                facts = {"option": option, "text": text}
                raise CommandError(_('%(option)s takes ROW=REASON, not "%(text)s".') % facts)
            found[int(row)] = reason.strip()
        return found

    def decide(self, kept: EntrantFile, accepted: AcceptedRows, by: User | None) -> None:
        """Record the boundary birthdays and names that were accepted; a row that has none is refused."""
        faults = importing_preview.build_preview(kept).faults
        for option, row, reason in ((option, *one) for option, rows in accepted.items() for one in rows.items()):
            asked = sorted({fault.code for fault in faults if fault.row == row} & QUESTIONS_OF_OPTION[option])
            if not asked:
                raise CommandError(OPTION_NOT_ASKED_FOR[option] % {"row": row})
            if by is None:
                continue
            for question in asked:
                kept = importing.answer_row_question(
                    kept, row=row, accept=True, reason=reason, by=by, question=question
                )

    def refuse_faults(self, preview: ImportPreview) -> None:
        """Print every fault; if any stands in the way nothing is imported."""
        for fault in preview.faults:
            if preview.is_decided(fault):
                continue
            cell = _("(not kept)") if fault.cell is None else show_forbidden_characters(fault.cell)
            where = _("row %(row)s, column %(column)s") % {"row": fault.row, "column": fault.place}
            kind = {FAULT_DECIDE: _("to decide"), FAULT_LEFT_OUT: _("left out")}.get(fault.weight, _("to mend"))
            option = _("On the command line: --dates.")
            do = f"{fault.do} {option}" if fault.code in DATE_FAULT_CODES else fault.do
            self.stderr.write(f'{where}: "{cell}" - {kind}: {fault.what} {do}')
        if preview.open_faults:
            counts = {"mend": len(preview.to_mend), "decide": len(preview.to_decide)}
            raise CommandError(_("Nothing was imported: %(mend)s to mend, %(decide)s to decide.") % counts)

    def tell_changes(self, preview: ImportPreview, wanted: bool) -> None:
        """Print every cell that would change of those entered; without being asked to, change nothing."""
        sentence = _('row %(row)s, entrant %(number)s: %(column)s: "%(before)s" becomes "%(after)s"')
        for row, change in preview.changes.items():
            for cell in change.cells:
                facts = {
                    "column": cell.label,
                    "before": show_forbidden_characters(cell.before),
                    "after": show_forbidden_characters(cell.after),
                }
                self.stderr.write(sentence % {"row": row, "number": change.entrant, **facts})
        if preview.changes and not wanted:
            raise CommandError(
                ngettext(
                    "%(count)s entrant would change; nothing was imported. Look at the changes, then repeat with "
                    "--apply-changes.",
                    "%(count)s entrants would change; nothing was imported. Look at the changes, then repeat with "
                    "--apply-changes.",
                    len(preview.changes),
                )
                % {"count": len(preview.changes)}
            )

    def say(self, kept: EntrantFile, done: importing.ImportResult) -> None:
        kept.refresh_from_db()
        if done.again and kept.imported_at:
            at = f"{timezone.localtime(kept.imported_at):%Y-%m-%d %H:%M}"
            self.stdout.write(_("This file was already imported on %(at)s; nothing was changed.") % {"at": at})
            return
        counts = {"count": done.count, "unchanged": done.unchanged}
        sentence = ngettext(
            "%(count)s entrant imported, %(unchanged)s unchanged.",
            "%(count)s entrants imported, %(unchanged)s unchanged.",
            done.count,
        )
        self.stdout.write(sentence % counts)
        if done.changed:
            changed = ngettext("%(count)s changed.", "%(count)s changed.", done.changed)
            self.stdout.write(changed % {"count": done.changed})
        if done.waiting:
            waiting = ngettext(
                "%(count)s waits for a second person.", "%(count)s wait for a second person.", done.waiting
            )
            self.stdout.write(waiting % {"count": done.waiting})
