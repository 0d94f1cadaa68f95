"""The command line as a process on a real PostgreSQL."""

import asyncio
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from apps.doctor.readiness import check_storage
from apps.threads.registry import ThreadRegistry
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from tests.integration.brain_process import COMMAND, PATIENCE, Brain, as_url, type_line

TURN_KEYS = {
    "change",
    "reply",
    "intent",
    "memories",
    "rejected",
    "degraded_reasons",
    "receipt_ids",
    "node_ms",
    "operation_id",
    "session",
    "turn_ms",
    "approval",
}
ONE_CODED_LINE = re.compile(r"E_[A-Z_]+: [^\n]+\n")

SPY = """
import os, sys
log = open(os.environ["BRAIN_TEST_ABROAD"], "a", buffering=1)
print("watching", file=log)
def note(event, arguments):
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        print(arguments[1][0], file=log)
    elif event == "socket.getaddrinfo":
        print(arguments[0], file=log)
sys.addaudithook(note)
sys.argv = ["brain", *sys.argv[2:]]
from apps.cli import app
app()
"""
"""Python code that runs the command while noting every address that anything asks for."""


@pytest.fixture
def brain(test_addresses: Addresses, tmp_path: Path) -> Brain:
    return Brain(as_url(test_addresses.owner), tmp_path)


def workers_of(brain: Brain) -> int:
    """How many workers have ever signed in at this database."""
    with psycopg.connect(brain.database_url) as connection:
        row = connection.execute("select coalesce(max(id), 0) from queue.procrastinate_workers").fetchone()
    assert row is not None
    return int(row[0])


def test_a_script_gets_one_object_per_turn_and_a_later_session_knows_what_was_said(brain: Brain):
    chat = ("chat", "--user", "ann", "--json", "--message")
    told, asked = brain.run(
        *chat, "My dentist is Doctor Okafor.", "--message", "Who is it?", "--session", "monday"
    ).lines
    (later,) = brain.ask(*chat, "Who is my dentist?").lines
    for turn in (told, asked, later):
        assert set(turn) == TURN_KEYS
        assert set(turn["node_ms"]) >= {"open_session", "retrieve", "respond", "capture_signals"}
    assert "Okafor" in later["reply"]
    used = next(memory for memory in later["memories"] if "Okafor" in memory["text"])
    assert used.keys() >= {"id", "text", "score", "position", "decision_reason", "signals", "lane"}
    assert later["session"] != "monday"
    assert later["degraded_reasons"] == ["model_not_configured"]


def test_an_accepted_turn_can_be_asked_for_until_it_ended(brain: Brain):
    (turn,) = brain.says("I love green tea.")
    found = brain.ask("operations", "show", turn["operation_id"], "--user", "ann", "--json").json
    strange = brain.ask("operations", "show", turn["operation_id"], "--user", "bob")
    assert found["status"] == "stored"
    assert len(found["memory_ids"]) == 1
    assert found["finished_at"]
    assert (strange.code, strange.out) == (1, "")
    assert strange.err.startswith("E_NOT_FOUND: ")


def test_small_talk_ends_with_the_reason_why_nothing_was_stored(brain: Brain):
    (turn,) = brain.says("Hello there!")
    shown = brain.ask("operations", "show", turn["operation_id"], "--user", "ann").out
    assert "nothing to store" in shown
    assert "nothing in it asks to be remembered" in shown


def test_bad_messages_are_told_by_code_and_the_conversation_goes_on(brain: Brain):
    lines = [b"", b"broken \xff\xfe", b"nul \x00 byte", b"x" * 1_000_000, b"I love green tea."]
    done = brain.ask("chat", "--user", "ann", "--json", said=b"\n".join(lines) + b"\n")
    assert done.code == 0
    assert [turn.get("error", {}).get("code") for turn in done.lines] == ["E_BAD_REQUEST"] * 4 + [None]
    assert [line.split(":")[0] for line in done.err.splitlines()] == ["E_BAD_REQUEST"] * 4
    assert "Traceback" not in done.err


def test_a_failed_turn_of_a_script_makes_the_exit_code_1(brain: Brain):
    done = brain.ask("chat", "--json", "--message", " ", "--message", "Hello")
    assert done.code == 1
    assert [("error" in turn) for turn in done.lines] == [True, False]


def test_broken_utf8_in_an_argument_is_a_coded_error(brain: Brain):
    done = brain.ask("chat", "--message", "caf\udce9", "--user", "ann")
    assert done.code == 1
    assert ONE_CODED_LINE.fullmatch(done.err), done.err


