"""Rows straight into frozen dataclasses."""

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from psycopg import AsyncCursor
from psycopg.rows import class_row

Row = TypeVar("Row")


def frozen_row(kind: type[Row]) -> Callable[[AsyncCursor[Any]], Callable[[Sequence[Any]], Row]]:
    """Like psycopg's ``class_row``, for columns that are exactly the fields of a frozen dataclass.

    A frozen dataclass sets its fields one by one through ``object.__setattr__``; for the sixty rows of a recall that is
    a tenth of the whole time. Anything but a full set of fields goes the ordinary way.
    """

    def rows(cursor: AsyncCursor[Any]) -> Callable[[Sequence[Any]], Row]:
        names = [column.name for column in cursor.description or ()]
        if not is_dataclass(kind) or set(names) != {each.name for each in fields(kind)}:
            return class_row(kind)(cursor)
        settle: Callable[[Row], None] | None = getattr(kind, "__post_init__", None)

        def row(values: Sequence[Any]) -> Row:
            made = object.__new__(kind)
            made.__dict__.update(zip(names, values, strict=True))
            if settle is not None:
                settle(made)
            return made

        return row

    return rows
