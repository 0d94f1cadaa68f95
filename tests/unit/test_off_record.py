"""Asking that nothing of the talk be noted from now on, and what only sounds like it."""

import pytest

from language.requests import find_request
from tests.unit.test_change_memory import Talk

OFF_RECORD = [
    "Stop saving what I say.",
    "Stop keeping what I say.",
    "Please stop remembering things.",
    "I need you to stop keeping notes.",
    "Hey, quit logging our chat",
    "please stop writing things down",
    "Can you stop recording what I tell you?",
    "Before we start: don't remember anything I tell you today.",
    "Please don't save anything I say from here on.",
    "Could you not store this conversation, please?",
    "You don't have to remember anything I say today.",
    "I don't want anything I say to be saved.",
    "I don't want you to keep notes on this conversation.",
    "I would rather you didn't record this chat.",
    "I'd prefer that you not save this conversation.",
    "Keep no record of this conversation.",
    "Remember nothing of what I tell you today.",
    "This conversation should not be saved.",
    "What I tell you now must not be recorded.",
    "Nothing I say today should be remembered.",
    "None of this conversation is to be stored.",
    "No notes today, please.",
    "From now on don't write anything down.",
    "For the rest of today, please don't record what I say.",
    "Let's go off the record.",
    "Everything I say today is off the record.",
    "我不希望你保存这次对话。",
    "请停止记录。",
    "不要再记了。",
    "别再记录了，谢谢",
    "开始之前说一下，今天聊的内容都别记",
    "今天说的话都不要记。",
    "接下来的话不要记。",
    "从现在起别记录我说的话。",
    "从现在开始什么都别记",
    "你不要记住我说的任何话",
    "我说的话你都不要记",
    "能不能不要记录我们的对话？",
]


def act_of(text: str) -> str:
    """What a message asks of memory; empty for nothing."""
    found = find_request(text)
    return found.act if found else ""


@pytest.mark.parametrize("text", OFF_RECORD)
def test_a_ban_of_the_whole_talk_goes_off_the_record(text: str):
    assert act_of(text) == "off_record"


def test_it_may_stand_at_either_end_of_a_long_message():
    told = "I went for a walk along the river and met an old friend there. " * 12
    for text in (
        f"Don't remember anything I tell you today. {told}",
        f"{told} 今天说的话都不要记。 Stop saving what I say.",
    ):
        assert act_of(text) == "off_record"


@pytest.mark.parametrize(
    "text",
    [
        "Don't note this down: I hate my boss.",
        "Please don't save this, but I failed my exam.",
        "I'm going to vent and I don't want any of it saved.",
        "Don't store anything heavy on the shelf.",
        "Don't keep anything from last year.",
        "这句别记",
        "这句话不要记：我讨厌我老板",
        "我刚说的话别记",
        "别记我的生日",
    ],
)
def test_a_ban_of_one_sentence_or_matter_does_not(text: str):
    assert act_of(text) == "dont_note"


@pytest.mark.parametrize(
    "text",
    [
        "I stopped saving what I earn.",
        "My boss told me to stop recording the meetings.",
        "My lawyer said: don't record anything I tell you.",
        "He told me to stop saving what I write.",
        "Why don't you remember anything I tell you?",
        "Don't you remember anything I say?",
        "Can you not remember what I told you?",
        "How do I make Chrome stop saving my messages?",
        "The app should stop recording my screen.",
        "Did you stop saving what I say?",
        'How do you say "stop recording this conversation" in French?',
        "In my novel the spy says stop recording this conversation.",
        "I want to stop recording my weight.",
        "Don't save the file yet.",
        "Don't remember my birthday.",
        "Stop saving for a house.",
        "Never write anything down in pencil.",
        "Keep a record of this chat.",
        "Don't worry about what I say.",
        "Remember everything I tell you today.",
        "今天的会议不要记错",
        "老师说今天讲的内容不要记",
        "我不记得我说的话了",
        "我停止记录体重了",
        "今天的课要记笔记",
        "我要记录今天的对话",
        "你怎么不记我说的话？",
        "记住我说的话",
        "不要忘记我说的话",
        "他让我别再记录了",
    ],
)
def test_what_only_sounds_like_it_does_not(text: str):
    found = find_request(text)
    assert found is None or found.act != "off_record"


@pytest.mark.parametrize("text", ["Stop retaining things, will you", "Please never keep stuff."])
def test_a_wish_that_nothing_be_kept_points_at_nothing(text: str):
    found = find_request(text)
    assert found is None or (found.act, found.points) != ("forget", True)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("Stop saving what I say.", "We are off the record"),
        ("Before we start: don't remember anything I tell you today.", "We are off the record"),
        ("今天说的话都不要记。", "现在不做记录"),
    ],
)
async def test_it_takes_nothing_away_and_nothing_is_noted_after_it(asked: str, reply: str):
    talk = Talk()
    assert (await talk.say("I live in Bonn.", asked)).startswith(reply)
    await talk.say("I hate my boss.")
    await talk.grow()
    assert [each.content for each in await talk.living()] == ["I live in Bonn."]
    assert await talk.indexed() == ["I live in Bonn."]


@pytest.mark.parametrize(
    "text",
    [
        "I want you to never save anything about my health.",
        "Never note anything about my family, please.",
        "From now on don't record things about my ex.",
        "I don't ever want you to store details about my job.",
        "Please never remember my location.",
        "以后不要记我家人的事。",
        "以后我家人的事都不要记",
        "从现在起别记录关于我健康的信息。",
    ],
)
def test_a_ban_of_a_matter_is_understood_as_one(text: str):
    found = find_request(text)
    assert found is not None
    assert (found.act, found.everything) == ("dont_note", True)


@pytest.mark.parametrize(
    "text",
    [
        "I never write down anything about my health.",
        "You never remember my birthday.",
        "Never save money on my health.",
        "My doctor said never write down anything about him.",
        "Don't note this down: I hate my boss.",
        "以后我的事情会很多",
        "以后不要忘记我家人的生日",
    ],
)
def test_what_only_sounds_like_a_ban_of_a_matter_is_none(text: str):
    found = find_request(text)
    assert found is None or not (found.act == "dont_note" and found.everything)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("said", "ban", "reply"),
    [
        ("I have gout.", "I want you to never save anything about my health.", "I cannot leave a whole matter out"),
        ("我妈妈住在南京。", "以后不要记我家人的事。", "我没法长期避开某一类事"),
    ],
)
async def test_a_ban_of_a_matter_is_declined_frankly_and_takes_nothing_away(said: str, ban: str, reply: str):
    talk = Talk()
    assert reply in await talk.say(said, ban)
    assert await talk.indexed() == [said]


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("don't note this: I have gout", "dont_note"),
        ("stop recording this conversation", "off_record"),
        ("我妈妈住在南京，这句不要记", "dont_note"),
        ("不要记录这次对话", "off_record"),
    ],
)
def test_what_is_offered_instead_is_understood(text: str, act: str):
    found = find_request(text)
    assert found is not None
    assert found.act == act
