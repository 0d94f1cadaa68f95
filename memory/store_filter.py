"""LangGraph's filters over stored values, as ``brain.matches_filter`` in the database applies them."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from memory.errors import bad_request

COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
OPERATORS = frozenset({"$eq", "$ne", *COMPARISONS})


def require_filter(wanted: object) -> None:
    """Refuse operators that there are not. Raises ``E_BAD_REQUEST``."""
    if isinstance(wanted, Mapping):
        named = cast("Mapping[str, object]", wanted)
        _require_operators(named)
        for value in named.values():
            require_filter(value)
    elif isinstance(wanted, list | tuple):
        for value in cast("Sequence[object]", wanted):
            require_filter(value)


def matches_filter(item: object, wanted: object) -> bool:
    """Whether a JSON value is as wanted: equal, element by element, or by operators. A missing key counts as null."""
    if isinstance(wanted, Mapping):
        return _matches_object(item, cast("Mapping[str, object]", wanted))
    if isinstance(wanted, list | tuple):
        parts = cast("Sequence[object]", wanted)
        same = isinstance(item, list | tuple) and len(cast("Sequence[object]", item)) == len(parts)
        return same and all(map(matches_filter, cast("Sequence[object]", item), parts))
    return _is_equal(item, wanted)


def _require_operators(named: Mapping[str, object]) -> None:
    operators = {name for name in named if name.startswith("$")}
    if operators and (operators != set(named) or not operators <= OPERATORS):
        raise bad_request(
            f"The filter uses {', '.join(sorted(named))}, which cannot be compared by.",
            f"Use {', '.join(sorted(OPERATORS))}, or plain values.",
        )


def _matches_object(item: object, wanted: Mapping[str, object]) -> bool:
    if any(name.startswith("$") for name in wanted):
        return all(_compare(item, name, value) for name, value in wanted.items())
    if not isinstance(item, Mapping):
        return False
    held = cast("Mapping[str, object]", item)
    return all(matches_filter(held.get(name), value) for name, value in wanted.items())


def _compare(item: object, name: str, value: object) -> bool:
    if name in ("$eq", "$ne"):
        return _is_equal(item, value) == (name == "$eq")
    comparable = (_is_number(item) and _is_number(value)) or (isinstance(item, str) and isinstance(value, str))
    return comparable and COMPARISONS[name](item, value)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_equal(one: object, other: object) -> bool:
    """As JSON is compared: a truth value is no number, at any depth."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        first, second = cast("Mapping[str, object]", one), cast("Mapping[str, object]", other)
        return first.keys() == second.keys() and all(_is_equal(first[name], second[name]) for name in first)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        items, others = cast("Sequence[object]", one), cast("Sequence[object]", other)
        return len(items) == len(others) and all(map(_is_equal, items, others))
    return isinstance(one, bool) == isinstance(other, bool) and one == other
