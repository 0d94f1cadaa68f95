"""Rows straight into frozen dataclasses."""

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from psycopg import AsyncCursor
from psycopg.rows import class_row

from memory.frozen import frozen

Row = TypeVar("Row")


def frozen_row(kind: type[Row]) -> Callable[[AsyncCursor[Any]], Callable[[Sequence[Any]], Row]]:
    """Like psycopg's ``class_row``, faster, for columns that are exactly the fields of a frozen dataclass.

    Anything but a full set of fields goes the ordinary way.
    """

    def rows(cursor: AsyncCursor[Any]) -> Callable[[Sequence[Any]], Row]:
        names = [column.name for column in cursor.description or ()]
        if not is_dataclass(kind) or set(names) != {each.name for each in fields(kind)}:
            return class_row(kind)(cursor)
        settle: Callable[[Row], None] | None = getattr(kind, "__post_init__", None)

        def row(values: Sequence[Any]) -> Row:
            made = frozen(kind, names, values)
            if settle is not None:
                settle(made)
            return made

        return row

    return rows
