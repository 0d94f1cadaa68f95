"""Steps of a turn that an experiment may change: they run as the turn's variant says."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import wraps
from typing import Any, TypeVar, cast

from langgraph.runtime import Runtime

from brain.context import Context
from brain.experiments.dimensions import check_dimensions
from brain.state import OpenTurn, Update

Step = TypeVar("Step", bound=Callable[..., Awaitable[Update]])


def apply_variant(node: Step) -> Step:
    """The step with the dimensions of the turn's variant in place of what its caller configured.

    A client may write into the state of its threads, so what it says is checked like any other request.
    """

    @wraps(node)
    async def step(state: OpenTurn, runtime: Runtime[Context]) -> Update:
        if not state.experiment or not state.experiment["dimensions"]:
            return await node(state, runtime)
        dimensions: dict[str, Any] = state.experiment["dimensions"]
        check_dimensions(dimensions)
        return await node(state, runtime.override(context=replace(runtime.context, **dimensions)))

    return cast("Step", step)
