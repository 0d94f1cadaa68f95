"""A chat on the embedded database outlives that database's death, and so does the memory behind it."""

import os
import signal
import time
from collections.abc import Generator
from pathlib import Path
from uuid import uuid4

import pytest

from apps.cli.chat_session import ChatSession
from apps.cli.conversation import DEAF, TurnReport
from brain.context import Context
from brain.local_postgres.server import EmbeddedPostgres
from memory.errors import BrainError
from tests.fakes import a_settings
from tests.integration.brain_process import PATIENCE


@pytest.fixture
def home(reachable_folder: Path) -> Generator[Path]:
    folder = reachable_folder / uuid4().hex[:8]
    yield folder
    EmbeddedPostgres(folder).stop()


def kill(home: Path) -> None:
    """End the server without warning, as a system that runs out of memory does."""
    embedded = EmbeddedPostgres(home)
    os.kill(int((home / "postgres/cluster/postmaster.pid").read_text().splitlines()[0]), signal.SIGKILL)
    deadline = time.monotonic() + PATIENCE
    while embedded.is_running() and time.monotonic() < deadline:
        time.sleep(0.02)


def says(talk: ChatSession, text: str) -> TurnReport:
    """A turn; who is told that the database is away tries again, as the message asks."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return talk.say(text, DEAF)
        except BrainError as error:
            if not error.is_retryable or time.monotonic() > deadline:
                raise


def has_ended(talk: ChatSession, report: TurnReport) -> bool:
    """Whether somebody did the memory work of a turn."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        talk.wait_for_memory(report)
        if not talk.is_waiting(report):
            return True
        time.sleep(0.1)
    return False


def test_a_chat_goes_on_after_its_database_was_killed_and_its_worker_works_again(home: Path):
    settings = a_settings(data_dir=home, openai_api_key=None, base_url=None)
    with ChatSession(settings, lambda resources: Context(user="ann", resources=resources)) as talk:
        assert has_ended(talk, says(talk, "My favourite colour is green."))
        kill(home)
        answer = says(talk, "What is my favourite colour?")
        later = says(talk, "My dentist is Doctor Okafor.")
        worked = has_ended(talk, later)
    assert "green" in answer["reply"]
    assert worked
