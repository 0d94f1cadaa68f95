"""``/why``: the memories behind the last reply, why they were chosen, and where they come from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apps.cli.conversation import TurnReport
from apps.views.proof import Proof, Source, fetch_proofs, source_at
from memory.ports import MemoryCore
from memory.scope import Scope

_MAX_SIGNALS = 6


@dataclass(frozen=True)
class Reason:
    """One memory of the turn, used or rejected, and its proofs."""

    memory: Mapping[str, Any]
    used: bool
    proofs: tuple[Proof, ...]


async def fetch_reasons(memory: MemoryCore, scope: Scope, report: TurnReport) -> list[Reason]:
    """What the turn used, then what it left out; each with its turns read back from the log and verified."""
    everything = [(each, True) for each in report["memories"]] + [(each, False) for each in report["rejected"]]
    proofs = await fetch_proofs(memory, scope, [_source(each) for each, _ in everything])
    return [Reason(each, used, tuple(proofs[UUID(each["id"])])) for each, used in everything]


def _source(memory: Mapping[str, Any]) -> Source:
    return source_at(UUID(memory["id"]), memory["lane"], memory.get("span"))


def explain(found: list[Reason]) -> Iterator[str]:
    """Lines for a person to read."""
    if not found:
        yield "No memory was used, and none was considered."
    for title, used in (("Used:", True), ("Considered and left out:", False)):
        chosen = [reason for reason in found if reason.used is used]
        if chosen:
            yield title
        for reason in chosen:
            yield from _lines(reason)


def _lines(reason: Reason) -> Iterator[str]:
    memory = reason.memory
    place = f"position {memory['position']}, " if memory["position"] is not None else ""
    yield f"  {memory['score']:.3f}  {memory['text']}"
    yield f"         {place}{memory['decision_reason']}, {memory['lane']}, {_signals(memory['signals'])}"
    for proof in reason.proofs:
        yield f"         from {proof}"


def _signals(signals: Mapping[str, float]) -> str:
    strongest = sorted(signals.items(), key=lambda signal: -abs(signal[1]))[:_MAX_SIGNALS]
    return ", ".join(f"{name} {value:.2f}" for name, value in strongest)
