"""``brain sessions`` as a command on a real PostgreSQL."""

import asyncio
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Speaker, scope_of
from tests.contract.builders import a_block, a_session, a_turn, at, said
from tests.integration.brain_process import Brain, Outcome, as_url


@pytest.fixture
def brain(test_addresses: Addresses, tmp_path: Path) -> Brain:
    return Brain(as_url(test_addresses.owner), tmp_path)


async def a_kept_session(database: Database, user: str, tenant: str) -> UUID:
    memory, session = postgres_memory(database), a_session("kitchen")
    scope = scope_of(Speaker(tenant=tenant, user=user))
    turn = said("We decided on green tiles.")
    await memory.log.capture(scope, a_turn(turn, session=session, entity_slots={"people": "Marco"}))
    draft = a_block(session, 0, (0, 0), turn.event_id, text="2026-03-01:\n- user: We decided on green tiles.")
    await memory.sessions.save_summary(scope, draft, at(5))
    return turn.event_id


async def asked(brain: Brain, *arguments: str) -> Outcome:
    """The command runs a loop of its own, so it gets a thread of its own."""
    return await asyncio.to_thread(brain.ask, *arguments)


async def test_conversations_are_listed_and_shown_with_their_blocks_to_their_owner_alone(
    database: Database, brain: Brain
):
    who = f"user-{uuid4()}"
    source = await a_kept_session(database, who, brain.tenant)
    (listed,) = (await asked(brain, "sessions", "list", "--user", who, "--json")).json
    shown = await asked(brain, "sessions", "show", "kitchen", "--user", who)
    told = (await asked(brain, "sessions", "show", listed["id"][:18], "--user", who, "--json")).json
    assert (listed["name"], listed["turns"], listed["blocks"]) == ("kitchen", 1, 1)
    assert "block 0: turns 1 to 1" in shown.out
    assert "- user: We decided on green tiles." in shown.out
    assert "Marco" in shown.out
    assert told["blocks"][0]["sources"] == [str(source)]
    assert (await asked(brain, "sessions", "list", "--user", "somebody-else")).out == "No conversations yet.\n"
    assert "E_NOT_FOUND" in (await asked(brain, "sessions", "show", "kitchen", "--user", "somebody-else")).err
