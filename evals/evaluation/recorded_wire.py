"""Recorded answers over the wire format of OpenAI: the real adapter around a transport that reaches nobody."""

from collections.abc import Awaitable, Callable

import httpx2  # the client that the OpenAI library is made with
import openai

from brain.models.openai import OpenAIModel, RefusalKeepingChatOpenAI
from brain.models.retry import Retry
from memory.model_usage import ModelRole

NAME = "recorded"
Responds = Callable[[httpx2.Request], httpx2.Response]


def recorded_model(responds: Responds, role: ModelRole) -> tuple[OpenAIModel, Callable[[], Awaitable[None]]]:
    """A model whose requests ``responds`` answers, and what closes its client."""
    client = openai.AsyncOpenAI(
        api_key=NAME,
        max_retries=0,
        http_client=openai.DefaultAsyncHttpxClient(transport=httpx2.MockTransport(responds)),
    )

    async def key() -> str:
        return NAME

    chat = RefusalKeepingChatOpenAI(
        model=NAME,
        api_key=key,
        async_client=client.chat.completions,
        root_async_client=client,
        use_responses_api=False,
        max_retries=0,
        cache=False,
    )
    return OpenAIModel(chat=chat, role=role, seconds=60.0, retry=Retry(attempts=1)), client.close
