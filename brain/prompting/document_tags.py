"""Standing documents beside the memories of a turn: what a memory says is not said twice, and old lines are marked."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from brain.documents.prompt_documents import PromptDocument, tag_attributes
from brain.prompting.evidence import find_over, says_more_than
from brain.prompting.memory_choice import is_shown
from brain.prompting.repetition import plain_line, repeats
from brain.safety.fence import Fence
from brain.state import MemoryUse, Status, said_at
from memory.documents.outdated_marks import is_outdated

_DAY = re.compile(r"\b[12]\d{3}-\d{2}-\d{2}\b")
_DAY_BEHIND = re.compile(r"\s*\([12]\d{3}-\d{2}-\d{2}\)")
_MARK_ALONE = re.compile(r"\(outdated since [0-9-]{10}\)\s*$")
_HEADING = re.compile(r"#{1,6} ")


@dataclass(frozen=True, kw_only=True)
class Beside:
    """What is known when a document is shown: the memories of the prompt, and those found to be over, in it or not.

    ``asks_past`` tells whether the question asks for what is over.
    """

    injected: Sequence[MemoryUse]
    over: Sequence[MemoryUse] = ()
    asks_past: bool = False


def document_tag(shown: PromptDocument, beside: Beside, fence: Fence) -> str:
    """The document in its fence, without what a memory beside it says; empty when nothing of it is left.

    What is over stays only where the question asks for it.
    """
    lines = list(_mark_lines(shown, beside))
    text = "\n".join(_drop_empty_headings(lines)).strip()
    return fence.enclose("document", text, tag_attributes(shown.document)) if text else ""


def lines_of(documents: Sequence[PromptDocument], over: Sequence[MemoryUse]) -> list[str]:
    """What the lines of the documents say that hold, whatever is asked and shown beside them."""
    beside = Beside(injected=(), over=over)
    lines = (line for each in documents for line in _mark_lines(each, beside) if not _HEADING.match(line))
    return [plain_line(line) for line in lines if line.strip()]


def _mark_lines(shown: PromptDocument, beside: Beside) -> Iterator[str]:
    written = shown.document.updated_at.date()
    holding = [memory["text"] for memory in beside.injected if is_shown(memory) and not memory.get("status")]
    told = [(_day_said(memory), memory["text"]) for memory in _standing(beside.injected)]
    lines = shown.text.splitlines()
    for line in lines if beside.asks_past else _drop_over_entries(lines):
        said = plain_line(line)
        if not said.strip() or _HEADING.match(line):
            yield line
        elif not any(repeats(said, text) for text in holding):
            since = _day_of(said, written)
            status = _status(said, [text for day, text in told if day > since], beside.over)
            if beside.asks_past or not (status == "outdated" or is_outdated(line)):
                yield f"{line} [{status}]" if status else line


def _drop_over_entries(lines: Sequence[str]) -> list[str]:
    """The lines of a daily note without the words above a mark that stands alone: their memory has ended."""
    kept: list[str] = []
    is_over = False
    for line in reversed(lines):
        ends = not line.strip() or _HEADING.match(line) is not None
        is_over = _MARK_ALONE.match(line) is not None or (is_over and not ends)
        if not is_over:
            kept.append(line)
    return kept[::-1]


def _standing(memories: Sequence[MemoryUse]) -> Iterator[MemoryUse]:
    """What the person said and what is not over: only that puts something older in doubt."""
    return (each for each in memories if each["role"] == "user" and each["epistemic_type"] != "outdated")


def _status(said: str, newer: Sequence[str], over: Sequence[MemoryUse]) -> Status | None:
    if any(repeats(said, memory["text"]) for memory in over):
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


def _day_said(memory: MemoryUse) -> date:
    return datetime.fromisoformat(said_at(memory)).date()


def _drop_empty_headings(lines: Sequence[str]) -> Iterator[str]:
    """A heading stays when anything but another heading follows it."""
    for place, line in enumerate(lines):
        following = next((each for each in lines[place + 1 :] if each.strip()), "#  ")
        if not _HEADING.match(line) or not _HEADING.match(following) or following.count("#") > line.count("#"):
            yield line
