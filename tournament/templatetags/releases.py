"""What a release says against what counts now. `{% load releases %}`."""

from typing import Any

from django import template

from tournament.enums import StageKind
from tournament.models import Event
from tournament.services.release_outdated import outdated_releases

register = template.Library()


@register.inclusion_tag("release/_outdated.html")
def outdated(event: Event, kind: str = "") -> dict[str, Any]:
    """`{% outdated request.event %}` of every stage, `{% outdated request.event "final" %}` of one; nothing where all
    that stands in public is what counts. For pages of those who may see ranks."""
    kinds = [StageKind(kind)] if kind else list(StageKind)
    return {"event": event, "found": outdated_releases(event, kinds)}
