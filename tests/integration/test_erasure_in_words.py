"""In a conversation only the sentence that was shown erases; whatever sounds like it does not."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage

from evolution.erasure.request import sentence_for
from memory.errors import BrainError
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from tests.fakes import FakeModel, a_settings
from tests.integration.threads import Thread, open_thread

ASKING = "Erase everything about me for good."
NEARLY = (
    "Forget everything about me.",
    "Erase everything about my ex for good.",
    "Should I erase everything about me for good?",
    "I told her: erase everything about me for good.",
    "Delete all that you know.",
    "please erase everything about ann for good",
    "抹除",
)


@pytest.fixture
async def ann(test_addresses: Addresses, database: Database, tmp_path: Path) -> AsyncGenerator[Thread]:
    async with open_thread(test_addresses, database) as thread:
        yield replace(thread, resources=replace(thread.resources, settings=a_settings(data_dir=tmp_path)))


async def state_of(thread: Thread) -> list[str]:
    """The states of the person's erasures; nothing is left waiting for other tests' starts."""
    found = await thread.resources.memory.erasures.list_of(thread.scope.tenant_id)
    return [each.state for each in found if each.user_id == thread.scope.user_id]


async def test_the_sentence_is_shown_and_typing_it_erases(ann: Thread):
    await ann.say("I live in Ghent.")
    shown = await ann.say(ASKING)
    assert shown.endswith(sentence_for(ann.user))
    assert await state_of(ann) == []
    assert "begins now" in await ann.say(sentence_for(ann.user))
    assert await state_of(ann) == ["queued"]
    with pytest.raises(BrainError, match="E_ERASED"):
        await ann.another().say("Hello?")


async def test_in_chinese_as_well(ann: Thread):
    assert (await ann.say("彻底抹除关于我的一切。")).endswith(sentence_for(ann.user))
    await ann.say(sentence_for(ann.user))
    assert await state_of(ann) == ["queued"]


@pytest.mark.parametrize("text", NEARLY)
async def test_nothing_else_erases(ann: Thread, text: str):
    await ann.say("I live in Ghent.")
    await ann.say(text)
    await ann.say("yes")
    assert await state_of(ann) == []


@pytest.mark.parametrize("answer", ["yes", "ok, do it", "Erase everything about somebody for good.", "no"])
async def test_after_it_was_shown_only_the_very_sentence_counts(ann: Thread, answer: str):
    await ann.say(ASKING)
    await ann.say(answer)
    assert await state_of(ann) == []


async def test_the_sentence_counts_only_right_after_it_was_shown(ann: Thread):
    await ann.say(sentence_for(ann.user))
    assert await state_of(ann) == []
    await ann.say(ASKING)
    await ann.say("I live in Ghent.")
    await ann.say(sentence_for(ann.user))
    assert await state_of(ann) == []


async def test_a_model_neither_words_it_nor_decides_it(test_addresses: Addresses, database: Database, tmp_path: Path):
    model = FakeModel([AIMessage("Sure, all erased!")] * 5)
    async with open_thread(test_addresses, database, model) as thread:
        ann = replace(thread, resources=replace(thread.resources, settings=a_settings(data_dir=tmp_path)))
        assert (await ann.say(ASKING)).endswith(sentence_for(ann.user))
        await ann.say("yes, please")
        assert await state_of(ann) == []
