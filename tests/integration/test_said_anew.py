"""What is taken back or told discreetly in one breath, and what stands beside it, on a real PostgreSQL."""

import pytest

from memory.postgres.database import Database
from tests.integration.test_asked_in_words import Ann


@pytest.fixture
def ann(database: Database) -> Ann:
    return Ann(database)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("I hate olives. Scratch that, I love olives.", {"I love olives."}),
        ("I live in Lyon. Scratch that, I live in Ghent.", {"I live in Ghent."}),
        ("I hate olives. No wait, I love olives.", {"I love olives."}),
        ("我讨厌橄榄。不对，我喜欢橄榄。", {"我喜欢橄榄。"}),
        ("我住在上海。说错了，我住在杭州。", {"我住在杭州。"}),
        ("I live in Lyon. My dog is called Rex. Scratch that.", {"I live in Lyon."}),
    ],
)
async def test_what_is_said_anew_is_kept_as_it_was_meant(ann: Ann, said: str, left: set[str]):
    await ann.tells(said)
    assert await ann.known() == left


@pytest.mark.parametrize(
    ("said", "stays"),
    [
        ("I'm allergic to nuts. No wait, I already told you about my nuts.", "I'm allergic to nuts."),
        ("I take insulin. I mean, I take the bus.", "I take insulin."),
        ("I have a pacemaker. No wait, I have a new job.", "I have a pacemaker."),
        ("I'm allergic to peanuts. Scratch that, I'm allergic to almonds too.", "I'm allergic to peanuts."),
        ("I have epilepsy. Wait no, I have asthma as well.", "I have epilepsy."),
        ("我对青霉素过敏。不对，我对头孢也过敏。", "我对青霉素过敏。"),
        ("我对花生过敏。不对，我妹妹也对花生过敏。", "我对花生过敏。"),
        ("我有癫痫。口误，我有点累。", "我有癫痫。"),
        ("我在华为上班。不对，我以前在小米上班。", "我在华为上班。"),
        ("I'm allergic to nuts. No wait, who told you that?", "I'm allergic to nuts."),
        ("I live in Lyon. I mean, Lyon is fine.", "I live in Lyon."),
        ("My sister lives in Lyon. Sorry, I have to take a call.", "My sister lives in Lyon."),
        ("我对花生过敏。不对，我好像跟你说过花生的事？", "我对花生过敏。"),
    ],
)
async def test_what_is_not_said_anew_stays(ann: Ann, said: str, stays: str):
    await ann.tells(said)
    assert stays in await ann.known()


async def test_a_correction_that_says_the_last_sentence_anew_takes_its_place(ann: Ann):
    reply = await ann.tells("I hate olives.", "Scratch that, I love olives.")
    assert "instead of “I hate olives”" in reply
    assert await ann.known() == {"I love olives."}


@pytest.mark.parametrize(
    ("said", "aside"),
    [
        ("I live in Lyon.", "Scratch that, I want a coffee."),
        ("I have a pacemaker.", "Scratch that, I have a new job."),
        ("I can't eat nuts.", "Forget that, I can't sleep."),
        ("I'm allergic to peanuts.", "Scratch that, I'm allergic to walnuts as well."),
    ],
)
async def test_what_says_something_else_asks_what_is_to_go(ann: Ann, said: str, aside: str):
    reply = await ann.tells(said, aside)
    assert f"1. “{said[:-1]}”" in reply
    assert await ann.known() == {said}


@pytest.mark.parametrize(
    "said",
    [
        "Don't make a note of it yet, but I might quit my job at Siemens.",
        "Please don't take any notes of this: I have HIV.",
    ],
)
async def test_what_is_not_to_be_noted_yet_is_not(ann: Ann, said: str):
    reply = await ann.tells(said)
    assert "no note" in reply
    assert await ann.known() == set()


@pytest.mark.parametrize(
    "said",
    ["Nobody knows it yet: I'm pregnant", "Just between us: I have asthma", "谁都不知道：我怀孕了"],
)
async def test_what_others_are_not_to_know_is_kept(ann: Ann, said: str):
    await ann.tells(said)
    assert await ann.known() == {said}


@pytest.mark.parametrize(
    ("left", "said", "back", "noted"),
    [
        ("off the record from now on", "I have gout.", "Back on the record.", "My dog is called Rex."),
        ("接下来的别记", "我有痛风。", "可以记了。", "我的狗叫Rex。"),
    ],
)
async def test_what_follows_the_words_of_coming_back_is_noted(ann: Ann, left: str, said: str, back: str, noted: str):
    await ann.tells(left, said, f"{back} {noted}")
    assert await ann.known() == {noted}


