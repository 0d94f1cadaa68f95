"""Put the prompt together within its budget, and decide which memories are in it."""

from dataclasses import dataclass, replace

from langgraph.runtime import Runtime

from brain.attachments import NOT_READ, attached
from brain.change_words import told_to_model
from brain.context import Context
from brain.documents.standing import Standing, record, sections_shown, standing
from brain.identity import Identity, identity_of
from brain.intent_rules import Intent, memory_tokens
from brain.prompting.budget import Signals, Slot, baseline, safety_margin
from brain.prompting.document_lines import document_tag
from brain.prompting.history import history_of, within
from brain.prompting.memory_choice import Choice, Choosing, choose, told_in_time
from brain.prompting.persona import default_tone, wishes_of
from brain.prompting.prompt_context import Ingredients, context_of
from brain.prompting.tokens import clip, count_tokens
from brain.prompting.truncation import allocate, policy_named
from brain.safety.fence import Fence, fence_against
from brain.safety.sanitizer import clean
from brain.state import AssembledPrompt, MemoryUse, State, Update
from knowledge.port import KnowledgeBundle
from language.detection import language_of
from memory.errors import bad_request
from prompts.registry import PromptError, load

NOTHING_KNOWN = KnowledgeBundle()


@dataclass(frozen=True)
class _Asked:
    """Who asks for what, and what is known about it; documents as long as they may be."""

    identity: Identity
    intent: Intent
    knowledge: KnowledgeBundle
    documents: list[Standing]
    system: str
    fence: Fence


async def assemble(state: State, runtime: Runtime[Context]) -> Update:
    """The prompt of this turn: a prefix that never changes, the window, documents, and what memory has to say."""
    assert state.turn is not None
    asked = _asked(state, runtime)
    budget, degraded = _budget(state, runtime, asked)
    documents = _shown(state, asked, budget["documents"])
    told, new = _apart(state.memories, documents)
    choice = _choice(state, asked, new, budget)
    user_text = clip(state.turn["text"], budget["last_user_turn"])
    window = runtime.context.resources.settings.context_window
    prompt = AssembledPrompt(
        system=asked.system,
        history=tuple(within(history_of(state.messages, state.opened), budget["active_window"])),
        context=_with_change(context_of(_ingredients(state, choice, asked), budget, asked.fence), state),
        user_text=user_text,
        allocation={**budget, "safety_margin": safety_margin(window), "context_window": window},
        documents=_tagged(documents, choice, state, asked),
    )
    cut = () if user_text == state.turn["text"] else ("user_input_truncated",)
    unread = (NOT_READ,) if attached(state.messages) else ()
    runtime.stream_writer({"memories": [_told(memory) for memory in choice.injected]})
    return {
        "prompt": prompt,
        "memories": choice.injected,
        "rejected": [*state.rejected, *told, *choice.rejected],
        "retrieval": {**state.retrieval, "documents": record(documents)},
        "degraded": [*degraded, *cut, *unread],
    }


def _choice(state: State, asked: _Asked, memories: list[MemoryUse], budget: dict[Slot, int]) -> Choice:
    assert state.turn is not None
    room = min(budget["personal_context"], memory_tokens(asked.intent.intent_type))
    by = Choosing(question=state.turn["text"], room=room, fence=asked.fence, knowledge=asked.knowledge.entries)
    choice = choose(memories, by)
    return told_in_time(choice) if state.retrieval.get("temporal_intent") == "history_trace" else choice


def _tagged(documents: list[Standing], choice: Choice, state: State, asked: _Asked) -> tuple[str, ...]:
    """A text for each document, in the order of the receipt; empty where the memories say all of it."""
    known = (*choice.injected, *state.rejected, *choice.rejected)
    over = [memory for memory in known if memory["epistemic_type"] == "outdated"]
    return tuple(document_tag(each, choice.injected, over, asked.fence) for each in documents)


def _with_change(context: str, state: State) -> str:
    assert state.turn is not None
    changed = told_to_model(state.change, language_of(state.turn["text"]))
    return f"{context}\n\n{changed}" if changed else context


