"""Requests to remember, also by a question, and what only speaks of remembering."""

import pytest

from language.requests import find_request
from tests.this_test import me
from tests.unit.test_change_memory import Talk


@pytest.mark.parametrize(
    "text",
    [
        "I don't want to remember my ex.",
        "I'd rather not remember that summer.",
        "I hate to remember my school days.",
        "I wish I didn't remember the crash.",
        "You never remember anything I tell you.",
        "I never remember birthdays.",
        "I will always remember our trip to Rome.",
        "He asked me to remember the milk.",
        "Never mind that.",
        "Oh, never mind about that.",
        "我不想记住我前任。",
        "我不想记得那段时间。",
        "我永远记得那次旅行。",
        "他让我记得买牛奶",
        "别放在心上。",
    ],
)
def test_talk_of_remembering_asks_nothing(text: str):
    assert find_request(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "I want you to remember that I hate olives.",
        "Please make sure you remember I'm vegan.",
        "Always remember I'm allergic to nuts.",
        "Don't forget I don't eat meat.",
        "请你记住我对花生过敏",
        "不要忘记我对花生过敏",
    ],
)
def test_a_request_to_remember_is_one(text: str):
    found = find_request(text)
    assert found is not None
    assert found.act == "remember"


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("text", ["Never mind that.", "I don't want to remember my ex."])
async def test_nobody_promises_to_remember_what_is_not_to_be(text: str):
    talk = Talk()
    assert "remember that" not in await talk.say(text)
    assert await talk.living() == []


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Can you remember that I hate olives?", "I hate olives"),
        ("Could you make a note that I'm off on Fridays?", "I'm off on Fridays"),
        ("Would you remember my sister's name is Ada?", "my sister's name is Ada"),
        ("Please can you remember I don't eat meat?", "I don't eat meat"),
        ("Would you mind remembering that I am left-handed?", "I am left-handed"),
        ("Can I ask you to remember that I'm diabetic?", "I'm diabetic"),
        ("Could you save that my sister lives in York, please?", "my sister lives in York"),
        ("能帮我记住我讨厌香菜吗？", "我讨厌香菜"),
        ("可以记一下我周五休息吗？", "我周五休息"),
        ("能不能帮我记下我的车牌是京A12345？", "我的车牌是京A12345"),
        ("麻烦记一下我对花生过敏好吗？", "我对花生过敏"),
    ],
)
def test_a_polite_question_may_ask_to_remember(text: str, stated: str):
    found = find_request(text)
    assert found is not None
    assert (found.act, found.stated) == ("remember", stated)


@pytest.mark.parametrize(
    "text",
    [
        "Can you remember what I said?",
        "Do you remember that I hate olives?",
        "Can you still remember that I hate olives?",
        "Can you remember my sister's name?",
        "Can you remember when my birthday is?",
        "Can you remember that time we went to Rome?",
        "Can you remember that I told you about my boss?",
        "Can you remember whether I live in Bonn?",
        "Can you remember anything about my car?",
        "Can you save my file?",
        "Will you remember this?",
        "Could you remember my password is hunter2?",
        "你还记得我讨厌香菜吗？",
        "你记得我讨厌香菜吗？",
        "能记住我说的话吗？",
        "能记住我的生日吗？",
        "你能记住多少东西？",
        "你记住我的生日了吗？",
        "可以帮我记笔记吗？",
    ],
)
def test_a_question_about_what_is_remembered_stays_one(text: str):
    assert find_request(text) is None


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Can you remember that I hate olives?", "I hate olives"),
        ("I live in Bonn. Could you make a note that I'm off on Fridays?", "I'm off on Fridays"),
        ("能帮我记住我讨厌香菜吗？", "我讨厌香菜"),
    ],
)
async def test_what_a_polite_question_states_is_kept_in_its_own_words(text: str, stated: str):
    talk = Talk()
    assert stated in await talk.say(text)
    kept = {each.content: each for each in await talk.living()}
    assert stated in kept
    (evidence,) = await talk.memory.items.evidence(me("ann"), kept[stated].memory_id)
    assert (evidence.quote, evidence.verified) == (stated, True)
