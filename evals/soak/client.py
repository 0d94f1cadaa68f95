"""One person's client: it repeats what was not answered, at any server, until it was."""

import asyncio
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any
from uuid import uuid4

import httpx

from evals.served import Person
from evals.soak.ledger import Saying

PATIENCE = 240.0
"""Seconds after which something that nobody answers is a fault."""
_PAUSE = 0.25
_PATHS = "/v1/memory"


class NotAnsweredError(Exception):
    """Nobody answered in time, or with what no crash explains."""


@dataclass(frozen=True)
class Answer:
    """A status and what came with it."""

    status: int
    body: dict[str, Any]

    @property
    def data(self) -> Any:
        """What an endpoint of the memory API tells."""
        return self.body.get("data", self.body)

    @property
    def code(self) -> str:
        """Brain's code of a refusal, empty for an answer."""
        error: dict[str, Any] = self.body.get("error") or {}
        return str(error.get("code") or "")


@dataclass
class Conversation:
    """One conversation as a client keeps it."""

    name: str = field(default_factory=lambda: str(uuid4()))
    messages: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


@dataclass
class Client:
    """Asks one server, and the other when that one does not answer."""

    person: Person
    urls: list[str]
    http: httpx.AsyncClient
    chance: Random
    repeats: int = 0
    longest: float = 0.0
    waits: list[float] = field(default_factory=list[float])

    async def say(self, talk: Conversation, saying: Saying, blocks: list[dict[str, Any]] | None = None) -> str:
        """The reply to the next message of a conversation. Raises ``NotAnsweredError``."""
        content: Any = [{"type": "text", "text": saying.text}, *blocks] if blocks else saying.text
        talk.messages.append({"role": "user", "content": content})
        sent = {"model": "brain", "messages": talk.messages}
        answer = await self._send("POST", "/v1/chat/completions", sent, {"X-Chat-Id": talk.name})
        if answer.status != 200:
            raise NotAnsweredError(f"{answer.status} {answer.body} to {saying.text!r}")
        reply = str(answer.body["choices"][0]["message"]["content"])
        talk.messages.append({"role": "assistant", "content": reply})
        saying.is_answered = True
        return reply

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Answer:
        """An endpoint of the memory API, under one key however often it has to be asked."""
        return await self._send(method, f"{_PATHS}{path}", body, {"Idempotency-Key": str(uuid4())})

    async def _send(self, method: str, path: str, body: dict[str, Any] | None, more: dict[str, str]) -> Answer:
        begun, url = monotonic(), self.chance.choice(self.urls)
        while monotonic() - begun < PATIENCE:
            answer = await self._try(method, url + path, body, self.person.headers | more)
            if answer is not None:
                took = monotonic() - begun
                self.longest = max(self.longest, took)
                self.waits.append(took)
                return answer
            self.repeats += 1
            url = self.chance.choice(self.urls)
            await asyncio.sleep(_PAUSE)
        raise NotAnsweredError(f"nobody answered {method} {path} for {PATIENCE:.0f} seconds")

    async def _try(self, method: str, url: str, body: dict[str, Any] | None, headers: dict[str, str]) -> Answer | None:
        """None where nobody answered, or only to try again."""
        try:
            got = await self.http.request(method, url, json=body, headers=headers)
            told: dict[str, Any] = got.json()
        except (httpx.HTTPError, ValueError):
            return None
        # 429: the same message is still being answered elsewhere; 409 with a retryable code would say so too.
        is_passing = got.status_code in (429, 500, 502, 503, 504)
        return None if is_passing else Answer(got.status_code, told)
