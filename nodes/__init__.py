"""The steps of a turn, one verb per file."""
