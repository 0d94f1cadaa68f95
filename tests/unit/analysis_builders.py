"""Turns, notes and candidates for the tests of analysis and absolutization."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from evolution.extraction.form import NotedMemory, Notes
from evolution.state import ExtractionCandidate, KnownMemory, TurnRecord
from memory.scope import Scope
from tests.fakes import Leanings, resources_of

AT = "2024-05-08T14:30:00+08:00"
"""A Wednesday."""
ZONE = "Asia/Shanghai"
SCOPE = Scope(tenant_id=UUID(int=1), user_id=UUID(int=2), key="main")


def a_said(text: str, number: int = 1, **values: Any) -> TurnRecord:
    """One logged turn; its event id is ``event-<number>``."""
    told = {
        "event_id": f"event-{number}",
        "operation_id": f"operation-{number}",
        "session_id": "session",
        "role": "user",
        "speaker": "user",
        "text": text,
        "sha256": "",
        "at": AT,
        "time_zone": ZONE,
    }
    return TurnRecord(**(told | values))  # type: ignore[typeddict-item]


def turns(*texts: str, **values: Any) -> list[TurnRecord]:
    """Several turns of one person."""
    return [a_said(text, number, **values) for number, text in enumerate(texts, start=1)]


def a_known(content: str = "The user lives in Paris.", **values: Any) -> KnownMemory:
    """A memory that lives already: where the user lives."""
    told = {
        "memory_id": "11111111-1111-1111-1111-111111111111",
        "item_type": "fact",
        "content": content,
        "subject": "user",
        "predicate": "lives_in",
        "object": "Paris",
        "negated": False,
        "category": "residence",
        "epistemic_type": "fact",
        "slot": "user|lives_in",
    }
    return KnownMemory(**(told | values))  # type: ignore[typeddict-item]


def a_note(quote: str = "I live in Lyon", **values: Any) -> NotedMemory:
    """What a model would note of «I live in Lyon»."""
    told: dict[str, Any] = {
        "turn": 1,
        "quote": quote,
        "type": "fact",
        "subject": "user",
        "predicate": "lives_in",
        "object": "Lyon",
        "negated": False,
        "content": "The user lives in Lyon.",
    }
    return NotedMemory(**(told | values))


def notes(*memories: NotedMemory) -> Notes:
    """A whole answer."""
    return Notes(memories=list(memories))


def a_candidate(content: str = "The user lives in Lyon.", **values: Any) -> ExtractionCandidate:
    """What becomes of ``a_note()`` beside the turn «I live in Lyon.»."""
    told: dict[str, Any] = {
        "item_type": "fact",
        "subject": "user",
        "predicate": "lives_in",
        "object": "Lyon",
        "negated": False,
        "content": content,
        "category": "home",
        "epistemic_type": "fact",
        "provenance": "confirmed_by_user",
        "confidence": 0.85,
        "certainty": 0.9,
        "said_at": AT,
        "valid_at": AT,
        "invalid_at": "",
        "event_id": "event-1",
        "start": 0,
        "end": 14,
        "ends": "",
        "replaces": "",
        "replaces_memory": "",
        "source": "model",
        "unresolved": [],
        "slot": "",
        "single_valued": False,
    }
    return ExtractionCandidate(**(told | values))  # type: ignore[typeddict-item]


def an_evolving(leanings: Leanings | None = None) -> Runtime[JobContext]:
    """The runtime of a step of the background graph."""
    return Runtime(context=JobContext(scope=SCOPE, resources=resources_of(leanings or Leanings())))


def contents(candidates: Sequence[ExtractionCandidate]) -> list[str]:
    """What the candidates say."""
    return [each["content"] for each in candidates]


BY_RULES = a_candidate(
    "I live in Lyon.",
    confidence=0.85,
    source="rules",
    category="home",
    end=15,
    slot="user|lives_in",
    single_valued=True,
)
"""What the rules make of "I live in Lyon."."""
