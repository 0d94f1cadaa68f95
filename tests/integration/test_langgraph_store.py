"""The store on PostgreSQL beside LangGraph's own, and under the tools that others wrote for it."""
# pyright: reportUnknownVariableType=false
# LangMem leaves its types partly open.

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Annotated, Any, TypedDict
from uuid import uuid4

import psycopg
import pytest
from deepagents.backends.store import StoreBackend
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage
from langchain_core.tools import BaseTool
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode
from langgraph.store.base import BaseStore, GetOp, ListNamespacesOp, MatchCondition, Op, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore
from langgraph.store.postgres.aio import AsyncPostgresStore
from langmem import create_manage_memory_tool, create_search_memory_tool
from psycopg import AsyncConnection
from psycopg.rows import DictRow, dict_row

from apps.jobs.retention import sweep_store
from apps.store import open_store
from brain.context import Context
from brain.langgraph_store import BrainStore
from brain.resources import Resources, utc_now
from language.questions import analyse_question
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.recall.query import RecallQuery
from memory.scope import Scope, name_id
from tests.conftest import a_database
from tests.fakes import Leanings, resources_of

SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.fixture
def resources(database: Database) -> Resources:
    return resources_of(Leanings(memory=postgres_memory(database), clock=utc_now))


@pytest.fixture(scope="session")
async def theirs(server_url: str) -> AsyncGenerator[AsyncPostgresStore]:
    """LangGraph's own store on a database of its own."""
    with a_database(server_url) as where:
        async with await AsyncConnection[DictRow].connect(
            where.owner, autocommit=True, row_factory=dict_row
        ) as connection:
            store = AsyncPostgresStore(connection)
            await store.setup()
            yield store


LABELS = st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=3).map(tuple)
LEAVES = st.one_of(st.none(), st.integers(-5, 5), st.sampled_from(["x", "y", "1"]))
VALUES = st.dictionaries(
    st.sampled_from(["p", "q"]), LEAVES | st.dictionaries(st.sampled_from(["r"]), LEAVES), max_size=2
)
PLAIN_FILTERS: st.SearchStrategy[dict[str, Any]] = st.dictionaries(
    st.sampled_from(["p", "q"]), st.sampled_from([1, 2, "x", "1"]), max_size=2
)
FILTERS: st.SearchStrategy[dict[str, Any]] = PLAIN_FILTERS | st.tuples(
    st.sampled_from(["$eq", "$ne"]), st.sampled_from([1, "x"])
).map(lambda drawn: {"p": {drawn[0]: drawn[1]}})
CONDITIONS = st.lists(
    st.builds(
        MatchCondition,
        match_type=st.sampled_from(["prefix", "suffix"]),
        path=st.lists(st.sampled_from(["a", "b", "*"]), min_size=1, max_size=2).map(tuple),
    ),
    max_size=2,
).map(tuple)
KEYS = st.sampled_from(["k", "l"])
OPS: st.SearchStrategy[Op] = st.one_of(
    st.tuples(LABELS, KEYS).map(lambda drawn: GetOp(*drawn)),
    st.tuples(LABELS, KEYS, VALUES | st.none()).map(lambda drawn: PutOp(*drawn)),
    st.tuples(LABELS | st.just(()), FILTERS, st.just(100)).map(lambda drawn: SearchOp(*drawn)),
    st.tuples(CONDITIONS, st.none() | st.integers(1, 3), st.just(100)).map(lambda drawn: ListNamespacesOp(*drawn)),
)
BATCHES = st.lists(st.lists(OPS, min_size=1, max_size=6), min_size=1, max_size=6)


def plain(answers: list[Any]) -> list[Any]:
    """Answers without times and order: whose item comes first is each store's own affair."""
    return [_plain(each) for each in answers]


def _plain(answer: Any) -> Any:
    if isinstance(answer, list):
        return sorted((_plain(each) for each in answer), key=str)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return (answer.namespace, answer.key, answer.value) if hasattr(answer, "value") else answer


async def run_in_batches(store: BaseStore, batches: Sequence[Sequence[Op]]) -> list[Any]:
    return [plain(await store.abatch(batch)) for batch in batches]


@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
@given(batches=BATCHES)
async def test_it_answers_as_the_store_in_memory_does(resources: Resources, batches: list[list[Op]]):
    scope = Scope(tenant_id=uuid4(), user_id=uuid4())
    kept = [[op for op in batch if not isinstance(op, ListNamespacesOp)] for batch in batches]
    ours = await run_in_batches(BrainStore(resources, lambda: scope), kept)
    assert ours == await run_in_batches(InMemoryStore(), kept)


@settings(max_examples=40, deadline=None, suppress_health_check=SLOW)
@given(batches=BATCHES)
async def test_it_answers_as_the_store_on_postgres_does(
    resources: Resources, theirs: AsyncPostgresStore, batches: list[list[Op]]
):
    async with theirs._cursor() as cursor:  # pyright: ignore[reportPrivateUsage]
        await cursor.execute("truncate store cascade")
    scope = Scope(tenant_id=uuid4(), user_id=uuid4())
    kept = [[op for op in batch if not _is_told_apart(op)] for batch in batches]
    ours = await run_in_batches(BrainStore(resources, lambda: scope), kept)
    assert ours == await run_in_batches(theirs, kept)


