"""Values of a JSON schema, and values that just miss it."""

from collections.abc import Mapping
from datetime import UTC
from typing import Any

from hypothesis import strategies as st

Schema = Mapping[str, Any]
Values = st.SearchStrategy[Any]

_TEXT = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
_LONG = 60
ANYTHING: Values = st.recursive(
    st.none() | st.booleans() | st.integers(-1000, 1000) | st.text(_TEXT, max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(_TEXT, max_size=5), inner, max_size=3),
    max_leaves=5,
)


def values_of(schema: Schema, definitions: Mapping[str, Schema]) -> Values:
    """Values that fit the schema; references are looked up in ``definitions`` by the last part of their path."""
    match schema:
        case {"$ref": str(path)}:
            return values_of(definitions[path.rsplit("/", 1)[-1]], definitions)
        case {"const": value}:
            return st.just(value)
        case {"enum": _}:
            return st.sampled_from(schema["enum"])
        case {"oneOf": _} | {"anyOf": _}:
            return st.one_of([values_of(each, definitions) for each in schema.get("oneOf") or schema["anyOf"]])
        case {"type": "object", "properties": _}:
            return _objects(schema, definitions)
        case {"type": "array"}:
            most, items = min(schema.get("maxItems", 3), 3), values_of(schema.get("items", {}), definitions)
            return st.lists(items, min_size=schema.get("minItems", 0), max_size=most)
        case _:
            return _plain(schema)


def misfits_of(schema: Schema, definitions: Mapping[str, Schema]) -> Values:
    """Objects that do not fit: a field too many, or one of a type that the schema has not."""
    fitting = values_of(schema, definitions)
    names = st.sampled_from([*schema["properties"], "no such field"])
    return st.builds(_spoil_field, fitting, names)


def _spoil_field(value: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {**value, name: [{"of": "no type"}]}


def _objects(schema: Schema, definitions: Mapping[str, Schema]) -> Values:
    fields = {name: values_of(shape, definitions) for name, shape in schema["properties"].items()}
    needed = set(schema.get("required", ()))
    return st.fixed_dictionaries(
        {name: values for name, values in fields.items() if name in needed},
        optional={name: values for name, values in fields.items() if name not in needed},
    )


def _plain(schema: Schema) -> Values:
    match schema.get("type"):
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "integer":
            return st.integers(schema.get("minimum", -(10**6)), schema.get("maximum", 10**6))
        case "number":
            least, most = schema.get("exclusiveMinimum", 0), schema.get("maximum", 1e6)
            return st.floats(least, most, exclude_min=True, allow_nan=False)
        case "string":
            return _texts(schema)
        case "object":
            return st.dictionaries(st.text(_TEXT, max_size=5), ANYTHING, max_size=3)
        case _:
            return ANYTHING


def _texts(schema: Schema) -> Values:
    match schema.get("format"):
        case "uuid":
            return st.uuids().map(str)
        case "date-time":
            return st.datetimes(timezones=st.just(UTC)).map(lambda moment: moment.isoformat())
        case _:
            least = schema.get("minLength", 0)
            if "pattern" in schema:
                words = st.from_regex(schema["pattern"], alphabet=_TEXT)
                return words.filter(lambda text: least <= len(text) <= _LONG and not text.endswith("\n"))
            return st.text(_TEXT, min_size=least, max_size=max(least, min(schema.get("maxLength", _LONG), _LONG)))