async def test_what_stands_before_the_words_of_coming_back_is_not(ann: Ann):
    await ann.tells("off the record from now on", "I have gout. We are back on the record. My dog is called Rex.")
    assert "gout" not in " ".join(await ann.known())


@pytest.mark.parametrize(
    "said",
    [
        "I live in Lyon. My dog is called Rex. Scratch that.",
        "Forget my tea. I live in Lyon.",
        "Undo that. I live in Lyon.",
    ],
)
async def test_beside_a_request_nothing_is_noted_off_the_record(ann: Ann, said: str):
    await ann.tells("I like tea.", "off the record from now on", said)
    assert "Lyon" not in " ".join(await ann.known())


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("I have an affair with Kim.", "Scratch that, I have an affair with Jo."),
        ("I hate my boss.", "Scratch that, I love my boss."),
        ("I live in Hamburg.", "Actually I live in Bremen, not Hamburg."),
        ("I earn 5000 euros.", "Sorry, I meant 6000 euros."),
        ("我有个情人叫小王。", "不对，我有个情人叫小李。"),
    ],
)
async def test_off_the_record_nothing_is_put_right(ann: Ann, said: str, asked: str):
    await ann.tells("off the record from now on", said, asked)
    assert await ann.known() == set()


async def test_what_was_noted_before_is_not_put_right_off_the_record(ann: Ann):
    await ann.tells("I live in Hamburg.", "off the record from now on", "I live in Bremen, not Hamburg.")
    assert await ann.known() == {"I live in Hamburg."}


@pytest.mark.parametrize("back", ["Undo.", "undo that"])
async def test_what_was_said_off_the_record_and_forgotten_never_comes_back(ann: Ann, back: str):
    reply = await ann.tells("off the record from now on", "I take cocaine.", "Forget that I take cocaine.", back)
    assert "cocaine" not in reply
    assert await ann.known() == set()


async def test_one_sentence_off_the_record_is_not_put_right_into_a_memory(ann: Ann):
    await ann.tells("Off the record, my sister is called Eva.", "I misspoke, my sister is called Ida.")
    assert "Off the record" not in " ".join(await ann.known())


@pytest.mark.parametrize(
    ("said", "secret"),
    [
        ("接下来别记。我赌博。可以记了，我喜欢喝茶。", "赌博"),
        ("现在不要记录，我出轨了。好了可以记了，我养了一只狗。", "出轨"),
        ("Let's go off the record. I have gout. Back on the record. My dog is called Rex.", "gout"),
    ],
)
async def test_a_message_that_leaves_the_record_and_comes_back_is_not_noted(ann: Ann, said: str, secret: str):
    await ann.tells(said)
    assert await ann.known() == set()
    assert secret not in await ann.tells("What do you know about me?")


@pytest.mark.parametrize(
    "said",
    [
        "我什么时候可以记了？我得了癌症。",
        "等我老婆走了就可以记了。我出轨了。",
        "我的账本终于可以记了。我欠了很多钱。",
        "我老板说可以记了，我被开除了。",
        "You can take notes again tomorrow. I have HIV.",
        "Back on the record?",
    ],
)
async def test_what_only_sounds_like_coming_back_leaves_it_off_the_record(ann: Ann, said: str):
    await ann.tells("off the record from now on", said, "I have gout.")
    assert await ann.known() == set()


@pytest.mark.parametrize(
    ("home", "said"),
    [
        ("我住在上海。", "我住院了。"),
        ("我住在上海。", "我在医院住。"),
        ("我住在上海。", "我住三楼。"),
        ("我住在上海。", "我最近住朋友家。"),
        ("我住在上海。", "我搬到杭州银行上班了。"),
        ("I live in Hamburg.", "I moved to Barclays in May."),
        ("I live in Hamburg.", "I moved to Real Madrid last summer."),
    ],
)
async def test_where_one_stays_or_works_ends_no_home(ann: Ann, home: str, said: str):
    await ann.tells(home, said)
    assert home in await ann.known()


async def test_an_allergy_that_is_added_turn_by_turn_is_said_to_be_noted(ann: Ann):
    for said in ("I'm allergic to peanuts.", "Oh, and to latex too.", "And to eggs."):
        assert "I have noted that" in await ann.tells(said)