def _told(memory: MemoryUse) -> dict[str, object]:
    """What a client that follows the turn may see of a memory before the first word (S0 section 4.1)."""
    shown = ("memory_id", "lane", "text", "decision_reason", "position")
    return {name: memory[name] for name in shown}


def _asked(state: State, runtime: Runtime[Context]) -> _Asked:
    identity, knowledge = identity_of(runtime), _safe(state.knowledge or NOTHING_KNOWN)
    tone = default_tone(identity, knowledge.tone)
    body = _system(runtime.context.prompt_variant)
    system = f"{body}\n# Tone\n\n{tone}\n" if tone else body
    documents = standing(state.opened.documents, identity.scope) if state.opened else []
    texts = _texts(state, knowledge, documents)
    fence = fence_against(texts, state.turn["operation_id"] if state.turn else "")
    return _Asked(identity, Intent.model_validate(state.intent), knowledge, documents, system, fence)


def _texts(state: State, knowledge: KnowledgeBundle, documents: list[Standing]) -> list[str]:
    """Everything that is to stand behind the fence of this turn, and what the user says beside it."""
    summaries = state.opened.summaries if state.opened else ()
    slots = state.opened.entity_slots.values() if state.opened else ()
    memories = (text for memory in state.memories for text in (memory["text"], memory["speaker"]))
    entries = (entry.text for entry in knowledge.entries)
    turn = state.turn["text"] if state.turn else ""
    return [turn, *memories, *summaries, *slots, *entries, *(each.text for each in documents)]


def _shown(state: State, asked: _Asked, room: int) -> list[Standing]:
    """The documents within their slot."""
    if sum(each.tokens for each in asked.documents) <= room or state.opened is None:
        return asked.documents
    return standing(state.opened.documents, asked.identity.scope, room)


def _apart(memories: list[MemoryUse], documents: list[Standing]) -> tuple[list[MemoryUse], list[MemoryUse]]:
    """What the documents in the prompt say already, and the rest."""
    said = sections_shown(documents) if any(memory["lane"] == "document" for memory in memories) else frozenset[str]()
    told: list[MemoryUse] = [{**m, "decision_reason": "in_document"} for m in memories if m["memory_id"] in said]
    return told, [memory for memory in memories if memory["memory_id"] not in said]


def _system(variant: str) -> str:
    try:
        return load("system", variant).body
    except PromptError as unknown:
        raise bad_request(str(unknown), "Leave prompt_variant out, or correct it.") from None


def _budget(state: State, runtime: Runtime[Context], asked: _Asked) -> tuple[dict[Slot, int], tuple[str, ...]]:
    assert state.turn is not None
    window = runtime.context.resources.settings.context_window
    signals = Signals(
        memory_richness=len(state.memories),
        knowledge_relevance=len(asked.knowledge.entries),
        conversation_depth=state.turn["turns_before"],
        model_context_window=window,
        system_tokens=count_tokens(asked.system),
        user_tokens=count_tokens(state.turn["text"]),
        document_tokens=sum(each.tokens for each in asked.documents),
    )
    policy = policy_named(runtime.context.truncation)
    try:
        return allocate(signals, policy), ()
    except (ArithmeticError, LookupError, ValueError):
        return baseline(window), ("budget_allocator_fallback",)


def _ingredients(state: State, choice: Choice, asked: _Asked) -> Ingredients:
    assert state.turn is not None
    wishes = () if asked.knowledge.tone else wishes_of(choice.injected)
    return Ingredients(
        turn=state.turn,
        summaries=state.opened.summaries if state.opened else (),
        slots=state.opened.entity_slots if state.opened else {},
        memories=choice.injected,
        knowledge=asked.knowledge.entries,
        org_tier=asked.identity.org_tier,
        guidance="\n".join((load(f"phase_{asked.intent.phase}").body.strip(), *wishes)),
        attached=attached(state.messages),
    )


def _safe(knowledge: KnowledgeBundle) -> KnowledgeBundle:
    """Knowledge is text from elsewhere as well: what plainly attacks is left out, of a tone what steers at all."""
    entries = tuple(entry for entry in knowledge.entries if clean(entry.text).verdict != "blocked")
    tone = knowledge.tone if clean(knowledge.tone).verdict == "pass" else ""
    return replace(knowledge, entries=entries, tone=tone)
