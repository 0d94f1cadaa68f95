"""English ways of putting one value in the place of another."""

import re

_VALUE = r"(?:an?\s+|the\s+)?[\w'’:.-]*[\w'’-](?:\s[\w'’-]+){0,3}?"
_AT = r"(?:in\s+|at\s+|on\s+)?"
_END = r"\s*(?:[.!]*\s*$|[,;:(–—]|\.\s|\s(?:for|at|on|in|the|of|when)\b)"
CONTRASTS = (
    re.compile(
        rf"(?:^|[\s,])(?:it['’]s\s+|is\s+|was\s+|at\s+|in\s+|on\s+)?(?P<new>{_VALUE}),?\s+(?:and\s+)?not\s+{_AT}(?P<old>{_VALUE})\s*[.!]*$",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\b(?:it['’]?s\s+|is\s+|was\s+)?not\s+{_AT}(?P<old>{_VALUE})(?:,?\s+but\s+(?:rather\s+)?|[,;.]\s+(?:it|that|he|she)(?:['’]s|\s+is|\s+was)\s+)"
        rf"{_AT}(?P<new>{_VALUE}){_END}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\bI\s+(?:said|wrote|typed|told\s+you|put)\s+{_AT}(?P<old>{_VALUE})(?:,|\s+but|\s+and|\.|\?|\s+when)+\s+I\s+(?:actually\s+)?meant\s+{_AT}(?P<new>{_VALUE}){_END}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\bI\s+(?:actually\s+)?meant\s+(?:to\s+(?:say|write)\s+)?{_AT}(?P<new>{_VALUE}),?\s+(?:not|instead\s+of|rather\s+than)\s+{_AT}(?P<old>{_VALUE}){_END}",
        re.IGNORECASE,
    ),
)
SLIP = re.compile(
    r"\b(?:no+,?\s+(?:wait|sorry)|wait,?\s+no|sorry|oops|whoops|my\s+(?:bad|mistake)|scratch\s+that|correction|typo"
    r"|I\s+(?:actually\s+)?meant(?:\s+to\s+say)?|I\s+mean|I\s+mis(?:spoke|typed|read|heard|remembered)|slip\s+of\s+the\s+tongue"
    r"|I\s+(?:had\s+(?:that|it)|was)\s+(?:wrong|mistaken)|I\s+got\s+(?:that|it)\s+wrong|make\s+that|or\s+rather)\b"
    r"|^\W*no+\b(?=[,.:;!])",
    re.IGNORECASE,
)
"""The speaker takes back words of their own."""
SLIP_WITHIN = re.compile(
    r"[\s,.;:…–—-]+(?:no+,?\s+(?:wait|sorry)|(?:oh\s+)?wait,?\s+no|sorry|oops|scratch\s+that|correction|I\s+mean(?:t)?(?:\s+to\s+say)?"
    r"|make\s+that|or\s+rather)\b[\s,.;:…–—-]*",
    re.IGNORECASE,
)
CARRIER = re.compile(
    r"\b(?:it|that|this|he|she|they|is|was|are|were|should\s+be|s|at|in|on|the|an?|to|say|actually|of\s+course|oh|wait|no|yes"
    r"|make|and|but|not|really|just|I\s+(?:meant?|said|say)|one)\b|['’]s",
    re.IGNORECASE,
)
"""Words that carry a value and say nothing about it."""
CLAUSE = re.compile(
    r"\b(?:I|we|he|she|it|they|you|is|was|are|were|am|has|have|had|to|moved|works?|lives?)\b|['’](?:s|m|re|ve|d|ll)\b",
    re.IGNORECASE,
)
"""What makes more than a value of some words."""
