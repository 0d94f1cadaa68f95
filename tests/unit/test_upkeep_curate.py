"""What lasts stands in MEMORY, and a person's own hand in it counts."""

from dataclasses import replace
from datetime import datetime
from uuid import UUID

from brain.prompting.tokens import count_tokens
from brain.state import Update
from evolution.upkeep.curate import curate
from evolution.upkeep.curation import MAX_TOKENS
from memory.documents.document import MEMORY_NAME, PROFILE_NAME, Document, DocumentDraft, document_id, memory_mark
from memory.documents.port import NoteEntry
from memory.memory_item import Author
from memory.ports import MemoryCore
from tests.contract.builders import by_ann
from tests.fakes import NOW
from tests.this_test import me
from tests.unit.upkeep_builders import a_run, a_state, ago, an_old_draft


def memory_document_id() -> UUID:
    return document_id(me(), "memory", MEMORY_NAME)


async def noted(memory: MemoryCore, text: str, days: float, source: str = "fact") -> None:
    entry = NoteEntry(key=f"{text}:{days}", text=text, at=ago(days), source=source)
    await memory.documents.append_note(me(), [entry], by_ann(f"note:{text}:{days}"))


async def vouched(memory: MemoryCore, name: str, days: float = 1, **more: object) -> str:
    draft = an_old_draft(days, name, provenance="confirmed_by_user", confidence=0.9, **more)
    return str((await memory.items.write(me(), draft, by_ann(name))).memory_id)


async def run(memory: MemoryCore, at: datetime = NOW, **more: object) -> Update:
    return await curate(a_state(at=at.isoformat(), **more), a_run(memory))


async def document(memory: MemoryCore) -> Document:
    return await memory.documents.get(me(), memory_document_id())


async def rewritten(memory: MemoryCore, body: str) -> None:
    held = await document(memory)
    draft = DocumentDraft(kind="memory", name=MEMORY_NAME, body=body, front=held.front)
    await memory.documents.save(me(), draft, held.version, by_ann(f"edit:{held.version}"))


async def test_decisions_patterns_and_well_founded_memories_are_kept(memory: MemoryCore):
    await noted(memory, "We go with PostgreSQL", 3, source="decision")
    await noted(memory, "Ann works late", 4)
    await noted(memory, "Ann works late.", 2)
    await noted(memory, "It rained", 2)
    memory_id = await vouched(memory, "green tea")
    await memory.items.write(me(), an_old_draft(1, "jazz"), by_ann("guess"))
    update = await run(memory)
    assert [(each["change"], each["after"], each["outcome"]) for each in update["actions"]] == [
        ("add", "We go with PostgreSQL (2026-02-26)", "done"),
        ("add", "Ann works late (2026-02-25)", "done"),
        ("add", "The user likes green tea (2026-02-28)", "done"),
    ]
    body = (await document(memory)).body
    assert "## Decisions\n\n- We go with PostgreSQL" in body
    assert memory_mark(UUID(memory_id)) in body
    assert "rained" not in body
    assert "jazz" not in body
    assert await run(memory) == {"actions": []}


async def test_what_no_memory_and_no_note_says_any_more_goes(memory: MemoryCore):
    await vouched(memory, "green tea")
    await vouched(memory, "jazz")
    await run(memory)
    (gone, _) = sorted(await memory.items.list_newest(me()), key=lambda item: item.object)
    await memory.items.replace_citations(me(), gone.memory_id, (), by_ann("gone"))
    update = await run(memory)
    assert [(each["change"], each["before"]) for each in update["actions"]] == [
        ("remove", "The user likes green tea (2026-02-28)")
    ]
    assert "green tea" not in (await document(memory)).body


async def test_a_decision_outlives_the_days_that_are_looked_back_on(memory: MemoryCore):
    await noted(memory, "We go with PostgreSQL", 3, source="decision")
    await run(memory)
    assert await run(memory, ago(-60)) == {"actions": []}
    assert "PostgreSQL" in (await document(memory)).body


async def test_an_old_decision_is_not_dug_out(memory: MemoryCore):
    await noted(memory, "We go with Oracle", 30, source="decision")
    assert await run(memory) == {"actions": []}
    assert await memory.documents.find(me(), [memory_document_id()]) == []


async def test_a_persons_own_lines_and_deletions_stand(memory: MemoryCore):
    await vouched(memory, "green tea")
    await vouched(memory, "jazz")
    await run(memory)
    body = (await document(memory)).body
    own = "\n".join(line for line in body.splitlines() if "jazz" not in line)
    await rewritten(memory, own.replace("# Memory", "# Memory\n\nBe brief on Mondays."))
    assert await run(memory) == {"actions": []}
    await vouched(memory, "bees")
    update = await run(memory)
    assert [each["after"] for each in update["actions"]] == ["The user likes bees (2026-02-28)"]
    again = (await document(memory)).body
    assert "Be brief on Mondays." in again
    assert "jazz" not in again
    assert await run(memory) == {"actions": []}


async def test_what_the_profile_shows_is_not_said_twice(memory: MemoryCore):
    await vouched(memory, "green tea")
    (item,) = await memory.items.list_newest(me())
    line = f"- The user likes green tea {memory_mark(item.memory_id)}\n"
    draft = DocumentDraft(kind="user_profile", name=PROFILE_NAME, body=line)
    await memory.documents.save(me(), draft, 0, by_ann("profile"))
    assert await run(memory) == {"actions": []}


async def test_memory_stays_within_its_tokens(memory: MemoryCore):
    for number in range(90):
        await vouched(memory, f"thing {number} " + "very " * 60 + "much")
    await run(memory)
    held = await document(memory)
    assert count_tokens(held.body) > MAX_TOKENS / 2
    without_marks = "\n".join(line.partition(" <!--")[0] for line in held.body.splitlines())
    assert count_tokens(without_marks) <= MAX_TOKENS


async def test_a_dry_run_and_a_lost_race_write_nothing(memory: MemoryCore):
    await vouched(memory, "green tea")
    planned = await run(memory, dry_run=True)
    assert [each["outcome"] for each in planned["actions"]] == ["planned"]
    assert await memory.documents.find(me(), [memory_document_id()]) == []

    class Raced:
        def __getattr__(self, name: str) -> object:
            return getattr(memory.documents, name)

        async def save(self, *asked: object) -> None:
            await memory.documents.save(
                me(),
                DocumentDraft(kind="memory", name=MEMORY_NAME, body="mine"),
                0,
                Author(operator="ann", reason="first", idempotency_key="first", at=NOW),
            )
            await memory.documents.save(*asked)  # type: ignore[arg-type]

    lost = await run(replace(memory, documents=Raced()))  # type: ignore[arg-type]
    assert [each["outcome"] for each in lost["actions"]] == ["passed"]
    assert (await document(memory)).body == "mine\n"
