"""Rows of a file, whatever its format: each with the place where it stands, or why it is none."""

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Any, cast

import yaml

from knowledge.entries import MAX_CHARACTERS
from memory.errors import BrainError, bad_request

_FRONT = re.compile(r"\A---[ \t]*\n(.{0,4000}?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*)")
_CODE = ("```", "~~~")
_MAX_FRONT_DEPTH = 5
"""How deep fields may be nested: a list of relations is three deep."""
_FORMULA = re.compile(r"^(?:[=@\t\r]|[+-](?![\d.,\s]))")
"""A cell that a table would compute: it says something else there than here."""
csv.field_size_limit(1_000_000)


@dataclass(frozen=True)
class FileRow:
    """What stands at a place of a file, or why that cannot be taken."""

    place: str
    values: Mapping[str, Any]
    refusal: BrainError | None = None


def read_rows(suffix: str, text: str) -> Iterator[FileRow]:
    """The rows of a file. Raises ``E_BAD_REQUEST`` where it is none of its kind at all."""
    if suffix in (".md", ".markdown"):
        return _markdown_rows(text)
    return _csv_rows(text) if suffix == ".csv" else _json_rows(text)


def _json_rows(text: str) -> Iterator[FileRow]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield _json_row(f"line {number}", line)


def _json_row(place: str, line: str) -> FileRow:
    try:
        held: object = json.loads(line)
    except (ValueError, RecursionError):
        return FileRow(place, {}, bad_request("It is no JSON."))
    if not isinstance(held, dict):
        return FileRow(place, {}, bad_request("It is no JSON object."))
    return FileRow(place, cast("Mapping[str, Any]", held))


def _csv_rows(text: str) -> Iterator[FileRow]:
    reader = csv.DictReader(StringIO(text, newline=""), strict=True)
    try:
        names = [(name or "").strip().lower() for name in reader.fieldnames or ()]
        if "text" not in names:
            raise bad_request("It has no column 'text'.", "Name the columns in its first line.")
        reader.fieldnames = names
        for row in reader:
            yield _csv_row(f"line {reader.line_num}", row)
    except csv.Error as error:
        raise bad_request(f"It is no CSV (line {reader.line_num}: {error}).") from None


def _csv_row(place: str, row: Mapping[Any, Any]) -> FileRow:
    cells = {name: value for name, value in row.items() if isinstance(name, str) and isinstance(value, str)}
    if None in row:
        return FileRow(place, {}, bad_request("It has more cells than there are columns."))
    formulas = [name for name, value in cells.items() if _FORMULA.match(value)]
    if formulas:
        return FileRow(place, {}, bad_request(f"The cell {formulas[0]} is a formula.", "Put its value there."))
    return FileRow(place, cells)


def _markdown_rows(text: str) -> Iterator[FileRow]:
    """Each section is an entry, known by its headings; what is too long is cut between paragraphs."""
    plain = text.replace("\r\n", "\n")
    front, body = _read_front(plain)
    seen = dict[str, int]()
    for path, section in _sections(body):
        title = " › ".join(path)
        count = seen[title] = seen.get(title, 0) + 1
        for number, part in enumerate(_parts(section, MAX_CHARACTERS - len(title) - 2), 1):
            key = f"{title}#{count}.{number}"
            whole = f"{title}\n{part}" if title else part
            yield FileRow(title or "its beginning", {**front, "text": whole, "id": _short_key(key)})


def _read_front(text: str) -> tuple[Mapping[str, Any], str]:
    """The fields of all entries of the file, and what stands below them."""
    found = _FRONT.match(text)
    if not found:
        return {}, text
    try:
        _require_flat(found[1])
        held: object = yaml.safe_load(found[1])
    except (yaml.YAMLError, ValueError, OverflowError):
        raise bad_request("What stands between its first lines of dashes is no YAML.") from None
    if not isinstance(held, dict):
        raise bad_request("What stands between its first lines of dashes are no fields.")
    fields = cast("Mapping[str, Any]", held)
    return {str(name): value for name, value in fields.items() if name not in ("text", "id")}, text[found.end() :]


def _require_flat(front: str) -> None:
    """Raises ``ValueError`` for fields within fields within fields: the parser takes very long over them, or ends."""
    depth = 0
    events = cast("Iterator[object]", yaml.parse(front, Loader=yaml.SafeLoader))  # pyright: ignore[reportUnknownMemberType]
    for event in events:
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _MAX_FRONT_DEPTH:
            raise ValueError


@dataclass(frozen=True)
class _Heading:
    """Where its line begins and ends, how deep it is, and what it says."""

    start: int
    end: int
    level: int
    title: str


def _headings(body: str) -> Iterator[_Heading]:
    """The headings in order, in one pass; a line of code is none, and a fence that nothing closes begins no code."""
    lines, start, code = body.split("\n"), 0, ""
    closed = {line.rstrip(" \t"): number for number, line in enumerate(lines) if line.rstrip(" \t") in _CODE}
    for number, line in enumerate(lines):
        if code:
            code = "" if line.rstrip(" \t") == code else code
        elif closed.get(line[:3], -1) > number:
            code = line[:3]
        elif found := _HEADING.match(line):
            yield _Heading(start, start + len(line), len(found[1]), _title(found[2]))
        start += len(line) + 1


def _title(told: str) -> str:
    """Without the marks that may close a heading."""
    return (told.rstrip(" \t").rstrip("#").rstrip(" \t") or told)[:200]


def _sections(body: str) -> Iterator[tuple[list[str], str]]:
    """The headings above a section, and what it says."""
    headings = list(_headings(body))
    path: list[tuple[int, str]] = []
    yield from _section([], body[: headings[0].start if headings else len(body)])
    for number, heading in enumerate(headings):
        path = [*((depth, title) for depth, title in path if depth < heading.level), (heading.level, heading.title)]
        end = headings[number + 1].start if number + 1 < len(headings) else len(body)
        yield from _section([title for _, title in path], body[heading.end : end])


def _section(path: list[str], text: str) -> Iterator[tuple[list[str], str]]:
    if text.strip():
        yield path, text.strip()


def _parts(text: str, most: int) -> Iterator[str]:
    start = 0
    while len(text) - start > most:
        half, full = start + most // 2, start + most
        end = max(text.rfind("\n\n", half, full), text.rfind("\n", half, full))
        end = end if end > 0 else full
        if part := text[start:end].strip():
            yield part
        start = end
    if part := text[start:].strip():
        yield part


def _short_key(key: str) -> str:
    """A place by its headings; very long ones by their end, which is what differs."""
    return key[-200:]
