"""A saver whose tables cannot be written: a code of ours, and no stored turn that looks as if it had failed."""

from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from uuid import UUID, uuid4

import psycopg
import pytest
from langgraph.checkpoint.base import empty_checkpoint
from psycopg.errors import DiskFull

from apps.cli.conversation import exchange
from apps.threads.checkpointer import Saver, open_saver
from brain.context import Context
from brain.resources import Resources
from brain.settings import Settings
from brain.wiring import build_resources
from memory.errors import BrainError
from memory.postgres.roles import Addresses
from tests.fakes import a_settings
from tests.integration.brain_process import as_url


@pytest.fixture
def settings(test_addresses: Addresses) -> Settings:
    return a_settings(
        database_url=as_url(test_addresses.owner), database_timeout=0.5, openai_api_key=None, base_url=None
    )


@pytest.fixture
async def saver(settings: Settings) -> AsyncGenerator[Saver]:
    async with open_saver(settings) as opened:
        yield opened


@pytest.fixture
async def resources(settings: Settings) -> AsyncGenerator[Resources]:
    made = build_resources(settings)
    yield made
    await made.close()


@contextmanager
def nobody_writes_checkpoints(where: Addresses) -> Generator[None]:
    with psycopg.connect(where.owner) as connection:
        connection.execute("lock table checkpoint.checkpoints, checkpoint.checkpoint_blobs in share mode")
        yield


async def test_a_checkpoint_that_cannot_be_written_is_told_by_a_code(saver: Saver, test_addresses: Addresses):
    config = {"configurable": {"thread_id": str(uuid4()), "checkpoint_ns": ""}}
    with nobody_writes_checkpoints(test_addresses), pytest.raises(BrainError) as refused:
        await saver.aput(config, empty_checkpoint(), {}, {})  # pyright: ignore[reportArgumentType]
    assert refused.value.code == "E_DEP_TIMEOUT"
    assert refused.value.is_retryable


async def test_a_turn_that_was_stored_is_not_reported_as_failed(
    saver: Saver, resources: Resources, test_addresses: Addresses
):
    talk = exchange(saver, Context(tenant=str(uuid4()), user="ann", resources=resources))
    with nobody_writes_checkpoints(test_addresses):
        report = await talk.say("My favourite colour is green.")
    operation = await resources.memory.log.operation(talk.scope, UUID(report["operation_id"]))
    assert report["receipt_ids"]
    assert operation is not None
    assert "green" in (await talk.say("What is my favourite colour?"))["reply"]


async def test_a_database_that_goes_away_behind_a_stored_turn_does_not_make_it_fail(saver: Saver, resources: Resources):
    talk = exchange(saver, Context(tenant=str(uuid4()), user="ann", resources=resources))
    report = await talk.say("My favourite colour is green.")
    with psycopg.connect(resources.settings.database_url or "") as owner:
        owner.execute("lock table brain.operations in access exclusive mode")
        await talk.wait_for_memory(report["operation_id"], 30.0)


async def test_a_full_disk_under_the_saver_is_told_in_words(saver: Saver):
    with pytest.raises(BrainError, match="no disk space left") as refused:
        async with saver._cursor():  # pyright: ignore[reportPrivateUsage]
            raise DiskFull("could not extend file")
    assert refused.value.is_retryable
