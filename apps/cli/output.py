"""What leaves the terminal: JSON for scripts, tables for people, nothing that could drive the terminal itself."""

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, is_dataclass
from datetime import date
from typing import Any, TextIO, cast
from uuid import UUID

from pydantic import BaseModel
from rich.console import Console
from rich.table import Table
from rich.text import Text

_CONTROLS = {code: "\ufffd" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


_LONGEST_ID, _SHORT = 36, 16
"""Widths of a cell up to which it stays whole: one that is a single word, and any other, such as a date and a time."""


def printable(text: str) -> str:
    """The text without control characters and lone surrogates: a memory must not drive the terminal."""
    return text.translate(_CONTROLS).encode("utf-8", "replace").decode("utf-8")


def emit(value: object) -> None:
    """One JSON value on one line of stdout, at once."""
    print(json.dumps(value, ensure_ascii=False, default=_to_json), flush=True)


def say(text: str) -> None:
    """One line of text for a person."""
    print(printable(text), flush=True)


def show_model(found: BaseModel) -> None:
    """What an endpoint answers, as JSON for people: a field a line."""
    say(found.model_dump_json(indent=1))


def show_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table whose cells are taken literally. Where room is short its texts wrap, and nothing is cut off."""
    cells = [[Text(printable(str(cell))) for cell in row] for row in rows]
    console = Console(file=sys.stdout, markup=False, highlight=False)
    whole = _whole_columns(
        [[Text(name), *(row[at] for row in cells)] for at, name in enumerate(columns)], console.width
    )
    table = Table(box=None, pad_edge=False, header_style="bold")
    for at, column in enumerate(columns):
        table.add_column(column, no_wrap=at in whole, overflow="fold")
    for row in cells:
        table.add_row(*row)
    console.print(table)


def _whole_columns(columns: Sequence[Sequence[Text]], width: int) -> set[int]:
    """Which columns never wrap: all but the last that hold ids, numbers, dates, words; where room is short, the widest
    of them wrap first.
    """
    widest = [max(cell.cell_len for cell in column) for column in columns]
    short = {
        at for at, size in enumerate(widest[:-1]) if size <= (_LONGEST_ID if _is_single_word(columns[at]) else _SHORT)
    }
    while sum(widest[at] + 2 for at in short) > width - _SHORT:
        short.remove(max(short, key=lambda at: widest[at]))
    return short


def _is_single_word(cells: Sequence[Text]) -> bool:
    return not any(" " in cell.plain for cell in cells)


def plain_text(value: object) -> str:
    """A value of a memory as a person would write it: no brackets, yes and no, nothing as nothing."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            return ", ".join(map(plain_text, cast("Sequence[object]", value)))
        case Mapping():
            named = cast("Mapping[str, object]", value)
            return "; ".join(f"{name} {plain_text(each)}" for name, each in named.items())
        case _:
            return str(value)


def show_fields(fields: Mapping[str, object]) -> None:
    """Name and value, one pair per line."""
    width = max((len(name) for name in fields), default=0)
    for name, value in fields.items():
        say(f"{name:<{width}}  {value}")


def use_utf8() -> None:
    """Make stdin, stdout and stderr UTF-8 whatever the locale, so that no character can end a conversation."""
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "replace"), (sys.stderr, "replace")):
        _reconfigure(stream, errors)


def open_missing_streams() -> None:
    """Give a process that was started without stdout or stderr the null device in their place.

    Otherwise the next file or connection would get their number, and what a library prints would go there.
    """
    for number, name in ((1, "stdout"), (2, "stderr")):
        if getattr(sys, name) is None:
            with suppress(OSError):
                _lead_nowhere(number)
                setattr(sys, name, os.fdopen(number, "w"))


def leave_unread(stream: TextIO) -> None:
    """Nobody reads a stream any more: what is written to it from now on goes nowhere, and is no error."""
    with suppress(OSError):
        _lead_nowhere(stream.fileno())


def finish_log() -> None:
    """Write what is left of the log. Where that is not possible, the exit code tells of the command all the same."""
    try:
        sys.stderr.flush()
    except OSError:
        leave_unread(sys.stderr)


def _lead_nowhere(number: int) -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    if null != number:
        os.dup2(null, number)
        os.close(null)


def _reconfigure(stream: TextIO | None, errors: str) -> None:
    reconfigure: Any = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors=errors)


def _to_json(value: object) -> object:
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
