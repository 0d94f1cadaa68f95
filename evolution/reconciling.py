"""What candidates mean beside what is known already: echoes leave, and a replaced memory must be one that is known."""

from collections.abc import Mapping

from evolution.echoes import Echoes
from evolution.rereading import as_before
from evolution.state import Candidate, Dropped, EvolutionState, Known
from memory.rules import same_subject


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


def _replacing_what_is_known(candidate: Candidate, known: Mapping[str, Known]) -> Candidate:
    """A memory of somebody else, or one that nobody knows of, is never replaced by name."""
    old = known.get(candidate["replaces_memory"])
    if old is not None and same_subject(candidate["subject"], old["subject"]):
        return candidate
    return {**candidate, "replaces_memory": ""}
