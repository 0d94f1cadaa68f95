"""The reply, with a model and without."""

from dataclasses import replace
from uuid import uuid4

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage

from brain.attachments import attachment_kinds
from brain.intent_rules import classify
from brain.media.shown import ShownMedia
from brain.models.errors import ADVICE, ModelInterrupted, ModelRefused, ModelUnavailable
from brain.state import AssembledPrompt
from memory.session_state import SessionState
from memory.turns import Event, Role
from nodes.respond import conversation, has_more_to_say, respond, wants_tools
from tests.fakes import NOW, FakeModel, Leanings, a_memory, a_run, a_state

PROMPT = AssembledPrompt(
    system="You are Brain.",
    history=(HumanMessage("before"), AIMessage("Yes?")),
    context="<memories/>",
    user_text="What do I like?",
    allocation={},
)
CALL = {"name": "memory_search", "args": {"query": "tea"}, "id": "call-1", "type": "tool_call"}


def an_event(text: str, role: Role = "user") -> Event:
    return Event(
        event_id=uuid4(),
        session_id=uuid4(),
        position=0,
        role=role,
        speaker=role,
        text=text,
        sha256="",
        occurred_at=NOW,
        time_zone="UTC",
    )


def prompted(text: str = "What do I like?", **values: object):
    return a_state(text, prompt=PROMPT, intent=classify(text, 0).model_dump(), **values)


async def test_the_model_reads_prefix_history_context_and_the_users_words_in_this_order():
    model = FakeModel(replies=[AIMessage("Tea.")])
    update = await respond(prompted(), a_run(Leanings(chat=model)))
    assert [message.text for message in model.asked[0]] == [
        "You are Brain.",
        "before",
        "Yes?",
        "<memories/>\n\nWhat do I like?",
    ]
    assert [message.text for message in update["messages"]] == ["Tea."]


async def test_the_user_never_speaks_twice_in_a_row():
    unanswered = (
        HumanMessage("Hi"),
        HumanMessage("Anyone?"),
        AIMessage("Yes?"),
        AIMessage("Here."),
        HumanMessage("Oh"),
    )
    prompt = replace(PROMPT, history=unanswered, documents=("<document/>", ""))
    asked = conversation(prompt, [HumanMessage("What do I like?")])
    assert [(message.type, message.text) for message in asked[1:]] == [
        ("human", "Hi\n\nAnyone?"),
        ("ai", "Yes?\n\nHere."),
        ("human", "Oh\n\n<document/>\n\n<memories/>\n\nWhat do I like?"),
    ]


async def test_tools_are_offered_until_the_rounds_are_used_up():
    model = FakeModel(replies=[AIMessage("one"), AIMessage("two")])
    run = a_run(Leanings(chat=model), max_tool_rounds=2)
    await respond(prompted(tool_rounds=1), run)
    await respond(prompted(tool_rounds=2), run)
    assert "memory_search" in [tool.name for tool in model.offered[0]]
    assert list(model.offered[1]) == []


async def test_what_tools_said_follows_the_users_words():
    model = FakeModel(replies=[AIMessage("Tea.")])
    state = prompted()
    state.messages += [AIMessage("", tool_calls=[CALL]), ToolMessage("green tea", tool_call_id="call-1")]
    await respond(state, a_run(Leanings(chat=model)))
    assert [message.type for message in model.asked[0]] == ["system", "human", "ai", "human", "ai", "tool"]


async def test_without_a_model_the_reply_says_so_and_answers_from_memory():
    update = await respond(prompted(memories=[a_memory("I like green tea")]), a_run())
    (reply,) = update["messages"]
    assert "you said: “I like green tea”" in reply.text
    assert "No language model is configured" in reply.text
    assert update["degraded"] == ["model_not_configured"]


async def test_without_a_model_a_chinese_question_is_answered_in_chinese():
    update = await respond(prompted("我喜欢什么？", memories=[a_memory("我喜欢绿茶")]), a_run())
    assert "你说过：“我喜欢绿茶”" in update["messages"][0].text


async def test_without_a_model_a_statement_is_noted_and_an_unknown_thing_admitted():
    noted = await respond(prompted("I like tea.", memories=[a_memory()]), a_run())
    unknown = await respond(prompted("What is my cat called?"), a_run())
    assert noted["messages"][0].text.startswith("I have noted that.")
    assert unknown["messages"][0].text.startswith("I remember nothing about that yet.")


@pytest.mark.usefixtures("memory")
async def test_what_was_just_said_answers_before_anything_was_made_of_it():
    said = [an_event("My name is Ann."), an_event("Noted.", role="assistant"), an_event("Who is Bob?")]
    opened = SessionState(window=tuple(said), turns=3)
    everything = await respond(prompted("What do you know about me?", opened=opened), a_run())
    something = await respond(prompted("What is my cat called?", opened=opened), a_run())
    assert everything["messages"][0].text.splitlines()[:2] == [
        "This is what I remember:",
        "- on 2026-03-01 you said: “My name is Ann.”",
    ]
    assert "Noted" not in everything["messages"][0].text
    assert "Bob" not in everything["messages"][0].text
    assert something["messages"][0].text.startswith("I remember nothing about that yet.")


async def test_what_the_assistant_said_is_not_quoted_as_the_users_memory():
    echo = a_memory("You like red wine", role="assistant", speaker="assistant")
    update = await respond(prompted(memories=[echo]), a_run())
    assert "red wine" not in update["messages"][0].text


