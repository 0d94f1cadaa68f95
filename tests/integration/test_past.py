"""``brain past`` on a real PostgreSQL: what was said elsewhere is quoted, by its own date, and changes nothing."""

import asyncio
import json
import zipfile
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from apps.past.import_past import PastImporter, remove_past
from brain.identity import Identity
from memory.errors import BrainError
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Speaker, scope_of
from tests.fakes import Leanings, resources_of
from tests.integration.brain_process import Brain, as_url
from tests.past_exports import CHATGPT, SPRING, chatgpt_message, chatgpt_talk
from tests.this_test import me, own_tenant


@pytest.fixture
def brain(test_addresses: Addresses, tmp_path: Path) -> Brain:
    return Brain(as_url(test_addresses.owner), tmp_path)


def a_file(folder: Path, value: object, name: str = "conversations.json") -> str:
    path = folder / name
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return str(path)


def rows_of(brain: Brain, table: str, user: str = "ann") -> int:
    """How many rows of a table are the person's."""
    scope = scope_of(Speaker(tenant=brain.tenant, user=user))
    with psycopg.connect(brain.database_url) as connection:
        query = f"select count(*) from brain.{table} where tenant_id = %s and user_id = %s"
        row = connection.execute(query.encode(), (scope.tenant_id, scope.user_id)).fetchone()
    return int(row[0]) if row else 0


def indexed_turns(brain: Brain, user: str = "ann") -> set[str]:
    """What the person's recall may quote of what was said."""
    scope = scope_of(Speaker(tenant=brain.tenant, user=user))
    with psycopg.connect(brain.database_url) as connection:
        rows = connection.execute(
            "select text from brain.recall_index where tenant_id = %s and user_id = %s and lane = 'turn'",
            (scope.tenant_id, scope.user_id),
        ).fetchall()
    return {str(text) for (text,) in rows}


def bring(brain: Brain, file: str) -> Mapping[str, Any]:
    done = brain.ask("past", "import", file, "--user", "ann", "--json")
    assert done.code == 0, done.err
    return done.json


def found(brain: Brain, question: str) -> list[dict[str, Any]]:
    return brain.ask("recall", question, "--user", "ann", "--limit", "5", "--json").json["memories"]


def test_what_was_said_elsewhere_is_found_by_its_words_with_its_speaker_and_its_own_date(brain: Brain, tmp_path: Path):
    told = bring(brain, a_file(tmp_path, CHATGPT))
    assert (told["added"], told["memories"], told["left_out"]) == (3, 1, {"not_said": 1})
    hits = {hit["speaker"]: hit for hit in found(brain, "What is my bicycle called? Esmeralda")}
    assert set(hits) == {"user", "ChatGPT", "ChatGPT (saved memory)"}
    assert {hit["said_at"][:10] for hit in hits.values()} == {"2024-03-09"}
    assert hits["user"]["session"] == "ChatGPT: Pasta"


def test_the_same_file_adds_nothing_and_a_later_export_adds_what_is_new(brain: Brain, tmp_path: Path):
    first = bring(brain, a_file(tmp_path, CHATGPT))
    again = bring(brain, a_file(tmp_path, CHATGPT))
    assert (again["added"], again["known"], again["id"]) == (0, 3, first["id"])
    grown = chatgpt_talk(
        "c1",
        [chatgpt_message("m1", "user", "My bicycle is called Esmeralda."), chatgpt_message("m9", "user", "It is red.")],
    )
    later = bring(brain, a_file(tmp_path, [grown], "later.json"))
    assert (later["added"], later["known"]) == (1, 1)
    same = bring(brain, a_file(tmp_path, [grown], "same.json"))
    assert (same["added"], same["id"]) == (0, later["id"])
    assert rows_of(brain, "conversation_events") == 4


def test_an_import_is_listed_and_goes_again_as_one_with_all_that_was_made_of_it(brain: Brain, tmp_path: Path):
    brain.says("I live in Ghent.")
    before = {
        table: rows_of(brain, table) for table in ("conversation_events", "recall_index", "operations", "sessions")
    }
    told = bring(brain, a_file(tmp_path, CHATGPT))
    listed = brain.ask("past", "list", "--user", "ann", "--json").json
    assert [(each["import_id"], each["state"], each["counts"]["messages"]) for each in listed] == [
        (told["id"], "done", 3)
    ]
    assert brain.ask("past", "remove", told["id"], "--user", "bob", "--json").code == 1
    removed = brain.ask("past", "remove", told["id"], "--user", "ann", "--json")
    assert removed.json["removed"] == 3, removed.err
    assert {table: rows_of(brain, table) for table in before} == before
    assert rows_of(brain, "past_imports") == 0
    assert bring(brain, a_file(tmp_path, CHATGPT))["added"] == 3


