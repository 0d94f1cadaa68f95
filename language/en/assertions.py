"""Where English sentences are joined, and what between the joints asserts nothing."""

import re

from language.en.people import KIN, NAME

_KIN = KIN.replace("?P<kin>", "?:")
JOINTS = re.compile(
    rf"[,;:](?!\d)|[()–—]|\s-\s|[.!?]\s+|\b(?:and|but|so|plus|because|while|whereas|although|though|which|who|whose|yet)\b"
    rf"|\bwith\s+(?=(?:my|our)\s+{_KIN}\b)|\b(?:my|our)\s+{_KIN}(?=\s+{NAME})"
    r"|\b(?:the|an?|my|our)\s+(?:[\w'’]+\s+){1,3}(?=\w{3,}ing\s+\w)",
    re.IGNORECASE,
)
FILLING = re.compile(
    r"\b(?:to be honest|tbh|you know|i think|i guess|of course|by the way|btw|actually|really|rain or shine|mostly"
    r"|sorry|oh|well|yes|no|wait|right now|at the moment|these days|nowadays|lately|so far|for now|for years|as usual"
    r"|every (?:day|week|month|year|morning|evening|night)|in the (?:morning|evening|afternoon)s?|each (?:day|week)"
    r"|since \w+|until \w+|please|just|also|too|again|still|always|never have|never did|i suppose|obviously|finally"
    r"|(?:a|one|two|three|four|few|couple of) (?:years?|months?|weeks?|days?) (?:now|ago)|now|currently|thankfully"
    r"|sadly|luckily|apparently|honestly|dreadful|lovely|great)\b",
    re.IGNORECASE,
)
"""Phrases that say when, how or that one speaks, and assert nothing of their own."""
