"""Parts of documents that stand in comments."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from memory.documents.document import memory_mark, normalize_body, without_comments
from memory.documents.hidden_parts import hide_part, reveal_memory, reveal_part, split_hidden

ONE, OTHER = UUID(int=1), UUID(int=2)
TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\x00"), min_size=1, max_size=80)


@given(text=TEXT)
def test_what_is_hidden_is_not_read_and_comes_back_letter_by_letter(text: str):
    part = normalize_body(f"- {text} {memory_mark(ONE)} -->")
    hidden = hide_part(part, ONE)
    assert without_comments(hidden) == "\n"
    assert reveal_part(hidden) == part
    assert reveal_memory(f"Before.\n{hidden}After.\n", ONE) == f"Before.\n{part}After.\n"


def test_a_part_that_two_memories_hide_comes_back_with_the_last_of_them():
    hidden = hide_part(hide_part("## 12:00\n\nTea & milk.\n\n", ONE), OTHER)
    once = reveal_memory(hidden, ONE)
    assert once.startswith(f"<!-- excluded {OTHER}\n")
    assert reveal_memory(once, OTHER) == "## 12:00\n\nTea & milk.\n\n"


def test_what_lies_between_hidden_parts_is_split_and_they_are_not():
    hidden = hide_part("- Tea.\n- Milk.\n", ONE)
    body = f"# Me\n{hidden}- Rice.\n"
    assert list(split_hidden(body, lambda text: text.splitlines(keepends=True))) == ["# Me\n", hidden, "- Rice.\n"]


def test_a_comment_of_a_persons_own_is_no_hidden_part():
    body = f"<!-- excluded\n| mine\n-->\n<!-- {ONE} -->\n"
    assert reveal_memory(body, ONE) == body
    assert reveal_part(body) == body
