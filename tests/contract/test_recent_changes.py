"""What can be taken back: what went within a day by the database's clock, and was not changed again since."""

from collections.abc import Callable
from uuid import uuid4

from memory.memory_item import ASKED_FOR, Author
from memory.ports import MemoryCore
from memory.scope import Scope
from tests.contract.builders import a_draft, at, by_ann

LIVES = {"predicate": "lives_in", "slot": "user|lives_in", "single_valued": True, "item_type": "fact"}


async def test_what_is_forgotten_corrected_and_superseded_can_be_taken_back_the_newest_first(
    memory: MemoryCore, scope: Scope
):
    items = memory.items
    tea = (await items.write(scope, a_draft(), by_ann("k1"))).memory_id
    cello = (await items.write(scope, a_draft("the cello"), by_ann("k2"))).memory_id
    ghent = (await items.write(scope, a_draft("Ghent", content="I live in Ghent.", **LIVES), by_ann("k3"))).memory_id
    await items.forget(scope, tea, by_ann("k4"))
    await items.correct(scope, cello, "The user likes the viola", by_ann("k5"))
    await items.write(scope, a_draft("Rome", content="I live in Rome.", observed_at=at(5), **LIVES), by_ann("k6"))
    found = await items.recent_changes(scope)
    assert [(each.memory_id, each.change, each.before) for each in found] == [
        (ghent, "supersede", "I live in Ghent."),
        (cello, "correct", "The user likes the cello"),
        (tea, "forget", "The user likes green tea"),
    ]
    assert [each.trace_id for each in found] == ["k6", "k5", "k4"]
    assert [each.version for each in found] == [2, 2, 2]


async def test_what_was_restored_or_changed_again_is_no_longer_taken_back(memory: MemoryCore, scope: Scope):
    tea = (await memory.items.write(scope, a_draft(), by_ann("k1"))).memory_id
    await memory.items.correct(scope, tea, "The user likes tea", by_ann("k2"))
    await memory.items.forget(scope, tea, by_ann("k3"))
    assert [each.change for each in await memory.items.recent_changes(scope)] == ["forget"]
    await memory.items.restore(scope, tea, 2, by_ann("k4"))
    assert await memory.items.recent_changes(scope) == []


async def test_what_was_only_noted_counts_where_the_person_asked_for_it(memory: MemoryCore, scope: Scope):
    asked = Author(operator="user", reason=ASKED_FOR, idempotency_key="k1", at=at())
    await memory.items.write(scope, a_draft(), asked)
    await memory.items.write(scope, a_draft("plums"), by_ann("k2"))
    (found,) = await memory.items.recent_changes(scope)
    assert (found.change, found.before, found.after) == ("create", "", "The user likes green tea")


async def test_nobody_elses_changes_are_listed(memory: MemoryCore, make_scope: Callable[..., Scope]):
    ann, bob = make_scope(), make_scope(user_id=uuid4())
    tea = (await memory.items.write(ann, a_draft(), by_ann("k1"))).memory_id
    await memory.items.forget(ann, tea, by_ann("k2"))
    assert len(await memory.items.recent_changes(ann)) == 1
    assert await memory.items.recent_changes(bob) == []
