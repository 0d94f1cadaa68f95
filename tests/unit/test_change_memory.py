"""What a person asks of memory, through the whole turn; each conversation on a Memory Core of its own."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its graph types partly open.

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel

from brain.context import Context
from brain.embeddings.encoder import encoder_embedder
from brain.intent_rules import classify
from brain.resources import Resources
from evolution.requests.change_targets import ChangeTarget
from evolution.requests.correction_fit import corrected_text
from graphs.brain import builder
from graphs.evolution import evolve
from language.requests import find_request
from memory.embedding import Embedder
from memory.memory_item import MemoryItem
from memory.ports import MemoryCore
from nodes.change_memory import asks_change
from nodes.rewrite_query import Rewriting
from tests.fakes import NOW, FakeModel, Leanings, a_state, resources_of
from tests.this_test import me, own_memory, own_tenant

pytestmark = pytest.mark.usefixtures("memory")


@dataclass
class Clock:
    at: datetime = NOW

    def __call__(self) -> datetime:
        self.at += timedelta(minutes=1)
        return self.at


@dataclass
class Talk:
    """A conversation of Ann's. ``elsewhere`` goes on in the same session with nothing but the memory."""

    memory: MemoryCore = field(default_factory=own_memory)
    chat: FakeModel | None = None
    clock: Clock = field(default_factory=Clock)
    session: str = "talk"
    embedder: Embedder | None = None

    def __post_init__(self) -> None:
        built = resources_of(Leanings(memory=self.memory, chat=self.chat, embedder=self.embedder))
        self.resources: Resources = replace(built, new_id=uuid4, clock=self.clock)
        self.context = Context(resources=self.resources, tenant=own_tenant(), user="ann", session=self.session)
        self.graph: Any = builder.compile(checkpointer=InMemorySaver())

    async def say(self, *texts: str) -> str:
        """Say all of it; the reply to the last."""
        told: dict[str, Any] = {}
        for text in texts:
            config = {"configurable": {"thread_id": "t"}}
            told = await self.graph.ainvoke({"messages": [HumanMessage(text)]}, config, context=self.context)
        self.messages = told["messages"]
        return self.messages[-1].text

    async def grow(self) -> None:
        opened = await self.graph.aget_state({"configurable": {"thread_id": "t"}})
        await evolve(self.resources, me("ann"), opened.values["turn"]["session_id"])

    def elsewhere(self) -> "Talk":
        return Talk(memory=self.memory, clock=self.clock, session=self.session)

    async def living(self) -> list[MemoryItem]:
        return await self.memory.items.list_newest(me("ann"))

    async def indexed(self) -> list[str]:
        rows = await self.memory.index.rows_without_vector(me("ann"), "any", 100)
        return [each.text for each in rows if each.lane == "turn"]

    def thread(self) -> str:
        """All that the thread holds but the newest exchange."""
        return "\n".join(each.text for each in self.messages[:-2])


async def test_one_clear_memory_is_forgotten_at_once_and_the_reply_says_so():
    talk = Talk()
    reply = await talk.say("I have a dog called Rex.", "I live in Ghent.", "Please forget that I have a dog.")
    assert reply == "I have forgotten “I have a dog called Rex”. Say “undo that” to bring it back."
    assert await talk.indexed() == ["I live in Ghent."]
    assert "Rex" not in talk.thread()


async def test_neither_the_request_nor_its_reply_stand_in_a_later_prompt():
    talk = Talk()
    await talk.say("I have a dog called Rex.", "Please forget my dog Rex.", "What do you know about me?")
    assert "Rex" not in talk.thread()
    assert "Rex" not in await talk.elsewhere().say("What is my dog called?")


async def test_a_memory_that_has_grown_goes_with_its_turn():
    talk = Talk()
    await talk.say("I have a dog called Rex.")
    await talk.grow()
    await talk.say("forget my dog")
    await talk.grow()
    assert await talk.living() == []
    assert await talk.indexed() == []


