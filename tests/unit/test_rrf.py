"""Ranks of several orders added up."""

import pytest

from memory.recall.policies.rrf import fuse


def test_each_ranking_gives_an_item_the_reciprocal_of_its_rank():
    fused = fuse([["a", "b"], ["b"]])
    assert fused["a"] == pytest.approx(1 / 61)
    assert fused["b"] == pytest.approx(1 / 62 + 1 / 61)


def test_twice_in_the_middle_outranks_once_at_the_top():
    fused = fuse([["top", "x", "middle"], ["y", "z", "middle"]])
    assert max(fused, key=lambda item: fused[item]) == "middle"


def test_no_rankings_fuse_to_nothing():
    assert fuse([]) == {}
