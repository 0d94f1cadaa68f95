"""What a person changed in an exported document: lines of their own, and lines that memories were made into."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from brain.documents.profile import find_section, replace_section, strip_section
from memory.documents.document import Document, DocumentDraft, Front

_MADE = re.compile(r"- (?P<text>.*?)(?: \((?:outdated since [0-9-]{10}|perhaps outdated)\))? <!-- (?P<mark>\S+) -->")
_DAY = re.compile(r"\s*\([0-9]{4}-[0-9]{2}-[0-9]{2}\)$")
_NAMED = re.compile(r"[^\"“”:：]{1,80}[:：] (?P<quoted>[\"“].*[\"”])")
_QUOTES = '"“”'


@dataclass(frozen=True, kw_only=True)
class MemoryEdit:
    """One memory that an edit of its line corrects; ``words`` is empty where the line was taken out."""

    memory_id: UUID
    words: str


@dataclass(frozen=True, kw_only=True)
class Edits:
    """What an edited file asks for in the generated part: changes of memories, or reasons why it asks in vain."""

    memories: tuple[MemoryEdit, ...] = ()
    refused: tuple[str, ...] = ()


def edits_of(base: Document, file: DocumentDraft) -> Edits:
    """The difference between the generated parts of a version and of its edited copy.

    A line taken out of MEMORY is no change of a memory: it stays out of MEMORY.
    """
    before, after = find_section(base.body), find_section(file.body)
    if before is None or before == after:
        return Edits()
    if after is None:
        return Edits(refused=("the marks around the part that Brain writes are gone; export it again and keep them",))
    held, now = _lines_by_mark(before), _lines_by_mark(after)
    refused = [*_find_unknown_lines(before, after), *_find_duplicates(after)]
    memories: list[MemoryEdit] = []
    for mark, text in held.items():
        if mark not in now and base.kind == "memory":
            continue
        edit = _line_edit(mark, text, now.get(mark, ""))
        if isinstance(edit, str):
            refused.append(edit)
        elif edit is not None:
            memories.append(edit)
    return Edits(memories=tuple(memories), refused=tuple(refused))


def own_part(document: Document | DocumentDraft) -> str:
    """What a person wrote themselves."""
    return strip_section(document.body).strip()


def rebase_edits(base: Document, file: DocumentDraft, held: Document) -> DocumentDraft:
    """The person's own lines and fields in the version that stands now, whose generated part Brain wrote since.

    Lines that were taken out of it stay out.
    """
    gone = _lines_by_mark(find_section(base.body) or "").keys() - _lines_by_mark(find_section(file.body) or "").keys()
    section = find_section(held.body)
    body = file.body
    if section is not None:
        inner = "".join(line for line in section.splitlines(keepends=True)[1:-1] if _mark(line) not in gone)
        body = replace_section(file.body, inner)
    return DocumentDraft(
        kind=file.kind, name=file.name, body=body, front=_merge_fields(base.front, file.front, held.front)
    )


def _merge_fields(base: Front, file: Front, held: Front) -> dict[str, object]:
    """The fields as they stand, with those that the person changed, added or took out."""
    changed = {name: value for name, value in file.items() if name not in base or base[name] != value}
    removed = base.keys() - file.keys()
    return {name: value for name, value in held.items() if name not in removed} | changed


def _lines_by_mark(section: str) -> Mapping[str, str]:
    """The lines that were made of something, by their marks."""
    found = (_MADE.fullmatch(line.strip()) for line in section.splitlines())
    return {each["mark"]: each["text"] for each in found if each}


def _mark(line: str) -> str:
    found = _MADE.fullmatch(line.strip())
    return found["mark"] if found else ""


def _find_unknown_lines(before: str, after: str) -> Iterator[str]:
    """Lines that nothing was made into."""
    known = {line.strip() for line in before.splitlines()}
    for line in after.splitlines():
        if line.strip() and line.strip() not in known and not _mark(line):
            yield (
                f"{_shorten(line)} stands in the part that Brain writes, where it would be lost; write it above or "
                "below that part, or say it in a conversation"
            )


def _find_duplicates(after: str) -> Iterator[str]:
    marks = [mark for line in after.splitlines() if (mark := _mark(line))]
    if len(set(marks)) < len(marks):
        yield "one line of the part that Brain writes stands there twice; keep one of them"


def _line_edit(mark: str, before: str, after: str) -> MemoryEdit | str | None:
    if before == after:
        return None
    try:
        memory_id = UUID(mark)
    except ValueError:
        return f"{_shorten(before)} was drawn from a daily note or counted; it cannot be edited here"
    words = _words(after)
    if after and words == _words(before):
        return f"{_shorten(before)} keeps its day and its name: they are those of the turn that says so"
    return MemoryEdit(memory_id=memory_id, words=words)


def _words(text: str) -> str:
    """What a line says, without its day, the name before a quotation, and the quotes."""
    plain = _DAY.sub("", text.strip())
    named = _NAMED.fullmatch(plain)
    plain = named["quoted"] if named else plain
    quoted = len(plain) > 1 and plain[0] in _QUOTES and plain[-1] in _QUOTES
    return plain[1:-1].strip() if quoted else plain


def _shorten(line: str) -> str:
    text = " ".join(line.split())
    return f"'{text[:60]}…'" if len(text) > 60 else f"'{text}'"
