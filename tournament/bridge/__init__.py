"""Rows to scoring values and back: the only seam between the database and the rules. One file a stage."""
