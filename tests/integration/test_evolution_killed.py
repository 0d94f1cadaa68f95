"""A worker killed at any step of the background graph: another one goes on, and nobody can tell afterwards."""

import signal
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from evals.dying_worker import MODULES
from evals.killed_workers import Kill, capture_talk, dying_workers, read_remembered, work
from evals.rule_worker import rule_resources
from memory.pending_turns import PendingTurns
from memory.ports import MemoryCore
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope


@dataclass(frozen=True)
class Story:
    """What the conversation leaves when nobody dies, and workers that die of a signal at a node."""

    undisturbed: dict[str, Any]
    killed_at: Kill


@pytest.fixture(scope="module")
async def story(test_addresses: Addresses, undisturbed: dict[str, Any]) -> AsyncGenerator[Story]:
    async with dying_workers(test_addresses.app) as kill:
        yield Story(undisturbed, kill)


@pytest.fixture(scope="module")
async def undisturbed(database: Database, test_addresses: Addresses) -> dict[str, Any]:
    """What the conversation leaves when nobody dies."""
    resources = rule_resources(database)
    scope = Scope(tenant_id=uuid4(), user_id=uuid4())
    turns = await capture_talk(resources, scope)
    await work(test_addresses, resources, inherits=False)
    left = await read_remembered(resources, scope, turns)
    assert [len(left[each]) > 0 for each in ("memories", "operations", "documents", "summaries")] == [True] * 4
    return left


def threads(where: Addresses) -> set[str]:
    """The threads of evolution that lie in the database; workers of other tests may have left some."""
    with psycopg.connect(where.owner) as connection:
        query = "select distinct thread_id from checkpoint.checkpoints where thread_id like 'evolution:%'"
        return {str(row[0]) for row in connection.execute(query)}


@pytest.mark.parametrize(
    "at",
    [pytest.param((node, "after"), id=f"{node} after") for node in MODULES]
    + [pytest.param((node, "before"), id=f"{node} before", marks=pytest.mark.exhaustive) for node in MODULES],
)
async def test_whoever_takes_over_leaves_what_an_undisturbed_run_leaves(
    at: tuple[str, str], database: Database, scope: Scope, test_addresses: Addresses, story: Story
):
    resources = rule_resources(database)
    turns, before = await capture_talk(resources, scope), threads(test_addresses)
    assert await story.killed_at(*at) == signal.SIGKILL
    await work(test_addresses, resources, inherits=True)
    assert await read_remembered(resources, scope, turns) == story.undisturbed
    assert threads(test_addresses) == before


async def test_who_takes_over_repeats_no_step_that_was_kept(
    database: Database, scope: Scope, test_addresses: Addresses, story: Story, monkeypatch: pytest.MonkeyPatch
):
    resources = rule_resources(database)
    await capture_talk(resources, scope)
    before = threads(test_addresses)
    assert await story.killed_at("merge_profiles", "before") == signal.SIGKILL
    log: Any = Deaf(resources.memory)
    deaf = replace(resources, memory=replace(resources.memory, log=log))
    await work(test_addresses, deaf, inherits=True)
    assert threads(test_addresses) == before
    assert log.asked == 0


class Deaf:
    """A log that tells nobody what waits, and counts who asks."""

    def __init__(self, memory: MemoryCore) -> None:
        self.memory, self.asked = memory, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.memory.log, name)

    async def find_pending_turns(self, scope: Scope, session_id: UUID, most: int) -> PendingTurns:
        self.asked += 1
        return PendingTurns()
