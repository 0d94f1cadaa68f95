"""One bridge over a person: "the colleague who lent me the drill, where does she work?".

The best memory tells who it was; what else is known under that name then comes nearer.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from language.question_focus import is_bridge_question, names_in
from memory.recall.policy import RankedCandidate

BRIDGE = 0.4
"""What a memory gains, in shares of the best own score, for naming whom the best memory names."""


def cross_bridge(ranked: Sequence[RankedCandidate], question: str) -> list[RankedCandidate]:
    """The same memories, best first, when the question describes somebody instead of naming them; else as they were."""
    if len(ranked) < 2 or not is_bridge_question(question):
        return list(ranked)
    names = [name for name in names_in(ranked[0].candidate.text) if name.casefold() not in question.casefold()]
    gained = [ranked[0], *(_add_bridge_bonus(each) if _has_name(each, names) else each for each in ranked[1:])]
    return sorted(gained, key=lambda each: (-each.score, each.candidate.source_id.int))


def _has_name(each: RankedCandidate, names: Sequence[str]) -> bool:
    found = each.candidate
    return any(
        name == found.speaker or re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", found.text) for name in names
    )


def _add_bridge_bonus(each: RankedCandidate) -> RankedCandidate:
    return replace(each, score=each.score + BRIDGE, signals={**each.signals, "bridge": BRIDGE})
