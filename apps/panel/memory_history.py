"""The history of a memory as a person reads it: what each version changed, and in its words what came and went."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from language.secrets import mask_secrets
from memory.memory_item import MemoryVersion
from memory.versions import differences

_UNITS = re.compile(r"[A-Za-z0-9'’]+|\s+|.", re.DOTALL)
_SHOWN_FIELDS = frozenset(
    {"content", "memory_type", "status", "confidence", "valid_at", "invalid_at", "negated", "stale", "use"}
)
"""Fields of a snapshot that mean something to a person."""
MAX_COMPARED_UNITS = 1_000
"""Words or lines between which changes are looked for, which takes the square of them; more are shown as a whole."""
MAX_VERSIONS = 50
"""Versions of a memory that a page compares, the newest."""


@dataclass(frozen=True)
class WordChange:
    """A stretch of words that stayed, came or went."""

    kind: Literal["same", "added", "removed"]
    text: str


@dataclass(frozen=True, kw_only=True)
class VersionStep:
    """A version, and in what it differs from the one before; ``fields`` are name, old and new value."""

    version: MemoryVersion
    words: tuple[WordChange, ...]
    fields: tuple[tuple[str, str, str], ...]

    @property
    def was_in_use(self) -> bool:
        """Whether the memory was read in this version."""
        return self.version.snapshot["status"] == "active"


def describe_history(versions: Sequence[MemoryVersion]) -> list[VersionStep]:
    """One step for each of the newest ``MAX_VERSIONS`` versions, newest first; ``versions`` begin with the oldest.

    Takes up to a second of processor time for long texts: call it in a thread.
    """
    before: list[MemoryVersion | None] = [None, *versions[:-1]]
    pairs = list(zip(before, versions, strict=True))[-MAX_VERSIONS:]
    return [_step(old, new) for old, new in reversed(pairs)]


def compare_words(old: str, new: str) -> tuple[WordChange, ...]:
    """What went and what came, word by word; ideographs count as words."""
    return tuple(_compare(_UNITS.findall(old), _UNITS.findall(new)))


def compare_lines(old: str, new: str) -> tuple[WordChange, ...]:
    """Which lines went and which came; those that stayed are left out."""
    changes = _compare(old.splitlines(keepends=True), new.splitlines(keepends=True))
    return tuple(each for each in changes if each.kind != "same" and each.text.strip())


def _compare(old: Sequence[str], new: Sequence[str]) -> Iterator[WordChange]:
    """What stays at both ends, and between them what changed."""
    shorter = min(len(old), len(new))
    begin = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    rest = shorter - begin
    end = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    if begin:
        yield WordChange("same", "".join(new[:begin]))
    yield from _compare_middle(old[begin : len(old) - end], new[begin : len(new) - end])
    if end:
        yield WordChange("same", "".join(new[len(new) - end :]))


def _compare_middle(old: Sequence[str], new: Sequence[str]) -> Iterator[WordChange]:
    if max(len(old), len(new)) > MAX_COMPARED_UNITS:
        opcodes = [("replace", 0, len(old), 0, len(new))]
    else:
        opcodes = SequenceMatcher(None, old, new).get_opcodes()
    for kind, i, j, k, m in opcodes:
        if kind == "equal":
            yield WordChange("same", "".join(old[i:j]))
            continue
        if i < j:
            yield WordChange("removed", "".join(old[i:j]))
        if k < m:
            yield WordChange("added", "".join(new[k:m]))


def _step(old: MemoryVersion | None, new: MemoryVersion) -> VersionStep:
    content = _content(new)
    if old is None:
        return VersionStep(version=new, words=(WordChange("added", content),), fields=())
    changed = differences(old.snapshot, new.snapshot)
    fields = [(name, _plain(a), _plain(b)) for name, (a, b) in changed.items() if name in _SHOWN_FIELDS - {"content"}]
    return VersionStep(version=new, words=compare_words(_content(old), content), fields=tuple(fields))


def _content(version: MemoryVersion) -> str:
    return mask_secrets(str(version.snapshot.get("content", "")))


def _plain(value: object) -> str:
    return "—" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)[:200]
