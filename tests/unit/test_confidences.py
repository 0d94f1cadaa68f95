"""What is told Brain in confidence is kept for the one who told it, and is nobody else's knowledge."""

import pytest

from language.anonymity import tells_of_somebody
from language.privacy import is_private_to_another
from language.requests import find_request
from language.statements import read_statements
from language.taking_apart import take_apart
from tests.unit.test_change_memory import Talk

CONFIDED = [
    "Between you and me, I am looking for a new job.",
    "Between you and me, I have diabetes.",
    "Don't tell anyone, but I have diabetes.",
    "Don't tell anyone but I got fired last week.",
    "Just between us, I earn 90k.",
    "Please don't tell anybody, but I hate my boss.",
    "In confidence: I am seeing a therapist.",
    "就你我知道，我得了糖尿病。",
    "别告诉别人，我怀孕了。",
    "别告诉任何人：我在找新工作。",
    "你知我知，我讨厌我老板。",
    "只有你知道，我月薪三万。",
    "别跟别人说，我要离婚了。",
]


@pytest.mark.parametrize("text", CONFIDED)
def test_a_confidence_is_remembered_like_anything_else(text: str):
    assert find_request(text) is None
    (statement,) = read_statements(text)
    assert statement.is_memorable
    assert statement.text == text


@pytest.mark.parametrize("text", CONFIDED)
def test_a_confidence_is_never_proposed_to_an_organisation(text: str):
    assert tells_of_somebody(text)


@pytest.mark.parametrize(
    "text",
    [
        "Don't tell anyone, but I have diabetes and we are closing the shop in May.",
        "就你我知道，我得了糖尿病，我们五月要关店。",
    ],
)
def test_every_part_of_a_confidence_stays_one(text: str):
    parts = take_apart(read_statements(text), text)
    assert all(tells_of_somebody(each.text) for each in parts if each.is_memorable)
    assert any(each.is_memorable for each in parts)


@pytest.mark.parametrize(
    "text",
    [
        "Between you and me, it rained.",
        "Between you and me, what do you think?",
        "Don't tell anyone.",
        "别告诉别人。",
        "别告诉我，我猜是北京。",
    ],
)
def test_words_of_confidence_make_no_memory_of_small_talk(text: str):
    assert not any(each.is_memorable for each in read_statements(text))


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("Between you and me, my colleague Tom is an alcoholic.", "colleague Tom"),
        ("就你我知道，我同事小王酗酒。", "同事小王"),
    ],
)
def test_another_persons_secret_is_still_theirs(text: str, person: str):
    assert is_private_to_another(text, person, text)


@pytest.mark.parametrize(
    "text", ["Keep this between us and don't write it down: I have diabetes.", "Off the record: I have diabetes."]
)
def test_who_wants_no_note_still_gets_none(text: str):
    found = find_request(text)
    assert found is not None
    assert found.act == "dont_note"


@pytest.mark.usefixtures("memory")
async def test_who_confided_it_is_told_it_again():
    talk = Talk()
    await talk.say("Don't tell anyone, but I have diabetes.")
    await talk.grow()
    assert [each.content for each in await talk.living()] == ["Don't tell anyone, but I have diabetes."]
