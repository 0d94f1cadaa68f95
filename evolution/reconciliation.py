"""What candidates mean beside what is known already: echoes leave, and a replaced memory must be one that is known."""

from collections.abc import Mapping

from brain.job_context import JobContext
from evolution.echoes import Echoes
from evolution.prior_candidates import reuse_prior
from evolution.state import DroppedCandidate, EvolutionState, ExtractionCandidate, KnownMemory
from language.predicates import is_same_subject
from memory.contracts import MemoryItem

RECENT = 500
"""Memories among which those that a statement ends are looked for."""


def reconcile_candidates(state: EvolutionState) -> tuple[list[ExtractionCandidate], list[DroppedCandidate]]:
    """The candidates that are news, and those that are not with the reason."""
    echoes = Echoes(state)
    known = {each["memory_id"]: each for each in state.known}
    kept: list[ExtractionCandidate] = []
    dropped: list[DroppedCandidate] = []
    for each in state.candidates:
        before = reuse_prior(each, state.drawn)
        if before is None and echoes.is_echo(each):
            dropped.append(DroppedCandidate(content=each["content"], event_id=each["event_id"], reason="echo"))
        else:
            kept.append(_check_replacement(before or each, known))
    return kept, dropped


async def load_own_memories(errand: JobContext) -> list[MemoryItem]:
    """This person's newest living memories, oldest first; in a group nobody's words end another person's."""
    recent = await errand.resources.memory.items.list_newest(errand.scope, limit=RECENT)
    return [item for item in reversed(recent) if item.user_id == errand.scope.user_id]


def _check_replacement(candidate: ExtractionCandidate, known: Mapping[str, KnownMemory]) -> ExtractionCandidate:
    """A memory of somebody else, or one that nobody knows of, is never replaced by name."""
    old = known.get(candidate["replaces_memory"])
    if old is not None and is_same_subject(candidate["subject"], old["subject"]):
        return candidate
    return {**candidate, "replaces_memory": ""}
