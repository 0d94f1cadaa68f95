"""What a person says is found by its meaning as soon as the turn has ended; nobody else need have looked at it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from brain.embeddings.encoder import MODEL, encoder_embedder
from memory.embedding import Embedder, Vector
from memory.errors import unavailable
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from tests.integration.threads import Thread, open_thread

LONG = " ".join(f"On day {day} of the trip we walked to village number {day} and slept there." for day in range(60))


@dataclass
class Broken:
    """An encoder that fails when it is asked to embed what was said."""

    name: str = MODEL
    is_ready: bool = True

    def start_loading(self) -> None: ...

    async def load(self) -> None: ...

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        raise unavailable(f"{len(texts)} texts", "Try again.")


def with_embedder(thread: Thread, embedder: Embedder) -> Thread:
    return replace(thread, resources=replace(thread.resources, embedder=embedder))


async def waiting(thread: Thread, role: str = "user") -> list[str]:
    """Words of the person that wait for their vector."""
    rows = await thread.resources.memory.index.rows_without_vector(thread.scope, MODEL, 100)
    return [each.text for each in rows if each.speaker == role]


async def test_a_question_in_another_language_finds_what_was_just_said(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as plain:
        thread = with_embedder(plain, encoder_embedder())
        await thread.elsewhere("My cat is called Mimi.")
        assert await waiting(thread) == []
        assert "Mimi" in await thread.say("我的猫叫什么名字？")


async def test_of_a_long_message_the_beginning_has_its_vector_and_the_rest_waits(
    test_addresses: Addresses, database: Database
):
    async with open_thread(test_addresses, database) as plain:
        thread = with_embedder(plain, encoder_embedder())
        await thread.elsewhere(LONG)
        left = await waiting(thread)
    assert left
    assert not any("day 0 of" in each for each in left)


async def test_an_encoder_that_fails_costs_the_turn_nothing(test_addresses: Addresses, database: Database):
    async with open_thread(test_addresses, database) as plain:
        thread = with_embedder(plain, Broken())
        await thread.elsewhere("My cat is called Mimi.")
        assert await waiting(thread) == ["My cat is called Mimi."]
        assert "Mimi" in await thread.say("What is my cat called?")
