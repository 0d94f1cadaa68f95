"""What people ask of memory in few or careless words, from the turn to what is remembered, on a real PostgreSQL."""

from uuid import uuid4

import pytest

from brain.identity import Identity
from graphs.evolution import evolve
from memory.memory_item import MemoryItem
from memory.postgres.database import Database
from memory.scope import Scope, Speaker, scope_of
from nodes.open_session import session_of
from tests.integration.test_changing_memory import TENANT, Talk
from tests.integration.test_group_talk import Town


class Ann(Talk):
    """Talks, and is remembered behind each turn."""

    def __init__(self, database: Database) -> None:
        self.user = str(uuid4())
        super().__init__(database, self.user)
        self.scope: Scope = scope_of(Speaker(tenant=TENANT, user=self.user))

    async def tells(self, *texts: str) -> str:
        """The reply to the last."""
        reply = ""
        for text in texts:
            reply = await self.say(text)
            owner = Identity(scope=self.scope, tenant=TENANT, user=self.user)
            await evolve(self.resources, self.scope, session_of(owner, "talk"))
        return reply

    async def known(self) -> set[str]:
        """What is remembered and holds."""
        items: list[MemoryItem] = await self.resources.memory.items.list_newest(self.scope)
        return {each.content for each in items}


@pytest.fixture
def ann(database: Database) -> Ann:
    return Ann(database)


@pytest.fixture
def town(ann: Ann, scope: Scope) -> Town:
    """A tenant with channels."""
    return Town(ann.resources, str(scope.tenant_id))


@pytest.mark.parametrize(
    ("home", "talk", "word"),
    [
        ("I live in Ghent.", "Lovely weather today.", "clear it"),
        ("我住在上海。", "今天天气真好。", "清空吧"),
        ("我住在上海。", "", "作废"),
    ],
)
async def test_a_word_that_names_nothing_forgets_nothing(ann: Ann, home: str, talk: str, word: str):
    reply = await ann.tells(*(each for each in (home, talk) if each), word)
    assert "1. " in reply
    assert await ann.known() == {home}


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("I live in Paris. Sorry, Lyon.", "Lyon"),
        ("我住在巴黎，不对，里昂。", "里昂"),
        ("我住在巴黎。抱歉，里昂。", "里昂"),
    ],
)
async def test_of_a_slip_only_what_was_meant_is_left(ann: Ann, said: str, meant: str):
    await ann.tells(said)
    (known,) = await ann.known()
    assert meant in known
    assert "Paris" not in known
    assert "巴黎" not in known


@pytest.mark.parametrize(
    ("home", "denied", "yes"),
    [
        ("I live in Nice.", "Did I tell you I live in Nice? I don't.", "yes"),
        ("我住在南京。", "我跟你说过我住在南京吗？我不住那儿。", "是"),
    ],
)
async def test_a_denial_leaves_nothing_and_what_it_denies_goes_after_a_yes(ann: Ann, home: str, denied: str, yes: str):
    asked = await ann.tells(home, denied)
    assert home.rstrip(".。") in asked
    assert await ann.known() == {home}
    await ann.tells(yes)
    assert await ann.known() == set()


@pytest.mark.parametrize(
    ("known", "order", "right"),
    [
        ("I live in Paris.", "Correct my address: Lyon.", "I live in Lyon."),
        ("我今年42岁。", "我想改一下年龄：43", "我今年43岁。"),
        ("My phone is an iPhone.", "Change my phone to a Pixel", "my phone is a Pixel"),
        ("I am writing an essay about cats.", "Correct my essay: bad grammar.", "I am writing an essay about cats."),
    ],
)
async def test_an_order_to_correct_changes_the_memory_that_it_names(ann: Ann, known: str, order: str, right: str):
    await ann.tells(known, order)
    assert await ann.known() == {right}


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        (("I live in Lyon.", "I like tea."), "Show me everything you've saved about me"),
        (("I live in Lyon.", "I like tea."), "List my memories"),
        (("我住在上海。", "我喜欢喝茶。"), "把你记的关于我的都列出来"),
    ],
)
async def test_who_asks_for_their_memories_is_shown_all_of_them(ann: Ann, told: tuple[str, ...], asked: str):
    reply = await ann.tells(*told, asked)
    assert all(each in reply for each in told)
    assert await ann.known() == set(told)


