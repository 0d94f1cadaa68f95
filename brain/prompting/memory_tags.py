"""How memory and knowledge stand in a prompt: delimited, attributed, and placed where a model looks."""

from collections.abc import Sequence
from html import escape
from typing import TypeVar

from brain.safety.sanitizer import clean
from brain.state import MemoryUse
from knowledge.port import KnowledgeEntry

T = TypeVar("T")
LONGEST_NAME = 60


def memory_tag(memory: MemoryUse) -> str:
    """One memory with what tells the model how far to trust it; past turns are quoted and name their speaker.

    A passage of a long turn names the headings it stood under. Nothing in its text can close the tag.
    """
    attributes = {
        "source": "personal",
        "confidence": f"{memory['confidence']:.2f}",
        "provenance": memory["provenance"],
        "valid_since": memory["valid_since"][:10],
        "category": memory["category"] or memory["lane"],
        "epistemic_type": memory["epistemic_type"],
    }
    if memory["lane"] == "turn":
        attributes |= {"said_by": "you (assistant)" if memory["role"] == "assistant" else name_of(memory["speaker"])}
        if about := clean(memory.get("about", "")).text:
            attributes |= {"about": about}
        return _tag("user_memory", attributes, f"“{memory['text']}”")
    return _tag("user_memory", attributes, memory["text"])


def name_of(speaker: str) -> str:
    """A speaker's name as a prompt may carry it: names come from outside as well."""
    return clean(speaker[:LONGEST_NAME]).text.strip() or "someone"


def knowledge_tag(entry: KnowledgeEntry, org_tier: str) -> str:
    """One thing the organisation knows."""
    return _tag("knowledge", {"source": entry.source, "org_tier": org_tier or "default"}, entry.text)


def u_shaped(best_first: Sequence[T]) -> list[T]:
    """The best at the beginning, the second best at the end, the rest between: models read the middle least."""
    return [*best_first[::2], *reversed(best_first[1::2])]


def _tag(name: str, attributes: dict[str, str], text: str) -> str:
    told = " ".join(f'{key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name} {told}>\n{escape(text, quote=False)}\n</{name}>"
