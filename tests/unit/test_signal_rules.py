"""Was memory used, how was it taken, and what was named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.signal_rules import entities, feedback, is_subject_change, utilization


@pytest.mark.parametrize(
    ("reply", "memory", "signal"),
    [
        ("As you mentioned, you like tea, so how about oolong?", "The user likes tea.", "reference_phrase"),
        ("您之前提到喜欢简约风，这件很合适", "用户喜欢简约风", "reference_phrase"),
        ("Try a cup of green tea from Hangzhou", "The user likes green tea.", "keyword_match"),
        ("这件简约风格的外套不错", "[用户偏好/穿衣风格/2026-01确认] 用户明确表示喜欢简约风格的穿搭", "keyword_match"),
        ("As you mentioned, the weather is fine", "The user likes tea.", "none"),
        ("今天天气不错", "用户喜欢简约风", "none"),
        ("", "The user likes tea.", "none"),
        ("Green tea?", "", "none"),
    ],
)
def test_a_reply_uses_a_memory_when_it_shares_its_words(reply: str, memory: str, signal: str):
    assert utilization(reply, memory) == signal


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        ("yes exactly", "affirm"),
        ("Thanks!", "affirm"),
        ("对，就是这种风格", "affirm"),
        ("好的", "affirm"),
        ("不是，我现在不喜欢了", "correct"),
        ("不是运动风，我现在喜欢简约的", "correct"),
        ("不对，我住在上海", "correct"),
        ("你记错了", "correct"),
        ("No, I moved to Lyon", "correct"),
        ("that's not right", "correct"),
        ("tell me more", "deepen"),
        ("还有别的吗", "deepen"),
        ("why?", "deepen"),
        ("不是吗？", "deepen"),
        ("对了，明天天气怎么样", "silence"),
        ("By the way, what time is it?", "silence"),
        ("今天好累", "silence"),
        ("No problem", "silence"),
        ("", "silence"),
    ],
)
def test_the_next_message_tells_how_the_reply_was_taken(text: str, signal: str):
    assert feedback(text) == signal


TEA = "You like green tea, so I would go for a sencha in the morning."


@pytest.mark.parametrize(
    ("text", "signal"),
    [
        ("Is sencha strong?", "deepen"),
        ("and why that one?", "deepen"),
        ("Where can I buy it?", "deepen"),
        ("What is the capital of Peru?", "silence"),
        ("Great, what is the capital of Peru?", "silence"),
        ("Thanks! Where can I buy it?", "deepen"),
        ("Exactly, green tea it is. Where do I get it?", "affirm"),
        ("I have a meeting at nine", "silence"),
    ],
)
def test_a_question_goes_on_about_the_reply_or_leaves_it(text: str, signal: str):
    assert feedback(text, TEA) == signal


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("By the way, green tea is sold out", True),
        ("What is the capital of Peru?", True),
        ("说点别的，绿茶贵吗", True),
        ("I drink my tea cold", False),
        ("Where can I buy it?", False),
        ("", False),
    ],
)
def test_a_subject_is_left_when_nothing_leads_back_to_the_reply(text: str, left: bool):
    assert is_subject_change(text, TEA) is left
    assert not is_subject_change("What is the capital of Peru?", "")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            "I'm flying to New York with Anna in May 2025 and bought a MacBook Pro 14",
            {"people": "Anna", "places": "New York", "products": "MacBook Pro 14", "dates": "May 2025"},
        ),
        (
            "我下周和李雷去北京出差，住在朝阳区，我女儿小雨要看《狮子王》",
            {"people": "李雷, 小雨", "places": "北京, 朝阳区", "products": "狮子王", "dates": "下周"},
        ),
        ("see you on Monday in May", {"dates": "on Monday, in May"}),
        ("hello", {}),
    ],
)
def test_named_things_are_sorted_by_kind(text: str, named: dict[str, str]):
    assert entities(text) == named


@given(st.text(), st.text())
def test_any_text_has_signals(left: str, right: str):
    assert utilization(left, right) in ("keyword_match", "reference_phrase", "none")
    assert feedback(left) in ("affirm", "deepen", "correct", "silence")
    assert all(entities(left).values())


@pytest.mark.parametrize("unit", ["a", "我", " ", "Oh, ", "New ", "\x00", "哈"])
def test_a_megabyte_is_read_by_its_opening(unit: str):
    text = unit * (1_000_000 // len(unit))
    assert feedback(text) == feedback(text[:4_000])
    assert entities(text) == entities(text[:4_000])
    assert utilization(text, text) == utilization(text[:4_000], text[:4_000])