async def test_what_is_forgotten_before_anybody_noted_it_is_not_noted_later():
    talk = Talk()
    await talk.say("I have a dog called Rex.", "forget my dog")
    await talk.grow()
    assert await talk.living() == []


async def test_undo_brings_it_back_also_in_another_process():
    talk = Talk()
    await talk.say("I have a dog called Rex.", "forget my dog")
    assert await talk.elsewhere().say("undo that") == "Taken back: “I have a dog called Rex”."
    assert "Rex" in await talk.elsewhere().say("What is my dog called?")


async def test_several_are_asked_about_and_the_answer_is_understood_in_another_process():
    talk = Talk()
    asked = await talk.say("My sister Nora is a nurse.", "My sister Orla paints.", "forget my sister")
    assert asked.startswith("Which one shall I forget?\n1. ")
    chosen = next(line for line in asked.splitlines() if "Orla" in line)
    answer = "the first one" if chosen.startswith("1.") else "the second one"
    assert "Orla" in await talk.elsewhere().say(answer)
    assert "Orla" not in "\n".join(await talk.indexed())
    assert "My sister Nora is a nurse." in await talk.indexed()


async def test_a_question_that_is_not_answered_is_dropped():
    talk = Talk()
    await talk.say("My sister Nora is a nurse.", "My sister Orla paints.", "forget my sister", "It is raining here.")
    await talk.say("the second one")
    assert {"My sister Nora is a nurse.", "My sister Orla paints."} <= set(await talk.indexed())


async def test_all_that_is_said_about_a_matter_goes_when_all_is_meant_and_the_list_is_agreed_to():
    talk = Talk()
    await talk.say("My sister is a nurse.", "I like tea.", "My sister lives in Leeds.")
    asked = await talk.say("forget everything I told you about my sister")
    assert sorted(line[3:] for line in asked.splitlines()[1:3]) == [
        "“My sister is a nurse”",
        "“My sister lives in Leeds”",
    ]
    await talk.say("both")
    assert "I like tea." in await talk.indexed()
    assert not any("My sister" in each for each in await talk.indexed())


async def test_everything_goes_only_after_a_yes_to_the_count():
    talk = Talk()
    asked = await talk.say("I have a dog called Rex.", "I live in Ghent.", "Forget everything you know about me.")
    assert asked.startswith("That would be 2:\n1. ")
    assert len(await talk.elsewhere().indexed()) >= 2
    await talk.say("yes")
    assert await talk.indexed() == []


async def test_everything_stays_after_a_no():
    talk = Talk()
    await talk.say("I have a dog called Rex.", "I live in Ghent.", "Forget everything you know about me.", "no")
    assert {"I have a dog called Rex.", "I live in Ghent."} <= set(await talk.indexed())


async def test_what_was_said_at_a_time_is_asked_about():
    talk = Talk()
    await talk.say("I have a dog called Rex.")
    talk.clock.at += timedelta(days=1)
    asked = await talk.say("I live in Ghent.", "Please forget what I told you yesterday.")
    assert "Rex" in asked
    assert "Ghent" not in asked
    await talk.say("yes")
    assert "I have a dog called Rex." not in await talk.indexed()
    assert "I live in Ghent." in await talk.indexed()


async def test_other_sentences_of_a_request_are_noted():
    talk = Talk()
    await talk.say("I have a dog called Rex.", "Please forget that I have a dog. I work as a nurse in Leeds.")
    assert [each.content for each in await talk.living()] == ["I work as a nurse in Leeds."]


async def test_what_was_said_twice_is_forgotten_twice():
    talk = Talk()
    await talk.say("I have a dog called Rex.", "It rains.", "i have a dog called rex", "forget my dog")
    assert await talk.indexed() == ["It rains."]


async def test_a_request_may_point_at_the_turn_before():
    talk = Talk()
    await talk.say("I like tea.", "I owe my brother 200 euros.", "scratch that")
    assert await talk.indexed() == ["I like tea."]


