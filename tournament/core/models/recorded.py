"""Models whose rows do not change unnoticed: whatever writes one of them notes it for the next audit entry.

`services.audit.record` puts what was noted since the entry before into its payload (core/models/written.py).
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, TypeVar

from django.db import models
from django.db.models.deletion import Collector

from tournament.core.models.evidence import Evidence, evidence_of, kept_fields
from tournament.core.models.written import Written, before_of, note_write

RecordedModel = TypeVar("RecordedModel", bound=models.Model, covariant=True)


class RecordedQuerySet(models.QuerySet[RecordedModel]):
    """A queryset that notes the rows it writes."""

    def update(self, **kwargs: Any) -> int:
        """As Django's; of a change that no record has nothing is noted."""
        before = before_of(self) if is_kept(self.model, kwargs) else []
        done = super().update(**kwargs)
        note_write(self.db, before)
        return done

    def delete(self) -> tuple[int, dict[str, int]]:
        """As Django's, with the rows that go along."""
        before = before_of_deleted(self, self)
        done = super().delete()
        note_write(self.db, before)
        return done

    def bulk_create(self, objs: Iterable[Any], *args: Any, **kwargs: Any) -> list[Any]:
        """As Django's; what is left out because of a conflict has no key to be noted by."""
        assert not kwargs.get("ignore_conflicts"), "a recorded row is made or refused"
        made = super().bulk_create(objs, *args, **kwargs)
        note_write(self.db, [Written(self.model, row.pk) for row in made])
        return made


RecordedManager = models.Manager.from_queryset(RecordedQuerySet)


class Recorded(models.Model):
    """A model whose rows do not change unnoticed; `recorded` says what the log keeps of them."""

    recorded: ClassVar[Evidence]
    objects = RecordedManager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        with noting(self, kwargs.get("update_fields")):
            super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """As Django's, with the rows that go along."""
        using = self._state.db or "default"
        before = before_of_deleted([self], self)
        done = super().delete(*args, **kwargs)
        note_write(using, before)
        return done


@contextmanager
def noting(row: models.Model, update_fields: Iterable[str] | None = None) -> Iterator[None]:
    """Around what saves a row."""
    using = row._state.db or "default"
    model = row._meta.model
    kept = update_fields is None or is_kept(model, update_fields)
    before = [] if row._state.adding or not kept else before_of(model._base_manager.using(using).filter(pk=row.pk))
    yield
    note_write(using, before if before or not kept else [Written(model, row.pk)])


def is_kept(model: type[models.Model], names: Iterable[str]) -> bool:
    """Whether a record has any of these fields."""
    kept = {name for each, _hides in kept_fields(model) for name in (each.name, each.attname)}
    return not kept.isdisjoint(names)


def before_of_deleted(rows: Any, origin: Any) -> list[Written]:
    """What goes when these are deleted, cascades included."""
    using = rows.db if isinstance(rows, models.QuerySet) else rows[0]._state.db or "default"
    collector = Collector(using=using, origin=origin)
    collector.collect(rows)
    sets = [*collector.fast_deletes]
    sets += [
        model._base_manager.using(using).filter(pk__in=[row.pk for row in found])
        for model, found in collector.data.items()
    ]
    return [written for each in sets if evidence_of(each.model) for written in before_of(each)]
