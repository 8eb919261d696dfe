"""The acts, things and reasons of the audit log in words; the log itself has them in one form. `{% load audit %}`."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django import template
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django_stubs_ext import StrOrPromise

from tournament.audit.models import AuditEntry
from tournament.core import dateformat
from tournament.core.acts import ACTS
from tournament.core.acts.subjects import SUBJECTS
from tournament.core.entrant_columns import COLUMN_BY_KEY
from tournament.core.enums import Answer, BounceKind, DoorCheckKind, IncidentKind, QuarantineReason, Role, StageKind
from tournament.messages.services.mailings_subjects import mailing_end_reason
from tournament.tablets.templatetags.devices import tablet_act

register = template.Library()

CHOICE_LABELS: Mapping[str, StrOrPromise] = {**dict(Role.choices), **dict(StageKind.choices)}
SUBJECT_NOUN_PATTERN = re.compile(rf"(?<![\w-])({'|'.join((*SUBJECTS, *CHOICE_LABELS))})(?![\w-])")
EXPORT_KIND_WORDS: Mapping[str, str] = {"letters": _("letters"), "list": _("list for a mail merge")}
SUBJECT_VERSION = re.compile(r" v(\d+)$")


@register.filter
def act_words(action: str) -> str:
    """An act in words; one that this program does not know as the log has it."""
    return gettext(ACTS[action].words) if action in ACTS else action.replace("_", " ")


@register.filter
def audit_subject_words(subject: str) -> str:
    """`scoresheet 0328-1-01 v2` in words."""
    found = SUBJECT_VERSION.search(subject)
    version = "·" + gettext("version %(n)s") % {"n": found[1]} if found else ""
    return (
        SUBJECT_NOUN_PATTERN.sub(
            lambda one: str(CHOICE_LABELS.get(one[1]) or gettext(SUBJECTS[one[1]])), SUBJECT_VERSION.sub("", subject)
        )
        + version
    )


@register.filter
def reason_words(entry: AuditEntry) -> str:
    """What the program says of an entry, from its details, and after it what a person wrote as the reason."""
    act = ACTS.get(entry.action)
    written = audit_subject_words(entry.reason) if act and act.reason_refers else entry.reason
    written = written.replace(" -> ", " → ").replace(" > ", " → ")
    if not entry.details:
        return written
    between, words = DETAILS[entry.action]
    return between.join(part for part in (words(entry.details), written) if part)


# --- What the program says ------------------------------------------------------------------------------
Details = Mapping[str, Any]


def incident(details: Details) -> str:
    """The kind, then game, seat and tiles."""
    where = " ".join(str(details[name]) for name in ("game", "letter", "tiles") if details[name])
    return f"{IncidentKind(details['kind']).label}·{where}"


def answer(details: Details) -> str:
    """What became of a finalist's place."""
    return str(Answer(details["answer"]).label)


def seeded(details: Details) -> str:
    """The seed of a demo."""
    return audit_subject_words(f"seed {details['seed']}")


def copied(details: Details) -> str:
    """At the copy whose it is and of how many entrants; at the original the copy's address."""
    if "copied_to" in details:
        return str(details["copied_to"])
    return gettext("of %(event)s, with %(count)s entrants") % {
        "event": details["copied_from"],
        "count": details["entrants"],
    }


def answers_until(details: Details) -> str:
    """The last moment for answers; `none` where it was taken away."""
    until = parse_datetime(details["until"])
    return dateformat.datetime_text(until) if until else "none"


def finalists(details: Details) -> str:
    """How many are on the list."""
    return gettext("%(n)s finalists") % {"n": details["finalists"]}


def links_taken(details: Details) -> str:
    """In which file, and how many."""
    what = gettext(EXPORT_KIND_WORDS[details["what"]]) if details["what"] in EXPORT_KIND_WORDS else details["what"]
    return gettext("%(what)s, %(n)s links") % {"what": what, "n": details["links"]}


def outcomes(details: Details) -> str:
    """How many mails ended in which way."""
    return gettext("%(sent)s sent, %(failed)s failed, %(stopped)s not sent") % details


def bounce(details: Details) -> str:
    """What was reported of a mail, with the mail server's code."""
    return " ".join(part for part in (str(BounceKind(details["kind"]).label), details["code"]) if part)


def mailing_ended(details: Details) -> str:
    """Why, and how many had got it by then."""
    facts = {"why": mailing_end_reason(details), "sent": details["sent"], "count": details["count"]}
    return gettext("%(why)s; %(sent)s of %(count)s had been sent") % facts


def columns(details: Details) -> str:
    """The labels of the columns that were changed."""
    return ", ".join(str(COLUMN_BY_KEY[name].label) if name in COLUMN_BY_KEY else name for name in details["columns"])


def proposed(details: Details) -> str:
    """The act that takes two people."""
    return act_words(details["act"])


def held(details: Details) -> str:
    """Which tablet brought it, what it is, and why it waits."""
    said = (audit_subject_words(f"tablet {details['tablet']}"), tablet_act(details["act"]))
    return "·".join((*said, str(QuarantineReason(details["because"]).label)))


def at_session(details: Details) -> str:
    """At which session somebody came."""
    return audit_subject_words(f"session {details['session']}")


def seen_at_door(details: Details) -> str:
    """What was seen or received there."""
    return str(DoorCheckKind(details["kind"]).label)


def forfeited(details: Details) -> str:
    """The numbers of those whom one press recorded, or took back."""
    return ", ".join(f"{number:04d}" for number in details["numbers"])


# By act: what stands between the program's words and a person's, and how the former are made.
DETAILS: Mapping[str, tuple[str, Callable[[Details], str]]] = {
    "record_incident": (" ", incident),
    "record_answer": ("·", answer),
    "seed_event": (" ", seeded),
    "make_rehearsal": (" ", copied),
    "set_answers_until": (" ", answers_until),
    "freeze_finalists": (" ", finalists),
    "take_out_links": (" ", links_taken),
    "finish_mailing": (" ", outcomes),
    "record_bounce": (" ", bounce),
    "end_mailing": (" ", mailing_ended),
    "change_entrant": (": ", columns),
    "check_in": ("·", at_session),
    "undo_check_in": (": ", at_session),
    "record_door_check": ("·", seen_at_door),
    "undo_door_check": ("·", seen_at_door),
    "forfeit_absent": (" ", forfeited),
    "revert_forfeits": (" ", forfeited),
    "hold_item": ("·", held),
    "propose_act": (": ", proposed),
    "approve_proposal": (": ", proposed),
    "refuse_proposal": (": ", proposed),
    "withdraw_proposal": (": ", proposed),
    "lapse_proposal": (": ", proposed),
}
