"""English ways of putting one value in the place of another."""

import re

_VALUE = r"(?:an?\s+|the\s+)?[\w'’-]+(?:\s[\w'’-]+){0,3}?"
CONTRASTS = (
    re.compile(
        rf"(?:^|[\s,])(?:it['’]s\s+|is\s+|was\s+|at\s+|in\s+|on\s+)?(?P<new>{_VALUE}),?\s+not\s+(?:in\s+|at\s+|on\s+)?(?P<old>{_VALUE})\s*[.!]*$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\bnot\s+(?:in\s+|at\s+|on\s+)?(?P<old>{_VALUE})(?:,?\s+but\s+|,\s+(?:it|that|he|she)['’]s\s+)(?P<new>{_VALUE})\s*[.!]*$",
        re.IGNORECASE,
    ),
)
NUMBER = re.compile(
    r"\d[\d:.,]*\d|\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|first|second|third|fourth|fifth|sixth"
    r"|seventh|eighth|ninth|tenth|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
"""Numbers and weekdays: what is most often misspoken."""
COUNTED = re.compile(
    r"(?<![\w.:,])(?P<number>\d[\d:.,]*\d|\d|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"(?:st|nd|rd|th)?(?P<unit>\b\s*(?:euros?|pounds?|quid|dollars?|kilos?|kg|years?|days?|weeks?|months?|hours?|minutes?|[ap]\.?m"
    r"|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)?)(?![\w@])",
    re.IGNORECASE,
)
"""A number with what it counts."""
