"""What the audit log keeps of each model's rows, as data beside the model, and the record of a row by it."""

import hashlib
import hmac
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.db import models
from django.db.models import F, Q

from tournament.core.canonical import canonical_json, plain

EvidenceRecord = dict[str, Any]


@dataclass(frozen=True)
class Evidence:
    """What of a model's rows the log keeps. Every field is kept as it is, but for these:

    `hidden`, and every text, JSON and binary field without choices that is not `plain`: kept as HMAC-SHA-256 under the
    salt, so that it shows a change and tells nothing; empty stays empty. `exempt`: not kept, with the reason.
    `event`: the lookup from a row to its event. `salt`: the lookup of the salt, otherwise that of the event's log.
    `rows`: which rows are kept. `more`: what is kept besides the fields, by name, made from a row. `account`: of rows
    that belong to an account and to no event, the field with its key; each event where the lookup leads keeps them.
    `later`: fields added when rows had been recorded already; kept where they say something, so that the record of an
    older row stays as it was. `append_only`: a row is added, never changed. `closed_by`: fields; once one of them is
    set, the row never changes. The triggers are made of these two.
    """

    event: str
    plain: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()
    exempt: Mapping[str, str] = field(default_factory=dict)
    salt: str = ""
    rows: Q = field(default_factory=Q)
    more: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    account: str = ""
    append_only: bool = False
    closed_by: tuple[str, ...] = ()
    later: frozenset[str] = frozenset()

    @property
    def salt_lookup(self) -> str:
        """Where the salt is found from a row."""
        return self.salt or f"{self.event}__audit_head__salt"

    @classmethod
    def of(cls, event: str, *, plain: str = "", hidden: str = "", closed_by: str = "", **more: Any) -> "Evidence":
        """The same with the names of fields as words of one text."""
        names = frozenset(plain.split()), frozenset(hidden.split())
        return cls(event, *names, closed_by=tuple(closed_by.split()), **more)

    @classmethod
    def of_account(cls, salt: str, **more: Any) -> "Evidence":
        """Of what belongs to an account: at each event where that account has accepted a role."""
        accepted = Q(user__memberships__awaits_acceptance=False)
        return cls.of("user__memberships__event", salt=salt, rows=accepted, account="user_id", **more)


# Of the accounts, whose model is Django's.
ACCOUNT = Evidence.of(
    "memberships__event",
    salt="password",
    rows=Q(memberships__awaits_acceptance=False),
    account="pk",
    exempt={
        "last_login": "when it last signed in decides nothing",
        "email": "where an organiser is reminded of an erasure, written at the machine alone",
    },
)


def evidence_of(model: type[models.Model]) -> Evidence | None:
    """The declaration of a model; None of one that is not recorded."""
    found = ACCOUNT if model._meta.label == "auth.User" else getattr(model, "recorded", None)
    return found if isinstance(found, Evidence) else None


def declared(model: type[models.Model]) -> Evidence:
    """The declaration of a model that is recorded."""
    own = evidence_of(model)
    assert own is not None, f"{model.__name__} is not recorded"
    return own


def recorded_models() -> list[type[models.Model]]:
    """Every recorded model, in one order."""
    found = [model for model in apps.get_models() if evidence_of(model) and model._meta.managed]
    return sorted(found, key=lambda model: str(model._meta.model_name))


def kept_fields(model: type[models.Model]) -> Iterator[tuple["models.Field[Any, Any]", bool]]:
    """Each field of the record, and whether it is hidden. The key is the item's own."""
    own = declared(model)
    for each in model._meta.concrete_fields:
        if not each.primary_key and each.name not in own.exempt:
            yield each, is_hidden(own, each)


def is_hidden(own: Evidence, each: "models.Field[Any, Any]") -> bool:
    """Whether the log keeps a keyed digest alone."""
    typed = isinstance(each, models.CharField | models.TextField | models.JSONField | models.BinaryField)
    return each.name in own.hidden or (typed and not each.choices and each.name not in own.plain)


def record_of(row: models.Model) -> EvidenceRecord:
    """The record of a row that was read by `rows_of`, which also read its salt."""
    salt = getattr(row, "evidence_salt", None) or ""
    kept = {}
    for each, hides in kept_fields(type(row)):
        value = getattr(row, each.attname)
        if each.name in declared(type(row)).later and not value:
            continue
        kept[each.attname] = keyed(salt, value) if hides else plain(value)
    return {**kept, **{name: made(row) for name, made in declared(type(row)).more.items()}}


def keyed(salt: str, value: Any) -> Any:
    """The keyed digest of a value; of an empty one nothing."""
    data = plain(value)
    if data is None or data in ("", [], {}, False):
        return data
    return hmac.new(salt.encode(), canonical_json(data).encode(), hashlib.sha256).hexdigest()


def rows_of(model: type[models.Model], event: int | None = None, using: str = "default") -> models.QuerySet[Any]:
    """The rows of a recorded model with their salts: those of an event, or all, those that are not kept too."""
    own = declared(model)
    found = model._base_manager.using(using).order_by()
    if event is not None:
        found = found.filter(own.rows, **{own.event: event})
        if own.account:
            found = found.distinct()
    salted: models.QuerySet[Any] = found.annotate(evidence_salt=F(own.salt_lookup))
    return salted
