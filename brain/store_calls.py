"""The ways to call a LangGraph store, without its rule that no label of a namespace contains a dot.

An e-mail address is a usual label: tools put things under ``("memories", "{langgraph_user_id}")``.
"""
# pyright: reportIncompatibleMethodOverride=false
# The options of each call are those of its operation, which refuses others.

from abc import ABC
from typing import Any

from langgraph.store.base import (
    NOT_PROVIDED,
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchItem,
    SearchOp,
    TTLConfig,
)

Labels = tuple[str, ...]


class DottedStore(BaseStore, ABC):
    """Turns every call into an operation of a batch, with the store's own rules about time to live."""

    supports_ttl = True
    ttl_config: TTLConfig | None = None

    def get(self, namespace: Labels, key: str, *, refresh_ttl: bool | None = None) -> Item | None:
        """The value of a key, or None."""
        return self.batch([GetOp(tuple(namespace), str(key), self._refreshes(refresh_ttl))])[0]  # pyright: ignore[reportReturnType]

    async def aget(self, namespace: Labels, key: str, *, refresh_ttl: bool | None = None) -> Item | None:
        """The value of a key, or None."""
        return (await self.abatch([GetOp(tuple(namespace), str(key), self._refreshes(refresh_ttl))]))[0]  # pyright: ignore[reportReturnType]

    def search(self, namespace_prefix: Labels, /, **options: Any) -> list[SearchItem]:
        """Values under a prefix; options: ``query``, ``filter``, ``limit``, ``offset``, ``refresh_ttl``."""
        return self.batch([self._search_op(namespace_prefix, options)])[0]  # pyright: ignore[reportReturnType]

    async def asearch(self, namespace_prefix: Labels, /, **options: Any) -> list[SearchItem]:
        """Values under a prefix; options: ``query``, ``filter``, ``limit``, ``offset``, ``refresh_ttl``."""
        return (await self.abatch([self._search_op(namespace_prefix, options)]))[0]  # pyright: ignore[reportReturnType]

    def put(self, namespace: Labels, key: str, value: dict[str, Any], index: Any = None, *, ttl: Any = NOT_PROVIDED):
        """Write a value; ``index``: False, or the paths of the texts that it is found by; ``ttl`` in minutes."""
        self.batch([PutOp(tuple(namespace), str(key), value, index, self._minutes(ttl))])

    async def aput(
        self, namespace: Labels, key: str, value: dict[str, Any], index: Any = None, *, ttl: Any = NOT_PROVIDED
    ) -> None:
        """Write a value; ``index``: False, or the paths of the texts that it is found by; ``ttl`` in minutes."""
        await self.abatch([PutOp(tuple(namespace), str(key), value, index, self._minutes(ttl))])

    def delete(self, namespace: Labels, key: str) -> None:
        """Take a value away."""
        self.batch([PutOp(tuple(namespace), str(key), None)])

    async def adelete(self, namespace: Labels, key: str) -> None:
        """Take a value away."""
        await self.abatch([PutOp(tuple(namespace), str(key), None)])

    def list_namespaces(self, **options: Any) -> list[Labels]:
        """Namespaces that hold anything; options: ``prefix``, ``suffix``, ``max_depth``, ``limit``, ``offset``."""
        return self.batch([_list_op(options)])[0]  # pyright: ignore[reportReturnType]

    async def alist_namespaces(self, **options: Any) -> list[Labels]:
        """Namespaces that hold anything; options: ``prefix``, ``suffix``, ``max_depth``, ``limit``, ``offset``."""
        return (await self.abatch([_list_op(options)]))[0]  # pyright: ignore[reportReturnType]

    def _search_op(self, prefix: Labels, options: dict[str, Any]) -> SearchOp:
        refresh = self._refreshes(options.pop("refresh_ttl", None))
        return SearchOp(tuple(prefix), **options, refresh_ttl=refresh)

    def _refreshes(self, asked: bool | None) -> bool:
        if asked is not None:
            return asked
        return self.ttl_config.get("refresh_on_read", True) if self.ttl_config else True

    def _minutes(self, ttl: Any) -> float | None:
        if ttl is not NOT_PROVIDED:
            return ttl
        return self.ttl_config.get("default_ttl") if self.ttl_config else None


def _list_op(options: dict[str, Any]) -> ListNamespacesOp:
    conditions = tuple(
        MatchCondition(match_type=name, path=tuple(path))
        for name in ("prefix", "suffix")
        if (path := options.pop(name, None))
    )
    return ListNamespacesOp(match_conditions=conditions or None, **options)
