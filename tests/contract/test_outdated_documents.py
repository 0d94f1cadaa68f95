"""What ended is marked in every document at the moment it ends, and what came back loses the mark."""

from uuid import uuid4

from memory.documents.document import DocumentDraft, document_id, memory_mark
from memory.documents.port import NoteEntry
from memory.memory_item import MemoryDraft
from memory.ports import MemoryCore
from memory.provenance import DOUBTED
from memory.scope import Scope
from memory.upkeep import UpkeepChange
from tests.contract.builders import a_draft, at, by_ann

NOTE = "2026-03-01"


def home(city: str, minutes: float = 0) -> MemoryDraft:
    return a_draft(
        city,
        content=f"The user lives in {city}",
        predicate="lives_in",
        slot="user|lives_in",
        single_valued=True,
        observed_at=at(minutes),
        valid_at=at(minutes),
    )


async def bodies(memory: MemoryCore, scope: Scope) -> dict[str, str]:
    return {each.name: each.body for each in await memory.documents.list_documents(scope)}


async def test_a_line_says_that_its_memory_is_over_as_soon_as_it_is(memory: MemoryCore, scope: Scope):
    paris = (await memory.items.write(scope, home("Paris"), by_ann("k1"))).memory_id
    line = f"- The user lives in Paris (2026-03-01) {memory_mark(paris)}"
    draft = DocumentDraft(kind="memory", name="MEMORY", body=f"# Mine\n\n{line}\n- And a cat\n")
    await memory.documents.save(scope, draft, 0, by_ann("d1"))
    entry = NoteEntry(key="n", text="I live in Paris", at=at(), source="fact", made_of=paris)
    await memory.documents.append_note(scope, [entry], by_ann("n1"))
    await memory.items.write(scope, home("Lyon", minutes=30), by_ann("k2", minutes=30))
    told = await bodies(memory, scope)
    marked = f"(outdated since 2026-03-01) {memory_mark(paris)}"
    assert told["MEMORY"] == f"# Mine\n\n- The user lives in Paris (2026-03-01) {marked}\n- And a cat\n"
    assert told[NOTE].endswith(f"I live in Paris\n{marked}\n")
    found = await memory.documents.get(scope, document_id(scope, "memory", "MEMORY"))
    assert (found.version, found.author) == (2, "user")
    assert len(await memory.documents.history(scope, found.document_id)) == 1


async def test_what_is_restored_is_told_as_living_again(memory: MemoryCore, scope: Scope):
    paris = (await memory.items.write(scope, home("Paris"), by_ann("k1"))).memory_id
    entry = NoteEntry(key="n", text="I live in Paris", at=at(), source="fact", made_of=paris)
    await memory.documents.append_note(scope, [entry], by_ann("n1"))
    before = await bodies(memory, scope)
    await memory.items.write(scope, home("Lyon", minutes=30), by_ann("k2", minutes=30))
    assert await bodies(memory, scope) != before
    await memory.items.restore(scope, paris, 1, by_ann("k3", minutes=40))
    assert await bodies(memory, scope) == before


async def test_what_only_says_the_same_as_before_marks_nothing(memory: MemoryCore, scope: Scope):
    paris = (await memory.items.write(scope, home("Paris"), by_ann("k1"))).memory_id
    entry = NoteEntry(key="n", text="I live in Paris", at=at(), source="fact", made_of=paris)
    await memory.documents.append_note(scope, [entry], by_ann("n1"))
    before = await bodies(memory, scope)
    await memory.items.write(scope, home("Paris", minutes=30), by_ann("k2", minutes=30))
    assert await bodies(memory, scope) == before


async def test_what_something_newer_leaves_in_doubt_is_marked_until_it_is_heard_again(memory: MemoryCore, scope: Scope):
    paris = (await memory.items.write(scope, home("Paris"), by_ann("k1"))).memory_id
    entry = NoteEntry(key="n", text="I live in Paris", at=at(), source="fact", made_of=paris)
    await memory.documents.append_note(scope, [entry], by_ann("n1"))
    before = await bodies(memory, scope)
    change = UpkeepChange(memory_id=paris, version=1, change="calibrate", provenance={DOUBTED: [str(uuid4())]})
    await memory.upkeep.apply_change(scope, change, by_ann("doubt", minutes=10))
    assert f"(perhaps outdated) {memory_mark(paris)}" in (await bodies(memory, scope))[NOTE]
    await memory.items.confirm(scope, paris, by_ann("k2", minutes=30))
    assert await bodies(memory, scope) == before
