"""Steps of a turn that may be run again from their checkpoint."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import wraps
from typing import TypeVar, cast

from langgraph.runtime import Runtime

from brain.context import Context
from brain.state import OpenTurn, Update
from nodes.assemble import assemble_again
from nodes.consult_knowledge import consult_knowledge
from nodes.retrieve import retrieve, retrieve_rewritten
from nodes.thread_position import reopen_turn

Step = TypeVar("Step", bound=Callable[..., Awaitable[Update]])
Restore = Callable[[OpenTurn, Runtime[Context]], Awaitable[OpenTurn]]


def restore_session(node: Step) -> Step:
    """A step that reads the session."""
    return _restore(node, reopen_turn)


def restore_passes(node: Step) -> Step:
    """A step that reads what retrieval brought: it is looked for again, at the turn's own time."""
    return _restore(node, _retrieve_again)


def restore_knowledge(node: Step) -> Step:
    """A step that reads what the organisation knows."""
    return _restore(node, _consult_again)


def restore_prompt(node: Step) -> Step:
    """A step that reads the prompt: it is put together again from the memories that were chosen for it."""
    return _restore(node, _assemble_again)


def _restore(node: Step, restore: Restore) -> Step:
    @wraps(node)
    async def step(state: OpenTurn, runtime: Runtime[Context]) -> Update:
        if not state.is_replayed:
            return await node(state, runtime)
        restored = await restore(state, runtime)
        kept = {name: value for name in ("opened", "knowledge", "prompt") if (value := getattr(restored, name))}
        return {**kept, **await node(restored, runtime)}

    return cast("Step", step)


async def _retrieve_again(state: OpenTurn, runtime: Runtime[Context]) -> OpenTurn:
    opened = await reopen_turn(state, runtime)
    found = [await retrieve(opened, runtime)]
    if opened.queries:
        found.append(await retrieve_rewritten(opened, runtime))
    return replace(opened, passes=[each for update in found for each in update["passes"]])


async def _consult_again(state: OpenTurn, runtime: Runtime[Context]) -> OpenTurn:
    opened = await reopen_turn(state, runtime)
    return replace(opened, knowledge=(await consult_knowledge(opened, runtime))["knowledge"])


async def _assemble_again(state: OpenTurn, runtime: Runtime[Context]) -> OpenTurn:
    informed = await _consult_again(state, runtime)
    return replace(informed, prompt=await assemble_again(informed, runtime))
