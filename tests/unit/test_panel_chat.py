"""How the words of an answer reach the panel's page: with pauses, to the end, or broken off."""

from typing import cast

import pytest

from apps.chat_api.answering import RunningAnswer
from apps.panel.chat import KEEP_ALIVE, stream_words


class FakeAnswer:
    """An answer whose next words are a list; None for those that are late."""

    def __init__(self, *words: str | None, fails: bool = False) -> None:
        self.words, self.fails, self.was_cut_off = list(words), fails, False

    async def next_words(self, seconds: float) -> str | None:
        if not self.words:
            return None
        if (words := self.words.pop(0)) is None:
            raise TimeoutError
        return words

    async def whole(self) -> None:
        if self.fails:
            raise ConnectionError("the database is gone")

    def cut_off(self) -> None:
        self.was_cut_off = True


def stream(answer: FakeAnswer, first: str):
    return stream_words(cast("RunningAnswer", answer), first)


async def test_a_pause_keeps_the_connection_alive():
    answer = FakeAnswer("two", None, "three")
    assert [each async for each in stream(answer, "")] == [KEEP_ALIVE, "two", KEEP_ALIVE, "three"]
    assert not answer.was_cut_off


async def test_a_page_that_is_closed_ends_the_answer():
    answer = FakeAnswer("two", "three")
    words = stream(answer, "one")
    assert await anext(words) == "one"
    await words.aclose()
    assert answer.was_cut_off


async def test_an_answer_that_fails_breaks_the_stream_off():
    answer = FakeAnswer(fails=True)
    words = stream(answer, "one")
    assert await anext(words) == "one"
    with pytest.raises(ConnectionError):
        await anext(words)
    assert not answer.was_cut_off
