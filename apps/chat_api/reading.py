"""The body of a request read field by field: what is unknown or not offered is refused by its name, never ignored."""

import re
from collections.abc import Mapping
from typing import TypeVar, cast

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails, from_json

from memory.errors import BrainError, bad_field, bad_request

T = TypeVar("T", bound=BaseModel)

Unsupported = Mapping[str, tuple[tuple[object, ...], str] | tuple[tuple[object, ...], str, str]]
"""Fields that are not offered: the values that ask for nothing, why, and what to do instead."""

_NAME = re.compile(r"[a-z_][a-z0-9_]*")
_TYPES = frozenset({"str", "int", "float", "bool", "dict", "list"})
"""How pydantic calls the branches of a union, which no client knows."""
_FIELD_CHARACTERS = 200
_OUR_WORDS = {
    "extra_forbidden": "Brain does not know this field, and ignores none.",
    "missing": "It is missing.",
    "union_tag_invalid": "Brain does not take items of this type.",
}


class FieldGroup(BaseModel):
    """Fields of a request: all of them are known."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def read_fields(body: bytes, form: type[T], unsupported: Unsupported) -> T:
    """The request. A field that is null says nothing.

    Raises ``E_BAD_REQUEST`` that names the field and never repeats what it held.
    """
    try:
        found: object = from_json(body, allow_inf_nan=False)
    except ValueError:
        raise bad_request("The body is not JSON that fits this API.") from None
    if not isinstance(found, dict):
        raise bad_request("The body is not a JSON object.")
    fields = {name: value for name, value in cast("dict[str, object]", found).items() if value is not None}
    kept = {name: value for name, value in fields.items() if not _asks_for_nothing(name, value, unsupported)}
    try:
        return form.model_validate(kept)
    except ValidationError as error:
        raise _complaint(error) from None


def _asks_for_nothing(name: str, value: object, unsupported: Unsupported) -> bool:
    """Whether the field may be left out. Raises ``E_BAD_REQUEST`` for what is not offered."""
    if name not in unsupported:
        return False
    neutral, why, *hints = unsupported[name]
    if not any(value == each and type(value) is type(each) for each in neutral):
        raise bad_field(name, why, *hints)
    return True


def _complaint(error: ValidationError) -> BrainError:
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    where = _field_of(first)
    told = _OUR_WORDS.get(first["type"], first["msg"])
    return bad_field(where, told) if where else bad_request(f"The request does not fit: {told}")


def _field_of(error: ErrorDetails) -> str:
    """The field as the client wrote it, without the branches of unions that were tried."""
    return ".".join(str(part) for part in error["loc"] if _is_written(part))[:_FIELD_CHARACTERS]


def _is_written(part: int | str) -> bool:
    return isinstance(part, int) or (part not in _TYPES and bool(_NAME.fullmatch(part)))
