"""Files out: one sibling an artefact."""
