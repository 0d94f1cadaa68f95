"""A plain loop around OpenAI's API that remembers: one call before the model, one behind it.

Needs ``brain serve``, ``pip install ./client openai`` and ``OPENAI_API_KEY``.
"""

import asyncio
import os

from brain_memory import BrainClient
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionMessageParam

Message = ChatCompletionMessageParam

SYSTEM: Message = {"role": "system", "content": "You are a friendly travel agent."}


async def answer(openai: AsyncOpenAI, memory: BrainClient, history: list[Message], message: str) -> str:
    """The reply to a message; both are added to the history, what was recalled is not."""
    recalled = await memory.abefore_llm(message, session="trip")
    known: Message = {"role": "user", "content": recalled.text}
    asked: Message = {"role": "user", "content": message}
    prompt = [SYSTEM, *history, known, asked] if recalled.text else [SYSTEM, *history, asked]
    completion = await openai.chat.completions.create(model="gpt-4.1-mini", messages=prompt)
    reply = completion.choices[0].message.content or ""
    await memory.aafter_llm(message, reply, recalled)
    said: Message = {"role": "assistant", "content": reply}
    history += [asked, said]
    return reply


async def main() -> None:
    """Chat until an empty line."""
    history: list[Message] = []
    async with BrainClient("http://127.0.0.1:8123", key=os.environ.get("BRAIN_KEY", "")) as memory:
        while said := await asyncio.to_thread(input, "> "):
            print(await answer(AsyncOpenAI(), memory, history, said))


if __name__ == "__main__":
    asyncio.run(main())
