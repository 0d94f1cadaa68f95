"""Greetings, thanks and assents: words that state nothing."""

import re

from language.tables import pattern_of_all


def compile_courtesies(key: str) -> re.Pattern[str]:
    """What matches a text of courtesies alone, together with the further words of that key."""
    known, more = (pattern_of_all(f"courtesies.{each}").pattern for each in ("courtesy", key))
    return re.compile(rf"(?:\W|{known}|{more})+")
