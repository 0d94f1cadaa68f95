"""The statements of Memory Core: named blocks in ``memory/queries/*.sql``, read once."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from types import MappingProxyType

from memory.errors import config_error

_HEADER = re.compile(r"^-- name:[ \t]*(\S*)[ \t]*$", re.MULTILINE)
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_COMMENT = re.compile(r"^[ \t]*--.*\n?", re.MULTILINE)
_PARAMETER = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True)
class SqlStatement:
    """One SQL statement with ``%(x)s`` parameters, the name callers use, and why it exists."""

    name: str
    text: str
    comment: str = ""

    @cached_property
    def wire(self) -> "Wire":
        """The statement as the server reads it. Made once: psycopg reads a long one anew at every call."""
        names = tuple(dict.fromkeys(_PARAMETER.findall(self.text)))
        numbers = {name: f"${number}" for number, name in enumerate(names, 1)}
        return Wire(_PARAMETER.sub(lambda found: numbers[found[1]], self.text).encode(), names)


@dataclass(frozen=True)
class Wire:
    """A statement with ``$n`` parameters, and which names they stand for."""

    text: bytes
    names: tuple[str, ...]

    def values(self, params: Mapping[str, object]) -> list[object]:
        """The parameters in the order of their numbers. Raises ``KeyError`` when one was forgotten."""
        return [params[name] for name in self.names]


@cache
def statements(folder: str = "memory.queries") -> Mapping[str, SqlStatement]:
    """Every named statement of a folder."""
    sources = (file for file in files(folder).iterdir() if file.name.endswith(".sql"))
    ordered = sorted(sources, key=lambda file: file.name)
    return MappingProxyType(parse((file.name, file.read_text("utf-8")) for file in ordered))


def statement(name: str, folder: str = "memory.queries") -> SqlStatement:
    """The statement of that name; asking for one that does not exist is a mistake in Brain itself."""
    try:
        return statements(folder)[name]
    except KeyError:
        place = folder.replace(".", "/")
        raise config_error(f"There is no SQL statement named {name!r}.", f"Add it to {place}.") from None


def parse(sources: Iterable[tuple[str, str]]) -> dict[str, SqlStatement]:
    """Split files (name, text) into statements; a duplicate, nameless or empty block is refused."""
    found: dict[str, SqlStatement] = {}
    for file_name, text in sources:
        for block in _blocks(file_name, text):
            if block.name in found:
                raise config_error(f"{file_name}: the statement {block.name!r} is defined twice.", "Rename one.")
            found[block.name] = block
    return found


def _blocks(file_name: str, text: str) -> Iterable[SqlStatement]:
    preamble, *parts = _HEADER.split(text)
    if _COMMENT.sub("", preamble).strip():
        raise config_error(f"{file_name}: there is SQL before the first '-- name:' line.", "Give it a name.")
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        yield _statement(file_name, name, body)


def _statement(file_name: str, name: str, body: str) -> SqlStatement:
    if not _NAME.fullmatch(name):
        raise config_error(f"{file_name}: {name!r} cannot name a statement.", "Use lower_case words.")
    text = _COMMENT.sub("", body).strip().removesuffix(";").rstrip()
    if not text:
        raise config_error(f"{file_name}: the statement {name!r} is empty.", "Write it or remove its name.")
    comment = " ".join(line.strip().removeprefix("--").strip() for line in _COMMENT.findall(body))
    return SqlStatement(name, text, comment)
