"""Long messages: what a story tells of its speaker, beside what it asks for, and not every sentence of it."""

import pytest

from language.statements import read_statements

LETTER = (
    "Could you write a letter to the bus company for me? The 14 was late again today. "
    "I waited forty minutes in the rain. "
    "The driver only shrugged at us. I have been a nurse at the Royal for nine years. I am allergic to latex. "
    "Somebody behind me was singing. The heating on the bus was broken as well. Keep it polite."
)
CHINESE = (
    "帮我写封投诉信吧。今天快递又送错了。我在楼下找了半个小时。保安也说没看见。我在医院做护士做了九年。我对乳胶过敏。"
    "后来邻居给我送回来了。外面还下着雨。语气客气一点。"
)
PLAY = (
    "My day was long. The tram broke down twice. I have been a nurse at the Royal for nine years. We ate cold soup. "
    "The rain never stopped. Now imagine a pirate called Jack. I live on a ship. I own a parrot called Polly."
)


def kept(text: str) -> list[str]:
    return [each.text for each in read_statements(text) if each.is_memorable]


@pytest.mark.parametrize(
    ("text", "matters"),
    [
        (LETTER, ["I have been a nurse at the Royal for nine years.", "I am allergic to latex."]),
        (CHINESE, ["我在医院做护士做了九年。", "我对乳胶过敏。"]),
    ],
)
def test_a_long_message_tells_of_its_speaker_and_leaves_no_story(text: str, matters: list[str]):
    found = kept(text)
    assert set(matters) <= set(found)
    assert len(found) <= len(matters) + 1


def test_what_comes_before_make_believe_is_real_and_what_follows_is_not():
    found = kept(PLAY)
    assert "I have been a nurse at the Royal for nine years." in found
    assert not [each for each in found if "ship" in each or "Polly" in each]


@pytest.mark.parametrize(
    "text",
    ["Write a letter from a pirate. I live on a ship.", "Imagine I live in Rome.", "帮我写一首诗，我住在月亮上。"],
)
def test_a_short_request_for_a_text_tells_nothing(text: str):
    assert kept(text) == []


@pytest.mark.parametrize(
    "text",
    ["I suppose it is late. I am allergic to nuts.", "You can imagine how tired I was. I am allergic to nuts."],
)
def test_a_turn_of_phrase_makes_nothing_up(text: str):
    assert "I am allergic to nuts." in kept(text)
