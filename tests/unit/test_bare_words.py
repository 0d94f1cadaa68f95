"""Words that may be said of anything, and name nothing, take nothing away: Brain asks what is meant."""

import pytest

from language.requests import find_request
from tests.unit.test_change_memory import Talk


@pytest.mark.parametrize(
    "text",
    [
        "clear it",
        "Clear that.",
        "clear it please",
        "Can you clear it?",
        "ok wipe it",
        "Purge this now",
        "清空吧",
        "作废",
        "作废吧",
        "那就清掉吧",
        "把它清空",
        "帮我把这个清掉",
        "抹掉",
        "注销吧",
        "去掉吧，谢谢",
        "不作数",
    ],
)
def test_a_word_that_names_nothing_only_asks_back(text: str):
    found = find_request(text)
    assert found is not None
    assert (found.act, found.points, found.is_addressed) == ("forget", True, False)


@pytest.mark.parametrize(
    "text", ["Scratch that", "Remove it.", "Delete that.", "Erase it, please.", "删了吧", "忘了吧", "撤回", "当我没说"]
)
def test_words_that_are_said_of_words_alone_take_back_what_was_just_said(text: str):
    found = find_request(text)
    assert found is not None
    assert (found.act, found.points, found.is_addressed) == ("forget", True, True)


@pytest.mark.parametrize(
    ("text", "about", "everything"),
    [
        ("Clear my birthday", "my birthday", False),
        ("把我的生日清掉", "生日", False),
        ("Clear my memory", "", True),
        ("把记忆清空", "", True),
        ("清空记忆", "", True),
        ("全部清空", "", True),
    ],
)
def test_what_is_named_is_meant(text: str, about: str, everything: bool):
    found = find_request(text)
    assert found is not None
    assert (found.act, found.about, found.everything) == ("forget", about, everything)


@pytest.mark.parametrize(
    "text",
    [
        "Clear the table, please.",
        "Wipe it down.",
        "Delete my number from your phone, I told her.",
        "我的处方作废了。",
        "我的医保卡作废了",
        "我的驾照注销了",
        "我的简历删了",
        "我的微信号删除了",
        "It's all clear.",
        "Is it clear?",
        "算了，不要了。",
        "扔了吧",
        "不要了，谢谢",
        "票已经作废了",
    ],
)
def test_talk_with_such_words_asks_nothing(text: str):
    assert find_request(text) is None


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("home", "talk", "word", "asked"),
    [
        (
            "I live in Ghent.",
            "Lovely weather today.",
            "clear it",
            "Which one shall I forget?\n1. “Lovely weather today”",
        ),
        ("我住在上海。", "今天天气真好。", "清空吧", "要忘掉哪一条？\n1. “今天天气真好”"),
        ("我住在上海。", "今天天气真好。", "作废", "要忘掉哪一条？\n1. “今天天气真好”"),
    ],
)
async def test_after_small_talk_a_bare_word_forgets_nothing(home: str, talk: str, word: str, asked: str):
    ann = Talk()
    assert await ann.say(home, talk, word) == asked
    assert {home, talk} <= set(await ann.indexed())
    await ann.say("I like tea.")
    assert {home, talk} <= set(await ann.indexed())


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("home", "word", "yes"), [("I live in Ghent.", "clear it", "yes"), ("我住在上海。", "作废", "是")]
)
async def test_what_a_bare_word_means_goes_after_a_yes(home: str, word: str, yes: str):
    ann = Talk()
    await ann.say(home, word)
    assert await ann.indexed() == [home]
    assert home.rstrip(".。") in await ann.say(yes)
    assert await ann.indexed() == []


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("word", "told"),
    [("clear it", "Nothing was forgotten, because I do not know what you mean."), ("清空吧", "什么都没有忘掉")],
)
async def test_where_nothing_was_said_before_it_brain_says_what_can_be_said(word: str, told: str):
    ann = Talk()
    assert told in await ann.say("I live in Ghent.", "Thanks!", word)
    assert "I live in Ghent." in await ann.indexed()
