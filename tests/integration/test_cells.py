"""A tenant moves between two databases, with all that it has, wherever the mover is killed."""

from collections.abc import AsyncGenerator
from uuid import uuid4

import pytest

from brain.knowledge_database import KnowledgeSessions
from knowledge.postgres.store import PostgresKnowledgeStore
from memory.postgres import postgres_memory
from memory.postgres.cells import HOME
from memory.postgres.database import Database
from memory.scope import Scope
from tests.contract.builders import a_new_turn, a_session
from tests.integration.test_isolation_everywhere import fill, fill_knowledge, propose
from tests.integration.two_cells import CELL, TwoCells, relate, two_databases


@pytest.fixture(scope="module")
async def cells(server_url: str, template: str) -> AsyncGenerator[TwoCells]:
    with two_databases(server_url, template) as made:
        await relate(made)
        yield made


@pytest.fixture
async def ann(cells: TwoCells, scope: Scope) -> Scope:
    """Somebody with a row in every table, at home."""
    async with Database(cells.where[HOME].app) as database:
        memory = postgres_memory(database)
        await fill(memory, scope)
        await memory.log.accept(scope, a_new_turn("And then?", a_session(), run=f"left {uuid4()}", minutes=3), 10)
        await fill_knowledge(PostgresKnowledgeStore(KnowledgeSessions(database)), scope)
    await propose(cells.where[HOME], scope)
    return scope


async def test_all_that_a_tenant_has_moves_and_comes_back(cells: TwoCells, ann: Scope):
    rows, jobs = cells.rows(HOME, ann.tenant_id), cells.jobs(HOME, ann.tenant_id)
    assert len(rows) > 45
    assert jobs
    for lives, other in ((CELL, HOME), (HOME, CELL)):
        await cells.move(ann.tenant_id, lives)
        assert cells.rows(lives, ann.tenant_id) == rows
        assert cells.jobs(lives, ann.tenant_id) == jobs
        assert cells.rows(other, ann.tenant_id) == {}
        assert cells.jobs(other, ann.tenant_id) == []
        assert cells.count_triggers(HOME) == cells.count_triggers(CELL) == 0
