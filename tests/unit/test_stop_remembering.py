"""While a person does not want to be remembered, turns are logged and answered, and teach nothing, now or later."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import AIMessage

from apps.memory_api import client_tools, new_memories, turns
from apps.memory_api import remembering as api
from apps.memory_api.endpoint import AnyEndpoint, ApiCall, Door
from brain.identity import Identity
from memory.errors import BrainError
from memory.scope import session_id_of
from tests.fakes import FakeModel
from tests.this_test import me
from tests.unit.test_change_memory import FILL, Talk

pytestmark = pytest.mark.usefixtures("memory")


async def ask(talk: Talk, endpoint: AnyEndpoint, *, who: str = "ann", door: Door = "panel", once: str = "", **v: Any):
    identity = Identity(scope=me(who), tenant=talk.context.tenant, user=who)
    call = ApiCall(identity=identity, resources=talk.resources, trace_id=str(uuid4()), door=door, idempotency_key=once)
    return (await endpoint(endpoint.read(v), call)).data


async def remembered(talk: Talk) -> tuple[list[str], list[str]]:
    """Once all that is to be learnt is learnt: memories, and turns that recall finds."""
    await talk.grow()
    return sorted(each.content for each in await talk.living()), await talk.indexed()


async def test_nothing_said_meanwhile_is_ever_learnt_and_the_reply_says_so():
    talk = Talk()
    await talk.say("I like tea.")
    stopped = await ask(talk, api.stop_remembering)
    assert (stopped.remembers, stopped.stopped_for, stopped.until) == (False, "everything", None)
    assert "I note nothing of this" in await talk.say("I live in Lyon.")
    assert "cannot remember that" in await talk.say("Remember that my locker is number 44.")
    assert "我都不记" in await talk.say("我喜欢喝乌龙茶。")
    assert (await ask(talk, api.resume_remembering)).remembers
    assert await talk.say("I have a dog called Rex.") == "I have noted that."
    memories, found = await remembered(talk)
    assert found == ["I like tea.", "I have a dog called Rex."]
    assert not [each for each in memories if "Lyon" in each or "44" in each or "乌龙茶" in each]


async def test_what_is_known_can_still_be_asked_and_forgotten_meanwhile():
    talk = Talk()
    await talk.say("I have a dog called Rex.")
    await talk.grow()
    await ask(talk, api.stop_remembering)
    assert "Rex" in await talk.say("What is my dog called?")
    assert (await talk.say("Forget my dog Rex.")).startswith("I have forgotten")
    assert await remembered(talk) == ([], [])


async def test_a_conversation_is_left_out_alone_and_others_go_on():
    talk = Talk()
    await talk.say("I like tea.")
    here = await ask(talk, api.stop_remembering, session="talk")
    assert (here.remembers, here.stopped_for) == (False, "session")
    assert (await ask(talk, api.read_remembering)).remembers
    other = Talk(memory=talk.memory, clock=talk.clock, session="other")
    assert (await other.say("I like juice.")).startswith("I have noted that.")
    assert "I note nothing of this" in await talk.say("I like coffee.")
    assert (await ask(talk, api.resume_remembering, session="talk")).remembers
    assert await talk.indexed() == ["I like tea.", "I like juice."]


async def test_resuming_a_conversation_also_ends_what_was_said_off_the_record_there():
    talk = Talk()
    await talk.say("off the record from now on", "I hate my boss.")
    assert (await ask(talk, api.read_remembering, session="talk")).stopped_for == "session"
    assert (await ask(talk, api.resume_remembering, session="talk")).remembers
    await talk.say("I like tea.")
    assert await talk.indexed() == ["I like tea."]


async def test_who_says_back_on_the_record_is_remembered_again():
    talk = Talk()
    await ask(talk, api.stop_remembering)
    await talk.say("I like coffee.", "back on the record", "I like tea.")
    assert (await ask(talk, api.read_remembering)).remembers
    assert await talk.indexed() == ["I like tea."]


async def test_a_form_sent_twice_stops_once_and_does_not_stop_again_what_was_resumed():
    talk = Talk()
    await ask(talk, api.stop_remembering, once="k", minutes=5)
    await ask(talk, api.stop_remembering, once="k", minutes=5)
    assert len(await talk.memory.pauses.list_current(me("ann"))) == 1
    await ask(talk, api.resume_remembering)
    assert (await ask(talk, api.stop_remembering, once="k", minutes=5)).remembers


async def test_the_last_word_on_how_long_counts():
    talk = Talk()
    await ask(talk, api.stop_remembering)
    until = (await ask(talk, api.stop_remembering, minutes=60)).until
    assert timedelta(minutes=59) < until - datetime.now(UTC) <= timedelta(minutes=60)
    assert (await ask(talk, api.stop_remembering)).until is None
    assert len(await talk.memory.pauses.list_current(me("ann"))) == 1


async def test_nobody_else_is_touched():
    talk = Talk()
    await ask(talk, api.stop_remembering)
    assert (await ask(talk, api.read_remembering, who="bob")).remembers
    await ask(talk, api.resume_remembering, who="bob")
    assert not (await ask(talk, api.read_remembering)).remembers


@pytest.mark.parametrize("wrong", [{"minutes": 0}, {"minutes": 10**9}, {"session": ""}, {"for": "ever"}])
async def test_what_cannot_be_meant_stops_nothing(wrong: dict[str, Any]):
    talk = Talk()
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        await ask(talk, api.stop_remembering, **wrong)
    assert (await ask(talk, api.read_remembering)).remembers


async def test_no_program_writes_meanwhile_and_the_person_may():
    talk = Talk()
    await ask(talk, api.stop_remembering)
    asked: list[tuple[AnyEndpoint, Door, dict[str, str]]] = [
        (new_memories.create_memory, "api", {}),
        (new_memories.upsert_memory, "api", {"key": "k"}),
        (client_tools.remember, "mcp", {}),
    ]
    for endpoint, door, more in asked:
        with pytest.raises(BrainError, match="stopped remembering"):
            await ask(talk, endpoint, door=door, text="Ann likes coffee.", **more)
    assert await talk.living() == []
    await ask(talk, new_memories.create_memory, text="I like tea.", confirmed=True)
    assert [each.content for each in await talk.living()] == ["I like tea."]


async def test_a_model_writes_nothing_by_its_tools_and_is_told():
    calls = [("memory_append", {"text": "I like coffee."}), ("end", {"new_info": "likes coffee", "force": True})]
    asked = [AIMessage("", tool_calls=[{"name": n, "args": a, "id": n, "type": "tool_call"}]) for n, a in calls]
    model = FakeModel(replies=[*asked, AIMessage("Fine.")], forms_by=FILL)
    talk = Talk(chat=model)
    await ask(talk, api.stop_remembering)
    await talk.say("I like coffee.")
    assert await remembered(talk) == ([], [])
    assert "Nothing that is said now is remembered" in str(model.asked)


async def test_a_turn_handed_over_later_is_judged_by_when_it_was_said():
    talk = Talk()
    session = session_id_of(me("ann"), "elsewhere")
    await ask(talk, api.stop_remembering)
    (pause,) = await talk.memory.pauses.list_current(me("ann"))
    await ask(talk, api.resume_remembering)
    for text, at in (("I like coffee.", pause.since), ("I like tea.", pause.since - timedelta(hours=1))):
        said = {"user_message": text, "assistant_message": "I see.", "session": "elsewhere"}
        await ask(talk, turns.capture_turn, door="api", said_at=at, **said)
    assert [each for each in await talk.indexed() if "like" in each] == ["I like tea."]
    assert not await talk.memory.pauses.covers(me("ann"), session, pause.since - timedelta(seconds=1))
