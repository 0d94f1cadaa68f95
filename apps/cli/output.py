"""What leaves the terminal: JSON for scripts, tables for people, nothing that could drive the terminal itself."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from datetime import date
from typing import Any, TextIO
from uuid import UUID

from rich.console import Console
from rich.table import Table
from rich.text import Text

_CONTROLS = {code: "\ufffd" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


def printable(text: str) -> str:
    """The text without control characters and lone surrogates: a memory must not drive the terminal."""
    return text.translate(_CONTROLS).encode("utf-8", "replace").decode("utf-8")


def emit(value: object) -> None:
    """One JSON value on one line of stdout, at once."""
    print(json.dumps(value, ensure_ascii=False, default=_plain), flush=True)


def say(text: str) -> None:
    """One line of text for a person."""
    print(printable(text), flush=True)


def show_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table whose cells are taken literally; the last column takes what room there is and wraps in it."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, no_wrap=column != columns[-1], overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(str(cell))) for cell in row))
    Console(file=sys.stdout, markup=False, highlight=False).print(table)


def show_fields(fields: Mapping[str, object]) -> None:
    """Name and value, one pair per line."""
    width = max((len(name) for name in fields), default=0)
    for name, value in fields.items():
        say(f"{name:<{width}}  {value}")


def speak_utf8() -> None:
    """Make stdin, stdout and stderr UTF-8 whatever the locale, so that no character can end a conversation."""
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "replace"), (sys.stderr, "replace")):
        _reconfigure(stream, errors)


def _reconfigure(stream: TextIO | None, errors: str) -> None:
    reconfigure: Any = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors=errors)


def _plain(value: object) -> object:
    match value:
        case UUID():
            return str(value)
        case date():
            return value.isoformat()
        case Mapping():
            return dict(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        case _ if is_dataclass(value) and not isinstance(value, type):
            return asdict(value)
        case _:
            raise TypeError(f"{type(value).__name__} has no JSON form here")
