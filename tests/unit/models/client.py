"""The real model adapter on a mocked wire, with pauses that are noted instead of slept."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import cast

import httpx
import respx
from pydantic import SecretStr

from brain.models.openai import OpenAIModel, connect
from brain.models.retry import Retry
from brain.models.roles import Models, ModelSettings
from tests.openai_wire import Json
from tests.respx_httpx2 import HTTPX2

BASE_URL = "https://models.test/v1"
SETTINGS = ModelSettings(base_url=BASE_URL, api_key=SecretStr("sk-test"), timeout_seconds=60, fast_timeout_seconds=60)


@dataclass(frozen=True, kw_only=True)
class ChatClient:
    """One model under test, the wire it speaks on, and the pauses (seconds) that it took."""

    models: Models
    router: respx.Router
    pauses: list[float]

    @property
    def model(self) -> OpenAIModel:
        """The model in its chat role."""
        return cast("OpenAIModel", self.models.chat)

    def within(self, seconds: float) -> OpenAIModel:
        """The same model with less patience."""
        return replace(self.model, seconds=seconds)

    def answers(self, *responses: httpx.Response | Exception) -> respx.Route:
        """What the provider sends, request by request."""
        return self.router.post("/chat/completions").mock(side_effect=list(responses))


def client(router: respx.Router) -> ChatClient:
    """A model that talks to ``router``."""
    pauses: list[float] = []
    return ChatClient(models=connect(SETTINGS, Retry(sleep=noting(pauses))), router=router, pauses=pauses)


@asynccontextmanager
async def a_wire() -> AsyncGenerator[ChatClient]:
    """A model on a wire of its own, whose provider answers what the test says."""
    with respx.mock(base_url=BASE_URL, using=HTTPX2, assert_all_called=False) as router:
        ready = client(router)
        yield ready
        await ready.models.aclose()


def noting(pauses: list[float]) -> Callable[[float], Awaitable[None]]:
    """A sleep that takes no time and leaves a note."""

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    return sleep


def request_of(route: respx.Route, call: int = 0) -> httpx.Request:
    """What was sent."""
    return cast("list[respx.models.Call]", route.calls)[call].request


def body_of(route: respx.Route, call: int = 0) -> Json:
    """What was sent, as the provider would parse it."""
    return json.loads(request_of(route, call).content)
