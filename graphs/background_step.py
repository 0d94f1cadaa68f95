"""Steps behind the conversation: each runs as the worker says or, on a server, as its authenticated user."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

from langgraph.runtime import Runtime

from brain.context import Claim
from brain.job_context import JobContext, job_context_of
from brain.state import Update

S = TypeVar("S")
Read = TypeVar("Read", contravariant=True)


class BackgroundStep(Protocol[Read]):
    """A step as a graph with a form runs it."""

    def __call__(self, state: Read, *, runtime: Runtime[Claim]) -> Awaitable[Update]:
        """What the step adds to the state."""
        ...


def with_job_context(node: Callable[[S, Runtime[JobContext]], Awaitable[Update]]) -> BackgroundStep[S]:
    """The step with a ``JobContext`` as its context, whatever the run was given."""

    @wraps(node)
    async def step(state: S, runtime: Runtime[Any]) -> Update:
        return await node(state, runtime.override(context=job_context_of(runtime)))

    return cast("BackgroundStep[S]", step)
