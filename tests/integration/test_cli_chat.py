"""``brain chat`` in a pipe and in a script: messages, commands, and what only looks like one."""

from pathlib import Path

import psycopg
import pytest

from apps.cli.chat_commands import COMMANDS
from memory.postgres.roles import Addresses
from memory.scope import name_id
from tests.integration.brain_process import Brain, as_url


@pytest.fixture
def brain(test_addresses: Addresses, tmp_path: Path) -> Brain:
    return Brain(as_url(test_addresses.owner), tmp_path)


def test_a_mistyped_command_is_told_and_never_stored(brain: Brain):
    done = brain.ask("chat", "--user", "ann", said="/nonsense\n / 2 is a half\nI use /etc/hosts\n/帮助\n".encode())
    found = brain.ask("recall", "nonsense half hosts 帮助", "--user", "ann", "--json").json["memories"]
    assert [line.split(";")[0] for line in done.err.splitlines()] == [
        "E_BAD_REQUEST: There is no command '/nonsense'",
        "E_BAD_REQUEST: There is no command '/帮助'",
    ]
    assert sorted(each["text"] for each in found if each["lane"] == "turn") == [" / 2 is a half", "I use /etc/hosts"]
    assert not any("nonsense" in each["text"] or "帮助" in each["text"] for each in found)


def test_a_script_gets_neither_a_welcome_nor_hints(brain: Brain):
    done = brain.ask("chat", "--user", "ann", said=b"My name is Ann.\n")
    assert done.out.startswith("I have noted that.")
    assert "/help" not in done.out + done.err
    assert "you   >" not in done.out


def test_what_one_line_of_a_pipe_says_the_next_one_knows(brain: Brain):
    done = brain.ask("chat", "--user", "ann", said=b"My name is Ann.\nWhat do you know about me?\n")
    assert "you said: “My name is Ann.”" in done.out


def test_a_conversation_is_kept_under_the_tenant_it_names(brain: Brain, test_addresses: Addresses):
    brain.ask("chat", "--user", "ann", said=b"My name is Ann.\nWhat is my name?\n")
    with psycopg.connect(test_addresses.owner) as connection:
        kept = connection.execute(
            "select distinct c.tenant_id, c.metadata ->> 'owner' from checkpoint.checkpoints c"
            " where c.metadata ->> 'tenant' = %s",
            (brain.tenant,),
        ).fetchall()
    assert kept == [(name_id("tenant", brain.tenant), "ann")]


def test_commands_work_in_a_script_and_answer_in_its_form(brain: Brain):
    brain.says("My dentist is Doctor Okafor.")
    spoken = ("--message", "Who is my dentist?", "--message", "/why", "--message", "/WYH", "--message", "/help")
    done = brain.ask("chat", "--user", "ann", "--json", *spoken)
    turn, why, refused, commands = done.lines
    assert done.code == 1
    assert why["why"][0]["memory"]["id"] == turn["memories"][0]["id"]
    assert any(proof["quote"] == "My dentist is Doctor Okafor." for each in why["why"] for proof in each["proofs"])
    assert refused["error"]["code"] == "E_BAD_REQUEST"
    assert commands["commands"].keys() == COMMANDS.keys()


def test_memory_commands_answer_a_script_in_its_form_and_find_what_words_mean(brain: Brain):
    brain.learns("My dentist is Doctor Okafor.", "我住在上海。")
    spoken = [
        "/memories",
        "/forget 钢琴",
        "/correct 1 我住在北京。",
        "/forget Doctor Okafor",
        "/undo",
        "/memories 北京",
    ]
    done = brain.ask("chat", "--user", "ann", "--json", *[part for line in spoken for part in ("--message", line)])
    listed, unclear, corrected, forgotten, restored, found = done.lines
    assert [each["text"] for each in listed["memories"]] == ["我住在上海。", "My dentist is Doctor Okafor."]
    assert unclear == {"memories": []}
    assert corrected["corrected"]["ids"] == listed["memories"][0]["ids"]
    assert forgotten["forgotten"]["text"] == "My dentist is Doctor Okafor."
    assert restored == {"restored": ["My dentist is Doctor Okafor."]}
    assert [each["text"] for each in found["memories"]] == ["我住在北京。"]


JOB = ("I work at Acme.", "My job is nursing.", "My boss at work is called Carl.", "My job starts at six.")


@pytest.fixture
def cautious(test_addresses: Addresses, tmp_path: Path) -> Brain:
    settings = {"BRAIN_APPROVAL_BULK": "2"}
    return Brain(as_url(test_addresses.owner), tmp_path, settings=settings)


def test_what_waits_for_approval_is_answered_in_another_process(cautious: Brain):
    *_, waiting = cautious.says(*JOB, "Forget everything about my job.", session="s")
    (action,) = waiting["approval"]["action_requests"]
    listed = action["args"]["memories"].splitlines()
    assert waiting["reply"] == ""
    assert len(listed) > 2
    (again,) = cautious.says("e 1", session="s")
    assert again["approval"] is None
    assert again["operation_id"] == waiting["operation_id"]
    assert again["reply"].startswith(f"I have forgotten “{listed[0].rstrip('.')}”.")
    assert again["receipt_ids"]


def test_the_terminal_shows_what_waits_and_goes_on_with_a_message_instead(cautious: Brain):
    cautious.says(*JOB, session="s")
    lines = b"Forget everything about my job.\ne 9\nI have a cat.\ny\n"
    done = cautious.run("chat", "--user", "ann", "--session", "s", said=lines)
    assert "Forget all of these memories?" in done.out
    assert "y: do it; n: leave it; e …: change it first (the numbers of the memories to go: e 1 3)." in done.out
    assert "E_BAD_REQUEST: Name memories by their numbers" in done.err
    assert "I have forgotten" not in done.out
    for words, said in (("Acme", "I work at Acme."), ("cat", "I have a cat.")):
        found = cautious.ask("recall", words, "--user", "ann", "--json").json["memories"]
        assert said in [each["text"] for each in found if each["lane"] == "turn"]
