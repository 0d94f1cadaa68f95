"""Put the prompt together within its budget, and decide which memories are in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langgraph.runtime import Runtime

from brain.budget import Signals, Slot, baseline
from brain.context import Context
from brain.identity import Identity, identity_of
from brain.intent_rules import Intent, memory_tokens
from brain.memory_tags import memory_tag, u_shaped
from brain.persona import tone_of
from brain.prompt_context import Ingredients, context_of
from brain.sanitizer import clean
from brain.state import AssembledPrompt, MemoryUse, State, Update
from brain.tokens import MESSAGE_OVERHEAD, clip, count_tokens
from brain.truncation import allocate, policy_named
from knowledge.port import KnowledgeBundle, KnowledgeEntry
from memory.contracts import Event
from prompts.registry import load

NOTHING_KNOWN = KnowledgeBundle()


@dataclass(frozen=True)
class Choice:
    """Which memories go in, and which stay out and why."""

    injected: list[MemoryUse]
    rejected: list[MemoryUse]


async def assemble(state: State, runtime: Runtime[Context]) -> Update:
    """The prompt of this turn: a prefix that never changes, the window, and what memory has to say."""
    assert state.turn is not None
    knowledge, intent = _safe(state.knowledge or NOTHING_KNOWN), Intent.model_validate(state.intent)
    budget, degraded = _budget(state, runtime, knowledge)
    room = min(budget["personal_context"], memory_tokens(intent.intent_type))
    choice = choose(state.memories, knowledge.entries, room)
    identity = identity_of(runtime)
    user_text = clip(state.turn["text"], budget["last_user_turn"])
    prompt = AssembledPrompt(
        system=_system(identity, knowledge, runtime.context.prompt_variant),
        history=tuple(within_window(_history(state), budget["active_window"])),
        context=context_of(_ingredients(state, choice, (identity, knowledge, intent)), budget),
        user_text=user_text,
        allocation={slot: tokens for slot, tokens in budget.items()},
    )
    cut = ["user_input_truncated"] if user_text != state.turn["text"] else []
    return {
        "prompt": prompt,
        "memories": choice.injected,
        "rejected": [*state.rejected, *choice.rejected],
        "degraded": [*degraded, *cut],
    }


def choose(best_first: Sequence[MemoryUse], knowledge: Sequence[KnowledgeEntry], room: int) -> Choice:
    """The best memories that fit into ``room`` tokens; what the organisation has ruled on gives way to its rule."""
    ruled = {entry.topic for entry in knowledge if entry.topic}
    kept: list[MemoryUse] = []
    rejected: list[MemoryUse] = []
    for memory in best_first:
        cost = count_tokens(memory_tag(memory))
        if memory["category"] in ruled:
            rejected.append({**memory, "decision_reason": "conflict"})
        elif cost > room:
            rejected.append({**memory, "decision_reason": "budget_exceeded"})
        else:
            kept.append(memory)
            room -= cost
    placed = u_shaped(kept)
    return Choice([{**memory, "position": place} for place, memory in enumerate(placed)], rejected)


def within_window(messages: Sequence[BaseMessage], room: int) -> list[BaseMessage]:
    """The newest messages that fit, in order."""
    kept: list[BaseMessage] = []
    for message in reversed(messages):
        room -= count_tokens(message.text) + MESSAGE_OVERHEAD
        if room < 0:
            break
        kept.append(message)
    return kept[::-1]


def _budget(
    state: State, runtime: Runtime[Context], knowledge: KnowledgeBundle
) -> tuple[dict[Slot, int], tuple[str, ...]]:
    window = runtime.context.resources.settings.context_window
    signals = Signals(
        memory_richness=len(state.memories),
        knowledge_relevance=len(knowledge.entries),
        conversation_depth=state.turn["turns_before"] if state.turn else 0,
        model_context_window=window,
    )
    policy = policy_named(runtime.context.truncation)
    try:
        return allocate(signals, policy), ()
    except (ArithmeticError, LookupError, ValueError):
        return baseline(window), ("budget_allocator_fallback",)


def _system(identity: Identity, knowledge: KnowledgeBundle, variant: str) -> str:
    body = load("system", variant).body
    stable, _ = tone_of(identity, knowledge, ())
    return f"{body}\n# Tone\n\n{stable}\n" if stable else body


def _ingredients(state: State, choice: Choice, asked: tuple[Identity, KnowledgeBundle, Intent]) -> Ingredients:
    assert state.turn is not None
    identity, knowledge, intent = asked
    _, personal = tone_of(identity, knowledge, choice.injected)
    return Ingredients(
        turn=state.turn,
        summaries=state.opened.summaries if state.opened else (),
        slots=state.opened.entity_slots if state.opened else {},
        memories=choice.injected,
        knowledge=knowledge.entries,
        org_tier=identity.org_tier,
        guidance="\n".join((load(f"phase_{intent.phase}").body.strip(), personal)),
    )


def _history(state: State) -> list[BaseMessage]:
    """The thread's own past where it has one, so that a fork sees its own; the log's where the thread is new."""
    spoken_at = max((n for n, message in enumerate(state.messages) if isinstance(message, HumanMessage)), default=0)
    said = [words for message in state.messages[:spoken_at] if (words := _words(message))]
    return said or [_as_message(event) for event in (state.opened.window if state.opened else ())]


def _words(message: AnyMessage) -> BaseMessage | None:
    """Tool traffic of past turns stays out: its answers were data of that moment."""
    if isinstance(message, HumanMessage):
        return message
    return AIMessage(message.text) if isinstance(message, AIMessage) and message.text else None


def _as_message(event: Event) -> BaseMessage:
    return AIMessage(event.text) if event.role == "assistant" else HumanMessage(event.text)


def _safe(knowledge: KnowledgeBundle) -> KnowledgeBundle:
    """Knowledge is text from elsewhere as well: cleaned like everything else."""
    cleaned = ((entry, clean(entry.text)) for entry in knowledge.entries)
    kept = tuple(
        KnowledgeEntry(entry_id=entry.entry_id, text=result.text, source=entry.source, topic=entry.topic)
        for entry, result in cleaned
        if result.verdict != "blocked"
    )
    return KnowledgeBundle(
        entries=kept, tone=clean(knowledge.tone).text, version=knowledge.version, stores_used=knowledge.stores_used
    )
