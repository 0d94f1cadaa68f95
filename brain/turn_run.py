"""Which run a turn belongs to, and how its writes are completed although the run is cancelled."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from langgraph.config import get_config
from langgraph.runtime import Runtime

from brain.context import Context

T = TypeVar("T")


def run_id_of(runtime: Runtime[Context]) -> str | None:
    """The run's own id, None where nobody named it. A server gives it to every attempt, LangGraph to the first only."""
    told = _configurable().get("run_id")
    return str(told) if told else (runtime.execution_info.run_id if runtime.execution_info else None)


def thread_of(runtime: Runtime[Context]) -> str | None:
    """The thread, None where nothing keeps one."""
    return runtime.execution_info.thread_id if runtime.execution_info else None


def checkpoint_of(runtime: Runtime[Context]) -> str | None:
    """The checkpoint that the running step began from."""
    return runtime.execution_info.checkpoint_id if runtime.execution_info else None


def attempt_of(runtime: Runtime[Context]) -> str:
    """What tells one answering of a turn from another: the run, or else the checkpoint that the step began from."""
    run_id = run_id_of(runtime)
    return run_id or (runtime.execution_info.checkpoint_id if runtime.execution_info else "")


async def run_to_completion(work: Coroutine[Any, Any, T]) -> T:
    """Await a write. A cancellation that comes meanwhile takes effect when the write is done."""
    task, cancelled = asyncio.ensure_future(work), None
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        task.exception()
        raise cancelled
    return task.result()


def _configurable() -> dict[str, Any]:
    try:
        return get_config().get("configurable", {})
    except RuntimeError:  # a node that is called by itself
        return {}
