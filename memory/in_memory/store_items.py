"""The store port, in memory, by the same rules as the SQL statements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from math import log
from uuid import UUID

from memory.in_memory.store import InMemoryStore
from memory.scope import Scope, Space
from memory.store_filter import matches_filter
from memory.store_items import (
    Namespace,
    NamespaceSearch,
    PathCondition,
    StoreAnswer,
    StoredItem,
    StoreGet,
    StorePut,
    StoreRead,
    StoreSearch,
    StoreText,
    StoreVersion,
    row_of_stored,
    store_item_id,
)


@dataclass(frozen=True, kw_only=True)
class _Held:
    item: StoredItem
    texts: tuple[StoreText, ...]
    ttl_minutes: float | None
    expires_at: datetime | None

    def is_alive(self, at: datetime) -> bool:
        return self.expires_at is None or self.expires_at > at


@dataclass
class InMemoryStoreItems:
    """The store port, by the same rules as the SQL statements."""

    store: InMemoryStore
    held: dict[Space, dict[UUID, _Held]] = field(default_factory=dict[Space, dict[UUID, _Held]])
    versions: dict[UUID, list[StoreVersion]] = field(default_factory=dict[UUID, list[StoreVersion]])

    async def run(
        self, scope: Scope, reads: Sequence[StoreRead], puts: Sequence[StorePut], at: datetime
    ) -> list[StoreAnswer]:
        answers = [self._answer(scope, read, at) for read in reads]
        for put in puts:
            self._write(scope, put, at)
        return answers

    async def history(self, scope: Scope, namespace: Namespace, key: str, limit: int = 100) -> list[StoreVersion]:
        return self.versions.get(store_item_id(scope, namespace, key), [])[:limit]

    async def sweep(self, before: datetime, most: int) -> int:
        swept = 0
        for space, items in self.held.items():
            gone = [item_id for item_id, each in items.items() if each.expires_at and each.expires_at < before]
            for item_id in gone[: most - swept]:
                del items[item_id]
                self.store.spaces[space].rows.pop(item_id, None) if space in self.store.spaces else None
                self.versions[item_id] = [_without_value(each) for each in self.versions[item_id]]
                swept += 1
        return swept

    def _answer(self, scope: Scope, read: StoreRead, at: datetime) -> StoreAnswer:
        match read:
            case StoreGet():
                return self._get(scope, read, at)
            case StoreSearch():
                return self._search(scope, read, at)
            case NamespaceSearch():
                return _list_namespaces(read, [each.item.namespace for each in self._alive(scope, at).values()])

    def _get(self, scope: Scope, read: StoreGet, at: datetime) -> StoredItem | None:
        item_id = store_item_id(scope, read.namespace, read.key)
        found = self._alive(scope, at).get(item_id)
        if found is not None and read.refresh:
            self._refresh(scope, item_id, at)
        return found.item if found else None

    def _search(self, scope: Scope, search: StoreSearch, at: datetime) -> StoreAnswer:
        found = {
            item_id: each
            for item_id, each in self._alive(scope, at).items()
            if each.item.namespace[: len(search.prefix)] == search.prefix
            and matches_filter(each.item.value, search.filter)
        }
        scores = _scores(search, found) if search.query else {}
        ordered = sorted(found, key=lambda each: _rank(each, found[each].item, scores.get(each)))
        picked = ordered[search.offset : search.offset + search.limit]
        if search.refresh:
            for item_id in picked:
                self._refresh(scope, item_id, at)
        return [replace(found[item_id].item, score=scores.get(item_id)) for item_id in picked]

    def _write(self, scope: Scope, put: StorePut, at: datetime) -> None:
        item_id = store_item_id(scope, put.namespace, put.key)
        items, versions = self.held.setdefault(scope.space, {}), self.versions.setdefault(item_id, [])
        rows = self.store.compartment_of(scope).rows
        rows.pop(item_id, None)
        before = items.pop(item_id, None)
        if put.value is None:
            if before is not None:
                versions.append(StoreVersion(version=len(versions) + 1, change="delete", value=None, recorded_at=at))
            return
        versions.append(StoreVersion(version=len(versions) + 1, change="put", value=put.value, recorded_at=at))
        made = _make_held(put, before, len(versions), at)
        items[item_id] = made
        if put.recalled_text:
            rows[item_id] = row_of_stored(scope, item_id, put.recalled_text, (at, made.expires_at))

    def _alive(self, scope: Scope, at: datetime) -> dict[UUID, _Held]:
        return {item_id: each for item_id, each in self.held.get(scope.space, {}).items() if each.is_alive(at)}

    def _refresh(self, scope: Scope, item_id: UUID, at: datetime) -> None:
        items = self.held[scope.space]
        items[item_id] = replace(items[item_id], expires_at=_expiry(items[item_id].ttl_minutes, at))


def _make_held(put: StorePut, before: _Held | None, version: int, at: datetime) -> _Held:
    created = before.item.created_at if before and before.is_alive(at) else at
    item = StoredItem(
        namespace=put.namespace,
        key=put.key,
        value=put.value or {},
        created_at=created,
        updated_at=at,
        version=version,
    )
    return _Held(item=item, texts=put.texts, ttl_minutes=put.ttl_minutes, expires_at=_expiry(put.ttl_minutes, at))


def _expiry(ttl_minutes: float | None, at: datetime) -> datetime | None:
    return None if ttl_minutes is None else at + timedelta(minutes=ttl_minutes)


def _without_value(version: StoreVersion) -> StoreVersion:
    return replace(version, change="expire", value=None) if version.change == "put" else version


def _rank(item_id: UUID, item: StoredItem, score: float | None) -> tuple[bool, float, float, UUID]:
    return score is None, -(score or 0.0), -item.updated_at.timestamp(), item_id


def _scores(search: StoreSearch, found: Mapping[UUID, _Held]) -> dict[UUID, float]:
    """The best text of each item: by cosine, else by the share of the asked terms, weighed by their rarity."""
    asked = {*search.terms.words, *search.terms.grams}
    texts = [(item_id, text) for item_id, each in found.items() for text in each.texts]
    matched = [asked & {*text.terms.words, *text.terms.grams} for _, text in texts]
    seen = {term: sum(term in each for each in matched) for term in asked}
    points = {term: log(1 + (len(texts) - held + 0.5) / (held + 0.5)) for term, held in seen.items()}
    scores: dict[UUID, float] = {}
    for (item_id, text), terms in zip(texts, matched, strict=True):
        score = _cosine(search, text)
        if score is None:
            score = sum(points[term] for term in terms) / (sum(points.values()) or 1.0) or None
        if score is not None:
            scores[item_id] = max(score, scores.get(item_id, score))
    return scores


def _cosine(search: StoreSearch, text: StoreText) -> float | None:
    if search.embedding is None or text.embedding is None or text.model != search.model:
        return None
    return sum(one * other for one, other in zip(search.embedding, text.embedding, strict=True))


def _list_namespaces(search: NamespaceSearch, namespaces: Sequence[Namespace]) -> list[Namespace]:
    admitted = {each[: search.max_depth] for each in namespaces if _matches_all(each, search.conditions)}
    return sorted(admitted)[search.offset : search.offset + search.limit]


def _matches_all(namespace: Namespace, conditions: Sequence[PathCondition]) -> bool:
    return all(_matches_path(namespace, condition) for condition in conditions)


def _matches_path(namespace: Namespace, condition: PathCondition) -> bool:
    path = condition.path
    start = len(namespace) - len(path) if condition.match_type == "suffix" else 0
    return len(namespace) >= len(path) and all(
        label in ("*", namespace[start + place]) for place, label in enumerate(path)
    )