def test_why_names_the_turn_behind_a_memory_and_verifies_it(brain: Brain):
    brain.learns("My dentist is Doctor Okafor.", session="monday")
    done = brain.ask("chat", "--user", "ann", said=b"Who is my dentist?\n/why\n/quit\nnever said\n")
    assert "Used:" in done.out
    assert "How well its words fit the question" in done.out
    assert re.search(r"from “My dentist is Doctor Okafor.” — user, .* sha256 [0-9a-f]{12}…, verified", done.out)
    assert "never said" not in done.out


def test_ctrl_c_ends_the_chat_cleanly_after_the_turn_was_written(brain: Brain):
    with brain.running("chat", "--user", "ann", "--session", "s") as chat:
        assert chat.stdout is not None
        type_line(chat, "My dentist is Doctor Okafor.")
        assert chat.stdout.readline()
        chat.send_signal(signal.SIGINT)
        out, err = chat.communicate(timeout=PATIENCE)
    assert chat.returncode == 0
    assert b"Traceback" not in out + err
    assert "Okafor" in brain.ask("recall", "dentist", "--user", "ann").out


def test_a_person_looks_after_a_memory_from_the_command_line(brain: Brain):
    brain.learns("I love green tea.")
    who = ("--user", "ann")
    (item,) = brain.ask("memories", "list", *who, "--json").json
    name = item["id"]
    shown = brain.ask("memories", "show", name[:18], *who, "--json").json
    (proof,) = shown["evidence"]
    assert proof["quote"] in "I love green tea."
    assert proof["verified"] is True
    assert len(proof["sha256"]) == 64

    assert brain.ask("memories", "correct", name, "The user loves oolong", *who, "--reason", "mistaken").code == 0
    assert brain.ask("memories", "confirm", name, *who).code == 0
    changes = [each["change"] for each in brain.ask("memories", "history", name, *who, "--json").json["versions"]]
    compared = brain.ask("memories", "compare", name, "--a", "1", "--b", "2", *who, "--json").json
    assert changes == ["create", "correct", "confirm"]
    assert compared["differences"]["text"]["b"] == "The user loves oolong"

    assert brain.ask("memories", "forget", name, *who).code == 0
    assert brain.ask("memories", "list", *who, "--json").json == []
    assert brain.ask("memories", "restore", name, "--version", "2", *who).code == 0
    (back,) = brain.ask("memories", "list", *who, "--json").json
    assert back["text"] == "The user loves oolong"


def test_the_same_key_writes_once(brain: Brain):
    brain.learns("I love green tea.")
    (item,) = brain.ask("memories", "list", "--user", "ann", "--json").json
    change = ("memories", "correct", item["id"], "Oolong it is", "--user", "ann", "--key", "k1", "--json")
    assert brain.ask(*change).json == brain.ask(*change).json
    history = brain.ask("memories", "history", item["id"], "--user", "ann", "--json").json
    assert len(history["versions"]) == 2


def test_a_memory_that_is_not_there_is_told_in_one_coded_line(brain: Brain):
    done = brain.ask("memories", "show", "00000000-0000-0000-0000-000000000001")
    assert (done.code, done.out) == (1, "")
    assert ONE_CODED_LINE.fullmatch(done.err)
    assert done.err.startswith("E_NOT_FOUND: ")


def test_nobody_sees_another_persons_memory_by_any_command(brain: Brain):
    brain.learns("My secret word is marmalade.", "I love green tea.")
    (item,) = [each for each in brain.ask("memories", "list", "--user", "ann", "--json").json if "tea" in each["text"]]
    hostile = "ann' or '1'='1"
    for thief in ("bob", hostile, "%", "ann\u200b"):
        assert brain.ask("recall", "secret word marmalade", "--user", thief, "--json").json["memories"] == []
        assert brain.ask("memories", "list", "--user", thief, "--all", "--json").json == []
        assert brain.ask("memories", "forget", item["id"], "--user", thief).code == 1
    other = Brain(brain.database_url, brain.folder)
    assert other.ask("recall", "secret word marmalade", "--user", "ann", "--json").json["memories"] == []
    assert "marmalade" in brain.ask("recall", "secret word", "--user", "ann").out


def test_the_index_of_a_person_and_of_a_tenant_is_derived_again(brain: Brain):
    brain.says("My dentist is Doctor Okafor.")
    brain.says("My dentist is Doctor Chen.", user="bob")
    one = brain.ask("rebuild", "--user", "ann", "--json").json
    everybody = brain.ask("rebuild", "--all-users", "--json").json
    assert one["people"] == 1
    assert everybody["people"] == 2
    assert everybody["rows"] > one["rows"] > 0
    assert "Okafor" in brain.ask("recall", "dentist", "--user", "ann").out


