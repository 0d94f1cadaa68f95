"""From candidates to memories, each write under a key of its own: doing it again changes nothing."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.known_memories import find_prior_candidates
from evolution.prior_candidates import reuse_prior
from evolution.state import (
    UNCLEAR,
    DroppedCandidate,
    EvolutionState,
    ExtractionCandidate,
    TurnPlace,
    TurnRecord,
    holds_until,
)
from language.predicates import object_key
from memory.errors import BrainError
from memory.log import Outcome
from memory.memory_item import Author, Citation, MemoryDraft
from memory.provenance import DOUBTED
from memory.upkeep import UpkeepChange

_KEY = "evolution:"
NOTHING = "nothing in it asks to be remembered"


async def write(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Memories in the order in which they were said, then the end of every operation: twice is once."""
    context = runtime.context
    candidates = await _reuse_priors(context, state)
    ids = merge_memory_ids(state.written, await write_memories(context, candidates, state.said))
    ends = operation_outcomes(state, ids)
    if ends:
        log = context.resources.memory.log
        await log.finish(context.scope, ends, context.resources.clock())
    return {"written": ids}


async def _reuse_priors(context: JobContext, state: EvolutionState) -> list[ExtractionCandidate]:
    """While a model read these turns, a correction may have read them: what it left stays as it left it."""
    priors = await find_prior_candidates(context, state.said) if state.candidates else []
    return [reuse_prior(each, priors) or each for each in state.candidates]


async def write_memories(
    context: JobContext, candidates: Sequence[ExtractionCandidate], said: Sequence[TurnRecord]
) -> dict[str, list[str]]:
    """Write them in order; the memory ids by the operation that they came from."""
    turns = {turn["event_id"]: turn for turn in said}
    ids: dict[str, list[str]] = {}
    by_key: dict[str, str] = {}
    for each in candidates:
        turn, key = turns[each["event_id"]], idempotency_key_of(each)
        replaced = by_key.get(each["replaces_memory"], each["replaces_memory"])
        author = Author(
            operator=each["source"],
            reason="said so",
            idempotency_key=key,
            at=context.resources.clock(),
            trace_id=turn["operation_id"],
        )
        draft = draft_memory({**each, "replaces_memory": replaced}, turn)
        receipt = await context.resources.memory.items.write(context.scope, draft, author)
        by_key[key] = str(receipt.memory_id)
        ids.setdefault(turn["operation_id"], []).append(by_key[key])
        doubted = [_id_of(by_key.get(named, named)) for named in each.get("doubts", ())]
        await _doubt_memories(context, [memory_id for memory_id in doubted if memory_id], draft, author)
    return ids


async def _doubt_memories(context: JobContext, doubted: Sequence[UUID], newer: MemoryDraft, author: Author) -> None:
    """Note with older memories that something newer leaves them in doubt; one that changes meanwhile is left alone."""
    memory = context.resources.memory
    for item in (await memory.items.get_many(context.scope, doubted)) if doubted else ():
        if item.status == "active" and item.observed_at < newer.observed_at:
            change = UpkeepChange(
                memory_id=item.memory_id,
                version=item.version,
                change="calibrate",
                provenance={DOUBTED: [str(each.event_id) for each in newer.citations]},
            )
            key = f"{author.idempotency_key}:doubts:{item.memory_id}"
            with _ignore_conflict():
                await memory.upkeep.apply_change(
                    context.scope, change, replace(author, reason="something newer was said", idempotency_key=key)
                )


@contextmanager
def _ignore_conflict() -> Generator[None]:
    """Nothing to do where somebody else has changed the memory meanwhile."""
    try:
        yield
    except BrainError as refused:
        if refused.code != "E_CONFLICT":
            raise


