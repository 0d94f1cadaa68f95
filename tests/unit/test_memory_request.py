"""The way that a request to memory takes, step by step and without a database."""

from typing import Any

import pytest

from brain.state import MemoryChange
from evolution.requests.change_run import CARRIED_OUT, OpenQuestion, choices_of
from evolution.requests.change_targets import ChangeTarget
from evolution.requests.keep import switch_record
from evolution.requests.request_state import KnownRequest, RequestState, choose_step, note_others, understand
from graphs.memory_request import graph
from memory.session_state import SessionState
from nodes.change_memory import begin_request
from tests.fakes import FakeModel, Leanings, a_run, a_state

TEA = ChangeTarget(text="I like green tea.", person="", topics={}, memory_ids=(), moments=())
ASKED: OpenQuestion = {"act": "forget", "choices": choices_of([TEA])}


def a_request(text: str, chat: FakeModel | None = None, **carried: Any) -> RequestState:
    """A turn's request before its first step."""
    state = a_state(text, opened=SessionState(carried=carried))
    return begin_request(state, a_run(Leanings(chat=chat)))


async def understood(asked: RequestState) -> RequestState:
    update: dict[str, Any] = dict(await understand(asked))
    return RequestState(run=asked.run, approval=asked.approval, **update)


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("Forget that I like green tea.", "forget"),
        ("忘掉我喜欢绿茶。", "forget"),
        ("That's wrong, I live in Lyon.", "correct"),
        ("Undo that.", "undo"),
        ("Don't write this down: I like plums.", "withhold"),
        ("Remember that I like plums.", "remember"),
        ("Off the record from now on.", "switch_record"),
        ("What a lovely day.", "keep_unchanged"),
    ],
)
async def test_each_request_has_its_step(text: str, step: str):
    assert choose_step(await understood(a_request(text))) == step


async def test_with_a_model_no_rule_forgets_before_it():
    asked = a_request("Forget that I like green tea.", FakeModel())
    assert choose_step(await understood(asked)) == "propose"


async def test_an_answer_comes_before_a_request_and_a_decision_before_both():
    asked = a_request("Yes, the first one.", question=ASKED)
    answered = await understood(asked)
    assert (answered.chosen, answered.request, choose_step(answered)) == ((0,), None, "answer_question")
    decided: Any = {"decisions": [{"type": "approve"}]}
    waiting = RequestState(run=asked.run, approval=decided)
    assert (await understood(waiting)).chosen is None
    assert choose_step(waiting) == "carry_out_decision"


async def test_off_the_record_is_carried_on():
    asked = await understood(a_request("Off the record from now on."))
    assert asked.request
    update: Any = await switch_record(KnownRequest(run=asked.run, request=asked.request))
    assert (update["change"]["outcome"], update["change"]["carried"]) == ("kept", {"off_record": True})


async def test_what_else_a_turn_says_is_noted_where_its_request_was_carried_out():
    text = "Forget that I like green tea. I am allergic to peanuts."
    asked = await understood(a_request(text))

    async def notes(settled: str) -> Any:
        change: MemoryChange = {**asked.run.conclude("forget", "done"), "settled": settled}
        update: Any = await note_others(RequestState(run=asked.run, request=asked.request, change=change))
        return update.get("change", {}).get("notes")

    assert (await notes(CARRIED_OUT), await notes("")) == ([text.index("I am")], None)


def test_its_steps_are_checkpointed_nowhere():
    assert graph.checkpointer is False  # pyright: ignore[reportUnknownMemberType]
    assert {"understand", "forget", "correct", "undo", "note_others"} <= set(graph.nodes)
