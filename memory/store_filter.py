"""LangGraph's filters over stored values, as ``brain.matches_filter`` in the database applies them."""

from collections.abc import Mapping, Sequence
from typing import cast

from memory.errors import bad_request

OPERATORS = frozenset({"$eq", "$ne", "$gt", "$gte", "$lt", "$lte"})


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


def _require_operators(named: Mapping[str, object]) -> None:
    operators = {name for name in named if name.startswith("$")}
    if operators and (operators != set(named) or not operators <= OPERATORS):
        raise bad_request(
            f"The filter uses {', '.join(sorted(named))}, which cannot be compared by.",
            f"Use {', '.join(sorted(OPERATORS))}, or plain values.",
        )