def _is_told_apart(op: Op) -> bool:
    """Filters, of which LangGraph's two stores answer differently: the one on PostgreSQL compares as text."""
    return isinstance(op, SearchOp) and bool(op.filter)


class _Talk(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]


def agent_of(store: BaseStore, tools: Sequence[BaseTool]) -> Any:
    """A graph of somebody else's, which runs the tools that its last message calls."""
    graph: Any = StateGraph(_Talk, context_schema=Context)
    graph.add_node("tools", ToolNode(tools)).add_edge(START, "tools")
    return graph.compile(store=store)


async def call_tool(agent: Any, person: Context, name: str, **arguments: Any) -> str:
    call = AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": "1"}])
    told = await agent.ainvoke(
        {"messages": [call]}, {"configurable": {"langgraph_user_id": "ann@example.com"}}, context=person
    )
    return str(told["messages"][-1].content)


async def test_the_tools_of_langmem_work_unmodified_and_what_they_note_is_recalled(resources: Resources):
    namespace = ("memories", "{langgraph_user_id}")
    tools = [create_manage_memory_tool(namespace), create_search_memory_tool(namespace)]
    agent = agent_of(open_store(resources), tools)
    tenant = str(uuid4())
    ann, bob = (Context(tenant=tenant, user=user, resources=resources) for user in ("ann", "bob"))
    told = await call_tool(agent, ann, "manage_memory", content="Ann prefers green tea", action="create")
    assert "created memory" in told
    assert "green tea" in await call_tool(agent, ann, "search_memory", query="what does she drink? tea?")
    assert "green tea" not in await call_tool(agent, bob, "search_memory", query="tea")
    scope = Scope(tenant_id=name_id("tenant", tenant), user_id=name_id("user", tenant, "ann"))
    query = RecallQuery(text="green tea", question=analyse_question("green tea"), at=resources.clock())
    found = (await resources.memory.index.candidates(scope, query)).candidates
    assert [(each.lane, each.role, each.text) for each in found] == [("store", "tool", "Ann prefers green tea")]
    memory_id = told.rsplit(" ", 1)[1]
    await call_tool(agent, ann, "manage_memory", content="Ann prefers mint", action="update", id=memory_id)
    assert "mint" in await call_tool(agent, ann, "search_memory", query="tea")
    await call_tool(agent, ann, "manage_memory", action="delete", id=memory_id)
    assert (await resources.memory.index.candidates(scope, query)).candidates == ()


async def test_the_files_of_deepagents_live_in_it(resources: Resources, scope: Scope):
    store = BrainStore(resources, lambda: scope)
    files = StoreBackend(store=store, namespace=lambda runtime: ("filesystem",))
    assert (await files.awrite("/notes/a.md", "one\ntwo\n")).error is None
    assert (await files.aedit("/notes/a.md", "two", "three")).error is None
    read = await files.aread("/notes/a.md")
    assert "three" in str(read)
    assert "/notes/a.md" in str(await files.als("/notes"))
    assert "three" in str(await files.agrep("three", "/"))
    others = BrainStore(resources, lambda: replace(scope, user_id=uuid4()))
    elsewhere = StoreBackend(store=others, namespace=lambda runtime: ("filesystem",))
    assert "/notes/a.md" not in str(await elsewhere.als("/notes"))


async def test_every_writing_leaves_a_receipt(resources: Resources, scope: Scope, test_addresses: Addresses):
    store = BrainStore(resources, lambda: scope)
    await store.aput(("a", "b.c"), "k", {"secret": 4711})
    await store.adelete(("a", "b.c"), "k")
    with psycopg.connect(test_addresses.owner) as connection:
        told = connection.execute(
            "select receipt_type, lane, details from brain.memory_receipts where tenant_id = %s order by receipt_id",
            (scope.tenant_id,),
        ).fetchall()
    key = {"namespace": ["a", "b.c"], "key": "k"}
    assert told == [
        ("write", "store", {"action": "put", "version": 1, **key}),
        ("write", "store", {"action": "delete", "version": 2, **key}),
    ]


async def test_a_batch_is_one_round_trip(resources: Resources, scope: Scope, database: Database):
    store, before = BrainStore(resources, lambda: scope), database.round_trips
    await store.abatch([GetOp(("n",), "k"), SearchOp(("n",), query="tea"), PutOp(("memories",), "k", {"text": "tea"})])
    assert database.round_trips == before + 1


async def test_writers_of_one_key_at_once_all_leave_their_version(resources: Resources, scope: Scope):
    store = BrainStore(resources, lambda: scope)
    await asyncio.gather(*(store.aput(("n",), "k", {"n": number}) for number in range(10)))
    history = await resources.memory.store.history(scope, ("n",), "k")
    assert [each.version for each in history] == list(range(1, 11))


async def test_what_has_expired_is_swept_whose_ever_it_is(resources: Resources, scope: Scope):
    store, at = BrainStore(resources, lambda: scope), resources.clock()
    await store.aput(("n",), "k", {"text": "4711"}, ttl=1)
    later = replace(resources, clock=lambda: at + timedelta(minutes=2))
    assert await sweep_store(later) >= 1
    assert [each.change for each in await resources.memory.store.history(scope, ("n",), "k")] == ["expire"]