async def test_what_nobody_said_cannot_be_forgotten():
    talk = Talk()
    reply = await talk.say("I like tea.", "please forget my shoe size")
    assert reply == "I remember nothing like that, so there is nothing to forget."
    assert "I like tea." in await talk.indexed()


async def test_a_correction_takes_the_place_of_what_was_said():
    talk = Talk()
    await talk.say("My sister is called Maude.")
    await talk.grow()
    reply = await talk.say("no, my sister is called Maud, not Maude")
    assert reply.startswith("I have corrected it: “My sister is called Maud.”")
    (item,) = await talk.living()
    assert "Maude" not in item.content
    assert item.provenance["level"] == "confirmed_by_user"


async def test_a_bare_value_is_put_in_the_place_of_the_one_it_denies():
    talk = Talk()
    await talk.say("My bike stands in row 521.", "512, not 521")
    (item,) = await talk.living()
    assert item.content == "My bike stands in row 512."


@pytest.mark.parametrize(
    ("known", "correction", "right"),
    [
        (["I drive a Toyota.", "My wife spells it Suzann."], "Did I say Toyota? I meant Honda.", "I drive a Honda."),
        (["My brother works at Renault."], "Did I say Renault? I meant Peugeot.", "My brother works at Peugeot."),
        (["I live in York."], "No wait, not York. Leeds.", "I live in Leeds."),
        (["I live in Paris."], "I said Paris but I meant Lyon.", "I live in Lyon."),
        (["我在华为上班。", "我弟弟在联想上班。"], "我说过华为吗？我是说小米。", "我在小米上班。"),
    ],
)
async def test_the_only_thing_said_that_holds_what_is_denied_is_put_right(
    known: list[str], correction: str, right: str
):
    talk = Talk()
    await talk.say(*known)
    await talk.grow()
    assert right in await talk.say(correction)
    await talk.grow()
    assert sorted(each.content for each in await talk.living()) == sorted([right, *known[1:]])


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (["I live in Paris.", "My office is in Paris."], "It's Lyon, not Paris."),
        (["I live in Leeds."], "It's nice in York, not Leeds."),
        (["我住在苏州。"], "不是苏州，是杭州的天气好。"),
    ],
)
async def test_what_does_not_say_which_memory_is_wrong_changes_none(known: list[str], said: str):
    talk = Talk()
    for each in (*known, "I like tea."):
        await talk.say(each)
        await talk.grow()
    await talk.say(said)
    await talk.grow()
    assert set(known) <= {each.content for each in await talk.living()}


@pytest.mark.parametrize(
    ("known", "correction", "right"),
    [
        ("I'm 40.", "I'd like to correct my age: 43.", "I'm 43."),
        ("My age is 40.", "I want to change my age to 43.", "My age is 43."),
        ("I'm 40.", "Update my age: 43.", "I'm 43."),
        ("I'm 40.", "I'd like to fix my bike: Monday.", "I'm 40."),
        ("I'm 40.", "Correct my age: it depends.", "I'm 40."),
    ],
)
async def test_a_matter_is_put_right_by_its_name_and_its_value(known: str, correction: str, right: str):
    talk = Talk()
    await talk.say(known)
    await talk.grow()
    await talk.say(correction)
    await talk.grow()
    assert [each.content for each in await talk.living() if each.category == "birth"] == [right]


async def test_a_correction_of_nothing_known_is_an_ordinary_turn():
    talk = Talk()
    await talk.say("I like tea.", "no, my car is green, not blue")
    assert "no, my car is green, not blue" in await talk.indexed()
    assert await talk.living() == []


async def test_what_is_to_be_remembered_is_stored_and_confirmed():
    talk = Talk()
    reply = await talk.say("Remember that my locker is number 44.")
    assert reply == "I will remember that: “my locker is number 44”."
    (item,) = await talk.living()
    (evidence,) = await talk.memory.items.evidence(me("ann"), item.memory_id)
    assert (evidence.quote, evidence.verified) == ("Remember that my locker is number 44.", True)
    await talk.say("undo that")
    assert await talk.living() == []


