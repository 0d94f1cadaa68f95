"""Whether the words of a memory stand in the turns that it cites."""

from uuid import uuid4

import pytest

from memory.founding import is_founded
from memory.memory_item import MemoryItem
from memory.revision import first_version
from tests.contract.builders import a_draft, at


def composed(content: str) -> MemoryItem:
    return first_version(a_draft(content, content=content, composed=True), uuid4(), uuid4(), at(0))


CITED = ("不对，是宁波。", "说错了，我生日不是六月八号，是六月十八号。", "我住在杭州，生日是六月八号。")


def test_a_value_in_anothers_place_meets_words_that_it_did_not_stand_beside() -> None:
    assert is_founded(composed("我住在宁波，生日是六月十八号。"), CITED)


@pytest.mark.parametrize("content", ["我住在上海，生日是六月十八号。", "I live in Ningbo."])
def test_what_nobody_said_is_founded_on_nothing(content: str) -> None:
    assert not is_founded(composed(content), CITED)
