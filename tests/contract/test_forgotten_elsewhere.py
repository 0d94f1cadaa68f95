"""What is forgotten is out of sight wherever else it was said."""

from uuid import UUID

from brain.recall import RecallRequest, query_of
from memory.documents.document import DocumentDraft, memory_mark
from memory.documents.port import NoteEntry
from memory.ports import MemoryCore
from memory.scope import Scope
from memory.turns import SessionRef, Utterance
from tests.contract.builders import a_draft, a_session, a_turn, an_injection, at, by_ann, cited, said
from tests.contract.test_sessions import a_block

BOTH = "My name is Zedrik. I live in Qaqortoq."
REPLY = "Qaqortoq is lovely in May."


async def told(
    memory: MemoryCore, scope: Scope, *replies: str, session: SessionRef | None = None
) -> tuple[SessionRef, Utterance, dict[str, UUID]]:
    """A turn that says two things, both remembered, and what was answered."""
    session, turn = session or a_session(), said(BOTH)
    answers = (said(text, role="assistant", speaker="assistant", minutes=1) for text in replies)
    await memory.log.capture(scope, a_turn(turn, *answers, session=session))
    ids: dict[str, UUID] = {}
    for slot, words in (("user|name", "Zedrik"), ("user|lives_in", "Qaqortoq")):
        draft = a_draft(words, content=f"It is {words}", slot=slot, citations=(cited(turn, words),))
        ids[words] = (await memory.items.write(scope, draft, by_ann(words))).memory_id
    return session, turn, ids


async def heard(memory: MemoryCore, scope: Scope, words: str = "Qaqortoq") -> list[str]:
    """Everything that recall may show and that holds the words."""
    found = await memory.index.candidates(scope, query_of(RecallRequest(text=f"{words} Zedrik lovely May", at=at(60))))
    return sorted(each.text for each in found.candidates if words in each.text and each.active)


async def quotable(memory: MemoryCore, scope: Scope, session: SessionRef) -> list[bool]:
    tail = await memory.sessions.tail(scope, session.session_id, 10)
    assert tail is not None
    return [each.quotable for each in tail.events]


async def test_a_turn_that_says_something_else_as_well_is_not_read_any_more(memory: MemoryCore, scope: Scope):
    session, _, ids = await told(memory, scope)
    await memory.items.forget(scope, ids["Qaqortoq"], by_ann("f"))
    assert await heard(memory, scope) == []
    assert await heard(memory, scope, "Zedrik") == ["It is Zedrik"]
    assert await quotable(memory, scope, session) == [False]
    await memory.index.rebuild(scope)
    assert await heard(memory, scope) == []


async def test_a_reply_that_repeats_it_is_not_read_any_more(memory: MemoryCore, scope: Scope):
    session, _, ids = await told(memory, scope, REPLY, "Tell me more.")
    await memory.items.forget(scope, ids["Qaqortoq"], by_ann("f"))
    assert await heard(memory, scope) == []
    assert await quotable(memory, scope, session) == [False, False, True]
    await memory.index.rebuild(scope)
    assert await heard(memory, scope) == []


async def test_a_reply_elsewhere_that_had_it_in_its_prompt_is_not_read_any_more(memory: MemoryCore, scope: Scope):
    _, _, ids = await told(memory, scope)
    later = a_session("later")
    reply = said(REPLY, role="assistant", speaker="assistant", minutes=9)
    turn = a_turn(said("Where to?"), reply, session=later, receipts=(an_injection(ids["Qaqortoq"]),))
    await memory.log.capture(scope, turn)
    await memory.items.forget(scope, ids["Qaqortoq"], by_ann("f"))
    assert await heard(memory, scope) == []
    assert await quotable(memory, scope, later) == [True, False]


async def test_a_reply_that_knew_it_from_elsewhere_stays(memory: MemoryCore, scope: Scope):
    _, _, ids = await told(memory, scope)
    await memory.log.capture(scope, a_turn(said(REPLY, role="assistant", speaker="assistant")))
    await memory.items.forget(scope, ids["Qaqortoq"], by_ann("f"))
    assert await heard(memory, scope) == [REPLY]


async def test_what_a_living_memory_still_says_stays_readable(memory: MemoryCore, scope: Scope):
    session, turn, ids = await told(memory, scope, REPLY)
    draft = a_draft("a house in Qaqortoq", content="They own a house in Qaqortoq", citations=(cited(turn, "Qaqortoq"),))
    await memory.items.write(scope, draft, by_ann("house"))
    await memory.items.forget(scope, ids["Qaqortoq"], by_ann("f"))
    assert await heard(memory, scope) == [BOTH, REPLY, "They own a house in Qaqortoq"]
    assert await quotable(memory, scope, session) == [True, True]


