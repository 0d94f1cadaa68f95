"""Parts of a document that stand in a comment while a memory is excluded from use: kept whole, read by nobody."""

import re
from collections.abc import Callable, Iterator
from html import escape, unescape
from uuid import UUID

_ID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_HIDDEN = re.compile(rf"^<!-- excluded (?P<ids>{_ID}(?: {_ID})*)\n(?P<lines>(?:\|[^\n]*\n)*)-->\n?", re.MULTILINE)


def hide_part(part: str, memory_id: UUID) -> str:
    """The part in a comment that names the memory; one that is hidden already names it as well."""
    held = _HIDDEN.fullmatch(part)
    if held is None:
        return _comment(part, [str(memory_id)])
    return _comment(reveal_part(part), list(dict.fromkeys((*held["ids"].split(), str(memory_id)))))


def reveal_part(part: str) -> str:
    """What a hidden part says; any other part as it is."""
    held = _HIDDEN.fullmatch(part)
    if held is None:
        return part
    lines = held["lines"].split("\n")[:-1]
    return "".join(f"{unescape(line.removeprefix('|').removeprefix(' '))}\n" for line in lines)


def reveal_memory(body: str, memory_id: UUID) -> str:
    """The text with the parts of a memory shown again, except those that another excluded memory hides as well."""
    return "".join(_without_id(part, str(memory_id)) for part in split_hidden(body, lambda text: [text]))


def hiding_pattern(memory_id: UUID) -> str:
    """What a LIKE finds in a body that hides something of a memory."""
    return f"%<!-- excluded %{memory_id}%"


def escape_hidden(text: str) -> str:
    """Text as it is spelt within a hidden part: nothing in it ends the comment."""
    return escape(text, quote=False)


def split_hidden(body: str, split: Callable[[str], list[str]]) -> Iterator[str]:
    """Parts whose sum is the text: each hidden one, and what lies between them, ``split`` further."""
    start = 0
    for held in _HIDDEN.finditer(body):
        yield from split(body[start : held.start()])
        yield held[0]
        start = held.end()
    yield from split(body[start:])


def _without_id(part: str, memory_id: str) -> str:
    held = _HIDDEN.fullmatch(part)
    if held is None or memory_id not in held["ids"].split():
        return part
    others = [each for each in held["ids"].split() if each != memory_id]
    return _comment(reveal_part(part), others) if others else reveal_part(part)


def _comment(text: str, ids: list[str]) -> str:
    lines = (f"| {line}\n" for line in escape_hidden(text).removesuffix("\n").split("\n"))
    return f"<!-- excluded {' '.join(ids)}\n{''.join(lines)}-->\n"
