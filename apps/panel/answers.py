"""An answer and its receipts: every candidate, its score, why it was used or not, and the words behind it, verified."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from starlette.responses import Response

from apps.memory_api.knowledge import entry_view, fetch_entries
from apps.memory_api.knowledge_entries import EntryView
from apps.panel.conversations import render_replies
from apps.panel.memories import fetch_living
from apps.panel.page import Visit
from apps.views.proof import Proof, fetch_proofs, source_at
from apps.views.receipt_words import find_hidden, memory_id_of, span_of
from language.secrets import mask_secrets
from memory.errors import BrainError
from memory.receipts import Receipt
from memory.transcripts import TranscriptTurn

_MAX_TURNS = 400
"""Turns of the end of a session among which an answer's own are looked for at once."""


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A memory that was considered for an answer. What was forgotten since has no words and no proofs."""

    receipt: Receipt
    text: str
    score: float
    reason: str
    position: int | None
    signals: tuple[tuple[str, float], ...]
    proofs: tuple[Proof, ...]
    is_forgotten: bool
    ruled_by: str = ""
    """The entry of knowledge that it gave way to."""

    @property
    def used(self) -> bool:
        """Whether it stood before the model."""
        return self.position is not None


async def show_answer(visit: Visit) -> Response:
    """The turn, what memory brought to it, and what became of it."""
    operation_id: UUID = visit.request.path_params["operation_id"]
    operation = await visit.memory.log.operation(visit.scope, operation_id)
    turns = await _fetch_turns(visit, operation_id)
    if operation is None or not turns:
        raise BrainError("E_NOT_FOUND", "There is no such answer.", "Choose one in a conversation.")
    receipts = await visit.memory.log.receipts(visit.scope, operation_id)
    candidates = await fetch_candidates(visit, receipts, operation.created_at)
    retrieval = [each.details for each in receipts if each.receipt_type == "retrieval"]
    return visit.render(
        "answer.html",
        turns=turns,
        replies=await asyncio.to_thread(render_replies, turns),
        operation=operation,
        items=await fetch_living(visit, operation.memory_ids),
        used=[each for each in candidates if each.used],
        left_out=[each for each in candidates if not each.used],
        retrieval=_plain_retrieval(retrieval[0] if retrieval else {}),
        knowledge=await _fetch_knowledge(visit, retrieval[0] if retrieval else {}, candidates),
        top=max([each.score for each in candidates], default=1.0) or 1.0,
    )


async def fetch_candidates(visit: Visit, receipts: Sequence[Receipt], since: datetime) -> list[Candidate]:
    """The candidates of a turn: what was used in its order, then the rest, best first. ``since`` is the turn's time."""
    found = [each for each in receipts if each.receipt_type == "injection" and each.memory_id and each.lane]
    hidden = await find_hidden(visit.memory.log, visit.scope, found, since)
    readable = [each for each in found if each.receipt_id not in hidden]
    sources = [source_at(memory_id_of(each), each.lane, span_of(each)) for each in readable if each.lane]
    proofs = await fetch_proofs(visit.memory, visit.scope, sources)
    candidates = [_candidate(each, proofs.get(memory_id_of(each), []), each.receipt_id in hidden) for each in found]
    return sorted(candidates, key=lambda each: (each.position is None, each.position or 0, -each.score))


async def _fetch_turns(visit: Visit, operation_id: UUID) -> list[TranscriptTurn]:
    """The turns of the answer as they may be shown."""
    events = await visit.memory.log.turn(visit.scope, operation_id)
    if not events:
        return []
    behind = events[-1].position + 1
    among = await visit.memory.transcripts.turns(visit.scope, events[0].session_id, behind, _MAX_TURNS)
    return [each for each in among if each.operation_id == operation_id]


async def _fetch_knowledge(
    visit: Visit, details: Mapping[str, object], candidates: Sequence[Candidate]
) -> dict[str, EntryView]:
    """The entries that stood before the model, or that a memory gave way to, as they read now."""
    told = cast("Mapping[str, Any]", details.get("knowledge") or {})
    named = [str(each["entry_id"]) for each in told.get("entries", ())]
    wanted = dict.fromkeys([*named, *(each.ruled_by for each in candidates if each.ruled_by)])
    if not wanted or visit.resources.knowledge_store is None:
        return {}
    found = await fetch_entries(visit.call(), [UUID(each) for each in wanted])
    living = {str(key): entry_view(entry) for key, entry in found.items() if entry.removed_at is None}
    return {each: living[each] for each in wanted if each in living}


def _candidate(receipt: Receipt, proofs: Sequence[Proof], is_forgotten: bool) -> Candidate:
    details = cast("Mapping[str, Any]", receipt.details)
    signals = cast("Mapping[str, float]", details.get("signals") or {})
    return Candidate(
        receipt=receipt,
        text="" if is_forgotten else mask_secrets(str(details.get("text") or "")),
        score=float(details.get("candidate_score") or 0),
        reason=str(details.get("decision_reason") or ""),
        position=details.get("context_position"),
        signals=tuple(sorted(((name, value) for name, value in signals.items() if value), key=_strength)),
        proofs=tuple(proofs),
        is_forgotten=is_forgotten,
        ruled_by=str(details.get("ruled_by") or ""),
    )


def _strength(signal: tuple[str, float]) -> float:
    return -abs(signal[1])


def _plain_retrieval(details: Mapping[str, object]) -> dict[str, object]:
    """What of the retrieval means something to a person."""
    values = cast("Mapping[str, Any]", details)
    documents = cast("list[Mapping[str, str]]", values.get("documents") or [])
    spent = cast("list[Mapping[str, int]]", values.get("tokens") or [])
    return {
        "policy": str(values.get("policy") or ""),
        "intent": str(values.get("intent") or ""),
        "degraded": cast("list[str]", values.get("degraded_reason") or []),
        "documents": [each["name"] for each in documents],
        "input_tokens": sum(each.get("input_tokens", 0) for each in spent),
        "output_tokens": sum(each.get("output_tokens", 0) for each in spent),
    }