async def test_what_is_not_to_be_written_down_leaves_nothing_but_stays_in_the_conversation():
    talk = Talk()
    reply = await talk.say("don't write this down: I hate my boss", "Is that so strange?")
    await talk.grow()
    assert "I hate my boss" in talk.thread()
    assert await talk.living() == []
    assert await talk.indexed() == ["Is that so strange?"]
    assert "boss" not in reply


async def test_off_the_record_holds_until_it_is_called_off():
    talk = Talk()
    assert "note nothing of this" in await talk.say("off the record from now on", "I hate my boss.")
    await talk.elsewhere().say("I am looking for another job.")
    await talk.say("back on the record", "I like tea.")
    await talk.grow()
    assert await talk.indexed() == ["I like tea."]


FILL: dict[type[BaseModel], BaseModel] = {type(classify("")): classify("hello"), Rewriting: Rewriting(queries=[])}


def forgetting(about: str) -> AIMessage:
    return AIMessage(
        "", tool_calls=[{"name": "memory_forget", "args": {"about": about}, "id": "c1", "type": "tool_call"}]
    )


async def test_a_model_decides_by_its_tools_and_sees_what_may_be_meant():
    model = FakeModel(
        replies=[AIMessage("Fine."), forgetting("I have a dog"), AIMessage("Rex is gone.")], forms_by=FILL
    )
    talk = Talk(chat=model)
    await talk.say("I have a dog called Rex.")
    assert await talk.say("Please forget that I have a dog.") == "Rex is gone."
    told = "\n".join(message.text for asked in model.asked for message in asked)
    assert "Nothing was changed yet" in told
    assert "Memory holds what may be meant:\n- I have a dog called Rex" in told
    assert "I have a dog called Rex." not in await talk.indexed()
    assert "Rex" not in await talk.elsewhere().say("What is my dog called?")


async def test_a_sentence_that_says_more_is_forgotten_only_after_a_yes():
    said = "My wife Priya is a midwife and our girl Asha is nine."
    talk = Talk()
    await talk.say(said)
    asked = await talk.say("Forget that my wife Priya is a midwife.")
    assert asked.startswith("The sentence says more than that:\n1. “My wife Priya is a midwife")
    assert said in await talk.indexed()
    assert "I have forgotten" in await talk.say("yes")
    assert said not in await talk.indexed()


async def test_a_model_that_neither_calls_nor_declines_is_followed_by_the_question():
    model = FakeModel(replies=[AIMessage("Fine."), AIMessage("Done, it is gone.")], forms_by=FILL)
    talk = Talk(chat=model)
    await talk.say("I have a dog called Rex.")
    reply = await talk.say("Please forget that I have a dog.")
    unchanged = "(So far nothing in my memory has been forgotten or changed.)"
    assert reply == f"Done, it is gone.\n\n{unchanged}\n\nWhich one shall I forget?\n1. “I have a dog called Rex”"
    assert "I have a dog called Rex." in await talk.indexed()
    assert "I have forgotten" in await talk.elsewhere().say("yes")
    assert "I have a dog called Rex." not in await talk.indexed()


@pytest.mark.parametrize("reply", ["I cannot do that.", "Do you mean Rex?"])
async def test_a_model_that_declines_or_asks_is_left_alone(reply: str):
    model = FakeModel(replies=[AIMessage("Fine."), AIMessage(reply)], forms_by=FILL)
    talk = Talk(chat=model)
    await talk.say("I have a dog called Rex.")
    assert await talk.say("Please forget that I have a dog.") == reply
    assert "I have a dog called Rex." in await talk.indexed()


