"""Overwrite what erased rows left in PostgreSQL's files; begin with ``scrub.py``."""
