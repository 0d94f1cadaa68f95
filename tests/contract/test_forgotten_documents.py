"""What is forgotten leaves the documents too."""

from dataclasses import replace
from uuid import UUID, uuid4

from brain.recall import RecallRequest, query_of
from memory.documents.document import DocumentDraft, digest, memory_mark
from memory.documents.port import NoteEntry
from memory.ports import MemoryCore
from memory.recall.policies.registry import find_policy, rank
from memory.recall.query import Filters
from memory.scope import Scope
from tests.contract.builders import a_draft, a_turn, at, by_ann, cited, said


def a_profile(body: str, **front: object) -> DocumentDraft:
    return DocumentDraft(kind="user_profile", name="profile", body=body, front=front)


def an_entry(key: str, text: str, **more: object) -> NoteEntry:
    return NoteEntry(**({"key": key, "text": text, "at": at(), "source": "summary"} | more))  # type: ignore[arg-type]


async def found(memory: MemoryCore, scope: Scope, question: str) -> list[str]:
    ask = RecallRequest(text=question, at=at(60), filters=Filters(lanes=("document",)))
    passed = await memory.index.candidates(scope, query_of(ask))
    return [each.candidate.text for each in rank([passed], find_policy())]


async def told_of_oysters(memory: MemoryCore, scope: Scope) -> UUID:
    """A memory with a line in the profile, an entry in the daily note, and a line of MEMORY drawn from that."""
    turn = said("I adore oysters")
    await memory.log.capture(scope, a_turn(turn))
    draft = a_draft("oysters", citations=(cited(turn, "I adore oysters"),))
    memory_id = (await memory.items.write(scope, draft, by_ann("k1"))).memory_id
    entries = [an_entry("e1", "Ann adores oysters.", cites=(turn.event_id,)), an_entry("e2", "Bob called.")]
    await memory.documents.append_note(scope, entries, by_ann("k2"))
    lines = (
        f"# Ann\n\n- Likes oysters {memory_mark(memory_id)}\n- Has a cat {memory_mark(uuid4())}\n\nBy hand: oysters.\n"
    )
    await memory.documents.save(scope, a_profile(lines, name="oysters"), 0, by_ann("k3"))
    await memory.documents.save(scope, a_profile(lines + "\nMore.\n", name="oysters"), 1, by_ann("k4"))
    curated = "- Ann adores oysters. <!-- 2026-03-01/abc -->\n- Ann runs. <!-- 2026-03-01/def -->\n"
    await memory.documents.save(scope, DocumentDraft(kind="memory", name="MEMORY", body=curated), 0, by_ann("k5"))
    return memory_id


async def test_what_is_forgotten_leaves_every_document_and_its_kept_versions_at_once(memory: MemoryCore, scope: Scope):
    await memory.items.forget(scope, await told_of_oysters(memory, scope), by_ann("k9", minutes=9))
    documents = {each.name: each for each in await memory.documents.list_documents(scope)}
    assert documents["2026-03-01"].body == "## 12:00 (summary, scope: main)\n\nBob called.\n"
    assert documents["MEMORY"].body == "- Ann runs. <!-- 2026-03-01/def -->\n"
    profile = documents["profile"]
    assert "Likes oysters" not in profile.body
    assert ("Has a cat" in profile.body, "By hand: oysters." in profile.body) == (True, True)
    assert (profile.front["name"], profile.version, profile.updated_at) == ("", 3, at(9))
    assert profile.sha256 == digest(profile.front, profile.body)
    for document in documents.values():
        for version in await memory.documents.history(scope, document.document_id):
            assert "adore" not in version.body
            assert "Likes oysters" not in version.body
            assert version.sha256 == digest(version.front, version.body)
    assert [text for text in await found(memory, scope, "oysters adores likes") if "oysters" in text] == [
        "Ann\n- Has a cat\n\nBy hand: oysters.\n\nMore."
    ]


async def test_a_forgotten_entry_does_not_come_back(memory: MemoryCore, scope: Scope):
    await memory.items.forget(scope, await told_of_oysters(memory, scope), by_ann("k9"))
    again = [an_entry("e1", "Ann adores oysters.")]
    assert await memory.documents.append_note(scope, again, by_ann("k10")) == ["known"]


async def test_a_corrected_memory_leaves_the_profile_until_it_is_told_anew(memory: MemoryCore, scope: Scope):
    memory_id = await told_of_oysters(memory, scope)
    await memory.items.correct(scope, memory_id, "The user likes mussels", by_ann("k9"))
    documents = {each.name: each for each in await memory.documents.list_documents(scope)}
    assert "Likes oysters" not in documents["profile"].body
    assert "Ann adores oysters." in documents["2026-03-01"].body


async def test_forgetting_touches_no_document_of_others(memory: MemoryCore, scope: Scope):
    other = replace(scope, user_id=uuid4())
    memory_id = await told_of_oysters(memory, scope)
    body = f"- Likes oysters {memory_mark(memory_id)}\n"
    theirs = await memory.documents.save(other, a_profile(body), 0, by_ann("k"))
    await memory.items.forget(scope, memory_id, by_ann("k9"))
    assert await memory.documents.get(other, theirs.document_id) == theirs
