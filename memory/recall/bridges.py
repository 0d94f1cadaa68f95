"""One bridge over a person: "the colleague who lent me the drill, where does she work?".

The best memory tells who it was; what else is known under that name then comes nearer.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from language.asked import names_in, spans_a_bridge
from memory.recall.ranked import Ranked

BRIDGE = 0.4
"""What a memory gains, in shares of the best own score, for naming whom the best memory names."""


def cross_bridge(ranked: Sequence[Ranked], question: str) -> list[Ranked]:
    """The same memories, best first, when the question describes somebody instead of naming them; else as they were."""
    if len(ranked) < 2 or not spans_a_bridge(question):
        return list(ranked)
    names = [name for name in names_in(ranked[0].candidate.text) if name.casefold() not in question.casefold()]
    gained = [ranked[0], *(_nearer(each) if _names_one(each, names) else each for each in ranked[1:])]
    return sorted(gained, key=lambda each: (-each.score, each.candidate.source_id.int))


def _names_one(each: Ranked, names: Sequence[str]) -> bool:
    found = each.candidate
    return any(
        name == found.speaker or re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", found.text) for name in names
    )


def _nearer(each: Ranked) -> Ranked:
    return replace(each, score=each.score + BRIDGE, signals={**each.signals, "bridge": BRIDGE})
