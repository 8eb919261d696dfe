"""The acts, things and reasons of the audit log in words; the log itself has them in one form. `{% load audit %}`."""

import re
from collections.abc import Mapping

from django import template
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from tournament import moments
from tournament.enums import Answer, BounceKind, HeldBecause, IncidentKind, Role, StageKind
from tournament.models import AuditEntry
from tournament.readers.columns import BY_NAME
from tournament.services.mailings_subjects import why_words
from tournament.templatetags.devices import tablet_act
from tournament.templatetags.sheets import ACTS as SHEET_ACTS

register = template.Library()

ACTS: Mapping[str, str] = {
    **SHEET_ACTS,
    "create_event": _("event made"),
    "change_event": _("event changed"),
    "change_sessions": _("sessions changed"),
    "change_rules": _("rules changed"),
    "set_up_final": _("final set up or changed"),
    "make_rehearsal": _("copied to rehearse"),
    "grant_role": _("role given"),
    "revoke_role": _("role taken"),
    "accept_role": _("role accepted by its account"),
    "agree_role": _("role agreed to by a third person"),
    "role_by_delay": _("role in effect after the delay"),
    "export_personal_data": _("personal data taken out"),
    "import_entrants": _("entrants imported"),
    "read_entrant_file": _("file read"),
    "accept_age": _("age accepted"),
    "record_no_show": _("no-show recorded"),
    "record_withdrawal": _("withdrawal recorded"),
    "disqualify_entrant": _("disqualified"),
    "readmit_entrant": _("readmitted"),
    "draw_seats": _("seats drawn"),
    "swap_seats": _("seats swapped"),
    "confirm_seats": _("seats confirmed"),
    "decide_tie": _("tie decided"),
    "decide_contest": _("contest of a place decided"),
    "announce_lots": _("lots announced"),
    "release": _("released"),
    "withdraw_release": _("release withdrawn"),
    "create_backup": _("backup made"),
    "restore_backup": _("backup restored"),
    "migrate_in_play": _("tables changed by an update while a session was open"),
    "seed_event": _("demo played"),
    "change_entrant": _("entrant changed"),
    "print_scoresheets": _("scoresheets printed"),
    "move_seat": _("seat moved"),
    "seat_late_entrant": _("late entrant seated"),
    "free_seat": _("seat freed"),
    "open_table": _("table opened"),
    "dissolve_table": _("table dissolved"),
    "undo_move": _("move undone"),
    "assign_referee": _("referee given"),
    "set_second_typing": _("share of second typings set"),
    "record_answer": _("answer recorded"),
    "set_answers_until": _("last moment for answers set"),
    "make_link": _("private link made"),
    "erase_personal_data": _("erasure of personal data begun"),
    "erase_names": _("names erased from a release"),
    "finish_erasure": _("personal data erased"),
    "expire_preview": _("preview erased when its time was over"),
    "make_subject_copy": _("copy of all personal data of one person made"),
    "revoke_link": _("private link revoked"),
    "take_out_links": _("private links taken out in a file"),
    "freeze_finalists": _("list of finalists fixed"),
    "thaw_finalists": _("list of finalists opened again"),
    "write_public_files": _("public files written again"),
    "draft_notice": _("notice drafted"),
    "change_notice": _("draft of a notice changed"),
    "discard_notice": _("draft of a notice put aside"),
    "publish_notice": _("notice published"),
    "announce_event": _("event announced"),
    "answer_date_order": _("order of day and month answered"),
    "confirm_published_words": _("words to be published confirmed"),
    "take_down_banner": _("banner taken down"),
    "start_mailing": _("mailing begun"),
    "pause_mailing": _("mailing paused"),
    "resume_mailing": _("mailing gone on with"),
    "stop_mailing": _("mailing stopped"),
    "end_mailing": _("mailing stopped: its subject has ended"),
    "stop_mails": _("mails stopped whose place is another"),
    "record_bounce": _("mail reported as not delivered"),
    "retry_mailing": _("failed mails tried again"),
    "finish_mailing": _("mailing ended"),
    "print_certificates": _("certificates printed"),
    "accept_entrant_row": _("row accepted"),
    "refuse_entrant_row": _("row left out"),
    "reopen_entrant_row": _("row open again"),
    "mend_entrant_name": _("name in the file mended"),
    "put_aside_file": _("file put aside"),
    "close_account": _("account closed"),
    "reopen_account": _("account opened again"),
    "reset_password": _("new initial password"),
    "change_own_password": _("own password changed"),
    "set_pin": _("PIN set"),
    "lift_sign_in_delay": _("wait at signing in lifted"),
    "end_sign_ins": _("sign-ins ended"),
    "remind_of_erasure": _("organisers reminded of the erasure by mail"),
    "make_token": _("API token made"),
    "revoke_token": _("API token ended"),
    "keep_signature_key": _("key of the signatures kept"),
    "make_pairing": _("pairing code made"),
    "pair_tablet": _("tablet paired"),
    "take_over_tables": _("tables taken over by another tablet"),
    "revoke_tablet": _("tablet cut off"),
    "go_on_tablet": _("tablet goes on to the next session"),
    "open_tablet": _("tablet opened with a PIN"),
    "lock_pin": _("PIN locked after wrong ones"),
    "unlock_pin": _("wrong PINs lifted by the desk"),
    "hand_out_tablet": _("tablet handed to the players"),
    "take_back_tablet": _("tablet taken back"),
    "hold_item": _("item of a tablet held"),
    "enter_held_item": _("held item entered"),
    "set_aside_held_item": _("held item set aside"),
    "see_held_drawings": _("signatures of a held item looked at"),
    "import_outbox": _("outbox brought in by hand"),
    "start_session": _("session started"),
    "suspend_session": _("session suspended"),
    "resume_session": _("session resumed"),
    "close_session": _("session closed"),
    "reopen_session": _("session reopened"),
    "take_back_start": _("start taken back"),
    "hold_session": _("session held back"),
    "unhold_session": _("session held back no more"),
    "postpone_session": _("session postponed"),
    "bring_back_session": _("postponing taken back"),
    "set_session_times": _("new times set"),
    "let_session_stand": _("finished games stand"),
    "replay_session": _("session void, to be replayed"),
    "undecide_session": _("decision taken back"),
    "pause_table": _("table paused"),
    "unpause_table": _("pause ended"),
    "give_overtime": _("overtime given"),
    "warn_entrant": _("entrant warned"),
    "record_incident": _("incident recorded"),
    "confirm_mark": _("table's note recorded by the desk"),
    "dismiss_mark": _("table's note not recorded"),
    "withdraw_note": _("note taken back"),
    "call_judge": _("chief judge called"),
    "take_call": _("call taken"),
    "answer_call": _("call answered"),
    "observe_signal": _("signal observed"),
    "enter_signal": _("signal entered"),
    "look_by_hand": _("signals checked by hand"),
    "decide_weather": _("day decided"),
    "propose_act": _("proposed to a second person"),
    "approve_proposal": _("proposal agreed to"),
    "refuse_proposal": _("proposal refused"),
    "withdraw_proposal": _("proposal withdrawn"),
    "lapse_proposal": _("proposal lapsed"),
}
# The nouns that a thing is made of. What stands between them, a number, a serial or an address, stays as it is.
NOUNS: Mapping[str, str] = {
    "scoresheet": _("scoresheet"),
    "notice draft": _("draft of a notice"),
    "notice": _("notice"),
    "corrects": _("corrects"),
    "mailing": _("mailing"),
    "entrant file": _("list of entrants"),
    "row": _("row"),
    "entrant": _("entrant"),
    "session": _("session"),
    "tables": _("tables"),
    "table": _("table"),
    "seed": _("seed"),
    "event": _("event"),
    "stage": _("stage"),
    "account": _("account"),
    "token": _("token"),
    "tablet": _("tablet"),
    "held": _("held item"),
    "call": _("call"),
    "incident": _("incident"),
    "warning": _("verbal warning"),
    "release": _("release"),
    "outbox": _("outbox"),
    "key": _("key"),
    "taken over by": _("taken over by"),
    "from": _("from"),
    "signal": _("line of the signals"),
    "weather looks": _("signals in force"),
    "weather": _("weather"),
}
LABELS: Mapping[str, str] = {**dict(Role.choices), **dict(StageKind.choices)}
NOUN = re.compile(rf"(?<![\w-])({'|'.join((*NOUNS, *LABELS))})(?![\w-])")
HELD = re.compile(rf"(tablet \d+): (\w+), ({'|'.join(HeldBecause.values)})")
COPIED = re.compile(r"(?P<event>[\w-]+): (?P<count>\d+) entrants")
TAKEN_OUT: Mapping[str, str] = {"letters": _("letters"), "list": _("list for a mail merge")}
TAKEN = re.compile(rf"({'|'.join(TAKEN_OUT)}), (\d+)")
ENDED = re.compile(
    r"(?P<code>\w+) ?(?P<of>\S*) ?(?P<by>\S*): (?P<counts>sent (?P<sent>\d+) of (?P<count>\d+), stopped \d+)"
)
OUTCOMES = re.compile(r"sent (?P<sent>\d+), failed (?P<failed>\d+), stopped (?P<stopped>\d+)")
VERSION = re.compile(r" v(\d+)$")
# Their reason begins with the word of the act that takes two people.
PROPOSALS = frozenset({"propose_act", "approve_proposal", "refuse_proposal", "withdraw_proposal", "lapse_proposal"})
# Reasons that name things as the log does; any other is what a person wrote, and stays as it was written.
OF_THINGS = frozenset(
    {"make_pairing", "pair_tablet", "take_over_tables", "go_on_tablet", "lock_pin", "hand_out_tablet", "draw_seats"}
    | {"import_entrants", "draft_notice", "start_mailing"}
)