@pytest.mark.parametrize("reason", ["model_timeout", "model_rate_limited", "model_server_error"])
async def test_a_model_that_fails_leaves_an_honest_answer_from_memory(reason: str):
    model = FakeModel(replies=[ModelUnavailable(reason)])  # type: ignore[arg-type]
    update = await respond(prompted(memories=[a_memory("I like green tea")]), a_run(Leanings(chat=model)))
    assert "I like green tea" in update["messages"][0].text
    assert reason in update["messages"][0].text
    assert ADVICE[reason] in update["messages"][0].text
    assert update["degraded"] == [reason]


async def test_a_refusal_is_passed_on_and_named():
    update = await respond(prompted(), a_run(Leanings(chat=FakeModel(replies=[ModelRefused("I cannot.")]))))
    assert update == {"messages": [AIMessage("I cannot.")], "degraded": ["model_refused"]}


BROKEN_OFF = {"finish_reason": "interrupted"}


@pytest.mark.parametrize(
    ("asked", "notice"), [("What do I like?", "The reply broke off here"), ("我喜欢什么？", "回复在此中断")]
)
async def test_a_reply_that_broke_off_keeps_the_words_that_were_heard_and_says_so(asked: str, notice: str):
    cut = ModelInterrupted(AIMessage("You like gr", response_metadata=BROKEN_OFF))
    update = await respond(prompted(asked), a_run(Leanings(chat=FakeModel(replies=[cut]))))
    (reply,) = update["messages"]
    assert reply.text.startswith("You like gr\n\n")
    assert notice in reply.text
    assert reply.response_metadata == BROKEN_OFF
    assert update["degraded"] == ["model_interrupted"]


async def test_a_reply_that_reached_the_limit_of_length_says_so():
    long = AIMessage("Once upon a", response_metadata={"finish_reason": "length"})
    update = await respond(prompted(), a_run(Leanings(chat=FakeModel(replies=[long]))))
    assert "limit of length" in update["messages"][0].text
    assert update["degraded"] == ["reply_length_limit"]


async def test_a_whole_reply_is_left_as_it_is():
    whole = AIMessage("Tea.", response_metadata={"finish_reason": "stop"})
    update = await respond(prompted(), a_run(Leanings(chat=FakeModel(replies=[whole]))))
    assert update == {"messages": [whole], "degraded": []}


@pytest.mark.parametrize(("kind", "named"), [("image_url", "image"), ("input_audio", "audio"), ("hologram", "file")])
async def test_what_was_attached_and_not_looked_at_is_announced(kind: str, named: str):
    message = HumanMessage([{"type": "text", "text": "What is this?"}, {"type": kind, kind: {}}])
    unseen = replace(PROMPT, shown=ShownMedia(unseen=attachment_kinds([message])))
    state = replace(prompted("What is this?", messages=[message]), prompt=unseen)
    with_model = await respond(state, a_run(Leanings(chat=FakeModel(replies=[AIMessage("I cannot see it.")]))))
    without = await respond(state, a_run())
    for update in (with_model, without):
        assert f"I have not looked at what you attached — {named}." in update["messages"][0].text


def test_tool_calls_lead_to_the_tools_and_words_to_the_end():
    assert wants_tools(a_state(messages=[AIMessage("", tool_calls=[CALL])])) == "dispatch_tools"
    assert wants_tools(a_state(messages=[AIMessage("Tea.")])) == "capture_signals"


def test_after_end_was_called_only_silence_is_filled():
    spoken = [HumanMessage("bye"), AIMessage("Bye!", tool_calls=[CALL]), ToolMessage("ok", tool_call_id="call-1")]
    silent = [HumanMessage("bye"), AIMessage("", tool_calls=[CALL]), ToolMessage("ok", tool_call_id="call-1")]
    assert has_more_to_say(a_state(messages=spoken, ended=True)) == "capture_signals"
    assert has_more_to_say(a_state(messages=silent, ended=True, prompt=PROMPT)) == "check_guard"
    assert has_more_to_say(a_state(messages=spoken, prompt=PROMPT)) == "check_guard"


def test_a_prompt_that_was_not_kept_over_a_wait_is_put_together_again():
    answered = [HumanMessage("hi"), AIMessage("", tool_calls=[CALL]), ToolMessage("ok", tool_call_id="call-1")]
    assert has_more_to_say(a_state(messages=answered)) == "assemble"


async def test_what_is_asked_decides_which_tools_are_offered_and_those_at_work_stay():
    model = FakeModel(replies=[AIMessage("Ok."), AIMessage("Found it.")])
    await respond(prompted(), a_run(Leanings(chat=model)))
    call = {**CALL, "name": "memory_append", "id": "c1"}
    at_work = [
        HumanMessage("What do I like?"),
        AIMessage("", tool_calls=[call]),
        ToolMessage("ok", tool_call_id="c1", name="memory_append"),
    ]
    await respond(prompted(messages=at_work), a_run(Leanings(chat=model)))
    assert "memory_search" in [spec.name for spec in model.offered[0]]
    assert "memory_append" in [spec.name for spec in model.offered[1]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Book a table for two at eight.", "I have no ability for that here. What I can do: look up what you told me"),
        ("帮我订一张去上海的机票", "我这里目前没有相应的能力。我可以：查找你说过的话"),
    ],
)
async def test_what_no_skill_covers_is_answered_helpfully_without_a_model_and_told_to_one(text: str, told: str):
    update = await respond(a_state(text, intent=classify(text).model_dump()), a_run())
    assert told in update["messages"][0].text
    assert update["degraded"] == ["model_not_configured", "skill_not_covered"]
    model = FakeModel(replies=[AIMessage("I cannot, but I can note it.")])
    update = await respond(prompted(text), a_run(Leanings(chat=model)))
    assert update["degraded"] == ["skill_not_covered"]
    assert "<guidance>" in model.asked[0][-1].text
