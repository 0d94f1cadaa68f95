"""What an honest answer says, however it is wrapped: behind thinking, in fences, bare, cut off, in other capitals.

Each entry of a list is judged alone. A field that cannot be read is left out where it may be, and costs its entry where
it may not; an entry costs nothing but itself.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Literal, TypeVar, cast, get_args, get_origin

from json_repair import repair_json
from pydantic import BaseModel, TypeAdapter, ValidationError

T = TypeVar("T", bound=BaseModel)

_THINKING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"```(?:\w+)?\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_OPENS = re.compile(r"[\[{]")
_NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
_TRUE, _FALSE = {"true", "yes", "1"}, {"false", "no", "0", "none", ""}


class _Unreadable(ValueError):
    """A value that fits its field in no way."""


def read_honestly(schema: type[T], answer: str) -> T | None:
    """The filled form; None for an answer that holds none."""
    found = _find_json(answer)
    try:
        return None if found is None else schema.model_validate(_fit_form(schema, found))
    except (_Unreadable, ValidationError):
        return None


def _find_json(answer: str) -> object:
    """The object or list in an answer, put right where it is broken; a bare ``null`` is an empty list."""
    text = _THINKING.sub(" ", answer).strip()
    fenced = _FENCED.search(text)
    inner = fenced[1].strip() if fenced and (_OPENS.search(fenced[1]) or not _OPENS.search(text)) else text
    if inner.strip(" `\n.").lower() in ("null", "none"):
        return []
    begins = _OPENS.search(inner)
    if begins is None:
        return None
    told = inner[begins.start() :]
    try:
        return cast("object", json.loads(told))
    except ValueError:
        # What broke off in the middle of an entry is no entry.
        whole = told[: told.rfind("}") + 1] or told
        repaired = cast("object", repair_json(whole, return_objects=True))
    return repaired if _says_anything(repaired) else None


def _says_anything(repaired: object) -> bool:
    """What broke off before its first entry is no empty list."""
    if isinstance(repaired, dict):
        return any(value not in ([], {}, "") for value in cast("dict[str, object]", repaired).values())
    return bool(repaired)


def _fit_form(schema: type[BaseModel], found: object) -> Mapping[str, object]:
    """An object as it is; a list, or a single entry, as the only list that the form has."""
    lists = [name for name, field in schema.model_fields.items() if _entry_of(field.annotation)]
    if not isinstance(found, dict):
        if not lists:
            raise _Unreadable
        return _fit_fields(schema, {lists[0]: found})
    given = cast("dict[str, object]", found)
    entry = _entry_of(schema.model_fields[lists[0]].annotation) if lists else None
    if _known_fields(schema, given) or entry is None:
        return _fit_fields(schema, given)
    if len(_known_fields(entry, given)) > 1:
        return _fit_fields(schema, {lists[0]: [given]})
    raise _Unreadable


def _known_fields(schema: type[BaseModel], given: Mapping[str, object]) -> dict[str, str]:
    """The fields that are given, each with its key as it was written."""
    keys = {re.sub(r"[\s-]+", "_", key.strip().lower()): key for key in given}
    return {name: keys[name.lower()] for name in schema.model_fields if name.lower() in keys}


def _fit_fields(schema: type[BaseModel], given: Mapping[str, object]) -> dict[str, object]:
    fitted: dict[str, object] = {}
    for name, key in _known_fields(schema, given).items():
        field = schema.model_fields[name]
        try:
            fitted[name] = _fit_value(field.annotation, given[key])
        except _Unreadable:
            if field.is_required():
                raise
    return fitted


def _fit_value(annotation: Any, value: object) -> object:
    if entry := _entry_of(annotation):
        return _fit_entries(entry, value)
    if form := _form_of(annotation):
        if not isinstance(value, dict):
            raise _Unreadable
        return _fit_fields(form, cast("dict[str, object]", value))
    reader: TypeAdapter[object] = TypeAdapter(annotation)
    for each in (value, _reword(annotation, value)):
        try:
            return reader.validate_python(each)
        except ValidationError:
            continue
    raise _Unreadable


def _fit_entries(entry: type[BaseModel], value: object) -> list[BaseModel]:
    given = cast("list[object]", value) if isinstance(value, list) else [] if value is None else [value]
    fitted: list[BaseModel] = []
    for each in given:
        try:
            fitted.append(entry.model_validate(_fit_value(entry, each)))
        except (_Unreadable, ValidationError):
            continue
    if given and not fitted:
        raise _Unreadable
    return fitted


def _entry_of(annotation: Any) -> type[BaseModel] | None:
    """The form of which a field holds a list."""
    entries = get_args(annotation) if get_origin(annotation) in (list, tuple) else ()
    return _form_of(entries[0]) if entries else None


def _form_of(annotation: object) -> type[BaseModel] | None:
    is_form = isinstance(annotation, type) and issubclass(annotation, BaseModel)
    return cast("type[BaseModel]", annotation) if is_form else None


def _reword(annotation: Any, value: object) -> object:
    """What was meant by a value that does not fit: another spelling of a word, a number in words, nothing."""
    said = str(value).strip().lower()
    choices = get_args(annotation)
    if get_origin(annotation) is Literal:
        return next((each for each in choices if str(each).lower() == re.sub(r"[\s-]+", "_", said)), value)
    if annotation is bool:
        return True if said in _TRUE else False if said in _FALSE else value
    if annotation is int:
        digits = re.search(r"\d+", said)
        return int(digits[0]) if digits else _NUMBERS.get(said, value)
    if annotation is str:
        return "" if value is None else str(value)
    return value
