"""The vectors of what was asked a moment ago: memory and knowledge ask for that of the same words in one turn."""

import asyncio
from collections import OrderedDict

from memory.embedding import Embedder, Vector, as_question

CAPACITY = 64


class QuestionVectors:
    """Vectors by model and text, the newest ones; who asks while one is being made waits for that one."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._made: OrderedDict[tuple[str, str], asyncio.Task[Vector]] = OrderedDict()

    async def embed(self, embedder: Embedder, text: str) -> Vector:
        """The vector of a question. Who gives up waiting does not stop it for others. Raises ``BrainError``."""
        key = (embedder.name, text)
        held = self._made.get(key)
        if held is None or held.get_loop() is not asyncio.get_running_loop() or _has_failed(held):
            held = self._made[key] = asyncio.create_task(_embed(embedder, text))
            while len(self._made) > self._capacity:
                self._made.popitem(last=False)
        return await asyncio.shield(held)


async def _embed(embedder: Embedder, text: str) -> Vector:
    return (await embedder.embed([as_question(embedder.name, text)]))[0]


def _has_failed(made: asyncio.Task[Vector]) -> bool:
    """Whether it was given up: the next question may well be answered."""
    return made.done() and (made.cancelled() or made.exception() is not None)
