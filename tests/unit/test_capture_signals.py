"""What a turn leaves behind."""

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage

from brain.state import AssembledPrompt, OpenTurn, ToolOutcome
from memory.ports import MemoryCore
from memory.receipts import InjectedMemory
from memory.scope import Scope, session_id_of
from memory.session_state import SessionState
from nodes.capture_signals import capture_signals
from tests.contract.builders import a_new_turn, a_session
from tests.fakes import NOW, Leanings, a_memory, a_run, a_settings, a_state, a_turn_info
from tests.this_test import me, own_memory

pytestmark = pytest.mark.usefixtures("memory")


PROMPT = AssembledPrompt(system="", history=(), context="", user_text="", allocation={"personal_context": 500})
OPERATION = UUID(int=7)


def session_id() -> UUID:
    return session_id_of(me(), "t1")


def answered(**values: Any) -> OpenTurn:
    messages = [HumanMessage("What do I like?", id="m1"), AIMessage("You told me that you like green tea.", id="m2")]
    known: dict[str, Any] = {
        "messages": messages,
        "prompt": PROMPT,
        "retrieval": {"policy": "blend@4", "candidates": []},
    }
    return a_state(**(known | values))


async def captured(state: OpenTurn, memory: MemoryCore | None = None) -> tuple[MemoryCore, dict[str, Any]]:
    """The end of a turn that was accepted; a memory that is given has it already."""
    core = memory or own_memory()
    if memory is None:
        session = replace(a_session("t1"), session_id=session_id())
        await core.log.accept(me(), replace(a_new_turn("What do I like?", session), operation_id=OPERATION), 10)
    return core, await capture_signals(state, a_run(Leanings(memory=core)))


async def test_the_reply_follows_the_words_that_were_accepted():
    memory, _ = await captured(answered())
    events = await memory.log.turn(me(), OPERATION)
    assert [(event.role, event.speaker, event.text) for event in events] == [
        ("user", "user", "What do I like?"),
        ("assistant", "assistant", "You told me that you like green tea."),
    ]


async def test_the_same_turn_twice_is_logged_once():
    memory, _ = await captured(answered())
    kept = await memory.log.receipts(me(), OPERATION)
    _, update = await captured(answered(), memory)
    assert len((await memory.log.open(me(), session_id(), 10)).window) == 2
    assert await memory.log.receipts(me(), OPERATION) == kept
    assert update["receipts"] == [str(each.receipt_id) for each in kept]


async def test_a_turn_that_was_taken_back_gets_no_reply():
    memory, _ = await captured(answered(), own_memory())
    assert await memory.log.turn(me(), OPERATION) == []
    assert await memory.log.receipts(me(), OPERATION) == []


async def test_a_reply_that_broke_off_says_so_and_is_evidence():
    cut = AIMessage("You told me that", id="m2", response_metadata={"finish_reason": "interrupted"})
    said = HumanMessage("What do I like?", id="m1")
    memory, _ = await captured(answered(messages=[said, cut], degraded=["model_interrupted"]))
    events = await memory.log.turn(me(), OPERATION)
    assert [event.broken_off for event in events] == [False, True]
    assert {row.text for row in await memory.index.rows_without_vector(me(), "none", 10)} == {
        each.text for each in events
    }


async def test_a_reply_made_from_memory_alone_is_not_evidence():
    memory, _ = await captured(answered(degraded=["model_not_configured"]))
    rows = await memory.index.rows_without_vector(me(), "none", 10)
    assert [row.text for row in rows] == ["What do I like?"]


async def test_every_memory_gets_a_receipt_with_the_five_reasons():
    used = a_memory("I like green tea", position=0)
    dropped = a_memory("It rains", memory_id=str(uuid4()), decision_reason="budget_exceeded")
    memory, update = await captured(answered(memories=[used], rejected=[dropped]))
    retrieval, first, second = await memory.log.receipts(me(), OPERATION)
    five = ("candidate_score", "decision_reason", "policy_version", "guardrail_hit", "context_position")
    assert retrieval.receipt_type == "retrieval"
    assert [first.details[name] for name in five] == [0.9, "relevance", "blend@4", {"hit": False, "rule": None}, 0]
    assert (first.utilized, first.utilization_signal) == (True, "reference_phrase")
    assert (second.details["context_position"], second.utilized) == (None, None)
    assert update["receipts"] == [str(each.receipt_id) for each in (retrieval, first, second)]


async def test_the_receipt_tells_how_tools_ended():
    outcomes = [ToolOutcome(tool="memory_search", ok=False, code="E_DEP_TIMEOUT")]
    memory, _ = await captured(answered(tool_outcomes=outcomes))
    (retrieval,) = await memory.log.receipts(me(), OPERATION)
    assert retrieval.details["tools"] == outcomes


async def test_a_blocked_memory_is_a_guardrail_hit():
    blocked = a_memory("ignore all", decision_reason="blocked", sanitization="blocked")
    memory, _ = await captured(answered(rejected=[blocked]))
    _, receipt = await memory.log.receipts(me(), OPERATION)
    assert receipt.details["guardrail_hit"] == {"hit": True, "rule": "sanitizer"}
    assert receipt.details["sanitization_result"] == "blocked"


async def test_the_users_reaction_goes_to_the_last_injections():
    receipt_id, memory_id = uuid4(), uuid4()
    waiting = InjectedMemory(receipt_id=receipt_id, memory_id=memory_id, lane="fact", text="tea")
    state = answered(opened=SessionState(injected=(waiting,)))
    seen: list[Any] = []

    class Watching:
        async def capture(self, scope: Scope, capture: Any) -> None:
            seen.extend(capture.reactions)

    core = own_memory()
    watched = replace(core, log=Watching())  # type: ignore[arg-type]
    await captured(state, watched)
    assert [(each.receipt_id, each.memory_id) for each in seen] == [(receipt_id, memory_id)]


async def test_the_checkpoint_keeps_ids_and_scores_but_no_memory_text():
    _, update = await captured(answered(memories=[a_memory("secret", position=0)], rejected=[a_memory("other")]))
    assert [(each["text"], each["score"]) for each in (*update["memories"], *update["rejected"])] == [
        ("", 0.9),
        ("", 0.9),
    ]


async def test_old_messages_leave_the_state():
    messages = [HumanMessage(f"q{n}", id=f"m{n}") for n in range(9)] + [AIMessage("a", id="last")]
    run = a_run(Leanings(settings=a_settings(messages_kept=4)))
    update = await capture_signals(answered(messages=messages), run)
    assert update["messages"] == [RemoveMessage(id=f"m{n}") for n in range(6)]


async def test_a_session_that_was_ended_is_archived():
    memory, _ = await captured(answered(ended=True))
    assert not await memory.log.archive(me(), session_id(), NOW)


async def test_a_session_planted_in_the_state_is_not_written_to():
    planted = UUID(int=8)
    memory, _ = await captured(answered(turn=a_turn_info(session_id=str(planted))))
    assert (await memory.log.open(me(), planted, 10)).window == ()
    assert len((await memory.log.open(me(), session_id(), 10)).window) == 2
