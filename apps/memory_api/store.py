"""``store/batch``: LangGraph's store for clients elsewhere, operation by operation as ``BaseStore`` has them."""

from typing import Annotated, Any, Literal, cast

from langgraph.store.base import GetOp, Item, ListNamespacesOp, MatchCondition, Op, PutOp, SearchItem, SearchOp
from pydantic import Field

from apps.access.authentication import require_scope
from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, Text, endpoint
from brain.langgraph_store import BrainStore
from brain.store_operations import MAX_LABEL, MAX_LABELS, MAX_PAGE, MAX_TTL

Label = Annotated[Text, Field(min_length=1, max_length=MAX_LABEL)]
Labels = Annotated[list[Label], Field(max_length=MAX_LABELS)]
Namespace = Annotated[list[Label], Field(min_length=1, max_length=MAX_LABELS)]
Limit = Annotated[int, Field(ge=1, le=MAX_PAGE)]
Offset = Annotated[int, Field(ge=0, le=1_000_000)]


class StoreGetOp(ApiRequest):
    """The value of a key."""

    op: Literal["get"]
    namespace: Labels
    key: Label
    refresh_ttl: bool = True

    def build(self) -> Op:
        """LangGraph's operation."""
        return GetOp(tuple(self.namespace), self.key, self.refresh_ttl)


class StorePutOp(ApiRequest):
    """Write a value. ``index`` is false, or the paths of the texts it is found by; ``ttl`` counts minutes."""

    op: Literal["put"]
    namespace: Namespace
    key: Label
    value: dict[str, Any]
    index: Literal[False] | Annotated[list[Text], Field(max_length=64)] | None = None
    ttl: Annotated[float | None, Field(gt=0, le=MAX_TTL)] = None

    def build(self) -> Op:
        """LangGraph's operation."""
        return PutOp(tuple(self.namespace), self.key, self.value, self.index, self.ttl)


class StoreDeleteOp(ApiRequest):
    """Take a value away."""

    op: Literal["delete"]
    namespace: Namespace
    key: Label

    def build(self) -> Op:
        """LangGraph's operation."""
        return PutOp(tuple(self.namespace), self.key, None)


class StoreSearchOp(ApiRequest):
    """Values under a prefix: by meaning where there is a query, else the newest first."""

    op: Literal["search"]
    namespace_prefix: Labels
    query: Text | None = None
    filter: dict[str, Any] | None = None
    limit: Limit = 10
    offset: Offset = 0
    refresh_ttl: bool = True

    def build(self) -> Op:
        """LangGraph's operation."""
        return SearchOp(
            tuple(self.namespace_prefix), self.filter, self.limit, self.offset, self.query, self.refresh_ttl
        )


class StoreCondition(ApiRequest):
    """Which namespaces; ``*`` stands for any label."""

    match_type: Literal["prefix", "suffix"]
    path: Labels


class StoreNamespacesOp(ApiRequest):
    """Namespaces that hold anything."""

    op: Literal["list_namespaces"]
    match_conditions: Annotated[list[StoreCondition], Field(max_length=10)] | None = None
    max_depth: Annotated[int | None, Field(ge=1, le=MAX_LABELS)] = None
    limit: Limit = 100
    offset: Offset = 0

    def build(self) -> Op:
        """LangGraph's operation."""
        conditions = tuple(MatchCondition(each.match_type, tuple(each.path)) for each in self.match_conditions or ())
        return ListNamespacesOp(conditions or None, self.max_depth, self.limit, self.offset)


StoreOp = Annotated[
    StoreGetOp | StorePutOp | StoreDeleteOp | StoreSearchOp | StoreNamespacesOp, Field(discriminator="op")
]


class StoreBatch(ApiRequest):
    """Reads see what was there before the writes."""

    operations: Annotated[list[StoreOp], Field(max_length=500)]


class StoreResults(ApiAnswer):
    """One for each operation: an item or null, items with scores, namespaces, or null for a write."""

    results: list[Any]


@endpoint(
    "POST /store/batch",
    example={
        "operations": [
            {"op": "put", "namespace": ["notes"], "key": "tea", "value": {"text": "Ann likes green tea."}},
            {"op": "search", "namespace_prefix": ["notes"], "query": "What does Ann drink?"},
        ]
    },
)
async def run_batch(asked: StoreBatch, call: ApiCall) -> StoreResults:
    """Operations of LangGraph's store, in one round trip to the database. Writes need the scope to write as well."""
    ops = [each.build() for each in asked.operations]
    if any(isinstance(each, PutOp) for each in ops):
        require_scope(call.claims, "memory:write")
    results = await BrainStore(call.resources, lambda: call.scope).abatch(ops)
    return StoreResults(results=[_plain(each) for each in results])


def _plain(result: object) -> Any:
    if isinstance(result, Item):
        item: dict[str, Any] = result.dict()  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        return {**item, "score": result.score} if isinstance(result, SearchItem) else item
    return [_plain(each) for each in cast("list[object]", result)] if isinstance(result, list) else result
