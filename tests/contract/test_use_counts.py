"""How often memories are used."""

from memory.ports import MemoryCore
from memory.scope import Scope
from tests.contract.builders import a_draft, by_ann
from tests.contract.upkeep_builders import used


async def test_the_memories_that_were_used_most_are_told_with_their_count(memory: MemoryCore, scope: Scope):
    written = [(await memory.items.write(scope, a_draft(name), by_ann(name))).memory_id for name in ("a", "b", "c")]
    await used(memory, scope, written[0], "affirm")
    await used(memory, scope, written[1], "affirm", "none")
    assert await memory.index.most_used(scope, 9) == {written[1]: 2, written[0]: 1}
    assert list(await memory.index.most_used(scope, 1)) == [written[1]]