async def test_restoring_brings_turn_and_reply_back(memory: MemoryCore, scope: Scope):
    session, _, ids = await told(memory, scope, REPLY)
    await memory.items.forget(scope, ids["Qaqortoq"], by_ann("f"))
    await memory.items.restore(scope, ids["Qaqortoq"], 1, by_ann("r"))
    assert await heard(memory, scope) == ["It is Qaqortoq", BOTH, REPLY]
    assert await quotable(memory, scope, session) == [True, True]


async def test_blocks_that_rest_on_such_a_turn_or_reply_wait_to_be_worded_anew(memory: MemoryCore, scope: Scope):
    session, turn, ids = await told(memory, scope, REPLY)
    tail = await memory.sessions.tail(scope, session.session_id, 10)
    assert tail is not None
    first = a_block(session, 0, (0, 0), turn.event_id, text="Lives in Qaqortoq")
    second = a_block(session, 1, (1, 1), tail.events[1].event_id, text="Qaqortoq is lovely")
    for block in (first, second):
        assert await memory.sessions.save_summary(scope, block, at())
    await memory.items.forget(scope, ids["Qaqortoq"], by_ann("f"))
    blocks = await memory.sessions.summaries(scope, session.session_id)
    assert [(each.text, each.withdrawn) for each in blocks] == [("", True), ("", True)]


async def test_a_block_worded_before_and_kept_after_waits_to_be_worded_anew(memory: MemoryCore, scope: Scope):
    session, turn, ids = await told(memory, scope)
    await memory.items.forget(scope, ids["Qaqortoq"], by_ann("f"))
    late = a_block(session, 0, (0, 0), turn.event_id, text="Lives in Qaqortoq")
    assert await memory.sessions.save_summary(scope, late, at())
    assert not await memory.sessions.reword(scope, late)
    (kept,) = await memory.sessions.summaries(scope, session.session_id)
    assert (kept.text, kept.sources, kept.withdrawn) == ("", (), True)
    assert await heard(memory, scope) == []


async def test_of_a_turn_that_says_more_only_the_forgotten_entry_leaves_the_note(memory: MemoryCore, scope: Scope):
    _, turn, ids = await told(memory, scope)
    notes = [
        NoteEntry(key=f"e{n}", text=text, at=at(), source="fact", cites=(turn.event_id,))
        for n, text in enumerate(("It is Zedrik.", "They live in QAQORTOQ."))
    ]
    await memory.documents.append_note(scope, notes, by_ann("n"))
    await memory.items.forget(scope, ids["Qaqortoq"], by_ann("f"))
    (note,) = await memory.documents.list_documents(scope)
    assert "Zedrik" in note.body
    assert "QAQORTOQ" not in note.body


async def test_an_entry_written_after_forgetting_enters_no_note(memory: MemoryCore, scope: Scope):
    _, turn, ids = await told(memory, scope)
    await memory.items.forget(scope, ids["Qaqortoq"], by_ann("f"))
    late = NoteEntry(key="e", text="They live in Qaqortoq.", at=at(), cites=(turn.event_id,))
    assert await memory.documents.append_note(scope, [late], by_ann("n")) == ["known"]
    assert await memory.documents.list_documents(scope) == []


async def test_a_document_written_after_forgetting_is_saved_without_its_lines(memory: MemoryCore, scope: Scope):
    _, _, ids = await told(memory, scope)
    await memory.items.forget(scope, ids["Qaqortoq"], by_ann("f"))
    lines = "".join(f"- It is {words} {memory_mark(each)}\n" for words, each in ids.items())
    draft = DocumentDraft(kind="user_profile", name="profile", body=f"# Ann\n\n{lines}")
    saved = await memory.documents.save(scope, draft, 0, by_ann("d"))
    assert "Zedrik" in saved.body
    assert "Qaqortoq" not in saved.body
    assert not await heard(memory, scope)


async def test_a_block_goes_although_its_turn_says_something_else_as_well(memory: MemoryCore, scope: Scope):
    session, turn, ids = await told(memory, scope)
    block = a_block(session, 0, (0, 0), turn.event_id, text="Zedrik lives in Qaqortoq")
    await memory.sessions.save_summary(scope, block, at())
    await memory.items.forget(scope, ids["Qaqortoq"], by_ann("f"))
    (kept,) = await memory.sessions.summaries(scope, session.session_id)
    assert (kept.text, kept.withdrawn) == ("", True)
