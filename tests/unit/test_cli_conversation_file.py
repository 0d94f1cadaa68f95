"""Recorded conversations: what is well-formed is read, everything else is refused by line and reason."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from apps.cli import app
from apps.ingestion import conversation_file
from apps.ingestion.conversation_file import RecordedConversation, RecordingLine, read_lines
from memory.errors import BrainError


def a_conversation(**changes: Any) -> dict[str, Any]:
    turns = [{"turn_id": "D1:1", "speaker": "Ann", "text": "Hello"}]
    sessions = [{"session_id": "D1", "occurred_at": "2024-05-01T09:30:00", "turns": turns}]
    return {"conversation_id": "c1", "language": "en", "sessions": sessions, "questions": [], **changes}


def a_turn(**changes: Any) -> dict[str, Any]:
    """A conversation whose only turn is changed."""
    conversation = a_conversation()
    conversation["sessions"][0]["turns"][0] |= changes
    return conversation


def lines_of(path: Path, *lines: bytes) -> list[RecordingLine]:
    path.write_bytes(b"\n".join(lines))
    return list(read_lines(path))


def as_line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def refusal(path: Path, line: bytes) -> BrainError:
    (read,) = lines_of(path, line)
    assert isinstance(read.content, BrainError)
    return read.content


def test_a_conversation_is_read_and_what_is_unknown_is_ignored(tmp_path: Path):
    (read,) = lines_of(tmp_path / "a.jsonl", as_line(a_conversation(mood="cheerful")))
    assert isinstance(read.content, RecordedConversation)
    assert read.content.sessions[0].turns[0].text == "Hello"


def test_blank_lines_are_skipped_and_line_numbers_are_those_of_an_editor(tmp_path: Path):
    read = lines_of(tmp_path / "a.jsonl", b"", as_line(a_conversation()), b"   ", b"{")
    assert [line.number for line in read] == [2, 4]
    assert [isinstance(line.content, BrainError) for line in read] == [False, True]
    assert sum(line.size for line in read) == (tmp_path / "a.jsonl").stat().st_size


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"{not json", "Invalid JSON"),
        (b"[1, 2]", "Input should be an object"),
        (b"\xff\xfe{}", "Invalid JSON"),
        (b"[" * 5000, "recursion limit"),
        (as_line({}), "conversation_id: Field required"),
        (as_line(a_conversation(conversation_id=7)), "conversation_id: Input should be a valid string"),
        (as_line(a_conversation(sessions={})), "sessions: Input should be a valid array"),
        (
            as_line(a_conversation(conversation_id="x" * 600)),
            "conversation_id: The conversation_id name must be 1 to",
        ),
        (as_line(a_turn(text=None)), "sessions.0.turns.0.text: Input should be a valid string"),
        (as_line(a_turn(text="nul \x00")), "sessions.0.turns.0.text: String should match pattern"),
        (as_line(a_turn(turn_id="")), "sessions.0.turns.0.turn_id: The turn_id name must be 1 to 512"),
        (json.dumps(a_turn(text="\ud800")).encode(), "Invalid JSON"),
    ],
)
def test_a_malformed_line_is_refused_with_place_and_reason(tmp_path: Path, line: bytes, complaint: str):
    error = refusal(tmp_path / "a.jsonl", line)
    assert error.code == "E_BAD_REQUEST"
    assert complaint in error.message
    assert "\x00" not in error.message


def test_the_place_in_a_line_is_not_mistaken_for_a_line_of_the_file(tmp_path: Path):
    _, second = lines_of(tmp_path / "a.jsonl", as_line(a_conversation()), b"oops")
    assert isinstance(second.content, BrainError)
    assert second.number == 2
    assert second.content.message == "Invalid JSON: expected value at column 1."


def test_a_turn_id_that_occurs_twice_in_a_session_is_refused(tmp_path: Path):
    conversation = a_conversation()
    conversation["sessions"][0]["turns"] *= 2
    assert "has two turns 'D1:1'" in refusal(tmp_path / "a.jsonl", as_line(conversation)).message


def test_a_session_needs_a_time_that_is_one(tmp_path: Path):
    conversation = a_conversation()
    conversation["sessions"][0]["occurred_at"] = "last spring"
    assert "'last spring' is not a time" in refusal(tmp_path / "a.jsonl", as_line(conversation)).message


def test_an_overlong_line_is_refused_and_the_next_one_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(conversation_file, "MAX_LINE", 400)
    read = lines_of(tmp_path / "a.jsonl", b"x" * 2000, as_line(a_conversation()))
    assert [line.number for line in read] == [1, 2]
    assert [isinstance(line.content, BrainError) for line in read] == [True, False]


def test_a_file_that_cannot_be_read_is_a_coded_error(tmp_path: Path):
    with pytest.raises(BrainError, match="cannot be read") as refused:
        list(read_lines(tmp_path / "missing.jsonl"))
    assert (refused.value.code, refused.value.hint) == ("E_BAD_REQUEST", "Check the path.")


def test_the_example_of_the_help_is_a_conversation(tmp_path: Path):
    shown = CliRunner(env={"COLUMNS": "100"}).invoke(app, ["ingest", "--help"]).stdout
    example = shown[shown.index('{"conversation_id"') : shown.index("}]}]}") + len("}]}]}")]
    (read,) = lines_of(tmp_path / "a.jsonl", " ".join(example.split()).encode())
    assert isinstance(read.content, RecordedConversation)
    assert read.content.sessions[0].turns[0].text == "I live in Ghent."


def test_a_shared_picture_is_described():
    turn = conversation_file.RecordedTurn(turn_id="1", speaker="Ann", text="Look!", image_caption="a red boat")
    assert turn.full_text == "Look! [shares image: a red boat]"