@pytest.mark.parametrize(
    ("own", "others", "asked"),
    [
        ("I like tea.", "My sister likes opera.", "What do I like?"),
        ("我喜欢喝茶。", "我妹妹喜欢歌剧。", "我喜欢什么？"),
    ],
)
async def test_nobody_likes_what_their_sister_likes(ann: Ann, own: str, others: str, asked: str):
    alone = await ann.tells(others, asked)
    assert others not in alone
    reply = await ann.tells(own, asked)
    assert own in reply
    assert others not in reply


async def test_what_somebody_else_likes_is_listed_as_known_and_not_as_liked(ann: Ann):
    reply = await ann.tells("I like tea.", "My sister loves opera.", "What do you know about me?")
    about, _, liked = reply.partition("What you like, and what not:")
    assert "My sister loves opera." in about
    assert "I like tea." in liked
    assert "opera" not in liked


async def test_what_is_told_in_confidence_stays_with_the_one_who_told_it(ann: Ann, town: Town):
    told = "Don't tell anyone, but I have diabetes."
    await ann.tells(told)
    assert await ann.known() == {told}
    await town.says("ann", told)
    assert told in await town.recalls("ann", "Do I have diabetes?")
    assert told not in await town.recalls("ann", "Who has diabetes?", "kitchen")
    assert "diabetes" not in await town.says("ben", "Who has diabetes?", "kitchen")


@pytest.mark.parametrize("cue", ["Scratch that, Nora.", "Scratch that, it's Nora.", "No, wait, Nora."])
async def test_what_only_puts_a_name_right_forgets_nothing(ann: Ann, cue: str):
    await ann.tells("My boss is Nina.", cue)
    assert await ann.known() == {"My boss is Nora."}


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("I like tea. Scratch that.", set[str]()),
        ("我喜欢喝茶。算了，删掉吧。", set[str]()),
        ("I live in Ghent. My boss is Nina. Scratch that, Nora.", {"I live in Ghent.", "My boss is Nora."}),
    ],
)
async def test_what_is_taken_back_in_the_same_breath_is_not_kept(ann: Ann, said: str, left: set[str]):
    await ann.tells(said)
    assert await ann.known() == left


async def test_a_resigned_word_forgets_nothing_before_it_was_asked(ann: Ann):
    reply = await ann.tells("我喜欢喝茶", "忘了吧，反正也没用")
    assert "要忘掉哪一条" in reply
    assert await ann.known() == {"我喜欢喝茶"}


async def test_no_question_brings_up_what_was_said_off_the_record(ann: Ann):
    await ann.tells("off the record from now on", "I have gout", "I take allopurinol", "back on the record")
    reply = await ann.tells("I take vitamins", "forget the pills I take")
    assert "vitamins" in reply
    assert not {"gout", "allopurinol"} & set(reply.replace("“", " ").replace("”", " ").split())


@pytest.mark.parametrize(
    ("home", "old"),
    [
        ("I live in Leeds.", "I moved to Glasgow in 2015."),
        ("I live in Leeds.", "I moved to Tesla."),
        ("我住在北京。", "我2015年搬到了上海。"),
    ],
)
async def test_what_happened_long_ago_or_is_no_home_ends_none(ann: Ann, home: str, old: str):
    await ann.tells(home, old)
    assert await ann.known() == {home, old}


@pytest.mark.parametrize(
    ("said", "is_noted"),
    [
        ("My cat is called Moos.", True),
        ("I gave up squash.", True),
        ("I'm allergic to Mondays.", False),
        ("She's 8 now.", False),
        ("Sorry, and to be fair.", False),
        ("我对开会过敏", False),
    ],
)
async def test_only_what_is_noted_is_said_to_be(ann: Ann, said: str, is_noted: bool):
    reply = await ann.tells(said)
    assert ("I have noted that" in reply or "我记下了" in reply) == is_noted
    assert not await ann.known() or is_noted


async def test_all_that_is_remembered_is_listed_when_asked_for_in_plain_chinese(ann: Ann):
    reply = await ann.tells("我养了一只猫叫咪咪", "把你记得的都列出来")
    assert "咪咪" in reply


async def test_a_task_with_letters_corrects_no_address(ann: Ann):
    await ann.tells("I live in Leeds.", "Change my address to uppercase: leeds")
    assert await ann.known() == {"I live in Leeds."}
