"""Recall: what is asked, how rows are weighed, and in which order they come back. ``query.py`` is where to begin."""
