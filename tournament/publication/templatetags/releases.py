"""What a release says against what counts now. `{% load releases %}`."""

from typing import Any

from django import template

from tournament.core.models.event import Event
from tournament.publication.services.outdated import outdated_releases

register = template.Library()


@register.inclusion_tag("publication/_outdated.html")
def outdated(event: Event, kind: str = "") -> dict[str, Any]:
    """`{% outdated request.event %}` of every stage, `{% outdated request.event "final" %}` of one; nothing where all
    that stands in public is what counts. For pages of those who may see ranks."""
    return {"event": event, "found": outdated_releases(event, kind)}
