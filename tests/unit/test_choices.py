"""Answers to a numbered list."""

import pytest

from language.choices import read_choice

SHOWN = ["My sister is called Maud", "My sister works in Leeds", "My dog is called Rex"]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("the second one", (1,)),
        ("2", (1,)),
        ("number three please", (2,)),
        ("1 and 3", (0, 2)),
        ("the last one", (2,)),
        ("both", (0, 1, 2)),
        ("delete all of them", (0, 1, 2)),
        ("the one about Leeds", (1,)),
        ("none of them", ()),
        ("第二个", (1,)),
        ("第一个和第三个", (0, 2)),
        ("都删", (0, 1, 2)),
        ("最后一个", (2,)),
        ("算了", ()),
    ],
)
def test_an_answer_chooses(text: str, places: tuple[int, ...]):
    assert read_choice(text, SHOWN) == places


@pytest.mark.parametrize(
    "text",
    ["My second child was born", "we all went out", "I went to one shop", "What's the weather?", "我们都去了", "yes"],
)
def test_other_talk_is_no_answer(text: str):
    assert read_choice(text, SHOWN) is None


def test_yes_chooses_where_there_is_one():
    assert read_choice("yes please", SHOWN[:1]) == (0,)


def test_a_place_beyond_the_list_is_no_answer():
    assert read_choice("the third one", SHOWN[:2]) is None
