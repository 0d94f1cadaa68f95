"""What an edited copy of a document asks for."""

from dataclasses import replace
from uuid import UUID

from brain.documents.edits import MemoryEdit, edits_of, own_part, rebase_edits
from brain.documents.profile import BEGIN, END
from memory.documents.document import Document, DocumentDraft, DocumentKind, digest, memory_mark
from tests.fakes import NOW

HOME, NIAMH = UUID(int=1), UUID(int=2)
SECTION = (
    f"{BEGIN}\n## Home\n\n- The user lives in Paris (2026-03-01) {memory_mark(HOME)}\n\n"
    f'## Family\n\n- sister Niamh: "She is a vet" (2026-03-01) {memory_mark(NIAMH)}\n\n{END}\n'
)
BODY = f"# Ann\n\nMine.\n\n{SECTION}"


def a_document(body: str = BODY, kind: DocumentKind = "user_profile", **front: object) -> Document:
    return Document(
        document_id=UUID(int=9),
        kind=kind,
        name="MEMORY" if kind == "memory" else "profile",
        front=front,
        body=body,
        version=1,
        sha256=digest(front, body),
        updated_at=NOW,
        author="brain",
        reason="test",
    )


def edited(document: Document, *changes: tuple[str, str], **front: object) -> DocumentDraft:
    body = document.body
    for before, after in changes:
        assert before in body
        body = body.replace(before, after)
    return DocumentDraft(kind=document.kind, name=document.name, body=body, front={**document.front, **front})


def test_an_edited_line_corrects_its_memory_in_the_words_of_the_line():
    document = a_document()
    file = edited(document, ("lives in Paris", "lives in Lyon"), ("She is a vet", "She is a nurse"))
    assert edits_of(document, file).memories == (
        MemoryEdit(memory_id=HOME, words="The user lives in Lyon"),
        MemoryEdit(memory_id=NIAMH, words="She is a nurse"),
    )


def test_a_line_taken_out_of_a_profile_forgets_and_out_of_memory_only_leaves_it():
    line = f"- The user lives in Paris (2026-03-01) {memory_mark(HOME)}\n"
    profile, memory = a_document(), a_document(kind="memory")
    assert edits_of(profile, edited(profile, (line, ""))).memories == (MemoryEdit(memory_id=HOME, words=""),)
    file = edited(memory, (line, ""))
    assert edits_of(memory, file) == edits_of(memory, edited(memory))
    assert "Paris" not in rebase_edits(memory, file, memory).body


def test_what_would_be_lost_is_refused_with_the_reason():
    document = a_document(BODY.replace(END, f"- Work: spoken of on 2 days <!-- topic/work -->\n\n{END}"))
    cases = {
        ("## Home\n", "## Home\n\n- I have a cat\n"): "'- I have a cat' stands in the part that Brain writes",
        ("2 days", "3 days"): "was drawn from a daily note or counted",
        ("Paris (2026-03-01)", "Paris (2020-01-01)"): "keeps its day",
        (END, ""): "the marks around the part",
    }
    for change, reason in cases.items():
        edits = edits_of(document, edited(document, change))
        assert (edits.memories, reason in " ".join(edits.refused)) == ((), True), change


def test_lines_outside_of_the_part_change_no_memory():
    document = a_document()
    file = edited(document, ("Mine.", "Mine, and more."))
    assert edits_of(document, file) == edits_of(document, edited(document))
    assert own_part(file) == "# Ann\n\nMine, and more."


def test_own_lines_and_fields_are_put_into_what_brain_wrote_since():
    base = a_document(tags=["home"], mood="calm", updated_at="1")
    newer = replace(base, body=base.body.replace("Paris", "Lyon"), front={**base.front, "updated_at": "2"}, version=2)
    file = edited(base, ("Mine.", "Mine, and more."), mood="cheerful")
    draft = rebase_edits(base, file, newer)
    assert draft.body == newer.body.replace("Mine.", "Mine, and more.")
    assert draft.front == {"tags": ["home"], "mood": "cheerful", "updated_at": "2"}