def merge_memory_ids(one: Mapping[str, Sequence[str]], other: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Memory ids by operation, each once."""
    operations = dict.fromkeys((*one, *other))
    return {each: list(dict.fromkeys((*one.get(each, ()), *other.get(each, ())))) for each in operations}


def operation_outcomes(state: EvolutionState, ids: Mapping[str, Sequence[str]]) -> dict[UUID, Outcome]:
    """How each operation of the batch ended, and what it had to do without: a person can ask for both."""
    operation_of = {turn["event_id"]: turn["operation_id"] for turn in state.said}
    left_out: dict[str, list[DroppedCandidate]] = {}
    for each in state.dropped:
        left_out.setdefault(operation_of.get(each["event_id"], ""), []).append(each)
    unclear = {operation_of.get(each["event_id"], "") for each in state.candidates if each["unresolved"]}
    return {
        UUID(each): _outcome(
            ids.get(each, ()),
            left_out.get(each, ()),
            [*_judge_remark(state, each), *_degradation_remark(state, each in unclear)],
        )
        for each in state.operations
    }


def _judge_remark(state: EvolutionState, operation: str) -> list[str]:
    """Who judged, when the person talked with other models than those of this worker."""
    return [f"judged by {state.judge}"] if state.judge and operation in state.unlike else []


def _degradation_remark(state: EvolutionState, unclear: bool) -> list[str]:
    reasons = [reason for reason in state.degraded if reason != UNCLEAR or unclear]
    return [f"degraded: {', '.join(reasons)}"] if reasons else []


def idempotency_key_of(candidate: ExtractionCandidate) -> str:
    """The same assertion of the same turn always has the same key."""
    matter = (candidate["slot"], object_key(candidate["object"]), str(candidate["negated"]))
    return f"{_KEY}{candidate['event_id']}:{sha256('|'.join(matter).encode()).hexdigest()[:16]}"


def draft_memory(candidate: ExtractionCandidate, turn: TurnRecord) -> MemoryDraft:
    """A candidate as Memory Core takes it, resting on the turn that proves it."""
    return MemoryDraft(
        item_type=candidate["item_type"],
        subject=candidate["subject"],
        predicate=candidate["predicate"],
        object=candidate["object"],
        content=candidate["content"],
        category=candidate["category"],
        slot=candidate["slot"],
        single_valued=candidate["single_valued"],
        replaces=candidate["replaces"],
        replaces_memory=_id_of(candidate["replaces_memory"]),
        retracts=candidate["ends"] == "slip",
        composed=candidate.get("composed", False),
        grounds=candidate.get("grounds", "said"),
        over=candidate.get("over", ""),
        instead=candidate.get("instead", ""),
        negated=candidate["negated"],
        epistemic_type=candidate["epistemic_type"],
        provenance=candidate["provenance"],
        confidence=candidate["confidence"],
        certainty=candidate["certainty"],
        observed_at=datetime.fromisoformat(turn["at"]),
        valid_at=datetime.fromisoformat(candidate["valid_at"]),
        invalid_at=holds_until(candidate),
        session_id=UUID(turn["session_id"]),
        speaker=turn["speaker"] if candidate["source"] == "rules" and not candidate.get("composed") else "",
        citations=tuple(_cited(candidate, turn)),
    )


def _cited(candidate: ExtractionCandidate, turn: TurnRecord) -> Iterator[Citation]:
    """The words that it rests on: its own, and those of the subject that they have from elsewhere."""
    yield _cite(
        TurnPlace(event_id=turn["event_id"], start=candidate["start"], end=candidate["end"], sha256=turn["sha256"])
    )
    if "lead" in candidate:
        yield _cite(candidate["lead"])


def _cite(place: TurnPlace) -> Citation:
    return Citation(event_id=UUID(place["event_id"]), start=place["start"], end=place["end"], sha256=place["sha256"])


def _id_of(memory: str) -> UUID | None:
    """None for no memory, and for a statement before it that was not written after all."""
    return None if not memory or memory.startswith(_KEY) else UUID(memory)


def _outcome(memory_ids: Sequence[str], left_out: Sequence[DroppedCandidate], remarks: Sequence[str]) -> Outcome:
    if memory_ids:
        return Outcome(status="stored", reason="; ".join(remarks) or None, memory_ids=tuple(map(UUID, memory_ids)))
    reasons = sorted({each["reason"] for each in left_out})
    why = f"left out: {', '.join(reasons)}" if reasons else NOTHING
    return Outcome(status="nothing", reason="; ".join((why, *remarks)))
