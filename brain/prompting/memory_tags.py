"""How memory and knowledge stand in a prompt: fenced, attributed, and placed where a model looks."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TypeVar
from zoneinfo import ZoneInfo

from brain.safety.fence import Fence
from brain.state import MemoryUse, said_at
from knowledge.port import KnowledgeEntry
from memory.index_rows import IN_DOUBT

T = TypeVar("T")
MAX_NAME_CHARACTERS = 60
_MOMENT = timedelta(microseconds=1)
"""An end is the first moment at which something holds no more: midnight after its last day."""
YOURSELF = "you (assistant)"


def memory_tag(memory: MemoryUse, fence: Fence, time_zone: str = "UTC") -> str:
    """One memory: what was said with its speaker and day, a belief with what tells how far to trust it."""
    match memory["lane"]:
        case "turn":
            return _statement_tag(memory, fence, time_zone)
        case "fact":
            return _statement_tag(memory, fence, time_zone) if memory["speaker"] else _belief_tag(memory, fence)
        case "document":
            return fence.enclose("document", memory["text"], {"kind": memory["category"], "name": memory["speaker"]})
        case "store":
            return fence.enclose("note", memory["text"], {"date": _day(said_at(memory), time_zone)})
        case _:
            return fence.enclose("summary", memory["text"], {"date": _day(said_at(memory), time_zone)})


def _statement_tag(memory: MemoryUse, fence: Fence, time_zone: str) -> str:
    speaker = YOURSELF if memory["role"] == "assistant" else speaker_name(memory["speaker"])
    said = _day(said_at(memory), time_zone)
    told = {"speaker": speaker, "date": said, "since": _other_day(memory["valid_since"], said, time_zone)}
    told |= {"until": _last_day(memory, time_zone), "about": _about(memory), "status": memory.get("status", "")}
    return fence.enclose("said", memory["text"], told)


def _about(memory: MemoryUse) -> str:
    """What is to be known beside its words; that it is in doubt, its status tells."""
    about = memory.get("about", "")
    return "" if about == IN_DOUBT else about


def _belief_tag(memory: MemoryUse, fence: Fence) -> str:
    told = {
        "confidence": f"{memory['confidence']:.2f}",
        "provenance": memory["provenance"],
        "valid_since": memory["valid_since"][:10],
        "valid_until": _last_day(memory, "UTC"),
        "said": "" if said_at(memory)[:10] == memory["valid_since"][:10] else said_at(memory)[:10],
        "category": memory["category"],
        "epistemic_type": memory["epistemic_type"],
        "about": _about(memory),
        "status": memory.get("status", ""),
    }
    return fence.enclose("belief", memory["text"], told)


def _other_day(moment: str, day: str, time_zone: str) -> str:
    """The day of a moment where it is another one; most memories hold since they were said."""
    other = _day(moment, time_zone)
    return "" if other == day else other


def _last_day(memory: MemoryUse, time_zone: str) -> str:
    """The last day on which it holds, where its end is known."""
    until = memory.get("valid_until", "")
    return _day((datetime.fromisoformat(until) - _MOMENT).isoformat(), time_zone) if until else ""


def _day(moment: str, time_zone: str) -> str:
    return datetime.fromisoformat(moment).astimezone(ZoneInfo(time_zone)).date().isoformat()


def speaker_name(speaker: str) -> str:
    """A speaker's name as a prompt may carry it, on one line; nobody passes for the assistant."""
    name = " ".join(speaker[:MAX_NAME_CHARACTERS].split())
    return f"{name} (a person)" if name.casefold() in ("assistant", YOURSELF, "system") else name or "someone"


def knowledge_tag(entry: KnowledgeEntry, org_tier: str, fence: Fence) -> str:
    """One thing the organisation knows."""
    told = {"source": entry.source, "org_tier": org_tier or "default", "brand": entry.brand, "platform": entry.platform}
    return fence.enclose("knowledge", entry.text, told)


def arrange_u_shape(best_first: Sequence[T]) -> list[T]:
    """The best at the beginning, the second best at the end, the rest between: models read the middle least."""
    return [*best_first[::2], *reversed(best_first[1::2])]
