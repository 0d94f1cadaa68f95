"""Where sessions are cut, and that what is not folded yet fits into the window."""

import pytest

from brain.prompting.budget import baseline
from brain.prompting.tokens import MESSAGE_OVERHEAD, count_tokens
from evolution.summaries.fold_session import SegmentLimits, next_segment, segment_limits
from tests.fakes import a_settings
from tests.unit.summary_builders import a_talk

FEW = SegmentLimits(turns=4, tokens=1_000)
LINES = ("one", "> 1", "two", "> 2", "three", "> 3", "four", "> 4", "five", "> 5")


def lengths(count: int, limits: SegmentLimits = FEW, *, whole: bool = False) -> list[int]:
    turns, cut = a_talk(*LINES[:count]), list[int]()
    while stretch := next_segment(turns, limits, whole=whole):
        cut.append(len(stretch))
        turns = turns[len(stretch) :]
    return cut


def test_nothing_is_folded_while_too_little_would_be_left():
    assert lengths(7) == []


def test_a_full_stretch_is_folded_when_as_much_is_left():
    assert lengths(8) == [4]


def test_the_whole_of_a_session_is_folded_to_its_last_turn():
    assert lengths(10, whole=True) == [4, 4, 2]


def test_an_answer_stays_with_its_question():
    assert lengths(10, SegmentLimits(turns=3, tokens=1_000)) == [4]


def test_long_turns_fill_a_stretch_by_their_tokens():
    turns = a_talk("word " * 300, "> yes", "word " * 300, "> no")
    stretch = next_segment(turns, SegmentLimits(turns=10, tokens=250), whole=False)
    assert [turn.position for turn in stretch] == [0, 1]


def test_the_same_log_is_cut_the_same_way_however_often_one_looks():
    turns = a_talk(*LINES)
    at_once = [turn.position for turn in next_segment(turns, FEW, whole=False)]
    earlier = [turn.position for turn in next_segment(turns[:8], FEW, whole=False)]
    assert at_once == earlier


@pytest.mark.parametrize("window_events", [2, 5, 40, 400])
def test_what_is_not_folded_yet_fits_into_the_window(window_events: int):
    limits = segment_limits(a_settings(window_events=window_events))
    turns = a_talk(*(["hello", "> hi"] * 500))
    while stretch := next_segment(turns[: limits.turns_to_read], limits, whole=False):
        turns = turns[len(stretch) :]
    assert len(turns) <= window_events


@pytest.mark.parametrize("context_window", [8_000, 16_000, 128_000])
def test_what_is_not_folded_yet_fits_into_the_budget(context_window: int):
    settings = a_settings(window_events=400, context_window=context_window)
    limits, room = segment_limits(settings), baseline(context_window)["active_window"]
    turns = a_talk(*(["word " * 40, "> " + "reply " * 60] * 300))
    while stretch := next_segment(turns[: limits.turns_to_read], limits, whole=False):
        turns = turns[len(stretch) :]
    assert sum(count_tokens(turn.text) + MESSAGE_OVERHEAD for turn in turns) <= max(room, 600)


def test_the_size_of_a_stretch_can_be_set():
    assert segment_limits(a_settings(fold_tokens=777)).tokens == 777
