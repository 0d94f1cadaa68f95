"""Steps that may ask a model: their calls are counted, and when the budget is spent they run without a model."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import wraps
from typing import Any, Protocol, TypeVar, cast

import structlog
from langgraph.runtime import Runtime

from brain.context import Context
from brain.identity import identity_of
from brain.job_context import JobContext
from brain.metering import BUDGET_SPENT, Usage, collect_usage, spendings, tokens_of
from brain.models.deadline import DeadlineModel
from brain.models.roles import Models
from brain.resources import Resources
from brain.safety.contract import SafetyContract, contract_of_turn
from brain.safety.guarded_model import WARNING, ContractSource, GuardedModel, collect_guard_hits, contract_of_tenant
from brain.state import OpenTurn, Update
from memory.errors import BrainError
from memory.model_usage import Purpose

log = structlog.get_logger(__name__)

Step = TypeVar("Step", bound=Callable[..., Awaitable[Update]])


class BackgroundState(Protocol):
    """A state of work behind the conversation; ``without_model`` says why none is asked."""

    without_model: str


def meter_turn_step(node: Step) -> Step:
    """A step of the turn: its tokens go into the state, and to the account with the turn's own transaction.

    What it asks of the fast model delays the reply by no more than ``fast_patience`` beyond retrieval.
    """

    @wraps(node)
    async def step(state: OpenTurn, runtime: Runtime[Context]) -> Update:
        reason = _skip_reason(runtime.context.resources, BUDGET_SPENT if _is_over_budget(state) else "")
        with collect_usage() as usages, collect_guard_hits() as hits:
            guarded = _guard_models(runtime, _contract_of(state, runtime), checks_replies=False)
            update = await node(state, _withhold_models(_limit_fast_model(guarded, state), reason))
        update = _add_reason(_add_reason(update, "degraded", reason), "degraded", WARNING if hits else "")
        return update | ({"usage": usages} if usages else {}) | ({"guard_hits": hits} if hits else {})

    return cast("Step", step)


@dataclass(frozen=True)
class BackgroundMeter:
    """Steps of a graph behind the conversation: each settles with the account itself, also when it fails.

    ``tells`` is the part of the state that hears why no model was asked.
    """

    purpose: Purpose
    tells: str = "degraded"

    def __call__(self, node: Step) -> Step:
        """The step, counted and rationed."""

        @wraps(node)
        async def step(state: BackgroundState, runtime: Runtime[JobContext]) -> Update:
            context = runtime.context
            reason = _skip_reason(context.resources, state.without_model)
            with collect_usage() as usages, collect_guard_hits() as hits:
                try:
                    contract = contract_of_tenant(context.resources.memory, context.scope.tenant_id)
                    update = await node(state, _withhold_models(_guard_models(runtime, contract), reason))
                finally:
                    await self._settle(context, usages)
            return _add_reason(_add_reason(update, self.tells, reason), self.tells, WARNING if hits else "")

        return cast("Step", step)

    async def _settle(self, context: JobContext, usages: list[Usage]) -> None:
        """One statement, none when no model was asked. An account out of reach must not make the step ask again."""
        resources = context.resources
        try:
            await resources.memory.model_usage.add(context.scope, resources.today(), spendings(usages, self.purpose))
        except BrainError as error:
            log.warning("tokens_not_recorded", code=error.code, tokens=tokens_of(usages))


def _is_over_budget(state: OpenTurn) -> bool:
    return state.tokens_left is not None and state.tokens_left <= tokens_of(state.usage)


def _skip_reason(resources: Resources, reason: str) -> str:
    """The reason, unless there is no model anyway."""
    return reason if resources.models.is_configured else ""


def _contract_of(state: OpenTurn, runtime: Runtime[Context]) -> ContractSource:
    """The contract that the turn was opened with; read again where the turn goes on without its session."""
    if state.opened is None:
        tenant_id = identity_of(runtime).scope.tenant_id
        return contract_of_tenant(runtime.context.resources.memory, tenant_id)

    async def opened_with() -> SafetyContract | None:
        return contract_of_turn(state.opened)

    return opened_with


def _guard_models(runtime: Runtime[Any], contract: ContractSource, *, checks_replies: bool = True) -> Runtime[Any]:
    """The same run with the guard before what a model is asked."""
    models: Models = runtime.context.resources.models
    if not models.is_configured:
        return runtime
    chat, fast = (GuardedModel(each, contract, checks_replies) if each else None for each in (models.chat, models.fast))
    return _with_models(runtime, replace(models, chat=chat, fast=fast))


def _withhold_models(runtime: Runtime[Any], reason: str) -> Runtime[Any]:
    """The same run without models when there is a reason; every step has rules for that."""
    if not reason:
        return runtime
    return _with_models(runtime, Models(absent=reason))


def _limit_fast_model(runtime: Runtime[Context], state: OpenTurn) -> Runtime[Context]:
    """The same run with a fast model for which the reply waits only so long."""
    resources = runtime.context.resources
    models = resources.models
    if models.fast is None:
        return runtime
    fast = DeadlineModel(models.fast, _patience(state, resources), models.deadline_breaker)
    return _with_models(runtime, replace(models, fast=fast))


def _patience(state: OpenTurn, resources: Resources) -> float:
    """Seconds that the turn may still wait for the fast model: what it waited beyond retrieval is used up."""
    most = resources.settings.fast_patience
    if not state.passes or (state.opened and state.opened.as_of):
        return most
    spent = (resources.clock() - datetime.fromisoformat(state.turn["at"])).total_seconds()
    retrieval = max(each.latency_ms for each in state.passes) / 1000
    return min(most, most - (spent - retrieval))


def _with_models(runtime: Runtime[Any], models: Models) -> Runtime[Any]:
    resources = replace(runtime.context.resources, models=models)
    return runtime.override(context=replace(runtime.context, resources=resources))


def _add_reason(update: Update, where: str, reason: str) -> Update:
    return {**update, where: [*(update.get(where) or ()), reason]} if reason else update
