"""Verbs: all that writes, one file a stage.

Rows are locked in one order: event, stage, session, table, draw, sheet, entrant, and the head of the log last. What is
only ever written under the head (mailings, notices, links, releases, weather) locks the head first and none of those
after it. Another order ends in a deadlock on PostgreSQL. Always with `no_key=True`: entries refer to these rows.
"""
