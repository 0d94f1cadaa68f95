"""A client's own requests: titles, tags, follow-ups, search queries. Nobody said them, so they are never remembered.

Open WebUI and LibreChat send them to the same address as what a person says, worded by templates. They are answered
by the model alone, or by rules where there is none.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import structlog
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage, ToolCall

from apps.chat_api.reply import ChatReply
from apps.chat_api.request import ChatRequest, ClientTranscript
from brain.identity import Identity
from brain.metering import collect_usage, spendings
from brain.models.errors import ModelError
from brain.models.port import ChatModel
from brain.resources import Resources
from brain.safety.guarded_model import GuardedModel, contract_of_tenant
from language import tables
from language.detection import language_of
from language.titles import title_of

log = structlog.get_logger(__name__)

TaskName = Literal["title", "tags", "follow_ups", "queries", "image", "autocomplete", "emoji", "tools", "merge"]
Patterns = tuple[tuple[TaskName, re.Pattern[str]], ...]

QUERY_CHARACTERS = 200

_TEMPLATE = re.compile(r"\A\s*### Task:\s", re.IGNORECASE)
_HISTORY = re.compile(r"<chat_history>", re.IGNORECASE)
_FIELDS: Patterns = (
    ("title", re.compile(r'"title"\s*:')),
    ("tags", re.compile(r'"tags"\s*:')),
    ("follow_ups", re.compile(r'"follow_ups"\s*:')),
    ("queries", re.compile(r'"queries"\s*:')),
    ("image", re.compile(r'"prompt"\s*:')),
    ("autocomplete", re.compile(r"autocompletion system", re.IGNORECASE)),
)
_OTHERS: Patterns = (
    ("title", re.compile(r"\A\s*Provide a concise, 5-word-or-less title for the conversation", re.IGNORECASE)),
    ("title", re.compile(r"\A\s*Analyze this conversation and provide:\s+1\. The detected language", re.IGNORECASE)),
    ("title", re.compile(r"\A\s*Please generate a concise, 5-word-or-less title", re.IGNORECASE)),
    ("emoji", re.compile(r"\A\s*Your task is to reflect the speaker's likely facial expression", re.IGNORECASE)),
    ("merge", re.compile(r"\A\s*You have been provided with a set of responses from various models", re.IGNORECASE)),
)
_TOOL_CHOICE = re.compile(r"\A\s*Available Tools:.*Your task is to choose and return the correct tool", re.DOTALL)
_SPOKEN = re.compile(r"^(?:\|\|>)?\s*(?:USER|Human)\s*:\s*\"?(?P<words>.+?)\"?\s*$", re.IGNORECASE | re.MULTILINE)
_INPUT = re.compile(r"<text>(?P<words>.*?)</text>\s*(?:#|\Z)", re.DOTALL)


def task_of(said: ClientTranscript) -> TaskName | None:
    """Which of a client's own tasks a request is; None for what a person says."""
    text = said.newest.text
    if _TEMPLATE.search(text) and _HISTORY.search(text):
        return _first_match(_FIELDS, text) or "title"
    if _TOOL_CHOICE.search(said.system):
        return "tools"
    return _first_match(_OTHERS, text)


@dataclass(frozen=True)
class TaskAnswerer:
    """Answers tasks for one person, whose tenant pays for the model."""

    resources: Resources
    identity: Identity

    async def answer(self, task: TaskName, asked: ChatRequest, said: ClientTranscript) -> ChatReply:
        """By the fast model; by rules without one, when the day's tokens are spent, or when it fails."""
        model = self.resources.models.fast
        if model is None or await self._is_over_budget():
            return ChatReply(text=answer_by_rules(task, said.newest.text))
        with collect_usage() as usages:
            try:
                text = (await self._ask(model, said)).strip()
            except ModelError as error:
                log.info("client_task_by_rules", task=task, reason=error.reason)
                text = ""
        await self.resources.memory.model_usage.add(
            self.identity.scope, self.resources.today(), spendings(usages, "turn")
        )
        return ChatReply(
            text=text or answer_by_rules(task, said.newest.text),
            input_tokens=sum(each["input_tokens"] for each in usages),
            output_tokens=sum(each["output_tokens"] for each in usages),
        )

    async def _ask(self, model: ChatModel, said: ClientTranscript) -> str:
        messages: Sequence[BaseMessage] = [
            *([SystemMessage(said.system)] if said.system else []),
            HumanMessage(said.newest.text),
        ]
        contract = contract_of_tenant(self.resources.memory, self.identity.scope.tenant_id)
        return (await GuardedModel(model, contract).stream(messages)).text

    async def _is_over_budget(self) -> bool:
        limit = self.resources.settings.daily_tokens
        if limit is None:
            return False
        return (
            await self.resources.memory.model_usage.tokens_of_day(self.identity.scope, self.resources.today()) >= limit
        )


def answer_by_rules(task: TaskName, text: str) -> str:
    """An answer in the form that the client reads, from the words in its template alone."""
    words = first_words(text)
    title = title_of(words)
    match task:
        case "title":
            return _json({"title": title}) if _TEMPLATE.search(text) else title
        case "tags":
            return _json({"tags": [tables.text("doors.tag", language_of(words))]})
        case "follow_ups":
            return _json({"follow_ups": []})
        case "queries":
            return _json({"queries": [words[:QUERY_CHARACTERS]] if words else []})
        case "image":
            return _json({"prompt": words})
        case "autocomplete":
            return _json({"text": ""})
        case "tools":
            return _json({"tool_calls": []})
        case "emoji":
            return "🙂"
        case "merge":
            return words


def in_asked_form(reply: ChatReply, asked: ChatRequest) -> ChatReply:
    """A title as a client wants it that asks by a tool or a JSON schema; any other reply as it is."""
    title = {"title": reply.text, "language": tables.text("doors.language", language_of(reply.text))}
    if asked.tools:
        call = ToolCall(name=asked.tools[0].function.name, args=title, id="call_title")
        return ChatReply(text="", finish_reason="tool_calls", tool_calls=[call])
    is_plain = not reply.text.lstrip().startswith("{")
    return ChatReply(text=_json(title)) if asked.wishes.is_form and is_plain else reply


def first_words(text: str) -> str:
    """What the person said first in the conversation that a template quotes."""
    spoken = _SPOKEN.search(text) or _INPUT.search(text)
    return " ".join(spoken["words"].split()) if spoken else ""


def _first_match(patterns: Patterns, text: str) -> TaskName | None:
    return next((name for name, pattern in patterns if pattern.search(text)), None)


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
