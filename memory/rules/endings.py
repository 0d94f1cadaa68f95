"""That something is over, said of a thing known from elsewhere: «I gave up pottery», 花店不干了."""

import re
from collections.abc import Iterator

from memory.rules.clauses import Clause
from memory.rules.rows import HIDDEN, Finding, Row, Subject

_WORD = (
    r"(?!(?:i|it|that|this|them|those|these|him|her|you|me|us|we|they|he|she|is|was|but|and|got|which|who|not)\b)"
    r"[\w'’-]+"
)
_THING = rf"(?P<object>{_WORD}(?:\s{_WORD}){{0,3}}?)"
_MINE = r"(?:(?:my|our|the|that)\s+)?"
_ENGLISH = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:^|.*?\b(?:i|we)\s*(?:['’]ve|have|had|['’]m|am|are|['’]re)?\s+)(?:just\s+|finally\s+|already\s+)?(?:gave\s+up|given\s+up|quit|stopped"
        rf"|dropped|cancel+ed|sold|got\s+rid\s+of|scrapped|called\s+off|done\s+with)\s+"
        rf"(?:doing\s+|going\s+to\s+|taking\s+)?{_MINE}{_THING}(?=\s*(?:$|,|last\b|this\b|in\b|now\b|after\b|for\s+good))",
        rf"(?:please\s+|and\s+|so\s+)?(?:forget|scratch|ignore|never\s+mind)\s+(?:what\s+i\s+said\s+about|everything\s+about)\s+{_MINE}{_THING}\s*$",
        rf"(?:so\s+|and\s+)?(?:my|our|the)\s+{_THING}(?:['’]s|\s+(?:is|are|was|got))\s+(?:now\s+)?(?:off|over|done|cancel+ed|sold|gone|finished"
        rf"|called\s+off|behind\s+me|no\s+more)\s*$",
        rf"(?:no\s+more)\s+{_THING}(?:\s+for\s+me)?\s*$",
        rf"(?:i|we)\s+(?:never\s+(?:had|owned|lived\s+in|worked\s+(?:at|for)|said|liked))\s+{_MINE}{_THING}\s*$",
    )
)
_CHINESE = (
    re.compile(
        r"(?:我|那个|我的|那|已经|早就|,|\s)*(?P<object>[^，。我你他她它这那不没已都早\s]{2,8}?)(?:早就|已经|都|也|我)*"
        r"(?:不干|不做|不去|不练|不学|不养|不开|不租|不订|不用|取消|停|卖|退|吹|黄|还清|结束|辞|退租|卖掉|转让|泡汤|作废)(?:掉)?了\s*$"
    ),
    re.compile(r"(?:我)?(?:不再|再也不|不)(?:去|练|学|做|养|打|玩|上|搞)(?P<object>[^，。我你他她它]{2,8}?)了\s*$"),
    re.compile(
        r".{0,6}?(?:忘了|忘掉|别管|忽略|当我没说)(?:我|之前|刚才|上次|说的|关于|过的|那个|过|，)+(?P<object>[^，。我你他她它]{2,8}?)(?:的事|的话|吧|那件事)*\s*$"
    ),
)
ENDS = Row(
    predicate="ends",
    says="{who}: {object}",
    denies="{who}: {object}",
    category="correction",
    changes=True,
)
"""Something is over, without a word on what was remembered of it: it applies to the one live memory that names it."""


def ended(said: str, clause: Clause, speaker: Subject) -> Iterator[Finding]:
    """What a clause, of which no row knows anything, puts an end to."""
    if clause.reported:
        return
    words = said[clause.start : clause.end]
    for pattern in _CHINESE if clause.chinese else _ENGLISH:
        found = pattern.match(words.rstrip(" .!。！~"))
        if found and HIDDEN not in found[0]:
            start, end = found.span("object")
            yield Finding(
                row=ENDS,
                subject=speaker,
                place=(clause.start + start, clause.start + end),
                clause=(clause.start, clause.end),
                negated=True,
                ended=True,
            )
            return
