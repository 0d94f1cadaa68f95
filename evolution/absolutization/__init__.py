"""Memories in words that can be understood alone: names for pronouns, dates for relative times."""
