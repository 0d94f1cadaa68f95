"""The context that a client sends with a run or lays down in an assistant.

LangGraph's server drops the fields that it does not know without a word, so that a misspelt ``user`` would be somebody
else's memory. The rules of access see what was sent before it is dropped.
"""

from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, cast

from brain.context import Context
from memory.errors import bad_request

FIELDS = tuple(each.name for each in fields(Context) if each.name != "resources")
_SENT = "__context_provided__"
"""Mark of the server: this run came with a context of its own, not with an older client's configuration."""


def require_valid_context(context: object) -> None:
    """Raises ``E_BAD_REQUEST`` for a field that Brain's context has not, and for a value that the field cannot have."""
    sent = cast("Mapping[str, Any]", context or {})
    strange = [str(name) for name in sent if name not in FIELDS]
    if strange:
        near = get_close_matches(strange[0], FIELDS, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"Its fields are {', '.join(FIELDS)}."
        raise bad_request(f"The context has no field {strange[0][:60]!r}.", hint)
    Context(**sent)


def context_of_run(value: Mapping[str, Any]) -> object:
    """What the client of a run sent as its context; nothing where it sent none."""
    arguments = _part(value, "kwargs")
    return arguments.get("context") if _SENT in _part(_part(arguments, "config"), "configurable") else None


def _part(whole: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", whole.get(name) or {})
