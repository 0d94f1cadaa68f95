"""What comes back is no news: recalled memories, turns that are read again, and text that gives orders."""

from typing import Any
from uuid import uuid4

import pytest

from memory.memory_item import MemoryItem
from memory.receipts import Receipt
from tests.contract.builders import said
from tests.integration.model_stories import Story, note, noting

LIKES = {"type": "preference", "predicate": "likes", "object": "coffee", "epistemic_type": "preference"}
COFFEE = note("I like coffee", "The user likes coffee.", **LIKES)


def shown(item: MemoryItem) -> Receipt:
    """The memory stood in the prompt of a turn."""
    details = {"context_position": 0, "text": item.content, "candidate_score": 0.9}
    return Receipt(receipt_id=uuid4(), receipt_type="injection", details=details, memory_id=item.memory_id, lane="fact")


async def known_coffee(story: Story) -> MemoryItem:
    await story.says("I like coffee.")
    await story.works(noting(COFFEE))
    (item,) = await story.remembered()
    return item


ECHOES: list[tuple[str, str, dict[str, Any]]] = [
    ("Right, I like coffee, as you say.", "I like coffee", {}),
    (
        "Yes, I do enjoy my coffee.",
        "I do enjoy my coffee",
        {"predicate": "enjoys", "content": "The user enjoys coffee."},
    ),
    ("The user likes coffee: that is what I told you.", "The user likes coffee", {}),
    ("Sure, coffee is my thing.", "coffee is my thing", {"predicate": "is_into", "related_memory": "k1"}),
]


@pytest.mark.parametrize(("reply", "quote", "told"), ECHOES, ids=["same words", "other words", "quoted", "named"])
async def test_a_memory_that_stood_in_the_prompt_gains_nothing_by_being_repeated(
    story: Story, reply: str, quote: str, told: dict[str, Any]
):
    coffee = await known_coffee(story)
    spoken = said("You like coffee, don't you?", role="assistant", speaker="assistant", minutes=1)
    await story.captured(said(reply, minutes=2), spoken, receipts=(shown(coffee),))
    await story.works(noting({**COFFEE, "quote": quote, **told}))
    assert await story.remembered(ever=True) == [coffee]
    assert (await story.ended())[-1].reason == "left out: echo"


AGAIN = [
    note("I moved to Lyon", "The user lives in Lyon, France.", object="Lyon, France"),
    note("I moved to Lyon", "The user's home is in Lyon.", predicate="home_city"),
    note("moved to Lyon", "The user lives in Lyon.", predicate="resides"),
]


@pytest.mark.parametrize("again", AGAIN, ids=["finer", "other predicate", "synonym"])
async def test_a_turn_that_is_read_again_in_other_words_leaves_what_it_left(story: Story, again: dict[str, Any]):
    await story.says("I moved to Lyon in May.")
    await story.works(noting(note("I moved to Lyon", "The user lives in Lyon.")))
    before, (ended,) = await story.remembered(ever=True), await story.ended()
    await story.said_again()
    await story.works(noting(again))
    assert await story.remembered(ever=True) == before
    assert (await story.ended())[0].memory_ids == ended.memory_ids
