"""Which releases are in force: neither withdrawn nor replaced. Asked nowhere else."""

from django.db.models import Exists, OuterRef, QuerySet

from tournament.core.models.stage import Stage
from tournament.releases.models import Release


def releases_in_force() -> QuerySet[Release]:
    """Those in force: of each stage the newest, where it has not been withdrawn. An older one never comes back."""
    newer = Release.objects.filter(stage=OuterRef("stage"), number__gt=OuterRef("number"))
    return Release.objects.filter(~Exists(newer), withdrawn_at=None)


def current_release(stage: Stage) -> Release | None:
    """The stage's release in force: what the public reads of it now."""
    return releases_in_force().filter(stage=stage).first()
