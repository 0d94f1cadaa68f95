"""What a person has one of at a time is set where one memory states it, asked about where several do."""

import pytest

from language.attributes import NewValue, among_several, find_new_value, states, with_value
from language.kinds import Topic
from language.requests import find_request
from tests.unit.test_change_memory import Talk

WORK: dict[Topic, float] = {"work": 0.9}


@pytest.mark.parametrize(
    ("turn", "attribute", "sentence"),
    [
        ("Correct my address: Lyon.", "home", "my address is Lyon"),
        ("Change my address to 7 Oak Road", "home", "my address is 7 Oak Road"),
        ("Please update my home address to 5 Elm St., thanks!", "home", "my home address is 5 Elm St"),
        ("Could you fix my age: 43?", "age", "my age is 43"),
        ("I'd like to correct my age: 43", "age", "my age is 43"),
        ("Change my age from 42 to 43 please", "age", "my age is 43"),
        ("Change my job to teacher", "job", "my job is teacher"),
        ("Set my birthday to 4 June", "birthday", "my birthday is 4 June"),
        ("Correction to my address: Lyon", "home", "my address is Lyon"),
        ("Correct my address, it's Lyon", "home", "my address is Lyon"),
        ("Change my email to ann@example.org", "email", "my email is ann@example.org"),
        ("我想改一下年龄：43", "age", "我的年龄是43"),
        ("改一下我的地址：里昂", "home", "我的地址是里昂"),
        ("帮我更新一下住址，里昂", "home", "我的住址是里昂"),
        ("年龄改成43", "age", "我的年龄是43"),
        ("把我的工作改成老师", "job", "我的工作是老师"),
        ("更正生日：5月4号", "birthday", "我的生日是5月4号"),
    ],
)
def test_a_turn_may_set_what_its_speaker_has_one_of(turn: str, attribute: str, sentence: str):
    found = find_request(turn)
    assert found is not None
    assert found.new is not None
    assert (found.act, found.new.attribute, found.stated) == ("correct", attribute, sentence)


@pytest.mark.parametrize(
    "turn",
    [
        "Correct my age: I feel 20",
        "Correct my age: none of your business.",
        "Correct my essay: the moon orbits the earth",
        "Correct my essay: bad grammar",
        "Change my mind",
        "Change my phone to a Pixel",
        "Change my name tag: red",
        "Change my address book: blue",
        "Change my sister's age to 43",
        "Change my job to something more fun",
        "I want to change my job to teaching",
        "I want to change my name to Max",
        "Should I change my address to Lyon?",
        "He said change my address to Lyon",
        "帮我改一下这段话：今天天气好",
        "把文件名字改成甲",
        "改一下名字的读音：去声",
        "我想改一下工作",
        "我想改名字",
        "把年龄改成什么好",
        "改天再说",
    ],
)
def test_what_only_sounds_like_it_sets_nothing(turn: str):
    assert find_new_value(turn) is None


@pytest.mark.parametrize(
    ("sentence", "attribute"),
    [
        ("I live in Paris.", "home"),
        ("My address is 5 Elm Street.", "home"),
        ("I live at 12 Mill Lane.", "home"),
        ("Our flat is on Mill Lane.", "home"),
        ("I'm 42.", "age"),
        ("I am 42 years old.", "age"),
        ("I work as a nurse.", "job"),
        ("I'm a nurse.", "job"),
        ("My phone number is 555 1234.", "phone"),
        ("我住在北京。", "home"),
        ("我家在人民路。", "home"),
        ("我今年42岁。", "age"),
        ("我是护士。", "job"),
        ("我的邮箱是ann@example.org", "email"),
    ],
)
def test_a_sentence_may_state_an_attribute(sentence: str, attribute: str):
    assert states(sentence, attribute, WORK)


