"""Forms for a model to fill: the schema it is sent, how its answer is read, and what it hears when that fails."""

import re
from typing import TypeVar, cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.utils.function_calling import convert_to_openai_function
from pydantic import BaseModel, ValidationError

from brain.models.errors import ModelMalformed
from brain.models.honest_answers import read_honestly
from prompts.registry import load_prompt

T = TypeVar("T", bound=BaseModel)

MAX_SHOWN_CHARACTERS = 8_000
"""Characters of a misfit that the model sees again: what runs wild is paid for once."""

_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")
"""A character that JSON can carry and no database can hold: one of them would cost everything beside it."""


def response_format(schema: type[BaseModel]) -> dict[str, object]:
    """The ``response_format`` of a request. Strict where the API can be: its strict schemas know no free keys."""
    strict = not _has_free_keys(schema.model_json_schema())
    function = convert_to_openai_function(schema, strict=strict)
    named = {"name": function["name"], "strict": strict, "schema": _strip_defaults(function["parameters"])}
    return {"type": "json_schema", "json_schema": named}


def _strip_defaults(schema: object) -> object:
    """Strict schemas know no defaults: there every field is filled in. What another API leaves out has its default."""
    match schema:
        case list():
            return [_strip_defaults(each) for each in cast("list[object]", schema)]
        case dict():
            entries = cast("dict[str, object]", schema)
            return {name: _strip_defaults(each) for name, each in entries.items() if not _is_default(name, each)}
        case _:
            return schema


def _is_default(name: str, value: object) -> bool:
    """A field may be called so, too: then it is described by a schema of its own."""
    return name == "default" and not isinstance(value, dict)


def parse_answer(schema: type[T], answer: str) -> T:
    """The filled form, however it is wrapped. Raises ``ModelMalformed`` with what is wrong and where."""
    plain = _NUL.sub(r"\1", answer)
    try:
        return schema.model_validate_json(plain)
    except ValidationError as misfit:
        found = read_honestly(schema, plain)
        if found is None:
            raise ModelMalformed(_complaint(misfit), answer) from misfit
        return found


def retry_messages(misfit: ModelMalformed) -> list[BaseMessage]:
    """What to add to the conversation so that the model sees its answer and the complaint; nothing if it was silent."""
    if not misfit.answer:
        return []
    return [
        AIMessage(misfit.answer[:MAX_SHOWN_CHARACTERS]),
        HumanMessage(load_prompt("answer_again").render(complaint=misfit.complaint)),
    ]


def _has_free_keys(schema: object) -> bool:
    if isinstance(schema, list):
        return any(map(_has_free_keys, cast("list[object]", schema)))
    if not isinstance(schema, dict):
        return False
    entries = cast("dict[str, object]", schema)
    return bool(entries.get("additionalProperties")) or any(map(_has_free_keys, entries.values()))


def _complaint(misfit: ValidationError) -> str:
    """The first few faults, without repeating the answer."""
    errors = misfit.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(f"{'.'.join(map(str, error['loc'])) or 'answer'}: {error['msg']}" for error in errors[:5])
