"""Races, crashes and lost power against the real services and the real server, each with a control that must fail.

Small samples run in `make test`; `make reliability` runs the large ones and writes reports/reliability.json.
"""