@pytest.mark.parametrize("text", ["I forgot my keys.", "don't forget to breathe", "忘了带伞", "I live in Ghent."])
def test_an_ordinary_turn_takes_no_further_step(text: str):
    assert asks_change(a_state(text)) == "assemble"


async def test_the_receipt_tells_what_was_changed():
    talk = Talk()
    await talk.say("I have a dog called Rex.", "forget my dog")
    state = await talk.graph.aget_state({"configurable": {"thread_id": "t"}})
    operation = state.values["turn"]["operation_id"]
    receipts = [
        each for each in await talk.memory.log.receipts(me("ann"), UUID(operation)) if each.receipt_type == "retrieval"
    ]
    assert receipts[0].details["change"] == {"act": "forget", "outcome": "done"}


@pytest.mark.parametrize(
    ("correction", "right"),
    [("It's Lyon, not Rome.", "I live in Lyon."), ("Actually I live in Lyon, not Rome.", "I live in Lyon.")],
)
def test_a_correction_brings_its_value_without_what_leads_up_to_it(correction: str, right: str):
    request = find_request(correction)
    assert request is not None
    assert corrected_text(ChangeTarget(text="I live in Rome.", person="user", topics={}), request) == right


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("The password of my safe is Kestrel-4711.", "Please forget the password of my safe."),
        ("我家保险箱的密码是4711kestrel。", "请忘记我家保险箱的密码。"),
    ],
)
async def test_forgetting_a_secret_writes_it_nowhere(told: str, asked: str):
    talk = Talk()
    reply = await talk.say(told, asked)
    await talk.grow()
    written = await talk.memory.items.list_newest(me("ann"), include_inactive=True)
    assert not any("4711" in f"{each.content}{each.object}" for each in written)
    assert "4711" not in reply
    assert all("4711" not in each for each in await talk.indexed())
    assert "4711" not in await talk.say("What is the password of my safe? 我家保险箱的密码是什么？")


async def test_what_shares_no_word_with_a_memory_is_asked_about_by_its_meaning():
    talk = Talk(embedder=encoder_embedder())
    await talk.say("My bunion operation is on Thursday.", "I live in Ghent.")
    reply = await talk.say("Please forget the surgery on my foot.")
    assert reply.startswith(
        "I remember nothing that says so. Nearest to it is:\n1. “My bunion operation is on Thursday”"
    )
    await talk.say("ok")
    assert "Thursday" in await talk.elsewhere().say("When is my bunion operation?")
    await talk.say("Please forget the surgery on my foot.")
    assert "I have forgotten" in await talk.say("yes, the first")
    assert "Thursday" not in await talk.elsewhere().say("When is my bunion operation?")


@pytest.mark.parametrize(
    "words",
    ["Delete all my memories.", "clear my memory", "Forget everything", "删除我的所有记忆", "清空记忆"],
)
async def test_all_of_memory_is_listed_and_asked_about_however_short_the_words(words: str):
    talk = Talk()
    asked = await talk.say("I have a dog called Rex.", "I live in Ghent.", words)
    assert "Rex" in asked
    assert "Ghent" in asked
    assert {"I have a dog called Rex.", "I live in Ghent."} <= set(await talk.indexed())
    await talk.say("no")
    assert {"I have a dog called Rex.", "I live in Ghent."} <= set(await talk.indexed())


@pytest.mark.parametrize(
    ("said", "request_", "yes", "first"),
    [
        (("I have a red bike.", "I have a mountain bike."), "forget my bike", "yes please", "the first one"),
        (("我有一辆红色的自行车。", "我有一辆山地自行车。"), "忘掉我的自行车。", "是的", "第一个"),
    ],
)
async def test_a_yes_to_several_asks_which_and_takes_none(said: tuple[str, str], request_: str, yes: str, first: str):
    talk = Talk()
    asked = await talk.say(*said, request_)
    assert await talk.say(yes) == asked
    assert set(said) <= set(await talk.indexed())
    await talk.elsewhere().say(first)
    assert len(set(said) & set(await talk.indexed())) == 1
