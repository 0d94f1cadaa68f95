"""Token estimates: on the safe side, linear, and clipping keeps both ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.prompting.tokens import clip, count_tokens
from tests.effort import assert_takes_less_than


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        ("Hello, world!", 4, 4),
        ("The quick brown fox jumps over the lazy dog.", 10, 11),
        ("internationalization", 5, 5),
        ("我喜欢喝茶。", 6, 6),
        ("1234567", 3, 3),
        ("DE89 3704 0044 0532 0130 00", 10, 16),
        ("👍👍", 4, 4),
        ("Привет мир", 4, 6),
        ("def add(a, b):\n    return a + b\n", 11, 18),
    ],
)
def test_estimates_stay_near_what_tokenizers_count(text: str, least: int, most: int):
    assert least <= count_tokens(text) <= most


@pytest.mark.parametrize("unit", ["hello world ", "好", "a", "<", "\n \t", "aB3", "é", "😀"])
def test_a_long_text_is_counted_in_linear_time(unit: str):
    text = unit * (250_000 // len(unit))
    assert_takes_less_than(0.6, lambda: count_tokens(text))


def test_a_text_that_fits_is_left_alone():
    assert clip("short enough", 10) == "short enough"


def test_a_long_text_keeps_its_beginning_and_end_and_says_what_is_missing():
    cut = clip("FIRST " + "middle " * 500 + "LAST", 60)
    assert cut.startswith("FIRST")
    assert cut.endswith("LAST")
    assert "characters left out" in cut


@given(st.text(max_size=4000), st.integers(0, 300))
def test_what_is_clipped_fits(text: str, limit: int):
    assert count_tokens(clip(text, limit)) <= limit + 4


@given(st.text(max_size=300), st.text(max_size=300))
def test_more_text_never_costs_much_less(a: str, b: str):
    assert count_tokens(a + b) >= count_tokens(a) + count_tokens(b) - 4
