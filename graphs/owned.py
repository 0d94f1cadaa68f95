"""Steps behind the conversation: each works for the worker's errand or, on a server, for whoever was authenticated."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

from langgraph.runtime import Runtime

from brain.context import Claim
from brain.errand import Errand, errand_of
from brain.state import Update

S = TypeVar("S")
Read = TypeVar("Read", contravariant=True)


class Step(Protocol[Read]):
    """A step as a graph with a form runs it."""

    def __call__(self, state: Read, *, runtime: Runtime[Claim]) -> Awaitable[Update]:
        """What the step adds to the state."""
        ...


def owned(node: Callable[[S, Runtime[Errand]], Awaitable[Update]]) -> Step[S]:
    """The step with an errand as its context, whatever the run was given."""

    @wraps(node)
    async def step(state: S, runtime: Runtime[Any]) -> Update:
        return await node(state, runtime.override(context=errand_of(runtime)))

    return cast("Step[S]", step)
