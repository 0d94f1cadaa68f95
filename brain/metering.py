"""What model calls cost, in tokens: noted where the provider answers, gathered by the step that asked."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypedDict

from langchain_core.messages.ai import UsageMetadata

from brain.prompting.tokens import MESSAGE_OVERHEAD, count_tokens
from brain.telemetry.names import CHAT, INPUT_TOKENS, OPERATION, OUTPUT_TOKENS, PROVIDER, REQUEST_MODEL, ROLE
from brain.telemetry.spans import Attributes, record
from memory.model_usage import ModelRole, Purpose, Spending

BUDGET_SPENT = "token_budget_spent"
"""The reason code of a step that asked no model because its tenant's day is spent."""


@dataclass(frozen=True)
class ModelCaller:
    """A model in its role."""

    role: ModelRole
    model: str


class Usage(TypedDict):
    """The calls of one model in one role; ``estimated_calls`` of them without figures of the provider."""

    role: ModelRole
    model: str
    calls: int
    estimated_calls: int
    input_tokens: int
    output_tokens: int


_gathering: ContextVar[list[Usage] | None] = ContextVar("brain_usage", default=None)
"""A filled form is returned as the form alone, so what it cost takes this way to the step that asked for it."""


@contextmanager
def collect_usage() -> Generator[list[Usage]]:
    """The list that every model call inside adds itself to, failed ones included."""
    usages: list[Usage] = []
    before = _gathering.set(usages)
    try:
        yield usages
    finally:
        _gathering.reset(before)


def record_usage(usage: Usage) -> None:
    """Add a call to the step that made it; outside of any step nobody counts."""
    usages = _gathering.get()
    if usages is not None:
        usages.append(usage)


@dataclass(frozen=True)
class ModelCall:
    """A call under way, for the account and for telemetry."""

    attributes: Attributes

    def spend(self, usage: Usage) -> None:
        """What it cost."""
        self.attributes.update({INPUT_TOKENS: usage["input_tokens"], OUTPUT_TOKENS: usage["output_tokens"]})
        record_usage(usage)


@contextmanager
def observe_call(caller: ModelCaller) -> Generator[ModelCall]:
    """A span of the model, below the step that asks."""
    told: Attributes = {OPERATION: CHAT, PROVIDER: "openai", REQUEST_MODEL: caller.model, ROLE: caller.role}
    with record(f"{CHAT} {caller.model}", told, is_client=True) as attributes:
        yield ModelCall(attributes)


def current_usage() -> tuple[Usage, ...]:
    """What the step at hand has cost until now, for one that will not come to its end."""
    return tuple(_gathering.get() or ())


def usage_of(caller: ModelCaller, told: UsageMetadata | None, asked: Iterable[str], answer: str) -> Usage:
    """One call: the provider's figures, or an estimate from the words when it gave none."""
    estimated = not told or not told["input_tokens"]
    if told and not estimated:
        spent, gained = told["input_tokens"], told["output_tokens"]
    else:
        spent, gained = sum(count_tokens(text) + MESSAGE_OVERHEAD for text in asked), count_tokens(answer)
    return Usage(
        role=caller.role,
        model=caller.model,
        calls=1,
        estimated_calls=int(estimated),
        input_tokens=spent,
        output_tokens=gained,
    )


def tally(old: Sequence[Usage], new: Sequence[Usage] | None) -> list[Usage]:
    """Add up by role and model; ``None`` begins a new turn."""
    sums: dict[tuple[ModelRole, str], Usage] = {}
    for each in () if new is None else (*old, *new):
        held = sums.get((each["role"], each["model"]))
        sums[each["role"], each["model"]] = _sum(held, each) if held else each
    return [sums[key] for key in sorted(sums)]


def tokens_of(usages: Iterable[Usage]) -> int:
    """Everything that was asked and answered."""
    return sum(each["input_tokens"] + each["output_tokens"] for each in usages)


def spendings(usages: Iterable[Usage], purpose: Purpose) -> tuple[Spending, ...]:
    """The entries of the account: one for each role."""
    by_role: dict[ModelRole, Usage] = {}
    for each in usages:
        held = by_role.get(each["role"])
        by_role[each["role"]] = _sum(held, each) if held else each
    return tuple(_spending(each, purpose) for each in by_role.values())


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        role=one["role"],
        model=one["model"],
        calls=one["calls"] + other["calls"],
        estimated_calls=one["estimated_calls"] + other["estimated_calls"],
        input_tokens=one["input_tokens"] + other["input_tokens"],
        output_tokens=one["output_tokens"] + other["output_tokens"],
    )


def _spending(usage: Usage, purpose: Purpose) -> Spending:
    return Spending(
        purpose=purpose,
        role=usage["role"],
        calls=usage["calls"],
        estimated_calls=usage["estimated_calls"],
        input_tokens=usage["input_tokens"],
        output_tokens=usage["output_tokens"],
    )
