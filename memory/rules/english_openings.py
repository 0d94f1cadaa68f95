"""How English clauses open: greetings, «by the way», and what they say of the statement behind them."""

import re

from memory.rules.clauses import Clause
from memory.rules.corrections import PAUSE, SLIP
from memory.rules.rows import TIME_MARK

_MARKER = re.compile(
    rf"(?:[\s,:;.!*–—-]|{TIME_MARK})+|(?:well|oh|ah|hey|hi|hello|yes|yeah|yep|no|nope|ok|okay|so|and|but|also"
    rf"|plus|actually|honestly|frankly|personally"
    rf"|{SLIP}|{PAUSE}"
    r"|btw|by\s+the\s+way|fyi|for\s+the\s+record|to\s+be\s+(?:honest|clear)|in\s+fact|you\s+know"
    r"|as\s+(?:you\s+know|i\s+said)|like\s+i\s+said|i\s+mean"
    r"|sorry|thanks?(?:\s+you)?|now|currently|these\s+days|right\s+now|at\s+the\s+moment|nowadays|lately"
    r"|recently|i\s+have\s+to\s+say|i\s+must\s+(?:say|admit)"
    r"|it\s+turns\s+out|turns\s+out|the\s+thing\s+is|fun\s+fact|in\s+general|generally|unfortunately|luckily"
    r"|sadly|anyway|first(?:ly)?|second(?:ly)?"
    r"|finally|besides|because|since|although|though|however|then|while|as\s+for\s+me|about\s+me|maybe|perhaps"
    r"|probably|i\s+(?:think|guess|believe|suppose)"
    r"|i\s+changed\s+my\s+mind|correction|i\s+was\s+wrong|my\s+mistake|i\s+misspoke"
    r"|i\s+meant\s+to\s+say)(?![\w'’])(?:\s+that(?=\s+(?:i|my)\b))?",
    re.IGNORECASE,
)
INSISTS = re.compile(
    r"(?:(?:just\s+)?so\s+you\s+know|(?:please\s+)?(?:remember|note|keep\s+in\s+mind|don['’]?t\s+forget"
    r"|bear\s+in\s+mind)|(?:just\s+)?(?:to\s+)?let\s+you\s+know"
    r"|i\s+(?:just\s+)?(?:want|wanted|need)\s+you\s+to\s+(?:know|remember)|i\s+(?:told|said\s+to|tell)\s+you"
    r"|you\s+should\s+know)\b(?:\s+(?:this|that))?[\s,:]*",
    re.IGNORECASE,
)
HEDGE = re.compile(r"\b(?:maybe|perhaps|probably|possibly|i\s+(?:think|guess|suppose|believe))\b", re.IGNORECASE)
CHANGE = re.compile(
    r"\b(?:actually|changed\s+my\s+mind|correction|i\s+(?:was\s+wrong|misspoke|meant)|my\s+mistake"
    rf"|{SLIP}|sorry)\b|^\s*no,",
    re.IGNORECASE,
)
NOW_LIKES = re.compile(
    r"\bi\s+now\s+(?:like|love|prefer|enjoy)\b|\bnow\s+i\s+(?:like|love|prefer|enjoy)\b", re.IGNORECASE
)
ENDED = re.compile(
    r"\b(?:no\s+longer|any\s?more|any\s+longer|used\s+to|left|stopped|quit|gave\s+up|given\s+up)\b", re.IGNORECASE
)
GREETED = re.compile(r"\b(?:hi|hello|hey|good\s+(?:morning|evening|afternoon))\b", re.IGNORECASE)


def opened(said: str, clause: Clause) -> tuple[int, str]:
    """Where the statement begins, past greetings and «by the way», and the words passed over."""
    at = clause.start
    for _ in range(12):
        found = _MARKER.match(said, at, clause.end) or INSISTS.match(said, at, clause.end)
        if not found or found.end() == at:
            break
        at = found.end()
    return at, said[clause.start : at]
