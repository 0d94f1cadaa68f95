"""Erased for good: closed at once, gone soon after from every table, and nobody else loses anything."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from apps.people import list_people
from brain.audit_key import load_audit_key
from brain.erasure_list import replay_erasures
from brain.recall import RecallRequest, query_of
from evals.memory_ci.spelled_words import find_tables
from evolution.erasure.certificate import is_genuine
from evolution.erasure.job import run_erasure
from evolution.erasure.request import ErasureWish, request_erasure
from memory.documents.port import NoteEntry
from memory.erasure import LegalHold, Tombstone
from memory.errors import BrainError
from memory.memory_item import Author
from memory.postgres import postgres_memory
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses
from memory.scope import Scope, Speaker, scope_of
from tests.contract.builders import a_contract, a_new_turn, a_session, at
from tests.databases import create_extensions
from tests.fakes import a_settings
from tests.integration import own_database
from tests.integration.threads import TENANT, Thread, open_thread
from tests.integration.working import work
from tests.pictures import a_png, image_url

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
test_addresses, database = own_database.test_addresses, own_database.database


@pytest.fixture
async def ann(test_addresses: Addresses, database: Database, tmp_path: Path) -> AsyncGenerator[Thread]:
    async with open_thread(test_addresses, database) as thread:
        yield with_key(thread, tmp_path)


def with_key(thread: Thread, folder: Path) -> Thread:
    return replace(thread, resources=replace(thread.resources, settings=a_settings(data_dir=folder)))


def canary(thread: Thread) -> str:
    """A name that nobody else has, in letters alone."""
    return "Zephyr" + thread.user[-8:].translate(str.maketrans("0123456789", "ghijklmnop"))


def in_kitchen(user: str) -> Scope:
    return scope_of(Speaker(tenant=TENANT, user=user, channel="kitchen"))


async def talk(thread: Thread) -> None:
    await thread.say(f"My sister is called {canary(thread)}.")
    await thread.say("My sister is called what?")
    await thread.say([image_url(a_png(note=canary(thread).encode()))])
    await thread.evolve()
    memory, by = thread.resources.memory, Author(operator=thread.user, reason="told", idempotency_key="n", at=NOW)
    note = NoteEntry(key="n1", text=f"{canary(thread)} called", at=NOW, cites=())
    await memory.documents.append_note(thread.scope, [note], by)


async def ask_to_be_erased(thread: Thread, compartment: str | None = None) -> Tombstone:
    wish = ErasureWish(scope=thread.scope, user=thread.user, compartment=compartment)
    return await request_erasure(thread.resources, wish, wish.sentence)


async def erase(thread: Thread, where: Addresses | None = None) -> Tombstone:
    """By the worker that the queue has where one is named."""
    asked = await ask_to_be_erased(thread)
    if where is not None:
        await work(where, thread.resources, queues=["corrections"])
    else:
        await run_erasure(thread.resources, asked.tenant_id, asked.tombstone_id)
    found = await thread.resources.memory.erasures.find(asked.tenant_id, asked.tombstone_id)
    assert found is not None
    return found


async def test_every_word_and_the_name_are_gone(ann: Thread, test_addresses: Addresses):
    await talk(ann)
    contracts, tenant_id = ann.resources.memory.safety_contracts, ann.scope.tenant_id
    await contracts.add(tenant_id, a_contract("Never promise a delivery date.", author=ann.user))
    before = find_tables(test_addresses.owner, canary(ann))
    assert {"brain.conversation_events", "brain.recall_index", "checkpoint.checkpoint_blobs", "brain.media"} <= set(
        before
    )
    done = await erase(ann, test_addresses)
    assert (done.state, done.user_id, done.scope) == ("completed", None, None)
    assert find_tables(test_addresses.owner, canary(ann), ann.user, str(ann.scope.user_id), ann.thread_id) == []
    assert [each.author for each in await contracts.list_versions(tenant_id)] == [None]


async def test_what_is_left_of_a_turn_says_that_there_was_one(ann: Thread, test_addresses: Addresses):
    await talk(ann)
    done = await erase(ann)
    with psycopg.connect(test_addresses.owner) as connection:
        count = "select count(*) from brain.erased_events where tombstone_id = %s"
        assert connection.execute(count, (done.tombstone_id,)).fetchone() == (6,)
        entries = "select action, operator, reason from brain.audit_log where user_id = %s order by recorded_at"
        audit = connection.execute(entries, (done.tombstone_id,)).fetchall()
    assert {operator for _, operator, _ in audit} == {"", "erasure"}
    assert {reason for _, _, reason in audit} == {""}
    assert {"erasure_requested", "erasure_completed"} <= {action for action, _, _ in audit}


async def test_work_on_everybody_leaves_out_who_is_being_erased(ann: Thread, database: Database):
    await talk(ann)
    assert ann.user in await list_people(database, TENANT)
    await ask_to_be_erased(ann)
    assert ann.user not in await list_people(database, TENANT)


async def test_who_is_being_erased_holds_up_no_turn_of_others(ann: Thread, database: Database):
    log, bob = ann.resources.memory.log, Scope(tenant_id=ann.scope.tenant_id, user_id=uuid4(), key="main")
    for scope, minutes in ((ann.scope, 0), (bob, 1)):
        await log.accept(scope, a_new_turn("I moved to Lyon.", a_session(), minutes=minutes), 10)
    await ask_to_be_erased(ann)
    await log.release_abandoned(at(60))
    assert [each.status for each in await log.list_operations(bob)] == ["queued"]


async def test_it_is_closed_as_soon_as_it_was_asked_for(ann: Thread):
    await talk(ann)
    await ask_to_be_erased(ann)
    memory = ann.resources.memory
    with pytest.raises(BrainError, match="E_ERASED"):
        await memory.items.list_newest(ann.scope)
    with pytest.raises(BrainError, match="E_ERASED"):
        await memory.index.candidates(ann.scope, query_of(RecallRequest(text="sister", at=NOW)))
    with pytest.raises(BrainError, match="E_ERASED"):
        await ann.say("Are you there?")
    with pytest.raises(BrainError, match="E_ERASED"):
        await ann.another().say("And here?")


async def test_all_states_are_kept_in_order(ann: Thread):
    await talk(ann)
    done = await erase(ann)
    steps = await ann.resources.memory.erasures.list_steps(done.tenant_id, done.tombstone_id)
    assert [step.state for step in steps] == [
        "requested",
        "verified",
        "tombstoned",
        "queued",
        "processing",
        "completed",
    ]


async def test_the_person_can_begin_anew_and_an_old_thread_cannot_go_on(ann: Thread):
    await talk(ann)
    await erase(ann)
    with pytest.raises(BrainError, match="E_ERASED"):
        await ann.say("Hello again.")
    fresh = ann.another()
    await fresh.say("I live in Ghent.")
    await fresh.evolve()
    assert await fresh.beliefs() == {"I live in Ghent."}


async def test_a_process_that_kept_the_index_shows_nothing_of_it_when_the_person_begins_anew(
    ann: Thread, database: Database
):
    """It was not asked while the erasure went on, and what was removed is noted nowhere any more."""
    elsewhere = postgres_memory(database, CorpusCache(first_questions=0))
    asked = query_of(RecallRequest(text=f"sister {canary(ann)}", at=NOW))
    await talk(ann)
    assert (await elsewhere.index.candidates(ann.scope, asked)).candidates
    await erase(ann)
    fresh = ann.another()
    await fresh.say("I live in Ghent.")
    found = (await elsewhere.index.candidates(ann.scope, asked)).candidates
    assert not any(canary(ann) in each.text for each in found)


async def test_a_fork_goes_with_its_thread(ann: Thread, test_addresses: Addresses):
    await talk(ann)
    fork = await ann.copied()
    await erase(ann)
    assert await fork.states() == []
    assert find_tables(test_addresses.owner, fork.thread_id) == []


async def test_nobody_else_loses_anything(ann: Thread):
    ben = replace(ann, user=f"ben {uuid4()}", thread_id=str(uuid4()))
    await talk(ann)
    await ben.say("My boat is called Marigold.")
    await ben.evolve()
    await erase(ann)
    assert await ben.beliefs() == {"My boat is called Marigold."}
    assert await ben.say("What is my boat called?")
    assert len(await ben.states()) > 2


async def test_a_group_goes_on_without_what_the_person_said(ann: Thread, test_addresses: Addresses):
    ben = replace(ann, user=f"ben {uuid4()}", thread_id=str(uuid4()))
    kitchen: dict[str, Any] = {"channel": "kitchen", "channel_type": "group", "session": "supper"}
    await ann.say(f"My sister is called {canary(ann)}.", **kitchen)
    await ben.say("My boat is called Marigold.", **kitchen)
    memory = ann.resources.memory
    by = Author(operator=ann.user, reason="told", idempotency_key="n", at=NOW)
    (said,) = [each for each in await _events(test_addresses, ann.scope) if canary(ann) in each[1]]
    notes = [
        NoteEntry(key="n1", text=f"the sister is {canary(ann)}", at=NOW, cites=(said[0],)),
        NoteEntry(key="n2", text="the boat is Marigold", at=NOW, cites=()),
    ]
    await memory.documents.append_note(in_kitchen(ann.user), notes, by)
    await ask_to_be_erased(ann)
    asked = query_of(RecallRequest(text="sister boat called", at=NOW))
    seen = await memory.index.candidates(in_kitchen(ben.user), asked)
    assert any("Marigold" in each.text for each in seen.candidates)
    assert not any(canary(ann) in each.text for each in seen.candidates)
    await _erase_open(ann)
    assert find_tables(test_addresses.owner, canary(ann)) == []
    (note,) = await memory.documents.list_documents(in_kitchen(ben.user))
    whole = await memory.documents.find(in_kitchen(ben.user), (note.document_id,))
    assert "the boat is Marigold" in whole[0].body
    await replace(ben, thread_id=str(uuid4())).say("And the harbour is Ghent.", **kitchen)


async def _events(where: Addresses, scope: Scope) -> list[tuple[Any, str]]:
    with psycopg.connect(where.owner) as connection:
        query = "select event_id, text from brain.conversation_events where tenant_id = %s and user_id = %s"
        return [(row[0], row[1]) for row in connection.execute(query, (scope.tenant_id, scope.user_id)).fetchall()]


async def _erase_open(thread: Thread) -> None:
    erasures = thread.resources.memory.erasures
    for each in await erasures.list_of(thread.scope.tenant_id):
        if each.user_id == thread.scope.user_id:
            await run_erasure(thread.resources, each.tenant_id, each.tombstone_id)


async def test_a_legal_hold_stands_in_the_way_until_it_is_lifted(ann: Thread):
    await talk(ann)
    erasures = ann.resources.memory.erasures
    hold = LegalHold(
        tenant_id=ann.scope.tenant_id,
        hold_id=uuid4(),
        user_id=ann.scope.user_id,
        scope=None,
        reason="a court order",
        placed_by="clerk",
        placed_at=NOW,
    )
    await erasures.place_hold(hold)
    with pytest.raises(BrainError, match=r"E_CONFLICT.*legal hold"):
        await ask_to_be_erased(ann)
    assert await ann.beliefs()
    await erasures.lift_hold(hold.tenant_id, hold.hold_id, "clerk", NOW)
    assert (await erase(ann)).state == "completed"


async def test_only_the_very_sentence_erases(ann: Thread):
    await talk(ann)
    wish = ErasureWish(scope=ann.scope, user=ann.user)
    for typed in ("", "yes", wish.sentence.lower(), wish.sentence + "!", "Erase everything about somebody for good."):
        with pytest.raises(BrainError, match="E_BAD_REQUEST"):
            await request_erasure(ann.resources, wish, typed)
    assert await ann.beliefs()


async def test_asked_twice_it_is_one_erasure(ann: Thread):
    await talk(ann)
    first, second = await ask_to_be_erased(ann), await ask_to_be_erased(ann)
    assert first.tombstone_id == second.tombstone_id
    await run_erasure(ann.resources, first.tenant_id, first.tombstone_id)
    await run_erasure(ann.resources, first.tenant_id, first.tombstone_id)
    mine = await ann.resources.memory.erasures.list_of(first.tenant_id, first.person_hash)
    assert [each.attempts for each in mine] == [1]


async def test_the_certificate_is_genuine_and_a_changed_one_is_not(ann: Thread):
    await talk(ann)
    done = await erase(ann)
    public = load_audit_key(ann.resources.settings).public_key
    assert done.certificate is not None
    assert is_genuine(done.certificate, public)
    assert done.certificate["erased"]["conversation_events"] == 6
    assert canary(ann) not in str(done.certificate)
    assert ann.user not in str(done.certificate)
    assert not is_genuine({**done.certificate, "residue": 1}, public)
    assert not is_genuine({**done.certificate, "erased": {}}, public)


async def test_a_database_of_before_the_erasure_erases_again(empty_database: Addresses, tmp_path: Path):
    await migrate(empty_database)
    async with Database(empty_database.app) as opened, open_thread(empty_database, opened) as thread:
        await _erase_again(with_key(thread, tmp_path), empty_database)


async def _erase_again(ann: Thread, test_addresses: Addresses) -> None:
    await talk(ann)
    done = await erase(ann)
    settings = ann.resources.settings
    with psycopg.connect(test_addresses.owner) as connection:
        for table in ("tombstone_states", "tombstones", "erased_threads"):
            rows = SQL("delete from {} where tombstone_id = %s").format(Identifier("brain", table))
            connection.execute(rows, (done.tombstone_id,))
        connection.execute("set search_path = queue")
        connection.execute("delete from procrastinate_jobs")
    again = ann.another()
    await again.say("I am back, with older words.")
    assert await replay_erasures(test_addresses.app, settings) == 1
    assert await replay_erasures(test_addresses.app, settings) == 0
    with pytest.raises(BrainError, match="E_ERASED"):
        await again.say("Hello?")
    await _erase_open(ann)
    assert find_tables(test_addresses.owner, "older words") == []


async def test_without_its_list_of_erasures_a_database_is_not_served(empty_database: Addresses, tmp_path: Path):
    await migrate(empty_database)
    async with Database(empty_database.app) as opened, open_thread(empty_database, opened) as thread:
        ann = with_key(thread, tmp_path)
        await talk(ann)
        await erase(ann)
    settings = a_settings(data_dir=tmp_path)
    (file,) = (tmp_path / "erasures").glob("*.jsonl")
    assert await replay_erasures(empty_database.app, settings) == 0
    line = file.read_text("utf-8")
    assert ann.user not in line
    assert str(ann.scope.user_id) not in line
    for changed in ("", line.replace("person", "tenant_admin", 1), line[:40] + "x" + line[41:]):
        file.write_text(changed, "utf-8")
        with pytest.raises(BrainError, match="E_CONFIG"):
            await replay_erasures(empty_database.app, settings)


async def test_an_owner_who_is_no_superuser_erases_as_well(
    empty_database: Addresses, plain_owner: Addresses, tmp_path: Path
):
    create_extensions(empty_database.owner)
    await migrate(plain_owner)
    async with Database(plain_owner.app) as opened, open_thread(plain_owner, opened) as thread:
        ann = with_key(thread, tmp_path)
        await talk(ann)
        await ann.say("My brother is called Osric Quill.", channel="kitchen", channel_type="group")
        assert (await erase(ann)).state == "completed"
        memory = postgres_memory(opened)
        assert await memory.items.list_newest(ann.scope) == []
    with psycopg.connect(empty_database.owner) as connection:
        assert connection.execute("select count(*) from brain.conversation_events").fetchone() == (0,)
        assert connection.execute("select count(*) from checkpoint.checkpoints").fetchone() == (0,)
