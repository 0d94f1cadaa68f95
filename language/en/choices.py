"""English answers to a numbered list."""

import re

from language.patterns import ChoiceWords

_PLACES = ("first|one|1st|1", "second|two|2nd|2", "third|three|3rd|3", "fourth|four|4th|4", "fifth|five|5th|5")
_AFTER = "|".join(
    rf"(?<={each}\s)ones?"
    for each in ("first", "second", "third", "fourth", "fifth", "last", "that", "1st", "2nd", "3rd")
)

WORDS = ChoiceWords(
    ordinals=tuple(re.compile(rf"\b(?:{each})\b", re.IGNORECASE) for each in _PLACES),
    last=re.compile(r"\blast\b", re.IGNORECASE),
    all=re.compile(r"\b(?:both|all(?:\s+of\s+(?:them|these|those|it))?|every(?:thing|\s+one)|each)\b", re.IGNORECASE),
    none=re.compile(
        r"^\W*(?:no(?:pe|ne)?|nah|neither|never\s?mind|cancel|stop|leave\s+(?:it|them)|keep\s+(?:it|them|both|all))\b"
        r"|\bnone\s+of\b",
        re.IGNORECASE,
    ),
    filling=re.compile(
        rf"\b(?:{_AFTER}|the|numbers?|options?|delete|forget|remove|erase|drop|change|correct|yes|yeah|ok(?:ay)?|please"
        r"|just|only|and|thanks?|that|those|it|them|of|me|go|with|mean|meant|i)\b|#",
        re.IGNORECASE,
    ),
    names=re.compile(r"\b(?:one|ones|bit|thing)\s+(?:about|with|that|where|from)\b|^\W*(?:about|the)\b", re.IGNORECASE),
    declines=re.compile(r"\b(?:not|no|nothing|never|cannot|unable|none|without)\b|n['’]t\b", re.IGNORECASE),
    yes=re.compile(
        r"^\W*(?:y|ye[sap]h?|yup|sure(?:\s+thing)?|ok(?:ay)?|of\s+course|definitely|absolutely|do\s+it|do|go\s+ahead|please|right|correct"
        r"|exactly|that\s+one)\b",
        re.IGNORECASE,
    ),
    notes=re.compile(r"\W*(?:ok(?:ay)?|sure|right|fine)\b", re.IGNORECASE),
)
