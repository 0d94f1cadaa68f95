"""Conversations whose time is over are closed."""

from dataclasses import replace

from memory.in_memory import in_memory
from nodes.upkeep.archive_sessions import archive_sessions
from tests.contract.builders import a_session, a_turn, said
from tests.fakes import NOW
from tests.unit.upkeep_builders import ANN, a_run, a_state


async def test_only_sessions_whose_time_is_over_are_archived_and_once():
    memory = in_memory()
    short, long = replace(a_session("short"), keep_for=60), a_session("long")
    for session in (short, long):
        await memory.log.capture(ANN, a_turn(said("Hello there", minutes=-60), session=session))
    planned = await archive_sessions(a_state(dry_run=True), a_run(memory))
    done = await archive_sessions(a_state(), a_run(memory))
    assert [(each["target"], each["outcome"]) for each in planned["actions"]] == [(str(short.session_id), "planned")]
    assert [(each["target"], each["outcome"]) for each in done["actions"]] == [(str(short.session_id), "done")]
    assert await archive_sessions(a_state(), a_run(memory)) == {"actions": []}
    assert {each.name: each.status for each in await memory.sessions.newest(ANN)} == {
        "short": "archived",
        "long": "active",
    }


async def test_it_waits_to_be_chosen():
    assert await archive_sessions(a_state(steps=[], at=NOW.isoformat()), a_run(in_memory())) == {}
