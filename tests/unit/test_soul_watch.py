"""When replies are taken worse than before, and how seldom that is found by chance."""

from random import Random

import pytest

from evolution.soul.watch import LOOKS, ReactionShare, goes_on, is_due, is_worse


@pytest.mark.parametrize(
    ("before", "after", "worse"),
    [
        ((3, 60), (3, 30), False),
        ((3, 60), (15, 30), True),
        ((0, 30), (12, 30), True),
        ((0, 30), (2, 30), False),
        ((300, 1000), (340, 1000), False),
        ((300, 1000), (450, 1000), True),
        ((30, 60), (12, 30), False),
        ((0, 0), (30, 30), False),
    ],
)
def test_worse_by_a_fifth_and_surely_worse(before: tuple[int, int], after: tuple[int, int], worse: bool):
    assert is_worse(ReactionShare(*before), ReactionShare(*after)) is worse


def test_a_rate_that_is_surely_but_hardly_worse_goes_back_to_nothing():
    assert not is_worse(ReactionShare(100_000, 1_000_000), ReactionShare(110_000, 1_000_000))


def test_it_is_looked_at_thirty_replies_and_each_time_they_have_doubled():
    looks, seen = list[int](), 0
    for replies in range(2_000):
        if is_due(replies, seen, 30):
            looks, seen = [*looks, replies], replies
    assert looks == [30, 60, 120, 240, 480, 960]
    assert len(looks) == LOOKS
    assert goes_on(480, 30)
    assert not goes_on(960, 30)


def test_by_chance_alone_hardly_any_change_goes_back():
    chance, gone_back, rounds = Random(7), 0, 400
    for _ in range(rounds):
        before, after, seen = ReactionShare(sum(chance.random() < 0.1 for _ in range(300)), 300), ReactionShare(0, 0), 0
        while after.replies < 960:
            after += ReactionShare(int(chance.random() < 0.1), 1)
            if is_due(after.replies, seen, 30):
                seen = after.replies
                if is_worse(before, after):
                    gone_back += 1
                    break
    assert gone_back / rounds < 0.05
