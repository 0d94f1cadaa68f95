"""Rows straight into frozen dataclasses."""

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

from psycopg import AsyncCursor
from psycopg.rows import class_row

from memory.frozen_dataclass import build_frozen

Row = TypeVar("Row")
RowMaker = Callable[[Sequence[Any]], Row]


@cache
def frozen_row(kind: type[Row]) -> Callable[[AsyncCursor[Any]], RowMaker[Row]]:
    """Like psycopg's ``class_row``, faster, for columns that are exactly the fields of a frozen dataclass.

    Anything but a full set of fields goes the ordinary way.
    """

    def rows(cursor: AsyncCursor[Any]) -> RowMaker[Row]:
        names = _columns(cursor)
        return _maker(kind, names) if frozenset(names) == _fields(kind) else class_row(kind)(cursor)

    return rows


def _columns(cursor: AsyncCursor[Any]) -> list[str]:
    """The names alone: psycopg's own description builds an object per column, at every statement."""
    result = cursor.pgresult
    names = [result.fname(number) for number in range(result.nfields)] if result else []
    return [name.decode() for name in names if name]


@cache
def _fields(kind: type[Any]) -> frozenset[str]:
    return frozenset(each.name for each in fields(kind)) if is_dataclass(kind) else frozenset()


def _maker(kind: type[Row], names: Sequence[str]) -> RowMaker[Row]:
    settle: Callable[[Row], None] | None = getattr(kind, "__post_init__", None)

    def row(values: Sequence[Any]) -> Row:
        made = build_frozen(kind, dict(zip(names, values, strict=True)))
        if settle is not None:
            settle(made)
        return made

    return row
