"""A history as a person reads it."""

from dataclasses import replace
from uuid import uuid4

import pytest

from apps.panel.memory_history import (
    MAX_COMPARED_UNITS,
    MAX_VERSIONS,
    WordChange,
    compare_lines,
    compare_words,
    describe_history,
)
from memory.memory_item import Change, MemoryItem, MemoryVersion
from memory.revision import first_version
from memory.versions import snapshot
from tests.contract.builders import a_draft, at
from tests.effort import assert_takes_less_than

SECONDS = 3.0


def a_version(item: MemoryItem, change: Change = "create") -> MemoryVersion:
    return MemoryVersion(
        version=item.version,
        change=change,
        snapshot=snapshot(item),
        reason="said so",
        operator="rules",
        recorded_at=at(item.version),
    )


def test_words_that_came_and_went_are_told_apart():
    assert compare_words("I like green tea.", "I like black tea.") == (
        WordChange("same", "I like "),
        WordChange("removed", "green"),
        WordChange("added", "black"),
        WordChange("same", " tea."),
    )


def test_ideographs_are_compared_one_by_one():
    assert compare_words("我喜欢绿茶", "我喜欢红茶") == (
        WordChange("same", "我喜欢"),
        WordChange("removed", "绿"),
        WordChange("added", "红"),
        WordChange("same", "茶"),
    )


def test_only_changed_lines_of_a_document_are_shown():
    assert compare_lines("a\nb\nc\n", "a\nB\nc\n") == (WordChange("removed", "b\n"), WordChange("added", "B\n"))


def test_a_history_tells_what_each_version_changed_newest_first():
    item = first_version(a_draft(content="I like tea.", confidence=0.5), uuid4(), uuid4(), at())
    later = replace(item, version=2, status="deleted", confidence=0.25, updated_at=at(2), certainty=0.1)
    newest, oldest = describe_history([a_version(item), a_version(later, "forget")])
    assert oldest.words == (WordChange("added", "I like tea."),)
    assert newest.words == (WordChange("same", "I like tea."),)
    assert {name: (old, new) for name, old, new in newest.fields} == {
        "status": ("active", "deleted"),
        "confidence": ("0.50", "0.25"),
    }
    assert [each.was_in_use for each in (newest, oldest)] == [False, True]


def test_of_a_long_history_the_newest_versions_are_compared_each_with_the_one_before():
    item = first_version(a_draft(content="I like tea number 1."), uuid4(), uuid4(), at())
    items = [replace(item, version=n, content=f"I like tea number {n}.") for n in range(1, MAX_VERSIONS + 11)]
    steps = describe_history([a_version(each) for each in items])
    assert [each.version.version for each in steps] == list(range(MAX_VERSIONS + 10, 10, -1))
    assert steps[-1].words[1:3] == (WordChange("removed", "10"), WordChange("added", "11"))


def test_secrets_are_masked_in_every_version():
    item = first_version(a_draft(content="My password is hunter2."), uuid4(), uuid4(), at())
    (step,) = describe_history([a_version(item)])
    assert "hunter2" not in "".join(each.text for each in step.words)


@pytest.mark.parametrize("length", [300, MAX_COMPARED_UNITS // 2, 30_000])
@pytest.mark.parametrize(("old", "new"), [("ab ", "ba "), ("a b c d e ", "e d c b a "), ("一二", "二一")])
def test_hostile_texts_are_compared_in_bearable_time(old: str, new: str, length: int):
    texts = (old * length)[: 2 * length], (new * length)[: 2 * length]
    assert_takes_less_than(SECONDS, lambda: compare_words(*texts))
    changes = compare_words(*texts)
    assert "".join(each.text for each in changes if each.kind != "removed") == texts[1]
    assert "".join(each.text for each in changes if each.kind != "added") == texts[0]
