"""Documents as files: what is written is read back, and what is hostile is refused by code."""

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.documents.files import EditedFile, document_at, parse_file, path_of, render_file
from brain.documents.front_matter import dump_front, parse_front
from memory.documents.document import Document, DocumentDraft, DocumentKind, digest
from memory.errors import BrainError

TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), max_size=40)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT
    | st.sampled_from(["no", "1e5", "12:30", "2026-03-01", "0o17", "true", "~", "- a", "a: b", "# c", "'", '"', "---"])
)


def nested(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return inner | st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3)


VALUES = nested(nested(nested(SCALARS)))
FRONTS = st.dictionaries(TEXT.filter(lambda name: name != "brain"), VALUES, max_size=5)


def a_document(front: dict[str, object], body: str) -> Document:
    draft = DocumentDraft(kind="memory", name="MEMORY", body=body, front=front)
    return Document(
        document_id=uuid4(),
        kind=draft.kind,
        name=draft.name,
        front=draft.front,
        body=draft.body,
        version=7,
        sha256=digest(draft.front, draft.body),
        updated_at=datetime(2026, 3, 1, tzinfo=UTC),
        author="brain",
        reason="test",
    )


def refused(text: str, why: str = "") -> None:
    with pytest.raises(BrainError, match=f"E_BAD_REQUEST.*{why}"):
        parse_file("memory", "MEMORY", text)


def read(text: str) -> EditedFile:
    return parse_file("memory", "MEMORY", text)


@given(FRONTS, TEXT | st.text("-#\n a", max_size=60))
def test_a_file_is_read_back_as_the_document_it_was_made_of(front: dict[str, object], body: str):
    document = a_document(front, body)
    back = read(render_file(document))
    assert (back.draft.front, back.draft.body) == (document.front, document.body)
    assert repr(back.draft.front) == repr(document.front)
    assert back.base is not None
    assert (back.base.document_id, back.base.version) == (str(document.document_id), 7)
    assert not back.has_changes


@given(FRONTS, TEXT)
def test_line_ends_and_a_byte_order_mark_of_other_editors_change_nothing(front: dict[str, object], body: str):
    text = render_file(a_document(front, body))
    assert not read("\ufeff" + text.replace("\n", "\r\n")).has_changes
    assert not read(text + "\n\n").has_changes


def test_the_fields_stand_as_a_person_would_write_them():
    front = {"entity_type": "user", "entity_id": "1708213363", "name": "小雨", "tags": ["Python", "QQ Bot"]}
    assert dump_front(front) == ("entity_type: user\nentity_id: '1708213363'\nname: 小雨\ntags: [Python, QQ Bot]\n")
    assert dump_front({}) == ""


def test_what_people_write_by_hand_is_understood():
    text = 'name: "Ann"\nborn: 2026-03-01\nagrees: no\nat: 12:30\ntags:\n  - tea\n  - boats\nnote: |\n  two\n  lines\n'
    assert parse_front(text) == {
        "name": "Ann",
        "born": "2026-03-01",
        "agrees": "no",
        "at": "12:30",
        "tags": ["tea", "boats"],
        "note": "two\nlines\n",
    }


def test_an_edited_file_counts_as_changed_and_a_new_one_has_no_base():
    text = render_file(a_document({"name": "Ann"}, "Likes tea."))
    assert read(text.replace("tea", "coffee")).has_changes
    assert read(text.replace("Ann", "Anna")).has_changes
    assert (read("Likes tea.").base, read("Likes tea.").has_changes) == (None, True)
    assert read("---\nname: Ann\n---\n").draft.front == {"name": "Ann"}


@pytest.mark.parametrize(
    "front",
    [
        "a: &x [1, 2]\nb: *x",
        "a: &a [x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]",
        "a: !!python/object/apply:os.system ['true']",
        "a: !!binary aGk=",
        "a: !x y",
        "a: " + "[" * 5_000,
        "a: " + "[" * 10 + "]" * 10,
        "a: {" + "b: {" * 50 + "}" * 51,
        "a: 1\na: 2",
        "? [a]\n: b",
        "- a\n- b",
        "just words",
        "a: [1, 2",
        "a: 'b",
        "%TAG ! tag:x:\n--- \na: 1",
        "a: 1\n--- {b: 2}",
        "a: \x01",
        "a: " + "9" * 5_000,
        "a: .1e999",
        "\n".join(f"k{n}: 1" for n in range(1_200)),
        "a: " + "x" * 70_000,
        "<<: {a: 1}\na: *b",
    ],
)
def test_hostile_front_matter_is_refused_by_code(front: str):
    refused(f"---\n{front}\n---\nbody\n")


def test_front_matter_without_an_end_is_refused():
    refused("---\nname: Ann\n", "no end")


@pytest.mark.parametrize("text", ["a\x00b", "\udc80", "x" * 70_000])
def test_text_that_no_document_can_hold_is_refused(text: str):
    refused(text)


@pytest.mark.parametrize(
    ("kind", "name", "path"),
    [
        ("memory", "MEMORY", "MEMORY.md"),
        ("user_profile", "profile", "profiles/user.md"),
        ("group_profile", "profile", "profiles/group.md"),
        ("daily_note", "2026-03-01", "daily/2026-03-01.md"),
    ],
)
def test_every_document_has_its_place_in_a_folder(kind: DocumentKind, name: str, path: str):
    assert path_of(kind, name) == path
    assert document_at(path) == (kind, name)


@pytest.mark.parametrize("path", ["README.md", "daily/../MEMORY.md", "daily/2026-03-01.conflict.md", "profiles/x.md"])
def test_other_places_hold_no_document(path: str):
    assert document_at(path) is None
