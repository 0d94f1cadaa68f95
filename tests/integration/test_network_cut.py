"""The network to PostgreSQL is cut, stalls and breaks at any byte: a code in time, and each turn once."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

import pytest
from psycopg import conninfo

from memory.errors import BrainError
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.pools import PoolLimits
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.contract.builders import a_turn, said

T = TypeVar("T")
BREAKS = [6, pytest.param(60, marks=pytest.mark.exhaustive)]


@dataclass
class Wire:
    """A proxy in front of a server. ``left``: bytes after which the next connections break; None: never."""

    host: str
    port: int
    left: int | None = None
    flowing: asyncio.Event = field(default_factory=asyncio.Event)
    writers: set[asyncio.StreamWriter] = field(default_factory=set[asyncio.StreamWriter])

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection: both directions at once, until either ends."""
        there, back = await asyncio.open_connection(self.host, self.port)
        self.writers |= {writer, back}
        with suppress(OSError):
            await asyncio.gather(self._pass_on(reader, back), self._pass_on(there, writer))

    def cut(self) -> None:
        """Break every connection there is, without a farewell."""
        for each in self.writers:
            each.transport.abort()
        self.writers.clear()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(4096):
            await self.flowing.wait()
            if self.left is not None:
                whole, self.left = data, self.left - len(data)
                if self.left < 0:
                    writer.write(whole[: self.left])
                    self.left = None
                    self.cut()
                    return
            writer.write(data)
            await writer.drain()
        writer.close()


@asynccontextmanager
async def a_wire(url: str) -> AsyncGenerator[tuple[Wire, str]]:
    """A wire that flows, and the address behind it."""
    told = conninfo.conninfo_to_dict(url)
    wire = Wire(str(told["host"]), int(str(told["port"])))
    wire.flowing.set()
    server = await asyncio.start_server(wire.serve, "127.0.0.1", 0)
    try:
        yield wire, conninfo.make_conninfo(url, host="127.0.0.1", port=server.sockets[0].getsockname()[1])
    finally:
        server.close()
        wire.cut()


async def test_a_wire_that_stalls_costs_its_bound_and_the_next_connection_works(
    test_addresses: Addresses, scope: Scope
):
    limits = PoolLimits(connections=1, statement=1.0, wait=1.0, connect=2.0)
    async with a_wire(test_addresses.app) as (wire, url), Database(url, limits) as database:
        memory = postgres_memory(database)
        wire.flowing.clear()
        with pytest.raises(BrainError) as refused:
            await memory.log.capture(scope, a_turn(said("I like tea.")))
        assert refused.value.is_retryable
        wire.flowing.set()
        await until_it_works(lambda: memory.log.capture(scope, a_turn(said("I like tea.", key="again"))))


@pytest.mark.parametrize("breaks", BREAKS)
async def test_a_wire_that_breaks_at_any_byte_loses_and_doubles_no_turn(
    breaks: int, test_addresses: Addresses, scope: Scope
):
    chance, limits = Random(breaks), PoolLimits(connections=2, statement=5.0, wait=1.0, connect=2.0)
    async with a_wire(test_addresses.app) as (wire, url), Database(url, limits) as database:
        memory = postgres_memory(database)
        turns = [a_turn(said(f"I like tea number {number}.", key=str(number))) for number in range(breaks)]
        for turn in turns:
            wire.left = chance.randrange(1, 6_000)
            await until_it_works(lambda turn=turn: memory.log.capture(scope, turn))
        wire.left = None
        wire.cut()
        events = [turn.utterances[0].event_id for turn in turns]
        found = await until_it_works(lambda: memory.log.events(scope, events))
    assert sorted(each.text for each in found) == sorted(turn.utterances[0].text for turn in turns)


async def until_it_works(act: Callable[[], Awaitable[T]]) -> T:
    """As a client does: again, as long as it may be tried again."""
    async with asyncio.timeout(60):
        while True:
            try:
                return await act()
            except BrainError as error:
                if not error.is_retryable:
                    raise
