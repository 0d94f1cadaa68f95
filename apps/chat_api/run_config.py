"""How a turn of a chat client runs in the graph: its thread, from which checkpoint, and as whose."""

from typing import Any

from langchain_core.runnables import RunnableConfig

from apps.threads.registry import stamp_for
from brain.context import Context
from brain.identity import identity_of_user
from nodes.open_session import session_of

_STEPS, _STEPS_PER_ROUND = 20, 3
"""Supersteps of a turn without tools, generously, and of one round of tools."""


def run_config(context: Context, user: object | None, checkpoint: str = "") -> RunnableConfig:
    """The thread is the session: an id that no other tenant, person or scope can arrive at. Each turn is a run."""
    identity = identity_of_user(context, user)
    thread = session_of(identity, context.session)
    configurable: dict[str, Any] = {"thread_id": str(thread), "checkpoint_ns": ""}
    if checkpoint:
        configurable["checkpoint_id"] = checkpoint
    if user is not None:
        configurable["langgraph_auth_user"] = user
    limit = _STEPS + _STEPS_PER_ROUND * (context.max_tool_rounds + 1)
    return RunnableConfig(
        configurable=configurable,
        metadata=stamp_for(identity),
        recursion_limit=limit,
        run_id=context.resources.new_id(),
    )


def thread_config(config: RunnableConfig) -> RunnableConfig:
    """The same at the newest checkpoint of the thread."""
    kept = {name: value for name, value in config.get("configurable", {}).items() if name != "checkpoint_id"}
    return RunnableConfig(configurable=kept)


def thread_of(config: RunnableConfig) -> str:
    """The thread of a run."""
    return str(config.get("configurable", {})["thread_id"])
