"""What would stay of conversations with this fast model, beside what stays without: twenty of ours."""

import time
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel

from apps.doctor.findings import Finding, degraded_finding, ok_finding
from brain.metering import Usage, collect_usage
from brain.models.form_rungs import RUNGS
from brain.models.openai import OpenAIModel
from brain.models.port import ChatModel, ToolSpec
from brain.models.roles import Models
from brain.settings import Settings
from brain.wiring import build_resources
from evals.evaluation.memory import Report, Task, examined
from evals.evaluation.memory_data import LabelledFile, read_labelled
from evals.evaluation.memory_figures import Share, Shares, total
from evals.evaluation.own_data import LABELLED, own_data
from evals.evaluation.scratch import a_server

T = TypeVar("T", bound=BaseModel)

CONVERSATIONS = 20
LESS = 0.01
"""By how much less may stay than without a model before it is of no use."""
PATIENT = 0.8
"""Share of the time limit from which on a model's usual call is too slow for it."""


@dataclass(frozen=True)
class Rehearsal:
    """How it went: the figures with the model and without, and what a call to it costs."""

    model: str
    way: str
    shares: Shares
    without: Shares
    calls: int
    tokens: int
    seconds: float

    @property
    def told(self) -> str:
        """In one line."""
        figures = (f"{name} {_percent(self.shares[name])} (without {_percent(self.without[name])})" for name in _TOLD)
        cost = f"{self.calls} calls of {self.tokens / self.calls:,.0f} tokens and {self.seconds / self.calls:.1f} s"
        return f"{self.model}, asked by {self.way}, over {CONVERSATIONS} conversations: {', '.join(figures)}; {cost}"


_TOLD = ("recall", "junk", "traps")


@dataclass
class _Observed:
    """The model, with its calls counted: calls of their own, tokens, seconds."""

    model: ChatModel
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """The model is the same."""
        return self.model.name

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        """Nobody speaks in a rehearsal."""
        return await self.model.stream(messages, tools)

    async def fill(self, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        """See ``ChatModel.fill``."""
        begun = time.monotonic()
        with collect_usage() as usages:
            return await self._count(self.model.fill(schema, messages), begun, usages)

    async def _count(self, asked: Awaitable[T], begun: float, usages: list[Usage]) -> T:
        try:
            return await asked
        finally:
            self.seconds += time.monotonic() - begun
            self.calls += sum(each["calls"] for each in usages)
            self.tokens += sum(each["input_tokens"] + each["output_tokens"] for each in usages)


async def rehearsal_finding(settings: Settings) -> Finding:
    """What the fast model leaves in memory, and what to set when that is less than nothing, or comes too late."""
    models = build_resources(settings).models
    try:
        if not isinstance(models.fast, OpenAIModel):
            return ok_finding("rehearsal", "nothing to examine: no model is configured")
        rehearsal = await rehearse(settings, models.fast)
    finally:
        await models.aclose()
    if not rehearsal.calls:
        return degraded_finding("rehearsal", f"{settings.fast_model} did not answer", "See the line about the model.")
    return _judge(rehearsal, settings)


async def rehearse(settings: Settings, model: OpenAIModel) -> Rehearsal:
    """Live the conversations twice. Raises ``E_BAD_REQUEST`` where Brain was installed without them."""
    labelled, observed = _choose([read_labelled(path) for path in own_data(LABELLED)]), _Observed(model)
    with a_server(durable=False) as server:
        task = Task(labelled=labelled, splits=("dev",), server=server)
        without = await examined(settings, task, lambda: None)
        lived = await examined(settings, replace(task, models=Models(fast=observed)), lambda: None)
    return Rehearsal(
        model=model.name,
        way=RUNGS[model.rungs.first].way,
        shares=_shares(lived),
        without=_shares(without),
        calls=observed.calls,
        tokens=observed.tokens,
        seconds=observed.seconds,
    )


def _choose(files: Sequence[LabelledFile]) -> list[LabelledFile]:
    """As many conversations of each file, from its beginning."""
    share = -(-CONVERSATIONS // len(files))
    dev = [[each for each in file.conversations if each.head.split == "dev"][:share] for file in files]
    return [replace(file, conversations=tuple(chosen)) for file, chosen in zip(files, dev, strict=True)]


def _shares(reports: Sequence[Report]) -> Shares:
    return total(each.total for each in reports)


def _judge(rehearsal: Rehearsal, settings: Settings) -> Finding:
    found, without = rehearsal.shares["recall"].value or 0.0, rehearsal.without["recall"].value or 0.0
    if found < without - LESS:
        advice = "Choose a stronger BRAIN_FAST_MODEL: without it more would be remembered."
        return degraded_finding("rehearsal", rehearsal.told, advice)
    if rehearsal.seconds / rehearsal.calls > PATIENT * settings.fast_timeout:
        advice = "Raise BRAIN_FAST_TIMEOUT, or choose a faster BRAIN_FAST_MODEL."
        return degraded_finding("rehearsal", rehearsal.told, advice)
    return ok_finding("rehearsal", rehearsal.told)


def _percent(share: Share) -> str:
    return "–" if share.value is None else f"{share.value:.0%}"
