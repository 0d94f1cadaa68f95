"""Node times are measured in the node, not guessed from the stream."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, TypedDict
from uuid import UUID

from langchain_core.runnables import RunnableLambda
from langgraph.graph import END, START, StateGraph

from apps.cli.timing import NodeTimes


def ticking() -> Callable[[], float]:
    """A clock that moves one millisecond each time it is read."""
    ticks: Iterator[int] = count()
    return lambda: next(ticks) / 1000


def a_run(number: int, node: str, *tags: str) -> dict[str, Any]:
    return {"run_id": UUID(int=number), "tags": list(tags), "metadata": {"langgraph_node": node}}


async def test_runs_nested_in_a_node_are_not_counted():
    times = NodeTimes(ticking())
    await times.on_chain_start({}, {}, **a_run(1, "retrieve", "graph:step:2"))
    await times.on_chain_start({}, {}, **a_run(2, "retrieve", "seq:step:1"))
    await times.on_chain_end({}, run_id=UUID(int=2))
    await times.on_chain_end({}, run_id=UUID(int=1))
    assert times.milliseconds == {"retrieve": 1.0}


async def test_several_runs_of_a_node_add_up_and_a_failed_one_counts():
    times = NodeTimes(ticking())
    for number in (1, 2):
        await times.on_chain_start({}, {}, **a_run(number, "retrieve", "graph:step:2"))
    await times.on_chain_error(ValueError(), run_id=UUID(int=1))
    await times.on_chain_end({}, run_id=UUID(int=2))
    assert times.milliseconds == {"retrieve": 4.0}


class _Said(TypedDict):
    text: str


def _same(said: _Said) -> _Said:
    return said


def _ends(_: _Said) -> str:
    return END


async def test_a_real_graph_reports_each_node_once_and_nothing_else():
    async def hear(state: _Said) -> Any:
        repeat: RunnableLambda[_Said, _Said] = RunnableLambda(_same)
        return await repeat.ainvoke(state)

    async def answer(state: _Said) -> _Said:
        return {"text": state["text"].upper()}

    wiring: Any = StateGraph(_Said)
    wiring.add_node("hear", hear).add_node("answer", answer)
    wiring.add_edge(START, "hear").add_edge("hear", "answer").add_conditional_edges("answer", _ends)
    graph = wiring.compile()
    times = NodeTimes()
    await graph.ainvoke({"text": "hi"}, {"callbacks": [times]})
    assert set(times.milliseconds) == {"hear", "answer"}
    assert all(spent > 0 for spent in times.milliseconds.values())
