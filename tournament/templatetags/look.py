"""The tags of the visual language."""

from django import template

register = template.Library()
