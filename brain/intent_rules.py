"""What the user wants, by rules; a model names the kind of request where there is one."""

from types import MappingProxyType
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from brain.signal_rules import entities, feedback
from language.kinds import Kind
from language.retractions import is_retraction
from language.statements import read_statements
from language.tables import pattern_of_all
from language.times import temporal_intent
from memory.recall.query import RecallIntent, TemporalIntent

IntentType = Literal[
    "chat",
    "recommend",
    "complaint",
    "question",
    "preference_check",
    "remember",
    "forget",
    "search_memory",
    "end",
    "task",
]
Phase = Literal["opening", "discussion", "task", "preference_check"]

CHARACTER, TAKE_BACK = "character", "take_back"
"""Hints: the message speaks of how Brain should be, or wants something as it was before."""
BY_MODEL = 0.9
"""How far a kind of request is trusted that a model named."""
SURE_CONFIDENCE = 0.75
"""Confidence of the rules from which on no model is asked."""
PLAIN_CONFIDENCE = 0.7
"""How probable it has to be that a sentence states something, for its message to be plain talk."""
SMALL_TALK = 200
"""Characters of small talk at most."""
READ = 2_000
"""Characters of a message that the rules look at: of a pasted document, the opening says what to do."""


class Intent(BaseModel):
    """What one message of the user asks for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    action_required: bool = Field(description="True when a tool or skill must act; False when words are enough.")
    intent_type: IntentType = Field(description="The one kind of request that fits the message best.")
    confidence: float = Field(ge=0, le=1, description="How sure this classification is, from 0 to 1.")
    extracted_entities: dict[str, str | list[str]] = Field(
        default_factory=dict[str, str | list[str]],
        description="Key things named in the message, by kind: people, places, dates, products.",
    )
    context_hints: list[str] = Field(
        default_factory=list[str], description="Short hints for choosing a skill, such as personal, correction, dated."
    )
    phase: Phase = Field(description="Where the conversation stands.")
    retrieval_intent: RecallIntent = Field(description="Which kind of memory would help to answer.")
    temporal_intent: TemporalIntent = Field(
        description="Whether the message asks how things are now, how they came to be, or about a stretch of time."
    )


class IntentForm(BaseModel):
    """What a model is asked about a message: all else follows from it, or is told by rules."""

    model_config = ConfigDict(frozen=True)

    intent_type: IntentType = Field(description="The one kind of request that fits the message best.")


def classify(text: str, history_len: int = 0, told: IntentType | None = None) -> Intent:
    """The intent of a message; ``history_len`` counts the turns of this session before it.

    ``told`` is the kind of request that a model saw in it.
    """
    said = text[:READ].strip()
    kind, confidence = (told, BY_MODEL) if told else _kind(said)
    when = temporal_intent(said)
    return Intent(
        action_required=kind in _ACTIONS,
        intent_type=kind,
        confidence=confidence,
        extracted_entities=dict(entities(said)),
        context_hints=_hints(said),
        phase=_phase(kind, history_len),
        retrieval_intent=_retrieval_intent(kind, said),
        temporal_intent=when,
    )


def wants_nothing(text: str) -> bool:
    """Whether a message is small talk beyond doubt: short, no words that ask, each sentence a courtesy or a remark."""
    said = text.strip()
    if not said or len(said) > SMALL_TALK or any(_says(key, said) for key in (*_CUES, "question", "wanting", "end")):
        return False
    if feedback(said) == "correct":
        return False
    told = read_statements(said)
    return bool(told) and all(sum(each.kinds[kind] for kind in _SMALL) >= PLAIN_CONFIDENCE for each in told)


def memory_tokens(intent_type: IntentType) -> int:
    """How much personal memory a reply of this kind may carry, in tokens (S0 section 4.1)."""
    return MEMORY_TOKENS[intent_type]


MEMORY_TOKENS: MappingProxyType[IntentType, int] = MappingProxyType(
    {
        "chat": 500,
        "end": 500,
        "remember": 500,
        "question": 1_000,
        "forget": 1_000,
        "complaint": 2_000,
        "task": 2_000,
        "recommend": 3_000,
        "preference_check": 4_000,
        "search_memory": 4_000,
    }
)

_TELLING: frozenset[Kind] = frozenset(
    {"fact", "preference", "constraint", "event", "change", "slip", "courtesy", "passing"}
)
"""A plan may be a request: who is looking for a laptop wants advice."""
_SMALL: frozenset[Kind] = frozenset({"courtesy", "passing"})
_ACTIONS: frozenset[IntentType] = frozenset({"task", "remember", "forget", "search_memory", "end"})
_CUES: dict[IntentType, float] = {
    "forget": 0.9,
    "preference_check": 0.85,
    "search_memory": 0.85,
    "remember": 0.9,
    "complaint": 0.8,
    "recommend": 0.85,
    "task": 0.75,
}
"""How sure each kind of request is that its words tell; the first that fits counts."""


def _kind(said: str) -> tuple[IntentType, float]:
    if not said:
        return "chat", 0.3
    if len(said) <= 40 and _says("end", said):
        return "end", 0.9
    for kind, confidence in _CUES.items():
        if _says(kind, said):
            return kind, confidence
    if _says("question", said):
        return "question", 0.7
    return "chat", 0.8 if _says("greeting", said) or _only_tells(said) else 0.5


def _says(key: str, said: str) -> bool:
    """Whether it has the words of that key."""
    return pattern_of_all(f"intents.{key}").search(said) is not None


def _only_tells(said: str) -> bool:
    """Whether every sentence tells something, or is a courtesy, beyond doubt: nothing is wanted."""
    told = read_statements(said)
    sure = all(sum(each.kinds[kind] for kind in _TELLING) >= PLAIN_CONFIDENCE for each in told)
    return bool(told) and sure and not _says("wanting", said)


def _phase(kind: IntentType, history_len: int) -> Phase:
    if kind == "preference_check":
        return "preference_check"
    if kind in _ACTIONS and kind not in ("search_memory", "end"):
        return "task"
    return "opening" if history_len == 0 and kind == "chat" else "discussion"


def _retrieval_intent(kind: IntentType, said: str) -> RecallIntent:
    if kind in ("recommend", "preference_check"):
        return "preference"
    if kind == "task":
        return "skill"
    if kind in ("question", "search_memory"):
        return "reasoning" if _says("reasoning", said) else "fact"
    return "contextual"


def _hints(said: str) -> list[str]:
    cues = {
        "greeting": _says("greeting", said),
        "personal": _says("personal", said),
        "dated": _says("dated", said),
        "negative_tone": _says("negative", said),
        "correction": is_retraction(said),
        CHARACTER: pattern_of_all("soul.asks_change").search(said) is not None,
        TAKE_BACK: pattern_of_all("soul.asks_back").search(said) is not None,
    }
    return [hint for hint, found in cues.items() if found]
