"""The YAML at the head of a Markdown file, read and written as one strict subset.

PyYAML splits the text into its parts, because people write all of YAML's quotes and blocks; what the parts mean is
decided here. Tags, anchors and aliases are refused instead of followed, so nothing can be constructed or multiplied,
depth and number of values are bounded, and plain words mean what YAML 1.2's core says: ``no`` and ``12:30`` stay text.
"""
# pyright: reportUnknownMemberType=false
# PyYAML leaves its types partly open.

import re
from collections.abc import Iterator
from typing import Any, cast

import yaml
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

from memory.documents.document import FRONT_BYTES, FRONT_DEPTH, FRONT_VALUES, Front
from memory.errors import BrainError, bad_request

MAX_FRONT_BYTES = 4 * FRONT_BYTES
"""Bytes of YAML that are read: escaped, a character may take four times the room that it takes in JSON."""
MAX_VALUES = FRONT_VALUES + 20
"""A document's own, and the few that tell which version a file was made of."""

_INT = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "~": None, "": None}
_BREAKS = re.compile("[\n\r\x85\u2028\u2029]")
_LIST, _TEXT = "tag:yaml.org,2002:seq", "tag:yaml.org,2002:str"


def parse_front(text: str) -> dict[str, object]:
    """The fields of a front matter. Raises ``E_BAD_REQUEST`` for what is no YAML, or more of it than is taken here."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_FRONT_BYTES:
        raise bad_request(f"The front matter is longer than {MAX_FRONT_BYTES:,} bytes.", "Shorten it.")
    try:
        return _Reader(cast("Iterator[Event]", yaml.parse(text, Loader=yaml.SafeLoader))).read_document()
    except (yaml.YAMLError, ValueError) as error:
        if isinstance(error, BrainError):
            raise
        raise _front_error(f"is not understood ({_error_location(error)})") from None


def dump_front(front: Front) -> str:
    """The fields as YAML that ``parse_front`` reads back as they were; empty for none."""
    if not front:
        return ""
    return yaml.dump(dict(front), Dumper=_Writer, allow_unicode=True, sort_keys=False, width=2**31)


class _Reader:
    """One document out of the parts that PyYAML finds, as far as they are taken here."""

    def __init__(self, events: Iterator[Event]) -> None:
        self._events = events
        self._values = 0

    def read_document(self) -> dict[str, object]:
        self._expect(StreamStartEvent)
        first = next(self._events)
        if isinstance(first, StreamEndEvent):
            return {}
        value = self._read_value(next(self._events), 0)
        self._expect(DocumentEndEvent)
        self._expect(StreamEndEvent)
        if value is None:
            return {}
        if not isinstance(first, DocumentStartEvent) or not isinstance(value, dict):
            raise _front_error("is no list of fields")
        return cast("dict[str, object]", value)

    def _expect(self, kind: type[Event]) -> None:
        if not isinstance(next(self._events), kind):
            raise _front_error("holds more than one document")

    def _read_value(self, event: Event, depth: int) -> object:
        self._values += 1
        if depth > FRONT_DEPTH or self._values > MAX_VALUES:
            raise _front_error(f"holds more than {FRONT_VALUES:,} values, or nests deeper than {FRONT_DEPTH}")
        if isinstance(event, AliasEvent) or getattr(event, "anchor", None) or getattr(event, "tag", None):
            raise _front_error("uses an anchor, an alias or a tag")
        match event:
            case ScalarEvent():
                return _parse_scalar(event)
            case SequenceStartEvent():
                return list(self._read_items(depth))
            case MappingStartEvent():
                return self._read_fields(depth)
            case _:
                raise _front_error("is not understood")

    def _read_items(self, depth: int) -> Iterator[object]:
        while not isinstance(event := next(self._events), SequenceEndEvent):
            yield self._read_value(event, depth + 1)

    def _read_fields(self, depth: int) -> dict[str, object]:
        fields: dict[str, object] = {}
        while not isinstance(event := next(self._events), MappingEndEvent):
            self._read_value(event, depth + 1)
            name = cast("str", event.value) if isinstance(event, ScalarEvent) else ""
            if not isinstance(event, ScalarEvent) or name in fields:
                raise _front_error("has a field whose name is no text, or stands there twice")
            fields[name] = self._read_value(next(self._events), depth + 1)
        return fields


def _parse_scalar(event: ScalarEvent) -> object:
    text = cast("str", event.value)
    if not cast("tuple[bool, bool]", event.implicit)[0]:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text):
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _front_error(why: str) -> BrainError:
    return bad_request(
        f"The front matter {why}.", "Keep it to plain fields such as «name: Ann» and «tags: [tea, boats]»."
    )


def _error_location(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    return f"line {mark.line + 1}" if mark is not None else type(error).__name__


class _Writer(yaml.SafeDumper):
    """Quotes exactly what would be read as something else here, and never refers back to a value."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _write_text(writer: _Writer, text: str) -> yaml.Node:
    return writer.represent_scalar(_TEXT, text, style='"' if _BREAKS.search(text) else None)


def _write_list(writer: _Writer, values: list[object]) -> yaml.Node:
    return writer.represent_sequence(_LIST, values, flow_style=True)


_Writer.yaml_implicit_resolvers = {}
_Writer.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(rf"{_INT.pattern}\Z"), list("-+0123456789"))
_Writer.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(rf"(?:{_FLOAT.pattern})\Z"), list("-+.0123456789"))
_Writer.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"(?:true|false)\Z"), list("tf"))
_Writer.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"(?:null|~|)\Z"), ["n", "~", ""])
_Writer.add_representer(str, _write_text)
_Writer.add_representer(list, _write_list)
