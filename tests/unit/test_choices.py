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


@pytest.mark.parametrize("text", ["yes please", "ok, do it", "Yes, of course.", "好的，删掉吧", "是的"])
def test_yes_chooses_where_there_is_one(text: str):
    assert read_choice(text, SHOWN[:1]) == (0,)


@pytest.mark.parametrize(
    "text",
    [
        "Sure, but what is the capital of Peru?",
        "ok, how do I get to Leeds?",
        "好奇怪的天气",
        "可以帮我写封信吗",
        "是不是下雨了？",
    ],
)
def test_a_yes_that_leads_up_to_something_else_is_no_answer(text: str):
    assert read_choice(text, SHOWN[:1]) is None


@pytest.mark.parametrize(
    ("text", "places"), [("ok", None), ("好的", None), ("yes", (0,)), ("是", (0,)), ("the first", (0,))]
)
def test_where_it_was_asked_in_doubt_a_mere_ok_is_no_answer(text: str, places: tuple[int, ...] | None):
    assert read_choice(text, SHOWN[:1], plainly=True) == places


def test_a_place_beyond_the_list_is_no_answer():
    assert read_choice("the third one", SHOWN[:2]) is None
