"""Whether sentences of different people say the same, or the contrary."""

import pytest

from language.agreement import differs, opposes, says_the_same, word_share
from language.encoder import sentence_encoder


def cosine(one: str, other: str) -> float:
    first, second = sentence_encoder().encode([one, other])
    return float(first @ second)


SAME = (
    ("Our label printer jams with thick paper.", "The label printer jams when we use thick paper."),
    ("I prefer stand-up meetings before ten.", "I'd rather have stand-up meetings before ten."),
    ("标签打印机用厚纸总是卡纸", "我发现标签打印机一用厚纸就卡纸"),
)
OTHER = (
    ("I prefer tea in the break room.", "I prefer coffee in the break room."),
    ("We should open early on Saturdays.", "We should open late on Saturdays."),
    ("The printer jams with thick paper.", "The printer does not jam with thick paper."),
    ("The shop opens at nine.", "The shop opens at ten."),
    ("我希望盒子大一点", "我希望盒子小一点"),
)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_they_say_the_same(one: str, other: str):
    assert says_the_same(one, other, cosine(one, other))
    assert not opposes(one, other, cosine(one, other))


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_they_do_not_however_near_they_lie(one: str, other: str):
    assert differs(one, other)
    assert not says_the_same(one, other, 0.99)
    assert opposes(one, other, 0.99)


def test_meaning_alone_proves_nothing():
    assert not says_the_same("The lift is slow.", "Customers ask for gift wrapping.", 0.99)
    assert word_share("", "The lift is slow.") == 0.0
