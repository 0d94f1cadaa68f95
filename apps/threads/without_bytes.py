"""Checkpoints without bytes: what a client attached is referred to, from the first one of a run on."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, cast

from langchain_core.messages import BaseMessage

from brain.media.intake import strip_bytes, without_bytes

_MESSAGES = "messages"
_SPOKEN = ("human", "user", "HumanMessage")


def strip_channels(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a checkpoint; those that hold no bytes are the very ones."""
    return {channel: strip_value(value) for channel, value in values.items()}


def strip_value(value: Any) -> Any:
    """A message, several, or an input that has some, with references in place of bytes."""
    if isinstance(value, BaseMessage):
        return without_bytes(value)
    if isinstance(value, list):
        return _strip_list(cast("list[Any]", value))
    if isinstance(value, dict):
        return _strip_mapping(cast("dict[str, Any]", value))
    if is_dataclass(value) and not isinstance(value, type) and _MESSAGES in {each.name for each in fields(value)}:
        return replace(value, messages=strip_value(getattr(value, _MESSAGES)))
    return value


def _strip_list(values: list[Any]) -> list[Any]:
    stripped = [strip_value(each) for each in values]
    return stripped if any(new is not old for new, old in zip(stripped, values, strict=True)) else values


def _strip_mapping(value: dict[str, Any]) -> dict[str, Any]:
    """An input as a client sent it, or a message in it."""
    changed = {_MESSAGES: strip_value(value[_MESSAGES])} if _MESSAGES in value else {}
    content = value.get("content")
    if isinstance(content, list) and (value.get("role") in _SPOKEN or value.get("type") in _SPOKEN):
        changed["content"] = [strip_bytes(each) for each in cast("list[Any]", content)]
    return {**value, **changed} if changed else value
