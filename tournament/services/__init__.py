"""Verbs: all that writes, one file a stage."""
