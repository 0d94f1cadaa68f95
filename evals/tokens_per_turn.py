"""Tokens that models read and write per turn, by what they are asked for, with one look per turn and one per pause.

python -m evals.tokens_per_turn --turns 30 --pause 6

Counted as Brain counts, over the real graphs: made-up talk, half of it statements, and a model
that answers at once. A provider's own count differs by some percent; the shares and what a change costs do not.
"""

import asyncio
import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import uuid4

from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel
from rich.console import Console
from rich.table import Table

from brain.context import Context
from brain.identity import owner_of
from brain.intent_rules import IntentForm
from brain.models.port import ToolSpec
from brain.models.roles import Models
from brain.models.structured_output import response_format
from brain.prompting.tokens import count_tokens
from brain.resources import Resources
from brain.settings import Settings
from evals.evaluation.scratch import scratch_resources
from evals.stated_talk import REPLY, InstantNotes, turns
from graphs.brain import graph
from graphs.evolution import evolve
from knowledge.port import NoKnowledge
from nodes.open_session import session_of

T = TypeVar("T", bound=BaseModel)
NAMES: Mapping[str, str] = {
    "reply": "the reply",
    "IntentForm": "intent",
    "Rewriting": "rewritten queries",
    "Notes": "memories noted",
    "Rewordings": "memories worded anew",
    "SessionSummary": "summary blocks",
}


@dataclass
class CountingModel:
    """Answers at once, and counts what it read and wrote for each form, and how often it was asked."""

    notes: InstantNotes = field(default_factory=InstantNotes)
    name: str = "counting"
    calls: Counter[str] = field(default_factory=Counter[str])
    read: Counter[str] = field(default_factory=Counter[str])
    written: Counter[str] = field(default_factory=Counter[str])

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        """A short reply."""
        self._count("reply", messages, [tool.as_openai() for tool in tools], REPLY)
        return AIMessage(REPLY)

    async def fill(self, schema: type[T], messages: Sequence[BaseMessage]) -> T:
        """The forms of a turn, and notes of what was stated; others are left to the rules, yet counted."""
        form: BaseModel = IntentForm(intent_type="chat")
        answer = ""
        try:
            filled = form if isinstance(form, schema) else await self.notes.fill(schema, messages)
            answer = filled.model_dump_json(exclude_defaults=True)
            return filled
        finally:
            self._count(schema.__name__, messages, response_format(schema), answer)

    def _count(self, form: str, messages: Sequence[BaseMessage], beside: object, answer: str) -> None:
        self.calls[form] += 1
        self.read[form] += sum(count_tokens(message.text) for message in messages)
        self.read[form] += count_tokens(json.dumps(beside)) if beside else 0
        self.written[form] += count_tokens(answer)


async def hold_conversation(scratch: Resources, count: int, pause: int, seed: int = 1) -> CountingModel:
    """One conversation of so many turns by somebody new, looked at whenever ``pause`` of them were said."""
    model = CountingModel()
    resources = Resources(
        settings=scratch.settings.model_copy(update={"base_url": "http://model.invalid/v1"}),
        memory=scratch.memory,
        models=Models(chat=model, fast=model),
        knowledge=NoKnowledge(),
    )
    context = Context(user=str(uuid4()), session="s1", resources=resources)
    owner = owner_of(context, None)
    for number, text in enumerate(turns(count, seed), start=1):
        await graph.ainvoke({"messages": [{"role": "user", "content": text}]}, context=context)  # type: ignore[arg-type]
        if number % pause == 0 or number == count:
            await evolve(resources, owner.scope, session_of(owner, context.session))
    return model


async def hold_conversations(turns: int, ways: Mapping[str, int]) -> dict[str, CountingModel]:
    """The same conversation for each way, which is the number of turns between two looks."""
    settings = Settings(_env_file=None, openai_api_key=None)  # type: ignore[call-arg]
    async with scratch_resources(settings) as scratch:
        return {way: await hold_conversation(scratch, turns, pause) for way, pause in ways.items()}


def table_of(models: Mapping[str, CountingModel], count: int) -> Table:
    """Tokens per turn, one column per way of looking."""
    table = Table(title=f"Tokens per turn over {count} turns: read + written (calls)")
    table.add_column("asked for")
    for way in models:
        table.add_column(way, justify="right")
    for form in dict.fromkeys((*NAMES, *(form for model in models.values() for form in model.calls))):
        if any(model.calls[form] for model in models.values()):
            table.add_row(NAMES.get(form, form), *(_cell(model, form, count) for model in models.values()))
    table.add_row("in all", *(_all(model, count) for model in models.values()))
    return table


def _cell(model: CountingModel, form: str, count: int) -> str:
    return f"{model.read[form] / count:,.0f} + {model.written[form] / count:,.0f} ({model.calls[form]})"


def _all(model: CountingModel, count: int) -> str:
    calls = sum(model.calls.values())
    return f"{sum(model.read.values()) / count:,.0f} + {sum(model.written.values()) / count:,.0f} ({calls})"


def main() -> None:
    """Talk twice and print both."""
    asked = ArgumentParser(description=__doc__)
    asked.add_argument("--turns", type=int, default=30, help="turns of the conversation")
    asked.add_argument("--pause", type=int, default=6, help="turns between two pauses")
    options = asked.parse_args()
    ways = {"a look per turn": 1, f"a look per {options.pause} turns": options.pause}
    Console().print(table_of(asyncio.run(hold_conversations(options.turns, ways)), options.turns))


if __name__ == "__main__":
    main()
