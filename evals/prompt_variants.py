"""The same conversations under several variants of the system prompt: replies, tokens, and memories shown and used."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from langchain_core.messages import HumanMessage
from pydantic import BaseModel, ConfigDict, TypeAdapter

from brain.context import Context
from brain.identity import identity_of_user
from brain.models.roles import Models
from brain.resources import Resources
from brain.settings import Settings
from brain.signal_rules import utilization
from brain.state import MemoryUse
from brain.wiring import build_resources
from evals.recorded_replies import RecordedReplies, RecordedReply, read_replies
from graphs import brain
from graphs.evolution import evolve
from knowledge.port import NoKnowledge
from memory.scope import session_id_of
from nodes.capture_signals import reply_of

DATA = Path(__file__).parent / "data"
CONVERSATIONS = DATA / "prompt_variants.json"
RECORDED = DATA / "prompt_variants_recorded.jsonl"

graph: Any = brain.graph
"""LangGraph leaves its input types partly open."""
Begins = Callable[[str, str, int], None]
"""Hears which turn is next: variant, conversation, and its number from 0."""


class Conversation(BaseModel):
    """What somebody says: first ``told``, then, in another session, ``asked``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    told: tuple[str, ...]
    asked: tuple[str, ...]

    @property
    def turns(self) -> Iterator[tuple[str, str]]:
        """Session and words of every turn."""
        yield from (("told", text) for text in self.told)
        yield from (("asked", text) for text in self.asked)


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One turn under one variant. ``shown`` stood in the prompt, and the reply drew on those in ``used``."""

    variant: str
    conversation: str
    turn: int
    said: str
    reply: str
    input_tokens: int
    output_tokens: int
    estimated: bool
    shown: tuple[str, ...]
    used: tuple[str, ...]
    degraded: tuple[str, ...]

    @property
    def recorded(self) -> RecordedReply:
        """The reply as a recording keeps it."""
        return RecordedReply(variant=self.variant, conversation=self.conversation, turn=self.turn, reply=self.reply)


@dataclass(frozen=True)
class Bench:
    """Models to compare variants with, and whom to tell which turn is next."""

    models: Models
    begins: Begins
    recorded: bool


def bench(settings: Settings, recording: Path = RECORDED) -> Bench:
    """The models of the settings where there are any, else the recording."""
    models = build_resources(settings).models
    if models.is_configured:
        return Bench(models, _nobody_listens, recorded=False)
    replies: RecordedReplies = read_replies(recording)
    return Bench(replies.models(), replies.turn_to, recorded=True)


def _nobody_listens(variant: str, conversation: str, turn: int) -> None:
    """A model in life reads which turn it is."""


def read_conversations(path: Path = CONVERSATIONS) -> tuple[Conversation, ...]:
    """The conversations of a JSON file."""
    return TypeAdapter(tuple[Conversation, ...]).validate_json(path.read_bytes())


async def compare(
    variants: Sequence[str], conversations: Sequence[Conversation], at: Bench, resources: Resources
) -> list[Turn]:
    """Every conversation under every variant, each told by a person of its own."""
    resources = replace(resources, models=at.models, knowledge=NoKnowledge())
    return [
        turn
        for conversation in conversations
        for variant in variants
        for turn in await _replay(variant, conversation, at, resources)
    ]


async def _replay(variant: str, conversation: Conversation, at: Bench, resources: Resources) -> list[Turn]:
    turns, user = list[Turn](), str(uuid4())
    for number, (session, text) in enumerate(conversation.turns):
        at.begins(variant, conversation.name, number)
        context = Context(user=user, session=session, prompt_variant=variant, resources=resources)
        state, shown = await _take_turn(text, context)
        reply = RecordedReply(variant=variant, conversation=conversation.name, turn=number, reply=_words(state))
        turns.append(_turn(reply, text, state, shown))
        await _evolve_session(context, Models() if at.recorded else at.models)
    return turns


async def _evolve_session(context: Context, models: Models) -> None:
    """Let what was said become memories, as a worker would; by rules where only replies were recorded."""
    scope = identity_of_user(context, None).scope
    await evolve(replace(context.resources, models=models), scope, session_id_of(scope, context.session))


async def _take_turn(text: str, context: Context) -> tuple[dict[str, Any], list[MemoryUse]]:
    """The turn's last state, and its memories before their texts are let go."""
    state: dict[str, Any] = {}
    shown: list[MemoryUse] = []
    async for state in graph.astream({"messages": [HumanMessage(text)]}, context=context, stream_mode="values"):
        placed = [each for each in state.get("memories", ()) if each["position"] is not None and each["text"]]
        shown = placed or shown
    return state, shown


def _words(state: dict[str, Any]) -> str:
    reply = reply_of(state["messages"])
    return reply.text if reply else ""


def _turn(reply: RecordedReply, said: str, state: dict[str, Any], shown: Sequence[MemoryUse]) -> Turn:
    texts = tuple(each["text"] for each in shown)
    return Turn(
        variant=reply.variant,
        conversation=reply.conversation,
        turn=reply.turn,
        said=said,
        reply=reply.reply,
        input_tokens=sum(each["input_tokens"] for each in state["usage"]),
        output_tokens=sum(each["output_tokens"] for each in state["usage"]),
        estimated=any(each["estimated_calls"] for each in state["usage"]),
        shown=texts,
        used=tuple(text for text in texts if utilization(reply.reply, text) != "none"),
        degraded=tuple(state["degraded"]),
    )
