"""What a person takes back, without a model: it is written before anybody is asked."""

import asyncio
from dataclasses import replace

from brain.errand import Errand
from evolution.endings import with_endings
from evolution.extraction.statements import statements_of
from evolution.gating import gated
from evolution.normalizing import normalized
from evolution.reconciling import own_memories, reconciled
from evolution.state import Candidate, EvolutionState
from evolution.writing import key_of


async def corrections(errand: Errand, state: EvolutionState) -> list[Candidate]:
    """The statements of these turns that end something, and those of this very batch that they end, in order.

    Written before the turns ahead of them are understood, they end what lives already, what this batch said before
    them, or whatever held the one place of their value.
    """
    stated = await asyncio.to_thread(statements_of, state.said, state.before)
    news, _ = reconciled(replace(state, candidates=normalized(stated, state.said)))
    ready, _ = gated(with_endings(news, await own_memories(errand)), state.said)
    taken_back = {each["replaces_memory"] for each in ready if each["ends"]}
    return [each for each in ready if _is_certain(each) or key_of(each) in taken_back]


def _is_certain(candidate: Candidate) -> bool:
    return bool(candidate["ends"]) and (bool(candidate["replaces_memory"]) or candidate["single_valued"])
