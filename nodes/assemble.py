"""Put the prompt together within its budget, and decide which memories are in it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from langgraph.runtime import Runtime

from brain.attachments import NOT_READ
from brain.change_replies import model_notice
from brain.context import Context
from brain.documents.prompt_documents import PromptDocument, fit_documents, receipt_entries, whole_section_ids
from brain.identity import Identity, identity_of
from brain.intent_rules import Intent, memory_tokens
from brain.media.showing import show_media
from brain.media.shown import ShownMedia
from brain.memory_uses import use_of_pin
from brain.prompting.budget import BudgetSignals, Slot, baseline, safety_margin
from brain.prompting.contract_rules import state_contract
from brain.prompting.document_tags import Beside, document_tag, lines_of
from brain.prompting.experience import told_experience
from brain.prompting.history import fit_messages, history_of
from brain.prompting.memory_choice import ChoiceCriteria, MemoryChoice, choose_in_order
from brain.prompting.persona import default_tone, wishes_of
from brain.prompting.prompt_context import ContextParts, render_context
from brain.prompting.tokens import clip, count_tokens
from brain.prompting.truncation import allocate, truncation_policy
from brain.safety.contract import contract_of_turn
from brain.safety.fence import Fence, make_fence
from brain.safety.sanitizer import sanitize_text
from brain.soul_document import render_soul, soul_in_force
from brain.state import AssembledPrompt, MemoryUse, OpenTurn, Update
from brain.turn_language import turn_language
from knowledge.port import KnowledgeBundle
from memory.errors import bad_request
from prompts.registry import PromptError, load_prompt

NOTHING_KNOWN = KnowledgeBundle()


@dataclass(frozen=True)
class _AssemblyInput:
    """Who asks for what, and what is known about it; documents as long as they may be."""

    identity: Identity
    intent: Intent
    knowledge: KnowledgeBundle
    documents: list[PromptDocument]
    system: str
    soul_version: int
    fence: Fence
    pin_room: int
    shown: ShownMedia
    experience: tuple[str, ...] = ()


async def assemble(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """The prompt of this turn: a prefix that never changes, the window, documents, and what memory has to say."""
    asked = await _collect_input(state, runtime)
    budget, degraded = _budget(state, runtime, asked)
    documents = _fit_documents(state, asked, budget["documents"])
    told, new = _split_by_documents(state.memories, documents)
    choice = _choice(state, replace(asked, documents=documents), new, budget)
    window = runtime.context.resources.settings.context_window
    beside = {"attached": asked.shown.tokens} if asked.shown.tokens else {}
    spent = {**budget, **beside, "safety_margin": safety_margin(window), "context_window": window}
    prompt = _render_prompt(replace(state, budget=spent), asked, documents, choice)
    cut = () if prompt.user_text == state.turn["text"] else ("user_input_truncated",)
    unread = (NOT_READ,) if asked.shown.unseen else ()
    runtime.stream_writer({"memories": [_preview_memory(memory) for memory in choice.injected]})
    return {
        "prompt": prompt,
        "budget": prompt.allocation,
        "memories": choice.injected,
        "rejected": [*state.rejected, *told, *choice.rejected],
        "retrieval": {
            **state.retrieval,
            "documents": receipt_entries(documents),
            "soul": asked.soul_version,
            **_knowledge_receipt(state, asked),
        },
        "degraded": [*degraded, *cut, *unread],
    }


async def assemble_again(state: OpenTurn, runtime: Runtime[Context]) -> AssembledPrompt:
    """The prompt of a turn whose memories and budget were decided before: those very memories in that very order."""
    asked = await _collect_input(state, runtime)
    chosen = sorted(state.memories, key=lambda memory: memory["position"] or 0)
    documents = _fit_documents(state, asked, state.budget["documents"])
    return _render_prompt(state, asked, documents, MemoryChoice(chosen, []))


def _render_prompt(
    state: OpenTurn, asked: _AssemblyInput, documents: list[PromptDocument], choice: MemoryChoice
) -> AssembledPrompt:
    budget = cast("Mapping[Slot, int]", state.budget)
    told = _render_documents(documents, choice, state, asked)
    parts = replace(_ingredients(state, choice, asked), documents=told)
    return AssembledPrompt(
        system=asked.system,
        history=tuple(fit_messages(history_of(state.messages, state.opened), budget["active_window"])),
        context=_append_change(render_context(parts, budget, asked.fence), state),
        user_text=clip(state.turn["text"], budget["last_user_turn"]),
        allocation=state.budget,
        documents=told,
        shown=asked.shown,
    )


def _choice(state: OpenTurn, asked: _AssemblyInput, memories: list[MemoryUse], budget: dict[Slot, int]) -> MemoryChoice:
    room = min(budget["personal_context"], memory_tokens(asked.intent.intent_type))
    by = ChoiceCriteria(
        question=state.turn["text"],
        room=room,
        fence=asked.fence,
        pin_room=asked.pin_room,
        knowledge=asked.knowledge.entries,
        left_out=state.rejected,
        told=() if asked.identity.scope.is_group else lines_of(asked.documents, _over([*memories, *state.rejected])),
    )
    return choose_in_order(memories, by, state.retrieval.get("temporal_intent", ""))


def _render_documents(
    documents: list[PromptDocument], choice: MemoryChoice, state: OpenTurn, asked: _AssemblyInput
) -> tuple[str, ...]:
    """A text for each document, in the order of the receipt; empty where the memories say all of it."""
    over = _over([*choice.injected, *state.rejected, *choice.rejected])
    asks_past = state.retrieval.get("temporal_intent", "current_state") != "current_state"
    beside = Beside(injected=choice.injected, over=over, asks_past=asks_past)
    return tuple(document_tag(each, beside, asked.fence) for each in documents)


def _over(memories: list[MemoryUse]) -> list[MemoryUse]:
    return [memory for memory in memories if memory["epistemic_type"] == "outdated"]


def _append_change(context: str, state: OpenTurn) -> str:
    changed = model_notice(state.change, turn_language(state))
    return f"{context}\n\n{changed}" if changed else context


def _knowledge_receipt(state: OpenTurn, asked: _AssemblyInput) -> dict[str, object]:
    """What knowledge brought, at which version; nothing where it was not asked."""
    found = asked.knowledge
    if not found.stores_used:
        return {}
    entries = [{"entry_id": each.entry_id, "score": each.score} for each in found.entries]
    stores = list(dict.fromkeys((*state.retrieval.get("stores_used", ()), *found.stores_used)))
    return {
        "stores_used": stores,
        "knowledge": {"version": found.version, "entries": entries, "tones": len(found.tones)},
    }


def _preview_memory(memory: MemoryUse) -> dict[str, object]:
    """What a client that follows the turn may see of a memory before the first word (S0 section 4.1)."""
    shown = ("memory_id", "lane", "text", "decision_reason", "position")
    return {name: memory[name] for name in shown}


async def _collect_input(state: OpenTurn, runtime: Runtime[Context]) -> _AssemblyInput:
    identity, knowledge = identity_of(runtime), _sanitize_knowledge(state.knowledge or NOTHING_KNOWN)
    tone = default_tone(identity, knowledge.tones)
    version, soul = soul_in_force(state.opened)
    character = render_soul(soul, runtime.context.resources.settings.context_window)
    body = state_contract(f"{_system(runtime.context.prompt_variant)}\n{character}", contract_of_turn(state.opened))
    system = f"{body}\n# Tone\n\n{tone}\n" if tone else body
    documents = fit_documents(state.opened.documents, identity.scope) if state.opened else []
    shown = await show_media(state.messages, runtime.context.resources, identity.scope)
    experience = told_experience(
        runtime.context.resources.experiences.lessons(identity.scope.tenant_id), turn_language(state)
    )
    texts = [*_texts(state, knowledge, documents), *experience, *(each.text for each in shown.told)]
    fence = make_fence(texts, state.turn["operation_id"] if state.turn else "")
    return _AssemblyInput(
        identity=identity,
        intent=Intent.model_validate(state.intent),
        knowledge=knowledge,
        documents=documents,
        system=system,
        soul_version=version,
        fence=fence,
        pin_room=runtime.context.resources.settings.pin_tokens,
        shown=shown,
        experience=tuple(experience),
    )


def _texts(state: OpenTurn, knowledge: KnowledgeBundle, documents: list[PromptDocument]) -> list[str]:
    """Everything that is to stand behind the fence of this turn, and what the user says beside it."""
    summaries = state.opened.summaries if state.opened else ()
    slots = state.opened.entity_slots.values() if state.opened else ()
    memories = (text for memory in state.memories for text in (memory["text"], memory["speaker"]))
    entries = (entry.text for entry in knowledge.entries)
    turn = state.turn["text"] if state.turn else ""
    return [turn, *memories, *summaries, *slots, *entries, *(each.text for each in documents)]


def _fit_documents(state: OpenTurn, asked: _AssemblyInput, room: int) -> list[PromptDocument]:
    """The documents within their slot."""
    if sum(each.tokens for each in asked.documents) <= room or state.opened is None:
        return asked.documents
    return fit_documents(state.opened.documents, asked.identity.scope, room)


def _split_by_documents(
    memories: list[MemoryUse], documents: list[PromptDocument]
) -> tuple[list[MemoryUse], list[MemoryUse]]:
    """What the documents in the prompt say already, and the rest."""
    said = (
        whole_section_ids(documents) if any(memory["lane"] == "document" for memory in memories) else frozenset[str]()
    )
    told: list[MemoryUse] = [{**m, "decision_reason": "in_document"} for m in memories if m["memory_id"] in said]
    return told, [memory for memory in memories if memory["memory_id"] not in said]


def _system(variant: str) -> str:
    try:
        return load_prompt("system", variant).body
    except PromptError as unknown:
        raise bad_request(str(unknown), "Leave prompt_variant out, or correct it.") from None


def _budget(
    state: OpenTurn, runtime: Runtime[Context], asked: _AssemblyInput
) -> tuple[dict[Slot, int], tuple[str, ...]]:
    window = runtime.context.resources.settings.context_window - asked.shown.tokens
    signals = BudgetSignals(
        memory_richness=len(state.memories),
        knowledge_relevance=len(asked.knowledge.entries),
        conversation_depth=state.turn["turns_before"],
        model_context_window=window,
        system_tokens=count_tokens(asked.system),
        user_tokens=count_tokens(state.turn["text"]),
        document_tokens=sum(each.tokens for each in asked.documents),
    )
    policy = truncation_policy(runtime.context.truncation)
    try:
        return allocate(signals, policy), ()
    except (ArithmeticError, LookupError, ValueError):
        return baseline(window), ("budget_allocator_fallback",)


def _ingredients(state: OpenTurn, choice: MemoryChoice, asked: _AssemblyInput) -> ContextParts:
    wishes = wishes_of([*_standing_wishes(state), *choice.injected], is_ruled=bool(asked.knowledge.tones))
    return ContextParts(
        turn=state.turn,
        experience=asked.experience,
        summaries=state.opened.summaries if state.opened else (),
        slots=state.opened.entity_slots if state.opened else {},
        memories=choice.injected,
        knowledge=asked.knowledge.entries,
        org_tier=asked.identity.org_tier,
        guidance="\n".join((load_prompt(f"phase_{asked.intent.phase}").body.strip(), *wishes)),
        attached=asked.shown,
    )


def _standing_wishes(state: OpenTurn) -> list[MemoryUse]:
    """What the person told of how to be spoken to, whether or not this question recalls it."""
    opened = state.opened
    if opened is None:
        return []
    told = (item for item in opened.wishes if opened.as_of is None or item.created_at <= opened.as_of)
    uses = (use_of_pin(item) for item in told)
    return [{**use, "sanitization": sanitize_text(use["text"]).verdict} for use in uses]


def _sanitize_knowledge(knowledge: KnowledgeBundle) -> KnowledgeBundle:
    """Knowledge is text from elsewhere as well: what plainly attacks is left out, of a tone what steers at all."""
    entries = tuple(entry for entry in knowledge.entries if sanitize_text(entry.text).verdict != "blocked")
    tones = tuple(tone for tone in knowledge.tones if sanitize_text(tone).verdict == "pass")
    return replace(knowledge, entries=entries, tones=tones)
