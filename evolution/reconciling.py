"""What candidates mean beside what is known already: echoes leave, and a replaced memory must be one that is known."""

from collections.abc import Mapping

from brain.errand import Errand
from evolution.echoes import Echoes
from evolution.rereading import as_before
from evolution.state import Candidate, Dropped, EvolutionState, Known
from language.predicates import same_subject
from memory.contracts import MemoryItem

RECENT = 500
"""Memories among which those that a statement ends are looked for."""


def reconciled(state: EvolutionState) -> tuple[list[Candidate], list[Dropped]]:
    """The candidates that are news, and those that are not with the reason."""
    echoes = Echoes(state)
    known = {each["memory_id"]: each for each in state.known}
    kept: list[Candidate] = []
    dropped: list[Dropped] = []
    for each in state.candidates:
        before = as_before(each, state.drawn)
        if before is None and echoes.repeats(each):
            dropped.append(Dropped(content=each["content"], event_id=each["event_id"], reason="echo"))
        else:
            kept.append(_replacing_what_is_known(before or each, known))
    return kept, dropped


async def own_memories(errand: Errand) -> list[MemoryItem]:
    """This person's newest living memories, oldest first; in a group nobody's words end another person's."""
    recent = await errand.resources.memory.items.newest(errand.scope, limit=RECENT)
    return [item for item in reversed(recent) if item.user_id == errand.scope.user_id]


def _replacing_what_is_known(candidate: Candidate, known: Mapping[str, Known]) -> Candidate:
    """A memory of somebody else, or one that nobody knows of, is never replaced by name."""
    old = known.get(candidate["replaces_memory"])
    if old is not None and same_subject(candidate["subject"], old["subject"]):
        return candidate
    return {**candidate, "replaces_memory": ""}
