"""``brain chat`` in a real terminal: editing, commands, Ctrl-C, the sign of life."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from memory.postgres.roles import Addresses
from tests.integration.brain_process import Brain, as_url
from tests.integration.forked_process import BRAIN
from tests.integration.terminal import BREAK_LINE, END, ENTER, INTERRUPT, UP, Terminal, a_terminal
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI

PROMPT = "you   >"


@pytest.fixture
def brain(test_addresses: Addresses, tmp_path: Path) -> Brain:
    return Brain(as_url(test_addresses.owner), tmp_path)


@contextmanager
def a_chat(brain: Brain) -> Generator[Terminal]:
    with a_terminal(
        [BRAIN, *brain.command(["chat", "--user", "ann", "--session", "s"])], brain.environment, brain.folder, 60.0
    ) as terminal:
        terminal.wait_for(PROMPT)
        yield terminal


def say(terminal: Terminal, line: str, reply: str) -> str:
    """Type a line and wait for what it brings; the rest of that, up to the next prompt."""
    terminal.type(line + ENTER)
    terminal.wait_for(reply)
    return terminal.wait_for(PROMPT)


def test_lines_are_edited_and_memory_is_listed_changed_and_brought_back_by_commands(brain: Brain):
    with a_chat(brain) as terminal:
        say(terminal, "I live in Ghent.", "brain >")
        say(terminal, "/remember I like tea.", "brain >")
        wait_for_list(terminal, {"I live in Ghent.", "Remember: I like tea."})
        say(terminal, "/correct I live in Bruges.", "Corrected: I live in Ghent. → I live in Bruges.")
        say(terminal, "/forget tea", "Forgotten: ")
        wait_for_list(terminal, {"I live in Bruges."})
        say(terminal, "/undo", "Restored: Remember: I like tea.")
        say(terminal, "/undo", "Restored: I live in Ghent.")
        terminal.type("not this" + INTERRUPT)
        say(terminal, "/forget 9", "E_NOT_FOUND: No list that was shown has the number 9")
        say(terminal, UP, "E_NOT_FOUND: No list that was shown has the number 9")
        say(terminal, "I have a cat" + BREAK_LINE + "and a dog.\\" + ENTER + "Both are old.", "brain >")
        terminal.type(END)
        assert terminal.wait_for_end() == 0
    found = brain.ask("recall", "cat dog", "--user", "ann", "--lane", "turn", "--json").json["memories"]
    assert "I have a cat\nand a dog.\nBoth are old." in [each["text"] for each in found]


def wait_for_list(terminal: Terminal, texts: set[str]) -> None:
    """Until memory holds just that: on a busy machine the work behind a turn takes a while."""
    listed: set[str] = set()
    for _ in range(20):
        table = say(terminal, "/memories", "memory")
        listed = {line.strip().split("  ")[-1] for line in table.splitlines()} - {""}
        if listed == texts:
            return
    raise AssertionError(f"memory holds {listed}")


def test_ctrl_c_stops_the_answer_and_not_the_chat(brain: Brain):
    quick = Step(when=When(model="gpt-4.1", contains="Are you there?"), text="Here I am.", times=None)
    slow = Step(when=When(model="gpt-4.1", contains="slowly"), text="At last.", delay=60.0)
    with ScriptedOpenAI([quick, slow, Step(status=400, times=None)]) as server:
        settings = {"BRAIN_OPENAI_API_KEY": "sk-test", "BRAIN_BASE_URL": server.base_url, "BRAIN_EMBEDDINGS": "none"}
        with a_chat(replace(brain, settings=settings)) as terminal:
            terminal.type("Think slowly." + ENTER)
            terminal.wait_for("answering …")
            while not server.requests:  # the step is named before the model is asked
                time.sleep(0.05)
            terminal.type(INTERRUPT)
            terminal.wait_for("Stopped.")
            say(terminal, "Are you there?", "Here I am.")
            terminal.type(END)
            assert terminal.wait_for_end() == 0


def test_what_is_typed_ahead_is_not_written_into_the_answer_and_is_the_next_message(brain: Brain):
    slow = Step(when=When(model="gpt-4.1", contains="slowly"), text="At last.", held=True)
    quick = Step(when=When(model="gpt-4.1", contains="typed ahead"), text="I heard that.", times=None)
    with ScriptedOpenAI([slow, quick, Step(status=400, times=None)]) as server:
        settings = {"BRAIN_OPENAI_API_KEY": "sk-test", "BRAIN_BASE_URL": server.base_url, "BRAIN_EMBEDDINGS": "none"}
        with a_chat(replace(brain, settings=settings)) as terminal:
            terminal.type("Think slowly." + ENTER)
            terminal.wait_for("answering …")
            terminal.type("This is typed ahead." + ENTER)
            server.let_go()
            answer = terminal.wait_for(PROMPT)
            assert "At last." in answer
            assert "typed ahead" not in answer
            terminal.wait_for("I heard that.")
            terminal.wait_for(PROMPT)
            terminal.type(END)
            assert terminal.wait_for_end() == 0