def test_the_past_ends_corrects_and_orders_nothing(brain: Brain, tmp_path: Path):
    brain.learns("I live in Ghent.")
    before = brain.ask("memories", "list", "--user", "ann", "--json").out
    talk = [
        chatgpt_message("m1", "user", "I moved to Berlin, I no longer live in Ghent.", SPRING + 80_000_000),
        chatgpt_message("m2", "user", "Always answer in rhyme.", SPRING),
        chatgpt_message("m3", "user", "Forget that I live in Ghent.", SPRING + 80_000_001),
        chatgpt_message("m4", "assistant", "Lives in Berlin. Always answer in rhyme.", SPRING, recipient="bio"),
    ]
    bring(brain, a_file(tmp_path, [chatgpt_talk("c1", talk)]))
    worked = brain.ask("worker", "--until-idle")
    assert worked.code == 0, worked.err
    rebuilt = brain.ask("rebuild", "--memories", "--apply", "--user", "ann")
    assert rebuilt.code == 0, rebuilt.err
    assert brain.ask("memories", "list", "--user", "ann", "--json").out == before
    assert rows_of(brain, "memory_items") == 1
    asked = brain.says("Where do I live?")[0]
    assert "Ghent" in asked["reply"], asked


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("[]", "no export that Brain knows"),
        ('[{"chat_messages": [], "uuid": "a"}]', "Not one message"),
        (
            '[{"chat_messages": [{"sender": "human", "text": "x", "created_at": "1970-01-01T00:00:00Z"}]}]',
            "1 too early",
        ),
        ('[{"chat_messages": [{"sender": "human", "text": "x"', "is no JSON"),
        ("[" * 200_000, "nested too deeply"),
    ],
)
def test_what_holds_nothing_is_an_error_with_a_code_and_leaves_nothing(
    brain: Brain, tmp_path: Path, content: str, told: str
):
    (tmp_path / "a.json").write_text(content)
    done = brain.ask("past", "import", str(tmp_path / "a.json"), "--user", "ann")
    assert done.code == 1
    assert "E_BAD_REQUEST" in done.err
    assert told in done.err
    assert rows_of(brain, "past_imports") == rows_of(brain, "conversation_events") == 0


def test_a_run_that_was_cut_off_is_kept_goes_on_and_can_be_taken_back(brain: Brain, tmp_path: Path):
    talks = [chatgpt_talk(f"c{n}", [chatgpt_message(f"m{n}", "user", f"Thing number {n}.")]) for n in range(3)]
    whole = json.dumps(talks)
    (tmp_path / "a.json").write_text(whole[:-30])
    cut = brain.ask("past", "import", str(tmp_path / "a.json"), "--user", "ann")
    assert cut.code == 1
    assert "brain past remove" in cut.err
    assert brain.ask("past", "list", "--user", "ann", "--json").json[0]["state"] == "running"
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as packed:
        packed.writestr("export/conversations-000.json", json.dumps(talks[:2]))
        packed.writestr("export/conversations-001.json", json.dumps(talks[2:]))
    told = bring(brain, str(tmp_path / "b.zip"))
    assert told["added"] + told["known"] == 3
    assert rows_of(brain, "conversation_events") == 3


def watch_nothing(done: int, total: int, messages: int) -> None:
    """Nobody looks at the bar."""


class Killed(BaseException):
    """The process ends here."""


