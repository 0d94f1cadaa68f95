"""Standing documents beside the memories of a turn: what a memory says is not said twice, and old lines are marked."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime

from brain.documents.prompt_documents import PromptDocument, tag_attributes
from brain.prompting.evidence import find_over, says_more_than
from brain.safety.fence import Fence
from brain.state import MemoryUse, Status
from language.similarity import is_contained_in

_DAY = re.compile(r"\b[12]\d{3}-\d{2}-\d{2}\b")
_DAY_BEHIND = re.compile(r"\s*\([12]\d{3}-\d{2}-\d{2}\)")
_HEADING = re.compile(r"#{1,6} ")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")


def document_tag(shown: PromptDocument, injected: Sequence[MemoryUse], over: Sequence[MemoryUse], fence: Fence) -> str:
    """The document in its fence, beside what else the prompt says; empty when nothing of it is left.

    ``over`` are memories that were found to be outdated, in the prompt or not.
    """
    lines = list(_mark_lines(shown, injected, over))
    text = "\n".join(_drop_empty_headings(lines)).strip()
    return fence.enclose("document", text, tag_attributes(shown.document)) if text else ""


def _mark_lines(shown: PromptDocument, injected: Sequence[MemoryUse], over: Sequence[MemoryUse]) -> Iterator[str]:
    written = shown.document.updated_at.date()
    holding = [memory["text"] for memory in injected if not memory.get("status")]
    told = [(_day_since(memory), memory["text"]) for memory in injected if memory["role"] == "user"]
    for line in shown.text.splitlines():
        said = _BULLET.sub("", line)
        if not said.strip() or _HEADING.match(line):
            yield line
        elif not any(is_contained_in(said, text) for text in holding):
            since = _day_of(said, written)
            status = _status(said, [text for day, text in told if day > since], over)
            yield f"{line} [{status}]" if status else line


def _status(said: str, newer: Sequence[str], over: Sequence[MemoryUse]) -> Status | None:
    if any(is_contained_in(said, memory["text"]) for memory in over):
        return "outdated"
    said = _DAY_BEHIND.sub("", said).strip()
    found = (why for text in newer if (why := find_over(said, text)) and why.grounds != "likely")
    return "earlier" if any(not says_more_than(said, why.old) for why in found) else None


def _day_of(said: str, written: date) -> date:
    """The newest day that the line itself names as its own, else the day the document was written."""
    try:
        return max((date.fromisoformat(day) for day in _DAY.findall(said)), default=written)
    except ValueError:
        return written


def _day_since(memory: MemoryUse) -> date:
    return datetime.fromisoformat(memory["valid_since"]).date()


def _drop_empty_headings(lines: Sequence[str]) -> Iterator[str]:
    """A heading stays when anything but another heading follows it."""
    for place, line in enumerate(lines):
        following = next((each for each in lines[place + 1 :] if each.strip()), "#  ")
        if not _HEADING.match(line) or not _HEADING.match(following) or following.count("#") > line.count("#"):
            yield line
