"""What a page's head names: its surface's bundles. A builtin: no {% load %}.

{% bundle "desk.css" %}                        the address of a bundle
"""

from django import template

from tournament.core.adapters.bundles import bundle_url

register = template.Library()


@register.simple_tag
def bundle(name: str) -> str:
    return bundle_url(name)
