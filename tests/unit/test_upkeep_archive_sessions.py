"""Conversations whose time is over are closed."""

from dataclasses import replace

from evolution.upkeep.archive_sessions import archive_sessions
from memory.ports import MemoryCore
from tests.contract.builders import a_draft, a_session, a_turn, by_ann, cited, said
from tests.contract.test_sessions import a_block
from tests.fakes import NOW
from tests.this_test import me, own_memory
from tests.unit.upkeep_builders import a_run, a_state


async def test_only_sessions_whose_time_is_over_are_archived_and_once(memory: MemoryCore):
    short, long = replace(a_session("short"), keep_for=60), a_session("long")
    for session in (short, long):
        await memory.log.capture(me(), a_turn(said("Hello there", minutes=-60), session=session))
    planned = await archive_sessions(a_state(dry_run=True), a_run(memory))
    done = await archive_sessions(a_state(), a_run(memory))
    assert [(each["target"], each["outcome"]) for each in planned["actions"]] == [(str(short.session_id), "planned")]
    assert [(each["target"], each["outcome"]) for each in done["actions"]] == [(str(short.session_id), "done")]
    assert await archive_sessions(a_state(), a_run(memory)) == {"actions": []}
    assert {each.name: each.status for each in await memory.sessions.list_newest(me())} == {
        "short": "archived",
        "long": "active",
    }


async def test_it_waits_to_be_chosen():
    assert await archive_sessions(a_state(steps=[], at=NOW.isoformat()), a_run(own_memory())) == {}


async def test_a_block_that_waits_for_new_words_gets_them_though_its_session_stays_open(memory: MemoryCore):
    session = replace(a_session("long"), keep_for=10**9)
    turns = [said(f"I walked {n} kilometres along the river with my dog today", minutes=-60 + n) for n in range(3)]
    await memory.log.capture(me(), a_turn(*turns, session=session))
    receipt = await memory.items.write(
        me(), a_draft("0 kilometres", citations=(cited(turns[0], "0 kilo"),)), by_ann("k")
    )
    sources = [each.event_id for each in turns]
    await memory.sessions.save_summary(me(), a_block(session, 0, (0, 2), *sources, text="Walked 0 kilometres."), NOW)
    await memory.items.forget(me(), receipt.memory_id, by_ann("f"))
    await archive_sessions(a_state(dry_run=True), a_run(memory))
    (waits,) = await memory.sessions.summaries(me(), session.session_id)
    await archive_sessions(a_state(), a_run(memory))
    (worded,) = await memory.sessions.summaries(me(), session.session_id)
    assert (waits.withdrawn, worded.withdrawn) == (True, False)
    assert turns[0].event_id not in worded.sources
