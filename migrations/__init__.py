"""Numbered SQL, applied in order."""
