"""How long each step of a turn took, measured where it runs."""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackHandler

OnNodes = Callable[[Sequence[str]], None]
"""Told of the nodes that run now, the one that has been running longest first."""

_OWN_RUN = "graph:step:"
"""LangGraph tags a node's own run with its superstep; runs nested in the node do not carry the tag."""

_STEP_OF_STEP = "|"
"""Stands in the namespace of a graph that a node runs: its steps are part of that node."""


class NodeTimes(AsyncCallbackHandler):
    """Milliseconds per node; a node that ran several times in a turn (passes, rounds) is added up."""

    run_inline = True

    def __init__(self, clock: Callable[[], float] = perf_counter, on_nodes: OnNodes = lambda _: None) -> None:
        self._on_nodes = on_nodes
        self._clock = clock
        self._started: dict[UUID, tuple[str, float]] = {}
        self._seconds: dict[str, float] = {}

    @property
    def milliseconds(self) -> dict[str, float]:
        """By node, in the order in which nodes ended."""
        return {node: round(seconds * 1000, 3) for node, seconds in self._seconds.items()}

    async def on_chain_start(
        self,
        serialized: dict[str, Any],
        inputs: dict[str, Any],
        *,
        run_id: UUID,
        tags: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        **_: Any,
    ) -> None:
        """A run began; only a node's own one counts."""
        told = metadata or {}
        node, is_nested = told.get("langgraph_node"), _STEP_OF_STEP in str(told.get("langgraph_checkpoint_ns"))
        if node and not is_nested and _is_own_run(tags or ()):
            self._started[run_id] = (str(node), self._clock())
            self._tell_nodes()

    async def on_chain_end(self, outputs: dict[str, Any], *, run_id: UUID, **_: Any) -> None:
        """A run ended."""
        self._stop(run_id)

    async def on_chain_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        """A run failed; the time was spent all the same."""
        self._stop(run_id)

    def _stop(self, run_id: UUID) -> None:
        started = self._started.pop(run_id, None)
        if started is not None:
            node, since = started
            self._seconds[node] = self._seconds.get(node, 0.0) + self._clock() - since
            self._tell_nodes()

    def _tell_nodes(self) -> None:
        self._on_nodes([node for node, _ in self._started.values()])


def _is_own_run(tags: Sequence[str]) -> bool:
    return any(tag.startswith(_OWN_RUN) for tag in tags)
