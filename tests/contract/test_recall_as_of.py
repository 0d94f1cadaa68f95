"""What was believed at an earlier moment, whatever was corrected, forgotten or restored since."""

from brain.recall import RecallRequest, query_of
from memory.ports import MemoryCore
from memory.scope import Scope
from tests.contract.builders import a_draft, at, by_ann

HOME = {"slot": "user|lives_in", "single_valued": True, "category": "home"}


async def texts(memory: MemoryCore, scope: Scope, as_of: float | None = None) -> list[str]:
    moment = None if as_of is None else at(as_of)
    query = query_of(RecallRequest(text="Where does the user live?", at=at(60), as_of=moment))
    return [each.text for each in (await memory.index.candidates(scope, query)).candidates]


async def test_a_correction_is_not_known_before_it_was_made(recalling: MemoryCore, scope: Scope):
    memory = recalling
    held = await memory.items.write(scope, a_draft("Paris", content="The user lives in Paris", **HOME), by_ann("k1"))
    await memory.items.correct(scope, held.memory_id, "The user lives in Ghent", by_ann("k2", minutes=30))
    assert await texts(memory, scope) == ["The user lives in Ghent"]
    assert await texts(memory, scope, as_of=10) == ["The user lives in Paris"]
    assert await texts(memory, scope, as_of=30) == ["The user lives in Ghent"]


async def test_what_was_forgotten_is_in_no_reading(recalling: MemoryCore, scope: Scope):
    memory = recalling
    held = await memory.items.write(scope, a_draft("Paris", content="The user lives in Paris", **HOME), by_ann("k1"))
    await memory.items.forget(scope, held.memory_id, by_ann("k2", minutes=30))
    assert await texts(memory, scope, as_of=10) == []


async def test_what_was_restored_was_away_in_between(recalling: MemoryCore, scope: Scope):
    memory = recalling
    held = await memory.items.write(scope, a_draft("Paris", content="The user lives in Paris", **HOME), by_ann("k1"))
    await memory.items.forget(scope, held.memory_id, by_ann("k2", minutes=20))
    await memory.items.restore(scope, held.memory_id, 1, by_ann("k3", minutes=40))
    assert await texts(memory, scope) == ["The user lives in Paris"]
    assert await texts(memory, scope, as_of=30) == []
    assert await texts(memory, scope, as_of=10) == ["The user lives in Paris"]
