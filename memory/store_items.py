"""The port of LangGraph's store: JSON values under a namespace and a key, a person's own."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol, cast
from uuid import NAMESPACE_URL, UUID, uuid5

from language.terms import Terms, analyse
from memory.embedding import Vector
from memory.recall.query import NO_MODEL
from memory.scope import Scope

Namespace = tuple[str, ...]
Value = Mapping[str, Any]

MEMORIES = "memories"
"""The first label of namespaces whose texts recall may bring before a model."""
RECALLED = 4_000
"""Characters of a stored text that recall reads."""

_IDS = uuid5(NAMESPACE_URL, "brain:store")


@dataclass(frozen=True, kw_only=True)
class StoredItem:
    """A value as it is read back; ``score`` only where a search asked something that it answers."""

    namespace: Namespace
    key: str
    value: Value
    created_at: datetime
    updated_at: datetime
    version: int
    score: float | None = None

    def __post_init__(self) -> None:
        """Arrays arrive from the database as lists."""
        object.__setattr__(self, "namespace", tuple(self.namespace))


@dataclass(frozen=True, kw_only=True)
class StoreVersion:
    """What a key held at one time; None after a deletion, and for what has expired."""

    version: int
    change: Literal["put", "delete", "expire"]
    value: Value | None
    recorded_at: datetime


@dataclass(frozen=True, kw_only=True)
class StoreGet:
    """Read one value; with ``refresh`` its time to live begins anew."""

    namespace: Namespace
    key: str
    refresh: bool = True


@dataclass(frozen=True, kw_only=True)
class StoreSearch:
    """Read the values under a namespace that a filter admits; with a ``query`` those that answer it come first."""

    prefix: Namespace
    filter: Value = field(default_factory=dict[str, Any])
    limit: int = 10
    offset: int = 0
    query: str | None = None
    model: str = NO_MODEL
    embedding: Vector | None = None
    refresh: bool = True

    @property
    def terms(self) -> Terms:
        """By what the question is compared."""
        return analyse(self.query or "")


@dataclass(frozen=True, kw_only=True)
class PathCondition:
    """How a namespace has to begin or end; ``*`` stands for any label."""

    match_type: Literal["prefix", "suffix"]
    path: Namespace


@dataclass(frozen=True, kw_only=True)
class NamespaceSearch:
    """List namespaces that hold anything, cut to ``max_depth`` labels."""

    conditions: tuple[PathCondition, ...] = ()
    max_depth: int | None = None
    limit: int = 100
    offset: int = 0


StoreRead = StoreGet | StoreSearch | NamespaceSearch
StoreAnswer = StoredItem | None | list[StoredItem] | list[Namespace]


@dataclass(frozen=True, kw_only=True)
class StoreText:
    """One text that an item is found by; its vector travels with the name of its model."""

    text: str
    model: str = NO_MODEL
    embedding: Vector | None = None

    @property
    def terms(self) -> Terms:
        """By what it is compared."""
        return analyse(self.text)


@dataclass(frozen=True, kw_only=True)
class StorePut:
    """Write a value; None deletes what is there. ``ttl_minutes`` is its life after each writing and refreshing read."""

    namespace: Namespace
    key: str
    value: Value | None
    texts: tuple[StoreText, ...] = ()
    ttl_minutes: float | None = None

    @property
    def recalled_text(self) -> str:
        """What recall may bring before a model; empty for all but texts under ``memories``."""
        if self.value is None or not self.texts or self.namespace[:1] != (MEMORIES,):
            return ""
        return memory_text(self.value)


class StoreItems(Protocol):
    """Values of one person, or of a group. What has expired is not there any more, whether or not it was swept."""

    async def run(
        self, scope: Scope, reads: Sequence[StoreRead], puts: Sequence[StorePut], at: datetime
    ) -> list[StoreAnswer]:
        """Answer all reads as things stand before the puts, then write; all in one round trip and one transaction.

        No two puts may name the same key.
        """
        ...

    async def history(self, scope: Scope, namespace: Namespace, key: str, limit: int = 100) -> list[StoreVersion]:
        """Every version of a key, oldest first."""
        ...

    async def sweep(self, before: datetime, most: int) -> int:
        """Delete items of everybody that expired before a moment, with their values; how many there were."""
        ...


def store_item_id(scope: Scope, namespace: Namespace, key: str) -> UUID:
    """The id of a key: the same in another compartment, or under another namespace, is another item."""
    return uuid5(_IDS, json.dumps([str(scope.tenant_id), scope.key, scope.owner, namespace, key]))


def memory_text(value: Value) -> str:
    """The text of a stored memory: its ``content`` or ``text`` where there is one, else all texts in it."""
    for name in ("content", "text"):
        if isinstance(text := value.get(name), str) and text.strip():
            return text[:RECALLED]
    return "\n".join(_texts_of(value))[:RECALLED]


def _texts_of(value: object) -> list[str]:
    match value:
        case str():
            return [value] if value.strip() else []
        case Mapping():
            return [text for each in cast("Value", value).values() for text in _texts_of(each)]
        case list() | tuple():
            return [text for each in cast("Sequence[object]", value) for text in _texts_of(each)]
        case _:
            return []
