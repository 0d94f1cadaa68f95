"""``recall``: what bears on a question, best first."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import AwareDatetime, Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, Endpoint, Reply, Text
from brain.recall import RecallRequest, recall
from memory.contracts import Lane
from memory.recall.policy import RankedCandidate
from memory.recall.query import CandidateRow, Filters
from skills.memory import is_showable, period

Question = Annotated[Text, Field(min_length=1, max_length=4_000, description="The question, in plain words.")]


class RecallQuestion(ApiRequest):
    """A question to memory. ``all`` also brings what hardly bears on it, which no prompt would carry."""

    question: Question
    limit: Annotated[int, Field(ge=1, le=100, description="How many memories at most.")] = 10
    time_from: Annotated[AwareDatetime | None, Field(description="Only what was said at that time or later.")] = None
    time_to: Annotated[AwareDatetime | None, Field(description="Only what was said before that time.")] = None
    all: bool = False


class RecalledMemory(ApiAnswer):
    """Something that is remembered. ``id`` is that of the memory, or of the turn that said it."""

    id: str
    lane: Lane
    text: str
    about: str = ""
    speaker: str
    role: str
    said_at: datetime
    score: float


class RecalledMemories(ApiAnswer):
    """Best first."""

    memories: list[RecalledMemory]


async def recall_memories(asked: RecallQuestion, call: ApiCall) -> Reply[RecalledMemories]:
    """What bears on the question, without plain attacks in other voices."""
    question = RecallRequest(
        text=asked.question,
        at=call.resources.clock(),
        time_zone=call.resources.settings.time_zone,
        filters=Filters(observed=period(asked.time_from, asked.time_to)),
        limit=asked.limit,
    )
    found = await recall(call.resources, call.scope, question)
    shown = [each for each in (found.ranked if asked.all else found.relevant) if is_showable(each.candidate)]
    memories = [recalled_memory(each.candidate, each.score) for each in shown]
    return Reply(RecalledMemories(memories=memories), found.degraded, _trace(asked, found.ranked, found.policy))


def recalled_memory(found: CandidateRow, score: float) -> RecalledMemory:
    """A row of the index as clients see it."""
    return RecalledMemory(
        id=str(found.turn_id if found.lane == "turn" else found.source_id),
        lane=found.lane,
        text=found.text,
        about=found.about,
        speaker=found.speaker,
        role=found.role,
        said_at=found.observed_at,
        score=round(score, 6),
    )


def _trace(asked: RecallQuestion, ranked: Sequence[RankedCandidate], policy: str) -> dict[str, Any]:
    return {
        "policy": policy,
        "queries": [asked.question],
        "candidates": [
            {"id": str(each.candidate.source_id), "lane": each.candidate.lane, "score": round(each.score, 6)}
            for each in ranked
        ],
        "stores_used": ["memory"],
    }


RECALL = Endpoint(
    method="POST",
    path="/v1/memory/recall",
    summary="Find what bears on a question.",
    request=RecallQuestion,
    answer=RecalledMemories,
    run=recall_memories,
    example={"question": "Where does Ann live?", "limit": 5},
)
