"""Which statements compete for one slot, and what counts as a correction."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.rules import (
    Assertion,
    Correction,
    SpokenTurn,
    extract,
    fold_predicate,
    holds_one,
    is_correction,
    object_key,
    slot_of,
)


def _said(text: str) -> Assertion:
    return extract(SpokenTurn(text=text, role="user", speaker="user", at=datetime(2024, 5, 8, tzinfo=UTC)))[0]


def _slot(text: str) -> str:
    said = _said(text)
    return slot_of(said.subject, said.predicate)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I like tea", "I hate coffee"),
        ("I like tea", "我喜欢茶"),
        ("I live in Lyon", "我搬到上海了"),
        ("My favourite colour is blue", "我最喜欢的颜色是红色"),
        ("My mom likes tea", "我妈妈喜欢咖啡"),
        ("My name is Alice", "我叫李明"),
    ],
)
def test_two_ways_of_saying_one_matter_share_a_slot(first: str, second: str):
    assert _slot(first) == _slot(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("I live in Lyon", "My sister lives in Lyon"),
        ("My favourite colour is blue", "My favourite film is Alien"),
        ("I like tea", "I'm allergic to tea"),
        ("My daughter Emma is 6", "My daughter Lily is 3"),
    ],
)
def test_different_matters_never_share_a_slot(first: str, second: str):
    assert _slot(first) != _slot(second)


@pytest.mark.parametrize(
    ("text", "single"),
    [
        ("I live in Lyon", True),
        ("My favourite colour is blue", True),
        ("I'm vegan", True),
        ("I like tea", False),
        ("I'm allergic to nuts", False),
        ("I speak French", False),
        ("我养了一只猫", False),
        ("我在腾讯工作", True),
    ],
)
def test_some_slots_hold_one_value_and_some_many(text: str, single: bool):
    assert holds_one(_said(text).predicate) is single


@pytest.mark.parametrize(
    ("predicate", "folded"),
    [
        ("喜欢", "prefers"),
        ("Likes", "prefers"),
        ("偏好", "prefers"),
        ("moved to", "lives_in"),
        ("favorite:colour", "favourite:colour"),
        ("owes", "owes"),
    ],
)
def test_synonyms_of_predicates_fold_into_one(predicate: str, folded: str):
    assert fold_predicate(predicate) == folded
    assert slot_of("user", predicate) == f"user|{folded}"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("the tea", "drinking tea"),
        ("简约的", "简约风"),
        ("喝茶", "茶"),
        ("Green Tea.", "green tea"),
        ("运动风格", "运动风"),
    ],
)
def test_objects_are_compared_by_their_core(first: str, second: str):
    assert object_key(first) == object_key(second)


@given(st.text())
def test_object_keys_exist_for_any_text(text: str):
    assert object_key(object_key(text)) is not None


@pytest.mark.parametrize(
    "text",
    [
        "不是运动风，我现在喜欢简约的",
        "不是周三，是周四",
        "我不再喝咖啡了",
        "我把咖啡换成茶了",
        "我改主意了",
        "说错了，我住在苏州",
        "Actually I moved to Lyon, not Paris",
        "I no longer like jazz",
        "I don't live there anymore",
        "not tea but coffee",
        "I changed my mind",
        "No wait, I moved to Paris last month.",
        "Oops, my sister is called Ann",
        "I live in Lyon. Oh wait, I live in Paris",
        "That's wrong",
    ],
)
def test_corrections_are_urgent(text: str):
    assert is_correction(text)


@pytest.mark.parametrize(
    "text",
    [
        "是不是运动风，还是简约风？",
        "I like tea",
        "我喜欢茶",
        "not only tea but also coffee",
        "Why not, let's go",
        "I have to wait, my bus is late",
        "Wait for me",
        "Wait, I love jazz",
        "我不喜欢茶",
        "Is it Lyon, not Paris?",
        "",
    ],
)
def test_other_messages_are_not(text: str):
    assert not is_correction(text)


def test_not_this_but_that_puts_a_value_right_without_naming_whose():
    turn = SpokenTurn(text="No, not May 3 but May 8.", role="user", speaker="user", at=datetime(2026, 5, 1, tzinfo=UTC))
    (assertion,) = extract(turn)
    assert (assertion.predicate, assertion.object, assertion.quote) == ("corrects", "May 8", "May 8")
    assert assertion.correction == Correction(old="May 3", new="May 8")
