"""What people want, told by rules alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from brain.intent_rules import MEMORY_TOKENS, Intent, IntentType, classify, memory_tokens


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("chat", "hi there"),
        ("chat", "你好"),
        ("chat", "I went hiking today, it was lovely"),
        ("chat", "我今天去爬山了"),
        ("chat", "I forgot my keys"),
        ("chat", "别忘了吃饭哦"),
        ("chat", "不是运动风，我现在喜欢简约的"),
        ("chat", "Actually I moved to Lyon, not Paris"),
        ("recommend", "Can you recommend a restaurant in Lyon?"),
        ("recommend", "帮我推荐一套今天穿的"),
        ("recommend", "What should I wear tonight?"),
        ("recommend", "有什么适合我的外套"),
        ("complaint", "My order arrived broken and I want a refund"),
        ("complaint", "衣服洗了一次就坏了，我要退货"),
        ("question", "What is the capital of France?"),
        ("question", "法国的首都是哪里"),
        ("preference_check", "What do I like to drink?"),
        ("preference_check", "我喜欢什么风格"),
        ("preference_check", "what do you know about me"),
        ("preference_check", "你记得我的偏好吗"),
        ("remember", "Remember that my wifi password is 1234"),
        ("remember", "请记住我对花生过敏"),
        ("forget", "Forget that I live in Paris"),
        ("forget", "忘掉我的生日"),
        ("search_memory", "Do you remember my dog's name?"),
        ("search_memory", "你还记得我上次说过的书吗"),
        ("search_memory", "Where do I live?"),
        ("search_memory", "我女儿叫什么名字"),
        ("end", "Thanks, bye!"),
        ("end", "好的，谢谢，再见"),
        ("task", "Write an email to my boss"),
        ("task", "帮我写一封邮件"),
        ("task", "Could you translate this into French?"),
    ],
)
def test_each_message_has_one_kind(kind: str, text: str):
    assert classify(text, 3).intent_type == kind


def test_an_intent_says_what_it_names_when_it_is_about_and_which_memory_helps():
    intent = classify("我女儿小雨下周六想去北京看《狮子王》，推荐什么好", 2)
    assert intent == Intent(
        action_required=False,
        intent_type="recommend",
        confidence=0.85,
        extracted_entities={"people": "小雨", "places": "北京", "products": "狮子王", "dates": "下周六"},
        context_hints=["personal", "dated"],
        phase="discussion",
        retrieval_intent="preference",
        temporal_intent="time_slice",
    )


@pytest.mark.parametrize(
    ("text", "turns", "phase"),
    [
        ("hello", 0, "opening"),
        ("hello", 1, "discussion"),
        ("recommend a film", 0, "discussion"),
        ("write a poem", 0, "task"),
        ("what do I like?", 5, "preference_check"),
    ],
)
def test_the_phase_follows_the_kind_and_the_length_of_the_conversation(text: str, turns: int, phase: str):
    assert classify(text, turns).phase == phase


@pytest.mark.parametrize(
    ("text", "needed"), [("why is the sky blue?", "reasoning"), ("who wrote Emma?", "fact"), ("book a table", "skill")]
)
def test_the_kind_of_question_chooses_the_kind_of_memory(text: str, needed: str):
    assert classify(text).retrieval_intent == needed


def test_corrections_and_moods_are_hinted():
    assert classify("No, I no longer like coffee, I hate it now").context_hints == [
        "personal",
        "negative_tone",
        "correction",
    ]


@pytest.mark.parametrize(
    ("kind", "tokens"),
    [("chat", 500), ("recommend", 3_000), ("complaint", 2_000), ("question", 1_000), ("preference_check", 4_000)],
)
def test_the_volume_of_memory_follows_the_kind(kind: IntentType, tokens: int):
    assert memory_tokens(kind) == tokens


def test_every_kind_has_a_volume_and_the_intent_is_frozen():
    intent = classify("hello")
    assert set(MEMORY_TOKENS) == set(IntentType.__args__)
    with pytest.raises(ValidationError):
        intent.confidence = 1.0  # type: ignore[misc]


@given(st.text())
def test_any_text_has_an_intent(text: str):
    assert classify(text, 0).intent_type in MEMORY_TOKENS


@pytest.mark.parametrize("unit", ["a", "我", " ", "what ", "帮我", "\x00", "ok, "])
def test_a_megabyte_is_classified_by_its_opening(unit: str):
    text = unit * (1_000_000 // len(unit))
    assert classify(text) == classify(text[:2_000])
