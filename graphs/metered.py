"""Steps that may ask a model: what they ask is counted, and they are given none when it may not be asked."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

import structlog
from langgraph.runtime import Runtime

from brain.context import Context
from brain.errand import Errand
from brain.metering import BUDGET_SPENT, Usage, metering, spendings, tokens_of
from brain.models.hurried import Hurried
from brain.models.roles import Models
from brain.resources import Resources
from brain.state import State, Update
from memory.errors import BrainError
from memory.ledger import Purpose

log = structlog.get_logger(__name__)

Step = TypeVar("Step", bound=Callable[..., Awaitable[Update]])


class Background(Protocol):
    """A state of work behind the conversation; ``without_model`` says why none is asked."""

    without_model: str


def in_turn(node: Step) -> Step:
    """A step of the turn: its tokens go into the state, and to the ledger with the turn's own transaction.

    What it asks of the fast model delays the reply by no more than ``fast_patience`` beyond retrieval.
    """

    @wraps(node)
    async def step(state: State, runtime: Runtime[Context]) -> Update:
        reason = _why_not(runtime.context.resources, BUDGET_SPENT if _is_spent(state) else "")
        with metering() as usages:
            update = await node(state, _rationed(_hurried(runtime, state), reason))
        return _telling(update, "degraded", reason) | ({"usage": usages} if usages else {})

    return cast("Step", step)


@dataclass(frozen=True)
class Behind:
    """Steps of a graph behind the conversation: each settles with the ledger itself, also when it fails.

    ``tells`` is the part of the state that hears why no model was asked.
    """

    purpose: Purpose
    tells: str = "degraded"

    def __call__(self, node: Step) -> Step:
        """The step, counted and rationed."""

        @wraps(node)
        async def step(state: Background, runtime: Runtime[Errand]) -> Update:
            errand = runtime.context
            reason = _why_not(errand.resources, state.without_model)
            with metering() as usages:
                try:
                    update = await node(state, _rationed(runtime, reason))
                finally:
                    await self._settle(errand, usages)
            return _telling(update, self.tells, reason)

        return cast("Step", step)

    async def _settle(self, errand: Errand, usages: list[Usage]) -> None:
        """One statement, none when no model was asked. A ledger out of reach must not make the step ask again."""
        resources = errand.resources
        try:
            await resources.memory.ledger.add(errand.scope, resources.today(), spendings(usages, self.purpose))
        except BrainError as error:
            log.warning("tokens_not_recorded", code=error.code, tokens=tokens_of(usages))


def _is_spent(state: State) -> bool:
    return state.tokens_left is not None and state.tokens_left <= tokens_of(state.usage)


def _why_not(resources: Resources, reason: str) -> str:
    """The reason, unless there is no model anyway."""
    return reason if resources.models.configured else ""


def _rationed(runtime: Runtime[Any], reason: str) -> Runtime[Any]:
    """The same run without models when there is a reason; every step has rules for that."""
    if not reason:
        return runtime
    return _with_models(runtime, Models(absent=reason))


def _hurried(runtime: Runtime[Context], state: State) -> Runtime[Context]:
    """The same run with a fast model for which the reply waits only so long."""
    resources = runtime.context.resources
    models = resources.models
    if models.fast is None:
        return runtime
    fast = Hurried(models.fast, _patience(state, resources), models.hurry)
    return _with_models(runtime, replace(models, fast=fast))


def _patience(state: State, resources: Resources) -> float:
    """Seconds that the turn may still wait for the fast model: what it waited beyond retrieval is used up."""
    most = resources.settings.fast_patience
    if state.turn is None or not state.passes:
        return most
    spent = (resources.clock() - datetime.fromisoformat(state.turn["at"])).total_seconds()
    retrieval = max(each.latency_ms for each in state.passes) / 1000
    return min(most, most - (spent - retrieval))


def _with_models(runtime: Runtime[Any], models: Models) -> Runtime[Any]:
    resources = replace(runtime.context.resources, models=models)
    return runtime.override(context=replace(runtime.context, resources=resources))


def _telling(update: Update, where: str, reason: str) -> Update:
    return {**update, where: [*(update.get(where) or ()), reason]} if reason else update
