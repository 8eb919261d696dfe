"""Properties are judged by their answers, not by how busy the machine is."""

from hypothesis import settings

settings.register_profile("scoring", deadline=None)
settings.load_profile("scoring")
