"""The disk of the database is full at every phase: a code says so, what is stored is read, and room mends it."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from brain.local_postgres.server import EmbeddedPostgres
from brain.recall import RecallRequest, search
from evolution.erasure.job import run_erasure
from evolution.erasure.request import ErasureWish, request_erasure
from graphs.evolution import evolve
from memory.errors import BrainError
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses, addresses
from memory.scope import Speaker, scope_of
from memory.turns import Utterance
from tests.contract.builders import a_picture, a_session, a_turn, at, said
from tests.fakes import a_settings
from tests.integration.evolving import resources_on
from tests.integration.small_disk import SmallDisk, a_small_disk

pytestmark = [pytest.mark.exhaustive, pytest.mark.timeout(300)]
SIZE = "700m"
ANN = scope_of(Speaker(tenant="full", user="ann"))


@pytest.fixture(scope="module")
def disk() -> Generator[SmallDisk]:
    with a_small_disk(SIZE) as mounted:
        yield mounted


@pytest.fixture(scope="module")
def server(disk: SmallDisk) -> EmbeddedPostgres:
    return EmbeddedPostgres(disk.folder / "home", durable=False)


@pytest.fixture(scope="module")
async def small(disk: SmallDisk, server: EmbeddedPostgres) -> AsyncGenerator[Addresses]:
    """A migrated database on it."""
    try:
        where = addresses(server.start())
        await migrate(where)
        yield where
    finally:
        disk.make_room()
        server.stop()


async def test_every_phase_is_refused_in_words_while_the_disk_is_full_and_works_again_once_there_is_room(
    disk: SmallDisk, server: EmbeddedPostgres, small: Addresses, tmp_path: Path
):
    async with Database(small.app) as database:
        resources = replace(resources_on(database), settings=a_settings(data_dir=tmp_path))
        memory, session = postgres_memory(database), a_session()
        await memory.log.capture(ANN, a_turn(said("I like oolong tea."), session=session))
        disk.fill()
        assert addresses(server.start()) == small

        turns = [a_turn(told, session=session) for told in large_turns()]
        for turn in turns:
            await refused(lambda turn=turn: memory.log.capture(ANN, turn))
        opened = await memory.log.open(ANN, session.session_id, 10)
        found = await search(resources, ANN, RecallRequest(text="oolong", at=at(5)))
        assert [each.text for each in opened.window] == ["I like oolong tea."]
        assert found.candidates.candidates[0].text == "I like oolong tea."
        await works_or_is_refused(lambda: evolve(resources, ANN, session.session_id))

        disk.make_room()
        for turn in turns:
            await memory.log.capture(ANN, turn)
        await evolve(resources, ANN, session.session_id)
        told = [each.utterances[0].event_id for each in turns]
        assert len(await memory.log.events(ANN, told)) == len(turns)
        assert [each.content for each in await memory.items.list_newest(ANN)] == ["I like oolong tea."]

        disk.fill()
        wish = ErasureWish(scope=ANN, user="ann")
        asked: list[Any] = []
        await works_or_is_refused(lambda: keep(asked, request_erasure(resources, wish, wish.sentence)))
        for each in asked:
            await works_or_is_refused(lambda each=each: run_erasure(resources, each.tenant_id, each.tombstone_id))
        disk.make_room()
        tombstone = asked[0] if asked else await request_erasure(resources, wish, wish.sentence)
        await run_erasure(resources, tombstone.tenant_id, tombstone.tombstone_id)
        done = await memory.erasures.find(tombstone.tenant_id, tombstone.tombstone_id)
    assert done is not None
    assert done.state == "completed"


def large_turns() -> list[Utterance]:
    """Bytes that fit into no page that is there already."""
    pictures = [Random(number).randbytes(2_000_000) for number in range(2)]
    return [said("Look.", key=str(number), media=(a_picture(each, each),)) for number, each in enumerate(pictures)]


async def refused(act: Callable[[], Awaitable[Any]]) -> None:
    with pytest.raises(BrainError) as told:
        await act()
    assert told.value.code in ("E_DEP_UNAVAILABLE", "E_DEP_TIMEOUT")


async def works_or_is_refused(act: Callable[[], Awaitable[Any]]) -> None:
    """What needs no new page still works."""
    try:
        await act()
    except BrainError as error:
        if not error.is_retryable:
            raise


async def keep(kept: list[Any], act: Awaitable[Any]) -> None:
    kept.append(await act)
