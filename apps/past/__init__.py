"""A person's past from other assistants, as evidence of its own date; begin with ``import_past.py``."""
