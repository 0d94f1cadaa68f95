"""Steps that answer the user: when they are cancelled, what was said and what was shown of the reply is kept."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import TypeVar, cast

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from brain.context import Context
from brain.metering import current_usage, tally
from brain.models.errors import INTERRUPTED, ReplyCancelled
from brain.state import OpenTurn, Update
from memory.errors import BrainError
from nodes.capture_signals import capture_turn, reply_of

Step = TypeVar("Step", bound=Callable[..., Awaitable[Update]])


def capture_on_cancel(node: Step) -> Step:
    """A step of the turn whose run may be cancelled or superseded: the reply so far is captured as broken off.

    The person's words are in the log already. A server that rolls the run back takes all of it away afterwards.
    """

    @wraps(node)
    async def step(state: OpenTurn, runtime: Runtime[Context]) -> Update:
        try:
            return await node(state, runtime)
        except asyncio.CancelledError as cancelled:
            with suppress(BrainError):
                await capture_turn(_state_at_cancel(state, cancelled), runtime)
            raise

    return cast("Step", step)


def _state_at_cancel(state: OpenTurn, cancelled: asyncio.CancelledError) -> OpenTurn:
    """The state with what the user saw as its reply: the newest words, or those before the tools were called."""
    shown = cancelled.partial if isinstance(cancelled, ReplyCancelled) else reply_of(state.messages)
    ended = AIMessage(shown.text, id=shown.id, response_metadata={"finish_reason": INTERRUPTED}) if shown else None
    return replace(
        state,
        messages=[*state.messages, ended] if ended else state.messages,
        usage=tally(state.usage, current_usage()),
        degraded=[*state.degraded, "reply_cancelled"],
    )
