"""Long lists come page by page, and none of their rows twice."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar
from uuid import uuid4

from memory.documents.document import DocumentDraft
from memory.paging import Cursor
from memory.ports import MemoryCore
from memory.receipts import Receipt
from memory.scope import Scope
from tests.contract.builders import a_draft, a_turn, by_ann, said

T = TypeVar("T")
C = TypeVar("C")


async def pages(read: Callable[[C | None], Awaitable[Sequence[T]]], cursor_of: Callable[[T], C]) -> list[T]:
    """All rows, as somebody reads them who goes on behind the last one each time."""
    rows: list[T] = []
    while found := await read(cursor_of(rows[-1]) if rows else None):
        rows += found
    return rows


async def test_memories_come_in_pages(memory: MemoryCore, scope: Scope):
    for number in range(5):  # two of them in the same minute
        await memory.items.write(scope, a_draft(f"tea {number}"), by_ann(f"w{number}", minutes=number // 2))
    whole = await memory.items.list_newest(scope)
    found = await pages(
        lambda after: memory.items.list_newest(scope, limit=2, after=after),
        lambda item: Cursor(item.updated_at, item.memory_id),
    )
    assert found == whole
    assert len(found) == 5
    await memory.items.write(scope, a_draft("coffee"), by_ann("later", minutes=9))
    behind = Cursor(whole[1].updated_at, whole[1].memory_id)
    assert await memory.items.list_newest(scope, after=behind) == whole[2:]


async def test_sessions_turns_and_receipts_come_in_pages(memory: MemoryCore, scope: Scope):
    for number in range(5):
        receipt = Receipt(receipt_id=uuid4(), receipt_type="retrieval", details={"policy": "p"})
        await memory.log.capture(scope, a_turn(said(f"turn {number}", minutes=number // 2), receipts=(receipt,)))
    sessions = await pages(
        lambda after: memory.sessions.list_newest(scope, 2, after), lambda s: Cursor(s.last_at, s.session_id)
    )
    operations = await pages(
        lambda after: memory.log.list_operations(scope, 2, after), lambda o: Cursor(o.created_at, o.operation_id)
    )
    receipts = await pages(
        lambda after: memory.log.list_turn_receipts(scope, 2, after), lambda r: Cursor(r.created_at, r.receipt_id)
    )
    assert sessions == await memory.sessions.list_newest(scope)
    assert operations == await memory.log.list_operations(scope)
    assert receipts == await memory.log.list_turn_receipts(scope)
    assert {each.operation_id for each in receipts} == {each.operation_id for each in operations}
    assert len(sessions) == len(operations) == len(receipts) == 5
    stranger = Scope(tenant_id=scope.tenant_id, user_id=uuid4())
    assert await memory.log.list_operations(stranger) == []
    assert await memory.log.list_turn_receipts(stranger) == []


async def test_documents_come_in_pages(memory: MemoryCore, scope: Scope):
    days = ("2026-03-01", "2026-03-02", "2026-03-03")
    drafts = [DocumentDraft(kind="daily_note", name=day, body="Note.") for day in days]
    for draft in (*drafts, DocumentDraft(kind="memory", name="MEMORY", body="Tea.")):
        await memory.documents.save(scope, draft, 0, by_ann(draft.name))
    found = await pages(
        lambda after: memory.documents.list_documents(scope, limit=2, after=after), lambda d: (d.kind, d.name)
    )
    assert [each.name for each in found] == [*reversed(days), "MEMORY"]
