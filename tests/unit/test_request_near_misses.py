"""Words that look like a request to memory and are said of something else: what stands in memory stays as it is."""

import pytest

from language.requests import find_request
from tests.unit.test_change_memory import Talk


@pytest.mark.parametrize(
    "text",
    [
        "Let's drop the subject.",
        "Can we drop this topic?",
        "Let's change the subject.",
        "Lose the attitude.",
        "Cut that out!",
        "Cut it out.",
        "Drop it.",
        "Oh just drop it already.",
        "Let it go.",
        "Leave it at that.",
        "Give it a rest.",
        "Kill it.",
        "Toss it.",
        "Dump him.",
        "别提了。",
        "不说这个了。",
        "换个话题吧。",
        "算了，不要了。",
        "扔了吧。",
        "拿走吧。",
    ],
)
def test_an_idiom_about_the_talk_takes_nothing_away(text: str):
    found = find_request(text)
    assert found is None


@pytest.mark.parametrize(
    "text", ["Remove it.", "Delete that.", "Scrap that.", "Erase it, please.", "Get rid of it.", "删了吧", "忘了它。"]
)
def test_words_that_mean_nothing_but_memory_may_point(text: str):
    found = find_request(text)
    assert found is not None
    assert (found.act, found.points, found.is_addressed) == ("forget", True, True)


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("text", ["Let's drop the subject.", "Cut that out!", "Drop it.", "不要了。"])
async def test_what_was_said_before_an_idiom_stays(text: str):
    talk = Talk()
    await talk.say("My boss is called Erik.", text)
    assert "My boss is called Erik." in await talk.indexed()


@pytest.mark.usefixtures("memory")
async def test_what_may_be_meant_of_memory_is_asked_about():
    talk = Talk()
    asked = await talk.say("My boss is called Erik.", "Drop that, please.")
    assert asked == "Which one shall I forget?\n1. “My boss is called Erik”"
    assert "My boss is called Erik." in await talk.indexed()
    assert "I have forgotten" in await talk.say("yes")
