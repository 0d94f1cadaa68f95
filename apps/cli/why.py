"""``/why``: the memories behind the last reply, why they were chosen, and where they come from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from apps.cli.conversation import TurnReport
from apps.views.proof import Proof, Source, fetch_proofs, source_at
from language.detection import DEFAULT, Language
from language.receipts import receipt_word, why_text
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


def explain(found: list[Reason], language: Language = DEFAULT) -> Iterator[str]:
    """Lines for a person to read."""
    if not found:
        yield why_text("none", language)
    for title, used in (("used", True), ("left_out", False)):
        chosen = [reason for reason in found if reason.used is used]
        if chosen:
            yield why_text(title, language)
        for reason in chosen:
            yield from _lines(reason, language)


def _lines(reason: Reason, language: Language) -> Iterator[str]:
    memory = reason.memory
    told = [receipt_word("reason", memory["decision_reason"], language), receipt_word("lane", memory["lane"], language)]
    if memory["position"] is not None:
        told.insert(0, why_text("place", language).format(place=memory["position"] + 1))
    yield f"  {memory['score']:.3f}  {memory['text']}"
    yield f"         {', '.join(told)}"
    for figure in _figures(memory["signals"], language):
        yield f"         {figure}"
    for proof in reason.proofs:
        yield f"         {why_text('from', language).format(proof=proof)}"


def _figures(signals: Mapping[str, float], language: Language) -> list[str]:
    """The strongest of what its place rests on."""
    strongest = sorted(signals.items(), key=lambda signal: -abs(signal[1]))[:_MAX_SIGNALS]
    return [f"{value:.2f}  {receipt_word('signal', name, language)}" for name, value in strongest if value]
