"""A profile out of memories, and the node that brings it up to date."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from brain.documents.profile import BEGIN, END, SECTION_BYTES, ProfileSource, draft_profile
from memory.documents.document import DOCUMENT_BYTES, Document, DocumentDraft, digest, document_id, memory_mark
from memory.memory_item import MemoryItem
from memory.scope import Scope
from tests.fakes import NOW

ANN = Scope(tenant_id=UUID(int=1), user_id=UUID(int=2))
RED = replace(ANN, key="group:red")


def an_item(number: int, content: str, **values: Any) -> MemoryItem:
    known: dict[str, Any] = {
        "memory_id": UUID(int=number),
        "user_id": ANN.user_id,
        "memory_type": "preference",
        "content": content,
        "valid_at": NOW,
        "invalid_at": None,
        "confidence": 0.9,
        "source_sessions": (),
        "superseded_by": None,
        "version": 1,
        "provenance": {"level": "confirmed_by_user", "events": [str(UUID(int=100 + number))]},
        "epistemic_type": "preference",
        "subject": "user",
        "predicate": "likes",
        "object": content,
        "negated": False,
        "category": "drink_preference",
        "slot": "user|likes",
        "status": "active",
        "stale": False,
        "certainty": 0.9,
        "observed_at": NOW,
        "created_at": NOW,
        "updated_at": NOW + timedelta(minutes=number),
        "last_validated_at": None,
    }
    return MemoryItem(**(known | values))


def told(*items: MemoryItem, **more: Any) -> ProfileSource:
    return ProfileSource(items=items, at=NOW + timedelta(days=1), **more)


def held(draft: DocumentDraft | None, body: str | None = None, **front: object) -> Document:
    assert draft is not None
    changed = replace(draft, body=draft.body if body is None else body, front={**draft.front, **front})
    return Document(
        document_id=document_id(ANN, draft.kind, draft.name),
        kind=draft.kind,
        name=draft.name,
        front=changed.front,
        body=changed.body,
        version=1,
        sha256=digest(changed.front, changed.body),
        updated_at=NOW,
        author="brain",
        reason="test",
    )


TEA = an_item(1, "The user likes green tea")
HOME = an_item(2, "用户住在杭州", category="home", predicate="lives_in", object="杭州")


def test_a_profile_tells_what_is_remembered_by_subject_matter_with_dates():
    draft = draft_profile(ANN, None, told(TEA, HOME))
    assert draft is not None
    assert (draft.kind, draft.name) == ("user_profile", "profile")
    assert draft.body == (
        f"# Profile\n\n{BEGIN}\n"
        f"## Home\n\n- 用户住在杭州 (2026-03-01) {memory_mark(UUID(int=2))}\n\n"
        f"## drink preference\n\n- The user likes green tea (2026-03-01) {memory_mark(UUID(int=1))}\n\n"
        f"{END}\n"
    )
    assert draft.front == {
        "entity_type": "user",
        "entity_id": str(ANN.user_id),
        "name": "",
        "tags": ["home", "drink_preference"],
        "updated_at": "2026-03-01T12:02:00+00:00",
        "source_event_id": str(UUID(int=102)),
        "time_zone": "UTC",
    }


def test_days_are_those_of_the_persons_own_zone():
    late = an_item(1, "Moved", observed_at=NOW.replace(hour=20))
    draft = draft_profile(ANN, None, told(late, time_zone="Asia/Shanghai"))
    assert draft is not None
    assert "- Moved (2026-03-02)" in draft.body
    assert draft.front["updated_at"] == "2026-03-01T20:01:00+08:00"


def test_a_name_that_was_told_is_a_field_and_not_the_title_which_would_outlive_it():
    draft = draft_profile(
        ANN, None, told(an_item(3, "The user's name is Ann", predicate="name", object="Ann", category=""))
    )
    assert draft is not None
    assert draft.body.startswith("# Profile\n")
    assert (draft.front["name"], draft.front["tags"]) == ("Ann", [])
    assert "## Other\n" in draft.body


@pytest.mark.parametrize(
    "values",
    [
        {"status": "superseded"},
        {"stale": True},
        {"epistemic_type": "outdated"},
        {"confidence": 0.4},
        {"invalid_at": NOW + timedelta(hours=1)},
    ],
)
def test_what_does_not_hold_now_is_left_out(values: dict[str, Any]):
    draft = draft_profile(ANN, None, told(TEA, replace(HOME, **values)))
    assert draft is not None
    assert "杭州" not in draft.body
    assert draft_profile(ANN, None, told(replace(HOME, **values))) is None


def test_what_was_over_when_it_was_said_describes_somebody_still():
    past = replace(HOME, valid_at=NOW - timedelta(900), invalid_at=NOW - timedelta(400))
    draft = draft_profile(ANN, None, told(past))
    assert draft is not None
    assert "杭州" in draft.body


def test_nothing_new_makes_no_new_version_even_when_a_memory_was_confirmed_again():
    first = held(draft_profile(ANN, None, told(TEA, HOME)))
    assert draft_profile(ANN, first, told(HOME, TEA)) is None
    assert draft_profile(ANN, first, told(HOME, replace(TEA, updated_at=NOW + timedelta(days=3)))) is None


def test_what_a_person_wrote_around_the_section_stays_word_for_word():
    first = draft_profile(ANN, None, told(TEA))
    assert first is not None
    body = f"# Ann, my friend\n\nShe is kind.\n\n{first.body}\n## Later\n\nAsk about Lyon.\n"
    draft = draft_profile(ANN, held(first, body, pronouns="she", name="Annie"), told(HOME))
    assert draft is not None
    assert draft.body.startswith("# Ann, my friend\n\nShe is kind.\n\n# Profile\n")
    assert draft.body.endswith(f"{END}\n\n## Later\n\nAsk about Lyon.\n")
    assert "green tea" not in draft.body
    assert (draft.front["pronouns"], draft.front["name"]) == ("she", "Annie")


def test_a_text_without_a_section_gets_one_at_its_end():
    draft = draft_profile(ANN, held(draft_profile(ANN, None, told(TEA)), "All mine.\n"), told(HOME))
    assert draft is not None
    assert draft.body.startswith(f"All mine.\n\n{BEGIN}\n")


def test_a_section_that_lost_its_end_swallows_nothing_that_a_person_wrote():
    first = draft_profile(ANN, None, told(TEA))
    assert first is not None
    broken = held(first, first.body.replace(f"{END}\n", "") + "Written by hand.\n")
    once = draft_profile(ANN, broken, told(HOME))
    assert once is not None
    again = draft_profile(ANN, held(once), told(HOME, TEA))
    assert again is not None
    for draft in (once, again):
        assert draft.body.count("Written by hand.") == 1
        assert draft.body.count("杭州") == 1


def test_a_copied_section_is_not_kept_twice():
    first = draft_profile(ANN, None, told(TEA))
    assert first is not None
    draft = draft_profile(ANN, held(first, f"{first.body}\nBetween.\n\n{first.body}"), told(HOME))
    assert draft is not None
    assert (draft.body.count(BEGIN), draft.body.count("杭州"), draft.body.count("Between.")) == (1, 1, 1)


def test_no_memory_can_end_the_section_or_hide_what_follows():
    hostile = an_item(4, f"x {END}\n# y <!-- z", category="<!-- c")
    draft = draft_profile(ANN, None, told(hostile, HOME))
    assert draft is not None
    assert (draft.body.count(END), draft.body.count("<!--"), draft.body.count("-->")) == (1, 4, 4)
    assert draft.body.splitlines()[-1] == END
    assert draft_profile(ANN, held(draft), told(hostile, HOME)) is None


def test_a_profile_never_grows_too_long_to_be_saved():
    many = [an_item(number, f"{number} " + "忆" * 400) for number in range(1, 400)]
    draft = draft_profile(ANN, None, told(*many))
    assert draft is not None
    assert len(draft.body.encode()) <= SECTION_BYTES + 1_000
    assert "- 399 " in draft.body
    full = held(draft, "x" * (DOCUMENT_BYTES - 600))
    squeezed = draft_profile(ANN, full, told(*many))
    assert squeezed is not None
    assert "忆" not in squeezed.body


def test_a_group_has_a_section_for_each_speaker():
    bob = an_item(5, "The user bakes bread", category="")
    spoken = {str(UUID(int=101)): "ann", str(UUID(int=105)): "Bob"}
    draft = draft_profile(RED, None, told(bob, TEA, speakers=spoken))
    assert draft is not None
    assert (draft.kind, draft.front["entity_type"], draft.front["entity_id"], draft.front["name"]) == (
        "group_profile",
        "group",
        "red",
        "red",
    )
    lines = [line.partition(" <!--")[0] for line in draft.body.splitlines() if line and not line.startswith("<!--")]
    assert lines == [
        "# red",
        "## ann",
        "### drink preference",
        "- The user likes green tea (2026-03-01)",
        "## Bob",
        "### Other",
        "- The user bakes bread (2026-03-01)",
    ]


def a_statement(number: int, sentence: str, topic: str, **values: Any) -> MemoryItem:
    """A sentence as it was said, filed under its topic."""
    return an_item(number, sentence, predicate=topic, category=topic, **{"memory_type": "fact", **values})


def test_statements_stand_under_their_topics_in_their_speakers_own_words():
    draft = draft_profile(
        ANN,
        None,
        told(
            a_statement(1, "I take the night train to Graz", "travel"),
            a_statement(2, "She is a vet in Porto", "family", subject="sister Niamh"),
            a_statement(3, "My sister Niamh hates coriander", "family", subject="sister Niamh"),
            an_item(4, "The user works at BMW", predicate="works_at", category="work", object="BMW"),
        ),
    )
    assert draft is not None
    lines = [line.partition(" <!--")[0] for line in draft.body.splitlines() if line and not line.startswith("<!--")]
    assert lines == [
        "# Profile",
        "## Work",
        "- The user works at BMW (2026-03-01)",
        "## Family",
        '- sister Niamh: "She is a vet in Porto" (2026-03-01)',
        '- "My sister Niamh hates coriander" (2026-03-01)',
        "## Travel",
        '- "I take the night train to Graz" (2026-03-01)',
    ]


def test_a_profile_speaks_the_language_of_what_it_tells():
    draft = draft_profile(
        ANN, None, told(a_statement(1, "我住在三楼", "home"), a_statement(2, "我姐是护士", "family", subject="姐"))
    )
    assert draft is not None
    assert "## 住处\n\n- “我住在三楼” (2026-03-01)" in draft.body
    assert "## 家人\n\n- “我姐是护士”" in draft.body


def test_plans_are_left_to_memory_and_a_sentence_is_no_name():
    named = a_statement(1, "Everybody calls me Ann", "name")
    plan = a_statement(2, "We fly to Lima in June", "travel", memory_type="plan")
    draft = draft_profile(ANN, None, told(named, plan))
    assert draft is not None
    assert "Lima" not in draft.body
    assert draft.front["name"] == ""
