"""Making many values of a frozen dataclass."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

Value = TypeVar("Value")


def build_frozen(kind: type[Value], *parts: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> Value:
    """A value of a frozen dataclass from all of its fields, given in one or several parts.

    A frozen dataclass sets its fields one by one through ``object.__setattr__``; for the sixty rows of a recall that is
    a tenth of the whole time. ``__post_init__`` is left to the caller.
    """
    made = object.__new__(kind)
    for part in parts:
        made.__dict__.update(part)
    return made
