"""Backups: begin with ``backups.py``; ``row_owners.py`` says whose a row is, ``frames.py`` how it lies on the disk."""
