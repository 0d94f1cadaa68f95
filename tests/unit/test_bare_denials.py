"""A sentence that only denies what was said before it leaves nothing, and ends nothing unasked."""

import pytest

from language.requests import find_request
from language.statements import is_bare_denial, read_statements
from tests.unit.test_change_memory import Talk


@pytest.mark.parametrize(
    "text",
    [
        "I don't.",
        "No, I don't.",
        "I never did.",
        "Well, I really don't.",
        "I'm not.",
        "He doesn't.",
        "That's not true.",
        "I never said that.",
        "I don't live there.",
        "I can't.",
        "Sorry, not anymore.",
        "Not any longer.",
        "抱歉，现在不是了。",
        "我没有。",
        "我不是。",
        "不，我没有。",
        "没有的事。",
        "都不是。",
        "我没说过这话。",
        "我不住那儿。",
        "我不在那儿上班。",
    ],
)
def test_a_bare_denial_is_no_memory(text: str):
    assert is_bare_denial(text)
    assert not any(each.is_memorable for each in read_statements(text))


@pytest.mark.parametrize(
    "text",
    [
        "I don't drive.",
        "I don't eat meat.",
        "I never smoke.",
        "I can't swim.",
        "I don't live in Nice.",
        "I don't like it there in winter.",
        "我没有孩子。",
        "我不吃肉。",
        "我不是医生。",
        "我不在腾讯上班。",
        "我不住尼斯。",
    ],
)
def test_a_denial_that_says_of_what_is_kept(text: str):
    assert not is_bare_denial(text)
    assert any(each.is_memorable for each in read_statements(text))


def test_a_denial_that_answers_a_question_is_kept_with_it():
    (answer,) = read_statements("I don't.", "Do you smoke?")
    assert answer.is_memorable


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Did I tell you I live in Nice? I don't.", "live   Nice"),
        ("Did I ever say that I have a dog? I never did.", "dog"),
        ("我跟你说过我住在尼斯吗？我不住那儿。", "住在尼斯"),
        ("我说过我养狗吗？没有的事。", "养狗"),
    ],
)
def test_what_is_denied_is_asked_about(text: str, about: str):
    found = find_request(text)
    assert found is not None
    assert (found.act, found.about, found.is_addressed) == ("forget", about, False)


@pytest.mark.parametrize(
    "text",
    [
        "Did I tell you I live in Nice? I do.",
        "Did I tell you I live in Nice?",
        "Did I tell you I don't smoke? I don't.",
        "Did I tell you about my sister? I didn't.",
        "Did I tell you I live in Nice? I don't drive.",
        "我跟你说过我住在尼斯吗？我住那儿。",
        "我跟你说过我不抽烟吗？我没有。",
    ],
)
def test_what_is_not_denied_is_no_request(text: str):
    assert find_request(text) is None


@pytest.mark.usefixtures("memory")
async def test_a_memory_that_is_denied_goes_only_after_a_yes():
    talk = Talk()
    asked = await talk.say("I live in Nice.", "I have a dog.", "Did I tell you I live in Nice? I don't.")
    assert asked == "Which one shall I forget?\n1. “I live in Nice”"
    assert "I live in Nice." in await talk.indexed()
    await talk.say("yes")
    assert "I have a dog." in await talk.indexed()
    assert "I live in Nice." not in await talk.indexed()


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("text", ["Did I tell you I live in Nice? I don't.", "我跟你说过我住在尼斯吗？我不住那儿。"])
async def test_of_a_denial_of_what_nobody_knows_nothing_is_kept(text: str):
    talk = Talk()
    await talk.say(text)
    await talk.grow()
    assert await talk.living() == []