def test_memories_are_derived_again_and_unasked_nothing_changes(brain: Brain):
    brain.learns("My sister Ana lives in Porto, and I work as a nurse.")
    told = brain.ask("rebuild", "--memories", "--user", "ann")
    assert "of 2 memories that rules wrote and nobody touched 2 stay" in told.out
    assert "Nothing was changed. Add --apply to do it." in told.out
    done = brain.ask("rebuild", "--memories", "--apply", "--all-users", "--json").json
    assert (done["ann"]["stays"], done["ann"]["error"]) == (2, "")
    assert "--apply belongs to --memories" in brain.ask("rebuild", "--apply").err


def test_the_doctor_finds_a_migrated_database_fit(brain: Brain):
    report = brain.ask("doctor", "--json")
    states = {finding["name"]: finding["state"] for finding in report.json["findings"]}
    assert report.code == 0
    assert report.json["usable"] is True
    assert states.keys() == {
        "database",
        "schema",
        "isolation",
        "queue",
        "memory",
        "checkpoints",
        "disk",
        "words",
        "model",
        "embeddings",
        "reranking",
        "access",
        "telemetry",
    }
    assert states["isolation"] == "ok"
    assert "password" not in report.out


async def test_the_doctor_and_the_probe_agree_about_what_does_not_answer(brain: Brain, test_addresses: Addresses):
    async with await psycopg.AsyncConnection.connect(test_addresses.owner, autocommit=True) as owner:
        await owner.execute("alter table checkpoint.checkpoints rename to checkpoints_away")
        try:
            report = await asyncio.to_thread(brain.ask, "doctor", "--json")
            async with Database(test_addresses.app) as database:
                probed = await check_storage(postgres_memory(database), ThreadRegistry(database))
        finally:
            await owner.execute("alter table checkpoint.checkpoints_away rename to checkpoints")
    found = {each["name"]: each for each in report.json["findings"]}
    assert (report.code, report.json["usable"], probed.is_ready) == (1, False, False)
    assert found["memory"]["state"] == probed.parts["memory"] == "ok"
    assert found["checkpoints"]["what"] == probed.parts["checkpoints"]


def test_the_doctor_says_what_to_do_about_a_database_that_is_away(tmp_path: Path):
    away = Brain(f"postgresql://u:{uuid4().hex}@127.0.0.1:9/x", tmp_path)
    done = away.ask("doctor")
    assert done.code == 1
    assert "broken" in done.out
    assert "BRAIN_DATABASE_URL" in done.out


def test_without_a_database_every_command_says_so_in_one_line(tmp_path: Path):
    away = Brain(f"postgresql://u:{uuid4().hex}@127.0.0.1:9/x", tmp_path)
    for arguments in (["recall", "x"], ["chat", "--message", "hi"]):
        done = away.ask(*arguments)
        assert done.code == 1
        assert ONE_CODED_LINE.fullmatch(done.err), done.err
        assert done.err.startswith("E_DEP_UNAVAILABLE: ")


def test_a_whole_conversation_reaches_for_nothing_beyond_this_machine(brain: Brain, tmp_path: Path):
    abroad = tmp_path / "abroad"
    spied = [
        sys.executable,
        "-c",
        SPY,
        str(COMMAND),
        *brain.command(["chat", "--message", "I love tea", "--message", "What do I love?"]),
    ]
    environment = brain.environment | {"BRAIN_TEST_ABROAD": str(abroad)}
    done = subprocess.run(spied, env=environment, cwd=tmp_path, capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    assert abroad.read_text().splitlines()[0] == "watching"
    assert [line for line in abroad.read_text().splitlines()[1:] if not line.startswith("127.0.0.1")] == []


def test_migrating_again_changes_nothing(brain: Brain):
    assert brain.ask("migrate", "--json").json["applied"] == []


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_the_worker_ends_cleanly_when_it_is_told_to(brain: Brain, ending: signal.Signals):
    before = workers_of(brain)
    with brain.running("worker") as worker:
        while worker.poll() is None and workers_of(brain) <= before:
            time.sleep(0.1)
        worker.send_signal(ending)
        out, err = worker.communicate(timeout=PATIENCE)
    assert worker.returncode == 0, err
    assert b"Traceback" not in out + err


def test_a_reader_that_goes_away_ends_the_command_without_a_word(brain: Brain):
    with brain.running("recall", "--help") as helping:
        assert helping.stdout is not None
        assert helping.stderr is not None
        helping.stdout.close()
        assert helping.wait(PATIENCE) == 1
        assert helping.stderr.read() == b""
