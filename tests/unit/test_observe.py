"""The first step behind the conversation: what waits, what explains it, and where it goes from there."""

from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from evolution.observe import choose_path, observe
from evolution.state import EvolutionState
from memory.log import Outcome
from memory.receipts import Receipt
from tests.contract.builders import a_draft, an_injection, at, cited
from tests.fakes import FakeModel
from tests.this_test import me
from tests.unit.analysis_builders import a_said, turns
from tests.unit.evolution_builders import SESSION, Talk, said_of

pytestmark = pytest.mark.usefixtures("memory")


EMPTY = EvolutionState(session_id=str(SESSION.session_id))


async def test_observe_brings_what_waits_with_the_turns_before_and_what_was_recalled_for_it():
    talk = Talk()
    before = await talk.say("Hello there.")
    await talk.memory.log.finish(me(), {before.operation_id: Outcome(status="nothing")}, at())
    shown = an_injection(uuid4())
    turn = await talk.say("I like tea.", receipts=(replace(shown, details={**shown.details, "text": "Ann likes tea"}),))
    assert await observe(EMPTY, talk.run) == {
        "session_id": EMPTY.session_id,
        "operations": [str(turn.operation_id)],
        "said": [said_of(await talk.event(1), turn)],
        "before": [{**said_of(await talk.event(0), before), "operation_id": ""}],
        "recalled": {str(turn.operation_id): ["Ann likes tea"]},
        "known": [],
        "drawn": [],
        "unlike": [],
        "more": False,
        "without_model": "",
    }


def asked(*models: str) -> Receipt:
    """The receipt of a turn that asked these models."""
    return Receipt(receipt_id=uuid4(), receipt_type="retrieval", details={"tokens": [{"model": m} for m in models]})


@pytest.mark.parametrize(
    ("theirs", "ours", "unlike"),
    [
        (("gpt-4.1",), None, True),
        ((), "llama3.1", True),
        (("gpt-4.1",), "llama3.1", True),
        (("gpt-4.1", "gpt-4.1-mini"), "gpt-4.1-mini", False),
        ((), None, False),
    ],
)
async def test_observe_tells_conversations_that_had_other_models(
    theirs: tuple[str, ...], ours: str | None, unlike: bool
):
    talk = Talk(model=FakeModel(name=ours) if ours else None)
    turn = await talk.say("I like tea.", receipts=(asked(*theirs),))
    found = await observe(EMPTY, talk.run)
    assert found["unlike"] == ([str(turn.operation_id)] if unlike else [])


async def test_observe_finds_nothing_where_nothing_waits():
    assert await observe(EMPTY, Talk().run) == {
        "session_id": EMPTY.session_id,
        "operations": [],
        "said": [],
        "before": [],
        "recalled": {},
        "known": [],
        "drawn": [],
        "unlike": [],
        "more": False,
        "without_model": "",
    }


async def test_observe_brings_what_the_turns_left_before():
    talk = Talk()
    turn = await talk.say("I like green tea.")
    event = turn.utterances[0]
    await talk.knows(a_draft("green tea", citations=(cited(event, "green tea"),)))
    (item,) = await talk.memory.items.list_newest(me())
    (drawn,) = (await observe(EMPTY, talk.run))["drawn"]
    assert drawn == {
        "memory_id": str(item.memory_id),
        "item_type": "preference",
        "content": "The user likes green tea",
        "category": "drink",
        "epistemic_type": None,
        "event_id": str(event.event_id),
        "start": 7,
        "end": 16,
        "subject": "user",
        "predicate": "likes",
        "object": "green tea",
        "negated": False,
        "slot": "user|likes",
    }


async def known_for(text: str, model: FakeModel | None) -> Any:
    talk = Talk(model=model)
    await talk.knows(a_draft("green tea"))
    await talk.knows(a_draft("a bicycle", content="The user owns a bicycle", slot="user|owns"))
    await talk.say(text)
    return [(each["content"], each["slot"]) for each in (await observe(EMPTY, talk.run))["known"]]


async def test_a_model_is_shown_the_memories_that_bear_on_what_was_said():
    assert (await known_for("I drink green tea every day.", FakeModel()))[0] == (
        "The user likes green tea",
        "user|likes",
    )


async def test_rules_look_memories_up_only_for_what_is_taken_back():
    assert await known_for("I drink green tea every day.", None) == []
    assert (await known_for("Not green tea, but oolong.", None))[0][0] == "The user likes green tea"


async def test_small_talk_looks_nothing_up():
    assert await known_for("Thanks, that is great!", FakeModel()) == []


@pytest.mark.parametrize(
    ("said", "where"),
    [
        (turns("I like tea."), "analyze"),
        (turns("Hi!", "Actually I moved to Lyon, not Paris."), "correct"),
        (turns("不是运动风，我现在喜欢简约的"), "correct"),
        (turns("Thanks a lot!"), "write"),
        ([], "write"),
        ([a_said("I moved to Lyon, not Paris.", role="assistant", speaker="assistant")], "write"),
    ],
)
def test_where_it_goes_from_there(said: Any, where: str):
    assert choose_path(EvolutionState(session_id="s", said=said)) == where