@register.filter
def act_words(action: str) -> str:
    """An act in words; one without words of its own stands as the log has it."""
    return gettext(ACTS[action]) if action in ACTS else action.replace("_", " ")


@register.filter
def thing_words(thing: str) -> str:
    """`scoresheet 0328-1-01 v2` in words."""
    found = VERSION.search(thing)
    version = "·" + gettext("version %(n)s") % {"n": found[1]} if found else ""
    return NOUN.sub(lambda noun: str(LABELS.get(noun[1]) or gettext(NOUNS[noun[1]])), VERSION.sub("", thing)) + version


@register.filter
def reason_words(entry: AuditEntry) -> str:
    """The reason of an entry, what the program put into it said in words."""
    first, _space, rest = entry.reason.partition(" ")
    if entry.action == "record_incident" and first in IncidentKind.values:
        return f"{IncidentKind(first).label}·{rest}"
    if entry.action == "record_answer" and first.rstrip(".") in Answer.values:
        return "·".join(part for part in (str(Answer(first.rstrip(".")).label), rest) if part)
    if entry.action == "seed_event":
        return thing_words(f"seed {rest}")
    if entry.action == "make_rehearsal" and (copied := COPIED.fullmatch(entry.reason)):
        return gettext("of %(event)s, with %(count)s entrants") % copied.groupdict()
    if entry.action == "set_answers_until" and (until := parse_datetime(entry.reason)):
        return moments.datetime_text(until)
    if entry.action == "freeze_finalists" and first.isdecimal():
        return gettext("%(n)s finalists") % {"n": first}
    if entry.action == "take_out_links" and (taken := TAKEN.fullmatch(entry.reason)):
        return gettext("%(what)s, %(n)s links") % {"what": gettext(TAKEN_OUT[taken[1]]), "n": taken[2]}
    if entry.action == "finish_mailing" and (outcomes := OUTCOMES.fullmatch(entry.reason)):
        return gettext("%(sent)s sent, %(failed)s failed, %(stopped)s not sent") % outcomes.groupdict()
    if entry.action == "record_bounce" and first in BounceKind.values:
        return " ".join(part for part in (str(BounceKind(first).label), rest) if part)
    if entry.action == "end_mailing" and (ended := ENDED.fullmatch(entry.reason)):
        told = {name: ended[name] for name in ("sent", "count")}
        return gettext("%(why)s; %(sent)s of %(count)s had been sent") % {"why": why_words(ended.groupdict()), **told}
    if entry.action == "change_entrant":
        columns, between, written = entry.reason.partition(": ")
        labels = [str(BY_NAME[name].label) if name in BY_NAME else name for name in columns.split(", ")]
        return ", ".join(labels) + between + thing_words(written)
    if entry.action in PROPOSALS:
        act, between, written = entry.reason.partition(": ")
        return act_words(act) + between + written
    if entry.action == "hold_item" and (found := HELD.fullmatch(entry.reason)):
        because = str(HeldBecause(found[3]).label)
        return f"{thing_words(found[1])}·{tablet_act(found[2])}·{because}"
    said = thing_words(entry.reason) if entry.action in OF_THINGS else entry.reason
    return said.replace(" -> ", " → ").replace(" > ", " → ")