@pytest.mark.parametrize(
    ("sentence", "attribute"),
    [
        ("My flat is tiny.", "home"),
        ("I live alone.", "home"),
        ("I hate my boss.", "job"),
        ("I'm 20 minutes late.", "age"),
        ("My phone is broken.", "phone"),
        ("My company is hiring.", "employer"),
        ("I live in a small flat.", "home"),
        ("We moved on with our lives.", "home"),
        ("我家很小。", "home"),
        ("我家在装修。", "home"),
        ("我一个人住。", "home"),
        ("我住得很远。", "home"),
        ("我住在一个小公寓里。", "home"),
        ("我讨厌我老板。", "job"),
    ],
)
def test_what_is_only_about_the_same_matter_states_none(sentence: str, attribute: str):
    assert not states(sentence, attribute, WORK)


@pytest.mark.parametrize(
    ("turn", "sentence", "right"),
    [
        ("Correct my address: Lyon", "I live in Paris.", "I live in Lyon."),
        ("Correct my address: 7 Oak Road", "I live in Paris.", "my address is 7 Oak Road"),
        ("Change my address to 7 Oak Road", "My address is 5 Elm Street.", "my address is 7 Oak Road"),
        ("Change my age to 43", "I am 42 years old.", "I am 43 years old."),
        ("我想改一下年龄：43", "我今年42岁。", "我今年43岁。"),
        ("把我的工作改成老师", "我是护士。", "我的工作是老师"),
    ],
)
def test_the_whole_value_comes_in_the_place_of_the_old_one(turn: str, sentence: str, right: str):
    new = find_new_value(turn)
    assert new is not None
    assert with_value(sentence, new) == right


@pytest.mark.parametrize(
    ("which", "places"), [("", [0, 1, 2]), ("work", [1]), ("office", []), ("home", [2]), ("postal", [0, 2])]
)
def test_of_several_those_are_meant_that_say_which(which: str, places: list[int]):
    told = ["I live in Paris.", "My work address is 1 Main Street.", "My home address is 5 Elm Street."]
    assert among_several(NewValue("home", which, "Lyon", "my address is Lyon"), told) == places


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("known", "turn", "reply"),
    [
        ("I live in Paris.", "Correct my address: Lyon.", "I have corrected it: “I live in Lyon.” (instead of “I live"),
        ("我今年42岁。", "我想改一下年龄：43", "我已经改正：“我今年43岁。”（原来是“我今年42岁”）"),
        (
            "My flat is tiny.",
            "Change my address to Lyon",
            "I remember nothing of the kind, so there is nothing to correct.",
        ),
        ("My sister lives in Rome.", "Correct my address: Lyon", "I remember nothing of the kind"),
        ("我讨厌我老板。", "我想改一下年龄：43", "我没有这样的记忆"),
    ],
)
async def test_one_memory_is_corrected_and_none_is_said_to_be_there(known: str, turn: str, reply: str):
    talk = Talk()
    assert (await talk.say(known, turn)).startswith(reply)


@pytest.mark.usefixtures("memory")
async def test_of_several_the_person_says_which():
    talk = Talk()
    asked = await talk.say("I live in Paris.", "My address is 5 Elm Street.", "Correct my address: Lyon")
    assert asked == "Which one shall I correct?\n1. “I live in Paris”\n2. “My address is 5 Elm Street”"
    assert await talk.say("both") == asked
    assert await talk.say("1") == (
        "I have corrected it: “I live in Lyon.” (instead of “I live in Paris”). Say “undo that” to take that back."
    )
    await talk.say("undo that")
    await talk.grow()
    assert {each.content for each in await talk.living()} == {"I live in Paris.", "My address is 5 Elm Street."}


@pytest.mark.usefixtures("memory")
async def test_who_wants_neither_leaves_both_as_they_are():
    talk = Talk()
    asked = await talk.say("我住在北京。", "我家地址是人民路1号。", "改一下我的地址：上海", "都不是")
    assert asked == "好的，我保持原样。"
    await talk.grow()
    assert {each.content for each in await talk.living()} == {"我住在北京。", "我家地址是人民路1号。"}


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize("turn", ["Correct my address: Lyon", "我想改一下年龄：43"])
async def test_an_order_to_correct_is_itself_no_memory(turn: str):
    talk = Talk()
    await talk.say(turn)
    await talk.grow()
    assert await talk.living() == []
