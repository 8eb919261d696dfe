"""Thin doors: a view fetches with its audience, calls one service, renders or redirects."""
