"""A made-up tournament, played through the real services to any stage of its day (`manage.py seed`)."""
