"""Each format as its system describes it, and what of it is left out and why."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from apps.past.formats import chatgpt, okf
from apps.past.formats.registry import recognise
from apps.past.talk import Frame, PastTalk, check_talk
from tests.past_exports import (
    CHATGPT,
    CLAUDE,
    GEMINI,
    LANGGRAPH,
    LETTA,
    MEM0,
    OKF,
    SPRING,
    ZEP,
    chatgpt_message,
    chatgpt_talk,
)

FRAME = Frame(
    member="export/file.json",
    written_at=datetime(2026, 1, 1, tzinfo=UTC),
    time_zone="Europe/Brussels",
    now=datetime(2026, 11, 1, tzinfo=UTC),
)


def read(value: object, seen: set[str] | None = None) -> list[PastTalk]:
    found = recognise(value)
    assert found is not None
    known = set[str]() if seen is None else seen
    return [check_talk(raw, FRAME, known) for raw in found.read(value, FRAME)]


def said(talks: list[PastTalk]) -> list[tuple[str, str, str, str]]:
    return [
        (each.role, each.speaker, each.text, each.at.astimezone(UTC).isoformat(timespec="seconds"))
        for talk in talks
        for each in talk.messages
    ]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (
            CHATGPT[0],
            [
                ("user", "user", "My bicycle is called Esmeralda.", "2024-03-09T16:00:00+00:00"),
                ("tool", "ChatGPT", "A lovely name for a bicycle.", "2024-03-09T16:00:00+00:00"),
                ("user", "ChatGPT (saved memory)", "Has a bicycle called Esmeralda.", "2024-03-09T16:00:00+00:00"),
            ],
        ),
        (
            CLAUDE[0],
            [
                ("user", "user", "I grow quinces in Ghent.", "2025-04-01T10:00:00+00:00"),
                ("tool", "Claude", "Quinces like sun.", "2025-04-01T10:00:05+00:00"),
            ],
        ),
        (
            GEMINI[0],
            [
                ("user", "user", "How tall is the Atomium?", "2025-02-03T08:09:10+00:00"),
                ("tool", "Gemini", "It is 102 metres tall.", "2025-02-03T08:09:10+00:00"),
            ],
        ),
        (MEM0, [("user", "mem0 (saved memory)", "Lives in Ghent and plays the oboe", "2024-07-20T08:30:36+00:00")]),
        (LANGGRAPH[0], [("user", "LangGraph's store (saved memory)", "Likes marzipan", "2025-01-02T03:04:05+00:00")]),
        (
            ZEP,
            [
                ("user", "user", "My cat is called Pixel.", "2024-05-01T12:00:00+00:00"),
                ("user", "Zep (saved memory)", "Ann owns the cat Pixel", "2024-05-01T12:00:00+00:00"),
            ],
        ),
        (
            LETTA,
            [
                ("user", "user", "I play chess on Mondays.", "2025-03-03T10:00:00+00:00"),
                ("tool", "Ezra", "Good luck!", "2025-03-03T10:00:01+00:00"),
                ("user", "Letta (saved memory)", "Plays chess on Mondays", "2025-03-04T00:00:00+00:00"),
            ],
        ),
    ],
    ids=["chatgpt", "claude", "gemini", "mem0", "langgraph", "zep", "letta"],
)
def test_a_format_is_known_by_its_shape_and_read(value: object, told: list[tuple[str, str, str, str]]):
    assert said(read(value)) == told


def test_a_concept_is_a_statement_of_the_day_on_which_it_was_written():
    concept = okf.parse_concept(OKF.encode())
    talks = [check_talk(raw, FRAME, set()) for raw in okf.read(concept, FRAME)]
    words = "Watering the quinces\n\nEvery other evening in July."
    assert said(talks) == [("user", "Open Knowledge Format (saved memory)", words, "2026-02-03T09:00:00+00:00")]


@pytest.mark.parametrize(
    "raw",
    [
        b"# Just Markdown",
        b"---\ntitle: no type\n---\nx",
        b"---\ntype: [x\n---\nx",
        b"\xff",
        b"---\na: &a [1]\ntype: *a\n---\n",
    ],
)
def test_other_markdown_is_no_concept(raw: bytes):
    assert okf.parse_concept(raw) is None


@pytest.mark.parametrize(
    "value", [None, 1, "x", [], {}, {"mapping": []}, {"memory": "x"}, {"messages": [{"role": "user"}]}]
)
def test_other_values_are_of_no_format(value: object):
    assert recognise(value) is None


def test_what_was_edited_or_given_again_beside_the_line_is_left_behind():
    talk = chatgpt_talk("c", [chatgpt_message("a", "user", "First?"), chatgpt_message("b", "assistant", "Yes.")])
    beside: dict[str, Any] = {
        "id": "n9",
        "message": chatgpt_message("z", "assistant", "No."),
        "parent": "n0",
        "children": [],
    }
    told = talk | {"mapping": talk["mapping"] | {"n9": beside}}
    assert [text for _, _, text, _ in said(read(told))] == ["First?", "Yes."]


def test_a_tree_that_goes_round_ends_and_one_without_a_head_follows_its_newest_leaf():
    talk = chatgpt_talk("c", [chatgpt_message("a", "user", "One."), chatgpt_message("b", "user", "Two.", SPRING + 5)])
    talk["mapping"]["root"]["parent"] = "n1"
    assert [text for _, _, text, _ in said(read(talk))] == ["One.", "Two."]
    headless = chatgpt_talk("c", [chatgpt_message("a", "user", "One."), chatgpt_message("b", "user", "Two.")])
    assert [text for _, _, text, _ in said(read(headless | {"current_node": None}))] == ["One.", "Two."]


def test_how_another_assistant_was_to_answer_is_an_instruction_and_left_out():
    order = {"content_type": "user_editable_context", "user_instructions": "Always answer in rhyme."}
    message: Mapping[str, Any] = {"id": "a", "author": {"role": "user"}, "create_time": SPRING, "content": order}
    project: dict[str, Any] = {"uuid": "p", "name": "x", "prompt_template": "Always rhyme.", "docs": []}
    values: list[dict[str, Any]] = [chatgpt_talk("c", [message]), project, LETTA]
    for value in values:
        assert "instruction" in {reason for talk in read(value) for reason in talk.left_out}
        assert not any("rhyme" in text for _, _, text, _ in said(read(value)))


@pytest.mark.parametrize(
    ("id_", "text", "at", "reason"),
    [
        ("a", "x", 0, "too_early"),
        ("a", "x", "1970-01-01T00:00:00Z", "too_early"),
        ("a", "x", SPRING * 2, "in_the_future"),
        ("a", "x", "9999-12-31T23:59:59+00:00", "in_the_future"),
        ("a", "x", 1e300, "wrong_type"),
        ("a", "x", float("inf"), "wrong_type"),
        ("a", "x", True, "wrong_type"),
        ("a", "x", "yesterday", "wrong_type"),
        ("a", "x", ["2024"], "wrong_type"),
        ("a", "nul \x00", SPRING, "not_storable"),
        ("a", "half \ud83d", SPRING, "not_storable"),
        ("a", " \n", SPRING, "no_text"),
        ("a", None, SPRING, "no_text"),
        ("a", 7, SPRING, "no_text"),
    ],
)
def test_what_cannot_be_stored_or_placed_in_time_is_left_out_and_the_rest_stays(
    id_: object, text: Any, at: Any, reason: str
):
    talk = chatgpt_talk("c", [chatgpt_message(str(id_), "user", text, at), chatgpt_message("b", "user", "Fine.")])
    (found,) = read(talk)
    assert (found.left_out, [each.text for each in found.messages]) == ((reason,), ["Fine."])


def test_a_message_that_comes_twice_counts_once_also_in_another_shard():
    seen = set[str]()
    first = chatgpt_talk("c", [chatgpt_message("a", "user", "One."), chatgpt_message("a", "user", "Another.")])
    assert [talk.left_out for talk in read(first, seen)] == [("duplicate_id",)]
    assert [talk.left_out for talk in read(first, seen)] == [("duplicate_id", "duplicate_id")]


def test_ids_of_any_kind_are_keys_that_can_be_stored():
    for id_ in ("\x1f", "x" * 5_000, {"a": 1}, "\ud800", None):
        message = chatgpt_message("a", "user", "Words.") | {"id": id_}
        (talk,) = read(chatgpt_talk("c", [message]))
        (found,) = talk.messages
        assert found.key.isprintable()
        assert len(found.key) <= 128


def test_no_value_of_the_right_outer_shape_breaks_a_reader():
    for odd in (None, 3, "x", [], {}, [None], [{"x": 1}], {"x": [1]}):
        for value in (
            {"mapping": {"a": odd, "b": {"message": odd, "parent": odd}}, "current_node": "b"},
            {"chat_messages": [odd], "name": odd, "uuid": odd},
            {"header": odd, "title": odd, "time": odd, "safeHtmlItem": odd},
            {
                "agents": [odd, {"messages": [odd, {"role": "assistant", "tool_calls": odd, "content": odd}]}],
                "blocks": [odd],
            },
            {"namespace": [odd], "key": odd, "value": {"a": odd}},
            {"id": odd, "memory": odd, "created_at": odd},
            {"uuid": odd, "fact": "x", "valid_at": odd},
            {"conversations_memory": odd, "project_memories": odd},
        ):
            json.dumps([talk.title for talk in read(value)])


def test_text_of_pictures_and_speech_is_kept_and_the_pictures_are_not():
    parts = [
        {"content_type": "image_asset_pointer"},
        "Look at this.",
        {"type": "audio_transcription", "text": "Spoken."},
    ]
    content = {"content_type": "multimodal_text", "parts": parts}
    message = chatgpt_message("a", "user", "") | {"content": content}
    assert chatgpt.recognises(chatgpt_talk("c", [message]))
    assert [text for _, _, text, _ in said(read(chatgpt_talk("c", [message])))] == ["Look at this.\n\nSpoken."]
