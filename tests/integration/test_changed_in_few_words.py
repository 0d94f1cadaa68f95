"""What few words change of what was said before, and what they leave as it is, on a real PostgreSQL."""

import pytest

from memory.postgres.database import Database
from tests.integration.test_asked_in_words import Ann


@pytest.fixture
def ann(database: Database) -> Ann:
    return Ann(database)


@pytest.mark.parametrize(
    ("said", "changed", "left"),
    [
        ("My appointment is on 3 May", "It's been moved to 13 May", {"My appointment is on 13 May"}),
        ("My appointment is on March 2", "No, March 26", {"My appointment is on March 26"}),
        ("体检在二月三号", "改成二月二十三号了", {"体检在二月二十三号"}),
        (
            "我老婆怀孕了,预产期是明年三月二号",
            "预产期改成二月二十六了",
            {"我老婆怀孕了,预产期是明年二月二十六号"},
        ),
        ("我吃素", "我不吃素了", {"我不吃素了"}),
    ],
)
async def test_what_was_said_has_the_new_value(ann: Ann, said: str, changed: str, left: set[str]):
    await ann.tells(said, changed)
    assert await ann.known() == left


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("I have a meeting on Monday and a class on Thursday", "It was moved to Friday"),
        ("I live in Leeds.", "It was moved to Friday."),
        ("My dentist appointment is on Thursday", "it was moved to next Wednesday"),
        ("牙医预约是周四", "改到下周三了"),
        ("体检在三月五号", "改到明年二月三号了"),
        ("I was born on 4 April 1980.", "It was moved to 13 May"),
        ("My exam is on the 12th.", "It was moved to 13 June"),
        ("My exam is on Monday, 12 May.", "It was moved to 13 May"),
        ("My exam is on 12 May.", "It was moved to June"),
        ("My exam is on March 2.", "It was moved to April"),
        ("My exam is on 12 May.", "It was changed to after 14 May"),
        ("考试在12号", "改到6月13号了"),
    ],
)
async def test_what_few_words_do_not_tell_for_sure_stays_beside_them(ann: Ann, said: str, changed: str):
    await ann.tells(said, changed)
    assert await ann.known() == {said, changed}


@pytest.mark.parametrize(
    ("earlier", "said", "changed", "left"),
    [
        ("The concert is on 12 May.", "The exam is on 14 May.", "It was moved to 20 May", "The exam is on 20 May."),
        ("演唱会在五月十二号", "考试在五月十四号", "改到五月二十号了", "考试在五月二十号"),
        ("My PIN is 1234.", "I have 3 cats.", "no, 4321", "I have 3 cats."),
    ],
)
async def test_only_what_was_said_right_before_is_changed(ann: Ann, earlier: str, said: str, changed: str, left: str):
    await ann.tells(earlier, said, changed)
    known = await ann.known()
    assert left in known
    assert known <= {earlier, left}


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("My daughter has asthma and my son eczema", "forget the eczema thing"),
        ("My mum has asthma and my dad gout", "forget the gout thing"),
    ],
)
async def test_a_sentence_about_several_people_goes_only_after_a_yes(ann: Ann, said: str, asked: str):
    reply = await ann.tells(said, asked)
    assert "Shall I forget all of it?" in reply
    assert await ann.known() == {said}


async def test_who_denies_an_allergy_without_its_name_ends_none(ann: Ann):
    await ann.tells("I'm allergic to penicillin", "the doctor said I'm no longer allergic")
    assert "I'm allergic to penicillin" in await ann.known()


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Please don't remember this: I have HIV", "what do you know about me"),
        ("这件事你知道就行,别记:我有艾滋", "你都知道我什么"),
    ],
)
async def test_no_overview_shows_what_was_said_off_the_record(ann: Ann, said: str, asked: str):
    reply = await ann.tells(said, asked)
    assert "HIV" not in reply
    assert "艾滋" not in reply
    assert await ann.known() == set()


async def test_no_list_of_all_that_goes_shows_what_was_said_off_the_record(ann: Ann):
    await ann.tells("I live in Cork.", "Please don't remember this: I have HIV", "I like tea.")
    reply = await ann.tells("Forget everything I told you.")
    assert ("Cork" in reply, "tea" in reply, "HIV" in reply) == (True, True, False)
    await ann.tells("yes")
    assert await ann.known() == set()


@pytest.mark.parametrize(
    "said",
    [
        "Don't track this: I have two daughters and my wife drinks.",
        "Leave no trace of this: I have two daughters.",
        "Don't document this: I have two daughters.",
        "我老婆酗酒,我们要离婚。这话别入档",
    ],
)
async def test_nothing_is_kept_that_is_not_to_be_however_that_is_said(ann: Ann, said: str):
    await ann.tells(said)
    assert await ann.known() == set()


@pytest.mark.parametrize(
    ("begin", "secret", "end"),
    [
        ("let's talk off the record", "I take lithium", "back on the record"),
        ("going off the record now", "I'm seeing a therapist", "back on the record"),
        ("Off the record please", "I'm seeing a therapist", "OK, back on the record. Thanks."),
        ("咱们私下聊,别记", "我有躁郁症", "可以记了"),
    ],
)
async def test_a_talk_is_off_the_record_until_it_is_back_on(ann: Ann, begin: str, secret: str, end: str):
    await ann.tells(begin, secret, end, "I live in Cork.")
    assert await ann.known() == {"I live in Cork."}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "I'm thinking about quitting my job but nothing is decided yet. I'm allergic to bees.",
            "I'm allergic to bees.",
        ),
        ("Nothing has been decided. I have epilepsy.", "I have epilepsy."),
        ("My grandson Oliver is allergic to nuts", "My grandson Oliver is allergic to nuts"),
        ("I have bipolar disorder", "I have bipolar disorder"),
        ("My GP has me on methotrexate", "My GP has me on methotrexate"),
        ("青霉素皮试阳性", "青霉素皮试阳性"),
        ("这事别忘了：我对青霉素过敏", "我对青霉素过敏"),
    ],
)
async def test_what_keeps_somebody_safe_is_kept(ann: Ann, said: str, kept: str):
    await ann.tells(said)
    assert any(kept in each for each in await ann.known())


@pytest.mark.parametrize(
    "said",
    [
        "In the novel my brother has epilepsy.",
        "Do I have diabetes?",
        "If I have diabetes I'll need insulin.",
        "They've got me on hold.",
        "My nurse has me on speakerphone.",
        "My grandson Oliver is diabetes free.",
        "I have hepatitis A vaccination tomorrow.",
        "I'm so ADHD today.",
        "同事皮试阳性",
        "They put me on the waiting list.",
        "I might have diabetes, lol, so much cake",
    ],
)
async def test_what_is_asked_supposed_or_no_illness_is_no_constraint(ann: Ann, said: str):
    await ann.tells(said)
    items = await ann.resources.memory.items.list_newest(ann.scope)
    assert [each.content for each in items if each.memory_type == "constraint"] == []


@pytest.mark.parametrize(
    "said", ["I have a peanut allergy", "I'm allergic to peanuts", "I have a severe allergy to wasps"]
)
@pytest.mark.parametrize("asked", ["what am I allergic to?", "do I have any allergies?"])
async def test_an_allergy_is_told_however_it_is_said_and_asked_for(ann: Ann, said: str, asked: str):
    assert said in await ann.tells(said, asked)