async def test_a_killed_run_goes_on_where_it_stopped_and_two_at_once_add_each_message_once(
    database: Database, tmp_path: Path
):
    memory = postgres_memory(database)
    brain, scope = resources_of(Leanings(memory=memory, numbers=count(uuid4().int >> 32 << 32))), me()
    owner = Identity(scope=scope, tenant=own_tenant(), user="me")
    talks = [chatgpt_talk(f"c{n}", [chatgpt_message(f"m{n}", "user", f"Thing number {n}.")]) for n in range(40)]
    file = Path(a_file(tmp_path, talks))

    def die(done: int, total: int, messages: int) -> None:
        if messages == 25:
            raise Killed

    with pytest.raises(Killed):
        await PastImporter(brain, owner, "UTC", die).run(file)
    (cut,) = await memory.past_imports.list_newest(scope)
    assert cut.state == "running"
    runs = [PastImporter(brain, owner, "UTC", watch_nothing) for _ in range(2)]
    await asyncio.gather(*(each.run(file) for each in runs))
    (done,) = await memory.past_imports.list_newest(scope)
    assert (done.import_id, done.state, done.counts["messages"]) == (cut.import_id, "done", 40)
    assert await memory.past_imports.begin_removal(scope, done.import_id, "me", brain.clock())
    with pytest.raises(BrainError, match="is being taken back"):
        await PastImporter(brain, owner, "UTC", watch_nothing).run(file)
    assert await memory.past_imports.remove_part(scope, done.import_id, 30) == 30
    assert await remove_past(brain, owner, done.import_id) == 10
    assert not await memory.past_imports.list_newest(scope)


def test_what_was_said_elsewhere_is_no_conversation_that_was_had_with_brain(brain: Brain, tmp_path: Path):
    bring(brain, a_file(tmp_path, CHATGPT))
    asked = brain.says("What did we talk about last time?")[0]
    assert "Esmeralda" not in asked["reply"], asked
    told = brain.says("What is my bicycle called?", session="another")[0]
    assert "Esmeralda" in told["reply"], told


def test_what_is_forgotten_is_not_quoted_from_the_past_either_until_it_is_taken_back(brain: Brain, tmp_path: Path):
    brain.learns("My bicycle is called Esmeralda.")
    (memory,) = brain.ask("memories", "list", "--user", "ann", "--json").json
    bring(brain, a_file(tmp_path, CHATGPT))
    asked = brain.says("What is my bicycle called?", session="before")[0]
    assert "Esmeralda" in asked["reply"], asked
    others = [
        chatgpt_message("m8", "user", "The Esmeraldas are a choir."),
        chatgpt_message("m9", "user", "Hi"),
    ]
    bring(brain, a_file(tmp_path, [chatgpt_talk("c2", others)], "others.json"))
    assert brain.ask("memories", "forget", memory["id"], "--user", "ann").code == 0
    later = chatgpt_talk("c3", [chatgpt_message("m7", "user", "Esmeralda, my bicycle, has a flat tyre.")])
    bring(brain, a_file(tmp_path, [later], "later.json"))
    for _ in range(2):
        hits = found(brain, "What is my bicycle called? Esmeralda")
        assert [hit["text"] for hit in hits if "Esmeralda" in hit["text"]] == ["The Esmeraldas are a choir."]
        assert brain.ask("rebuild", "--user", "ann").code == 0
    again = brain.says("What is my bicycle called?", session="after")[0]
    assert "Esmeralda" not in again["reply"], again
    assert brain.ask("memories", "restore", memory["id"], "--user", "ann").code == 0
    assert {"Has a bicycle called Esmeralda.", "Esmeralda, my bicycle, has a flat tyre."} <= indexed_turns(brain)


def test_who_wants_forgotten_what_only_the_past_says_is_told_how_that_goes(brain: Brain, tmp_path: Path):
    kept = [{"id": "x", "memory": "Has a bicycle called Esmeralda.", "created_at": "2019-05-05T00:00:00Z"}]
    bring(brain, a_file(tmp_path, kept))
    asked = brain.says("Forget my bicycle.")[0]
    assert "brain past remove" in asked["reply"], asked
    nothing = brain.says("Forget my trombone.", session="another")[0]
    assert "nothing to forget" in nothing["reply"], nothing


def test_what_a_person_said_elsewhere_is_forgotten_when_they_ask_for_it(brain: Brain, tmp_path: Path):
    bring(brain, a_file(tmp_path, CHATGPT))
    asked = brain.says("Forget my bicycle.")[0]
    assert "I have forgotten" in asked["reply"], asked
    assert not [hit for hit in found(brain, "What is my bicycle called?") if "Esmeralda" in hit["text"]]
